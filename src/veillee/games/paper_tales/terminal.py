"""The kingdoms as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.games.paper_tales import content
from veillee.games.paper_tales.words import building, unit
from veillee.words import Words

STYLES = ("red", "blue", "green", "yellow", "magenta")


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    lines = [_heading(view, t), ""]
    for seat, realm in enumerate(view["realms"]):
        head, *rows = _kingdom(realm, t, "◷")
        turn = "▶" if seat in view["to_act"] else " "
        lines += [f"{turn} [{STYLES[seat]}]{names[seat]}[/] {head}", *(f"    {row}" for row in rows)]
    mine = view["mine"]
    if mine is not None:
        lines += _cards(mine, t)
    return "\n".join(lines)


def describe(view: dict[str, Any], names: Sequence[str], t: Words) -> list[str]:
    """The same in plain lines, without pictures: an asterisk stands for each age token of a unit."""
    lines = [_heading(view, t)]
    for name, realm in zip(names, view["realms"], strict=True):
        head, *rows = _kingdom(realm, t, "*")
        lines += [f"{name}: {head}", f"  {'; '.join(rows)}"]
    return lines + (_cards(view["mine"], t) if view["mine"] is not None else [])


def _heading(view: dict[str, Any], t: Words) -> str:
    turn = t("Turn {n} of {turns}.", n=view["turn"], turns=view["turns"])
    way = t("Packs go to the left.") if view["passes_to"] == "left" else t("Packs go to the right.")
    return f"{turn} {way} " + t("Cards left: {pile}.", pile=view["pile"])


def _kingdom(realm: dict[str, Any], t: Words, token: str) -> list[str]:
    """The figures of a kingdom, its rows and its buildings. token: how an age token is written."""
    lines = [
        t(
            "legend {legend}, gold {gold}, strength {strength}, wood {wood}, food {food}, crystal {crystal}, cards {cards}",
            **{key: realm[key] for key in ("legend", "gold", "strength", "wood", "food", "crystal", "cards")},
        )
    ]
    for row, title in (("front", t("front")), ("back", t("back"))):
        units = [f"{unit(u['kind'], t)} {u['power']}{token * u['age']}" for u in realm["units"] if u["row"] == row]
        lines.append(f"{title}: {', '.join(units) or '–'}")
    built = [f"{building(b, t)} {'I' * level}" for b, level in enumerate(realm["levels"]) if level]
    lines.append(t("buildings: {list}", list=", ".join(built) or "–"))
    return lines


def _cards(mine: dict[str, Any], t: Words) -> list[str]:
    lines = []
    deployment = mine["deployment"]
    if mine["packet"]:
        lines.append(t("To choose from: {cards}", cards=", ".join(_card(kind, t) for kind in mine["packet"])))
    if deployment is not None:
        cards = [thing["kind"] for thing in deployment["things"] if not thing["old"]]
        lines.append(t("Your hand: {cards}", cards=", ".join(_card(kind, t) for kind in cards)))
        lines.append(t("Gold left: {purse}.", purse=deployment["purse"]))
        return lines
    if mine["kept"]:
        lines.append(t("Kept: {cards}", cards=", ".join(_card(kind, t) for kind in mine["kept"])))
    if mine["saved"] is not None:
        lines.append(t("Saved: {card}", card=_card(mine["saved"], t)))
    return lines


def _card(kind: int, t: Words) -> str:
    """A card with its cost and strength: "Knight (1 gold, 4)"."""
    card = content.UNITS[kind]
    return t("{unit} ({cost} gold, strength {strength})", unit=unit(kind, t), cost=card.cost, strength=card.strength)
