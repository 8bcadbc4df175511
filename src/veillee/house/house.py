"""The facade that the web server and the command line use: guests, tables, bots and the store."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from veillee.games import catalogue
from veillee.games.box import Box
from veillee.games.first_game import first_game
from veillee.house import house_time
from veillee.house.accounts import personal_data, shields
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.guests import Guests
from veillee.house.accounts.names import clean_name
from veillee.house.accounts.quiet_hours import QuietHoursStore
from veillee.house.analysis.puzzle_collector import PuzzleCollector
from veillee.house.analysis.puzzles import CollectedPuzzle, load_collected
from veillee.house.analysis.queue import AnalysisQueue
from veillee.house.analysis.strength import StrengthService
from veillee.house.background import FollowUpExecutor
from veillee.house.cluster.peers import Peers
from veillee.house.community.chat import Chat
from veillee.house.community.moderation import Act, BanList
from veillee.house.community.presence import Presence
from veillee.house.community.substitutes import SubstituteVotes
from veillee.house.errors import BadRequest, Banned, NoTable, NotNow, NotYours, StoreError, t
from veillee.house.house_time import Now
from veillee.house.notifications.turn_watcher import TurnWatcher
from veillee.house.results import daily_deals
from veillee.house.results.results import Results
from veillee.house.storage import leases, owner_content, uptime
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables import creation, listings
from veillee.house.tables.archive import TableArchive
from veillee.house.tables.bots.scheduler import BotScheduler
from veillee.house.tables.cache import TableCache
from veillee.house.tables.clocks.time_control import UNTIMED, TimeControl
from veillee.house.tables.clocks.timeouts import TimeoutWatcher
from veillee.house.tables.creation import TABLE_ID, TableTerms, find_box, rematch_plan
from veillee.house.tables.listings import TableSummary, summarize_rows
from veillee.house.tables.repository import AnswerRequest, TableRepository, TableRow
from veillee.house.tables.seats import SUBSTITUTE_LEVEL, UNRATED, Seat, SeatPlan, is_adaptive_level
from veillee.house.tables.table import Table
from veillee.house.workers.engine_upgrade import EngineUpgradeWatcher
from veillee.house.workers.inline import InlineThinkers
from veillee.house.workers.jobs import Advised, Thinkers, ThinkJob
from veillee.house.workers.pool import ThinkerPool
from veillee.match import seeds
from veillee.match.errors import VeilleeError
from veillee.match.match import Match
from veillee.match.owner_content import missing
from veillee.match.puzzles import earlier

log = logging.getLogger(__name__)


class House:
    """The house as a whole. Safe to use from any thread; nothing is acknowledged before it is on disk."""

    def __init__(self, store: Store, thinkers: Thinkers, pause: float) -> None:
        """Use House.open()."""
        self.store = store
        self.engine_upgrade = EngineUpgradeWatcher(thinkers)
        self._thinkers = thinkers
        self._closed = threading.Event()
        self._follow_ups = FollowUpExecutor()
        self._cache = TableCache()
        self.guests = Guests(store)
        self.table_repository = TableRepository(store)
        self.archive = TableArchive(store, self._cache, self.table)
        self.results = Results(store, self.table)
        self.quiet_hours = QuietHoursStore(store)
        self.presence = Presence(store)
        self.substitutes = SubstituteVotes(store, self.presence, self.quiet_hours)
        self.timeouts = TimeoutWatcher(store, self.quiet_hours, self._open_table, self._after_change)
        self.turn_watcher = TurnWatcher(store, self.presence, self.quiet_hours, self._open_table)
        self.timeouts.add_task(self.presence.poll)
        self.timeouts.add_task(self.turn_watcher.poll)
        self.chat = Chat(store)
        self.bans = BanList(store, self._on_moderation)
        self.timeouts.add_task(self.bans.refresh)
        self.analyses = AnalysisQueue(store, busy=lambda: any(self.waiting_thoughts().values()))
        self._peers = Peers(store, self._cache, self.guests, self.chat)
        self._bot_scheduler = BotScheduler(store, thinkers, self._peers, self._open_table, pause, self._closed)
        self.strength = StrengthService(store, self.analyses, self._open_table, self._peers.process_id, self._closed)
        self.puzzle_collector = PuzzleCollector(store, self._read, self._peers.process_id, self._is_busy)
        self.collects_puzzles = True  # puzzles, from public games; the operator may turn it off

    @classmethod
    def open(cls, place: str | Path, *, workers: int | None = None, pause: float = 0.6, now: Now = time.time) -> House:
        """Opens the store: a folder, a SQLite file or a database URL. Tables are loaded when they are first asked for.

        workers: number of processes that think for the bots (default: processors of the machine - 1, at least 1); 0:
        bots answer with their first idea, synchronously in the thread that changed the table (tests, tools).
        pause: seconds that a bot waits before it answers, when people have been shown what happened before: they can
        follow, and take an answer back.
        now: the clock (house_time.py).
        Raises StoreError.
        """
        store = Store.open(place, alone=True, now=now)
        number = max(1, (os.cpu_count() or 1) - 1) if workers is None else workers
        house = cls(
            store,
            ThinkerPool(number, at_once=store.is_shared) if number else InlineThinkers(),
            pause if number else 0.0,
        )
        try:
            uptime.record_opening(store, others=leases.any_process_alive(store))
            house._peers.start()
            house.bans.refresh()
        except StoreError:
            house.close()
            raise
        return house

    def close(self) -> None:
        """Stops the bots and closes the store. Nothing is lost without it, but the latest answers may then be in the
        -wal file only.
        """
        if not self._closed.is_set():
            with contextlib.suppress(StoreError):
                uptime.record_heartbeat(self.store)
        self._closed.set()
        self.timeouts.stop()
        self.engine_upgrade.stop()
        self.puzzle_collector.stop()
        self._thinkers.close()
        self.analyses.close()
        self._peers.close()
        self.guests.invalidate()
        self.store.close()
        self._follow_ups.close()  # after the store, whose writer submits to it

    # -- guests -------------------------------------------------------------------------------------------------
    def new_guest(self, name: str, device: str = "", *, chosen: bool = True) -> Guest:
        """Creates a guest (Guests.new). Raises BadRequest."""
        return self.guests.new(name, device, chosen=chosen)

    def guest(self, token: str) -> Guest | None:
        """Returns the guest of this cookie; None for a token that is not known."""
        return self.guests.find(token)

    def rename(self, guest: Guest, name: str) -> Guest:
        """Renames the guest, also at tables that wait or are being played. Finished games keep the old name."""
        shown = clean_name(name)
        self.guests.change(guest, name=shown, chosen=True)
        self._tables_with_seat(guest, lambda table: table.rename(guest, shown))
        return replace(guest, name=shown, token="", has_chosen_name=True)

    def change_shield(self, guest: Guest, shield: str) -> Guest:
        """Changes the guest's shield, also at tables that wait or are being played. Raises BadRequest."""
        code = shields.parse_shield(shield).code
        self.guests.change(guest, shield=code)
        self._tables_with_seat(guest, lambda table: table.change_shield(guest, code))
        return replace(guest, shield=code, token="")

    def _tables_with_seat(self, guest: Guest, change: Callable[[Table], None]) -> None:
        """Applies `change` to each of the guest's tables that is not over."""
        for row in listings.guest_tables(self.store, guest.id):
            if row.status != "over":
                with contextlib.suppress(NoTable, Banned):  # the table cannot be opened here
                    change(self.table(row.id))

    def forget(self, guest: Guest) -> None:
        """Deletes the guest. Games that others played with them stay readable; tables where no other guest sits are
        deleted.
        """
        for _ in range(personal_data.MAX_ATTEMPTS):
            for table_id in personal_data.tables_with_seat(self.store, guest.id):
                self._forget_at(guest, table_id)
            try:
                spoke = personal_data.erase_guest(self.store, guest.id)
            except Conflict:  # the guest has taken a seat meanwhile
                continue
            self.guests.invalidate(guest.id)
            for table_id in spoke:
                self.chat.refresh(table_id)
            return
        raise StoreError(t("Too many changes at once: please try again."))

    def _forget_at(self, guest: Guest, table_id: str) -> None:
        try:
            table = self.table(table_id)
        except (NoTable, Banned):  # a moderator closed it, or its game is not installed
            personal_data.vacate_seats(self.store, guest.id, table_id)
            return
        try:
            self.archive.delete(guest, table_id)
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
        pace: TimeControl = UNTIMED,
    ) -> Table:
        """Creates a table with one seat per plan. It starts at once if no seat is open. public: listed in
        open_tables().

        hints: players may ask for advice (Table.hint). pace: the time control.
        rated: it counts for the ratings (house/results/ratings.py); requires no hints, and one person per seat.
        luck: the guest's word for the shuffle. Raises BadRequest, or veillee.match.errors.Unknown for an option that
        the game does not have.
        """
        if rated and (hints or any(plan.kind == "hotseat" for plan in plans)):
            raise BadRequest(t("A rated table is for one person on each seat, without hints."))
        if rated and any(plan.kind == "bot" and is_adaptive_level(plan.level) for plan in plans):
            raise BadRequest(UNRATED)
        box = find_box(game)
        terms = TableTerms(box, plans, options or {}, luck, public=public, hints=hints, pace=pace, rated=rated)
        return self._create_table(guest, terms)

    def play_now(self, guest: Guest, game: str, level: str = SUBSTITUTE_LEVEL) -> Table:
        """Creates a table of the guest against bots, with the game's usual number of seats."""
        box = find_box(game)
        plans = [SeatPlan("me")] + [SeatPlan("bot", level=level)] * (box.usual - 1)
        return self._create_table(guest, TableTerms(box, plans))

    def first_game(self, guest: Guest, game: str) -> Table:
        """Creates the guest's guided first game: a deal chosen for teaching, scripted bots. Raises BadRequest."""
        box = find_box(game)
        first = first_game(box)
        if first is None:
            raise BadRequest(t("{game} has no guided first game yet.", game=box.title))
        plans = [SeatPlan("me" if seat == first.me else "bot", level=first.level) for seat in range(first.seats)]
        return self._create_table(
            guest, TableTerms(box, plans, first.options, seed=seeds.seed_from(first.seed), guide="on")
        )

    def deal_of_the_day(self, guest: Guest, game: str) -> Table:
        """Returns the guest's table with today's deal; creates it if they have not begun it. Raises BadRequest, NotNow."""
        box, day = find_box(game), house_time.today(self.store.now)
        daily_deals.seal_deals(self.store, [box.id])
        deal = daily_deals.load_deals(self.store, day)[box.id]
        if daily_deals.load_result(self.store, day, box.id, guest.id) is None:
            with contextlib.suppress(Conflict):  # begun at the same moment by another request
                alike = TableTerms(
                    box, daily_deals.seat_plans(box, day), hints=False, seed=deal.seed, deal=day.isoformat()
                )
                return self._create_table(guest, alike)
        begun = daily_deals.load_result(self.store, day, box.id, guest.id)
        if begun is None or not begun.table_id:
            raise NotNow(t("You have played this deal, and cleared its table away: there is another one tomorrow."))
        return self.table(begun.table_id)

    def play_on(self, guest: Guest, table: Table, at: int, seat: int) -> Table:
        """Creates a table that continues from a moment of a finished game: the guest on that seat, the same bots as
        then, and other bots in place of the people. It is not rated, and its record names the original table. Raises
        NotNow, BadRequest.
        """
        match = table.match
        if not match.over or table.is_deal_of_today:
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
            branch=f"{table.id} {at}",
            played=match.answers[:at],
        )
        return self._create_table(guest, terms)

    def seat_bot(self, guest: Guest, table: Table, seat: int, level: str = SUBSTITUTE_LEVEL) -> None:
        """Puts a bot on an open seat for a guest who sits at the table; an adaptive level is fitted to that guest's
        strength.
        """
        (plan,) = self.strength.resolve_levels(guest.id, table.box, [SeatPlan("bot", level=level)])
        table.seat_bot(guest, seat, plan.level)

    def table(self, table_id: str) -> Table:
        """Returns the table in its current state, for a guest who looks at it. Raises NoTable, ShownTheDoor."""
        self.bans.check("table", table_id)
        table = self._open_table(table_id)
        table.visited_at = time.monotonic()
        self._after_change(table)
        return table

    def replay_table(self, table_id: str) -> Table:
        """Replays the table from its stored answers, without the cache. Raises NoTable, StoreError."""
        return self._read(table_id)

    def cached_table(self, table_id: str) -> Table | None:
        """Returns the table from the cache if it is in use, its bots are scheduled, and no other process can have
        changed it (SQLite). Does not read the database and does not block.
        """
        table = None if self.store.is_shared else self._cache.find(table_id)
        if table is None or not table.has_audience():
            return None
        table.visited_at = time.monotonic()
        return table

    def my_tables(self, guest: Guest) -> list[TableSummary]:
        """Returns the tables where the guest sits, latest change first. Resumes bots that were interrupted there."""
        rows = listings.guest_tables(self.store, guest.id)
        if interrupted := [row.id for row in rows if self._is_interrupted(row)]:
            self._bot_scheduler.resume(interrupted, self.table)
            rows = listings.guest_tables(self.store, guest.id)
        return summarize_rows(rows)

    def open_tables(self, game: str | None = None) -> list[TableSummary]:
        """Returns public tables with an open seat where at least one guest sits, latest change first."""
        box = find_box(game) if game is not None else None
        rows = [row for row in listings.waiting_tables(self.store) if any(seat.guest for seat in row.seats)]
        rows = [row for row in rows if not self.bans.is_closed(row.id)]
        return [glance for glance in summarize_rows(rows) if box is None or glance.box is box]

    def public_games(self) -> list[TableSummary]:
        """Returns public tables that are being played, latest change first: every visitor may watch them."""
        return summarize_rows(listings.public_games(self.store))

    def rematch(self, guest: Guest, table: Table) -> Table:
        """Returns a table with the same people, each one seat further. The first guest who asks creates it, the others
        join it.
        """
        if table.status != "over":
            raise NotNow(t("A rematch can be asked for once the game is over."))
        mine = table.seats_of(guest)
        if not mine:
            raise NotYours(t("Only those who played can ask for a rematch."))
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
                made = self._create_table(guest, terms, before=table.seats)
            except Conflict:
                table.catch_up()
            else:
                table.set_rematch(made.id)
                return made
        joined = self.table(table.rematch_id)
        for number in mine:
            place = (number - 1) % len(joined.seats)
            if joined.seats[place].kind == "open":
                with contextlib.suppress(NotNow):  # another guest took the seat first: this guest can still watch
                    joined.sit(guest, place, table.seats[number].name)
        return joined

    def waiting_thoughts(self) -> dict[str, int]:
        """Returns how many questions wait for a worker, for bots and for advice."""
        return self._thinkers.count_waiting()

    def puzzles(self, box: Box) -> list[CollectedPuzzle]:
        """Returns the puzzles collected here, oldest first, without those from tables that a moderator closed."""
        every = load_collected(self.store, box) if self.collects_puzzles else []
        return [one for one in every if not self.bans.is_closed(one.table_id)]

    def asked(self, puzzle: CollectedPuzzle) -> Match | None:
        """Returns the match of a puzzle at its position, read-only. None: this version can no longer replay it. Raises
        StoreError.
        """
        try:
            match = earlier(self._read(puzzle.table_id).match, puzzle.at)
        except StoreError:
            raise
        except VeilleeError:
            return None
        return match if puzzle.seat in match.to_act else None

    def _is_busy(self) -> bool:
        """Returns whether a question for a bot, a hint or an analysis is waiting."""
        return any(self.waiting_thoughts().values()) or self.analyses.is_busy()

    # -- inside -------------------------------------------------------------------------------------------------
    def _create_table(self, guest: Guest, terms: TableTerms, before: Sequence[Seat] = ()) -> Table:
        """Creates and saves a table. before: the seats of the table whose rematch it is."""
        options = terms.validated_options()
        owner_content.save_content(self.store, terms.box, options)
        plans = self.strength.resolve_levels(guest.id, terms.box, terms.plans)
        row = creation.new_row(self.store, guest, terms, options, plans)
        table = self._at(row, [AnswerRequest(seat, (action,)) for seat, action in terms.played])
        table.visited_at = time.monotonic()
        if before:
            table.keep_seats(before)
        self.table_repository.add(table.moment.row, terms.rematch_of, terms.played)
        self._cache.add(table)
        self._after_change(table)
        return table

    def _open_table(self, table_id: str) -> Table:
        table, fresh = self._cache.get(table_id, self._read)
        if self.store.is_shared and not fresh:
            table.catch_up()
        if table.is_deleted:
            self._cache.drop(table_id)
            raise NoTable(t("This table was deleted."))
        return table

    def _read(self, table_id: str) -> Table:
        found = self.table_repository.find(table_id) if TABLE_ID.fullmatch(table_id) else None
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
        before = self.table_repository.find_rematch_origin(table_id) if row.status == "waiting" else None
        if before is not None:
            table.keep_seats(before.seats)
        return table

    def _at(self, row: TableRow, requests: Sequence[AnswerRequest]) -> Table:
        waits = self.store.is_shared or isinstance(
            self._thinkers, InlineThinkers
        )  # follow-ups run in the caller's thread
        soon = None if waits else self._follow_ups.submit
        return Table(
            self.table_repository, row, requests, self._after_change, self._advise, self._peers.schedule_catch_up, soon
        )

    def _is_interrupted(self, row: TableRow) -> bool:
        """Returns whether it is a bot's turn at a table with people that is not in the cache of this process."""
        playing = row.status == "playing" and any(not seat.is_played_by_bot for seat in row.seats)
        return (
            playing and any(row.seats[seat].is_played_by_bot for seat in row.asked) and self._cache.find(row.id) is None
        )

    def _after_change(self, table: Table) -> None:
        """Starts the bots that are asked; saves the result once the game is over."""
        if table.status != "over":
            self._bot_scheduler.schedule(table)
        elif not table.result_saved and not self._closed.is_set():
            try:
                self.results.save(table)
                self.strength.on_game_over(table)
            except StoreError as error:
                log.warning("How table %s ended will be kept when it is next looked at: %s", table.id, error)

    def _on_moderation(self, act: Act) -> None:
        """Updates what this process holds in memory after a moderator's act."""
        if act.what in ("ban", "rename"):
            self.guests.invalidate(act.whom)
        if act.what == "ban address":
            self.guests.invalidate()  # every open stream checks its address again
        if act.what == "rename":
            for table in self._cache.in_use():
                with contextlib.suppress(VeilleeError):
                    table.catch_up()
        if act.what == "message":
            self.chat.refresh(act.whom.partition(" ")[0])
        if act.what == "close" and (closed := self._cache.find(act.whom)) is not None:
            self._cache.drop(act.whom)
            closed.close()

    def _advise(self, job: ThinkJob, done: Advised) -> None:
        self._thinkers.advise(job, done)
