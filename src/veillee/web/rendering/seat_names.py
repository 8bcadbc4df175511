"""Names of the people at a table, in the reader's language: a guest who deleted their account has none."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.house.accounts.people import Seat, distinct
from veillee.house.tables.moment import Moment
from veillee.web.rendering.templates import house_words


def names(now: Moment, lang: str) -> list[str]:
    """Returns the names of the seats; empty for an open seat."""
    found = now.names
    return called(now.seats, lang) if "" in found else found


def called(seats: Sequence[Seat], lang: str) -> list[str]:
    """Returns the same for a table in a list."""
    told: list[str] = []
    for seat in seats:
        gone = seat.kind == "person" and not seat.name
        told.append(distinct(former(lang), told) if gone else seat.name)
    return told


def former(lang: str) -> str:
    t = house_words(lang)
    return t("A former guest")
