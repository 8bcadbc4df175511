"""A position as plain data and back, read from the classes themselves.

What a state or a thing consists of is what its constructor takes, under the same names. A state is written as a dict
of these, a thing and a step as a row of them. Numbers and rows of numbers need no word; `shape` of the class says how
the rest is written. No search comes here: this file stays interpreted (setup.py), and may look around as it likes.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from veillee.kernel.counts import gather, spread
from veillee.kernel.log import Kind

FIELDS: dict[Any, tuple[str, ...]] = {}  # of the classes met so far
NOBODYS = 0  # how the seat of a step is written that has none


class Shape:
    """How a field is written and read that is more than a number or a row of numbers."""

    def __init__(self, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        self.write = write
        self.read = read


def counts(places: int) -> Shape:
    """Small counts in one number (kernel/counts.py): a row of so many."""
    return Shape(lambda packed: spread(packed, places), gather)


def vec_of(kind: Any, held: list[Any]) -> Any:
    """A vec of a class that is known only now."""
    any_vec: Any = vec
    return any_vec[kind](held)


def things(kind: Any) -> Shape:
    """A vec of things: a row of rows."""
    return Shape(
        lambda held: [write_thing(thing) for thing in held],
        lambda rows: vec_of(kind, [read_thing(kind, row) for row in rows]),
    )


def records(kind: Any) -> Shape:
    """A vec of things that have many fields: a row of dicts, each with the names of its fields."""
    return Shape(
        lambda held: [write_record(thing) for thing in held],
        lambda rows: vec_of(kind, [read_fields(kind, row) for row in rows]),
    )


def rows() -> Shape:
    """A vec of vecs of numbers."""
    return Shape(lambda held: [list(row) for row in held], lambda data: vec[vec[i64]]([vec[i64](row) for row in data]))


def flag() -> Shape:
    """Yes or no, written as 1 or 0."""
    return Shape(int, bool)


def named(find: Callable[[str], Any], name: Callable[[Any], str]) -> Shape:
    """Something that lies outside of the position and is known by its name."""
    return Shape(name, find)


def fields(kind: Any) -> tuple[str, ...]:
    """What the constructor of a class takes."""
    if kind not in FIELDS:
        FIELDS[kind] = tuple(inspect.signature(kind).parameters)
    return FIELDS[kind]


def write(shape: Shape | None, value: Any) -> Any:
    if shape is not None:
        return shape.write(value)
    return value if isinstance(value, int | str) else list(value)


def read(shape: Shape | None, data: Any) -> Any:
    if shape is not None:
        return shape.read(data)
    return vec[i64](data) if isinstance(data, list) else data


def write_thing(thing: Any) -> list[Any]:
    shapes = type(thing).shape
    return [write(shapes.get(name), getattr(thing, name)) for name in fields(type(thing))]


def write_record(thing: Any) -> dict[str, Any]:
    return dict(zip(fields(type(thing)), write_thing(thing), strict=True))


def read_thing(kind: Any, row: list[Any]) -> Any:
    return kind(*[read(kind.shape.get(name), data) for name, data in zip(fields(kind), row, strict=True)])


def write_step(step: Any) -> list[Any]:
    args = [getattr(step, name) for name in fields(type(step))]
    return [type(step).__name__, *(args or [NOBODYS])]


def read_step(row: list[Any], steps: dict[str, Any]) -> Any:
    if row[0] not in steps:
        raise KeyError(f"There is no step {row[0]!r} in this game.")
    kind = steps[row[0]]
    return kind(*row[1:]) if fields(kind) else kind()


@cache
def steps_of(step: Any, package: str) -> dict[str, Any]:
    """Every step of a game, by its name: the subclasses of Step that its folder defines."""
    found: dict[str, Any] = {}
    for kind in step.__subclasses__():
        if package_of(kind) == package:
            found[kind.__name__] = kind
        found |= steps_of(kind, package)
    return found


def write_state(g: Any) -> dict[str, Any]:
    flow = {
        "to_act": list(g.to_act),
        "question": write_step(g.question),
        "agenda": [write_step(step) for step in g.agenda],
    }
    version = {"version": g.version} if g.version > 1 else {}  # as positions were written before rules had versions
    return {"flow": flow, **version, **write_record(g)}


def read_fields(kind: Any, data: dict[str, Any]) -> Any:
    """The thing with these fields; of a state: with these things on the table, nobody asked yet."""
    return kind(*[read(kind.shape.get(name), data[name]) for name in fields(kind)])


def package_of(kind: Any) -> str:
    """The folder of the game that a class belongs to: "veillee.games.ghost_knights"."""
    module: str = kind.__module__
    return module.removesuffix(".rules").partition(".rules.")[0]


def kinds_of(package: str) -> list[Kind]:
    """Every kind of event that a game declares."""
    found: dict[int, Kind] = {}
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(package + "."):
            for value in list(vars(module).values()):
                if isinstance(value, Kind):
                    found[id(value)] = value
    return list(found.values())
