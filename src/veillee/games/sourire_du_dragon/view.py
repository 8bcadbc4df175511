"""SD-10.1 What one seat may see: everything but the order of the pile."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from veillee.games.sourire_du_dragon import rules as sd
from veillee.games.sourire_du_dragon.content import OBJECTS, SETS, Content
from veillee.games.sourire_du_dragon.layout import places

CHARACTER_KEYS = tuple(OBJECTS)
# SD-9.1 Of 216 rolls of three dice, in how many the lowest shows 1, 2, … 6; the highest the other way round.
LOWEST = [(7 - face) ** 3 - (6 - face) ** 3 for face in range(1, 7)]
HIGHEST = LOWEST[::-1]
ROLLS = 216


@cache
def course(content: Content) -> dict[str, Any]:
    """The squares and cards, which do not change during a game."""
    at = places(len(content.outer), len(content.inner))
    return {
        "set": content.id,
        "characters": [
            {"key": key, "name": dict(name)} for key, name in zip(CHARACTER_KEYS, content.characters, strict=True)
        ],
        "squares": [
            {
                "key": square.key,
                "kind": square.kind,
                "number": square.number,
                "combat": square.combat,
                "name": dict(square.name),
                "ring": "outer" if place < len(content.outer) else "inner",
                "at": at[place],
            }
            for place, square in enumerate(content.squares)
        ],
        "cards": [
            {
                "key": card.key,
                "effect": card.effect,
                "number": card.number,
                "copies": card.copies,
                "name": dict(card.name),
                "text": dict(card.text),
            }
            for card in content.cards
        ],
    }


def view(g: sd.SourireDuDragon, seat: int) -> dict[str, Any]:
    step = g.question
    squares = [hero.square for hero in g.heroes]
    return {
        "course": course(SETS[g.course.set]),
        "heroes": [
            {
                "character": CHARACTER_KEYS[h.character] if h.character != sd.NOBODY else None,
                "square": h.square,
                "blocked": h.blocked,
                "lost": h.lost,
                "cards": list(h.cards),
                "own": h.character if h.character != sd.NOBODY else None,  # the card that is its own object
                "company": squares.count(h.square),  # heroes on its square, and its place among them
                "place": squares[:s].count(h.square),
                "last": g.is_last(s),
                "combat": g.bonus(s, True, False),
                "adventure": g.bonus(s, False, False),
            }
            for s, h in enumerate(g.heroes)
        ],
        "pile": len(g.pile),
        "discards": len(g.discards),
        "discarded": sorted(g.discards),
        "aside": list(g.aside),
        "winner": g.winner if g.winner != sd.NOBODY else None,
        "turn": g.turn,
        "roller": g.roller if g.roller != sd.NOBODY else None,
        "dice": dice(g),
        "drawn": g.drawn if g.drawn != sd.NO_CARD else None,
        "asks": type(step).__name__ if g.to_act else None,
        "odds": odds(g, step.seat) if g.to_act and isinstance(step, sd.Announce) else None,
        "test": test(g, step) if g.to_act and isinstance(step, sd.Attempt) else None,
        "brawl": brawl(g, step) if g.to_act and isinstance(step, sd.Fray) else None,
        "offer": offer(step) if g.to_act else None,
        "moves": moves(g, step.seat) if g.to_act and isinstance(step, sd.Stride) else None,
        "pouch": pouch(g, seat) if seat >= 0 else None,
    }


def dice(g: sd.SourireDuDragon) -> list[dict[str, Any]]:
    """The three dice as they fell, each with what it serves: move, combat, or nothing."""
    if len(g.dice) == 0:
        return []
    order = sorted(range(3), key=lambda place: g.dice[place])
    roles = ["", "", ""]
    roles[order[2]] = "move" if g.high_moves else "combat"
    roles[order[0]] = "combat" if g.high_moves else "move"
    return [{"face": face, "for": role} for face, role in zip(g.dice, roles, strict=True)]


def odds(g: sd.SourireDuDragon, seat: int) -> dict[str, Any]:
    """SD-9.1 Both odds of the announcement: each die's faces in percent, and what the hero needs now."""
    hero, course_ = g.heroes[seat], g.course
    goal = course_.whirlpool if hero.square <= course_.whirlpool else course_.arrow
    away = goal - hero.square
    need = 0
    if hero.blocked and course_.blocks(hero.square):
        whirlpool = hero.square == course_.whirlpool
        need = max(1, course_.numbers[hero.square] - g.bonus(seat, course_.combats[hero.square], whirlpool))
        if (course_.staff_passes[hero.square] and hero.has_own(sd.STAFF)) or (
            course_.club_passes[hero.square] and hero.has_own(sd.CLUB)
        ):
            need = 1
    return {
        "seat": seat,
        "lowest": 1,
        "highest": sd.SIX,
        "low": [percent(n) for n in LOWEST],
        "high": [percent(n) for n in HIGHEST],
        "goal": goal,
        "away": away if 1 <= away <= 6 and not hero.blocked else None,
        "need": need or None,
        # For each announcement: the chance to land on the goal, and to overcome what blocks the way.
        "high_moves": {"land": percent(exactly(HIGHEST, away)), "pass": percent(at_least(LOWEST, need))},
        "low_moves": {"land": percent(exactly(LOWEST, away)), "pass": percent(at_least(HIGHEST, need))},
    }


def exactly(faces: list[int], face: int) -> int:
    return faces[face - 1] if 1 <= face <= 6 else 0


def at_least(faces: list[int], face: int) -> int:
    return sum(faces[max(0, face - 1) :])


def percent(rolls: int) -> float:
    """To half a percent under ten, to a whole one above: what a person can use."""
    share = 100 * rolls / ROLLS
    return round(share, 1) if share < 1 else round(share)


def test(g: sd.SourireDuDragon, step: sd.Attempt) -> dict[str, Any]:
    return {
        "seat": step.seat,
        "foe": step.foe if step.foe != sd.NO_CARD else None,
        "die": g.die,
        "total": step.total(g),
        "need": step.need(g),
    }


def brawl(g: sd.SourireDuDragon, step: sd.Fray) -> dict[str, Any]:
    return {
        "seats": [step.seat, step.target],
        "dice": [g.die, g.other_die],
        "totals": [step.total(g, step.seat), step.total(g, step.target)],
    }


def offer(step: object) -> dict[str, Any] | None:
    """SD-7.1 The two cards face to face: what is on the table so far."""
    if isinstance(step, sd.OfferWhat):
        return {"from": step.seat, "to": step.partner, "give": None, "want": None, "asks": "give"}
    if isinstance(step, sd.OfferFor):
        return {"from": step.seat, "to": step.partner, "give": card(step.give), "want": None, "asks": "want"}
    if isinstance(step, sd.Reply):
        return {
            "from": step.partner,
            "to": step.seat,
            "give": card(step.give),
            "want": card(step.want),
            "asks": "reply",
        }
    return None


def card(number: int) -> int | None:
    return None if number == sd.NO_CARD else number


def moves(g: sd.SourireDuDragon, seat: int) -> list[dict[str, Any]]:
    """Where each way to move leads: on the board the squares themselves are the choices."""
    square = g.heroes[seat].square
    found = []
    for action in sd.STRIDES:
        if g.explain(seat, action):
            continue
        if action == sd.GO:
            steps = g.move
        elif action == sd.GO_WITH_UNI:
            steps = g.move + 1
        else:
            steps = action - sd.STEP_OUT + 1
        to = g.course.after(square, steps)
        stays = to == sd.NO_SQUARE
        found.append({"action": action, "steps": steps, "square": square if stays else to, "stays": stays})
    return found


def pouch(g: sd.SourireDuDragon, seat: int) -> list[dict[str, int]]:
    """Each different card that the seat holds, and how many of it."""
    return [{"card": number, "count": count} for number, count in Counter(g.heroes[seat].cards).items()]
