"""Luck and skill apart: what is found adds up exactly, is found again, and is judged by what a seat knew."""

from __future__ import annotations

from itertools import islice

import pytest

import veillee
from veillee.bots import insight
from veillee.bots.insight import Budget, Decision, Option
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.match.analysis import Account, analyse, turns

LITTLE = Budget(position=1, search=4, choice=2)


def finished(game: str, seed: int = 4) -> veillee.Match:
    """By first ideas, which come to the end sooner than chance."""
    match, rng = veillee.new(game, BOXES[game].players[0], seed), Rng(seed)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.box.advisor.first_idea(match.state, seat, rng))
    return match


@pytest.mark.parametrize("game", BOXES)
def test_result_less_start_is_luck_and_own_answers_and_the_others(game: str) -> None:
    match = finished(game)
    account, found = Account(match.seats), []
    for one in analyse(match, budget=LITTLE, seats=()):
        account.add(one)
        found.append(one)
    assert len(found) == len(match.answers) + 1
    assert account.end == tuple(match.state.returns())
    for seat in range(match.seats):
        parts = account.luck[seat] + account.own[seat] + account.others[seat]
        assert account.end[seat] - account.start[seat] == pytest.approx(parts, abs=1e-9)
    assert any(account.luck), "chance decided something in each of our games"


def test_an_answer_without_chance_has_no_luck() -> None:
    match = finished("ghost-knights")
    for one in analyse(match, budget=LITTLE, seats=()):
        if one.number and not insight.is_chance(one.before, one.seat, one.action):
            assert one.luck == (0.0,) * match.seats


def test_the_same_seed_and_budget_find_the_same_and_whoever_has_seen_enough_stops() -> None:
    match = finished("takara-island")
    told = [[(f.chances, f.worth, f.luck, f.decision) for f in islice(analyse(match, 7, LITTLE), 12)] for _ in range(2)]
    assert told[0] == told[1]
    assert any(one[3] is not None for one in told[0])


def test_only_the_decisions_that_were_asked_for_are_weighed() -> None:
    match = finished("ghost-knights")
    weighed = {one.seat for one in islice(analyse(match, budget=LITTLE, seats=(1,)), 60) if one.decision is not None}
    assert weighed == {1}


def test_a_decision_is_judged_by_what_its_seat_knew() -> None:
    """How hidden things really lie changes nothing of what a seat is told that it should have done."""
    match = veillee.new("ghost-knights", 4, seed=3)
    seat = match.to_act[0]
    action = match.choices(seat)[0].id
    other = match.state.clone()
    other.determinize(seat, Rng(5))
    assert other.dump() != match.state.dump()
    told = [
        insight.decision(match.box, state, seat, action, Rng(1), Budget(4, 40, 20)) for state in (match.state, other)
    ]
    assert told[0] == told[1]
    assert told[0] is not None
    assert action in [option.action for option in told[0].options]


@pytest.mark.parametrize(
    ("wins", "error", "mistake"),
    [(0.49, 0.0, False), (0.46, 0.0, True), (0.40, 0.06, False), (0.30, 0.06, True)],
)
def test_what_may_be_noise_is_never_called_a_mistake(wins: float, error: float, mistake: bool) -> None:
    decided = Decision((Option(1, 0.5, 0.0), Option(2, wins, error)), taken=2)
    assert decided.regret == pytest.approx(0.5 - wins)
    assert decided.mistake is mistake


def test_where_it_turned_is_told_in_both_languages() -> None:
    match = finished("takara-island")
    found = list(analyse(match, budget=LITTLE, seats=()))
    most = turns(found)
    assert [one.number for one in most] == sorted(one.number for one in most)
    assert min(one.swing for one in most) >= sorted(one.swing for one in found)[-3]
    names = [f"Ada{seat}" for seat in range(match.seats)]
    for lang, word in (("fr", "passe de"), ("en", "from")):
        assert all(word in one.told(lang, names) and "Ada" in one.told(lang, names) for one in most)


def test_a_game_that_is_not_over_keeps_its_secrets() -> None:
    with pytest.raises(veillee.Unknown, match="not over"):
        analyse(veillee.new("ghost-knights", 4, seed=1))


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(veillee.Unknown, match="Without a game in the head"):
        analyse(finished("ghost-knights"), budget=Budget(0, 0, 0))
