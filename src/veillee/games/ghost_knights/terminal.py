"""The stone circle as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from veillee.games.ghost_knights.words import ROMAN, colour
from veillee.words import Words

STYLES = ("bright_white", "bright_blue", "green", "yellow", "red", "magenta")
SYMBOLS = ("☾", "♦", "♣", "☼", "▲", "●")  # a symbol with each colour, for players who cannot tell the colours apart
NAMES = ("white", "blue", "green", "yellow", "red", "black")


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    return "\n".join([*_knights(view, names, t), "", *_dolmens(view, t), "", *_cards(view, t)])


def _knights(view: dict[str, Any], names: Sequence[str], t: Words) -> list[str]:
    titles = (t("Glory"), t("Reserve"), t("Altar"), t("Swords left"), t("Cards"))
    width = max(len(name) for name in names)
    lines = ["[dim]" + " " * (width + 5) + "  ".join(titles) + "[/]"]
    for seat, k in enumerate(view["knights"]):
        numbers = (k["glory"], k["reserve"], k["altar"], k["swords"], k["cards"])
        columns = "  ".join(f"{number:>{len(title)}}" for number, title in zip(numbers, titles, strict=True))
        turn = "▶" if seat in view["to_act"] else " "
        name = escape(names[seat]) + " " * (width - len(names[seat]))
        gone = "  " + t("out of the tournament") if view["fighting"] and not k["fights"] else ""
        lines.append(f"{turn} [{STYLES[seat]}]{SYMBOLS[seat]} {name}[/] {columns}{gone}")
    return lines


def _dolmens(view: dict[str, Any], t: Words) -> list[str]:
    lines = []
    for dolmen, guards in enumerate(view["dolmens"]):
        stacks = "   ".join(f"[{STYLES[seat]}]{SYMBOLS[seat] * n}[/] {n}" for seat, n in enumerate(guards) if n)
        title = t("Dolmen {number}", number=ROMAN[dolmen])
        lines.append(f"  {title:<11} {stacks or '–'}")
    return lines


def _cards(view: dict[str, Any], t: Words) -> list[str]:
    lines = [
        t(
            "Tournaments: {n} of {all}. Draw pile: {pile} cards (dolmen cards: {upper} + {lower}).",
            n=view["tournament"],
            all=view["tournaments"],
            pile=view["pile"],
            upper=view["upper_dolmen_cards"],
            lower=view["lower_dolmen_cards"],
        ),
        t("Discarded: {cards}", cards=_fan(view["discards"], t)),
    ]
    if view["common"] is not None:
        lines.append(t("Everyone's own colour: {colour}", colour=_card(NAMES.index(view["common"]), t)))
    if view["hand"] is not None:
        lines.append("[bold]" + t("Your hand: {cards}", cards=_fan(view["hand"], t)) + "[/]")
    return lines


def _card(card: int, t: Words) -> str:
    return f"[{STYLES[card]}]{SYMBOLS[card]} {colour(card, t)}[/]"


def _fan(cards: Sequence[int], t: Words) -> str:
    return "  ".join(f"{_card(card, t)} ×{n}" for card, n in enumerate(cards) if n) or "–"
