"""Words of My Game: choices, questions, reasons, log and final account."""

from __future__ import annotations

from collections.abc import Sequence

from my_game import rules
from veillee.games.box import Line, Wordless
from veillee.kernel.log import END, Event
from veillee.words import Words


def label(g: rules.MyGame, seat: int, action: int, t: Words) -> str:
    verb, args = g.choice(action)
    return t("Draw a card") if verb == "draw" else t("Lay the {card}", card=args["card"])


def question(g: rules.MyGame, seat: int, t: Words) -> tuple[str, str]:
    return t("Draw a card, or lay one?"), "MG-2.1"


def why(g: rules.MyGame, seat: int, action: int, rule: str, t: Words) -> str:
    card, player = action - rules.LAY, g.players[seat]
    if card not in player.hand:
        return t("You do not hold the {card}.", card=card)
    return t("Your row ends with the {top}: only a higher card may follow.", top=player.top())


def event(e: Event, names: Sequence[str], t: Words) -> str:
    who = names[e.seat] if e.seat >= 0 else ""
    if e.kind is rules.FIRST:
        return t("{who} begins.", who=who)
    if e.kind is rules.DREW:
        return t("{who} draws a card.", who=who)
    if e.kind is rules.GOT:
        return t("In secret: you get the {card}.", card=e.card)
    if e.kind is rules.LAID:
        return t("{who} lays the {card}.", who=who, card=e.card)
    if e.kind is rules.LEFT:
        return t("{who} has the {card} left.", who=who, card=e.card)
    if e.kind is END:
        return t("The pile is empty: the game is over.")
    raise Wordless(e)


def account(g: rules.MyGame, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
    return [
        [
            Line("MG-3.2", t("Cards in the row"), len(player.row)),
            Line("MG-3.2", t("Cards left in hand"), -len(player.hand)),
        ]
        for player in g.players
    ]
