"""Pool of worker processes that compute bots' answers and advice. They receive positions resampled for their seat and
nothing else.

A process that dies or does not answer in time is replaced and the question asked once more; after that the caller gets
no answer and falls back. So a faulty bot costs a table some seconds, never its game.

Guests take turns, and so do their tables (fair_queue.py); advice for people has a queue of its own, which alternates
with that of the bots. So no guest's tables block another guest's.

While the server runs its engine may be compiled (veillee/engine.py): then the processes switch to it, each between two
questions.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from veillee.games.owners import BROUGHT
from veillee.house.background import SupervisedThread
from veillee.house.workers.fair_queue import FairQueue
from veillee.house.workers.jobs import Advised, Done, ThinkJob, read_advice, read_answers
from veillee.house.workers.json_lines import JsonLinesProcess

log = logging.getLogger(__name__)

T = TypeVar("T")
BOT_ANSWER_TIMEOUT_SECONDS = 20.0  # the slowest level thinks for about 1 s
MAX_QUEUED_PER_GUEST = 8  # of the bots of one guest's tables; further tables of that guest wait for room
BOTS_PER_HINT = 3  # answers of waiting bots between two hints: an expert thinks longer than most bots
MAX_HINTS_PER_GUEST = 2  # of one guest who asks for advice
MAX_HINTS = 30  # of all guests: more would not be answered before their page gives up
# After so many questions a process is replaced. Each position that it reads leaks up to 2 KB: a vec that interpreted
# code passes to compiled code is never freed (mypyc 2.4 counts the reference twice).
JOBS_PER_PROCESS = 10_000
BOT_WORKER_COMMAND = (sys.executable, "-m", "veillee.house.workers.bot_worker")
Ask = Callable[["Worker"], None]


class ThinkerPool:
    """A number of processes, each with a thread that sends it one question after the other."""

    def __init__(
        self,
        number: int,
        patience: float = BOT_ANSWER_TIMEOUT_SECONDS,
        command: Sequence[str] = BOT_WORKER_COMMAND,
        *,
        at_once: bool = False,
    ) -> None:
        """at_once: starts the processes now, not when they are first needed."""
        self._command = command
        self._patience = patience
        self._bot_queue: FairQueue[Ask] = FairQueue(MAX_QUEUED_PER_GUEST)
        self._hint_queue: FairQueue[Ask] = FairQueue(MAX_HINTS_PER_GUEST, MAX_HINTS)  # who asked for advice
        self._bots_since_hint = BOTS_PER_HINT  # questions of bots taken since the latest hint
        self._closed = False
        self._line = threading.Condition()  # guards the four above
        self._at_once = at_once
        self._workers = [Worker(command, patience) for _ in range(number)]
        self._threads = [
            SupervisedThread(
                f"thinker-{number}", partial(self._work, worker), failure="A thread that asks bots has failed"
            )
            for number, worker in enumerate(self._workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: ThinkJob, done: Done) -> bool:
        def ask(worker: Worker) -> None:
            _ask_worker(worker, "plan", job, read_answers, lambda answers: done(answers or []))

        return self._put(self._bot_queue, job, ask)

    def when_room(self, job: ThinkJob, back: Callable[[], None]) -> None:
        with self._line:
            waits = self._bot_queue.when_room(job.guests, job.table, back)
        if not waits:
            back()

    def advise(self, job: ThinkJob, done: Advised) -> None:
        if not self._put(self._hint_queue, job, lambda worker: _ask_worker(worker, "advise", job, read_advice, done)):
            done(None)

    def count_waiting(self) -> dict[str, int]:
        with self._line:
            return {"bots": len(self._bot_queue), "advice": len(self._hint_queue)}

    def switch_engine(self) -> bool:
        """Switches to the compiled engine, if a trial process can load and run it; else changes nothing. Running
        questions finish on the old engine.
        """
        trial = Worker(self._command, self._patience)
        fits = trial.ask("engine", None, lambda compiled: compiled is True)
        trial.stop()
        if not fits:
            return False
        for worker in self._workers:
            worker.renew()
        return True

    def close(self) -> None:
        """Stops all processes and waits for them to end; running questions are dropped."""
        for worker in self._workers:
            worker.close()
        with self._line:
            self._closed = True
            for thread in self._threads:
                thread.signal_stop()
            self._line.notify_all()
        for thread in self._threads:
            thread.stop()

    def _put(self, turns: FairQueue[Ask], job: ThinkJob, ask: Ask) -> bool:
        with self._line:
            fits = turns.put(job.guests, job.table, ask)
            self._line.notify()
        return fits

    def _work(self, worker: Worker) -> None:
        if self._at_once:
            worker.ask("engine", None, bool)
        while (taken := self._next()) is not None:
            ask, whose = taken
            while (call := self._room(whose)) is not None:
                try:
                    call()
                except Exception:  # this thread has other tables to serve
                    log.exception("A table whose bots waited for their turn could not be told.")
            ask(worker)
        worker.stop()

    def _next(self) -> tuple[Ask, str] | None:
        """Waits for the next question; None: the pool closes. Takes a hint after every BOTS_PER_HINT bots, or if no bot
        waits."""
        with self._line:
            while not self._closed:
                if self._bots_since_hint < BOTS_PER_HINT and (taken := self._bot_queue.pop()) is not None:
                    self._bots_since_hint += 1
                    return taken
                if (taken := self._hint_queue.pop()) is not None:
                    self._bots_since_hint = 0
                    return taken
                if (taken := self._bot_queue.pop()) is not None:
                    return taken
                self._line.wait()
        return None

    def _room(self, whose: str) -> Callable[[], None] | None:
        with self._line:
            return self._bot_queue.pop_waiter(whose)


class Worker:
    """One process, started when first needed and replaced when it fails."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self.command = command
        self.patience = patience
        self.closed = False
        self._process: JsonLinesProcess | None = None
        self._taken = 0  # owners' files that the process has received
        self._asked = 0  # questions sent to this process
        self._is_outdated = False
        self._changing = threading.Lock()  # guards the fields above

    def ask(self, wanted: str, job: ThinkJob | None, read: Callable[[Any], T]) -> T | None:
        """Sends a job and returns the process's answer, checked by `read`; None if it fails."""
        try:
            process = self._running_process()
            if process is None:
                return None
            files = BROUGHT[self._taken :]
            self._taken += len(files)
            before = [{"wanted": "take", "files": files}] if files else []
            question = {"wanted": wanted} | (job.to_json() if job else {})
            return read(process.ask(*before, question, seconds=self.patience))
        except BaseException as error:  # noqa: BLE001 (whatever it is: the table needs an answer, from another process)
            if not self.closed and job is not None:
                log.warning("A bot of %s failed or took too long (%r): a new one takes its place.", job.box_id, error)
            self.stop()
            return None

    def close(self) -> None:
        """Prevents new processes and kills the running one, which ends a waiting ask()."""
        with self._changing:
            self.closed = True
            if self._process is not None:
                self._process.kill()

    def renew(self) -> None:
        """Replaces the process before its next question."""
        with self._changing:
            self._is_outdated = True

    def stop(self) -> None:
        with self._changing:
            process, self._process = self._process, None
        if process is not None:
            process.close()

    def _running_process(self) -> JsonLinesProcess | None:
        with self._changing:
            outdated, self._is_outdated = self._is_outdated or self._asked >= JOBS_PER_PROCESS, False
        if outdated:
            self.stop()
        with self._changing:
            if self._process is None and not self.closed:
                self._process, self._taken, self._asked = JsonLinesProcess(self.command), 0, 0
            self._asked += 1
            return self._process


def _ask_worker(
    worker: Worker, wanted: str, job: ThinkJob, read: Callable[[Any], T], done: Callable[[T | None], None]
) -> None:
    """Asks a worker, twice if needed, and passes the reply to `done`."""
    said = worker.ask(wanted, job, read) or worker.ask(wanted, job, read)
    if worker.closed:
        return
    if said is None:
        instead = "its choice is drawn" if wanted == "plan" else "it gets no advice"
        log.error("No bot could answer for seat %d of %s: %s.", job.seat, job.box_id, instead)
    try:
        done(said)
    except Exception:  # this thread has other tables to serve
        log.exception("What a bot thought for seat %d of %s could not be used.", job.seat, job.box_id)
