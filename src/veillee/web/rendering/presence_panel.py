"""The company at a table: who is here, how each stands with time, and what those present may do about somebody who is away.

A part of the page like any other (`part-company`), but one that changes without an answer: the stream sends it when somebody
comes or goes, and after what its reader is shown anyway, never because of something that is hidden from them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache, partial

from babel.dates import format_timedelta
from babel.units import format_unit
from msgspec import Struct

from veillee.games.box import Box
from veillee.house.accounts.people import Guest
from veillee.house.community.presence import matters
from veillee.house.house import House
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.seat_clocks import Line
from veillee.house.tables.clocks.time_control import DAY, HOUR, MINUTE, Pace
from veillee.house.tables.clocks.timeouts import left
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table
from veillee.web.rendering.seat_names import names
from veillee.web.rendering.templates import environment, house_words

UNITS = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (1, "second"))
COARSE = 10 * MINUTE  # nobody is watched more closely than that
LINES = 6  # of the house, in the chronicle


@dataclass(frozen=True)
class Clock:
    """What a seat's clock shows. `left`: seconds; `runs`: now. `words`: where hours and days are counted."""

    left: int
    runs: bool
    words: str

    @property
    def shown(self) -> str:
        return self.words or f"{self.left // MINUTE}:{self.left % MINUTE:02}"


@dataclass(frozen=True)
class Chair:
    """A person at the table."""

    number: int
    name: str
    colour: str
    here: bool
    away: str  # for how long, in words; empty: nobody knows
    bot: bool  # one plays for them
    clock: Clock | None
    late: bool  # those present may let a bot play
    agreed: tuple[str, ...]  # names of those who want that


def company(house: House, now: Moment, guest: Guest | None, lang: str) -> str:
    """The part; hidden where somebody plays alone, or against bots, without a clock."""
    people = {seat.guest for seat in now.seats if seat.guest}
    shown = now.status == "playing" and (len(people) > 1 or bool(now.row.pace.kind and people))
    if not shown:
        return _drawn(now.box, lang, now.id, "", (), -1, "")
    mine = now.seats_of(guest)
    chairs = tuple([_chair(house, now, seat, lang) for seat, one in enumerate(now.seats) if one.kind == "person"])
    can = guest is not None and bool(mine)
    return _drawn(
        now.box,
        lang,
        now.id,
        said(now.row.pace, lang) if now.row.pace.kind else "",
        chairs,
        mine[0] if can else -1,
        guest.name if guest else "",
    )


@lru_cache(512)
def _drawn(box: Box, lang: str, table_id: str, pace: str, chairs: tuple[Chair, ...], me: int, name: str) -> str:
    template = environment(lang, box).get_template("table/company.html")
    return template.render(table_id=table_id, pace=pace, chairs=chairs, me=me, my_name=name)


def _chair(house: House, now: Moment, seat: int, lang: str) -> Chair:
    one = now.seats[seat]
    here = house.presence.is_here(one.guest, now.id)
    seen = None if here else house.presence.seen(one.guest, now.id)
    late = not here and house.stand_ins.may(now, seat)
    called = names(now, lang)
    guests = {other.guest: called[n] for n, other in reversed(list(enumerate(now.seats))) if other.guest}
    agreed = tuple(sorted(guests.get(who, "") for who in house.stand_ins.agreed(now, seat))) if late else ()
    return Chair(
        seat,
        called[seat],
        now.box.colours[seat],
        here,
        coarse(house.store.now() - seen, lang) if seen is not None else "",
        one.away,
        clock_of(house, now, seat, lang),
        late,
        agreed,
    )


def clock_of(house: House, now: Moment, seat: int, lang: str) -> Clock | None:
    """None: nobody counts, or nothing runs that could be shown."""
    pace = now.row.pace
    if not pace.kind or now.seats[seat].by_bot:
        return None
    rest = left(house.store, house.sleepers, now, seat)
    if rest is None:
        return Clock(round(max(0, pace.reserve - now.hours[seat].spent)), False, "") if pace.reserve else None
    t = house_words(lang)
    if rest <= 0:
        return Clock(0, False, t("time is out"))
    if pace.kind == "evening":
        return Clock(round(rest), True, "")
    span = timedelta(seconds=max(MINUTE, rest // MINUTE * MINUTE))
    return Clock(
        0, False, t("{time} left", time=format_timedelta(span, granularity="minute", threshold=1.5, locale=lang))
    )


def coarse(seconds: float, lang: str) -> str:
    """How long somebody has been away: ten minutes more or less, hours, days."""
    if seconds < COARSE:
        t = house_words(lang)
        return t("a moment")
    step = DAY if seconds >= DAY else HOUR if seconds >= HOUR else COARSE
    span = timedelta(seconds=seconds // step * step)
    return format_timedelta(span, granularity="minute", threshold=1, locale=lang)


def said(pace: Pace, lang: str) -> str:
    """The pace, in the reader's words."""
    t = house_words(lang)

    def span(seconds: int) -> str:
        """In the largest unit that it is a whole number of."""
        size, unit = next((size, unit) for size, unit in UNITS if seconds % size == 0)
        return format_unit(seconds // size, f"duration-{unit}", locale=lang)

    if pace.kind == "evening":
        reserve = span(pace.reserve)
        told = t("an evening: {reserve}, and {each} for each question", reserve=reserve, each=span(pace.each))
        told = told if pace.each else t("an evening: {reserve}", reserve=reserve)
    elif pace.kind == "post":
        told = t("by post: {each} for each move", each=span(pace.each))
    else:
        return t("no hurry")
    return told + " · " + (t("then a bot plays") if pace.then == "bot" else t("then all wait"))


def at_hand(house: House, now: Moment) -> bool:
    """Can it be told without asking the disk?"""
    return now.row.pace.kind != "post" and not any(house.stand_ins.may(now, seat) for seat in range(len(now.seats)))


class Beside:
    """The company, as one stream tells of it; its reader is there, as long as they have it before their eyes (`seen`)."""

    def __init__(
        self, house: House, table: Table, guest: Guest | None, lang: str, woken: asyncio.Event, *, seen: bool
    ) -> None:
        """In the loop that the stream waits in."""
        self._house, self._guest, self._lang = house, guest, lang
        self._text = ""  # what was sent last
        self.stirred = False  # somebody has come, or gone
        self._calm: object = (
            None  # how the seats stood when everybody was here, and nothing but these can change the part
        )
        self._ends: list[Callable[[], None]] = []
        loop = asyncio.get_running_loop()

        def stir() -> None:
            self.stirred = True
            woken.set()

        def heard() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(stir)

        if matters(table):
            self._ends.append(house.presence.subscribe(table.id, heard))
            if seen and guest is not None and table.seats_of(guest):
                self._ends.append(house.presence.arrives(guest.id, table.id))

    async def news(self, now: Moment) -> str:
        """The part, if it is not as it was; empty otherwise."""
        stirred, self.stirred = self.stirred, False
        if not self._ends and not now.row.pace.kind:
            return ""
        seats = (now.row.reseated, now.status)
        if seats == self._calm and not stirred:
            return ""
        make = partial(company, self._house, now, self._guest, self._lang)
        text = make() if at_hand(self._house, now) else await asyncio.to_thread(make)
        people = [one.guest for one in now.seats if one.kind == "person"]
        calm = not now.row.pace.kind and all(self._house.presence.is_here(guest, now.id) for guest in people)
        self._calm = seats if calm else None
        if text == self._text:
            return ""
        self._text = text
        return text

    def end(self) -> None:
        for end in reversed(self._ends):
            end()


class Told(Struct):
    """A line of the house in the chronicle."""

    text: str


def house_lines(now: Moment, lang: str) -> list[Told]:
    """What the house has written into the chronicle, the newest first."""
    return [Told(line_said(line, names(now, lang)[line.seat], lang)) for line in now.row.lines[: -LINES - 1 : -1]]


def line_said(line: Line, name: str, lang: str) -> str:
    t = house_words(lang)
    said: dict[seat_clocks.What, str] = {
        "left": t("{name} leaves: a bot plays until they return.", name=name),
        "out": t("{name}'s time is out: a bot plays until they return.", name=name),
        "agreed": t("{name} is away: those present let a bot play until they return.", name=name),
        "back": t("{name} is back.", name=name),
    }
    return said[line.what]
