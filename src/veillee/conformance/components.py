"""Does a census notice anything? Components are lost and made, one number of a position at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from veillee.conformance.beside import Census
from veillee.games.box import Box
from veillee.kernel.state import State


def mishaps(things: Any) -> Iterator[None]:
    """At each step one thing of a row is gone, or one number is higher by 1; afterwards all is as it was."""
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
    """The figures of the census that no mishap changes: constants, or sums of what is there and what is not.

    A census that checks what it counts notices by an AssertionError.
    """
    left: set[str] = set()
    for number, g in enumerate(positions):
        before = census(g)
        left = left & set(before) if number else set(before)
        things = g.dump()
        flow = {name: things.pop(name) for name in ("flow", "version") if name in things}
        for _ in mishaps(things):
            with suppress(LookupError, TypeError, ValueError):  # of what is no position at all
                twin = box.load(flow | things)
                try:
                    after = census(twin)
                except AssertionError:
                    return set()
                left -= {name for name in left if after.get(name) != before[name]}
    return left
