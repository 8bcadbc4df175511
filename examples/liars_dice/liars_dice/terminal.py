"""The cups as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape

from liars_dice.words import bid
from veillee.words import Words


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    lines = [t("Round {n}, {dice} dice on the table.", n=view["round"], dice=view["dice"])]
    width = max(len(name) for name in names)
    for seat, player in enumerate(view["players"]):
        turn = "▶" if seat in view["to_act"] else " "
        cup = "■ " * player["dice"] if player["dice"] else t("out")
        lines.append(f"{turn} {escape(names[seat])}{' ' * (width - len(names[seat]))}  {cup}")
    if view["bid"] is not None:
        who = names[view["bid"]["seat"]]
        said = bid(view["bid"]["count"], view["bid"]["face"], t)
        lines.append(t("{who} bids {bid}.", who=escape(who), bid=said))
    if view["mine"]:
        lines.append("[bold]" + t("Your dice: {dice}", dice=" ".join(map(str, view["mine"]))) + "[/]")
    return "\n".join(lines)
