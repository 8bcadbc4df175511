"""The two rings as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.words import Words

STYLES = ("red", "blue", "green", "yellow", "magenta", "cyan")
FACES = ("", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅")
AHEAD = 12  # squares that are described: no announced move reaches further in two turns
SQUARES = {
    "start": "[bold]⌂[/]",
    "yellow": "[yellow]·[/]",
    "green": "[green]♣[/]",
    "orange": "[bright_red]✕[/]",
    "whirlpool": "[cyan]@[/]",
    "arrow": "[bold green]➤[/]",
}


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    width = max(len(name) for name in names)
    lines = []
    for seat, name in enumerate(names):
        turn = "▶" if seat in view["to_act"] else " "
        lines.append(f"{turn} [{STYLES[seat]}]{seat + 1} {name:<{width}}[/] {_hero(view, seat, t)}")
    lines.append("")
    for ring, title in (("outer", t("Outer ring")), ("inner", t("Inner ring"))):
        lines.append(f"{title:<16}" + _ring(view, ring))
    lines.append("")
    return "\n".join(lines + _table(view, t, FACES))


def describe(view: dict[str, Any], names: Sequence[str], t: Words) -> list[str]:
    """The same in plain lines, without pictures: of the rings, the squares before the hero that is asked."""
    lines = [f"{name}: {_hero(view, seat, t)}" for seat, name in enumerate(names)]
    lines += [_ahead(view, seat, names[seat], t) for seat in view["to_act"]]
    return lines + _table(view, t, [""] * len(FACES))


def _ahead(view: dict[str, Any], seat: int, name: str, t: Words) -> str:
    """The next squares of the hero's ring."""
    squares, here = view["course"]["squares"], view["heroes"][seat]["square"]
    kinds = {"yellow": t("yellow"), "green": t("green"), "orange": t("orange"), "arrow": t("green, arrow")}
    said = []
    for number in range(here + 1, min(here + 1 + AHEAD, len(squares))):
        square = squares[number]
        if square["ring"] != squares[here]["ring"]:
            break
        mark = f"{square['number']}+" if square["number"] else kinds.get(square["kind"], "")
        said.append(f"{number} {t.name(square['name'])}" + (f" ({mark})" if mark else ""))
    return t("Before {name}: {squares}", name=name, squares=", ".join(said) or "–")


def _hero(view: dict[str, Any], seat: int, t: Words) -> str:
    """Character, square and cards of a hero."""
    squares, cards, hero = view["course"]["squares"], view["course"]["cards"], view["heroes"][seat]
    characters = {character["key"]: t.name(character["name"]) for character in view["course"]["characters"]}
    marks = [t("blocked")] * hero["blocked"] + [t("misses {n}", n=hero["lost"])] * (hero["lost"] > 0)
    held = ", ".join(t.name(cards[card]["name"]) for card in hero["cards"])
    place = t("square {n}, {name}", n=hero["square"], name=t.name(squares[hero["square"]]["name"]))
    said = f"{characters.get(hero['character'], '?')}, {place}" + "".join(f" ({mark})" for mark in marks)
    return said + (f" – {held}" if held else "")


def _table(view: dict[str, Any], t: Words, pictures: Sequence[str]) -> list[str]:
    """Dice, pile and odds. pictures: of the faces of a die."""
    lines = []
    pile = t("Cards in the pile: {pile}.", pile=view["pile"])
    if view["dice"]:
        faces = "  ".join(_die(die, t, pictures) for die in view["dice"])
        lines.append(t("Dice: {dice}", dice=faces))
    lines.append(pile)
    if view["odds"]:
        lines.append(_odds(view["odds"], t, pictures))
    return lines


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


def _die(die: dict[str, Any], t: Words, pictures: Sequence[str]) -> str:
    uses = {"move": t("moves"), "combat": t("fights"), "": t("ignored")}
    return f"{pictures[die['face']]} {die['face']} ({uses[die['for']]})".lstrip()


def _odds(odds: dict[str, Any], t: Words, pictures: Sequence[str]) -> str:
    rows = [
        f"{pictures[face] or f'{face}:'} {odds['low'][face - 1]} % / {odds['high'][face - 1]} %" for face in range(1, 7)
    ]
    return t("Low die / high die: {rows}", rows="   ".join(rows))
