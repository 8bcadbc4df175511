"""What the people at a table are called, in the reader's language: somebody who left the house for good has no name."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.house.accounts.people import Seat, distinct
from veillee.house.tables.moment import Moment
from veillee.web.rendering.templates import house_words


def names(now: Moment, lang: str) -> list[str]:
    """Of the seats; an open seat's is empty."""
    found = now.names
    return called(now.seats, lang) if "" in found else found


def called(seats: Sequence[Seat], lang: str) -> list[str]:
    """The same, of a table in a list."""
    told: list[str] = []
    for seat in seats:
        gone = seat.kind == "person" and not seat.name
        told.append(distinct(former(lang), told) if gone else seat.name)
    return told


def former(lang: str) -> str:
    t = house_words(lang)
    return t("A former guest")
