"""The event loop waits for nothing: it serves readers while the disk holds up every writer.

What would make it wait is looked for, not timed: it must neither use the database nor meet a lock whose holder does. How
long it stands still is measured by tools/stress/faults.py.
"""

from __future__ import annotations

import asyncio
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import ClassVar

import httpx
import pytest
import uvicorn

from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.web.app import create_app
from veillee.web.http.gate import RequestGate
from veillee.web.http.rate_limits import Limits, Rate, RateLimiter
from veillee.web.serving.server import open_socket

GAME = "takara-island"
PATIENCE = 60
FAST = Rate(10**6, 10.0**6)
HELD_SECONDS = 3.0
# A loop that waits for the writer stands still for as long as that; one that does not, for as long as a busy machine
# takes to give it a processor.
MAX_LAG_SECONDS = HELD_SECONDS / 2
MAX_LOCK_WAIT_SECONDS = HELD_SECONDS / 10
LOCKS = (type(threading.Lock()), type(threading.RLock()))


class LockWatch:
    """A lock that notes where the event loop's thread had to wait for it, for how long, and whether for the disk: its
    holder is writing, or waits for those who do.
    """

    writers: ClassVar[set[int]] = set()  # threads that hold the lock of writers, or wait for it

    def __init__(self, lock, loop_thread, waits, *, is_writers=False):
        self._lock, self._loop_thread, self._waits, self._is_writers = lock, loop_thread, waits, is_writers
        self._holder = 0

    def acquire(self, blocking=True, timeout=-1):
        me = threading.get_ident()
        if self._is_writers:
            self.writers.add(me)
        taken = self._lock.acquire(False)
        if not taken and blocking:
            began, holder = time.monotonic(), self._holder
            taken = self._lock.acquire(blocking, timeout)
            if me == self._loop_thread.ident:
                for_disk = self._is_writers or holder in {*self.writers, me}
                self._waits.append((for_disk, time.monotonic() - began, "".join(traceback.format_stack(limit=8))))
        elif me == self._loop_thread.ident and blocking:
            self._waits.append((False, 0.0, ""))
        if taken:
            self._holder = me
        return taken

    def release(self):
        if self._is_writers:
            self.writers.discard(threading.get_ident())
        self._lock.release()

    def __enter__(self):
        self.acquire()

    def __exit__(self, *_):
        self.release()


class Lag:
    """The longest time between two turns of an event loop."""

    def __init__(self, loop):
        self.longest, self._loop, self._last = 0.0, loop, time.monotonic()
        loop.call_soon_threadsafe(self._turn)

    def _turn(self):
        now = time.monotonic()
        self.longest = max(self.longest, now - self._last)
        self._last = now
        self._loop.call_later(0.005, self._turn)

    def begin(self):
        self.longest, self._last = 0.0, time.monotonic()


@pytest.fixture
def served(tmp_path):
    """A house behind its gate: its address, the house, the loop and its thread."""
    house, sock, meter = (
        House.open(tmp_path, workers=1),
        open_socket("127.0.0.1", 0),
        RateLimiter(Limits(requests=FAST, requests_of_address=FAST)),
    )
    server = uvicorn.Server(
        uvicorn.Config(
            RequestGate(create_app(house, meter=meter), meter),
            log_config=None,
            lifespan="off",
            timeout_graceful_shutdown=1,
            forwarded_allow_ips=["127.0.0.1"],
        )
    )
    loops = []

    async def serve():
        loops.append(asyncio.get_running_loop())
        await server.serve(sockets=[sock])

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    url = f"http://127.0.0.1:{sock.getsockname()[1]}"
    assert httpx.get(f"{url}/healthz", timeout=PATIENCE).status_code == 200
    yield url, house, loops[0], thread
    server.should_exit = True
    thread.join()
    sock.close()
    house.close()


def watch_locks(waits, thread, *things):
    for thing in things:
        for name, value in list(vars(thing).items()):
            if isinstance(value, LOCKS):
                setattr(thing, name, LockWatch(value, thread, waits, is_writers=name == "_writing"))


def watch_database(uses, thread, store):
    """Notes where the event loop's thread uses the database."""
    opened = store._open

    def watched(engine):
        if threading.current_thread() is thread:
            uses.append("".join(traceback.format_stack(limit=8)))
        return opened(engine)

    store._open = watched


@contextmanager
def held(lock):
    """Holds the lock in another thread, for so many seconds."""
    taken = threading.Event()

    def hold():
        with lock:
            taken.set()
            time.sleep(HELD_SECONDS)

    holder = threading.Thread(target=hold)
    holder.start()
    assert taken.wait(PATIENCE)
    yield
    holder.join()


def test_readers_are_served_while_the_disk_holds_up_every_writer(served):
    url, house, loop, thread = served
    ada, eve = house.guests.new("Ada"), house.guests.new("Eve")
    plans = [SeatPlan("me"), SeatPlan("open")]
    table = house.tables.create(ada, GAME, plans)
    table.sit(eve, 1)
    asked = ada if 0 in table.match.to_act else eve
    seat = table.seats_of(asked)[0]

    def client(guest, number):
        headers = {"Origin": url, "X-Forwarded-For": f"192.0.2.{number}"}
        return httpx.Client(base_url=url, cookies={"guest": guest.token}, headers=headers, timeout=PATIENCE)

    data = {"seat": str(seat), "stamp": table.stamp(seat), "a": str(table.match.choices(seat)[0].id)}
    data["sure"] = data["stamp"]
    waits, uses, before = [], [], len(table.match.answers)
    with ExitStack() as closing:
        player, reader = (closing.enter_context(client(guest, n)) for n, guest in enumerate((asked, eve)))
        for path in ("/", f"/t/{table.id}", f"/api/tables/{table.id}"):
            assert reader.get(path).status_code == 200  # templates are compiled, guests and tables are cached
            assert player.get(path).status_code == 200
        watch_locks(waits, thread, table, house.store, house.guests, house.presence, house.chat, house.tables.cache)
        watch_database(uses, thread, house.store)
        lag = Lag(loop)
        executor = closing.enter_context(ThreadPoolExecutor(2))
        with held(house.store._writing):
            lag.begin()
            until = time.monotonic() + HELD_SECONDS * 0.8
            first = executor.submit(player.post, f"/t/{table.id}/act", data=data, headers={"X-Live": "1"})
            while not table._lock._lock.locked():
                assert not first.done(), first.result().text
                time.sleep(0.001)  # the answer is played, and waits for the disk
            served_count = 0
            while time.monotonic() < until:
                for path in (f"/t/{table.id}", f"/api/tables/{table.id}", f"/api/tables/{table.id}/watch"):
                    assert reader.get(path).status_code == 200
                    served_count += 1
                with reader.stream("GET", f"/t/{table.id}/stream?talk=0&seen=1") as stream:
                    assert next(stream.iter_lines())
                if served_count == 3:
                    executor.submit(player.post, f"/t/{table.id}/act", data=data)  # a second click
            assert not first.done()
            assert len(table.match.answers) == before, "nothing is shown before it is on disk"
        longest = lag.longest
        assert first.result(PATIENCE).status_code == 204
        assert len(table.match.answers) > before
    assert waits, "the loop takes locks, and none that is held over the disk"
    assert not [stack for for_disk, _, stack in waits if for_disk]
    assert not uses
    assert max(seconds for _, seconds, _ in waits) < MAX_LOCK_WAIT_SECONDS
    assert longest < MAX_LAG_SECONDS
