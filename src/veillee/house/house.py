"""The house: its guests, its tables, its bots and its store. What the web and the command line talk to."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from veillee.games import catalogue
from veillee.games.box import Box
from veillee.games.first_game import first_game
from veillee.house.accounts import personal_data, shields
from veillee.house.accounts.guests import Guests
from veillee.house.accounts.people import (
    SUBSTITUTE,
    UNRATED,
    Guest,
    Seat,
    SeatPlan,
    clean_name,
    is_made,
)
from veillee.house.accounts.quiet_hours_store import Sleepers
from veillee.house.analysis.puzzle_collector import Collector
from veillee.house.analysis.puzzles import Collected, collected
from veillee.house.analysis.queue import Analyses
from veillee.house.analysis.strength import Measures
from veillee.house.cluster.peers import Neighbours
from veillee.house.community.chat import Talk
from veillee.house.community.moderation import Act, Order
from veillee.house.community.presence import Presence
from veillee.house.community.substitutes import StandIns
from veillee.house.errors import BadRequest, NoTable, NotNow, NotYours, ShownTheDoor, StoreError, t
from veillee.house.house_time import Now
from veillee.house.notifications.turn_watcher import Notices
from veillee.house.results import daily_deals, results
from veillee.house.storage import leases, owner_content, uptime
from veillee.house.storage.store import Conflict, Store
from veillee.house.storage.table_rows import Request, Row
from veillee.house.tables import creation, listings
from veillee.house.tables.archive import Corner
from veillee.house.tables.bots.scheduler import Waker, later
from veillee.house.tables.cache import Memory
from veillee.house.tables.clocks.time_control import NO_HURRY, Pace
from veillee.house.tables.clocks.timeouts import Timekeeper
from veillee.house.tables.creation import TABLE_ID, Terms, again, find_box
from veillee.house.tables.listings import Glance, glances
from veillee.house.tables.table import Table
from veillee.house.workers.engine_upgrade import Quickening
from veillee.house.workers.pool import Advised, AtOnce, Job, Processes, Thinkers
from veillee.match import seeds
from veillee.match.errors import VeilleeError
from veillee.match.match import Match
from veillee.match.owner_content import missing
from veillee.match.puzzles import earlier

log = logging.getLogger(__name__)


class House:
    """Safe to use from any thread. Nothing is acknowledged before it is on disk."""

    def __init__(self, store: Store, thinkers: Thinkers, pause: float) -> None:
        """Use House.open()."""
        self.store = store
        self.quickening = Quickening(thinkers)
        self._thinkers = thinkers
        self._closed = threading.Event()
        self._memory = Memory()
        self.guests = Guests(store)
        self.corner = Corner(store, self._memory, self.table)
        self.sleepers = Sleepers(store)
        self.presence = Presence(store)
        self.stand_ins = StandIns(store, self.presence, self.sleepers)
        self.timekeeper = Timekeeper(store, self.sleepers, self._present, self._look_after)
        self.notices = Notices(store, self.presence, self.sleepers, self._present)
        self.timekeeper.also(self.presence.look)
        self.timekeeper.also(self.notices.look)
        self.talk = Talk(store)
        self.order = Order(store, self._ordered)
        self.timekeeper.also(self.order.look)
        self.analyses = Analyses(store, busy=lambda: any(self.waiting_thoughts().values()))
        self._neighbours = Neighbours(store, self._memory, self.guests, self.talk)
        self._waker = Waker(store, thinkers, self._neighbours, self._present, pause, self._closed)
        self.measures = Measures(store, self.analyses, self._present, self._neighbours.me, self._closed)
        self.collector = Collector(store, self._read, self._neighbours.me, self._is_busy)
        self.collects = True  # puzzles, from public games; whoever runs the house may say no

    @classmethod
    def open(cls, place: str | Path, *, workers: int | None = None, pause: float = 0.6, now: Now = time.time) -> House:
        """Open the store: a folder, a SQLite file or a database URL. Nothing is read that nobody asks for.

        workers: how many processes think for the bots (by default one less than the machine has processors, at least
        one); 0: bots say their first idea at once, in the thread of whoever changed the table (tests, tools).
        pause: how long a bot waits before it answers, when people have been shown what happened before: they can follow,
        and change their minds.
        now: the clock (clock.py).
        Raises StoreError.
        """
        store = Store.open(place, alone=True, now=now)
        number = max(1, (os.cpu_count() or 1) - 1) if workers is None else workers
        house = cls(store, Processes(number, at_once=store.shared) if number else AtOnce(), pause if number else 0.0)
        try:
            uptime.opened(store, others=leases.anybody(store))
            house._neighbours.start()
            house.order.look()
        except StoreError:
            house.close()
            raise
        return house

    def close(self) -> None:
        """Stop the bots and close the store. Nothing is lost by not calling it, but what is new may lie beside the file."""
        if not self._closed.is_set():
            with contextlib.suppress(StoreError):
                uptime.still_open(self.store)
        self._closed.set()
        self.timekeeper.stop()
        self.quickening.stop()
        self.collector.stop()
        self._thinkers.close()
        self.analyses.close()
        self._neighbours.close()
        self.guests.forget()
        self.store.close()

    # -- guests -------------------------------------------------------------------------------------------------
    def new_guest(self, name: str, device: str = "", *, chosen: bool = True) -> Guest:
        """Somebody comes in (Guests.new). Raises BadRequest."""
        return self.guests.new(name, device, chosen=chosen)

    def guest(self, token: str) -> Guest | None:
        """Whose cookie this is; None for anything that is no cookie of ours."""
        return self.guests.find(token)

    def rename(self, guest: Guest, name: str) -> Guest:
        """The guest under a new name, at the tables that wait or are being played too. What is finished keeps the old."""
        shown = clean_name(name)
        self.guests.change(guest, name=shown, chosen=True)
        self._where_they_play(guest, lambda table: table.rename(guest, shown))
        return replace(guest, name=shown, token="", chosen=True)

    def change_shield(self, guest: Guest, shield: str) -> Guest:
        """The guest under another shield, at the tables that wait or are being played too. Raises BadRequest."""
        code = shields.read(shield).code
        self.guests.change(guest, shield=code)
        self._where_they_play(guest, lambda table: table.change_shield(guest, code))
        return replace(guest, shield=code, token="")

    def _where_they_play(self, guest: Guest, change: Callable[[Table], None]) -> None:
        """At the guest's tables that are not over."""
        for row in listings.tables_of(self.store, guest.id):
            if row.status != "over":
                with contextlib.suppress(NoTable, ShownTheDoor):  # one that cannot be opened here
                    change(self.table(row.id))

    def forget(self, guest: Guest) -> None:
        """The guest leaves for good. What others played with them stays readable; where nobody else sits, nothing stays."""
        for _ in range(personal_data.ATTEMPTS):
            for table_id in personal_data.sits_somewhere(self.store, guest.id):
                self._forget_at(guest, table_id)
            try:
                spoke = personal_data.erase(self.store, guest.id)
            except Conflict:  # they sat down once more meanwhile
                continue
            self.guests.forget(guest.id)
            for table_id in spoke:
                self.talk.heard(table_id)
            return
        raise StoreError(t("Too many changes at once: please try again."))

    def _forget_at(self, guest: Guest, table_id: str) -> None:
        try:
            table = self.table(table_id)
        except (NoTable, ShownTheDoor):  # it cannot be opened here: it was closed, or its game is not on the shelf
            personal_data.vacate(self.store, guest.id, table_id)
            return
        try:
            self.corner.clear_away(guest, table_id)
        except NotYours:
            table.depart(guest)

    # -- tables -------------------------------------------------------------------------------------------------
    def new_table(
        self,
        guest: Guest,
        game: str,
        plans: Sequence[SeatPlan],
        options: Mapping[str, str] | None = None,
        luck: str = "",
        *,
        public: bool = False,
        hints: bool = True,
        rated: bool = False,
        pace: Pace = NO_HURRY,
    ) -> Table:
        """A table with one seat per plan. It starts at once if no seat is open. public: shown in open_tables().

        hints: those who play may ask for advice (Table.hint). pace: how much time they leave each other.
        rated: it counts (ratings.py); without hints, and with one person on each seat.
        luck: the guest's word for the shuffle. Raises BadRequest, or veillee.match.errors.Unknown for an option that
        the game does not have.
        """
        if rated and (hints or any(plan.kind == "hotseat" for plan in plans)):
            raise BadRequest(t("A rated table is for one person on each seat, without hints."))
        if rated and any(plan.kind == "bot" and is_made(plan.level) for plan in plans):
            raise BadRequest(UNRATED)
        box = find_box(game)
        terms = Terms(box, plans, options or {}, luck, public=public, hints=hints, pace=pace, rated=rated)
        return self._set_up(guest, terms)

    def play_now(self, guest: Guest, game: str, level: str = SUBSTITUTE) -> Table:
        """The guest against bots, as many as are usual."""
        box = find_box(game)
        plans = [SeatPlan("me")] + [SeatPlan("bot", level=level)] * (box.usual - 1)
        return self._set_up(guest, Terms(box, plans))

    def first_game(self, guest: Guest, game: str) -> Table:
        """The guest's guided first game: a deal chosen for teaching, bots that play their parts. Raises BadRequest."""
        box = find_box(game)
        first = first_game(box)
        if first is None:
            raise BadRequest(t("{game} has no guided first game yet.", game=box.title))
        plans = [SeatPlan("me" if seat == first.me else "bot", level=first.level) for seat in range(first.seats)]
        return self._set_up(guest, Terms(box, plans, first.options, seed=seeds.seed_from(first.seed), guide="on"))

    def deal_of_the_day(self, guest: Guest, game: str) -> Table:
        """The guest's table with today's deal: as they left it, if they have begun it. Raises BadRequest, NotNow."""
        box, day = find_box(game), daily_deals.today(self.store)
        daily_deals.seal_deals(self.store, [box.id])
        deal = daily_deals.deals_of(self.store, day)[box.id]
        if daily_deals.played_by(self.store, day, box.id, guest.id) is None:
            with contextlib.suppress(Conflict):  # begun at the same moment, in another window
                alike = Terms(box, daily_deals.plans(box, day), hints=False, seed=deal.seed, deal=day.isoformat())
                return self._set_up(guest, alike)
        begun = daily_deals.played_by(self.store, day, box.id, guest.id)
        if begun is None or not begun.table_id:
            raise NotNow(t("You have played this deal, and cleared its table away: there is another one tomorrow."))
        return self.table(begun.table_id)

    def play_on(self, guest: Guest, table: Table, at: int, seat: int) -> Table:
        """A table that goes on from a moment of a finished one: the guest on that seat, the bots of then and others for the
        people on the rest. It counts for nothing, and its record says where it comes from. Raises NotNow, BadRequest."""
        match = table.match
        if not match.over or table.still_dealt:
            raise NotNow(t("One plays on from a game that is over, and that nobody else is still playing."))
        if not (0 <= at < len(match.answers) and 0 <= seat < match.seats):
            raise BadRequest(t("There is no such moment to play on from."))
        level = next((place.level for place in table.seats if place.kind == "bot"), SUBSTITUTE)
        plans = [
            SeatPlan("bot", place.name, place.level) if place.kind == "bot" else SeatPlan("bot", level=level)
            for place in table.seats
        ]
        plans[seat] = SeatPlan("me")
        row = table.now.row
        terms = Terms(
            table.box,
            plans,
            table.options,
            seed=row.seed,
            version=row.version,
            luck_of=row.luck,
            branch=f"{table.id} {at}",
            played=match.answers[:at],
        )
        return self._set_up(guest, terms)

    def seat_bot(self, guest: Guest, table: Table, seat: int, level: str = SUBSTITUTE) -> None:
        """Somebody who sits at the table puts a bot on an open seat: one that is made to measure, to their own."""
        (plan,) = self.measures.fitted(guest.id, table.box, [SeatPlan("bot", level=level)])
        table.seat_bot(guest, seat, plan.level)

    def table(self, table_id: str) -> Table:
        """The table of that name, as it is now, for somebody who looks at it. Raises NoTable, ShownTheDoor."""
        self.order.check("table", table_id)
        table = self._present(table_id)
        table.looked = time.monotonic()
        self._look_after(table)
        return table

    def replayed(self, table_id: str) -> Table:
        """The table as its answers make it, beside the one that is at hand. Raises NoTable, StoreError."""
        return self._read(table_id)

    def at_hand(self, table_id: str) -> Table | None:
        """The table, if it is in use, its bots are awake, and nobody else can have changed it: asks no disk and waits for
        nobody."""
        table = None if self.store.shared else self._memory.find(table_id)
        if table is None or not table.attended():
            return None
        table.looked = time.monotonic()
        return table

    def my_tables(self, guest: Guest) -> list[Glance]:
        """Where the guest sits, the latest change first. Bots that were interrupted there go on."""
        rows = listings.tables_of(self.store, guest.id)
        if interrupted := [row.id for row in rows if self._is_interrupted(row)]:
            self._waker.go_on(interrupted, self.table)
            rows = listings.tables_of(self.store, guest.id)
        return glances(rows)

    def open_tables(self, game: str | None = None) -> list[Glance]:
        """Public tables that wait for somebody where somebody sits, the latest change first."""
        box = find_box(game) if game is not None else None
        rows = [row for row in listings.tables_that_wait(self.store) if any(seat.guest for seat in row.seats)]
        rows = [row for row in rows if not self.order.is_closed(row.id)]
        return [glance for glance in glances(rows) if box is None or glance.box is box]

    def public_games(self) -> list[Glance]:
        """Public tables where people play now, the latest change first: anyone may watch them."""
        return glances(listings.public_games(self.store))

    def rematch(self, guest: Guest, table: Table) -> Table:
        """The same people again, each one seat further round. The first who asks makes it, the others join it."""
        if table.status != "over":
            raise NotNow(t("A rematch can be asked for once the game is over."))
        mine = table.seats_of(guest)
        if not mine:
            raise NotYours(t("Only those who played can ask for a rematch."))
        if not table.rematch_id:
            alone = all(seat.guest in ("", guest.id) for seat in table.seats)
            plans = [again(seat, number, mine, alone=alone) for number, seat in enumerate(table.seats)]
            row = table.now.row
            terms = Terms(
                table.box,
                plans[1:] + plans[:1],
                table.options,
                hints=table.hints,
                pace=row.pace,
                rated=row.rated,
                rematch_of=table.id,
            )
            try:
                made = self._set_up(guest, terms, before=table.seats)
            except Conflict:
                table.catch_up()
            else:
                table.rematch_is(made.id)
                return made
        joined = self.table(table.rematch_id)
        for number in mine:
            place = (number - 1) % len(joined.seats)
            if joined.seats[place].kind == "open":
                with contextlib.suppress(NotNow):  # somebody was faster: one can still watch
                    joined.sit(guest, place, table.seats[number].name)
        return joined

    def waiting_thoughts(self) -> dict[str, int]:
        """How many questions wait to be thought about, by whom they are for."""
        return self._thinkers.waiting()

    def puzzles(self, box: Box) -> list[Collected]:
        """Those that were collected here, the oldest first: nothing of a table that was closed."""
        every = collected(self.store, box) if self.collects else []
        return [one for one in every if not self.order.is_closed(one.table_id)]

    def asked(self, puzzle: Collected) -> Match | None:
        """The game of one at its position: to be looked at. None: it is not played here so any more. Raises StoreError."""
        try:
            match = earlier(self._read(puzzle.table_id).match, puzzle.at)
        except StoreError:
            raise
        except VeilleeError:
            return None
        return match if puzzle.seat in match.to_act else None

    def _is_busy(self) -> bool:
        """Does anybody wait for a bot, for advice or for an analysis?"""
        return any(self.waiting_thoughts().values()) or self.analyses.at_work()

    # -- inside -------------------------------------------------------------------------------------------------
    def _set_up(self, guest: Guest, terms: Terms, before: Sequence[Seat] = ()) -> Table:
        """before: who sat at the table whose rematch it is."""
        options = terms.agreed()
        owner_content.keep(self.store, terms.box, options)
        plans = self.measures.fitted(guest.id, terms.box, terms.plans)
        row = creation.row(self.store, guest, terms, options, plans)
        table = self._at(row, [Request(seat, (action,)) for seat, action in terms.played])
        table.looked = time.monotonic()
        if before:
            table.keep_seats(before)
        self.store.add_table(table.now.row, terms.rematch_of, terms.played)
        self._memory.add(table)
        self._look_after(table)
        return table

    def _present(self, table_id: str) -> Table:
        table, fresh = self._memory.get(table_id, self._read)
        if self.store.shared and not fresh:
            table.catch_up()
        if table.gone:
            self._memory.drop(table_id)
            raise NoTable(t("This table was deleted."))
        return table

    def _read(self, table_id: str) -> Table:
        found = self.store.find_table(table_id) if TABLE_ID.fullmatch(table_id) else None
        if found is None:
            named = repr(table_id)[:40]
            raise NoTable(t("There is no table {table}: is the link complete, or was the table deleted?", table=named))
        row, requests = found
        box = catalogue.BOXES.get(row.game)
        if box is None or row.version not in box.versions:
            raise NoTable(t("This table was begun under older rules, which this house no longer plays."))
        owner_content.find(self.store, box, row.options)
        if (why := missing(box, row.options)) is not None:
            raise NoTable(why)
        table = self._at(row, requests)
        before = self.store.rematch_of(table_id) if row.status == "waiting" else None
        if before is not None:
            table.keep_seats(before.seats)
        return table

    def _at(self, row: Row, requests: Sequence[Request]) -> Table:
        waits = self.store.shared or isinstance(self._thinkers, AtOnce)  # who answers, for all that comes of it
        soon = None if waits else partial(later, 0.0)
        return Table(self.store, row, requests, self._look_after, self._advise, self._neighbours.is_behind, soon)

    def _is_interrupted(self, row: Row) -> bool:
        """Is it a bot's turn, at a table of people that nobody here has looked at?"""
        playing = row.status == "playing" and any(not seat.by_bot for seat in row.seats)
        return playing and any(row.seats[seat].by_bot for seat in row.asked) and self._memory.find(row.id) is None

    def _look_after(self, table: Table) -> None:
        """Its bots that are asked think; once the game is over, how it ended is kept."""
        if table.status != "over":
            self._waker.wake(table)
        elif not table.kept and not self._closed.is_set():
            try:
                results.keep(self.store, table)
                self.measures.over(table)
            except StoreError as error:
                log.warning("How table %s ended will be kept when it is next looked at: %s", table.id, error)

    def _ordered(self, act: Act) -> None:
        """Whoever keeps order has acted: what is in memory follows."""
        if act.what in ("ban", "rename"):
            self.guests.forget(act.whom)
        if act.what == "ban address":
            self.guests.forget()  # whoever follows a table is asked where they are
        if act.what == "rename":
            for table in self._memory.in_use():
                with contextlib.suppress(VeilleeError):
                    table.catch_up()
        if act.what == "message":
            self.talk.heard(act.whom.partition(" ")[0])
        if act.what == "close" and (closed := self._memory.find(act.whom)) is not None:
            self._memory.drop(act.whom)
            closed.shut()

    def _advise(self, job: Job, done: Advised) -> None:
        self._thinkers.advise(job, done)
