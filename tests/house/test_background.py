"""Threads that poll, and that do follow-up work: their end, and what the log says of an error."""

from __future__ import annotations

import asyncio
import logging
import threading
import time

import pytest

from veillee.house import background
from veillee.house.background import (
    MAX_HUNG_THREADS,
    LoopBackground,
    PeriodicThread,
    SupervisedThread,
    ThreadBackground,
    essential_troubles,
    logged,
    running_threads,
)
from veillee.house.errors import StoreError, t

SOON = 0.001
NEVER = 3600.0
PATIENCE = 10.0


class Polls:
    """Counts the polls; each raises or returns the next of `outcomes`, the last one again and again."""

    def __init__(self, *outcomes):
        self.outcomes = outcomes
        self.count = 0
        self.enough = threading.Event()

    def __call__(self):
        outcome = self.outcomes[min(self.count, len(self.outcomes) - 1)]
        self.count += 1
        if self.count > len(self.outcomes) + 2:
            self.enough.set()
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


def wait_until(holds):
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.005)


def run(polls, seconds=SOON, **how):
    thread = PeriodicThread("test", polls, seconds, failure="It failed", **how)
    thread.start()
    assert polls.enough.wait(PATIENCE)
    thread.stop()
    return thread


def test_it_polls_until_it_is_stopped():
    polls = Polls(None)
    thread = run(polls)
    count = polls.count
    assert thread.is_stopping
    assert not any(one.name == "test" for one in threading.enumerate())
    assert polls.count == count


def test_a_poll_may_ask_for_the_next_one():
    run(Polls(SOON), seconds=NEVER, first_seconds=0.0)


def test_it_stops_while_it_waits_and_before_it_was_started():
    waiting = PeriodicThread("test", lambda: None, NEVER, failure="It failed")
    waiting.start()
    waiting.stop()
    PeriodicThread("test", lambda: None, NEVER, failure="It failed").stop()


def test_a_poll_may_stop_its_own_thread():
    ended = threading.Event()

    def poll():
        thread.signal_stop()
        ended.set()

    thread = PeriodicThread("test", poll, SOON, failure="It failed")
    thread.start()
    assert ended.wait(PATIENCE)
    thread.stop()


@pytest.mark.parametrize(
    ("error", "level", "said"),
    [
        (StoreError(t("no disk")), logging.WARNING, "It failed: no disk"),
        (ValueError("odd"), logging.ERROR, "It failed."),
    ],
)
def test_an_error_is_logged_once_and_the_thread_goes_on(caplog, error, level, said):
    run(Polls(error))
    assert [(one.levelno, one.getMessage()) for one in caplog.records] == [(level, said)]


def test_an_error_that_comes_back_is_logged_again(caplog):
    run(Polls(StoreError(t("full")), None, StoreError(t("full")), StoreError(t("gone")), None))
    assert [one.getMessage() for one in caplog.records] == ["It failed: full", "It failed: full", "It failed: gone"]


@pytest.mark.parametrize("error", [SystemExit(), KeyboardInterrupt(), MemoryError(), RecursionError()])
def test_nothing_ends_a_supervised_thread(caplog, error):
    run(Polls(error))
    assert [one.getMessage() for one in caplog.records] == ["It failed."]


def test_work_that_fails_or_returns_is_called_again():
    calls, enough = [], threading.Event()

    def work():
        calls.append(threading.current_thread())
        if len(calls) == 1:
            raise SystemExit
        if len(calls) >= 3:
            enough.set()
            thread._stopping.wait(PATIENCE)

    thread = SupervisedThread("test", work, failure="It failed")
    thread.start()
    assert enough.wait(PATIENCE)
    thread.stop()
    assert len(set(calls)) == 1
    assert not thread.is_alive


def test_a_thread_that_has_ended_is_started_again(monkeypatch):
    polls = Polls(None)
    thread = PeriodicThread("test", polls, SOON, failure="It failed", is_essential=True)
    with monkeypatch.context() as broken:
        broken.setattr(thread, "_run", lambda: None)
        thread.start()
        wait_until(lambda: not thread.is_alive)
    assert thread.trouble == "ended"
    assert essential_troubles() == {"test": "ended"}
    thread.repair()
    assert polls.enough.wait(PATIENCE)
    assert (thread.trouble, thread.restarts) == ("", 1)
    thread.stop()
    assert thread not in running_threads()


def test_a_poll_that_hangs_is_replaced_and_its_thread_ends_when_it_returns():
    hang, hanging, again = threading.Event(), threading.Event(), threading.Event()
    polled_by = []

    def poll():
        polled_by.append(threading.current_thread())
        if len(polled_by) == 1:
            hanging.set()
            hang.wait(PATIENCE)
        elif len(polled_by) > 3:
            again.set()

    thread = PeriodicThread("test", poll, SOON, failure="It failed", hang_seconds=0.0)
    thread.start()
    assert hanging.wait(PATIENCE)
    wait_until(lambda: thread.trouble == "hung")
    thread.repair()
    assert again.wait(PATIENCE)
    hang.set()
    polled_by[0].join(PATIENCE)
    assert not polled_by[0].is_alive()
    assert polled_by.count(polled_by[0]) == 1
    thread.stop()


def test_a_poll_that_hangs_again_and_again_is_replaced_a_few_times_only():
    hang = threading.Event()
    thread = PeriodicThread("test", hang.wait, SOON, failure="It failed", hang_seconds=0.0)
    thread.start()
    for _ in range(MAX_HUNG_THREADS + 2):
        wait_until(lambda: thread.trouble == "hung")
        thread.repair()
    assert thread.restarts == MAX_HUNG_THREADS
    hang.set()
    thread.stop()


def test_progress_is_no_hang(monkeypatch):
    beat, seen = threading.Event(), threading.Event()
    clock = [0.0]
    monkeypatch.setattr(background.time, "monotonic", lambda: clock[0])

    def poll():
        beat.wait(PATIENCE)
        thread.beat()
        seen.set()
        thread._stopping.wait(PATIENCE)

    thread = PeriodicThread("test", poll, SOON, failure="It failed", hang_seconds=10.0)
    thread.start()
    wait_until(lambda: thread._busy_since == 0.0)
    clock[0] = 11.0
    assert thread.trouble == "hung"
    beat.set()
    assert seen.wait(PATIENCE)
    assert thread.trouble == ""
    thread.stop()


def test_one_item_does_not_stop_the_others(caplog):
    done = []
    for item in (1, 0, 2):
        with logged("Item %s cannot be done", item):
            done.append(2 / item)
    with logged("Item %s cannot be done", 3):
        raise StoreError(t("no disk"))
    assert done == [2.0, 1.0]
    assert [one.getMessage() for one in caplog.records] == ["Item 0 cannot be done.", "Item 3 cannot be done: no disk"]


def test_work_soon_is_done_in_another_thread_before_the_background_is_closed(caplog):
    done = []
    background = ThreadBackground()
    background.run_soon(lambda: 1 / 0)
    for _ in range(20):
        background.run_soon(lambda: done.append(threading.current_thread()))
    background.close()
    assert len(done) == 20
    assert threading.current_thread() not in done
    assert [one.getMessage() for one in caplog.records] == ["Background work has failed."]


def test_a_background_without_threads_works_in_its_loop_between_other_tasks(caplog):
    done = []

    async def run() -> None:
        enough = asyncio.Event()
        background = LoopBackground(asyncio.get_running_loop())
        background.run_every(0.001, lambda: done.append("every"))
        background.run_later(0.02, enough.set)
        background.run_soon(lambda: 1 / 0)
        background.run_soon(lambda: done.append("soon"))
        background.run_apart("apart", lambda: done.append("apart"))
        assert done == [], "the caller goes on first"
        await enough.wait()
        assert done[:3] == ["soon", "apart", "every"]
        assert done.count("every") > 1
        background.run_soon(lambda: done.append("too late"))
        background.close()
        done.clear()
        await asyncio.sleep(0.01)

    threads = threading.active_count()
    asyncio.run(run())
    assert done == []
    assert threading.active_count() == threads
    assert [one.getMessage() for one in caplog.records] == ["Background work has failed."]
