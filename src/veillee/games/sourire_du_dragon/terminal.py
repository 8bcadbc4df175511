"""The two rings as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.words import Words

STYLES = ("red", "blue", "green", "yellow", "magenta", "cyan")
FACES = ("", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅")
SQUARES = {
    "start": "[bold]⌂[/]",
    "yellow": "[yellow]·[/]",
    "green": "[green]♣[/]",
    "orange": "[bright_red]✕[/]",
    "whirlpool": "[cyan]@[/]",
    "arrow": "[bold green]➤[/]",
}


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    squares, cards = view["course"]["squares"], view["course"]["cards"]
    width = max(len(name) for name in names)
    characters = {character["key"]: t.name(character["name"]) for character in view["course"]["characters"]}
    lines = []
    for seat, hero in enumerate(view["heroes"]):
        turn = "▶" if seat in view["to_act"] else " "
        who = characters.get(hero["character"], "?")
        marks = [t("blocked")] * hero["blocked"] + [t("misses {n}", n=hero["lost"])] * (hero["lost"] > 0)
        held = ", ".join(t.name(cards[card]["name"]) for card in hero["cards"])
        place = t("square {n}, {name}", n=hero["square"], name=t.name(squares[hero["square"]]["name"]))
        line = f"{turn} [{STYLES[seat]}]{seat + 1} {names[seat]:<{width}}[/] {who}, {place}"
        lines.append(line + "".join(f" ({mark})" for mark in marks) + (f" – {held}" if held else ""))
    lines.append("")
    for ring, title in (("outer", t("Outer ring")), ("inner", t("Inner ring"))):
        lines.append(f"{title:<16}" + _ring(view, ring))
    lines.append("")
    pile = t("Cards in the pile: {pile}.", pile=view["pile"])
    if view["dice"]:
        faces = "  ".join(_die(die, t) for die in view["dice"])
        lines.append(t("Dice: {dice}", dice=faces))
    lines.append(pile)
    if view["odds"]:
        lines.append(_odds(view["odds"], t))
    return "\n".join(lines)


def _ring(view: dict[str, Any], ring: str) -> str:
    """Returns one sign for each square; a digit where a hero stands, a star for several."""
    signs = []
    for number, square in enumerate(view["course"]["squares"]):
        if square["ring"] != ring:
            continue
        here = [seat for seat, hero in enumerate(view["heroes"]) if hero["square"] == number]
        if len(here) == 1:
            signs.append(f"[reverse {STYLES[here[0]]}]{here[0] + 1}[/]")
        elif here:
            signs.append("[reverse]*[/]")
        else:
            signs.append(SQUARES.get(square["kind"], f"[bold]{square['number']}[/]"))
    return " ".join(signs)


def _die(die: dict[str, Any], t: Words) -> str:
    uses = {"move": t("moves"), "combat": t("fights"), "": t("ignored")}
    return f"{FACES[die['face']]} {die['face']} ({uses[die['for']]})"


def _odds(odds: dict[str, Any], t: Words) -> str:
    rows = [f"{FACES[face]} {odds['low'][face - 1]} % / {odds['high'][face - 1]} %" for face in range(1, 7)]
    return t("Low die / high die: {rows}", rows="   ".join(rows))
