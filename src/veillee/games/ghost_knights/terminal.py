"""The stone circle as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.games.ghost_knights.words import ROMAN, colour
from veillee.words import Words

STYLES = ("white", "blue", "green", "yellow", "red", "magenta")
SYMBOLS = ("☾", "♦", "♣", "☼", "▲", "●")


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    lines = []
    width = max(len(name) for name in names)
    for seat, k in enumerate(view["knights"]):
        turn = "▶" if seat in view["to_act"] else " "
        numbers = t(
            "glory {glory}, guards in reserve {reserve}, swords on the altar {altar} (+{swords}), cards {cards}",
            glory=k["glory"],
            reserve=k["reserve"],
            altar=k["altar"],
            swords=k["swords"],
            cards=k["cards"],
        )
        lines.append(f"{turn} [{STYLES[seat]}]{SYMBOLS[seat]} {names[seat]:<{width}}[/] {numbers}")
    lines.append("")
    for dolmen, guards in enumerate(view["dolmens"]):
        stacks = "  ".join(f"[{STYLES[s]}]{SYMBOLS[s] * n} {n}[/]" for s, n in enumerate(guards) if n)
        lines.append(f"  {ROMAN[dolmen]:>4}  {stacks or '–'}")
    lines.append("")
    lines.append(t("Cards left: {pile}. Tournaments so far: {n} of 4.", pile=view["pile"], n=view["tournament"]))
    if view["hand"] is not None:
        cards = "  ".join(f"[{STYLES[c]}]{SYMBOLS[c]} {colour(c, t)} ×{n}[/]" for c, n in enumerate(view["hand"]) if n)
        lines.append(t("Your hand: {cards}", cards=cards or "–"))
    return "\n".join(lines)
