"""Positions of Ghost Knights built by hand."""

from __future__ import annotations

from collections.abc import Sequence

from librt.vecs import append, vec
from mypy_extensions import i64

from veillee.games.ghost_knights import rules as gk
from veillee.kernel.chance import Rng
from veillee.kernel.counts import gather, one, spread


def empty(players: int = 5) -> gk.GhostKnights:
    """No seat is asked; no guard on the board, empty hands, a pile without dolmen cards."""
    knights = vec[gk.Knight]([gk.new_knight() for _ in range(players)])
    pile = vec[i64]([gk.WHITE, gk.BLUE, gk.GREEN] * 5)
    return gk.GhostKnights(knights, pile, gk.NO_DISCARDS[:], gk.NO_CARD, 0, 0, 0)


def position(players: int = 5) -> gk.GhostKnights:
    """Seat 0 has drawn its card and is asked DrawOrPlay; no guard on the board, empty hands, a pile without dolmens."""
    g = empty(players)
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
        g.knights[seat].hand += one(card)


def lay(g: gk.GhostKnights, *cards: int) -> None:
    """These cards on the pile, the next one last."""
    for card in cards:
        g.pile = append(g.pile, card)


def post(g: gk.GhostKnights, dolmen: int, *numbers: int) -> None:
    """So many guards of seat 0, 1, … at the dolmen, taken from their reserves."""
    for seat, number in enumerate(numbers):
        g.knights[seat].guards += number * one(dolmen)
        g.knights[seat].reserve -= number


def station(g: gk.GhostKnights, seat: int, guards: Sequence[int]) -> None:
    """So many guards of the seat at each dolmen, whatever is in its reserve."""
    g.knights[seat].guards = gather(list(guards))


def hand_of(knight: gk.Knight) -> list[int]:
    return spread(knight.hand, gk.COLOURS)


def guards_of(knight: gk.Knight) -> list[int]:
    return spread(knight.guards, gk.DOLMENS)


def glory(g: gk.GhostKnights) -> list[int]:
    return [knight.glory for knight in g.knights]


def asked(g: gk.GhostKnights) -> tuple[str, tuple[int, ...]]:
    """The question, and who is asked."""
    return type(g.question).__name__, g.to_act
