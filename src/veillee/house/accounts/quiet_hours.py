"""Quiet hours and holidays of a player: correspondence time limits do not count them, and no notification is sent
then. They are in the database, and cached for 60 s.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import sqlalchemy as sa
from cachetools import TTLCache

from veillee.house.errors import BadRequest, t
from veillee.house.storage.schema import nights
from veillee.house.storage.store import Store

Span = tuple[float, float]  # start and end, as wall time
LONGEST_NIGHT = 12 * 60  # minutes: the rest of the day stays for playing
LONGEST_HOLIDAY = 30  # days
PLAUSIBLE_YEARS = range(2000, 2200)  # of a holiday: dates near the end of the calendar cannot be counted with
ONE_DAY = timedelta(days=1)
HOURS_CACHE_SECONDS = 60.0  # other processes see a change after at most this time
MAX_CACHED_HOURS = 10_000


@lru_cache(1)
def time_zones() -> frozenset[str]:
    return frozenset(available_timezones())


@dataclass(frozen=True)
class QuietHours:
    """The quiet hours of one player; none by default. Use QuietHours.chosen(), which validates them."""

    zone: str = "UTC"
    begin: int = 0  # minutes after midnight
    end: int = 0  # same as `begin`: no quiet hours
    leave: date | None = None  # first day of the holiday; `back`: its last day
    back: date | None = None

    @classmethod
    def validated(cls, zone: str, begin: str, end: str, leave: str = "", back: str = "") -> QuietHours:
        """Creates them from the values of a form: "22:30", "2026-12-24". Raises BadRequest."""
        zone = zone.strip() or "UTC"
        if zone not in time_zones():
            raise BadRequest(t("There is no time zone {zone}: Europe/Paris is one.", zone=repr(zone)[:40]))
        try:
            night = [_parse_minutes(begin), _parse_minutes(end)] if begin and end else [0, 0]
            days = [date.fromisoformat(leave), date.fromisoformat(back)] if leave and back else [None, None]
        except ValueError:
            raise BadRequest(t("An hour is written 22:30, a day 2026-12-24.")) from None
        if (night[1] - night[0]) % (24 * 60) > LONGEST_NIGHT:
            raise BadRequest(t("A night has at most twelve hours."))
        first, last = days
        if first is not None and last is not None and not 0 <= (last - first).days < LONGEST_HOLIDAY:
            raise BadRequest(t("A holiday ends after it begins, and has at most thirty days."))
        if not (_is_plausible(first) and _is_plausible(last)):
            raise BadRequest(t("A holiday is in a year of this century or the next."))
        return cls(zone, night[0], night[1], first, last)

    def is_quiet(self, wall: float) -> bool:
        """Returns whether this time is in the quiet hours or the holiday."""
        return any(since <= wall < until for since, until in self.spans(wall, wall + 1))

    def spans(self, since: float, until: float) -> Iterator[Span]:
        """Yields the quiet hours and the holiday that overlap this period."""
        zone = ZoneInfo(self.zone)
        if self.begin != self.end:
            day = datetime.fromtimestamp(since, zone).date() - ONE_DAY
            last = datetime.fromtimestamp(until, zone).date()
            while day <= last:
                morning = day + ONE_DAY if self.end <= self.begin else day
                yield _at(day, self.begin, zone), _at(morning, self.end, zone)
                day += ONE_DAY
        if self.leave is not None and self.back is not None:
            holiday = _at(self.leave, 0, zone), _at(self.back + ONE_DAY, 0, zone)
            if holiday[0] < until and since < holiday[1]:
                yield holiday


def seconds_outside(since: float, until: float, free: Iterable[Span]) -> float:
    """Returns the seconds between the two times that are outside all `free` spans."""
    total, reached = 0.0, since
    for begin, end in sorted(free):
        if begin >= until:
            break
        if end > reached:
            total += max(0.0, begin - reached)
            reached = end
    return total + max(0.0, until - reached)


class QuietHoursStore:
    """Loads and saves quiet hours. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._cache: TTLCache[str, QuietHours] = TTLCache(MAX_CACHED_HOURS, HOURS_CACHE_SECONDS)  # by guest

    def for_guest(self, guest: str) -> QuietHours:
        with self._lock:
            known = self._cache.get(guest)
        if known is not None:
            return known
        with self._store.reading() as db:
            row = db.execute(sa.select(nights).where(nights.c.guest == guest)).first()
        found = QuietHours() if row is None else _from_row(row)
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
            self._cache[guest] = found


def _from_row(row: sa.Row[Any]) -> QuietHours:
    """Returns stored quiet hours, without what cannot be counted with: an unlikely holiday that an earlier version has
    accepted, a time zone that this machine does not know.
    """
    zone = row.zone if row.zone in time_zones() else "UTC"
    leave, back = _parse_day(row.leave), _parse_day(row.back)
    if not (_is_plausible(leave) and _is_plausible(back)):
        leave = back = None
    return QuietHours(zone, row.begin, row.end, leave, back)


def _is_plausible(day: date | None) -> bool:
    return day is None or day.year in PLAUSIBLE_YEARS


def _parse_minutes(text: str) -> int:
    found = time.fromisoformat(text)
    return found.hour * 60 + found.minute


def _at(day: date, minutes: int, zone: ZoneInfo) -> float:
    return datetime.combine(day, time(minutes // 60 % 24, minutes % 60), zone).timestamp()


def _parse_day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


def _format_day(day: date | None) -> str:
    return day.isoformat() if day is not None else ""
