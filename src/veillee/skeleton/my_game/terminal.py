"""The table as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from veillee.words import Words


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    """The `view` of one seat, as lines with rich's markup: text typed by players is escaped."""
    lines = [t.tn("{n} card in the pile", "{n} cards in the pile", view["pile"])]
    width = max(len(name) for name in names)
    for seat, player in enumerate(view["players"]):
        turn = "▶" if seat in view["to_act"] else " "
        row = "  ".join(f"{card:>2}" for card in player["row"])
        lines.append(f"{turn} {escape(names[seat].ljust(width))}  {'▮' * player['cards']:<8} [bold]{row}[/]")
    if view["mine"]:
        lines.append(t("Your hand: {cards}", cards=", ".join(map(str, view["mine"]))))
    return "\n".join(lines)
