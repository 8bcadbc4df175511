"""Every game: it ends, is never stuck, loses no component, and can be copied, written down and played again."""

from __future__ import annotations

import json
import re
from itertools import islice
from random import Random

import pytest

import veillee
from veillee.conformance.beside import census_of
from veillee.conformance.cases import Case, cases, positions, text, walk
from veillee.conformance.components import unnoticed
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.state import ALLOWED, State
from veillee.match.match import digest

MOST_DECISIONS = 20_000  # no game is longer, even at random


def finish(g: State, seed: int) -> None:
    rng, pick = Rng(seed), Random(seed)
    while g.to_act:
        seat = pick.choice(g.to_act)
        g.apply(seat, pick.choice(g.legal(seat)), rng)


@pytest.mark.parametrize("seed", range(4))
def test_it_ends_is_never_stuck_and_offers_what_is_allowed(case: Case, seed: int) -> None:
    decisions = 0
    for g, seat, action in walk(case, seed):
        decisions += 1
        assert decisions < MOST_DECISIONS, "it does not end"
        assert g.to_act == tuple(sorted(set(g.to_act)))
        for asked in g.to_act:
            legal = g.legal(asked)
            assert legal, f"seat {asked} is asked and can answer nothing"
            assert len(set(legal)) == len(legal)
            options = g.question.options(g, asked)
            assert [a for a in options if g.explain(asked, a) == ALLOWED] == list(legal)
        assert action in g.legal(seat)
        for asked in range(g.seats()):
            if asked not in g.to_act:
                assert g.explain(asked, action) != ALLOWED
    assert decisions, "nobody is ever asked"
    shares = g.returns()
    assert len(shares) == g.seats()
    assert sum(shares) == pytest.approx(1.0) or sum(shares) == 0


def test_every_refusal_names_a_rule_and_every_choice_its_own_words(case: Case) -> None:
    seen: dict[int, str] = {}
    for g, seat, _ in walk(case, 5):
        for action in g.question.options(g, seat):
            rule = g.explain(seat, action)
            assert rule == ALLOWED or re.fullmatch(rf"{case.box.code.upper()}-\d+(\.\d+)*", rule)
            verb, args = g.choice(action)
            meaning = text([verb, args])
            assert seen.setdefault(action, meaning) == meaning, "a number means two things"
    assert len(set(seen.values())) == len(seen), "two numbers mean the same"


def test_no_component_is_lost_or_made(case: Case) -> None:
    census = census_of(case.box)
    counts = set()
    for g, _, _ in walk(case, 3):
        counts.add(text(census(g)))
    counts.add(text(census(g)))
    assert len(counts) == 1, f"components changed: {sorted(counts)[:2]}"


def test_the_census_notices_what_is_lost_or_made(box: Box) -> None:
    """A count that never changes proves nothing: each of its figures depends on what is on the table."""
    case = next(cases(box))
    left = unnoticed(box, census_of(box), islice(positions(case, 3, 30), 4))
    assert not left, f"whatever is lost, the census counts the same: {sorted(left)}"


@pytest.mark.parametrize("seed", range(2))
def test_copies_and_json_go_on_alike_and_leave_the_original_alone(case: Case, seed: int) -> None:
    for number, g in enumerate(positions(case, seed, 17)):
        before = text(g.dump())
        copy, loaded = g.clone(), case.box.load(json.loads(before))
        assert text(loaded.dump()) == before
        assert text(copy.dump()) == before
        finish(copy, number)
        assert text(g.dump()) == before, "playing the copy changed the original"
        finish(loaded, number)
        assert text(loaded.dump()) == text(copy.dump())


def test_the_dump_is_no_window_into_the_position(case: Case) -> None:
    """What dump() returns may be kept: continuing the game must not change it."""
    g, rng = case.start(11)
    pick = Random(1)
    kept = []
    for _ in range(30):
        if not g.to_act:
            break
        dump = g.dump()
        kept.append((dump, text(dump)))
        seat = pick.choice(g.to_act)
        g.apply(seat, pick.choice(g.legal(seat)), rng)
    assert all(text(dump) == written for dump, written in kept)


def test_a_saved_match_is_replayed_to_the_same_position(case: Case) -> None:
    match = case.match(8)
    pick = Random(8)
    count = 0
    while not match.over:
        seat = pick.choice(match.to_act)
        match.play(seat, pick.choice(match.choices(seat)))
        count += 1
        if count % 40 == 0:
            again = veillee.load(json.loads(json.dumps(match.save())))
            assert digest(again.state) == digest(match.state)
            assert all(again.view(s) == match.view(s) for s in range(-1, case.seats))
    verdict = veillee.verify(json.loads(json.dumps(match.record())))
    assert verdict.holds, verdict.checks


def test_undo_brings_back_the_very_position(case: Case) -> None:
    match = case.match(21)
    everybody = range(-1, case.seats)
    pick = Random(21)
    undone = 0
    for _ in range(150):
        if match.over:
            break
        seat = pick.choice(match.to_act)
        before = [text(match.view(s)) for s in everybody], text(match.state.dump()), match.answers
        others = [s for s in everybody if s != seat]
        match.play(seat, pick.choice(match.choices(seat)))
        if match.can_undo(seat):
            if match.in_hand() == seat:
                assert [text(match.view(s)) for s in others] == [before[0][s + 1] for s in others], (
                    "a move in hand was shown"
                )
            assert match.undo(seat)
            undone += 1
            assert ([text(match.view(s)) for s in everybody], text(match.state.dump()), match.answers) == before
            match.play(seat, pick.choice(match.choices(seat)))
    assert undone > 0 or match.over
