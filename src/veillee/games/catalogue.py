"""Catalogue of boxes: those of this package and those of other packages.

A package provides a box by an entry point of the group "veillee.games": `liars-dice = "liars_dice:BOX"`. A package that
is not installed is loaded from a folder in VEILLEE_WITH (`veillee --with FOLDER`): there the entry point is read from
pyproject.toml.

A box that cannot be loaded is left out with a sentence that says why; the others are unaffected.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import extract_tb
from typing import Any, NoReturn

from veillee.games.apart import built_apart
from veillee.games.box import Box
from veillee.games.content import ContentKind
from veillee.kernel.advisor import Advisor
from veillee.kernel.plain import fields
from veillee.kernel.state import MOST_SEATS, VERSION, State
from veillee.words import LANGUAGES, Sentence, sentences

GROUP = "veillee.games"
BOX_PATH_VARIABLE = "VEILLEE_WITH"  # folders of packages that are not installed, separated as in PATH
HOUSE = Path(__file__).parents[1]
OWN = ("ghost_knights", "paper_tales", "takara_island", "tales_of_glory", "sourire_du_dragon")
# Of the seats: web/static/tokens.css.
COLOURS = ("white", "blue", "green", "yellow", "red", "purple", "orange", "black")
EVERY_BOX = ("new", "view", "draw")
EVERY_STATE = ("seats", "clone", "determinize", "score", "standing", "choice", "answers", "misplaced")
EVERY_SPEECH = ("label", "question", "why", "event", "account")
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CODE = re.compile(r"(?!by|ic|js|no|sr)[a-z]{2}")  # as in the rules' ids; not a CSS class that every page uses
LONGEST = 300  # characters of a foreign error message

log: logging.Logger = logging.getLogger(__name__)
t: Callable[..., Sentence] = sentences(Path(__file__).parent / "locale")


class Unfit(Exception):
    """Raised for a box that cannot be used, with the reason, translated late (ADR 8)."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why)
        self.why = why


Source = tuple[str, Callable[[], Any]]  # origin of a box, and a function that loads it


def brought() -> Iterator[Source]:
    for name in OWN:
        module = f"veillee.games.{name}"
        yield module, partial(box_in, module)
    for folder in filter(None, os.environ.get(BOX_PATH_VARIABLE, "").split(os.pathsep)):
        yield from brought_by(Path(folder).resolve())
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield point.value, partial(opened, point.module, point.load)


def brought_by(folder: Path) -> Iterator[Source]:
    """Yields the boxes of a package that is not installed, and puts its folder first on sys.path."""
    project = folder / "pyproject.toml"
    try:
        points = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["entry-points"][GROUP]
        named = [EntryPoint(name, value, GROUP) for name, value in points.items()]
        boxes = [(point.value, partial(opened, point.module, point.load)) for point in named]
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        yield str(folder), partial(refuse, t("{file}: {reason}", file=project, reason=reason))
        return
    except (LookupError, TypeError, AttributeError):  # another kind of project, or none
        why = t("{file} has no entry points of the group {group}", file=project, group=GROUP)
        yield str(folder), partial(refuse, why)
        return
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    yield from boxes


def refuse(why: Sentence) -> NoReturn:
    raise Unfit(why)


def bring(folder: Path) -> list[Sentence]:
    """Adds the boxes of a folder, in this process and its future child processes. Returns the sentences about boxes
    left out."""
    folder = folder.resolve()
    known = [path for path in os.environ.get(BOX_PATH_VARIABLE, "").split(os.pathsep) if path]
    if str(folder) in known:
        return []
    os.environ[BOX_PATH_VARIABLE] = os.pathsep.join([*known, str(folder)])
    left_off: dict[str, Sentence] = {}
    for source, open_it in brought_by(folder):
        module = sys.modules.get(source.partition(":")[0])
        if module is None:
            add(BOXES, left_off, source, open_it)
        elif not Path(str(module.__file__)).is_relative_to(folder):
            why = t(
                "{module} is installed here too: uninstall it, or set {name} first",
                module=source,
                name=BOX_PATH_VARIABLE,
            )
            left_off[source] = t("{source} is left off the shelf: {why}.", source=source, why=why)
    LEFT_OFF.update(left_off)
    return list(left_off.values())


def box_in(module: str) -> Any:
    """Returns the BOX of a package."""
    return import_module(module).BOX


def opened(module: str, load: Callable[[], Any]) -> Any:
    """Loads a box of another package, unless a part of it was compiled separately and would crash the process. Raises
    Unfit."""
    if (part := built_apart(module)) is not None:
        raise Unfit(t("{part} was compiled apart from this house, with which it cannot be mixed", part=part))
    return load()


def check(box: Any, shelf: dict[str, Box]) -> Box:
    """Returns the box if it keeps the contract (games/box.py, kernel/state.py) and clashes with no other. Raises
    Unfit."""
    if not isinstance(box, Box):
        raise Unfit(t("it is a {kind} and no Box", kind=type(box).__name__))
    if box.kernel != VERSION:
        raise Unfit(
            t("it was made for version {made} of the kernel, and this is {ours}", made=box.kernel, ours=VERSION)
        )
    if not ID.fullmatch(box.id) or not CODE.fullmatch(box.code):
        raise Unfit(t("{id} cannot be an id, or {code} a code", id=repr(box.id), code=repr(box.code)))
    for other in shelf.values():
        if {box.id, box.code} & {other.id, other.code}:
            raise Unfit(
                t("its id {id} or its code {code} is taken by {title}", id=box.id, code=box.code, title=other.title)
            )
    if forgotten := ", ".join(missing(box)):
        raise Unfit(t("it has no {names}", names=forgotten))
    if not box.players or not 0 < box.players[0] <= box.players[-1] <= min(MOST_SEATS, len(box.colours)):
        players = ", ".join(map(str, box.players)) or "0"
        raise Unfit(t("it is for {players} players, and has {n} colours", players=players, n=len(box.colours)))
    if unknown := [colour for colour in box.colours if colour not in COLOURS]:
        raise Unfit(t("no seat is {colour}: the colours are {all}", colour=repr(unknown[0]), all=", ".join(COLOURS)))
    fields(box.state)
    return box


def missing(box: Box) -> Iterator[str]:
    """Yields the parts of the contract that a box lacks."""
    yield from (name for name in EVERY_BOX if not callable(getattr(box, name)))
    yield from (
        f"{field} ({lang})" for field in ("title", "pitch") for lang in LANGUAGES if lang not in getattr(box, field)
    )
    if not (isinstance(box.state, type) and issubclass(box.state, State)):
        yield "State"
    else:
        yield from (name for name in EVERY_STATE if getattr(box.state, name) is getattr(State, name))
    yield from (name for name in EVERY_SPEECH if not callable(getattr(box.speech, name, None)))
    if not isinstance(box.advisor, Advisor):
        yield "Advisor"
    if box.contents is not None and not (isinstance(box.contents, ContentKind) and box.contents.game == box.id):
        yield f"ContentKind ({box.id})"


def fill(left_off: dict[str, Sentence]) -> dict[str, Box]:
    """Returns the catalogue in order; `left_off` is filled with what is left out and why."""
    shelf: dict[str, Box] = {}
    for source, open_it in brought():
        add(shelf, left_off, source, open_it)
    for sentence in left_off.values():
        log.warning("%s", sentence)
    return shelf


def add(shelf: dict[str, Box], left_off: dict[str, Sentence], source: str, open_it: Callable[[], Any]) -> Box | None:
    """Adds a box unless it is present, or records why it is left out."""
    try:
        brought = open_it()
        box = brought if brought in shelf.values() else check(brought, shelf)
    except Unfit as error:
        why = error.why
    except (Exception, SystemExit) as error:
        what = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())[:LONGEST]
        why = t("{kind}: {error} ({place})", kind=type(error).__name__, error=what, place=place_of(error))
        log.debug("%s", source, exc_info=True)
    else:
        return shelf.setdefault(box.id, box)
    left_off[source] = t("{source} is left off the shelf: {why}.", source=source, why=why)
    return None


def place_of(error: BaseException) -> str:
    """Returns the line that the box's author has to look at: if the error comes from this package, the last line of
    theirs."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}"
    frames = [frame for frame in extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    files = [Path(frame.filename) for frame in frames]  # compiled ones are not absolute
    theirs = [f for f, file in zip(frames, files, strict=True) if file.is_absolute() and not file.is_relative_to(HOUSE)]
    last = (theirs or frames)[-1]
    return f"{last.filename}:{last.lineno}"


LEFT_OFF: dict[str, Sentence] = {}  # origin of a box -> why it is left out
BOXES: dict[str, Box] = fill(LEFT_OFF)


def find(name: str) -> Box | None:
    """Returns the box of that id, or of its two-letter code."""
    return BOXES.get(name) or next((box for box in BOXES.values() if box.code == name), None)


def boxes() -> list[Box]:
    """Returns the installed games, in order: each box has .id .title .players .minutes .options and more."""
    return list(BOXES.values())
