"""The tables of a house: created, found, listed, played again and played on."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

import sqlalchemy as sa

from veillee.games import catalogue
from veillee.games.box import Box
from veillee.games.first_game import first_game
from veillee.house.accounts.guest import Guest
from veillee.house.background import Background
from veillee.house.errors import BadRequest, NoTable, NotNow, NotYours, StoreError, t
from veillee.house.storage import owner_content
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables import creation, listings, seating
from veillee.house.tables.bots import scheduler
from veillee.house.tables.bots.scheduler import BotScheduler
from veillee.house.tables.cache import TableCache
from veillee.house.tables.clocks.time_control import UNTIMED, TimeControl
from veillee.house.tables.creation import TABLE_ID, TableTerms, find_box, rematch_plan
from veillee.house.tables.current_moment import ATTEMPTS
from veillee.house.tables.listings import TableSummary, summarize_rows
from veillee.house.tables.repository import AnswerRequest, TableRepository, TableRow
from veillee.house.tables.seats import SUBSTITUTE_LEVEL, Seat, SeatPlan, check_rated_level
from veillee.house.tables.table import Table
from veillee.house.workers.inline import InlineThinkers
from veillee.house.workers.jobs import Advised, Thinkers, ThinkJob
from veillee.match import seeds
from veillee.match.owner_content import missing

log = logging.getLogger(__name__)

Register = Callable[[sa.Connection, TableRow], None]
ResolveLevels = Callable[[str, Box, Sequence[SeatPlan]], Sequence[SeatPlan]]


class Peers(scheduler.Peers, Protocol):
    """What tables need of the other processes (house/cluster/peers.py)."""

    def schedule_catch_up(self, table: Table) -> None: ...


class Bans(Protocol):
    """What tables need of the moderators (house/community/moderation.py)."""

    def check(self, kind: Literal["table"], whom: str) -> None: ...

    def is_closed(self, table_id: str) -> bool: ...


class Tables:
    """Tables of one house. Safe to use from any thread; nothing is acknowledged before it is on disk."""

    def __init__(
        self,
        store: Store,
        cache: TableCache,
        thinkers: Thinkers,
        peers: Peers,
        bans: Bans,
        *,
        pause: float,
        background: Background,
        closed: threading.Event,
    ) -> None:
        """pause: seconds that a bot waits before it answers. closed: set when the house is closed."""
        self.store = store
        self.repository = TableRepository(store)
        self.cache = cache
        self.bots = BotScheduler(store, thinkers, peers, self.load, pause, background, closed)
        self.resolve_levels: ResolveLevels = lambda _guest, _box, plans: plans  # replaces adaptive levels
        self.on_over: Callable[[Table], None] = lambda _: None  # called for a finished game without a saved result
        self.is_on_shelf: Callable[[str], bool] = lambda _: True  # whether new tables of that box may be created
        self._thinkers = thinkers
        self._peers = peers
        self._bans = bans
        self._closed = closed
        waits = store.is_shared or isinstance(thinkers, InlineThinkers)  # follow-ups run in the caller's thread
        self._run_soon = None if waits else background.run_soon

    def create(
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
        pace: TimeControl = UNTIMED,
        register: Register | None = None,
    ) -> Table:
        """Creates a table with one seat per plan. It starts at once if no seat is open. public: listed in
        list_open(). register: see create_on().

        hints: players may ask for advice (Table.hint). pace: the time control.
        rated: it counts for the ratings (house/results/ratings.py); requires no hints, and one person per seat.
        luck: the guest's word for the shuffle. Raises BadRequest, or veillee.match.errors.Unknown for an option that
        the game does not have.
        """
        if rated and (hints or any(plan.kind == "hotseat" for plan in plans)):
            raise BadRequest(t("A rated table is for one person on each seat, without hints."))
        for plan in plans if rated else ():
            if plan.kind == "bot":
                check_rated_level(plan.level)
        box = find_box(game)
        terms = TableTerms(box, plans, options or {}, luck, public=public, hints=hints, pace=pace, rated=rated)
        return self.create_on(guest, terms, register=register)

    def play_now(self, guest: Guest, game: str, level: str = SUBSTITUTE_LEVEL) -> Table:
        """Creates a table of the guest against bots, with the game's usual number of seats."""
        box = find_box(game)
        plans = [SeatPlan("me")] + [SeatPlan("bot", level=level)] * (box.usual - 1)
        return self.create_on(guest, TableTerms(box, plans))

    def create_first_game(self, guest: Guest, game: str) -> Table:
        """Creates the guest's guided first game: a deal chosen for teaching, scripted bots. Raises BadRequest."""
        box = find_box(game)
        first = first_game(box)
        if first is None:
            raise BadRequest(t("{game} has no guided first game yet.", game=box.title))
        plans = [SeatPlan("me" if seat == first.me else "bot", level=first.level) for seat in range(first.seats)]
        return self.create_on(
            guest, TableTerms(box, plans, first.options, seed=seeds.seed_from(first.seed), guide="on")
        )

    def play_on(self, guest: Guest, table: Table, at: int, seat: int) -> Table:
        """Creates a table that continues from a moment of a finished game: the guest on that seat, the same bots as
        then, and other bots in place of the people. It is not rated, and its record names the original table. Raises
        NotNow, BadRequest.
        """
        match = table.match
        if not match.over or table.is_sealed:
            raise NotNow(t("One plays on from a game that is over, and that nobody else is still playing."))
        if not (0 <= at < len(match.answers) and 0 <= seat < match.seats):
            raise BadRequest(t("There is no such moment to play on from."))
        level = next((place.level for place in table.seats if place.kind == "bot"), SUBSTITUTE_LEVEL)
        plans = [
            SeatPlan("bot", place.name, place.level) if place.kind == "bot" else SeatPlan("bot", level=level)
            for place in table.seats
        ]
        plans[seat] = SeatPlan("me")
        row = table.moment.row
        terms = TableTerms(
            table.box,
            plans,
            table.options,
            seed=row.seed,
            version=row.version,
            luck_of=row.luck,
            contributions=match.contributions,
            branch=f"{table.id} {at}",
            played=match.answers[:at],
        )
        return self.create_on(guest, terms)

    def rematch(self, guest: Guest, table: Table, sealed: str = "") -> Table:
        """Returns a table with the same people, each one seat further. The first guest who asks creates it, the others
        join it. sealed: see Table.sit.
        """
        if table.status != "over":
            raise NotNow(t("A rematch can be asked for once the game is over."))
        mine = table.seats_of(guest)
        if not mine:
            raise NotYours(t("Only players of this game can ask for a rematch."))
        if not table.rematch_id:
            alone = all(seat.guest in ("", guest.id) for seat in table.seats)
            plans = [rematch_plan(seat, number, mine, alone=alone) for number, seat in enumerate(table.seats)]
            row = table.moment.row
            terms = TableTerms(
                table.box,
                plans[1:] + plans[:1],
                table.options,
                hints=table.hints,
                pace=row.pace,
                rated=row.rated,
                rematch_of=table.id,
            )
            try:
                made = self.create_on(guest, terms, before=table.seats)
            except Conflict:
                table.catch_up()
            else:
                table.set_rematch(made.id)
                return made
        joined = self.find(table.rematch_id)
        for number in mine:
            place = (number - 1) % len(joined.seats)
            if joined.seats[place].kind == "open":
                with contextlib.suppress(NotNow):  # another guest took the seat first: this guest can still watch
                    joined.sit(guest, place, table.seats[number].name, sealed=sealed)
        return joined

    def seat_bot(self, guest: Guest, table: Table, seat: int, level: str = SUBSTITUTE_LEVEL) -> None:
        """Puts a bot on an open seat for a guest who sits at the table; an adaptive level is fitted to that guest's
        strength.
        """
        (plan,) = self.resolve_levels(guest.id, table.box, [SeatPlan("bot", level=level)])
        table.seat_bot(guest, seat, plan.level)

    def create_on(
        self,
        guest: Guest,
        terms: TableTerms,
        before: Sequence[Seat] = (),
        register: Register | None = None,
    ) -> Table:
        """Creates and saves a table on these terms. before: the seats of the table whose rematch it is. register: what
        else is written in its transaction. Raises BadRequest, and Conflict if `register` does."""
        if not self.is_on_shelf(terms.box.id):
            raise BadRequest(t("{game} is not on the shelf of this house.", game=terms.box.title))
        options = terms.validated_options()
        owner_content.save_content(self.store, terms.box, options)
        plans = self.resolve_levels(guest.id, terms.box, terms.plans)
        row = creation.new_row(self.store, guest, terms, options, plans)
        table = self._at(row, [AnswerRequest(seat, (action,)) for seat, action in terms.played])
        table.visited_at = time.monotonic()
        if before:
            table.keep_seats(before)
        self.repository.add(table.moment.row, terms.rematch_of, terms.played, register)
        self.cache.add(table)
        self.follow_up(table)
        return table

    def create_all(
        self, terms: Sequence[TableTerms], register: Callable[[sa.Connection, Sequence[TableRow]], None]
    ) -> list[Table]:
        """Creates tables on which the house seats guests, in one transaction with what `register` writes. Raises
        BadRequest, and Conflict if `register` does."""
        made = []
        for one in terms:
            options = one.validated_options()
            owner_content.save_content(self.store, one.box, options)
            made.append(self._at(creation.new_row(self.store, None, one, options, one.plans), ()))
        self.repository.add_all([table.moment.row for table in made], register)
        for table in made:
            self.cache.add(table)
            self.follow_up(table)
        return made

    # -- finding tables -----------------------------------------------------------------------------------------
    def find(self, table_id: str) -> Table:
        """Returns the table in its current state, for a guest who looks at it. Raises NoTable, Banned."""
        self._bans.check("table", table_id)
        table = self.load(table_id)
        table.visited_at = time.monotonic()
        self.follow_up(table)
        return table

    def load(self, table_id: str) -> Table:
        """Returns the table in its current state, for the house's own work: not as a visit. Raises NoTable."""
        table, fresh = self.cache.get(table_id, self.replay)
        if self.store.is_shared and not fresh:
            table.catch_up()
        if table.is_deleted:
            self.cache.drop(table_id)
            raise NoTable(t("This table was deleted."))
        return table

    def replay(self, table_id: str) -> Table:
        """Replays the table from its stored answers, without the cache. Raises NoTable, StoreError."""
        found = self.repository.find(table_id) if TABLE_ID.fullmatch(table_id) else None
        if found is None:
            named = repr(table_id)[:40]
            raise NoTable(t("There is no table {table}: is the link complete, or was the table deleted?", table=named))
        row, requests = found
        box = catalogue.BOXES.get(row.game)
        if box is None or row.version not in box.versions:
            raise NoTable(t("This table was begun under older rules, which this house no longer plays."))
        owner_content.restore_content(self.store, box, row.options)
        if (why := missing(box, row.options)) is not None:
            raise NoTable(why)
        table = self._at(row, requests)
        before = self.repository.find_rematch_origin(table_id) if row.status == "waiting" else None
        if before is not None:
            table.keep_seats(before.seats)
        return table

    def find_cached(self, table_id: str) -> Table | None:
        """Returns the table from the cache if it is in use, its bots are scheduled, and no other process can have
        changed it (SQLite). Does not read the database and does not block.
        """
        table = None if self.store.is_shared else self.cache.find(table_id)
        if table is None or not table.has_audience():
            return None
        table.visited_at = time.monotonic()
        return table

    def for_guest(self, guest: Guest) -> list[TableSummary]:
        """Returns the tables where the guest sits, latest change first. Resumes bots that were interrupted there."""
        rows = listings.guest_tables(self.store, guest.id)
        if interrupted := [row.id for row in rows if self._is_interrupted(row)]:
            self.bots.resume(interrupted, self.find)
            rows = listings.guest_tables(self.store, guest.id)
        return summarize_rows(rows)

    def list_open(self, game: str | None = None) -> list[TableSummary]:
        """Returns public tables with an open seat where at least one guest sits, latest change first."""
        box = find_box(game) if game is not None else None
        rows = [row for row in listings.waiting_tables(self.store) if any(seat.guest for seat in row.seats)]
        rows = [row for row in rows if not self._bans.is_closed(row.id)]
        return [glance for glance in summarize_rows(rows) if box is None or glance.box is box]

    def list_public_games(self) -> list[TableSummary]:
        """Returns public tables that are being played, latest change first: every visitor may watch them."""
        return summarize_rows(listings.public_games(self.store))

    # -- changes -------------------------------------------------------------------------------------------------
    def follow_up(self, table: Table) -> None:
        """Starts the bots that are asked; calls `on_over` once the game is over."""
        if table.status != "over":
            self.bots.schedule(table)
        elif not table.result_saved and not self._closed.is_set():
            try:
                self.on_over(table)
            except StoreError as error:
                log.warning("How table %s ended will be kept when it is next looked at: %s", table.id, error)

    def rename_guest(self, guest: Guest, name: str) -> None:
        """Renames the guest's own seats; `guest` still has the old name. Finished games keep their names."""
        self._change_own_seats(guest, lambda row: seating.with_new_name(row, guest, name))

    def change_guest_shield(self, guest: Guest, shield: str) -> None:
        """Changes the shield of the guest's own seats. Finished games keep their shields."""
        self._change_own_seats(guest, lambda row: seating.with_shield(row, guest, shield))

    def _change_own_seats(self, guest: Guest, change: Callable[[TableRow], TableRow]) -> None:
        """Applies `change` to all of the guest's tables that are not over, in one transaction, without replaying their
        games. Raises StoreError after too many conflicts."""
        for _ in range(ATTEMPTS):
            rows = [row for row in listings.guest_tables(self.store, guest.id) if row.status != "over"]
            changed = [after for row in rows if (after := change(row)) is not row]
            try:
                self.repository.save_names(changed)
            except Conflict:
                continue  # a seat has changed meanwhile, or a game has ended
            for row in changed:
                if (table := self.cache.find(row.id)) is not None:
                    table.catch_up()
            return
        raise StoreError(t("Too many changes at once: please try again."))

    # -- internals -----------------------------------------------------------------------------------------------
    def _at(self, row: TableRow, requests: Sequence[AnswerRequest]) -> Table:
        return Table(
            self.repository,
            row,
            requests,
            self.follow_up,
            self._advise,
            self._peers.schedule_catch_up,
            self._run_soon,
        )

    def _advise(self, job: ThinkJob, done: Advised) -> None:
        self._thinkers.advise(job, done)

    def _is_interrupted(self, row: TableRow) -> bool:
        """Returns whether it is a bot's turn at a table with people that is not in the cache of this process."""
        playing = row.status == "playing" and any(not seat.is_played_by_bot for seat in row.seats)
        return (
            playing and any(row.seats[seat].is_played_by_bot for seat in row.asked) and self.cache.find(row.id) is None
        )
