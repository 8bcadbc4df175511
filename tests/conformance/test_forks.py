"""Forks on secret answers are found and distinguished from public ones; a view changes if and only if its fingerprint does."""

from __future__ import annotations

import json
from itertools import islice
from random import Random

import pytest

import veillee
from match.secret_picks import new_match as new_picks
from veillee.conformance.beside import golden_of
from veillee.conformance.cases import Case, cases
from veillee.conformance.forks import forks, given_away, look_alike, shown, to_others
from veillee.games.catalogue import BOXES
from veillee.house.tables.moment import fingerprints
from veillee.match.match import Match

FORKS = 10
ANSWERS = 150  # of a game, of which every third is looked at
CASES = [case for box in BOXES.values() for case in cases(box)]


def matches(case: Case | None, seed: int) -> Match:
    return new_picks(3) if case is None else case.match(seed)


def test_secret_picks_look_alike() -> None:
    found = list(islice(forks(new_picks(3), 3), FORKS))
    assert len(found) > 2
    for fork in found:
        look_alike(fork)


def test_there_are_forks() -> None:
    """The suite proves something: people do answer in secret."""
    assert len(list(islice(forks(Case(BOXES["ghost-knights"], 4).match(3), 3, every=4), FORKS))) > 2


def test_a_secret_answer_that_spares_a_question_is_found() -> None:
    """As Paper Tales did by its first rules: a Healer who saved no unit was not asked again."""
    path = next(path for path in golden_of(BOXES["paper-tales"]) if path.stem == "2-spared-a-question")
    record = json.loads(path.read_text(encoding="utf-8"))
    told = list(given_away(veillee.load({**record, "answers": []}), record["answers"]))
    assert [line.partition(":")[0] for line in told] == ["Heal"]


@pytest.mark.parametrize("case", [*CASES, None], ids=str)
def test_what_is_shown_changes_with_its_sign_and_never_without(case: Case | None) -> None:
    """A table counts what an audience has seen by signs: no news may come without one, and no sign without news."""
    match, pick = matches(case, 8), Random(8)
    for number in range(ANSWERS):
        if match.over:
            break
        seat = pick.choice(match.to_act)
        before, others = fingerprints(match), to_others(match, seat) if number % 3 == 0 else {}
        if match.can_undo(seat) and pick.random() < 0.3:
            match.undo(seat)
        else:
            match.play(seat, pick.choice(match.choices(seat)))
        then = fingerprints(match)
        for who, was in others.items():
            now, moved = shown(match, who), then[who] != before[who]
            assert (now != was) == moved, f"seat {who} after {match.answers[-1:]}: {was} {now}"
