"""Watchdog of a server process: repairs its background threads, and reports while the process works.

Once a second it starts threads again that have ended and replaces those that hang (house/background.py). While the
event loop ticks and every essential thread works, it sends a heartbeat: to systemd (`sd_notify`, WatchdogSec in
deploy/veillee.service) and to the parent of several processes (processes.py). Either replaces a process that is silent.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress

from veillee.house import background
from veillee.house.background import PeriodicThread, logged

log = logging.getLogger(__name__)

CHECK_SECONDS = 1.0  # seconds between two checks
LOOP_HANG_SECONDS = 5.0  # seconds without a tick of the event loop after which no heartbeat is sent


class Watchdog:
    """Watchdog of one process. `send_heartbeat`: sends a heartbeat to the parent process."""

    def __init__(
        self, send_heartbeat: Callable[[], None] = lambda: None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._send_heartbeat = send_heartbeat
        self._clock = clock
        self._ticked_at = clock()
        self._is_silent = False
        self._thread = PeriodicThread(
            "watchdog", self.poll, CHECK_SECONDS, first_seconds=0.0, failure="The watchdog has failed"
        )

    def start(self) -> None:
        notify_systemd("READY=1")
        self._thread.start()

    def stop(self) -> None:
        self._thread.stop()
        notify_systemd("STOPPING=1")

    def tick(self) -> None:
        """Called by the event loop, at least once a second. Repairs the watchdog's own thread, too."""
        self._ticked_at = self._clock()
        self._thread.repair()

    def poll(self) -> None:
        """Repairs threads, and sends a heartbeat if the process works."""
        for thread in background.running_threads():
            with logged("The thread %s cannot be repaired", thread.name):
                thread.repair()
        troubles = [f"{name} ({trouble})" for name, trouble in background.essential_troubles().items()]
        if self._clock() - self._ticked_at > LOOP_HANG_SECONDS:
            troubles.append("event loop (hung)")
        if troubles and not self._is_silent:
            log.error("This process does not work as it should: %s.", ", ".join(troubles))
        self._is_silent = bool(troubles)
        if not troubles:
            notify_systemd("WATCHDOG=1")
            self._send_heartbeat()


def notify_systemd(state: str) -> None:
    """Sends a state to systemd, if it has started this process as Type=notify (sd_notify(3))."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if place and hasattr(socket, "AF_UNIX"):
        address = "\0" + place[1:] if place.startswith("@") else place  # @: an abstract socket
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
            sock.setblocking(False)  # a systemd that does not read must not stop the watchdog
            sock.sendto(state.encode(), address)
