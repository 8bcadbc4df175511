"""The other processes of the house, as one of them sees them (ADR 16). Where there is one process, nothing happens here.

Each says now and then that it is alive, and listens: a word in the database says that a table has an answer more, and
whoever has people at that table reads what is new and shows it to them. A word can be lost, with a connection for
instance: so the numbers of all tables that somebody looks at are compared every few seconds, too.
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
from veillee.house.community.chat import Talk
from veillee.house.errors import StoreError
from veillee.house.storage import leases
from veillee.house.storage.database import REACHED
from veillee.house.storage.leases import LEASE, Question
from veillee.house.storage.store import Store
from veillee.house.storage.table_rows import Version
from veillee.house.tables.cache import Memory
from veillee.house.tables.table import Table
from veillee.match.errors import VeilleeError

log = logging.getLogger(__name__)

BEAT = LEASE / 4  # seconds between two signs of life
COMPARE = 3.0  # seconds between two looks at the numbers of all tables that somebody looks at
WAIT = 60.0  # seconds for a word from the others; then it is waited for again
AGAIN = 0.5  # seconds until a lost connection is tried again


class Neighbours:
    """Two threads: one that listens, one that does what is to be done about it."""

    def __init__(self, store: Store, memory: Memory, guests: Guests, talk: Talk) -> None:
        self.me = secrets.token_hex(8)  # as the others know this process
        self._store = store
        self._memory = memory
        self._guests = guests
        self._talk = talk
        self.think_instead: Callable[[Table], None] = lambda _: None  # of one that is dead
        self._closed = threading.Event()
        self._listens = threading.Event()
        self._behind: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()  # how to read what is new
        self._waiting: dict[Question, Table] = {}  # what others think about, of tables that somebody is at
        self._lock = threading.Lock()  # of it
        self._cut_off = False
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._listen, self._tend)]

    def start(self) -> None:
        """Raises StoreError."""
        if self._store.shared:
            leases.gone(self._store, "")  # sweeps up
            ear, hands = self._threads
            ear.start()
            self._listens.wait(REACHED)  # whose line is not there counts as dead
            leases.alive(self._store, self.me)
            hands.start()

    def close(self) -> None:
        if not self._store.shared or self._closed.is_set():
            return
        self._closed.set()
        self._behind.put(None)
        try:
            leases.gone(self._store, self.me)
            self._store.tell("")  # wakes our own ear
        except StoreError as error:
            log.warning("The others find out by themselves that this process is gone: %s", error)
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def is_behind(self, table: Table) -> None:
        """Others have written there, and somebody here wants to know."""
        self._behind.put(table.listen_up)

    def thought_about(self, question: Question, table: Table) -> None:
        """Another process thinks about it: if that dies, somebody else must."""
        with self._lock:
            self._waiting[question] = table

    # -- inside -------------------------------------------------------------------------------------------------
    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                with self._store.listening(self.me) as words:
                    self._listens.set()
                    self._guests.forget()
                    self._compare()  # what was said while nobody listened
                    self._behind.put(self._talk.catch_up)
                    while not self._closed.is_set():
                        for word in words(WAIT):
                            self._hear(word)
                            if self._closed.is_set():
                                break
            except StoreError as error:
                self._say(error)
                self._closed.wait(AGAIN)
            except Exception:  # whatever was said: this ear must not go deaf
                log.exception("Something was heard that is not understood.")

    def _hear(self, word: str) -> None:
        match word.split():
            case ["table", table_id, requests, reseated] if requests.isdecimal() and reseated.isdecimal():
                table = self._memory.find(table_id)
                if table is not None:
                    self._heard(table, Version(int(requests), int(reseated)))
            case ["guest", guest]:
                self._guests.forget(guest)
            case ["talk", table_id]:
                self._behind.put(partial(self._talk.heard, table_id))

    def _heard(self, table: Table, version: Version) -> None:
        if table.heard_of(version):
            self._behind.put(table.listen_up)

    def _compare(self) -> None:
        """Is there news of which no word has come?"""
        looked_at = {table.id: table for table in self._memory.in_use() if table.is_followed}
        for table_id, version in self._store.versions(looked_at).items() if looked_at else ():
            self._heard(looked_at[table_id], version)

    def _tend(self) -> None:
        beat = compare = time.monotonic()  # no clock that somebody sets
        while not self._closed.is_set():
            try:
                read_on = self._behind.get(timeout=max(0.0, beat - time.monotonic()))
            except queue.Empty:
                read_on = None
            try:
                if read_on is not None:
                    read_on()
                now = time.monotonic()
                if now >= beat:
                    beat = now + BEAT
                    leases.alive(self._store, self.me)
                    self._cut_off = False
                    self._take_over()
                if now >= compare:
                    compare = now + COMPARE
                    self._compare()
            except VeilleeError as error:
                self._say(error)
            except Exception:  # one table's trouble is not the others'
                log.exception("What another process has done could not be shown.")

    def _say(self, error: VeilleeError) -> None:
        """Once, until it is over."""
        if not self._cut_off and not self._closed.is_set():
            self._cut_off = True
            log.warning("What the other processes do is not known: %s", error)

    def _take_over(self) -> None:
        """What nobody alive thinks about any more."""
        with self._lock:
            waiting = {question: table for question, table in self._waiting.items() if table.asks(question)}
            self._waiting = dict(waiting)
        if not waiting:
            return
        leases.bury(self._store)
        claimed = leases.claimed(self._store, {question.table for question in waiting})
        orphans = {question: table for question, table in waiting.items() if question not in claimed}
        with self._lock:
            for question in orphans:
                self._waiting.pop(question, None)
        for table in {table.id: table for table in orphans.values()}.values():
            self.think_instead(table)
