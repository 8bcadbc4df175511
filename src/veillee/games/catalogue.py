"""The shelf: every box that can be played, those of the house and those that other packages bring.

A package brings a box by an entry point of the group "veillee.games" that names it: `liars-dice = "liars_dice:BOX"`.
A box that cannot be opened is left off the shelf with a sentence that says why; the others are played all the same.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from veillee.games.box import Box
from veillee.kernel.state import VERSION, State

GROUP = "veillee.games"
OWN = ("ghost_knights", "paper_tales", "takara_island", "tales_of_glory", "sourire_du_dragon")
EVERY_STATE = ("seats", "clone", "determinize", "score", "standing", "choice")
EVERY_SPEECH = ("label", "question", "why", "event", "account")

log = logging.getLogger(__name__)


class Unfit(Exception):
    """Why a box is left off the shelf: the sentence is the message."""


def brought() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Where each box comes from, and how it is opened."""
    for name in OWN:
        module = f"veillee.games.{name}"
        yield module, partial(own, module)
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield point.value, point.load


def own(module: str) -> Any:
    return import_module(module).BOX


def check(box: Any, shelf: dict[str, Box]) -> Box:
    """The box itself, if it keeps the contract (games/box.py, kernel/state.py) and clashes with no other."""
    if not isinstance(box, Box):
        raise Unfit(f"it is a {type(box).__name__} and no Box")
    if box.kernel != VERSION:
        raise Unfit(f"it was made for version {box.kernel} of the kernel, and this is version {VERSION}")
    for other in shelf.values():
        if box.id == other.id or box.code == other.code:
            raise Unfit(f"its id {box.id!r} or its code {box.code!r} is taken by {other.title['en']}")
    forgotten = [name for name in EVERY_STATE if getattr(box.state, name) is getattr(State, name)]
    forgotten += [name for name in EVERY_SPEECH if not hasattr(box.speech, name)]
    if forgotten:
        raise Unfit(f"it has no {', '.join(forgotten)}")
    return box


def fill(left_off: dict[str, str]) -> dict[str, Box]:
    """The shelf in its order; `left_off` is told what is missing and why."""
    shelf: dict[str, Box] = {}
    for source, opened in brought():
        try:
            box = check(opened(), shelf)
        except Exception as error:  # noqa: BLE001 (whatever somebody else's package raises, the house opens)
            why = str(error) if isinstance(error, Unfit) else f"{type(error).__name__}: {error}"
            left_off[source] = f"{source} is left off the shelf: {why}."
            log.warning(left_off[source])
        else:
            shelf[box.id] = box
    return shelf


LEFT_OFF: dict[str, str] = {}  # where a box comes from -> why it is not here
BOXES: dict[str, Box] = fill(LEFT_OFF)


def find(name: str) -> Box | None:
    """The box of that id, or of its two-letter code."""
    return BOXES.get(name) or next((box for box in BOXES.values() if box.code == name), None)
