"""The other server processes, as seen from one of them (ADR 16). With a single process it does nothing.

Each process sends heartbeats and listens (LISTEN/NOTIFY): a message says that a table has a new answer, and each
process with people at that table loads and shows it. A message can be lost, for example with a connection, so the
versions of all watched tables are also compared every 3 s.
"""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable
from functools import partial

from veillee.house.accounts.guests import Guests
from veillee.house.background import SupervisedThread
from veillee.house.community.chat import Chat
from veillee.house.errors import StoreError
from veillee.house.storage import leases
from veillee.house.storage.database import DATABASE_CONNECT_TIMEOUT_SECONDS
from veillee.house.storage.leases import LEASE_SECONDS, Lease
from veillee.house.storage.store import Store
from veillee.house.tables.cache import TableCache
from veillee.house.tables.repository import TableRepository, Version
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

LEASE_HEARTBEAT_SECONDS = LEASE_SECONDS / 4  # seconds between two heartbeats
VERSION_CHECK_SECONDS = 3.0  # seconds between two comparisons of the versions of all watched tables
LISTEN_TIMEOUT_SECONDS = 60.0  # seconds to wait for a message before waiting again
RECONNECT_SECONDS = 0.5  # seconds until a reconnect


class Peers:
    """Two threads: one listens for messages, the other handles them."""

    def __init__(self, store: Store, memory: TableCache, guests: Guests, talk: Chat) -> None:
        self.process_id = secrets.token_hex(8)  # id of this process
        self._store = store
        self._repository = TableRepository(store)
        self._memory = memory
        self._guests = guests
        self._talk = talk
        self.on_orphaned_bots: Callable[[Table], None] = lambda _: None  # called when their process has died
        self._closed = threading.Event()
        self._listens = threading.Event()
        self._behind: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()  # callbacks that catch up
        self._waiting: dict[Lease, Table] = {}  # leased to other processes, at tables with people here
        self._lock = threading.Lock()  # guards _waiting
        self._was_disconnected = False
        self._listener = SupervisedThread(
            "peers-listener", self._listen, failure="Other processes are not heard", is_essential=True
        )
        self._heartbeat = SupervisedThread(
            "peers-heartbeat", self._run_heartbeat, failure="Other processes are not told", is_essential=True
        )

    def start(self) -> None:
        """Starts both threads. Raises StoreError."""
        if self._store.is_shared:
            leases.unregister(self._store, "")  # removes expired processes and their claims
            self._listener.start()
            self._listens.wait(DATABASE_CONNECT_TIMEOUT_SECONDS)  # without LISTEN it would count as dead (leases.bury)
            leases.send_heartbeat(self._store, self.process_id)
            self._heartbeat.start()

    def close(self) -> None:
        if not self._store.is_shared or self._closed.is_set():
            return
        self._closed.set()
        for thread in (self._listener, self._heartbeat):
            thread.signal_stop()
        self._behind.put(None)
        try:
            leases.unregister(self._store, self.process_id)
            self._store.notify("")  # wakes our own listening thread
        except StoreError as error:
            log.warning("The others find out by themselves that this process is gone: %s", error)
        for thread in (self._listener, self._heartbeat):
            thread.stop()

    def schedule_catch_up(self, table: Table) -> None:
        """Schedules loading of what other processes have written at this table."""
        self._behind.put(table.catch_up_if_behind)

    def claimed_elsewhere(self, question: Lease, table: Table) -> None:
        """Records that another process answers this question: if it dies, this process takes over."""
        with self._lock:
            self._waiting[question] = table

    # -- inside -------------------------------------------------------------------------------------------------
    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                with self._store.listening(self.process_id) as words:
                    self._listens.set()
                    self._guests.invalidate()
                    self._check_versions()  # catches up on messages missed while disconnected
                    self._behind.put(self._talk.catch_up)
                    while not self._closed.is_set():
                        for word in words(LISTEN_TIMEOUT_SECONDS):
                            self._receive(word)
                            if self._closed.is_set():
                                break
            except StoreError as error:
                self._send_heartbeat(error)
                self._closed.wait(RECONNECT_SECONDS)
            except Exception:  # no message may end the listening thread
                log.exception("Something was heard that is not understood.")

    def _receive(self, word: str) -> None:
        match word.split():
            case ["table", table_id, requests, reseated] if requests.isdecimal() and reseated.isdecimal():
                table = self._memory.find(table_id)
                if table is not None:
                    self._handle_notification(table, Version(int(requests), int(reseated)))
            case ["guest", guest]:
                self._guests.invalidate(guest)
            case ["talk", table_id]:
                self._behind.put(partial(self._talk.refresh, table_id))

    def _handle_notification(self, table: Table, version: Version) -> None:
        if table.note_remote_version(version):
            self._behind.put(table.catch_up_if_behind)

    def _check_versions(self) -> None:
        """Compares the versions of all watched tables, in case a message was lost."""
        looked_at = {table.id: table for table in self._memory.in_use() if table.is_followed}
        for table_id, version in self._repository.load_versions(looked_at).items() if looked_at else ():
            self._handle_notification(looked_at[table_id], version)

    def _run_heartbeat(self) -> None:
        beat = compare = time.monotonic()  # monotonic: not affected when the clock is set
        while not self._closed.is_set():
            try:
                read_on = self._behind.get(timeout=max(0.0, beat - time.monotonic()))
            except queue.Empty:
                read_on = None
            try:
                with self._heartbeat.working():
                    if read_on is not None:
                        read_on()
                    now = time.monotonic()
                    if now >= beat:
                        beat = now + LEASE_HEARTBEAT_SECONDS
                        leases.send_heartbeat(self._store, self.process_id)
                        self._was_disconnected = False
                        self._take_over()
                    if now >= compare:
                        compare = now + VERSION_CHECK_SECONDS
                        self._check_versions()
            except VeilleeError as error:
                self._send_heartbeat(error)
            except Exception:  # an error at one table must not affect the others
                log.exception("What another process has done could not be shown.")

    def _send_heartbeat(self, error: VeilleeError) -> None:
        """Logs an error once, until the connection is back."""
        if not self._was_disconnected and not self._closed.is_set():
            self._was_disconnected = True
            log.warning("What the other processes do is not known: %s", error)

    def _take_over(self) -> None:
        """Takes over questions whose process has died."""
        with self._lock:
            waiting = {question: table for question, table in self._waiting.items() if table.is_asking(question)}
            self._waiting = dict(waiting)
        if not waiting:
            return
        leases.drop_disconnected(self._store)
        claimed = leases.claimed_leases(self._store, {question.table for question in waiting})
        orphans = {question: table for question, table in waiting.items() if question not in claimed}
        with self._lock:
            for question in orphans:
                self._waiting.pop(question, None)
        for table in {table.id: table for table in orphans.values()}.values():
            self.on_orphaned_bots(table)
