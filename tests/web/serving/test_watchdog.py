"""The watchdog: threads are repaired, and systemd hears from a process as long as it works."""

from __future__ import annotations

import logging
import socket
import sys
import threading
import time

import pytest

from veillee.house.background import PeriodicThread
from veillee.web import logs
from veillee.web.serving.watchdog import LOOP_HANG_SECONDS, Watchdog, notify_systemd


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    """The socket on which systemd listens: what it was told since the last call."""
    place = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(place)
        sock.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", place)

        def told():
            said = []
            while True:
                try:
                    said.append(sock.recv(100).decode())
                except BlockingIOError:
                    return said

        yield told


def test_a_heartbeat_is_sent_while_the_event_loop_ticks(systemd, caplog):
    clock, beats = Clock(), []
    watchdog = Watchdog(lambda: beats.append(1), clock)
    watchdog.poll()
    assert systemd() == ["WATCHDOG=1"]
    clock.now += LOOP_HANG_SECONDS + 1
    watchdog.poll()
    watchdog.poll()
    assert systemd() == []
    assert beats == [1]
    assert [one.getMessage() for one in caplog.records] == [
        "This process does not work as it should: event loop (hung)."
    ]
    watchdog.tick()
    watchdog.poll()
    assert systemd() == ["WATCHDOG=1"]


def test_it_repairs_threads_and_is_silent_about_an_essential_one_that_hangs(systemd):
    hang = threading.Event()
    thread = PeriodicThread("stuck", hang.wait, 0.001, failure="It failed", is_essential=True, hang_seconds=0.0)
    thread.start()
    watchdog = Watchdog()
    while thread.restarts < 3:
        watchdog.poll()
    systemd()
    while thread.trouble != "hung":
        time.sleep(0.001)
    watchdog.poll()
    assert systemd() == []
    hang.set()
    thread.stop()
    watchdog.poll()
    assert systemd() == ["WATCHDOG=1"]


def test_systemd_is_told_of_the_start_and_the_end(systemd):
    watchdog = Watchdog()
    watchdog.start()
    watchdog.stop()
    said = systemd()
    assert (said[0], said[-1]) == ("READY=1", "STOPPING=1")


def test_without_systemd_nothing_is_sent(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify_systemd("WATCHDOG=1")
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/notify")
    notify_systemd("WATCHDOG=1")


def test_an_error_that_ends_a_thread_is_in_the_log(monkeypatch, caplog):
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    logs.log_uncaught_errors()
    thread = threading.Thread(target=lambda: 1 / 0, name="test")
    thread.start()
    thread.join()

    class Bad:
        def __del__(self):
            raise ValueError("odd")

    Bad()
    assert [(one.levelno, one.getMessage(), one.exc_info[0]) for one in caplog.records] == [
        (logging.ERROR, "The thread test has ended with an error.", ZeroDivisionError),
        (logging.ERROR, caplog.records[1].getMessage(), ValueError),
    ]
