"""Queue of game analyses in an event loop, for a house without threads: another worker of the browser analyses."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable

from veillee.house.analysis.queue import IDLE_POLL_SECONDS, AnalysisQueue, Job
from veillee.house.storage.store import Store

log = logging.getLogger(__name__)

# Sends a job as a line of JSON; calls back with each finding, as a line; returns after the last one.
SendJob = Callable[[str, Callable[[str], None]], Awaitable[object]]


class LoopAnalysisQueue(AnalysisQueue):
    """Analysis queue whose jobs are awaited in the running event loop, one at a time. Must be used from that loop."""

    def __init__(self, store: Store, send: SendJob) -> None:
        super().__init__(store)
        self._send = send
        self._task: asyncio.Task[None] | None = None

    def close(self) -> None:
        self._closed = True
        if self._task is not None:
            self._task.cancel()

    def _start_work(self) -> None:
        if not self._closed and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._work_in_loop())

    async def _work_in_loop(self) -> None:
        while self._requested or self._idle:
            if (job := self._take_job(is_busy=self.is_house_busy())) is None:
                await asyncio.sleep(IDLE_POLL_SECONDS)
            else:
                await self._analyse(job)

    async def _analyse(self, job: Job) -> None:
        table_id, match, found = job
        try:
            await self._send(json.dumps(self._describe(match, found)), lambda line: found.add(*json.loads(line)))
            self._complete(job)
        except Exception:
            log.exception("The analysis of table %s has failed.", table_id)
            self._requeue(job)
