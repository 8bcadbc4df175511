"""Threads that poll, and that do follow-up work: their end, and what the log says of an error."""

from __future__ import annotations

import logging
import threading

import pytest

from veillee.house.background import FollowUpExecutor, PeriodicThread
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
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


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


def test_follow_up_work_is_done_in_another_thread_before_the_executor_is_closed(caplog):
    done = []
    executor = FollowUpExecutor()
    executor.submit(lambda: 1 / 0)
    for _ in range(20):
        executor.submit(lambda: done.append(threading.current_thread()))
    executor.close()
    assert len(done) == 20
    assert threading.current_thread() not in done
    assert [one.getMessage() for one in caplog.records] == ["The work that follows an answer has failed."]
