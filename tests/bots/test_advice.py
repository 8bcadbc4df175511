"""Hints: the expert's choice, its reason, the chances of the best few; from what the seat knows."""

from __future__ import annotations

import pytest

from veillee import Forbidden, new
from veillee.bots import advice as bots
from veillee.bots.planning import SearchedChoice
from veillee.games.catalogue import BOXES
from veillee.match.hints import Chance, Hint, hint


@pytest.mark.parametrize("game", BOXES)
def test_a_hint_is_a_choice_with_chances(game: str) -> None:
    match = new(game, seed=2)
    seat = match.to_act[0]
    given = hint(match, seat, level="novice", timed=False)
    legal = [choice.id for choice in match.choices(seat)]
    assert given.choice.id == given.chances[0].choice.id
    assert {chance.choice.id for chance in given.chances} <= set(legal)
    assert all(0.0 <= chance.wins <= 1.0 for chance in given.chances)
    assert [chance.games for chance in given.chances] == sorted((c.games for c in given.chances), reverse=True)
    assert hint(match, seat, level="novice", timed=False).chances == given.chances


def test_nobody_is_advised_out_of_turn() -> None:
    match = new("ghost-knights", seats=4, seed=2)
    idle = next(seat for seat in range(4) if seat not in match.to_act)
    with pytest.raises(Forbidden, match=r"^It is not your turn\. \(K-1\)$") as refused:
        match.hint(idle)
    assert refused.value.say("fr") == "Ce n’est pas à vous de jouer."


def weighed(*wins: float) -> tuple[SearchedChoice, ...]:
    return tuple(SearchedChoice(action, share, 100 - action) for action, share in enumerate(wins))


@pytest.mark.parametrize(
    ("wins", "choices", "told"),
    [
        ((0.25,), 1, [bots.ONLY]),
        ((0.30, 0.20), 2, [bots.CLEARLY]),
        ((0.25, 0.245), 2, [bots.CLOSE]),
        ((0.26, 0.22), 2, []),
        ((0.60, 0.20), 2, [bots.CLEARLY, bots.REASON_AHEAD]),
        ((0.05, 0.05), 2, [bots.CLOSE, bots.REASON_BEHIND]),
    ],
)
def test_reasons(wins: tuple[float, ...], choices: int, told: list[str]) -> None:
    assert bots.reasons(weighed(*wins), choices, seats=4) == told


def test_reasons_are_sentences_in_both_languages() -> None:
    match = new("ghost-knights", seats=4, seed=2)
    first, second = match.choices(match.to_act[0])[:2]
    given = Hint(first, (Chance(first, 0.61, 50), Chance(second, 0.2, 9)), (bots.CLEARLY, bots.REASON_AHEAD))
    assert given.reason("en") == "Clearly the best: 61 % to win, against 20 %. You are well placed (61 %)."
    assert given.reason("fr") == (
        "Nettement le meilleur choix\u00a0: 61\u00a0% de chances de gagner, contre 20\u00a0%. Vous êtes en bonne posture (61\u00a0%)."
    )
    close = Hint(first, given.chances, (bots.CLOSE,))
    assert second.label("fr") in close.reason("fr")
