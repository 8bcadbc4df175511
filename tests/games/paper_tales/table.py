"""Positions of Paper Tales built by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from librt.vecs import append, pop, remove, vec
from mypy_extensions import i64

from veillee.games.paper_tales import rules as pt
from veillee.kernel.chance import Rng
from veillee.kernel.counts import gather, one, spread
from veillee.kernel.log import Log
from veillee.kernel.state import Phase

FRONT, BACK, SAVE, DISCARD = (pt.DEPLOY + where for where in (pt.FRONT, pt.BACK, pt.SAVED, pt.GONE))


def position(players: int = 3, turn: int = 1, version: int = pt.RULES) -> pt.PaperTales:
    """Empty kingdoms, all 81 cards in the pile in order, nothing asked yet."""
    g = pt.new_table(players)
    g.turn = turn
    g.version = version
    return g


def card(g: pt.PaperTales, kind: int) -> int:
    """A card of the kind, taken out of the pile."""
    found = next(card for card in g.pile if pt.KIND[card] == kind)
    g.pile = remove(g.pile, found)
    return found


def cards(numbers: Iterable[int]) -> vec[i64]:
    return vec[i64](list(numbers))


def on_top(g: pt.PaperTales, kind: int) -> None:
    """A card of the kind is drawn next."""
    found = card(g, kind)
    g.pile = append(g.pile, found)


def draw(g: pt.PaperTales, place: int = -1) -> int:
    """A card of the pile, whichever lies there."""
    g.pile, drawn = pop(g.pile, place)
    return drawn


def build(g: pt.PaperTales, seat: int, levels: Sequence[int]) -> None:
    """The five buildings at these levels."""
    g.realms[seat].levels = gather(list(levels))


def raise_to(g: pt.PaperTales, seat: int, building: int, level: int) -> None:
    """One building, not built so far, at this level."""
    g.realms[seat].levels += level * one(building)


def levels(g: pt.PaperTales, seat: int = 0) -> list[int]:
    return spread(g.realms[seat].levels, pt.BUILDINGS)


def put(g: pt.PaperTales, seat: int, kind: int, row: int = pt.FRONT, age: int = 0, fresh: bool = False) -> pt.Unit:
    """A unit in the seat's kingdom; `fresh`: revealed this turn."""
    unit = pt.new_unit(card(g, kind), row, age)
    unit.fresh = fresh
    g.realms[seat].units = append(g.realms[seat].units, unit)
    return unit


def hold(g: pt.PaperTales, seat: int, *kinds: int) -> None:
    """Cards kept in this turn's draft."""
    for kind in kinds:
        g.realms[seat].kept = append(g.realms[seat].kept, card(g, kind))


def run(g: pt.PaperTales, *steps: type[Phase], rng: Rng | None = None) -> Log:
    """Carry out these paragraphs in this order, up to the first question."""
    log = Log()
    g.agenda = [step() for step in reversed(steps)]
    g.to_act = ()
    g.log = log
    g.proceed(rng or Rng(0))
    g.log = None
    return log


def answer(g: pt.PaperTales, seat: int, *actions: int) -> Log:
    """The seat's answers, each of which must be allowed."""
    log = Log()
    for action in actions:
        rule = g.explain(seat, action)
        assert rule == "", f"{g.choice(action)} is forbidden by {rule}"
        g.apply(seat, action, Rng(0), log)
    return log


def effects(g: pt.PaperTales) -> None:
    """PT-2.2.4 from the reveal on, up to the first question or to the war."""
    run(g, pt.RevealEffects, pt.ChooseAge, pt.PutAge, pt.KrakenToll)


def ageing(g: pt.PaperTales) -> None:
    run(g, pt.Heal, pt.Ageing)


def kinds(units: vec[pt.Unit]) -> list[int]:
    return [unit.kind for unit in units]


def ages(g: pt.PaperTales, seat: int = 0) -> list[int]:
    return [unit.age for unit in g.realms[seat].units]


def legends(g: pt.PaperTales) -> list[int]:
    return [realm.legend for realm in g.realms]


def golds(g: pt.PaperTales) -> list[int]:
    return [realm.gold for realm in g.realms]


def asked(g: pt.PaperTales) -> tuple[str, tuple[int, ...]]:
    """The question, and who is asked."""
    return type(g.question).__name__, g.to_act
