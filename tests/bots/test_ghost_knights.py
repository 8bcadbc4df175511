"""What the advisor of Ghost Knights counts is what the rules would score."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.ghost_knights.table import position, post
from veillee.games.ghost_knights.bot import gain
from veillee.games.ghost_knights.rules import GhostKnights, score_dolmen, worth

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
