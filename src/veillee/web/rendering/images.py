"""Images for link previews (a table from above) and icons. Drawn as SVG from our own covers and symbols, and converted
to PNG by resvg (ADR 18)."""

from __future__ import annotations

import json
import math
import re
import struct
import subprocess
import sys
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from markupsafe import Markup

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.house.profile import DEFAULT_NAME
from veillee.web.rendering.templates import STATIC, board_folder, cover, environment

SIZE = (1200, 630)  # every chat shows this size without cropping
FONTS = [str(STATIC / "fonts" / name) for name in ("source-serif-900.otf", "source-sans-600.otf")]
LATIN = re.compile(r"[\u0020-\u017f\u2010-\u2026\u20ac]*")  # the characters of these fonts
WIDE, NARROW = "MWmw@%&", "iljtf .,'’-!|I"  # letters of a house's name
MAX_NAME_CHARACTERS = 16  # letters of a name on a picture
RENDER_TIMEOUT_SECONDS = 30.0  # seconds
# resvg holds the GIL for 0.2 s: it runs in a process of its own, of low priority.
DRAW = (
    sys.executable,
    "-P",
    "-c",
    "import json, os, sys, resvg_py; getattr(os, 'nice', int)(10); sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(**json.load(sys.stdin))))",
)
COLOUR = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{3,6})")


@dataclass(frozen=True)
class SeatImage:
    """One seat as it is drawn: public information only."""

    colour: str
    name: str
    kind: str
    score: str = ""
    wins: bool = False


@dataclass(frozen=True)
class PlacedImage:
    """A seat with its position round the table."""

    x: float
    y: float
    chair: SeatImage
    name: str
    fill: str
    on: str
    symbol: Markup


@lru_cache(32)
def picture(
    games: tuple[str, ...], lang: str, line: str = "", chairs: tuple[SeatImage, ...] = (), house: str = DEFAULT_NAME
) -> bytes:
    """Returns a PNG of the boxes and, if there is a table, of the seats round it, under the name of the house."""
    return png(preview_svg(games, lang, line, chairs, house))


def preview_svg(
    games: tuple[str, ...], lang: str, line: str = "", chairs: tuple[SeatImage, ...] = (), house: str = DEFAULT_NAME
) -> str:
    """Returns the same as SVG."""
    boxes = [BOXES[game] for game in games]
    values = {
        "boxes": [Cover(box, lang) for box in boxes],
        "line": line,
        "house": house,
        "house_width": estimate_width(house),
        "chairs": around(chairs),
        "fire": symbol("fire"),
        "crown": symbol("crown"),
    }
    return environment(lang).get_template("picture.svg").render(values)


class Cover:
    """The cover of a box as it is drawn."""

    def __init__(self, box: Box, lang: str) -> None:
        self.title = box.title[lang]
        self.lines = wrap_words(self.title, 15)
        self.pitch = wrap_words(box.pitch[lang], 34)
        self.deep = colours(board_folder(box) / "palette.css").get("deep", "#3a2414")
        self.pale = colours(board_folder(box) / "palette.css").get("pale", "#f3e0bd")
        self.art = cover(box)


def around(chairs: tuple[SeatImage, ...]) -> list[PlacedImage]:
    """Returns the chairs with their positions round the table, the first one nearest, sorted from back to front."""
    palette = colours(STATIC / "tokens.css")
    found = []
    for n, chair in enumerate(chairs):
        angle = math.pi / 2 + 2 * math.pi * n / len(chairs)
        shown = (
            chair.name
            if len(chair.name) <= MAX_NAME_CHARACTERS
            else chair.name[: MAX_NAME_CHARACTERS - 1].rstrip() + "…"
        )
        found.append(
            PlacedImage(
                round(270 * math.cos(angle), 1),
                round(140 * math.sin(angle), 1),
                chair,
                shown,
                palette[chair.colour],
                palette[f"on-{chair.colour}"],
                symbol(f"sym-{chair.colour}"),
            )
        )
    return sorted(found, key=lambda seat: seat.y)


def estimate_width(text: str) -> float:
    """Returns about how wide the text is in the heavy font, in heights of it."""
    return sum(0.98 if c in WIDE else 0.31 if c in NARROW else 0.68 if c.isupper() else 0.5 for c in text)


def wrap_words(text: str, most: int) -> list[str]:
    """Breaks the text into lines of at most so many letters."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


@cache
def colours(sheet: Path) -> dict[str, str]:
    """Returns the plain colours that a style sheet defines: pictures have no style sheets."""
    return dict(COLOUR.findall(sheet.read_text("utf-8"))) if sheet.exists() else {}


@cache
def symbol(name: str) -> Markup:
    """Returns the content of one of the house's icons (24 by 24)."""
    text = (STATIC / "icons.svg").read_text("utf-8")
    found = re.search(rf'<symbol id="{name}"[^>]*>(.*?)</symbol>', text, re.DOTALL)
    assert found, f"icons.svg has no {name}"
    return Markup(found[1])  # noqa: S704 - our own drawing


def png(svg: str, size: tuple[int, int] = SIZE) -> bytes:
    svg = svg.replace("\N{NON-BREAKING HYPHEN}", "-")
    ours = LATIN.fullmatch("".join(re.sub(r"<[^>]*>", "", svg).split()))  # otherwise the system's fonts may be used
    asked = {"svg_string": svg, "width": size[0], "height": size[1], "font_files": FONTS}
    data = json.dumps(asked | {"skip_system_fonts": ours is not None}).encode()
    done = subprocess.run(DRAW, input=data, capture_output=True, check=True, timeout=RENDER_TIMEOUT_SECONDS)  # noqa: S603 - ours
    return done.stdout


# -- icons ------------------------------------------------------------------------------------------------------------
@cache
def icon(size: int, *, ground: bool) -> bytes:
    """Returns the fire as PNG; `ground`: on a full background, for systems that crop icons to their own shape."""
    fire = (STATIC / "favicon.svg").read_text("utf-8")
    if ground:
        inner = re.sub(
            r"<svg ", '<svg x="6" y="5.6" ', fire.replace("viewBox", 'width="24" height="24" viewBox'), count=1
        )
        fire = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><rect width="36" height="36" fill="#2a1a10"/>{inner}</svg>'
    return png(fire, (size, size))


@cache
def ico() -> bytes:
    """Returns favicon.ico, which old programs ask for: one PNG in an ICO container."""
    inner = icon(48, ground=False)
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, 48, 48, 0, 0, 1, 32, len(inner), 22) + inner
