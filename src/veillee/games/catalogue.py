"""The shelf: every box that can be played, those of the house and those that other packages bring.

A package brings a box by an entry point of the group "veillee.games" that names it: `liars-dice = "liars_dice:BOX"`.
A box that cannot be opened is left off the shelf with a sentence that says why; the others are played all the same.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from veillee.games.apart import built_apart
from veillee.games.box import Box
from veillee.games.content import ContentKind
from veillee.kernel.advisor import Advisor
from veillee.kernel.state import MOST_SEATS, VERSION, State
from veillee.words import LANGUAGES, Sentence, sentences

GROUP = "veillee.games"
OWN = ("ghost_knights", "paper_tales", "takara_island", "tales_of_glory", "sourire_du_dragon")
EVERY_BOX = ("new", "view", "draw")
EVERY_STATE = ("seats", "clone", "determinize", "score", "standing", "choice", "answers", "misplaced")
EVERY_SPEECH = ("label", "question", "why", "event", "account")
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
CODE = re.compile(r"[a-z]{2}")  # as in the rules' ids (games/rulebook.py)
LONGEST = 300  # of what somebody else's error says

log = logging.getLogger(__name__)
t = sentences(Path(__file__).parent / "locale")


class Unfit(Exception):
    """A box that cannot stand on the shelf, and why: said late (ADR 8)."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why)
        self.why = why


def brought() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Where each box comes from, and how it is opened."""
    for name in OWN:
        module = f"veillee.games.{name}"
        yield module, partial(box_in, module)
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield point.value, partial(opened, point.module, point.load)


def box_in(module: str) -> Any:
    """The box of a package, under the name that all of them have."""
    return import_module(module).BOX


def opened(module: str, load: Callable[[], Any]) -> Any:
    """Somebody else's box. A part of it that would take the whole house down is not even touched."""
    if (part := built_apart(module)) is not None:
        raise Unfit(t("{part} was compiled apart from this house, with which it cannot be mixed", part=part))
    return load()


def check(box: Any, shelf: dict[str, Box]) -> Box:
    """The box itself, if it keeps the contract (games/box.py, kernel/state.py) and clashes with no other. Raises Unfit."""
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
    return box


def missing(box: Box) -> Iterator[str]:
    """What of the contract a box forgets."""
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
    """The shelf in its order; `left_off` is told what is missing and why."""
    shelf: dict[str, Box] = {}
    for source, open_it in brought():
        try:
            box = check(open_it(), shelf)
        except Unfit as error:
            why = error.why
        except (Exception, SystemExit) as error:
            why = t("{kind}: {error}", kind=type(error).__name__, error=" ".join(str(error).split())[:LONGEST])
            log.debug("%s", source, exc_info=True)
        else:
            shelf[box.id] = box
            continue
        left_off[source] = t("{source} is left off the shelf: {why}.", source=source, why=why)
        log.warning("%s", left_off[source])
    return shelf


def put(box: Any) -> Box:
    """One more box on the shelf, for as long as this process runs. Raises Unfit."""
    BOXES[box.id] = check(box, BOXES)
    return BOXES[box.id]


LEFT_OFF: dict[str, Sentence] = {}  # where a box comes from -> why it is not here
BOXES: dict[str, Box] = fill(LEFT_OFF)


def find(name: str) -> Box | None:
    """The box of that id, or of its two-letter code."""
    return BOXES.get(name) or next((box for box in BOXES.values() if box.code == name), None)
