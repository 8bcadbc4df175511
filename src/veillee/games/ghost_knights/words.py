"""Words of Ghost Knights: choices, questions, reasons, log and final account."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.games.box import Line, Wordless
from veillee.games.ghost_knights import rules as gk
from veillee.kernel.counts import at
from veillee.kernel.log import END, Event
from veillee.words import Words

ROMAN = ("I", "II", "III", "IV", "V")


def colour(card: int, t: Words) -> str:
    names = (t("white"), t("blue"), t("green"), t("yellow"), t("red"), t("black"))
    return names[card]


def card_of(card: int, t: Words) -> str:
    """A card with its colour: in French the two agree."""
    names = (t("white card"), t("blue card"), t("green card"), t("yellow card"), t("red card"), t("black card"))
    return names[card]


def guard_of(owner: int, t: Words) -> str:
    """A guard with its colour: in French the two agree."""
    names = (t("white guard"), t("blue guard"), t("green guard"), t("yellow guard"), t("red guard"))
    return names[owner]


def label(g: gk.GhostKnights, seat: int, action: int, t: Words) -> str:
    verb, args = g.choice(action)
    if verb == "draw":
        return t("Draw a second card")
    if verb == "pass":
        return t("Pass: leave this tournament")
    if verb == "play":
        return t("Play a {card}", card=card_of(args["colour"], t))
    if verb == "owner":
        if args["seat"] == seat:
            return t("Post a {guard} of my own", guard=guard_of(seat, t))
        if isinstance(g.question, gk.Target):
            return t("Take away a {guard}", guard=guard_of(args["seat"], t))
        return t("Post a {guard}", guard=guard_of(args["seat"], t))
    if verb == "put":
        return t("At dolmen {number}", number=ROMAN[args["dolmen"]])
    return t("From dolmen {number}", number=ROMAN[args["dolmen"]])


def question(g: gk.GhostKnights, seat: int, t: Words) -> tuple[str, str]:
    step = g.question
    if isinstance(step, gk.DrawOrPlay):
        return t("Draw a second card, or play one?"), "GK-2.1"
    if isinstance(step, gk.PutGuard):
        if step.owner == seat:
            return t("At which dolmen do you post your guard?"), gk.CAUSES[step.cause]
        return t("At which dolmen do you post the {guard}?", guard=guard_of(step.owner, t)), gk.CAUSES[step.cause]
    if isinstance(step, gk.WhoseGuard):
        return t("Black card: whose guard do you post?"), "GK-2.5"
    if isinstance(step, gk.Fight):
        return t("Tournament: play a card with one of your swords, or pass?"), "GK-4.1"
    if isinstance(step, gk.Target):
        return t("Black card: post a guard of your own, or take away whose?"), "GK-4.4"
    if isinstance(step, gk.TakeGuard):
        return t("From which dolmen do you take the {guard}?", guard=guard_of(step.owner, t)), "GK-4.4"
    return "", ""


def why(g: gk.GhostKnights, seat: int, action: int, rule: str, t: Words) -> str:
    verb, args = g.choice(action)
    if action not in g.question.options(g, seat):
        return misplaced(verb, t)
    if verb == "take":
        step = g.question
        assert isinstance(step, gk.TakeGuard)
        return t("No {guard} stands there.", guard=guard_of(step.owner, t))
    if verb == "play":
        card = args["colour"]
        if at(g.knights[seat].hand, card) == 0:
            return t("You hold no {card}.", card=card_of(card, t))
        if card == gk.BLACK:
            if rule == "GK-2.6":
                return t("Every reserve is empty: there is no guard to post.")
            return t("There is no guard to take away, and your own reserve is empty.")
        owner = g.owner_of(card, seat)
    else:
        owner = args["seat"]
    if owner == seat:
        return t("Your reserve of guards is empty.")
    if rule == "GK-4.5":
        return t("No {guard} stands at any dolmen.", guard=guard_of(owner, t))
    return t("No {guard} is left in reserve.", guard=guard_of(owner, t))


def misplaced(verb: str, t: Words) -> str:
    """When such an answer is given."""
    if verb == "draw":
        return t("A card is drawn at the beginning of a turn, and a second one instead of playing one.")
    if verb == "pass":
        return t("One passes in a tournament, when one is asked for a card.")
    if verb == "play":
        return t("Only one card is played at a time: finish this move first.")
    if verb == "owner":
        return t("Whose guard it is can be chosen with a black card only.")
    if verb == "put":
        return t("A guard is posted once the card played says whose.")
    return t("A guard is taken away in a tournament, with a card of its colour or a black one.")


def gives_up(g: gk.GhostKnights, seat: int, action: int, t: Words) -> str:
    """GK-6.1 The fourth tournament is the last: swords and cards that are not used in it are worth nothing."""
    verb, _ = g.choice(action)
    if verb != "pass" or g.tournaments < gk.TOURNAMENTS:
        return ""
    cards = [card_of(args["colour"], t) for verb, args in map(g.choice, g.legal(seat)) if verb == "play"]
    if not cards:
        return ""
    return t("This is the last tournament, and you could still play: {cards}.", cards=", ".join(cards))


def event(e: Event, names: Sequence[str], t: Words) -> str:
    who = names[e.seat] if e.seat >= 0 else ""
    if e.kind is gk.FIRST:
        return t("{who} plays first.", who=who)
    if e.kind is gk.DRAWN:
        return t("{who} draws a card.", who=who)
    if e.kind is gk.DREW:
        return t("In secret: it is a {card}.", card=card_of(e.card, t))
    if e.kind is gk.DOLMEN:
        return t("{who} draws a dolmen card: tournament {number} of 4!", who=who, number=e.tournament)
    if e.kind is gk.PLAYED:
        return t("{who} plays a {card}.", who=who, card=card_of(e.card, t))
    if e.kind is gk.POSTED:
        place = ROMAN[e.dolmen]
        if e.owner == e.seat:
            return t("{who} posts a guard at dolmen {number}.", who=who, number=place)
        return t("{who} posts a guard of {whose} at dolmen {number}.", who=who, whose=names[e.owner], number=place)
    if e.kind is gk.TAKEN:
        whose = names[e.owner]
        return t(
            "{who} takes a guard of {whose} away from dolmen {number}.", who=who, whose=whose, number=ROMAN[e.dolmen]
        )
    if e.kind is gk.SWORD:
        return t("{who} lays a sword on the altar.", who=who)
    if e.kind is gk.SWORD_USED:
        return t("{who} uses a sword: it leaves the game.", who=who)
    if e.kind is gk.PASSED:
        return t("{who} leaves the tournament.", who=who)
    if e.kind is gk.GLORY:
        return _glory(e, who, t)
    if e.kind is END and e.rule == "GK-6.2":
        return t("The game is over: one knight is more than a full lap ahead of another.")
    if e.kind is END:
        return t("The game is over: the fourth tournament is scored.")
    raise Wordless(e)


def together(events: Sequence[Event], names: Sequence[str], t: Words) -> str:
    """What is shown in one go, in one sentence."""
    first, kinds = events[0], [e.kind for e in events]
    who = names[first.seat]
    everybody = t(
        "{names} and {last}", names=", ".join(names[e.seat] for e in events[:-1]), last=names[events[-1].seat]
    )
    if kinds == [gk.PLAYED, gk.SWORD_USED]:
        return t("{who} plays a {card} with a sword, which leaves the game.", who=who, card=card_of(first.card, t))
    if kinds[:2] == [gk.POSTED, gk.GLORY]:
        done = event(first, names, t).removesuffix(".")
        gain = t.tn("{n} point of glory", "{n} points of glory", events[1].points)
        if gk.SWORD in kinds:
            return t("{done}: {gain}, and a sword on the altar.", done=done, gain=gain)
        return t("{done}: {gain}.", done=done, gain=gain)
    if all(e.kind is gk.GLORY and e.rule == "GK-5.3" for e in events):
        number = ROMAN[first.dolmen]
        gain = t.tn("{n} point of glory", "{n} points of glory", first.points)
        return t(
            "Dolmen {number}: a tie for the most guards; {names} gain {gain} each.",
            number=number,
            names=everybody,
            gain=gain,
        )
    if all(kind is gk.SWORD for kind in kinds):
        return t("{names} lay a sword each on the altar.", names=everybody)
    return ""


def _glory(e: Event, who: str, t: Words) -> str:
    gain = t.tn("{n} point of glory", "{n} points of glory", e.points)
    if e.dolmen == gk.NOWHERE:
        if e.rule == "GK-5.4":
            return t("{who} has guards at all five dolmens and gains {gain}.", who=who, gain=gain)
        return t("{who} gains {gain}.", who=who, gain=gain)
    place = ROMAN[e.dolmen]
    if e.rule == "GK-5.1":
        return t("Dolmen {number}: {who}, alone with the most guards, gains {gain}.", number=place, who=who, gain=gain)
    if e.rule == "GK-5.2":
        return t("Dolmen {number}: {who}, the only one there, gains {gain}.", number=place, who=who, gain=gain)
    return t("Dolmen {number}: a tie for the most guards; {who} gains {gain}.", number=place, who=who, gain=gain)


def account(g: gk.GhostKnights, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
    """Where each point of glory came from, rule by rule."""
    titles = {
        "GK-1.4": t("The first space of the ring"),
        "GK-2.3": t("Guards posted for others"),
        "GK-3.1": t("Dolmen cards drawn"),
        "GK-5.1": t("Dolmens held with the most guards"),
        "GK-5.2": t("Dolmens held alone: double"),
        "GK-5.3": t("Dolmens with a tie for the most"),
        "GK-5.4": t("Guards at all five dolmens"),
    }
    sums = [{"GK-1.4": 1} for _ in g.knights]
    for e in events:
        if e.kind is gk.GLORY:
            sums[e.seat][e.rule] = sums[e.seat].get(e.rule, 0) + e.points
    return [[Line(rule, titles[rule], points[rule]) for rule in titles if rule in points] for points in sums]
