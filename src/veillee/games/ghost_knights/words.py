"""What Ghost Knights says to people: its choices, its questions, its reasons, its log, its final account."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.games.box import Line
from veillee.games.ghost_knights import rules as gk
from veillee.kernel.log import Event
from veillee.words import Words

ROMAN = ("I", "II", "III", "IV", "V")


def colour(card: int, t: Words) -> str:
    names = (t("white"), t("blue"), t("green"), t("yellow"), t("red"), t("black"))
    return names[card]


def label(g: gk.GhostKnights, seat: int, action: int, t: Words) -> str:
    verb, args = g.choice(action)
    if verb == "draw":
        return t("Draw a second card")
    if verb == "pass":
        return t("Pass: leave this tournament")
    if verb == "play":
        return t("Play a {colour} card", colour=colour(args["colour"], t))
    if verb == "owner":
        if args["seat"] == seat:
            return t("A guard of my own ({colour})", colour=colour(seat, t))
        return t("A {colour} guard", colour=colour(args["seat"], t))
    if verb == "put":
        return t("Dolmen {number}", number=ROMAN[args["dolmen"]])
    return t("Take it from dolmen {number}", number=ROMAN[args["dolmen"]])


def question(g: gk.GhostKnights, seat: int, t: Words) -> tuple[str, str]:
    step = g.question
    if isinstance(step, gk.DrawOrPlay):
        return t("Draw a second card, or play one?"), "GK-2.1"
    if isinstance(step, gk.PutGuard):
        if step.owner == seat:
            return t("At which dolmen do you post your guard?"), gk.CAUSES[step.cause]
        return t("At which dolmen does the {colour} guard go?", colour=colour(step.owner, t)), gk.CAUSES[step.cause]
    if isinstance(step, gk.WhoseGuard):
        return t("Black card: whose guard do you post?"), "GK-2.5"
    if isinstance(step, gk.Fight):
        return t("Tournament: play a card with one of your swords, or pass?"), "GK-4.1"
    if isinstance(step, gk.Target):
        return t("Black card: post a guard of your own, or take away whose?"), "GK-4.4"
    if isinstance(step, gk.TakeGuard):
        return t("From which dolmen do you take the {colour} guard?", colour=colour(step.owner, t)), "GK-4.4"
    return "", ""


def why(g: gk.GhostKnights, seat: int, action: int, rule: str, t: Words) -> str:
    verb, args = g.choice(action)
    if verb == "play" and g.knights[seat].hand[args["colour"]] == 0:
        return t("You hold no {colour} card.", colour=colour(args["colour"], t))
    if rule == "GK-2.4":
        owner = args["colour"] if verb == "play" else args["seat"]
        return t("The {colour} reserve is empty.", colour=colour(owner, t))
    if rule == "GK-2.6":
        if args["colour"] == gk.BLACK:
            return t("Every reserve is empty.")
        return t("Your reserve is empty.")
    if rule == "GK-4.4":
        return t("No {colour} guard stands there.", colour=colour(_taken(g), t))
    owner = g.owner_of(args["colour"], seat) if verb == "play" else args["seat"]
    if verb == "play" and args["colour"] == gk.BLACK:
        return t("There is no guard to take away, and your reserve is empty.")
    if owner == seat:
        return t("Your reserve is empty.")
    return t("No {colour} guard stands at any dolmen.", colour=colour(owner, t))


def _taken(g: gk.GhostKnights) -> int:
    step = g.question
    return step.owner if isinstance(step, gk.TakeGuard) else 0


def event(e: Event, names: Sequence[str], t: Words) -> str:
    who = names[e.seat] if e.seat >= 0 else ""
    if e.what == "first":
        return t("{who} plays first.", who=who)
    if e.what == "draw":
        return t("{who} draws a card: {colour}.", who=who, colour=colour(e.a, t))
    if e.what == "drawn":
        return t("{who} draws a card.", who=who)
    if e.what == "dolmen card":
        return t("{who} draws a dolmen card: tournament {number} of 4!", who=who, number=e.a)
    if e.what == "play":
        return t("{who} plays a {colour} card.", who=who, colour=colour(e.a, t))
    if e.what == "put":
        if e.a == e.seat:
            return t("{who} posts a guard at dolmen {number}.", who=who, number=ROMAN[e.b])
        return t("{who} posts a guard of {whose} at dolmen {number}.", who=who, whose=names[e.a], number=ROMAN[e.b])
    if e.what == "take":
        return t(
            "{who} takes a guard of {whose} away from dolmen {number}.", who=who, whose=names[e.a], number=ROMAN[e.b]
        )
    if e.what == "sword":
        return t("{who} lays a sword on the altar.", who=who)
    if e.what == "sword used":
        return t("{who} uses a sword: it leaves the game.", who=who)
    if e.what == "pass":
        return t("{who} leaves the tournament.", who=who)
    if e.what == "glory":
        if e.b == gk.NOWHERE:
            return t("{who} gains {n} glory.", who=who, n=e.a)
        return t(
            "Dolmen {number}: {who} gains {n} glory, {reason}.",
            number=ROMAN[e.b],
            who=who,
            n=e.a,
            reason=_reason(e.rule, t),
        )
    return (
        t("The game is over: a full lap ahead.")
        if e.rule == "GK-6.2"
        else t("The game is over: the fourth tournament is scored.")
    )


def _reason(rule: str, t: Words) -> str:
    if rule == "GK-5.1":
        return t("alone with the most guards")
    if rule == "GK-5.2":
        return t("alone there: double")
    return t("because of a tie for the most guards")


def account(g: gk.GhostKnights, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
    """Where each point of glory came from, rule by rule."""
    titles = {
        "GK-1.4": t("The first space of the ring"),
        "GK-2.3": t("Guards posted for others"),
        "GK-3.1": t("Dolmen cards drawn"),
        "GK-5.1": t("Dolmens held with the most guards"),
        "GK-5.2": t("Dolmens held alone"),
        "GK-5.3": t("Dolmens with a tie for the most"),
        "GK-5.4": t("Guards at all five dolmens"),
    }
    sums = [{"GK-1.4": 1} for _ in g.knights]
    for e in events:
        if e.what == "glory":
            sums[e.seat][e.rule] = sums[e.seat].get(e.rule, 0) + e.a
    return [[Line(rule, titles[rule], points[rule]) for rule in titles if rule in points] for points in sums]
