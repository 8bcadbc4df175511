"""What the advisor of Ghost Knights counts is what the rules would score; its prior follows it, and uses no hidden information."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ghost_knights.table import fight, hold, position, post
from veillee.games.catalogue import BOXES
from veillee.games.ghost_knights.bot import gain
from veillee.games.ghost_knights.rules import (
    BLACK,
    BLUE,
    GREEN,
    OWNER,
    PASS,
    PLAY,
    PUT,
    TAKE,
    TOURNAMENTS,
    WHITE,
    Fight,
    GhostKnights,
    TakeGuard,
    score_dolmen,
    worth,
)
from veillee.games.ghost_knights.signs import SIGNS, Stakes
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves
from veillee.lab.policy_learning import LearnedAnswer, chances, signs_of

GUARDS = st.lists(st.integers(0, 4), min_size=4, max_size=5)


def scored(guards: list[int]) -> list[int]:
    """GK-5.1, GK-5.2, GK-5.3 What each seat scores at a dolmen with so many guards."""
    g = posted(guards)
    before = [knight.glory for knight in g.knights]
    score_dolmen(g, 0)
    return [knight.glory - glory for knight, glory in zip(g.knights, before, strict=True)]


def posted(guards: list[int]) -> GhostKnights:
    g = position(len(guards))
    post(g, 0, *guards)
    return g


@given(GUARDS)
def test_a_dolmen_is_worth_what_it_would_score(guards: list[int]) -> None:
    g = posted(guards)
    assert [worth(g, seat, 0) for seat in range(len(guards))] == scored(guards)


@given(GUARDS, st.data())
def test_a_guard_more_or_less_gains_what_the_scores_say(guards: list[int], data: st.DataObject) -> None:
    """One's own score times the players, less everybody's; with guards there before and after, no bonus is at stake."""
    seat = data.draw(st.integers(0, len(guards) - 1))
    owner = data.draw(st.integers(0, len(guards) - 1))
    change = data.draw(st.sampled_from([1, -1]))
    guards[owner] += 2
    after = [number + change * (player == owner) for player, number in enumerate(guards)]

    def lead(of: list[int]) -> int:
        scores = scored(of)
        return len(of) * scores[seat] - sum(scores)

    assert gain(posted(guards), seat, 0, owner, change) == lead(after) - lead(guards)


@given(GUARDS, st.data())
def test_what_is_at_stake_is_what_the_scores_say(guards: list[int], data: st.DataObject) -> None:
    """Everybody's change of score by the weight of their points; with guards there before and after, no bonus is at stake."""
    seat = data.draw(st.integers(0, len(guards) - 1))
    owner = data.draw(st.integers(0, len(guards) - 1))
    change = data.draw(st.sampled_from([1, -1]))
    guards[owner] += 1 if change > 0 else 2
    after = [number + change * (player == owner) for player, number in enumerate(guards)]
    stakes = Stakes()
    stakes.look(posted(guards), seat)
    changes = [then - now for now, then in zip(scored(guards), scored(after), strict=True)]
    told = stakes.gain_of_put(0, owner) if change > 0 else stakes.gain_of_take(0, owner)
    assert told == pytest.approx(sum(stakes.weight[i] * changes[i] for i in range(len(guards))))
    assert sum(stakes.weight) == pytest.approx(0.0)
    assert max(range(len(guards)), key=lambda i: stakes.weight[i]) == seat


ADVISOR = BOXES["ghost-knights"].advisor


def advised(g: GhostKnights, seat: int = 0) -> Counter[int]:
    """What experts would try, in hundredths."""
    moves, rng = Moves(), Rng(3)
    g.offer(seat, moves)
    return Counter(ADVISOR.advise(g, seat, moves, rng) for _ in range(100))


def favourite(g: GhostKnights) -> int:
    return advised(g).most_common(1)[0][0]


def played(players: int, seed: int) -> Iterator[GhostKnights]:
    """Yields every position of a game in which a seat is asked."""
    rng = Rng(seed)
    g = BOXES["ghost-knights"].new(players, rng, {}, None)
    assert isinstance(g, GhostKnights)
    while g.to_act:
        yield g
        g.apply(g.to_act[0], ADVISOR.first_idea(g, g.to_act[0], rng), rng)


@pytest.mark.parametrize("players", [4, 5])
def test_signs_tell_only_what_the_seat_knows(players: int) -> None:
    """The same in every world that the seat cannot tell from the real one, and each with a habit of its own."""
    asked = set()
    for g in played(players, 7):
        seat = g.to_act[0]
        told = signs_of(ADVISOR, g, seat)
        asked.add(type(g.question).__name__)
        for seed in range(3):
            world = g.clone()
            world.determinize(seat, Rng(seed))
            assert signs_of(ADVISOR, world, seat) == told
        numbers = [number for _, signs in told for number, _ in signs]
        assert all(0 <= number < SIGNS for number in numbers)
        assert all(len({number for number, _ in signs}) == len(signs) > 0 for _, signs in told), "each sign once"
    assert asked == {"DrawOrPlay", "PutGuard", "WhoseGuard", "Fight", "Target", "TakeGuard"}


def test_there_is_a_habit_for_every_sign() -> None:
    """Learn again (python -m veillee.lab.policy_learning ghost-knights) after changing the signs."""
    assert len(ADVISOR.habits) <= SIGNS
    assert max(n for g in played(5, 8) for _, signs in signs_of(ADVISOR, g, g.to_act[0]) for n, _ in signs) < len(
        ADVISOR.habits
    )


def last_tournament(*cards: int) -> GhostKnights:
    """Seat 0 is one guard behind seat 1 at the first dolmen, and far from everybody elsewhere."""
    g = position(4)
    post(g, 0, 3, 4, 0, 0)
    post(g, 1, 0, 0, 5, 1)
    post(g, 2, 0, 0, 1, 5)
    hold(g, 0, *cards)
    g.knights[0].altar = 2
    g.tournaments = TOURNAMENTS - 1
    fight(g)
    return g


def test_habits_lean_to_what_gains() -> None:
    """In the last tournament: strike rather than pass, where it counts, at the one who wins by it."""
    g = last_tournament(WHITE)
    assert advised(g)[PLAY + WHITE] > 80
    g.apply(0, PLAY + WHITE, Rng(0))
    assert favourite(g) == PUT, "four points for being tied, where two could be had alone"
    g = last_tournament(BLUE, GREEN)
    assert favourite(g) == PLAY + BLUE
    g.apply(0, PLAY + BLUE, Rng(0))
    assert advised(g)[TAKE] == 100


def test_habits_pass_sooner_where_little_is_to_be_gained() -> None:
    """By the best card in hand, in tournaments of played games; a sword that was used leaves the game (GK-4.2)."""
    little, much = [], []
    stakes, moves = Stakes(), Moves()
    for seed in range(12):
        for g in played(4 + seed % 2, seed):
            seat = g.to_act[0]
            g.offer(seat, moves)
            if not isinstance(g.question, Fight) or moves.count == 1:
                continue
            stakes.of_cards(g, seat, moves)
            answers = [LearnedAnswer(signs, 0.0) for _, signs in signs_of(ADVISOR, g, seat)]
            passes = chances(list(ADVISOR.habits), answers)[0]
            if stakes.best < 1.0:
                little.append(passes)
            elif stakes.best > 4.0:
                much.append(passes)
    assert len(little) > 20
    assert len(much) > 20
    assert mean(little) > 1.5 * mean(much)


def test_a_black_card_moves_the_guard_that_gains_most() -> None:
    g = last_tournament(BLACK)
    assert advised(g)[PASS] < 20
    g.apply(0, PLAY + BLACK, Rng(0))
    tried = advised(g)
    assert tried[OWNER] + tried[OWNER + 1] > 60


@pytest.mark.parametrize("players", [4, 5])
def test_a_practised_quick_game_strikes_where_it_gains_most(players: int) -> None:
    """What was seen when the card was chosen is what one sees when the guard is asked for; a game that begins there looks."""
    rng, moves = Rng(5), Moves()
    g = BOXES["ghost-knights"].new(players, rng, {}, None)
    assert isinstance(g, GhostKnights)
    before = g.clone()
    struck = 0
    while g.to_act:
        seat = g.to_act[0]
        g.offer(seat, moves)
        action = ADVISOR.rehearse(g, seat, moves, rng)
        assert action in moves.all()
        if isinstance(g.question, TakeGuard):
            stakes = Stakes()
            stakes.look(g, seat)
            gains = {move: stakes.gain_of_take(move - TAKE, g.question.owner) for move in moves.all()}
            assert gains[action] == pytest.approx(max(gains.values()))
            before.offer(before.to_act[0], moves)
            ADVISOR.rehearse(before, before.to_act[0], moves, rng)
            g.offer(seat, moves)
            assert gains[ADVISOR.rehearse(g.clone(), seat, moves, rng)] == pytest.approx(max(gains.values()))
            struck += 1
        g.apply(seat, action, rng)
    assert struck > 0
