"""Deal of the day: each day one deal per box, the same for every guest, against the same bots.

Its seed is drawn the day before, and the commitment to it is published then, so that not even the house can choose it
once its opening position is known. It is played alone against bots that think without a time limit, so that equal play
gets equal answers. A guest plays it once. The guest sees the ranking and the others' games after finishing; every
visitor sees them, and the seed, when the day is over.

A day is a day in UTC: it begins at the same moment for all.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from veillee.games.box import Box
from veillee.house import house_time
from veillee.house.accounts.guest import Guest
from veillee.house.errors import NotNow, t
from veillee.house.storage.schema import deals, dealt, guests, tables
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.creation import TableTerms, find_box
from veillee.house.tables.repository import TableRow
from veillee.house.tables.seats import BOT_NAMES, SeatPlan
from veillee.house.tables.service import Tables
from veillee.house.tables.table import Table
from veillee.match import seeds

BOT_LEVEL = "regular"  # of the bots: few simulations, so they need no time limit even on the slowest machine
ONE_DAY = timedelta(days=1)


class Deal(NamedTuple):
    day: date
    game: str
    seed: bytes
    created: float

    @property
    def commitment(self) -> str:
        """The commitment published the day before."""
        return seeds.commitment(self.seed)

    @property
    def is_sealed_in_time(self) -> bool:
        """Whether it was sealed before its day began; false if the house was closed then."""
        return datetime.fromtimestamp(self.created, UTC).date() < self.day


class DealResult(NamedTuple):
    """One guest's game of a deal."""

    guest: str
    name: str
    table_id: str  # empty: they have deleted it
    is_over: bool
    place: int  # 0: not known yet, or not over
    points: int
    is_late: bool  # finished after the day was over and the seed public


@dataclass(frozen=True)
class RankedResult:
    """A finished game in the ranking of a deal."""

    rank: int  # 0: unranked, finished after the day
    result: DealResult


def seal_deals(store: Store, games: Sequence[str]) -> None:
    """Draws the missing deals of today and tomorrow. If two processes draw the same one, the first is kept."""
    now = house_time.today(store.now)
    wanted = {(day.isoformat(), game) for day in (now, now + ONE_DAY) for game in games}
    query = sa.select(deals.c.day, deals.c.game).where(deals.c.day >= now.isoformat())
    with store.reading() as db:
        missing = wanted - {(row.day, row.game) for row in db.execute(query)}
    for day, game in sorted(missing):
        row = {"day": day, "game": game, "seed": seeds.new_seed(), "created": store.now()}
        try:
            with store.writing() as db:
                db.execute(deals.insert().values(row))
        except Conflict:
            continue  # another process was faster


def load_deals(store: Store, day: date) -> dict[str, Deal]:
    """Returns the deals of a day, by box; empty for a day on which the house was closed."""
    with store.reading() as db:
        rows = db.execute(sa.select(deals).where(deals.c.day == day.isoformat())).all()
    return {row.game: Deal(day, row.game, row.seed, row.created) for row in rows}


def seat_plans(box: Box, day: date) -> list[SeatPlan]:
    """Returns the seats: the box's usual number of players (House.play_now), the guest on another seat every day."""
    number = box.usual
    turn = day.toordinal()
    names = [BOT_NAMES[(turn + seat) % len(BOT_NAMES)] for seat in range(number)]
    return [
        SeatPlan("me") if seat == turn % number else SeatPlan("bot", name, BOT_LEVEL) for seat, name in enumerate(names)
    ]


def load_result(store: Store, day: date, game: str, guest: str) -> DealResult | None:
    """Returns the guest's game of that deal, if they have begun it."""
    return next(iter(_select_results(store, day, game, dealt.c.guest == guest)), None)


def load_results(store: Store, day: date, game: str) -> list[DealResult]:
    """Returns all begun games of that deal."""
    return _select_results(store, day, game, sa.true())


def save_result(store: Store, day: date, game: str, guest: str, place: int, points: int) -> None:
    """Saves the result of the guest's game."""
    mine = sa.and_(dealt.c.day == day.isoformat(), dealt.c.game == game, dealt.c.guest == guest)
    with store.writing() as db:
        db.execute(dealt.update().where(mine).values(place=place, points=points))


class PlayedDay(NamedTuple):
    """What a guest played on one day on which there were deals."""

    day: date
    played: int  # deals begun
    won: int  # of them


def load_past_days(store: Store, guest: str, until: date, count: int) -> list[PlayedDay]:
    """Returns the last so many days on which there were deals, up to this one, oldest first."""
    mine = sa.and_(dealt.c.day == deals.c.day, dealt.c.game == deals.c.game, dealt.c.guest == guest)
    begun, won = sa.func.count(dealt.c.guest), sa.func.count(sa.case((dealt.c.place == 1, 1)))
    query = sa.select(deals.c.day, begun, won).select_from(deals.outerjoin(dealt, mine)).group_by(deals.c.day)
    query = query.where(deals.c.day <= until.isoformat()).order_by(deals.c.day.desc()).limit(count)
    with store.reading() as db:
        rows = db.execute(query).all()
    return [PlayedDay(date.fromisoformat(day), played, best) for day, played, best in reversed(rows)]


def streak(days: Sequence[PlayedDay], today: date) -> int:
    """Returns how many days in a row the guest has played up to today, or to yesterday while today may still be played. A
    day on which the house was closed is left out."""
    row = 0
    for one in reversed(days):
        if one.played:
            row += 1
        elif one.day != today:
            break
    return row


def rank_results(all_of_them: Sequence[DealResult]) -> list[RankedResult]:
    """Returns the ranking of finished games: by place at their own table, then by points; equals share a rank. Late
    ones come last, unranked."""
    done = [one for one in all_of_them if one.place]
    ranked = sorted((one for one in done if not one.is_late), key=_rank_key)
    lines: list[RankedResult] = []
    for number, one in enumerate(ranked, 1):
        equal = lines and _rank_key(lines[-1].result) == _rank_key(one)
        lines.append(RankedResult(lines[-1].rank if equal else number, one))
    return lines + [RankedResult(0, one) for one in sorted((one for one in done if one.is_late), key=_rank_key)]


def _rank_key(one: DealResult) -> tuple[int, int]:
    return one.place, -one.points


def _select_results(store: Store, day: date, game: str, which: sa.ColumnElement[bool]) -> list[DealResult]:
    query = (
        sa.select(dealt, guests.c.name, tables.c.status, tables.c.touched)
        .join(guests, guests.c.id == dealt.c.guest)
        .outerjoin(tables, tables.c.id == dealt.c.table_id)
        .where(dealt.c.day == day.isoformat(), dealt.c.game == game, which)
        .order_by(dealt.c.begun)
    )
    ends = datetime.combine(day + ONE_DAY, datetime.min.time(), UTC).timestamp()
    with store.reading() as db:
        return [
            DealResult(
                row.guest,
                row.name,
                row.table_id or "",
                is_over=row.status in ("over", None),
                place=row.place,
                points=row.points,
                is_late=row.touched is not None and row.touched >= ends,
            )
            for row in db.execute(query)
        ]


def _register(db: sa.Connection, row: TableRow) -> None:
    """Writes that the guest has begun the deal. Raises Conflict if they have begun it before."""
    guest = next(seat.guest for seat in row.seats if seat.guest)
    begun = {"day": row.deal, "game": row.game, "guest": guest, "table_id": row.id, "begun": row.created}
    db.execute(dealt.insert().values(begun))


class DailyDeals:
    """Tables with the deal of the day, of one house."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables

    def open_table(self, guest: Guest, game: str) -> Table:
        """Returns the guest's table with today's deal; creates it if they have not begun it. Raises BadRequest, NotNow."""
        box, day = find_box(game), house_time.today(self._store.now)
        seal_deals(self._store, [box.id])
        deal = load_deals(self._store, day)[box.id]
        if load_result(self._store, day, box.id, guest.id) is None:
            with contextlib.suppress(Conflict):  # begun at the same moment by another request
                alike = TableTerms(box, seat_plans(box, day), hints=False, seed=deal.seed, deal=day.isoformat())
                return self._tables.create_on(guest, alike, register=_register)
        begun = load_result(self._store, day, box.id, guest.id)
        if begun is None or not begun.table_id:
            raise NotNow(t("You have played this deal and deleted its table: there is another one tomorrow."))
        return self._tables.find(begun.table_id)
