"""What a game says about itself for this suite, in the folder `conformance` beside its rules.

census.py       census(state): every component counted; pending(state, seat): the seat's answer that is still secret,
                or None, in games that ask several seats at once
answers.toml    what numbers mean: 13 = ["put", { dolmen = 0 }]
golden/*.json   records of whole games (golden.py)
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from veillee.games.box import Box
from veillee.games.catalogue import BOXES, LEFT_OFF, add, box_in, find
from veillee.words import Sentence

Census = Callable[[Any], dict[str, int]]
Pending = Callable[[Any, int], Any]
Meaning = tuple[str, dict[str, int]]


class Missing(Exception):
    """Raised if there is no such game, or it lacks what is required of every game: the message is a sentence."""


def named(name: str) -> Box:
    """Returns the box of that id, or the BOX of that module, which need not be in the catalogue yet. Raises Missing."""
    box = find(name)
    if box is not None:
        return box
    for source, sentence in LEFT_OFF.items():
        if name in (source, source.partition(":")[0]):
            raise Missing(str(sentence))
    module = name.replace("-", "_")  # my-game, which is not in the catalogue yet
    if not name or find_spec(module.partition(".")[0]) is None:
        raise Missing(f"There is no game and no module {name!r}. On the shelf: {', '.join(BOXES)}.")
    left_off: dict[str, Sentence] = {}
    if (put := add(BOXES, left_off, module, partial(box_in, module))) is None:
        raise Missing(str(left_off[module]))
    return put


def folder_of(box: Box) -> Path:
    return box.folder / "conformance"


def census_of(box: Box) -> Census:
    census: Census | None = getattr(_census_module(box), "census", None)
    if census is None:
        raise Missing(f"{folder_of(box) / 'census.py'} must have a census(state) that counts every component.")
    return census


def pending_of(box: Box) -> Pending | None:
    pending: Pending | None = getattr(_census_module(box), "pending", None)
    return pending


def answers_of(box: Box) -> dict[int, Meaning]:
    path = folder_of(box) / "answers.toml"
    if not path.exists():
        raise Missing(f"{path} must say what the first and the last number of every kind of answer mean.")
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    return {int(number): (verb, args) for number, (verb, args) in written.items()}


def golden_of(box: Box) -> list[Path]:
    return sorted((folder_of(box) / "golden").glob("*.json"))


def _census_module(box: Box) -> Any:
    name = f"{box.package}.conformance.census"
    return import_module(name) if folder_of(box).is_dir() and find_spec(name) is not None else None
