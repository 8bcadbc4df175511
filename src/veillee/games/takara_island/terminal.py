"""The island as text."""

from __future__ import annotations

from collections import Counter
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
        known = _faces(site, " ✗" * site["wounds"], t)
        lines.append(f"  {t('Site {site}', site=s + 1)}  {pile:<9}  {'  '.join(known)}".rstrip())
    return "\n".join([*lines, "", *_island(view, t, "⚔✚")])


def describe(view: dict[str, Any], names: Sequence[str], t: Words) -> list[str]:
    """The same in plain lines, without pictures."""
    lines = []
    for seat, name in enumerate(names):
        things = _things(view, seat, t)
        lines.append(f"{name}: {_numbers(view, seat, t)}" + (f"; {', '.join(things)}" if things else ""))
    lines += [_site(site, number, t) for number, site in enumerate(view["sites"])]
    return lines + _island(view, t, (t("sword"), t("hospital")))


def _site(site: dict[str, Any], number: int, t: Words) -> str:
    """A site from the top downwards: how many tiles of each level, and those that are known."""
    names = {"shallow": t("shallow"), "intermediate": t("intermediate"), "deep": t("deep")}
    count = Counter(tile["level"] for tile in site["tiles"])
    pile = ", ".join(f"{names[level]} {count[level]}" for level in BACKS if count[level])
    wounds = f", {t.tn('{n} wound', '{n} wounds', site['wounds'])}" if site["wounds"] else ""
    return "; ".join([f"{t('Site {site}', site=number + 1)}: {pile or '–'}", *_faces(site, wounds, t)])


def _island(view: dict[str, Any], t: Words, faces: Sequence[str]) -> list[str]:
    """The Port, the dice, and the look that is going on. faces: of a die, the sword first."""
    lines = []
    port = ", ".join(
        f"{t.name(SPECIALISTS[i].name)} {'+' if s['cost'] is None else ''}{s['price']}"  # TI-8.6 on top of the copied one's
        for i, s in enumerate(view["specialists"])
        if s["holder"] < 0
    )
    lines.append(
        t("At the Port: {specialists}. XP tokens left: {tokens}.", specialists=port or "–", tokens=view["tokens"])
    )
    if view["dice"]:
        lines.append(t("Dice: {faces}", faces=" ".join(faces[face != "sword"] for face in view["dice"])))
    look = view["looking"]
    if look and look["tiles"] is not None:
        seen = "  ".join(f"{tile['above'] + 1}: {_name(tile['tile'], t)}" for tile in look["tiles"])
        lines.append(t("You look into site {site}: {faces}", site=look["site"] + 1, faces=seen))
    return lines


def _name(tile: str, t: Words) -> str:
    return tile_name(NUMBERS[tile], t)


def _faces(site: dict[str, Any], wounds: str, t: Words) -> list[str]:
    """The known tiles of a site with their depth; in brackets what only you have seen. wounds: of the monster on top."""
    faces = []
    for depth, tile in enumerate(site["tiles"]):
        if tile["tile"]:
            name = _name(tile["tile"], t)
            face = name + (wounds if depth == 0 else "") if tile["up"] else f"({name})"
            faces.append(f"{depth + 1}: {face}")
    return faces


def _team(view: dict[str, Any], seat: int, names: Sequence[str], t: Words) -> list[str]:
    width = max(len(name) for name in names)
    turn = "▶" if seat == view["turn"] and not view["over"] else " "
    head = f"{turn} [{STYLES[seat]}]{SYMBOLS[seat]} {names[seat]:<{width}}[/] {_numbers(view, seat, t)}"
    things = _things(view, seat, t)
    return [head, f"    {', '.join(things)}"] if things else [head]


def _numbers(view: dict[str, Any], seat: int, t: Words) -> str:
    team = view["teams"][seat]
    return t(
        "{karas}, {xp} XP, adventurers ready {ready}, in hospital {hurt}, resting {rest}",
        karas=karas(team["karas"], t),
        xp=team["xp"],
        ready=team["ready"],
        hurt=team["hurt"],
        rest=team["rest"],
    )


def _things(view: dict[str, Any], seat: int, t: Words) -> list[str]:
    """What a team holds: tiles, tokens, the Sword, specialists."""
    team = view["teams"][seat]
    things = [_name(tile, t) for tile in team["won"]]
    if team["tokens"]:
        things.append(t.tn("{n} XP token", "{n} XP tokens", team["tokens"]))
    if seat == view["turn"] and view["sword"]:
        things.append(t("the Sword"))
    return things + [t.name(SPECIALISTS[i].name) for i, s in enumerate(view["specialists"]) if s["holder"] == seat]
