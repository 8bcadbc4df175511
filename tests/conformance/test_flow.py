"""Every game: it ends, is never stuck, loses no component, and can be copied, written down and played again."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

import veillee
from conformance.cases import CASES, NAMES, census_of, positions, start, text, walk
from veillee.kernel.chance import Rng
from veillee.kernel.state import ALLOWED
from veillee.match.match import digest

MOST_DECISIONS = 20_000  # no game of ours is longer, even at random
every_case = pytest.mark.parametrize("case", CASES, ids=NAMES)


def finish(g, seed: int) -> None:
    rng, pick = Rng(seed), Random(seed)
    while g.to_act:
        seat = pick.choice(g.to_act)
        g.apply(seat, pick.choice(g.legal(seat)), rng)


@every_case
@pytest.mark.parametrize("seed", range(4))
def test_it_ends_is_never_stuck_and_offers_what_is_allowed(case, seed):
    decisions = 0
    for _, g, seat, action, _ in walk(case, seed):
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
    assert decisions > 10
    shares = g.returns()
    assert len(shares) == g.seats()
    assert sum(shares) == pytest.approx(1.0) or sum(shares) == 0


@every_case
def test_every_refusal_names_a_rule_and_every_choice_its_own_words(case):
    seen: dict[int, str] = {}
    for box, g, seat, _, _ in walk(case, 5):
        for action in g.question.options(g, seat):
            rule = g.explain(seat, action)
            assert rule == ALLOWED or re.fullmatch(rf"{box.code.upper()}-\d+(\.\d+)*", rule)
            verb, args = g.choice(action)
            meaning = text([verb, args])
            assert seen.setdefault(action, meaning) == meaning, "a number means two things"
    assert len(set(seen.values())) == len(seen), "two numbers mean the same"


@every_case
def test_no_component_is_lost_or_made(case):
    counts = set()
    for box, g, _, _, _ in walk(case, 3):
        counts.add(text(census_of(box)(g)))
    counts.add(text(census_of(box)(g)))
    assert len(counts) == 1, f"components changed: {sorted(counts)[:2]}"


@every_case
@pytest.mark.parametrize("seed", range(2))
def test_copies_and_json_go_on_alike_and_leave_the_original_alone(case, seed):
    for number, (box, g) in enumerate(positions(case, seed, 17)):
        before = text(g.dump())
        copy, loaded = g.clone(), box.load(json.loads(before))
        assert text(loaded.dump()) == before
        assert text(copy.dump()) == before
        finish(copy, number)
        assert text(g.dump()) == before, "playing the copy changed the original"
        finish(loaded, number)
        assert text(loaded.dump()) == text(copy.dump())


@every_case
def test_the_dump_is_no_window_into_the_position(case):
    """What dump() gives may be kept: going on must not change it."""
    _, g, rng = start(case, 11)
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


@every_case
def test_a_saved_match_is_replayed_to_the_same_position(case):
    game, seats, options = case
    match = veillee.new(game, seats, seed=8, **options)
    pick = Random(8)
    count = 0
    while not match.over:
        seat = pick.choice(match.to_act)
        match.play(seat, pick.choice(match.choices(seat)))
        count += 1
        if count % 40 == 0:
            again = veillee.load(json.loads(json.dumps(match.save())))
            assert digest(again.state) == digest(match.state)
            assert all(again.view(s) == match.view(s) for s in range(-1, seats))
    verdict = veillee.verify(json.loads(json.dumps(match.record())))
    assert verdict.holds, verdict.checks


@every_case
def test_undo_brings_back_the_very_position(case):
    game, seats, options = case
    match = veillee.new(game, seats, seed=21, **options)
    pick = Random(21)
    undone = 0
    for _ in range(400):
        if match.over:
            break
        seat = pick.choice(match.to_act)
        before = [text(match.view(s)) for s in range(-1, seats)], text(match.state.dump()), match.answers
        others = [s for s in range(-1, seats) if s != seat]
        match.play(seat, pick.choice(match.choices(seat)))
        if match.can_undo(seat):
            if match.in_hand() == seat:
                assert [text(match.view(s)) for s in others] == [before[0][s + 1] for s in others], (
                    "a move in hand was shown"
                )
            assert match.undo(seat)
            undone += 1
            assert ([text(match.view(s)) for s in range(-1, seats)], text(match.state.dump()), match.answers) == before
            match.play(seat, pick.choice(match.choices(seat)))
    assert undone > 0 or match.over
