"""Positions of Paper Tales built by hand."""

from __future__ import annotations

from veillee.games.paper_tales import rules as pt
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import Step

FRONT, BACK, SAVE, DISCARD = (pt.DEPLOY + where for where in (pt.FRONT, pt.BACK, pt.SAVED, pt.GONE))


def position(players: int = 3, turn: int = 1) -> pt.PaperTales:
    """Empty kingdoms, all 81 cards in the pile in order, nothing asked yet."""
    g = pt.PaperTales()
    g.start_flow()
    g.turn = turn
    g.passes = 0
    g.pile = list(range(pt.CARDS))
    g.discards = []
    g.buried = []
    g.buriers = []
    g.picks = []
    g.seen = [0] * pt.CARDS
    g.forget_the_old_pile()
    g.realms = [pt.new_realm() for _ in range(players)]
    return g


def card(g: pt.PaperTales, kind: int) -> int:
    """A card of the kind, taken out of the pile."""
    found = next(card for card in g.pile if pt.KIND[card] == kind)
    g.pile.remove(found)
    return found


def put(g: pt.PaperTales, seat: int, kind: int, row: int = pt.FRONT, age: int = 0, fresh: bool = False) -> pt.Unit:
    """A unit in the seat's kingdom; `fresh`: revealed this turn."""
    unit = pt.new_unit(card(g, kind), row, age)
    unit.fresh = fresh
    g.realms[seat].units.append(unit)
    return unit


def hold(g: pt.PaperTales, seat: int, *kinds: int) -> None:
    """Cards kept in this turn's draft."""
    for kind in kinds:
        g.realms[seat].kept.append(card(g, kind))


def run(g: pt.PaperTales, *steps: type[Step], rng: Rng | None = None) -> Log:
    """Carry out these paragraphs in this order, up to the first question."""
    log = Log()
    g.agenda = [step(0) for step in reversed(steps)]
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


def kinds(units: list[pt.Unit]) -> list[int]:
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
