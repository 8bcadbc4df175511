"""Presence panel of a table: which players are here, their clocks, and what the others may do about an absent one.

A part of the page (`part-company`) that changes without an answer: the stream sends it when a player comes or goes, and
after changes that its reader is shown anyway, never because of something that is hidden from them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache, partial

from babel.dates import format_timedelta
from babel.units import format_unit
from msgspec import Struct

from veillee.games.box import Box
from veillee.house.accounts.guest import Guest
from veillee.house.community.presence import is_tracked
from veillee.house.house import House
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.seat_clocks import HouseEvent
from veillee.house.tables.clocks.time_control import DAY, HOUR, MINUTE, TimeControl
from veillee.house.tables.clocks.timeouts import seconds_left
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table
from veillee.web.rendering.seat_names import names_at
from veillee.web.rendering.templates import environment, translator

UNITS = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (1, "second"))
COARSE = 10 * MINUTE  # seconds: absence is shown no more exactly than that, for privacy
LINES = 6  # house lines shown in the chronicle


@dataclass(frozen=True)
class ClockView:
    """What a seat's clock shows. `left`: seconds; `runs`: it is running now; `words`: text instead, where hours and
    days are counted."""

    left: int
    runs: bool
    words: str

    @property
    def shown(self) -> str:
        return self.words or f"{self.left // MINUTE}:{self.left % MINUTE:02}"


@dataclass(frozen=True)
class PersonStatus:
    """A person at the table."""

    number: int
    name: str
    colour: str
    here: bool
    away: str  # for how long, in words; empty: unknown
    bot: bool  # a bot plays for them
    clock: ClockView | None
    late: bool  # the others may let a bot play
    agreed: tuple[str, ...]  # names of the players who want that


def company(house: House, now: Moment, guest: Guest | None, lang: str) -> str:
    """Renders the part; hidden for a player who plays alone, or against bots, without a clock."""
    people = {seat.guest for seat in now.seats if seat.guest}
    shown = now.status == "playing" and (len(people) > 1 or bool(now.row.pace.kind and people))
    if not shown:
        return _render_panel(now.box, lang, now.id, "", (), -1, "")
    mine = now.seats_of(guest)
    chairs = tuple([_chair(house, now, seat, lang) for seat, one in enumerate(now.seats) if one.kind == "person"])
    can = guest is not None and bool(mine)
    return _render_panel(
        now.box,
        lang,
        now.id,
        describe_time_control(now.row.pace, lang) if now.row.pace.kind else "",
        chairs,
        mine[0] if can else -1,
        guest.name if guest else "",
    )


@lru_cache(512)
def _render_panel(
    box: Box, lang: str, table_id: str, pace: str, chairs: tuple[PersonStatus, ...], me: int, name: str
) -> str:
    template = environment(lang, box).get_template("table/presence.html")
    return template.render(table_id=table_id, pace=pace, chairs=chairs, me=me, my_name=name)


def _chair(house: House, now: Moment, seat: int, lang: str) -> PersonStatus:
    one = now.seats[seat]
    here = house.presence.is_here(one.guest, now.id)
    seen = None if here else house.presence.last_seen(one.guest, now.id)
    late = not here and house.substitutes.can_vote(now, seat)
    called = names_at(now, lang)
    guests = {other.guest: called[n] for n, other in reversed(list(enumerate(now.seats))) if other.guest}
    agreed = tuple(sorted(guests.get(who, "") for who in house.substitutes.votes(now, seat))) if late else ()
    return PersonStatus(
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


def clock_of(house: House, now: Moment, seat: int, lang: str) -> ClockView | None:
    """Returns the seat's clock; None: there is no time control, or nothing to show."""
    pace = now.row.pace
    if not pace.kind or now.seats[seat].is_played_by_bot:
        return None
    rest = seconds_left(house.store, house.quiet_hours, now, seat)
    if rest is None:
        return ClockView(round(max(0, pace.reserve - now.clocks[seat].spent)), False, "") if pace.reserve else None
    t = translator(lang)
    if rest <= 0:
        return ClockView(0, False, t("time is up"))
    if pace.kind == "evening":
        return ClockView(round(rest), True, "")
    span = timedelta(seconds=max(MINUTE, rest // MINUTE * MINUTE))
    return ClockView(
        0, False, t("{time} left", time=format_timedelta(span, granularity="minute", threshold=1.5, locale=lang))
    )


def coarse(seconds: float, lang: str) -> str:
    """Returns how long a player has been away, in steps of ten minutes, hours or days."""
    if seconds < COARSE:
        t = translator(lang)
        return t("a moment")
    step = DAY if seconds >= DAY else HOUR if seconds >= HOUR else COARSE
    span = timedelta(seconds=seconds // step * step)
    return format_timedelta(span, granularity="minute", threshold=1, locale=lang)


def describe_time_control(pace: TimeControl, lang: str) -> str:
    """Returns the time control in words."""
    t = translator(lang)

    def span(seconds: int) -> str:
        """Formats it in the largest unit that it is a whole number of."""
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
    """Returns whether the part can be made without reading the database."""
    return now.row.pace.kind != "post" and not any(
        house.substitutes.can_vote(now, seat) for seat in range(len(now.seats))
    )


class PresenceStream:
    """Presence panel as one stream sends it. Its reader counts as present while the page is visible (`seen`)."""

    def __init__(
        self,
        house: House,
        table: Table,
        guest: Guest | None,
        lang: str,
        woken: asyncio.Event,
        *,
        seen: bool,
        run: Callable[[Callable[[], str]], Awaitable[str]],
    ) -> None:
        """Called in the event loop that the stream waits in. run: makes the part where reading the database blocks
        nothing else."""
        self._house, self._guest, self._lang = house, guest, lang
        self._run = run
        self._text = ""  # what was sent last
        self.stirred = False  # a player has come or gone
        self._calm: object = (
            None  # seats and status when all players were here: only their change can then change the part
        )
        self._ends: list[Callable[[], None]] = []
        loop = asyncio.get_running_loop()

        def stir() -> None:
            self.stirred = True
            woken.set()

        def heard() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(stir)

        if is_tracked(table):
            self._ends.append(house.presence.subscribe(table.id, heard))
            if seen and guest is not None and table.seats_of(guest):
                self._ends.append(house.presence.page_opened(guest.id, table.id))

    async def next_update(self, now: Moment) -> str:
        """Returns the part if it has changed; empty otherwise."""
        stirred, self.stirred = self.stirred, False
        if not self._ends and not now.row.pace.kind:
            return ""
        seats = (now.row.reseated, now.status)
        if seats == self._calm and not stirred:
            return ""
        make = partial(company, self._house, now, self._guest, self._lang)
        text = make() if at_hand(self._house, now) else await self._run(make)
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


class HouseLine(Struct):
    """A line of the house in the chronicle."""

    text: str


def house_lines(now: Moment, lang: str) -> list[HouseLine]:
    """Returns the house's lines in the chronicle, the newest first."""
    return [
        HouseLine(house_event_text(line, names_at(now, lang)[line.seat], lang))
        for line in now.row.lines[: -LINES - 1 : -1]
    ]


def house_event_text(line: HouseEvent, name: str, lang: str) -> str:
    t = translator(lang)
    said: dict[seat_clocks.HouseEventKind, str] = {
        "left": t("{name} leaves: a bot plays until they return.", name=name),
        "out": t("{name}'s time is up: a bot plays until they return.", name=name),
        "agreed": t("{name} is away: a bot plays until they return, as the others asked.", name=name),
        "round_over": t("The time of the round is over: a bot plays for {name} to the end.", name=name),
        "back": t("{name} is back.", name=name),
        "withheld": t("The shuffle was made without the randomness that {name}'s page had sealed.", name=name),
    }
    return said[line.what]
