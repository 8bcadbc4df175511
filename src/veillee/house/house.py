"""The house: builds every service once, and starts and stops them in order."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from veillee.house.accounts.guest import Guest
from veillee.house.accounts.guests import Guests
from veillee.house.accounts.quiet_hours import QuietHoursStore
from veillee.house.accounts.service import Accounts
from veillee.house.analysis.puzzle_collector import PuzzleCollector
from veillee.house.analysis.puzzles import PuzzleCollection
from veillee.house.analysis.queue import AnalysisQueue
from veillee.house.analysis.strength import StrengthService
from veillee.house.background import Background, ThreadBackground, logged
from veillee.house.championships.service import Championships
from veillee.house.circles.service import Circles
from veillee.house.cluster.peers import Peers
from veillee.house.community.chat import Chat
from veillee.house.community.moderation import BanList, ModerationEntry
from veillee.house.community.presence import Presence
from veillee.house.community.private_notes import PrivateNotes
from veillee.house.community.substitutes import SubstituteVotes
from veillee.house.errors import StoreError
from veillee.house.house_time import Now, SteadyClock
from veillee.house.notifications.turn_watcher import TurnWatcher
from veillee.house.profile import Profile
from veillee.house.results import ratings
from veillee.house.results.daily_deals import DailyDeals
from veillee.house.results.results import Results
from veillee.house.storage import leases, uptime
from veillee.house.storage.store import Store
from veillee.house.tables.archive import TableArchive
from veillee.house.tables.by_link import TableLinks
from veillee.house.tables.cache import TableCache
from veillee.house.tables.clocks.timeouts import TimeoutWatcher
from veillee.house.tables.repository import TableRow
from veillee.house.tables.service import Tables
from veillee.house.tables.table import Table
from veillee.house.workers.balance_study import BalanceStudy
from veillee.house.workers.engine_upgrade import EngineUpgradeWatcher
from veillee.house.workers.inline import InlineThinkers
from veillee.house.workers.jobs import Thinkers
from veillee.house.workers.pool import ThinkerPool
from veillee.match.errors import VeilleeError
from veillee.match.match import Match


class House:
    """The house as a whole. Safe to use from any thread; nothing is acknowledged before it is on disk."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        pause: float,
        background: Background | None = None,
        analyses: AnalysisQueue | None = None,
    ) -> None:
        """Use House.open(). background: by default threads. analyses: by default in a worker process."""
        self.store = store
        self.profile = Profile()  # replaced by the operator's (web/settings.py)
        self.thinkers = thinkers
        self.engine_upgrade = EngineUpgradeWatcher(thinkers)
        self._closed = threading.Event()
        self._background = background or ThreadBackground()
        self.guests = Guests(store)
        self.quiet_hours = QuietHoursStore(store)
        self.presence = Presence(store)
        self.chat = Chat(store)
        self.private_notes = PrivateNotes(store)
        self.bans = BanList(store, self._on_moderation)
        cache = TableCache()
        self.peers = Peers(store, cache, self.guests, self.chat)
        self.tables = Tables(
            store,
            cache,
            thinkers,
            self.peers,
            self.bans,
            pause=pause,
            background=self._background,
            closed=self._closed,
        )
        self.table_links = TableLinks(self.tables)
        self.archive = TableArchive(store, cache, self.tables.find)
        self.accounts = Accounts(store, self.guests, self.tables, self.archive.delete, self.chat.refresh)
        self.results = Results(store, self.tables.find)
        self.daily_deals = DailyDeals(store, self.tables)
        self.substitutes = SubstituteVotes(store, self.presence, self.quiet_hours)
        self.turn_watcher = TurnWatcher(store, self.presence, self.quiet_hours, self.tables.load)
        self.timeouts = TimeoutWatcher(store, self.quiet_hours, self.tables.load, self.tables.follow_up)
        self.timeouts.add_task("presence", self.presence.poll)
        self.timeouts.add_task("turn watcher", self.turn_watcher.poll)
        self.timeouts.add_task("ban list", self.bans.refresh)
        self.analyses = analyses or AnalysisQueue(store)
        self.balance_study = BalanceStudy()
        self.analyses.is_house_busy = self._has_waiting_jobs
        self.strength = StrengthService(
            store, self.analyses, self.tables.load, self.peers.process_id, self._background, self._closed
        )
        self.championships = Championships(store, self.tables, self.analyses, self.peers.process_id)
        self.analyses.on_analysed = self._on_analysed
        self.circles = Circles(store, self.results, self.presence, self.bans.is_closed)
        self.guests.on_new = self._on_new_guest
        self.timeouts.add_task("championships", self.championships.rounds.poll)
        self.tables.resolve_levels = self.strength.resolve_levels
        self.tables.on_over = self._on_over
        self.tables.is_on_shelf = lambda box_id: self.profile.has_box(box_id)  # noqa: PLW0108 - the profile is replaced
        self.tables.repository.before_delete = self._before_delete
        self.puzzles = PuzzleCollection(store, self.tables.replay, self.bans.is_closed)
        self.puzzle_collector = PuzzleCollector(store, self.tables.replay, self.peers.process_id, self._is_busy)

    @classmethod
    def open(
        cls, place: str | Path, *, workers: int | None = None, pause: float = 0.6, now: Now | None = None
    ) -> House:
        """Opens the store: a folder, a SQLite file or a database URL. Tables are loaded when they are first asked for.

        workers: number of processes that think for the bots (default: processors of the machine - 1, at least 1); 0:
        bots answer with their first idea, synchronously in the thread that changed the table (tests, tools).
        pause: seconds that a bot waits before it answers, when people have been shown what happened before: they can
        follow, and take an answer back.
        now: the clock; by default that of the machine, whose jumps are held (house_time.py).
        Raises StoreError.
        """
        store = Store.open(place, alone=True, now=SteadyClock() if now is None else now)
        number = max(1, (os.cpu_count() or 1) - 1) if workers is None else workers
        house = cls(
            store,
            ThinkerPool(number, at_once=store.is_shared) if number else InlineThinkers(),
            pause if number else 0.0,
        )
        try:
            uptime.record_opening(store, others=leases.any_process_alive(store))
            house.peers.start()
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
        self.thinkers.close()
        self.analyses.close()
        self.balance_study.cancel()
        self.peers.close()
        self.guests.invalidate()
        self.store.close()
        self._background.close()  # after the store, whose writer submits to it

    def _on_new_guest(self, guest: Guest) -> None:
        if self.profile.is_invitation_only and self.profile.house_circle:
            self.circles.welcome(guest, self.profile.house_circle)

    def _on_over(self, table: Table) -> None:
        self.results.save(table)
        self.strength.on_game_over(table)
        self.championships.on_game_over(table)

    def _on_analysed(self, table_id: str, match: Match, rows: Sequence[Mapping[str, Any]]) -> None:
        with logged("How people have answered at table %s cannot be recorded", table_id):
            self.strength.record_analysis(table_id, match, rows)
        self.championships.on_analysed(table_id)

    def _before_delete(self, db: sa.Connection, row: TableRow) -> None:
        ratings.record_forfeit(db, row, self.store.now())

    def _has_waiting_jobs(self) -> bool:
        """Returns whether a question for a bot or a hint is waiting."""
        return any(self.thinkers.count_waiting().values())

    def _is_busy(self) -> bool:
        """Returns whether a question for a bot, a hint or an analysis is waiting."""
        return self._has_waiting_jobs() or self.analyses.is_busy()

    def _on_moderation(self, act: ModerationEntry) -> None:
        """Updates what this process holds in memory after a moderator's act."""
        if act.what in ("ban", "rename"):
            self.guests.invalidate(act.whom)
        if act.what == "ban address":
            self.guests.invalidate()  # every open stream checks its address again
        if act.what == "rename":
            for table in self.tables.cache.in_use():
                with contextlib.suppress(VeilleeError):
                    table.catch_up()
        if act.what == "message":
            self.chat.refresh(act.whom.partition(" ")[0])
        if act.what == "close" and (closed := self.tables.cache.find(act.whom)) is not None:
            self.tables.cache.drop(act.whom)
            closed.close()
