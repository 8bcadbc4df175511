"""The stone circle as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.markup import escape

from veillee.games.ghost_knights.words import ROMAN, colour
from veillee.words import Words

STYLES = ("bright_white", "bright_blue", "green", "yellow", "red", "magenta")
SYMBOLS = ("☾", "♦", "♣", "☼", "▲", "●")  # a symbol with each colour, for players who cannot tell the colours apart
NAMES = ("white", "blue", "green", "yellow", "red", "black")


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    cards = _cards(view, t, _card)
    if view["hand"] is not None:
        cards[-1] = f"[bold]{cards[-1]}[/]"
    return "\n".join([*_knights(view, names, t), "", *_dolmens(view, t), "", *cards])


def describe(view: dict[str, Any], names: Sequence[str], t: Words) -> list[str]:
    """The same in plain lines, without pictures."""
    lines = []
    for seat, k in enumerate(view["knights"]):
        numbers = (k["glory"], k["reserve"], k["altar"], k["swords"], k["cards"])
        row = ", ".join(f"{title} {number}" for title, number in zip(_titles(t), numbers, strict=True))
        gone = ", " + t("out of the tournament") if _is_out(view, k) else ""
        lines.append(f"{names[seat]} ({colour(seat, t)}): {row}{gone}")
    for dolmen, guards in enumerate(view["dolmens"]):
        stacks = ", ".join(f"{colour(seat, t)} {n}" for seat, n in enumerate(guards) if n)
        lines.append(f"{t('Dolmen {number}', number=ROMAN[dolmen])}: {stacks or '–'}")
    return lines + _cards(view, t, colour)


def _titles(t: Words) -> tuple[str, ...]:
    return t("Glory"), t("Reserve"), t("Altar"), t("Swords left"), t("Cards")


def _is_out(view: dict[str, Any], knight: dict[str, Any]) -> bool:
    """Whether the knight takes no part in the tournament that is being fought."""
    return bool(view["fighting"] and not knight["fights"])


def _knights(view: dict[str, Any], names: Sequence[str], t: Words) -> list[str]:
    titles = _titles(t)
    width = max(len(name) for name in names)
    lines = ["[dim]" + " " * (width + 5) + "  ".join(titles) + "[/]"]
    for seat, k in enumerate(view["knights"]):
        numbers = (k["glory"], k["reserve"], k["altar"], k["swords"], k["cards"])
        columns = "  ".join(f"{number:>{len(title)}}" for number, title in zip(numbers, titles, strict=True))
        turn = "▶" if seat in view["to_act"] else " "
        name = escape(names[seat]) + " " * (width - len(names[seat]))
        gone = "  " + t("out of the tournament") if _is_out(view, k) else ""
        lines.append(f"{turn} [{STYLES[seat]}]{SYMBOLS[seat]} {name}[/] {columns}{gone}")
    return lines


def _dolmens(view: dict[str, Any], t: Words) -> list[str]:
    lines = []
    for dolmen, guards in enumerate(view["dolmens"]):
        stacks = "   ".join(f"[{STYLES[seat]}]{SYMBOLS[seat] * n}[/] {n}" for seat, n in enumerate(guards) if n)
        title = t("Dolmen {number}", number=ROMAN[dolmen])
        lines.append(f"  {title:<11} {stacks or '–'}")
    return lines


def _cards(view: dict[str, Any], t: Words, card: Callable[[int, Words], str]) -> list[str]:
    """The piles, and the hand last. card: how a card is written."""
    lines = [
        t(
            "Tournaments: {n} of {all}. Draw pile: {pile} cards (dolmen cards: {upper} + {lower}).",
            n=view["tournament"],
            all=view["tournaments"],
            pile=view["pile"],
            upper=view["upper_dolmen_cards"],
            lower=view["lower_dolmen_cards"],
        ),
        t("Discarded: {cards}", cards=_fan(view["discards"], t, card)),
    ]
    if view["common"] is not None:
        lines.append(t("Everyone's own colour: {colour}", colour=card(NAMES.index(view["common"]), t)))
    if view["hand"] is not None:
        lines.append(t("Your hand: {cards}", cards=_fan(view["hand"], t, card)))
    return lines


def _card(card: int, t: Words) -> str:
    return f"[{STYLES[card]}]{SYMBOLS[card]} {colour(card, t)}[/]"


def _fan(cards: Sequence[int], t: Words, card: Callable[[int, Words], str]) -> str:
    return "  ".join(f"{card(number, t)} ×{n}" for number, n in enumerate(cards) if n) or "–"
