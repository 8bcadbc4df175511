"""Every game: an answer that is still secret is chosen anew for all but the seat that gave it."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from conformance.cases import CASES, Case, name, text, walk
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT

WORLDS = 30
EVERY = 3  # looked at after every third answer


def pending_of(game: str) -> Any:
    """The seat's pending secret answer, or None: tests/rules/<game>/census.py, in games that ask several seats at once."""
    return getattr(importlib.import_module(f"rules.{BOXES[game].folder.name}.census"), "pending", None)


def secretive() -> list[Case]:
    return [case for case in CASES if pending_of(case[0]) is not None]


@pytest.mark.parametrize("case", secretive(), ids=[name(case) for case in secretive()])
def test_a_secret_answer_is_chosen_anew_for_the_others_and_kept_for_its_seat(case):
    pending = pending_of(case[0])
    choices: dict[int, int] = {}  # of the seats that have answered: the most they could choose from at a time
    question, looked = None, 0
    for step, (_, g, seat, _, _) in enumerate(walk(case, 31)):
        if question is not g.question:
            question, choices = g.question, {}
        for owner in choices.keys() - {seat} if step % EVERY == 0 else ():
            answer = pending(g, owner)
            if answer is None:
                continue
            observers = [NO_SEAT, *(other for other in range(g.seats()) if other != owner)]
            for observer in observers if choices[owner] > 1 else ():
                assert varies(g, observer, owner, pending), f"{observer} is dealt what {owner} answered: {answer}"
                looked += 1
            world = g.clone()
            world.determinize(owner, Rng(step))
            assert text(pending(world, owner)) == text(answer)
        choices[seat] = max(choices.get(seat, 0), len(g.legal(seat)))
    assert looked, "nothing was ever pending: the test above proves nothing"


def varies(g: Any, observer: int, owner: int, pending: Any) -> bool:
    values = set()
    for number in range(WORLDS):
        world = g.clone()
        world.determinize(observer, Rng(number))
        values.add(text(pending(world, owner)))
        if len(values) > 1:
            return True
    return False
