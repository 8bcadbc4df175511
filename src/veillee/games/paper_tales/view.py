"""PT-4.1 What one seat may see: hands, draft, saved cards, plans and the order of the pile are private."""

from __future__ import annotations

from typing import Any

from veillee.games.paper_tales import content
from veillee.games.paper_tales.rules import (
    BUILD,
    BUILD_HIGH,
    BUILDINGS,
    COST,
    KIND,
    LEDGER_ROW,
    NO_CARD,
    OUT_OF_REACH,
    TURNS,
    UNDECIDED,
    UPGRADE,
    WOOD_MERCHANT,
    ChooseAge,
    Construct,
    Deploy,
    Heal,
    Keep,
    PaperTales,
    Realm,
    tosses,
)
from veillee.kernel.counts import at, spread

PHASES = {"Keep": 1, "Deploy": 2, "ChooseAge": 2, "Construct": 5, "Heal": 6}
RAISED = 2  # a building at its higher level


def view(g: PaperTales, seat: int) -> dict[str, Any]:
    return {
        "turn": g.turn,
        "turns": TURNS,
        "phase": PHASES[type(g.question).__name__] if g.to_act else None,
        "passes_to": "left" if g.passes_left() else "right",
        "pile": len(g.pile),
        "discards": sorted(KIND[card] for card in g.discards),
        "buried": len(g.buried),
        "realms": [_realm(g, owner, seat) for owner in range(len(g.realms))],
        "asks": type(g.question).__name__ if g.to_act else None,
        "mine": _mine(g, seat) if seat >= 0 else None,
    }


def _realm(g: PaperTales, owner: int, seat: int) -> dict[str, Any]:
    """A kingdom as everyone sees it; its owner also sees the tokens and cures chosen in secret."""
    r = g.realms[owner]
    rows = [list(r.ledger[i : i + LEDGER_ROW]) for i in range(0, len(r.ledger), LEDGER_ROW)]
    return {
        "gold": r.gold,
        "legend": r.legend,
        "levels": spread(r.levels, BUILDINGS),
        "front_spots": r.front_spots(),
        "units": [
            {
                "kind": u.kind,
                "row": "front" if u.row == 0 else "back",
                "age": u.age,
                "power": r.power(u),
                "fights": r.fights(u),
                "fresh": u.fresh,
                "dies": u.dies(),
                "coming": u.coming if owner == seat else 0,
                "healed": u.healed if owner == seat else False,
            }
            for u in r.units
        ],
        "wood": r.wood(),
        "food": r.food(),
        "crystal": r.crystal(),
        "strength": r.war_strength(),
        "income": r.income(),
        "cards": _cards(g, r),
        "saved": r.saved != NO_CARD,
        "war": {"strength": r.strength, "won": r.wars},
        "ledger": [
            {"phase": phase, "source": source, "legend": legend, "gold": gold} for phase, source, legend, gold in rows
        ],
        "buildings": [_building(r, b) for b in range(BUILDINGS)],
    }


def _cards(g: PaperTales, r: Realm) -> int:
    """How many cards are in the hand: nobody learns from it whether a secret choice has been made."""
    saved = 1 if r.saved != NO_CARD else 0
    return saved + g.passes + (1 if isinstance(g.question, Deploy) and g.to_act else 0)


def _building(r: Realm, b: int) -> dict[str, Any]:
    """What each construction would cost in gold, and which resources are missing for it and cannot be bought."""
    level = at(r.levels, b)
    return {
        "level": level,
        "build": _offer(r, BUILD + b, 0, 0) if level == 0 else None,
        "build_high": _offer(r, BUILD_HIGH + b, 0, 1) if level == 0 else None,
        "upgrade": _offer(r, UPGRADE + b, 1, 1) if level == 1 else None,
    }


def _offer(r: Realm, action: int, first: int, last: int) -> dict[str, Any]:
    building = content.HOUSES[(action - BUILD) % BUILDINGS]
    needed = dict.fromkeys(content.RESOURCES, 0)
    for level in building.levels[first : last + 1]:
        for resource, n in level.cost.items():
            needed[resource] += n
    produced = {"wood": r.wood(), "food": r.food(), "crystal": r.crystal()}
    price = r.price_of(action)
    reachable = price < OUT_OF_REACH
    missing = {name: max(0, n - produced[name]) for name, n in needed.items()}
    if reachable:  # the Temple's gold, the Wood Merchant or the Grand Architect make up for it
        missing = dict.fromkeys(missing, 0)
    elif r.has(WOOD_MERCHANT):
        missing["wood"] = 0
    return {
        "action": action,
        "needs": {name: n for name, n in needed.items() if n},
        "missing": {name: n for name, n in missing.items() if n},
        "land": r.land() if first == 0 else 0,
        "gold": price if reachable else None,
        "gold_missing": max(0, price - r.gold) if reachable else None,
        "possible": reachable and price <= r.gold,
    }


def _mine(g: PaperTales, seat: int) -> dict[str, Any]:
    r = g.realms[seat]
    asked = seat in g.to_act
    return {
        "packet": [KIND[card] for card in r.packet],
        "kept": [KIND[card] for card in sorted(r.kept)],
        "tossed": [KIND[card] for card in sorted(r.tossed)],
        "saved": KIND[r.saved] if r.saved != NO_CARD else None,
        "receiver": g.left_of(seat) if g.passes_left() else g.right_of(seat),  # of the packet, PT-2.1.2
        "tossing": isinstance(g.question, Keep) and asked and tosses(g, r),
        "deployment": _deployment(g, r) if isinstance(g.question, Deploy) and g.to_act else None,
        "tokens": r.tokens_asked() if isinstance(g.question, ChooseAge) and asked else 0,
        "healers": r.healers_asked() if isinstance(g.question, Heal) and asked else 0,
        "construction": r.construction if isinstance(g.question, Construct) and r.construction != UNDECIDED else None,
    }


def _deployment(g: PaperTales, r: Realm) -> dict[str, Any]:
    """The questions of the deployment in their order, those answered with their answers."""
    names = ("front", "back", "save", "discard")
    things = [{"kind": u.kind, "age": u.age, "old": True, "cost": 0, "row": names[u.row]} for u in r.units]
    things += [{"kind": KIND[c], "age": 0, "old": False, "cost": COST[KIND[c]], "row": None} for c in r.hand]
    for i, thing in enumerate(things):
        thing["plan"] = names[r.plan[i]] if i < len(r.plan) else None
    return {
        "things": things,
        "next": len(r.plan) if not r.planned() else None,
        "front_free": r.front,
        "back_free": r.back,
        "purse": r.purse,
        "can_save": g.turn < TURNS,
    }
