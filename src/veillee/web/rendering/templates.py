"""Jinja environments: one per language and box, so that t("…") uses the words of that box and of the house."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import jinja2
from jinja2.ext import Extension
from litestar import MediaType, Response
from markupsafe import Markup

from veillee.bots.levels import strength_of
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.games.first_game import first_game
from veillee.match.puzzles import puzzles
from veillee.web.rendering.jinja_compiler import LeanCodeGenerator, to_text
from veillee.web.rendering.level_names import level_name, strength_name
from veillee.web.rendering.part_cache import CachedTemplate, NamesRead, cache_macro, names_read
from veillee.words import LANGUAGES, Words, sentences, words

HERE = Path(__file__).parents[1]
STATIC = HERE / "static"
INDENTED = re.compile(r"(?P<tag>[%#]})?\s*\n(?P<indent>\s*)")
PREFORMATTED = re.compile(r"(<pre.*?</pre>)", re.DOTALL)


class Standalone:
    """Whether this process is a house in a browser page (veillee/page), where no other device can be reached.

    base: path of the folder that the page is served from, without the last slash. compiled_templates: those that the
    page was built with. names_read: what the build has read from the sources of templates (part_cache.names_read).
    """

    is_on = False
    base = ""
    compiled_templates: jinja2.BytecodeCache | None = None
    names_read: Callable[[jinja2.Environment, str], NamesRead] | None = None


STANDALONE = Standalone()
t = sentences(HERE / "locale")  # translated when the reader is known; house_words(lang) translates at once


@cache
def translator(lang: str) -> Words:
    return words(HERE / "locale", lang)


@cache
def box_translator(box: Box, lang: str) -> Words:
    """Returns the box's translations, and the house's where the box has none."""
    return Words(lang, {**translator(lang).catalogue, **box.words(lang).catalogue})


@cache
def fingerprint(folder: Path) -> str:
    """Returns a hash that changes with the files of the folder: browsers may cache addresses that carry it for ever."""
    digest = sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            stat = file.stat()
            digest.update(f"{file.name} {stat.st_mtime_ns} {stat.st_size}\n".encode())
    return digest.hexdigest()[:8]


def asset(name: str) -> str:
    """Returns the address of one of the house's files."""
    return f"/static/{name}?{fingerprint(STATIC)}"


def board_folder(box: Box) -> Path:
    return box.folder / "board"


def board_asset(box: Box, name: str) -> str:
    """Returns the address of a file of the box's board. Short: a board repeats it a hundred times."""
    return f"/boards/{box.code}/{name}?{fingerprint(board_folder(box))}"


def content_of(box: Box) -> dict[str, Any]:
    """Returns the facts of a box that its board may print: BOARD of its content.py, if it has one."""
    try:
        module = import_module(f"{box.package}.content")
    except ModuleNotFoundError:
        return {}
    facts: dict[str, Any] = getattr(module, "BOARD", {})
    return facts


def cover(box: Box) -> Markup:
    """Returns the picture on the box."""
    file = board_folder(box) / "cover.svg"
    return Markup(file.read_text("utf-8") if file.exists() else "")  # noqa: S704 - our own picture


@cache
def palette_sheet() -> str:
    """Returns the colours of all boxes, as one style sheet."""
    files = (board_folder(box) / "palette.css" for box in BOXES.values())
    return "".join(file.read_text("utf-8") for file in files if file.exists())


def palettes() -> str:
    """Returns the address of that style sheet."""
    return f"/boards/palettes.css?{sha256(palette_sheet().encode()).hexdigest()[:10]}"


class StripIndentation(Extension):
    """Jinja extension that removes the indentation of templates, half of a part's bytes."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        text, *rest = PREFORMATTED.split(source)
        kept = [INDENTED.sub(_one_space, text)]
        for pre, after in zip(rest[::2], rest[1::2], strict=True):
            kept += [pre, INDENTED.sub(_one_space, after)]
        return "".join(kept)


def _one_space(gap: re.Match[str]) -> str:
    """Replaces a line break by a space, which is shorter in a stream, where every line has a prefix. After a Jinja tag
    the line break stays, as Jinja drops it, and the next line's indentation becomes one space."""
    return f"{gap['tag']}\n{' ' if gap['indent'] else ''}" if gap["tag"] else " "


class Environment(jinja2.Environment):
    """Jinja environment for templates whose values are mostly dicts; it caches its templates and sheets."""

    code_generator_class = LeanCodeGenerator
    printed = staticmethod(to_text)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.sheets: dict[str, CachedTemplate] = {}
        self.ready: dict[str, jinja2.Template] = {}

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Reads `v.teams` as v["teams"]: keys of a dict are tried before attributes."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)

    def get_template(self, name: Any, parent: str | None = None, globals: Any = None) -> jinja2.Template:  # noqa: A002
        """Returns the template from the cache: every import asks for it."""
        found = self.ready.get(name)
        if found is None:
            found = self.ready[name] = super().get_template(name, parent, globals)
        return found

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Returns the globals of a template as a plain dict: every import asks for them."""
        return {**self.globals, **(d or {})}

    def sheet(self, name: str) -> CachedTemplate:
        """Returns the sheet (cached template) of a part."""
        found = self.sheets.get(name)
        if found is None:
            read = (STANDALONE.names_read or names_read)(self, name)
            found = self.sheets[name] = CachedTemplate(self, name, read)
        return found


@cache
def environment(lang: str, box: Box | None = None) -> Environment:
    """Returns the environment, made once; `box` adds its templates under `board/` and its words."""
    loaders: dict[str, jinja2.BaseLoader] = {}
    if box is not None:
        loaders["board"] = jinja2.FileSystemLoader(board_folder(box))
    house = jinja2.FileSystemLoader(HERE / "templates")
    env = Environment(
        loader=jinja2.ChoiceLoader([jinja2.PrefixLoader(loaders), house]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=STANDALONE.compiled_templates,
        extensions=[StripIndentation],
    )
    t = translator(lang) if box is None else box_translator(box, lang)
    env.globals |= {
        "t": t,
        "tn": t.tn,
        "name_of": t.name,
        "level_name": partial(level_name, translator(lang)),
        "strength_of": strength_of,
        "strength_name": partial(strength_name, translator(lang)),
        "kept": cache_macro,
        "is_standalone": lambda: STANDALONE.is_on,
        "lang": lang,
        "LANGUAGES": LANGUAGES,
        "cover": cover,
        "first_game": first_game,
        "puzzles": puzzles,
        "palettes": palettes,
        "asset": asset,
        "icons": asset("icons.svg"),
        "ROMAN": ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    }
    if box is not None:
        env.globals |= {
            "box": box,
            "content": content_of(box),
            "board_icons": board_asset(box, "icons.svg"),
            "board_asset": lambda name: board_asset(box, name),
        }
    return env


def render(lang: str, name: str, box: Box | None = None, **values: Any) -> str:
    return environment(lang, box).get_template(name).render(values)


def html(body: str, status: int = 200, **more: Any) -> Response[str]:
    """Returns a page that the browser must not store: it may show a hand."""
    return Response(body, media_type=MediaType.HTML, status_code=status, headers={"Cache-Control": "no-store"}, **more)


def markup(parts: dict[str, str]) -> dict[str, Markup]:
    """Marks parts as safe: they are rendered, so already escaped."""
    return {name: Markup(text) for name, text in parts.items()}  # noqa: S704
