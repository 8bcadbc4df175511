"""Positions of Le Sourire du Dragon built by hand, with given dice and a given pile."""

from __future__ import annotations

from librt.vecs import extend, vec
from mypy_extensions import i64

from helpers import apply_all, loaded
from veillee.games.sourire_du_dragon import rules as sd
from veillee.games.sourire_du_dragon.content import SETS
from veillee.kernel.chance import Rng
from veillee.kernel.log import Kind, Log

CARDS = {card.key: number for number, card in enumerate(SETS[0].cards)}
SQUARES = {square.key: number for number, square in enumerate(SETS[0].squares)}


def position(*characters: int, seat: int = 0, version: int = sd.RULES, **options: str) -> sd.SourireDuDragon:
    """Everybody at the entrance, without cards; the pile holds rainbows only (nothing happens); `seat` announces."""
    g = sd.new_game(len(characters), Rng(0), options)
    g.version = version
    for hero, character in zip(g.heroes, characters, strict=True):
        hero.character = character
    g.pile = vec[i64]([CARDS["rainbow"]] * 20)
    turn(g, seat)
    return g


def turn(g: sd.SourireDuDragon, seat: int) -> None:
    """The turn of `seat` begins."""
    g.agenda = [sd.Turn(seat)]
    g.to_act = ()
    g.proceed(Rng(0))


def put(g: sd.SourireDuDragon, seat: int, square: str | int, *cards: str, blocked: bool = False) -> None:
    hero = g.heroes[seat]
    hero.square = SQUARES[square] if isinstance(square, str) else square
    hero.blocked = blocked
    for card in cards:
        hero.take(CARDS[card])


def draws(g: sd.SourireDuDragon, *cards: str) -> None:
    """The next cards of the pile, the first one first."""
    g.pile = extend(g.pile, [CARDS[card] for card in reversed(cards)])


def play(g: sd.SourireDuDragon, *actions: int, dice: tuple[int, ...] = ()) -> Log:
    """Answer with these choices; every die that falls is given, and all of them fall."""
    faces = iter([face - 1 for face in dice])
    log = apply_all(g, *actions, rng=loaded(6, faces))
    assert next(faces, None) is None, "the rules rolled fewer dice than the test gave"
    return log


def card(name: str) -> int:
    """The choice of that card."""
    return sd.CARD + CARDS[name]


def at(g: sd.SourireDuDragon, seat: int) -> str:
    return SETS[0].squares[g.heroes[seat].square].key


def held(g: sd.SourireDuDragon, seat: int) -> list[str]:
    return [SETS[0].cards[number].key for number in g.heroes[seat].cards]


def asked(g: sd.SourireDuDragon) -> tuple[str, tuple[int, ...]]:
    """The question, and who is asked."""
    return type(g.question).__name__, g.to_act


def told(log: Log, kind: Kind) -> list[tuple[int, ...]]:
    """The seat and the figures of each event of that kind."""
    return [(e.seat, *e.figures) for e in log.events if e.kind is kind]
