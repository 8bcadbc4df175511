"""The island as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.games.takara_island.content import SPECIALISTS, TILES
from veillee.games.takara_island.words import karas, tile_name
from veillee.words import Words

STYLES = ("red", "blue", "green", "yellow")
SYMBOLS = ("▲", "●", "■", "◆")
BACKS = {"shallow": "░", "intermediate": "▒", "deep": "▓"}
NUMBERS = {tile.id: i for i, tile in enumerate(TILES)}


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    lines = [line for seat in range(len(names)) for line in _team(view, seat, names, t)]
    lines.append("")
    for s, site in enumerate(view["sites"]):
        pile = "".join(BACKS[tile["level"]] for tile in site["tiles"])
        known = [
            f"{depth + 1}: {_face(tile, site, depth, t)}" for depth, tile in enumerate(site["tiles"]) if tile["tile"]
        ]
        lines.append(f"  {t('Site {site}', site=s + 1)}  {pile:<9}  {'  '.join(known)}".rstrip())
    lines.append("")
    port = ", ".join(
        f"{t.name(SPECIALISTS[i].name)} {'+' if s['cost'] is None else ''}{s['price']}"  # TI-8.6 on top of the copied one's
        for i, s in enumerate(view["specialists"])
        if s["holder"] < 0
    )
    lines.append(
        t("At the Port: {specialists}. XP tokens left: {tokens}.", specialists=port or "–", tokens=view["tokens"])
    )
    if view["dice"]:
        lines.append(t("Dice: {faces}", faces=" ".join("⚔" if face == "sword" else "✚" for face in view["dice"])))
    look = view["looking"]
    if look and look["tiles"] is not None:
        faces = "  ".join(f"{tile['above'] + 1}: {_name(tile['tile'], t)}" for tile in look["tiles"])
        lines.append(t("You look into site {site}: {faces}", site=look["site"] + 1, faces=faces))
    return "\n".join(lines)


def _name(tile: str, t: Words) -> str:
    return tile_name(NUMBERS[tile], t)


def _face(tile: dict[str, Any], site: dict[str, Any], depth: int, t: Words) -> str:
    """A known tile; in brackets what only you have seen."""
    name = _name(tile["tile"], t)
    if not tile["up"]:
        return f"({name})"
    return name + " ✗" * site["wounds"] if depth == 0 else name


def _team(view: dict[str, Any], seat: int, names: Sequence[str], t: Words) -> list[str]:
    team = view["teams"][seat]
    width = max(len(name) for name in names)
    turn = "▶" if seat == view["turn"] and not view["over"] else " "
    numbers = t(
        "{karas}, {xp} XP, adventurers ready {ready}, in hospital {hurt}, resting {rest}",
        karas=karas(team["karas"], t),
        xp=team["xp"],
        ready=team["ready"],
        hurt=team["hurt"],
        rest=team["rest"],
    )
    things = [_name(tile, t) for tile in team["won"]]
    if team["tokens"]:
        things.append(t.tn("{n} XP token", "{n} XP tokens", team["tokens"]))
    if seat == view["turn"] and view["sword"]:
        things.append(t("the Sword"))
    things += [t.name(SPECIALISTS[i].name) for i, s in enumerate(view["specialists"]) if s["holder"] == seat]
    head = f"{turn} [{STYLES[seat]}]{SYMBOLS[seat]} {names[seat]:<{width}}[/] {numbers}"
    return [head, f"    {', '.join(things)}"] if things else [head]
