"""Checks that a census detects changes: components are removed and added, one number of a position at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from veillee.conformance.beside import Census
from veillee.games.box import Box
from veillee.kernel.state import State


def mishaps(things: Any) -> Iterator[None]:
    """Removes one thing of a row, or raises one number by 1, at each step; restores everything afterwards."""
    for key in list(things) if isinstance(things, dict) else range(len(things)):
        value = things[key]
        if isinstance(things, list):
            del things[key]
            yield
            things.insert(key, value)
        if type(value) is int:
            things[key] = value + 1
            yield
            things[key] = value
        elif isinstance(value, dict | list):
            yield from mishaps(value)


def unnoticed(box: Box, census: Census, positions: Iterable[State]) -> set[str]:
    """Returns the figures of the census that no such change affects: constants, or sums of what is there and what is
    not.

    A census that checks what it counts detects a change by an AssertionError.
    """
    left: set[str] = set()
    for number, g in enumerate(positions):
        before = census(g)
        left = left & set(before) if number else set(before)
        things = g.dump()
        flow = {name: things.pop(name) for name in ("flow", "version") if name in things}
        for _ in mishaps(things):
            with suppress(LookupError, TypeError, ValueError):  # the changed position may be invalid
                twin = box.load(flow | things)
                try:
                    after = census(twin)
                except AssertionError:
                    return set()
                left -= {name for name in left if after.get(name) != before[name]}
    return left
