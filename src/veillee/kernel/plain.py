"""Serialisation of a position as plain data, derived from the classes themselves.

The fields of a state or a thing are its constructor's parameters, under the same names. A state is written as a dict of
them, a thing and a step as a row of them. Numbers and rows of numbers need no declaration; `shape` of the class says
how the rest is written. No search calls this module: it stays interpreted (setup.py), and may use introspection.
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

FIELDS: dict[Any, tuple[str, ...]] = {}  # cache
ANY_VEC: Any = vec
NOBODYS = 0  # written for a step without a seat


class Shape:
    """How a field that is more than a number or a row of numbers is written and read."""

    def __init__(self, write: Callable[[Any], Any], read: Callable[[Any], Any]) -> None:
        self.write = write
        self.read = read


def counts(places: int) -> Shape:
    """Shape of small counts in one number (kernel/counts.py): a row of so many."""
    return Shape(lambda packed: spread(packed, places), gather)


def vec_of(kind: Any, held: list[Any]) -> Any:
    """Returns a vec of a class that is known only at run time."""
    return ANY_VEC[kind](held)


def things(kind: Any) -> Shape:
    """Shape of a vec of things: a row of rows."""
    return Shape(
        lambda held: [write_thing(thing) for thing in held],
        lambda rows: vec_of(kind, [read_thing(kind, row) for row in rows]),
    )


def pairs(bits: int) -> Shape:
    """Shape of a vec of numbers that each pack two, the lower one in its last bits: a row of pairs."""
    lower = (1 << bits) - 1
    return Shape(
        lambda held: [[number >> bits, number & lower] for number in held],
        lambda data: vec[i64]([(upper << bits) | rest for upper, rest in data]),
    )


def records(kind: Any, **rows: tuple[str, ...]) -> Shape:
    """Shape of a vec of things, each as a dict by its fields; fields that form a row are written together under its
    name."""
    return Shape(
        lambda held: [write_record(thing, rows) for thing in held],
        lambda data: vec_of(kind, [read_record(kind, record, rows) for record in data]),
    )


def agendas(step: Any, module: str) -> Shape:
    """Shape of a vec of vecs of steps, of the game that the module belongs to: rows of steps."""

    def read_agenda(agenda: list[Any]) -> Any:
        steps = steps_of(step, folder_of(module))
        return vec_of(step, [read_step(waiting, steps) for waiting in agenda])

    return Shape(
        lambda held: [[write_step(waiting) for waiting in agenda] for agenda in held],
        lambda data: vec_of(ANY_VEC[step], [read_agenda(agenda) for agenda in data]),
    )


def flag() -> Shape:
    """Shape of a bool, written as 1 or 0."""
    return Shape(int, bool)


def named(find: Callable[[str], Any], name: Callable[[Any], str]) -> Shape:
    """Shape of an object outside of the position, written as its name."""
    return Shape(name, find)


def fields(kind: Any) -> tuple[str, ...]:
    """Returns the constructor's parameters of a class. Raises TypeError for a shape without a parameter."""
    if kind not in FIELDS:
        names = tuple(inspect.signature(kind).parameters)
        for name in getattr(kind, "shape", ()):
            if name not in names:
                raise TypeError(f"{kind.__name__} has a shape for {name!r}, which its constructor does not take.")
        FIELDS[kind] = names
    return FIELDS[kind]


def write(shape: Shape | None, value: Any, name: str) -> Any:
    if shape is not None:
        return shape.write(value)
    if isinstance(value, int | str):
        return value
    row = list(value)
    if row and not isinstance(row[0], int | str):
        raise TypeError(f"{name!r} is a row of {type(row[0]).__name__}: say in `shape` how it is written down.")
    return row


def read(shape: Shape | None, data: Any) -> Any:
    if shape is not None:
        return shape.read(data)
    return vec[i64](data) if isinstance(data, list) else data


def write_thing(thing: Any) -> list[Any]:
    shapes = type(thing).shape
    return [write(shapes.get(name), getattr(thing, name), name) for name in fields(type(thing))]


def read_thing(kind: Any, row: list[Any]) -> Any:
    return kind(*[read(kind.shape.get(name), data) for name, data in zip(fields(kind), row, strict=True)])


def write_record(thing: Any, rows: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    row_of = {name: row for row, names in rows.items() for name in names}
    record: dict[str, Any] = {}
    for name, data in zip(fields(type(thing)), write_thing(thing), strict=True):
        if name in row_of:
            record.setdefault(row_of[name], []).append(data)
        else:
            record[name] = data
    return record


def read_record(kind: Any, record: dict[str, Any], rows: dict[str, tuple[str, ...]]) -> Any:
    found = dict(record)
    for row, names in rows.items():
        found |= zip(names, record[row], strict=True)
    return read_thing(kind, [found[name] for name in fields(kind)])


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
    """Returns every step of a game by its name: the subclasses of Step that its package defines."""
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
    version = {"version": g.version} if g.version > 1 else {}  # omitted in version 1, as before rules had versions
    readings = {"readings": g.readings} if g.readings else {}  # omitted for the usual ones, as before there were others
    return {"flow": flow, **version, **readings, **write_record(g, {})}


def read_fields(kind: Any, data: dict[str, Any]) -> Any:
    """Returns the thing with these fields; for a state without its flow."""
    return kind(*[read(kind.shape.get(name), data[name]) for name in fields(kind)])


def package_of(kind: Any) -> str:
    """Returns the package of the game that a class belongs to: "veillee.games.ghost_knights"."""
    return folder_of(kind.__module__)


def folder_of(module: str) -> str:
    return module.removesuffix(".rules").partition(".rules.")[0]


def kinds_of(package: str) -> list[Kind]:
    """Returns every kind of event that a game declares."""
    found: dict[int, Kind] = {}
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(package + "."):
            for value in list(vars(module).values()):
                if isinstance(value, Kind):
                    found[id(value)] = value
    return list(found.values())
