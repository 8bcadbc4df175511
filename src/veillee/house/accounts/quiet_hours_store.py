"""Guests' quiet hours in the database, cached for 60 s."""

from __future__ import annotations

import threading
import time
from datetime import date

import sqlalchemy as sa

from veillee.house.accounts.quiet_hours import QuietHours
from veillee.house.storage.schema import nights
from veillee.house.storage.store import Store

CACHE_SECONDS = 60.0  # other processes see a change after at most this time
MAX_CACHED_GUESTS = 10_000


class QuietHoursStore:
    """Loads and saves quiet hours. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._cache: dict[str, tuple[QuietHours, float]] = {}  # with the time it was read

    def for_guest(self, guest: str) -> QuietHours:
        with self._lock:
            known, read = self._cache.get(guest, (None, 0.0))
        if known is not None and time.monotonic() - read < CACHE_SECONDS:
            return known
        with self._store.reading() as db:
            row = db.execute(sa.select(nights).where(nights.c.guest == guest)).first()
        found = (
            QuietHours()
            if row is None
            else QuietHours(row.zone, row.begin, row.end, _parse_day(row.leave), _parse_day(row.back))
        )
        self._cache_hours(guest, found)
        return found

    def save(self, guest: str, wanted: QuietHours) -> None:
        with self._store.writing() as db:
            db.execute(nights.delete().where(nights.c.guest == guest))
            values = {"guest": guest, "zone": wanted.zone, "begin": wanted.begin, "end": wanted.end}
            days = {"leave": _format_day(wanted.leave), "back": _format_day(wanted.back)}
            db.execute(nights.insert().values(values | days))
        self._cache_hours(guest, wanted)

    def _cache_hours(self, guest: str, found: QuietHours) -> None:
        with self._lock:
            if len(self._cache) >= MAX_CACHED_GUESTS:
                self._cache.clear()
            self._cache[guest] = found, time.monotonic()


def _parse_day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


def _format_day(day: date | None) -> str:
    return day.isoformat() if day is not None else ""
