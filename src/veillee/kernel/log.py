"""The log: what happened, by which rule, and who may know."""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr

EVERYONE: Final = -1  # visibility of a public event; a private one has the sum of 1 << seat
NO_SEAT: Final = -1


@mypyc_attr(acyclic=True)
class Event:
    """Something that happened, by which rule, and who may know (EVERYONE, or the sum of 1 << seat)."""

    def __init__(self, rule: str, what: str, seat: int, a: int, b: int, c: int, to: int) -> None:
        self.rule = rule
        self.what = what
        self.seat = seat
        self.a = a
        self.b = b
        self.c = c
        self.to = to

    def visible(self, seat: int) -> bool:
        """May this seat know? A spectator (NO_SEAT) sees the public events only."""
        return self.to == EVERYONE or (seat >= 0 and (self.to >> seat) & 1 == 1)


class Log:
    """Collects events.

    `reveals` counts the hidden things that somebody got to see; `shows` those that a seat itself made public
    (a card played from the hand), which can be taken back as long as the others have not been shown the move.
    `learned` is the sum of 1 << seat of all who were told something hidden, or EVERYONE.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.reveals = 0
        self.shows = 0
        self.learned = 0

    def seen_by(self, seat: int) -> list[Event]:
        return [e for e in self.events if e.visible(seat)]
