"""Positions of Ghost Knights built by hand."""

from __future__ import annotations

from veillee.games.ghost_knights import rules as gk
from veillee.kernel.chance import Rng


def position(players: int = 5) -> gk.GhostKnights:
    """Seat 0 has drawn its card and is asked DrawOrPlay; no guard on the board, empty hands, a pile without dolmens."""
    g = gk.GhostKnights()
    g.start_flow()
    g.knights = [gk.new_knight() for _ in range(players)]
    g.tournaments = 0
    g.out = 0
    g.discards = [0] * gk.COLOURS
    g.top = gk.NO_CARD
    g.pile = [gk.WHITE, gk.BLUE, gk.GREEN] * 5
    g.lower_half = 0
    g.push(gk.Turn(1))
    g.push(gk.DrawOrPlay(0))
    g.proceed(Rng(0))
    return g


def fight(g: gk.GhostKnights, seat: int = 0) -> None:
    """A tournament that `seat` has brought about begins: the dolmen card was drawn, its guard posted."""
    g.agenda = [gk.Turn(g.left_of(seat)), gk.Tournament(seat)]
    g.tournaments += 1
    g.to_act = ()
    g.proceed(Rng(0))


def score(g: gk.GhostKnights, seat: int = 0) -> None:
    """The scoring of a tournament that `seat` has brought about; then play goes on."""
    g.agenda = [gk.Turn(g.left_of(seat)), gk.Scoring(seat)]
    g.tournaments += 1
    g.to_act = ()
    g.proceed(Rng(0))


def hold(g: gk.GhostKnights, seat: int, *cards: int) -> None:
    for card in cards:
        g.knights[seat].hand[card] += 1


def post(g: gk.GhostKnights, dolmen: int, *numbers: int) -> None:
    """So many guards of seat 0, 1, … at the dolmen, taken from their reserves."""
    for seat, number in enumerate(numbers):
        g.knights[seat].guards[dolmen] += number
        g.knights[seat].reserve -= number


def glory(g: gk.GhostKnights) -> list[int]:
    return [knight.glory for knight in g.knights]


def asked(g: gk.GhostKnights) -> tuple[str, tuple[int, ...]]:
    """The question, and who is asked."""
    return type(g.question).__name__, g.to_act
