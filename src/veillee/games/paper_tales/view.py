"""PT-4.1 What one seat may see: hands, draft, saved cards, plans and the order of the pile are private."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from librt.vecs import vec

from veillee.games.paper_tales import content
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.rules import PaperTales, Realm
from veillee.kernel.counts import at, spread

STEPS = ("recruitment", "deployment", "war", "income", "construction", "ageing", "end")  # of a turn, and after the last
PHASES = {"Keep": 1, "Deploy": 2, "ChooseAge": 2, "Construct": 5, "Heal": 6}
ROWS = ("front", "back")
WAYS = ("front", "back", "save", "discard")  # of a deployment
OTHER_SOURCES = {pt.FROM_WAR: "war", pt.FROM_BASE: "base", pt.FROM_FLOOR: "floor"}

# The number of each answer: a board puts them on their things, and a deployment is sent with all its answers at once.
ANSWERS = {
    "keep": [pt.KEEP + kind for kind in range(pt.KINDS)],
    "toss": [pt.TOSS + kind for kind in range(pt.KINDS)],
    "deploy": {way: pt.DEPLOY + where for where, way in enumerate(WAYS)},
    "age": list(pt.AGES),
    "heal": list(pt.HEALS),
    "let_die": pt.NO_HEAL,
    "build": [pt.BUILD + building for building in range(pt.BUILDINGS)],
    "build_high": [pt.BUILD_HIGH + building for building in range(pt.BUILDINGS)],
    "upgrade": [pt.UPGRADE + building for building in range(pt.BUILDINGS)],
    "build_nothing": pt.NO_BUILDING,
}


def view(g: PaperTales, seat: int) -> dict[str, Any]:
    phase = PHASES[type(g.question).__name__] if g.to_act else None
    return {
        "turn": g.turn,
        "turns": pt.TURNS,
        "phase": phase,
        "phases": [_phase(number, phase) for number in range(1, len(STEPS))],
        "passes_to": "left" if g.passes_left() else "right",
        "pile": len(g.pile),
        "discards": sorted(pt.KIND[card] for card in g.discards),
        "buried": len(g.buried),
        "discarded": len(g.discards) + len(g.buried),
        "realms": [_realm(g, owner, seat) for owner in range(len(g.realms))],
        "asks": type(g.question).__name__ if g.to_act else None,
        "answers": ANSWERS,
        "mine": _mine(g, seat) if seat >= 0 else None,
    }


def _phase(number: int, now: int | None) -> dict[str, Any]:
    """PT-2.0 One of the six phases of this turn."""
    return {"step": STEPS[number - 1], "now": number == now, "past": now is not None and number < now}


def _realm(g: PaperTales, owner: int, seat: int) -> dict[str, Any]:
    """A kingdom as everyone sees it; its owner also sees the tokens and cures chosen in secret."""
    r = g.realms[owner]
    spots = {"front": r.front_spots(), "back": pt.BACK_SPOTS}
    taken = Counter(ROWS[u.row] for u in r.units)
    return {
        "gold": r.gold,
        "legend": r.legend,
        "levels": spread(r.levels, pt.BUILDINGS),
        "front_spots": r.front_spots(),
        "spots": spots,
        "free": {row: max(0, spots[row] - taken[row]) for row in ROWS},
        "units": [
            {
                "kind": u.kind,
                "row": ROWS[u.row],
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
        "saved": r.saved != pt.NO_CARD,
        "war": {"strength": r.strength, "won": r.wars},
        "ledger": _ledger(r),
        "buildings": [_building(r, b) for b in range(pt.BUILDINGS)],
    }


def _ledger(r: Realm) -> list[dict[str, Any]]:
    """Where this turn's points and gold came from: a unit, a building, or something else; a death may bring nothing."""
    rows = []
    for i in range(0, len(r.ledger), pt.LEDGER_ROW):
        phase, source, legend, gold = r.ledger[i : i + pt.LEDGER_ROW]
        row = {"phase": phase, "source": source, "legend": legend, "gold": gold, "step": STEPS[phase - 1]}
        row["unit"] = source if source < pt.FROM_BUILDING else None
        row["building"] = source - pt.FROM_BUILDING if pt.FROM_BUILDING <= source < pt.FROM_WAR else None
        row["other"] = OTHER_SOURCES.get(source)
        rows.append(row)
    return rows


def _cards(g: PaperTales, r: Realm) -> int:
    """Returns the number of cards in the hand; it does not reveal whether a secret choice has been made."""
    saved = 1 if r.saved != pt.NO_CARD else 0
    return saved + g.passes + (1 if isinstance(g.question, pt.Deploy) and g.to_act else 0)


def _building(r: Realm, b: int) -> dict[str, Any]:
    """What each construction would cost in gold, and which resources are missing for it and cannot be bought."""
    level = at(r.levels, b)
    return {
        "level": level,
        "build": _offer(r, pt.BUILD + b, 0, 0) if level == 0 else None,
        "build_high": _offer(r, pt.BUILD_HIGH + b, 0, 1) if level == 0 else None,
        "upgrade": _offer(r, pt.UPGRADE + b, 1, 1) if level == 1 else None,
    }


def _offer(r: Realm, action: int, first: int, last: int) -> dict[str, Any]:
    building = content.HOUSES[(action - pt.BUILD) % pt.BUILDINGS]
    needed = dict.fromkeys(content.RESOURCES, 0)
    for level in building.levels[first : last + 1]:
        for resource, n in level.cost.items():
            needed[resource] += n
    means = pt.Means(r)
    price = means.price_of(action)
    reachable = price < pt.OUT_OF_REACH
    missing = zip(content.RESOURCES, means.lacks(action), strict=True)
    return {
        "action": action,
        "needs": {name: n for name, n in needed.items() if n},
        "missing": {name: n for name, n in missing if n},
        "land": r.land() if first == 0 else 0,
        "gold": price if reachable else None,
        "gold_missing": max(0, price - r.gold) if reachable else None,
        "possible": reachable and price <= r.gold,
    }


def _mine(g: PaperTales, seat: int) -> dict[str, Any]:
    r = g.realms[seat]
    asked = seat in g.to_act
    tossing = isinstance(g.question, pt.Keep) and asked and pt.tosses(g, r)
    construction = r.construction if isinstance(g.question, pt.Construct) else pt.UNDECIDED
    packet = [pt.KIND[card] for card in r.packet]
    kept = [pt.KIND[card] for card in sorted(r.kept)]
    saved = pt.KIND[r.saved] if r.saved != pt.NO_CARD else None
    answers = pt.TOSS if tossing else pt.KEEP
    return {
        "packet": packet,
        "draft": [{"kind": kind, "count": n, "answer": answers + kind} for kind, n in Counter(packet).items()],
        "kept": kept,
        "tossed": [pt.KIND[card] for card in sorted(r.tossed)],
        "saved": saved,
        "held": kept if saved is None else [*kept, saved],
        "receiver": g.receiver(seat),  # of the packet
        "tossing": tossing,
        "deployment": _deployment(g, r) if isinstance(g.question, pt.Deploy) and g.to_act else None,
        "tokens": r.tokens_asked() if isinstance(g.question, pt.ChooseAge) and asked else 0,
        "healers": r.healers_asked() if isinstance(g.question, pt.Heal) and asked else 0,
        "construction": construction if construction != pt.UNDECIDED else None,
    }


def _deployment(g: PaperTales, r: Realm) -> dict[str, Any]:
    """The questions of the deployment in their order, those answered with their answers.

    A thing that nothing is planned for yet is shown where it is: in its row, or in the hand.
    """
    things = [{"kind": u.kind, "age": u.age, "old": True, "cost": 0, "row": ROWS[u.row]} for u in r.units]
    things += [{"kind": pt.KIND[c], "age": 0, "old": False, "cost": pt.COST[pt.KIND[c]], "row": None} for c in r.hand]
    worth = _worth(r, r.plan)
    for i, thing in enumerate(things):
        thing |= worth["things"][i]
        thing["plan"] = WAYS[r.plan[i]] if i < len(r.plan) else None
        thing["at"] = thing["plan"] or thing["row"] or "discard"
        thing["ways"] = [way for way in WAYS if way != "save" or (g.turn < pt.TURNS and not thing["old"])]
    return {
        "things": things,
        "next": len(r.plan) if not r.planned() else None,
        "front_free": r.front,
        "back_free": r.back,
        "purse": r.purse,
        "can_save": g.turn < pt.TURNS,
        "strength": worth["strength"],
    }


def preview(g: PaperTales, seat: int, answers: Sequence[int]) -> dict[str, Any] | None:
    """The strengths that a deployment of the seat would have, before PT-2.2.4; whether it is allowed is not looked at."""
    if seat not in g.to_act or not isinstance(g.question, pt.Deploy):
        return None
    r, plan = g.realms[seat], [answer - pt.DEPLOY for answer in answers]
    fits = len(r.plan) + len(plan) <= len(r.units) + len(r.hand) and all(0 <= where < len(WAYS) for where in plan)
    return _worth(r, [*r.plan, *plan]) if fits else None


def _worth(r: Realm, plan: Iterable[int]) -> dict[str, Any]:
    """PT-5 Each thing's strength, and the rows' and the kingdom's (PT-2.3.1), if the deployment were revealed now.

    A thing that nothing is planned for yet counts where it is; a card that is not deployed has the strength on it.
    """
    things = [*r.units, *[pt.new_unit(card, pt.FRONT, 0) for card in r.hand]]
    rows = [*plan]
    rows += [u.row for u in r.units][len(rows) :]
    rows += [pt.GONE] * (len(things) - len(rows))
    stand = [pt.Unit(u.card, row, u.age, 0, u.fresh, False) for u, row in zip(things, rows, strict=True)]
    kingdom = r.clone()
    kingdom.units = vec[pt.Unit]([u for u in stand if u.row <= pt.BACK])
    powers = [kingdom.power(u) if u.row <= pt.BACK else pt.STRENGTH[u.kind] for u in stand]
    fights = [u.row > pt.BACK or kingdom.fights(u) for u in stand]
    of_rows = {
        name: sum(n for n, u, fight in zip(powers, stand, fights, strict=True) if fight and u.row == row)
        for row, name in enumerate(ROWS)
    }
    return {
        "things": [{"power": n, "fights": fight} for n, fight in zip(powers, fights, strict=True)],
        "strength": {**of_rows, "war": kingdom.war_strength()},
    }
