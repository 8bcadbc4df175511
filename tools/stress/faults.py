"""Injects faults into a house and measures how long it takes until everything works again, and whether anything is lost.

usage: python tools/stress/faults.py [--full 50] [--jumps 50] [--damage 100] [--hang 3] [--seed 1] [--write]

Threads: each background thread gets an unexpected error (SystemExit) and its end, and each that polls a poll that never
returns. Processes: a bot's worker and one of two server processes are killed and stopped. The threads that listen to
other processes, and the second process, need PostgreSQL; without it they are left out. Disk: it holds up every writer
for six seconds; and a house is played until its disk is full, stopped, and opened again with more space (a limit on the
size of files, RLIMIT_FSIZE). Clock: it jumps by minutes to years, ahead for two minutes or for good, back for two
minutes only (docs/security.md says why). Damage: one byte of the database file or of its log is changed.

With --write, the table goes into docs/security.md. The exit code is 1 if an acknowledged answer was lost, a clock was wrong
or a sentence was false; damage in the database file that goes unnoticed is counted in the table, and is no failure of the run.
"""
# ruff: noqa: SLF001 - faults are injected from inside

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random

import postgres
from hostile import Program

from veillee.bots.evaluation import Budget
from veillee.house import background
from veillee.house.accounts.guest import Guest
from veillee.house.background import PeriodicThread, SupervisedThread
from veillee.house.errors import StoreError
from veillee.house.house import House
from veillee.house.house_time import BELIEVE_SECONDS, SteadyClock
from veillee.house.maintenance.cleanup import DailyMaintenance, delete_expired
from veillee.house.storage.batch_writer import BatchWriter
from veillee.house.storage.database import FILE
from veillee.house.tables.clocks.time_control import MINUTE, TimeControl
from veillee.house.tables.clocks.timeouts import seconds_left
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table
from veillee.house.workers.pool import ThinkerPool
from veillee.match.errors import VeilleeError
from veillee.web.notifications.delivery import NotificationDelivery
from veillee.web.notifications.transports import Transports
from veillee.web.serving.watchdog import Watchdog
from veillee.web.settings import Settings

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "security.md"
BEGIN, END = "<!-- faults: written by tools/stress/faults.py -->", "<!-- end of faults -->"
PATIENCE = 120.0
STALL_SECONDS = 6.0  # for which no writer gets on
GAME = "takara-island"
ME, BOT, OPEN, HOTSEAT = SeatPlan("me"), SeatPlan("bot"), SeatPlan("open"), SeatPlan("hotseat")
Row = tuple[str, str, str]  # what fails, how, what happened


def wait_until(holds: Callable[[], bool], seconds: float = PATIENCE) -> float:
    """Waits, and returns the seconds it took. Raises AssertionError if it takes too long."""
    begin = time.monotonic()
    while not holds():
        assert time.monotonic() - begin < seconds, "it does not work again"
        time.sleep(0.01)
    return time.monotonic() - begin


def answer(table: Table, guest: Guest) -> None:
    now = table.moment
    seat = next(seat for seat in now.match.to_act if now.seats[seat].guest == guest.id)
    table.answer(guest, seat, now.stamp(seat), [now.match.choices(seat)[0].id])


# -- threads ------------------------------------------------------------------------------------------------------------
def periodic_faults(thread: PeriodicThread, hang: float) -> Iterator[Row]:
    """Yields what happens when a poll fails, hangs, and when the thread ends. The watchdog runs meanwhile."""
    poll, polls, fault = thread._poll, Counter[str](), [""]
    free = threading.Event()

    def polled() -> float | None:
        kind, fault[0] = fault[0], ""
        if kind == "error":
            raise SystemExit
        if kind == "hang":
            free.wait(PATIENCE)
        poll()
        polls["done"] += 1
        return 0.05

    thread._poll = polled
    thread._hang_seconds = hang
    wait_until(lambda: polls["done"] > 0)
    for kind in ("error", "hang"):
        fault[0], done = kind, polls["done"]
        wait_until(lambda: fault[0] == "")
        done = polls["done"]
        took = wait_until(lambda: polls["done"] > done)  # noqa: B023
        after = f"after {took:.1f} s" + (f", the limit being {hang:g} s here" if kind == "hang" else "")
        yield thread.name, "an error" if kind == "error" else "a hang", f"polls again {after}"
    free.set()
    ended = thread._thread
    thread._stopping.set()
    wait_until(lambda: ended is None or not ended.is_alive())
    thread._stopping.clear()
    done = polls["done"]
    yield thread.name, "its end", f"polls again after {wait_until(lambda: polls['done'] > done):.1f} s"


def writer_faults(house: House, guest: Guest, hang: float) -> Iterator[Row]:
    """Yields what happens when the thread that writes answers fails and hangs: nothing is acknowledged by mistake."""
    table = house.tables.create(guest, GAME, [ME, HOTSEAT])
    writer = house.store._batch_writer
    assert isinstance(writer, BatchWriter)
    thread = writer._thread
    write = writer._write
    acknowledged = 0

    def submit() -> bool:
        """Submits an answer and waits until it is acknowledged or refused. Returns whether it is acknowledged."""
        said: list[Exception | None] = []
        now = table.moment
        (seat,) = now.match.to_act[:1]
        choice = now.match.choices(seat)[0].id
        if table.submit_answer(guest, seat, now.stamp(seat), [choice], said.append):
            wait_until(lambda: bool(said))
        return said == [None]

    def failing(lines: object) -> list[Exception | None]:
        writer._write = write
        raise SystemExit

    acknowledged += submit()
    writer._write = failing
    was_refused = not submit()
    begin = time.monotonic()
    acknowledged += submit()
    took = time.monotonic() - begin
    assert was_refused, "an answer that was not written was acknowledged"
    yield thread.name, "an error", f"that answer is refused; the next is written after {took:.2f} s"

    free = threading.Event()

    def hanging(lines: list[dict[str, object]]) -> object:
        writer._write = write
        free.wait(PATIENCE)
        return write(lines)

    thread._hang_seconds = hang
    writer._write = hanging  # type: ignore[assignment]
    other = threading.Thread(target=submit)
    other.start()
    took = wait_until(lambda: thread.name in background.essential_troubles())
    free.set()
    other.join()
    acknowledged += 1
    wait_until(lambda: thread.name not in background.essential_troubles())
    yield (
        thread.name,
        "a hang",
        f"after {took:.1f} s /readyz answers 503 and systemd hears no more (limit {hang:g} s here)",
    )
    writer._waiting.put(None)
    begin = time.monotonic()
    acknowledged += submit()
    yield thread.name, "its end", f"the next answer is written after {time.monotonic() - begin:.2f} s"
    assert house.tables.replay(table.id).moment.requests == acknowledged, "an answer is lost"


def thread_faults(hang: float, chance: Random) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        house = House.open(folder, workers=1, pause=0.0)
        delivery = NotificationDelivery(house, Transports(house.store, replace(Settings().post, origin="http://x")))
        maintenance = DailyMaintenance(house.store, often=0.05)
        periodic: list[SupervisedThread] = [
            house.timeouts._thread,
            house.puzzle_collector._thread,
            house.engine_upgrade._thread,
            maintenance._thread,
            *delivery._threads.values(),
        ]
        watchdog = Watchdog()
        watchdog.start()
        ticking = threading.Event()

        def tick() -> None:
            while not ticking.wait(0.5):
                watchdog.tick()

        threading.Thread(target=tick, daemon=True).start()
        guest = house.guests.new("Ada")
        try:
            for thread in periodic:
                assert isinstance(thread, PeriodicThread)
                thread._wait_seconds = 0.05
                thread.start()
                yield from periodic_faults(thread, hang)
                thread.signal_stop()
            yield from periodic_faults_of_watchdog(watchdog)
            yield from writer_faults(house, guest, hang)
            yield from checkpointer_faults(house)
            yield from thinker_faults(house, guest)
            yield from analysis_faults(house, guest, chance)
            yield from worker_faults(house, guest)
        finally:
            ticking.set()
            watchdog.stop()
            house.close()


def fail_next(owner: object, name: str, during: Callable[[], None] = lambda: None) -> Callable[[], bool]:
    """Makes the next call of that method fail, after calling `during`. Returns whether it has failed."""
    method = getattr(owner, name)
    failed = threading.Event()

    def fail(*_: object, **__: object) -> None:
        setattr(owner, name, method)
        during()
        failed.set()
        raise SystemExit

    setattr(owner, name, fail)
    return failed.is_set


def end_next(thread: SupervisedThread, owner: object, name: str, wake: Callable[[], object]) -> None:
    """Ends the thread at its next call of that method, which `wake` leads to."""
    failed, ended = fail_next(owner, name, thread._stopping.set), thread._thread
    wake()
    wait_until(failed)
    ended = thread._thread or ended
    wait_until(lambda: ended is not None and not ended.is_alive())
    thread._stopping.clear()


def working_faults(thread: SupervisedThread, owner: object, name: str, wake: Callable[[], None]) -> Iterator[Row]:
    """Yields what happens when a thread that waits for work fails at that method, and when it ends. `wake`: gives it
    work."""

    def works() -> float:
        """Waits until the method has run, and returns the seconds it took."""
        method, done = getattr(owner, name), threading.Event()

        def run(*args: object, **named: object) -> object:
            setattr(owner, name, method)
            done.set()
            return method(*args, **named)

        setattr(owner, name, run)
        begin = time.monotonic()
        while not done.wait(0.05):
            assert time.monotonic() - begin < PATIENCE, "it does not work again"
            wake()
        return time.monotonic() - begin

    works()
    failed = fail_next(owner, name)
    wake()
    wait_until(failed)
    yield thread.name, "an error", f"works again after {works():.1f} s"
    end_next(thread, owner, name, wake)
    yield thread.name, "its end", f"works again after {works():.1f} s"


def checkpointer_faults(house: House) -> Iterator[Row]:
    checkpointer = house.store._wal_checkpointer
    assert checkpointer is not None
    checkpointer._thread.start()
    yield from working_faults(checkpointer._thread, checkpointer, "_checkpoint", checkpointer._asked.set)


def thinker_faults(house: House, guest: Guest) -> Iterator[Row]:
    """Yields what happens when the thread that asks a bot's process fails and ends."""
    assert isinstance(house.thinkers, ThinkerPool)
    (worker,), (thread,) = house.thinkers._workers, house.thinkers._threads

    def ask_a_bot() -> Table:
        """Returns a table where a bot is asked now."""
        table = house.tables.create(guest, GAME, [ME, BOT])
        wait_until(lambda: guest_is_asked(table, guest))
        while guest_is_asked(table, guest):
            answer(table, guest)
        return table

    def answered(table: Table) -> float:
        return wait_until(lambda: guest_is_asked(table, guest) or table.status == "over")

    answered(ask_a_bot())
    failed = fail_next(worker, "_running_process")
    table = ask_a_bot()
    took = answered(table)
    assert failed()
    yield thread.name, "an error", f"the bot has answered after {took:.1f} s"
    # Beside: it may need further answers of bots, which come when the thread is started again.
    end_next(thread, house.thinkers, "_next", threading.Thread(target=ask_a_bot, daemon=True).start)
    yield thread.name, "its end", f"the next bot has answered after {answered(ask_a_bot()):.1f} s"


def analysis_faults(house: House, guest: Guest, chance: Random) -> Iterator[Row]:
    """Yields what happens when the thread that analyses games fails and ends."""
    queue = house.analyses
    queue.budget = Budget(4, 4, 4)
    ids = []
    for _ in range(3):
        table = house.tables.create(guest, GAME, [ME, HOTSEAT])
        while table.status == "playing":
            seat = table.match.to_act[0]
            table.answer(guest, seat, table.stamp(seat), [chance.choice(table.match.choices(seat)).id])
        ids.append(table.id)

    def enqueue(table_id: str) -> None:
        queue.enqueue(table_id, house.tables.find(table_id).match)

    def analysed(table_id: str) -> float:
        return wait_until(lambda: queue.find(table_id).state == "done")

    enqueue(ids[0])
    first = analysed(ids[0])
    failed = fail_next(queue, "_running_process")
    enqueue(ids[1])
    wait_until(failed)
    wait_until(lambda: queue.find(ids[1]).state == "failed")
    enqueue(ids[1])
    said = f"that analysis fails; asked for again it is complete after {analysed(ids[1]):.1f} s"
    yield queue._thread.name, "an error", f"{said} (the one before: {first:.1f} s)"
    end_next(queue._thread, queue, "_next", lambda: enqueue(ids[2]))
    yield queue._thread.name, "its end", f"the next analysis is complete after {analysed(ids[2]):.1f} s"


def peers_faults() -> Iterator[Row]:
    """Yields what happens when the threads that listen to other processes fail and end."""
    with contextlib.ExitStack() as at_the_end:
        try:
            database = at_the_end.enter_context(postgres.running()).database()
        except postgres.NotInstalled:
            return
        house = House.open(database, workers=0)
        watchdog = Watchdog()
        watchdog.start()
        try:
            peers = house.peers
            yield from working_faults(peers._listener, peers, "_receive", lambda: house.store.notify("table x 1 1"))
            yield from working_faults(peers._heartbeat, peers, "_check_versions", lambda: None)
        finally:
            watchdog.stop()
            house.close()


def periodic_faults_of_watchdog(watchdog: Watchdog) -> Iterator[Row]:
    thread = watchdog._thread
    ended = thread._thread
    thread._stopping.set()
    wait_until(lambda: ended is None or not ended.is_alive())
    thread._stopping.clear()
    took = wait_until(lambda: thread.is_alive)
    yield thread.name, "its end", f"started again by the event loop after {took:.1f} s"


# -- processes ----------------------------------------------------------------------------------------------------------
def worker_faults(house: House, guest: Guest) -> Iterator[Row]:
    """Yields what happens when the process that thinks for bots is killed or stopped while it thinks."""
    assert isinstance(house.thinkers, ThinkerPool)
    (worker,) = house.thinkers._workers
    for number, how in ((signal.SIGKILL, "a kill"), (signal.SIGSTOP, "a hang")):
        table = house.tables.create(guest, GAME, [ME, BOT])

        def play_until_bots_turn(table: Table = table) -> int:
            while table.moment.seats[table.match.to_act[0]].guest == guest.id:
                answer(table, guest)
            return table.moment.requests

        wait_until(lambda: table.status == "over" or guest_is_asked(table, guest))  # noqa: B023
        process = worker._process
        assert process is not None
        os.kill(process._process.pid, number)
        asked = play_until_bots_turn()
        took = wait_until(lambda: table.moment.requests > asked)  # noqa: B023
        yield "a bot's worker process", how, f"another one has answered after {took:.1f} s"


def guest_is_asked(table: Table, guest: Guest) -> bool:
    return any(table.seats[seat].guest == guest.id for seat in table.match.to_act)


def server_faults() -> Iterator[Row]:
    """Yields what happens when one of two server processes is killed or stopped."""
    with contextlib.ExitStack() as at_the_end:
        try:
            database = at_the_end.enter_context(postgres.running()).database()
        except postgres.NotInstalled:
            return
        command = [sys.executable, "-m", "veillee", "serve", "--port", "0", "--processes", "2", "--data", database]
        env = {**os.environ, "VEILLEE_LANG": "en"}
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as house:
            assert house.stdout is not None
            try:
                port = int(house.stdout.readline().split("localhost:")[1].split("/")[0])
                children = Path(f"/proc/{house.pid}/task/{house.pid}/children")

                def serving() -> list[str]:
                    return children.read_text(encoding="ascii").split()

                wait_until(lambda: len(serving()) == 2 and responds(port))
                time.sleep(5.0)  # until both have sent heartbeats
                for number, how in ((signal.SIGKILL, "a kill"), (signal.SIGSTOP, "a hang")):
                    one, other = serving()
                    os.kill(int(one), number)
                    took = wait_until(lambda: one not in serving() and len(serving()) == 2)  # noqa: B023
                    assert other in serving(), "the other process was replaced, too"
                    yield "one of two server processes", how, f"replaced after {took:.1f} s"
                    time.sleep(5.0)
            finally:
                house.terminate()


def responds(port: int) -> bool:
    with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def stalled_disk(seconds: float) -> Row:
    """Holds up every writer of a server, as a disk that does not answer does: readers must not notice."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "veillee", "serve", "--port", "0", "--data", folder]
        env = {**os.environ, "VEILLEE_LANG": "en"}
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as house:
            assert house.stdout is not None
            try:
                port = int(house.stdout.readline().split("localhost:")[1].split("/")[0])
                player, reader = Program(port, "192.0.2.1"), Program(port, "192.0.2.2")
                assert player.guest()
                table = player.table_with([{"kind": "hotseat", "name": "B"}], GAME)
                seats = (player.ask("GET", f"/tables/{table}/seats/{seat}") for seat in (0, 1))
                asked = next(seat for seat in seats if seat["choices"])
                given = {"stamp": asked["stamp"], "answers": [asked["choices"][0]["id"]]}
                path = f"/tables/{table}/seats/{asked['seat']}/answers"
                reader.send("GET", f"/t/{table}")
                times: list[float] = []
                with contextlib.closing(sqlite3.connect(Path(folder) / FILE, isolation_level=None)) as other:
                    other.execute("BEGIN IMMEDIATE")
                    answering = threading.Thread(target=player.ask, args=("POST", path, given))
                    answering.start()
                    end = time.monotonic() + seconds
                    while time.monotonic() < end:
                        begin = time.monotonic()
                        reader.send("GET", f"/api/tables/{table}")
                        times.append(time.monotonic() - begin)
                        assert reader.status == 200, f"a reader is answered {reader.status}"
                        time.sleep(0.01)
                    assert answering.is_alive(), "an answer was acknowledged that is not on the disk"
                answering.join()
                assert player.status == 200, f"the answer was refused with {player.status}"
            finally:
                house.terminate()
    said = f"{len(times)} times a reader was answered by the event loop, at the latest after {max(times) * 1000:.0f} ms"
    return "the disk", f"no writer gets on for {seconds:g} s", f"{said}; the answer that waited is kept"


# -- disk, clock, damage ------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def full_disk(room: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def full_disks(times: int, chance: Random) -> Row:
    """Plays until the disk is full, stops, opens again with more space; the same house again and again."""
    acknowledged = 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(times):
            house = House.open(folder, workers=0)
            guest = house.guests.new("Ada")
            table = house.tables.create(guest, GAME, [ME, HOTSEAT])
            sizes = [path.stat().st_size for path in Path(folder).glob(f"{FILE}*")]
            with full_disk(max(sizes) + chance.randrange(4_000, 60_000)):
                with contextlib.suppress(StoreError):
                    while table.status == "playing":
                        seat = table.match.to_act[0]
                        table.answer(guest, seat, table.stamp(seat), [chance.choice(table.match.choices(seat)).id])
                done = table.moment.requests
                house.close()
            again = House.open(folder, workers=0)
            assert again.tables.find(table.id).moment.requests == done, "an answer is lost"
            again.close()
            acknowledged += done
    return "the disk", f"full, stop, room, start: {times} times", f"opened each time; {acknowledged} answers, 0 lost"


def clock_jumps(times: int, chance: Random) -> Row:
    """Lets the clock jump, for less than an hour or for good; the guest's cookie and the time of a player stay."""
    wall, steady = [1_800_000_000.0], [0.0]
    clock = SteadyClock(lambda: wall[0], lambda: steady[0])

    def pass_by(seconds: float) -> None:
        wall[0] += seconds
        steady[0] += seconds

    believed = 0
    with tempfile.TemporaryDirectory() as folder:
        house = House.open(folder, workers=0, now=clock)
        guest, other = house.guests.new("Ada"), house.guests.new("Bob")
        for _ in range(times):
            table = house.tables.create(
                guest, "paper-tales", [ME, OPEN], pace=TimeControl.validated("evening", 300 * MINUTE)
            )
            table.sit(other, 1)
            house.timeouts.poll()
            left = seconds_left(house.store, house.quiet_hours, table.moment, 0)
            jump = chance.choice((-1, 1)) * 10 ** chance.uniform(2.5, 8.0)
            is_kept = jump > 0 and chance.random() < 0.3
            wall[0] += jump
            spent = 0.0
            for _ in range(10):
                pass_by(12 if not is_kept else BELIEVE_SECONDS / 8)
                spent += 12 if not is_kept else BELIEVE_SECONDS / 8
                house.timeouts.poll()
                delete_expired(house.store)
            if not is_kept:
                wall[0] -= jump
            believed += is_kept
            house.guests.invalidate()
            assert house.guests.find(guest.token) is not None, "a cookie was deleted"
            now = seconds_left(house.store, house.quiet_hours, table.moment, 0)
            assert left is not None
            assert now is not None
            assert abs(left - spent - now) < 1, f"a player's clock went by {left - now} s in {spent} s"
        house.close()
    said = f"{times} times by minutes to years, ahead and back; {believed} of those ahead for good, none of those back"
    return "the clock", said, "no cookie deleted, no player's clock wrong by a second"


def damages(places: int, chance: Random) -> Iterator[Row]:
    """Changes one byte of a house's file or log, and opens it."""
    with tempfile.TemporaryDirectory() as folder:
        home, left = Path(folder) / "home", Path(folder) / "left"
        house = House.open(home, workers=0)
        guest = house.guests.new("Ada")
        ids = []
        for _ in range(6):
            table = house.tables.create(guest, GAME, [ME, HOTSEAT])
            for _ in range(20):
                answer(table, guest)
            ids.append(table.id)
        whole = [save_of(house, one) for one in ids]
        left.mkdir()
        for name in (FILE, f"{FILE}-wal"):  # as a kill leaves them
            shutil.copy(home / name, left / name)
        house.close()
        for name, source in ((f"{FILE}-wal", left), (FILE, home)):
            outcomes = Counter[str]()
            for _ in range(places):
                place = Path(folder) / "opened"
                shutil.rmtree(place, ignore_errors=True)
                place.mkdir()
                for file in source.glob(f"{FILE}*"):
                    shutil.copy(file, place / file.name)
                data = bytearray((place / name).read_bytes())
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
                (place / name).write_bytes(data)
                outcomes[opened(place, ids, whole)] += 1
            said = "; ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common())
            yield ("the log (-wal)" if name != FILE else "the database file"), f"a damaged bit, {places} places", said


def save_of(house: House, table_id: str) -> object:
    return house.tables.replay(table_id).match.save()


def opened(place: Path, ids: list[str], whole: list[object]) -> str:
    try:
        house = House.open(place, workers=0)
    except StoreError as error:
        said = str(error)
        assert "damaged" in said, f"a false sentence: {said}"
        return "refused, with the damage named"
    try:
        troubles, differs = 0, 0
        for table_id, save in zip(ids, whole, strict=True):
            try:
                differs += save_of(house, table_id) != save
            except VeilleeError:
                troubles += 1
        if differs:
            return "opened, **unnoticed**: a game became another one"
        return "opened, with a table refused by name" if troubles else "opened with every game as it was"
    finally:
        house.close()


# -- report -------------------------------------------------------------------------------------------------------------
HEAD = "| what | fault | result |"


def what_and_fault(row: str) -> str:
    """Returns the key of a row of the table. The number of attempts is no part of it."""
    what, fault = row.split(" | ")[:2]
    return f"{what} {fault.split(',')[0]}".casefold()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", type=int, default=50)
    parser.add_argument("--jumps", type=int, default=50)
    parser.add_argument("--damage", type=int, default=100)
    parser.add_argument("--hang", type=float, default=3.0, metavar="SECONDS")
    parser.add_argument("--no-threads", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    logging.disable(logging.CRITICAL)
    rows: list[Row] = []

    def note(row: Row) -> None:
        rows.append(row)
        print(" | ".join(row), flush=True)

    try:
        if not chosen.no_threads:
            for row in chain(thread_faults(chosen.hang, Random(chosen.seed)), peers_faults(), server_faults()):
                note(row)
            note(stalled_disk(STALL_SECONDS))
        if chosen.full:
            note(full_disks(chosen.full, Random(chosen.seed)))
        if chosen.jumps:
            note(clock_jumps(chosen.jumps, Random(chosen.seed)))
        if chosen.damage:
            for row in damages(chosen.damage, Random(chosen.seed)):
                note(row)
    except AssertionError as error:
        print(f"FAILED: {error}", flush=True)
        sys.exit(1)
    if chosen.write:
        text = DOCUMENT.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        table, after = rest.split(END)
        # What was not tried in this run keeps its row.
        known = {what_and_fault(line): line for line in table.splitlines() if line.startswith("| ") and line != HEAD}
        known |= {what_and_fault(line): line for line in (f"| {' | '.join(row)} |" for row in rows)}
        table = "\n".join([HEAD, "|---|---|---|", *known.values()])
        DOCUMENT.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
