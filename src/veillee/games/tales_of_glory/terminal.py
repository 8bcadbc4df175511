"""The central board and the zones as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veillee.games.tales_of_glory.words import offset_name
from veillee.words import Words

STYLES = {"place": "green", "monster": "red", "treasure": "yellow", "character": "cyan", "": "magenta"}
SYMBOLS = {"place": "⌂", "monster": "☠", "treasure": "◆", "character": "☺", "": "★"}
MARKS = {"open": "·", "key": "⚷", "gain": "+", "key gain": "⚷"}
NAME = 14  # letters of a tile's name that a zone shows


def draw(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    lines = [_heading(view, names, t), ""]
    lines += [_slot(slot, t) for slot in view["slots"]]
    lines.append("")
    width = max(len(name) for name in names)
    for seat, a in enumerate(view["adventurers"]):
        turn = "▶" if seat in view["to_act"] else " "
        taken = f" [{_name(a['taken'], t)}]" if a["taken"] else ""
        lines.append(f"{turn} {names[seat]:<{width}} {_numbers(a, t)}{_escape(taken)}")
    if view["seat"] >= 0:
        lines += ["", *_zone(view["adventurers"][view["seat"]]["field"]["tiles"], t)]
    for quest in view["hand"]:
        lines.append(t("In your hand: {quest}", quest=_tile(quest, t)))
    return "\n".join(lines)


def describe(view: dict[str, Any], names: Sequence[str], t: Words) -> list[str]:
    """The same in plain lines, without pictures: of the seat's own zone each tile with its place, counted from the
    hero."""
    lines = [_heading(view, names, t)]
    for slot in view["slots"]:
        wild = f" ({t('wild')})" if slot["wild"] else ""
        lines.append(f"{slot['slot']}{wild}: {'–' if slot['tile'] is None else _print(slot['tile'], t)}")
    for name, a in zip(names, view["adventurers"], strict=True):
        taken = f" [{t.name(a['taken']['names'])}]" if a["taken"] else ""
        lines.append(f"{name}: {_numbers(a, t)}{taken}")
    if view["seat"] >= 0:
        zone = view["adventurers"][view["seat"]]["field"]["tiles"]
        lines += [
            f"{offset_name(p['x'], p['y'], t)}: {t.name(p['print']['names'])}{_sides(p['print'], t)}" for p in zone
        ]
    return lines + [t("In your hand: {quest}", quest=_print(quest, t)) for quest in view["hand"]]


def _heading(view: dict[str, Any], names: Sequence[str], t: Words) -> str:
    return t(
        "Round {n} of {rounds}. First player: {who}. Tiles: {set}.",
        n=view["round"],
        rounds=view["rounds"],
        who=names[view["first"]],
        set=t.name(view["set"]["names"]),
    )


def _numbers(a: dict[str, Any], t: Words) -> str:
    return t(
        "Prestige {prestige}, coins {coins}, potions {potions}, combat {combat}, magic {magic}, keys {keys}, closed chests {closed}",
        prestige=a["prestige"],
        coins=a["coins"],
        potions=a["potions"],
        combat=a["combat"],
        magic=a["magic"],
        keys=a["keys"],
        closed=a["closed"],
    )


def _print(tile: dict[str, Any], t: Words) -> str:
    """A tile in words: type, name, price, gains, chests and connectors."""
    type_ = f"{_resource(tile['type'], t)} " if tile["type"] else ""
    gains = [_gains(tile["gains"], t)] if tile["gains"] else []
    gains += [f"{t('closed chest')}: {_gains(chest, t)}" for chest in tile["chests"]]
    said = "; ".join(gains)
    return f"{type_}{t.name(tile['names'])} ({_price(tile, t)}) {said}{_sides(tile, t)}"


def _sides(tile: dict[str, Any], t: Words) -> str:
    """The connectors of a tile: " [top key, left 2 coins]"."""
    names = {"top": t("top"), "right": t("right"), "bottom": t("bottom"), "left": t("left")}
    said = []
    for name, side in tile["sides"].items():
        wants = f" ({_resource(side['wants'], t)})" if side["wants"] else ""
        key = " " + t("key") if side["kind"].startswith("key") else ""
        gain = f" {_gains(side['gains'], t)}" if side["gains"] else ""
        said.append(f"{names[name]}{key}{gain}{wants}")
    return f" [{', '.join(said)}]"


def _escape(text: str) -> str:
    return text.replace("[", r"\[")


def _name(tile: dict[str, Any], t: Words) -> str:
    return f"{SYMBOLS[tile['type']]} {t.name(tile['names'])}"


def _slot(slot: dict[str, Any], t: Words) -> str:
    wild = t("wild") if slot["wild"] else ""
    tile = "–" if slot["tile"] is None else _tile(slot["tile"], t)
    return f"  {slot['slot']} {wild:<7} {tile}"


def _tile(tile: dict[str, Any], t: Words) -> str:
    style = STYLES[tile["type"]]
    sides = ", ".join(f"{_side(name, t)} {_connector(side, t)}" for name, side in tile["sides"].items())
    gains = _gains(tile["gains"], t)
    chests = "".join(f" ⊠ {_gains(chest, t)}" for chest in tile["chests"])
    return f"[{style}]{_name(tile, t)}[/] ({_price(tile, t)}) {gains}{chests} — {sides}"


def _price(tile: dict[str, Any], t: Words) -> str:
    return " + ".join(f"{n} {_resource(kind, t)}" for kind, n in tile["cost"]) or t("free")


def _side(name: str, t: Words) -> str:
    return {"top": "↑", "right": "→", "bottom": "↓", "left": "←"}[name]


def _connector(side: dict[str, Any], t: Words) -> str:
    if "gain" not in side["kind"]:
        return MARKS[side["kind"]]
    wants = f"{SYMBOLS[side['wants']]}: " if side["wants"] else ""
    return wants + _gains(side["gains"], t)


def _gains(gains: Sequence[dict[str, Any]], t: Words) -> str:
    return ", ".join(_gain(gain, t) for gain in gains)


def _gain(gain: dict[str, Any], t: Words) -> str:
    text = " + ".join(f"{n} {_resource(kind, t)}" for kind, n in gain["parts"])
    if gain["per"]:
        text += " × " + _resource(gain["per"], t)
    return t("end: {gain}", gain=text) if gain["end"] else text


def _resource(word: str, t: Words) -> str:
    return {
        "coins": t("coins"),
        "potions": t("potions"),
        "prestige": t("Prestige"),
        "combat": t("combat"),
        "magic": t("magic"),
        "key": t("key"),
        "first": t("first-player token"),
        "place": t("Place"),
        "monster": t("Monster"),
        "treasure": t("Treasure"),
        "character": t("Character"),
        "majority": t("majority"),
        "3 coins": t("3 coins"),
        "3 potions": t("3 potions"),
        "surrounded": t("tile with 4 neighbours"),
        "closed chest": t("closed chest"),
    }[word]


def _zone(zone: Sequence[dict[str, Any]], t: Words) -> list[str]:
    """The zone as a grid of names; marks on the sides: · a connector, ⚷ half a key, + a Place's gain."""
    at = {(place["x"], place["y"]): place for place in zone}
    xs = range(min(x for x, _ in at), max(x for x, _ in at) + 1)
    ys = range(min(y for _, y in at), max(y for _, y in at) + 1)
    lines = []
    for y in ys:
        rows = ["", "", ""]
        for x in xs:
            place = at.get((x, y))
            if place is None:
                rows = [row + " " * (NAME + 5) for row in rows]
                continue
            tile = place["print"]
            mark = {side: MARKS[data["kind"]] for side, data in tile["sides"].items()}
            name = _name(tile, t)[:NAME]
            rows[0] += f"╭{mark.get('top', '─'):─^{NAME + 2}}╮ "
            rows[1] += f"{mark.get('left', '│')} [{STYLES[tile['type']]}]{name:<{NAME}}[/] {mark.get('right', '│')} "
            rows[2] += f"╰{mark.get('bottom', '─'):─^{NAME + 2}}╯ "
        lines += rows
    return lines
