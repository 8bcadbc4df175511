"""Names of the people at a table, in the reader's language: a guest who deleted their account has none."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.house.accounts.names import make_distinct
from veillee.house.tables.moment import Moment
from veillee.house.tables.seats import Seat
from veillee.web.rendering.templates import translator


def names_at(now: Moment, lang: str) -> list[str]:
    """Returns the names of the seats; empty for an open seat."""
    found = now.names
    return seat_names(now.seats, lang) if "" in found else found


def seat_names(seats: Sequence[Seat], lang: str) -> list[str]:
    """Returns the same for a table in a list."""
    told: list[str] = []
    for seat in seats:
        gone = seat.kind == "person" and not seat.name
        if seat.kind == "link" and not seat.name:
            told.append(make_distinct(translator(lang)("Your friend"), told))
            continue
        told.append(make_distinct(former_guest(lang), told) if gone else seat.name)
    return told


def former_guest(lang: str) -> str:
    t = translator(lang)
    return t("A former guest")
