"""What Liar's Dice says to people: its choices, its questions, its reasons, its log, its final account."""

from __future__ import annotations

from collections.abc import Sequence

from liars_dice import rules as ld
from liars_dice.view import rolled
from veillee.games.box import Line, Wordless
from veillee.kernel.log import END, Event
from veillee.words import Words


def bid(count: int, face: int, t: Words) -> str:
    return t.tn("{n} die showing {face}", "{n} dice showing {face}", count, face=face)


def dice(faces: int) -> str:
    return " ".join(str(face) for face in rolled(faces))


def label(g: ld.LiarsDice, seat: int, action: int, t: Words) -> str:
    verb, args = g.choice(action)
    if verb == "doubt":
        return t("Doubt it")
    if verb == "count":
        return t.tn("{n} die", "{n} dice", args["dice"])
    assert isinstance(g.question, ld.WhichFace)
    return bid(g.question.count, args["face"], t)


def question(g: ld.LiarsDice, seat: int, t: Words) -> tuple[str, str]:
    if isinstance(g.question, ld.WhichFace):
        return t("Showing which face?"), "LD-2.3"
    if g.count == ld.NO_BID:
        return t("You bid first: how many dice?"), "LD-2.3"
    return t("The bid is {bid}. Bid higher, or doubt it?", bid=bid(g.count, g.face, t)), "LD-2.2"


def why(g: ld.LiarsDice, seat: int, action: int, rule: str, t: Words) -> str:
    if action not in g.question.options(g, seat):
        return misplaced(g, action, t)
    if rule == "LD-2.2":
        return t("There is no bid to doubt yet.")
    return t("The bid is {bid}: say more dice, or as many of a higher face.", bid=bid(g.count, g.face, t))


def misplaced(g: ld.LiarsDice, action: int, t: Words) -> str:
    """When such an answer is given."""
    if action == ld.DOUBT:
        return t("You have begun a bid: say which face.")
    if action > ld.FACE:
        return t("First say how many dice, then which face.")
    if isinstance(g.question, ld.WhichFace):
        return t("You have said how many dice: say which face.")
    return t("There are only {n} dice on the table.", n=g.dice())


def event(e: Event, names: Sequence[str], t: Words) -> str:
    who = names[e.seat] if e.seat >= 0 else ""
    if e.kind is ld.FIRST:
        return t("{who} begins.", who=who)
    if e.kind is ld.ROLLED:
        return t("In secret: you roll {dice}.", dice=dice(e.faces))
    if e.kind is ld.BID:
        return t("{who} bids {bid}.", who=who, bid=bid(e.count, e.face, t))
    if e.kind is ld.DOUBTED:
        return t("{who} doubts it.", who=who)
    if e.kind is ld.SHOWN:
        return t("{who} shows {dice}.", who=who, dice=dice(e.faces))
    if e.kind is ld.FOUND:
        return t("On the table: {bid}.", bid=bid(e.count, e.face, t))
    if e.kind is ld.LOST:
        return t("{who} loses a die.", who=who)
    if e.kind is ld.OUT:
        return t("{who} is out.", who=who)
    if e.kind is END:
        return t("One player has dice left: the game is over.")
    raise Wordless(e)


def account(g: ld.LiarsDice, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
    return [[Line("LD-4.2", t("Players outlived"), player.outlived)] for player in g.players]
