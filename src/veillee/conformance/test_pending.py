"""Every game: an answer that is still secret is resampled for all but the seat that gave it."""

from __future__ import annotations

from veillee.conformance.beside import Pending, pending_of
from veillee.conformance.cases import Case, text, walk
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import State

WORLDS = 30
EVERY = 3  # looked at after every third answer


def test_a_secret_answer_is_chosen_anew_for_the_others_and_kept_for_its_seat(secretive: Case) -> None:
    pending = pending_of(secretive.box)
    assert pending is not None
    choices: dict[int, int] = {}  # of the seats that have answered: the most they could choose from at a time
    question, looked = None, 0
    for step, (g, seat, _) in enumerate(walk(secretive, 31)):
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


def varies(g: State, observer: int, owner: int, pending: Pending) -> bool:
    values = set()
    for number in range(WORLDS):
        world = g.clone()
        world.determinize(observer, Rng(number))
        values.add(text(pending(world, owner)))
        if len(values) > 1:
            return True
    return False
