"""Event log: what happened, by which rule, and which seats may know."""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64, mypyc_attr

EVERYONE: Final = -1  # visibility of a public event; a private one has the sum of 1 << seat
NO_SEAT: Final = -1  # no seat: a spectator, or an event of no particular seat
TOGETHER: Final = -2  # an observer: all seats with shared knowledge

A_FEW: Final = 3  # figures stored in the event itself

WORDS: Final = ("rule", "kind", "seat", "figures", "to", "visible")  # attribute names that an event has anyway


class Kind:
    """A kind of event, declared once and used by its name: GLORY = kind("glory", "points", "dolmen").

    Its figures are the numbers (or lists of them) that an event of this kind carries, in the order of the rules' call.
    Rules, words, accounts and boards read them by these names, so that a misspelt one raises an error.
    """

    def __init__(self, name: str, figures: tuple[str, ...]) -> None:
        self.name = name
        self.figures = figures
        self.count: i64 = len(figures)

    def __repr__(self) -> str:
        return f"<{self.name}: {', '.join(self.figures)}>"


def kind(name: str, *figures: str) -> Kind:
    for figure in figures:
        if figure in WORDS or not figure.isidentifier() or figures.count(figure) > 1:
            raise ValueError(f"{name!r}: {figure!r} cannot name a figure of an event.")
    return Kind(name, figures)


END: Final = kind("end")  # of every game


@mypyc_attr(acyclic=True)
class Event:
    """Something that happened, by which rule, and which seats may know (EVERYONE, or the sum of 1 << seat).

    Its figures are read by their names: event.points. Nearly all events have at most three, which are stored in the
    event itself and made into a list on access: games log much more than is ever read.
    """

    def __init__(
        self,
        rule: str,
        kind: Kind,
        seat: i64,
        figures: list[Any] | None,  # None: as many of a, b, c as the kind has
        to: i64 = EVERYONE,
        a: i64 = 0,
        b: i64 = 0,
        c: i64 = 0,
    ) -> None:
        if figures is not None and len(figures) != kind.count:
            raise ValueError(f"{kind!r} is told with {len(figures)} figures.")
        self.rule = rule
        self.kind = kind
        self.seat = seat
        self.to = to
        self._figures = figures
        self._a = a
        self._b = b
        self._c = c

    @property
    def figures(self) -> list[Any]:
        """The figures in the order of the kind."""
        if self._figures is not None:
            return self._figures
        return [int(self._a), int(self._b), int(self._c)][: self.kind.count]

    def __getattr__(self, name: str) -> Any:
        if name in self.kind.figures:
            return self.figures[self.kind.figures.index(name)]
        raise AttributeError(f"{self.kind!r} has no figure {name!r}.")

    def visible(self, seat: i64) -> bool:
        """Returns whether this seat may know. A spectator (NO_SEAT) sees the public events only."""
        return self.to == EVERYONE or (seat >= 0 and (self.to >> seat) & 1 == 1)


class Log:
    """Collects events.

    `reveals` counts the hidden things that were shown to a seat; `shows` those that a seat itself made public (a card
    played from the hand), which can be taken back as long as the others have not been shown the move. `learned` is the
    sum of 1 << seat of all seats that were told something hidden, or EVERYONE.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.reveals = 0
        self.shows = 0
        self.learned = 0

    def seen_by(self, seat: int) -> list[Event]:
        return [e for e in self.events if e.visible(seat)]

    def add(self, rule: str, kind: Kind, seat: i64, a: i64, b: i64, c: i64, to: i64) -> None:
        """Appends an event with as many of the three figures as its kind has; the others must be 0."""
        count = kind.count
        if (count < 3 and c != 0) or (count < 2 and b != 0) or (count < 1 and a != 0):
            raise ValueError(f"{kind!r} is told with the figures {[int(a), int(b), int(c)]}.")
        self.events.append(Event(rule, kind, seat, None if count <= A_FEW else [], to, a, b, c))
