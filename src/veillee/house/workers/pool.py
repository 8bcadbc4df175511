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

import contextlib
import json
import logging
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import veillee
from veillee.bots.advice import Advice, advise_blind
from veillee.bots.planning import SearchedChoice
from veillee.games import catalogue
from veillee.games.owners import BROUGHT
from veillee.house.workers.fair_queue import FairQueue
from veillee.kernel.chance import Rng

log = logging.getLogger(__name__)

T = TypeVar("T")
ANSWER_TIMEOUT_SECONDS = 20.0  # the slowest level thinks for about 1 s
MAX_QUEUED_PER_GUEST = 8  # of the bots of one guest's tables; further tables of that guest wait for room
MAX_HINTS_PER_GUEST = 2  # of one guest who asks for advice
MAX_HINTS = 30  # of all guests: more would not be answered before their page gives up
# After so many questions a process is replaced. Each position that it reads leaks up to 2 KB: a vec that interpreted
# code passes to compiled code is never freed (mypyc 2.4 counts the reference twice).
JOBS_PER_PROCESS = 10_000
COMMAND = (sys.executable, "-m", "veillee.house.workers.bot_worker")
# Ctrl+C must reach the server only, which then closes the pipes; from the first moment on, also for a process that is
# just starting.
if sys.platform == "win32":
    NEW_GROUP, NEW_SESSION = subprocess.CREATE_NEW_PROCESS_GROUP, False
else:
    NEW_GROUP, NEW_SESSION = 0, True


@dataclass(frozen=True)
class ThinkJob:
    """A question to a bot: the arguments of bots.planning.plan() and of bots.advice.advise_blind()."""

    box_id: str
    position: dict[str, Any]
    seat: int
    level: str
    seed: int
    guests: tuple[str, ...] = ()  # guests at the table, for the fair queue; not sent to the process
    table: str = ""
    timed: bool = True  # false: the same question gets the same answer, however slow the machine

    def to_json(self) -> dict[str, Any]:
        """Returns what is sent to the process."""
        said = ("box_id", "position", "seat", "level", "seed", "timed")
        return {name: getattr(self, name) for name in said}


Done = Callable[[list[int]], None]  # called with the answers; empty list: it failed
Advised = Callable[[Advice | None], None]  # called with the advice; None: it failed


class Thinkers(Protocol):
    """What computes answers and advice."""

    def submit(self, job: ThinkJob, done: Done) -> bool:
        """Enqueues a job. Returns False if the guests at the table have too many in the queue; see when_room()."""
        ...

    def when_room(self, job: ThinkJob, back: Callable[[], None]) -> None:
        """Calls `back` when the job can be submitted: from any thread, or at once."""
        ...

    def advise(self, job: ThinkJob, done: Advised) -> None: ...

    def count_waiting(self) -> dict[str, int]:
        """Returns how many questions wait: for bots, and for advice."""
        ...

    def switch_engine(self) -> bool: ...

    def close(self) -> None: ...


class InlineThinkers:
    """Answers with the first idea in the calling thread, before submit() returns: for tests and tools."""

    def __init__(self) -> None:
        self._mine = threading.local()

    def submit(self, job: ThinkJob, done: Done) -> bool:
        waiting: deque[tuple[ThinkJob, Done]] | None = getattr(self._mine, "waiting", None)
        if waiting is not None:  # called from `done` of another job: runs after it, not inside it
            waiting.append((job, done))
            return True
        self._mine.waiting = waiting = deque([(job, done)])
        try:
            while waiting:
                job, done = waiting.popleft()
                done([fallback_answers(job)])
        finally:
            self._mine.waiting = None
        return True

    def when_room(self, job: ThinkJob, back: Callable[[], None]) -> None:
        """Calls `back` at once: there is always room."""
        back()

    def advise(self, job: ThinkJob, done: Advised) -> None:
        box = catalogue.BOXES[job.box_id]
        done(advise_blind(box, box.load(job.position), job.seat, job.seed, "novice", timed=False))

    def count_waiting(self) -> dict[str, int]:
        """Returns nothing: no question ever waits."""
        return {}

    def switch_engine(self) -> bool:
        """Does nothing: this process keeps its engine."""
        return False

    def close(self) -> None:
        """Does nothing: there is no process to stop."""


def fallback_answers(job: ThinkJob) -> int:
    """Returns the first idea of the game's advisor, without search."""
    box = catalogue.BOXES[job.box_id]
    state = box.load(job.position)
    return box.advisor.first_idea(state, job.seat, Rng(job.seed))


Ask = Callable[["Worker"], None]


class ThinkerPool:
    """A number of processes, each with a thread that sends it one question after the other."""

    def __init__(
        self,
        number: int,
        patience: float = ANSWER_TIMEOUT_SECONDS,
        command: Sequence[str] = COMMAND,
        *,
        at_once: bool = False,
    ) -> None:
        """at_once: starts the processes now, not when they are first needed."""
        self._command = command
        self._patience = patience
        self._bot_queue: FairQueue[Ask] = FairQueue(MAX_QUEUED_PER_GUEST)
        self._hint_queue: FairQueue[Ask] = FairQueue(MAX_HINTS_PER_GUEST, MAX_HINTS)  # who asked for advice
        self._served = self._bot_queue  # the queue that the latest question came from
        self._closed = False
        self._line = threading.Condition()  # guards the four above
        self._at_once = at_once
        self._workers = [Worker(command, patience) for _ in range(number)]
        self._threads = [threading.Thread(target=self._work, args=(worker,), daemon=True) for worker in self._workers]
        for thread in self._threads:
            thread.start()

    def submit(self, job: ThinkJob, done: Done) -> bool:
        def ask(worker: Worker) -> None:
            _ask_worker(worker, "plan", job, _read_answers, lambda answers: done(answers or []))

        return self._put(self._bot_queue, job, ask)

    def when_room(self, job: ThinkJob, back: Callable[[], None]) -> None:
        with self._line:
            waits = self._bot_queue.when_room(job.guests, job.table, back)
        if not waits:
            back()

    def advise(self, job: ThinkJob, done: Advised) -> None:
        if not self._put(self._hint_queue, job, lambda worker: _ask_worker(worker, "advise", job, _read_advice, done)):
            done(None)

    def count_waiting(self) -> dict[str, int]:
        with self._line:
            return {"bots": len(self._bot_queue), "advice": len(self._hint_queue)}

    def switch_engine(self) -> bool:
        """Switches to the compiled engine, if a trial process can load and run it; else changes nothing. Running
        questions finish on the old engine.
        """
        trial = Worker(self._command, self._patience)
        fits = trial.ask("engine", None, _parse_line)
        trial.stop()
        if fits is not True:
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
            self._line.notify_all()
        for thread in self._threads:
            thread.join()

    def _put(self, turns: FairQueue[Ask], job: ThinkJob, ask: Ask) -> bool:
        with self._line:
            fits = turns.put(job.guests, job.table, ask)
            self._line.notify()
        return fits

    def _work(self, worker: Worker) -> None:
        if self._at_once:
            worker.ask("engine", None, _parse_line)
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
        """Waits for the next question; None: the pool closes. Alternates between bots and advice."""
        with self._line:
            while not self._closed:
                for turns in (
                    (self._hint_queue, self._bot_queue)
                    if self._served is self._bot_queue
                    else (self._bot_queue, self._hint_queue)
                ):
                    if (taken := turns.pop()) is not None:
                        self._served = turns
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
        self._process: subprocess.Popen[str] | None = None
        self._taken = 0  # owners' files that the process has received
        self._asked = 0  # questions sent to this process
        self._is_outdated = False
        self._changing = threading.Lock()  # guards the fields above

    def ask(self, wanted: str, job: ThinkJob | None, read: Callable[[str], T]) -> T | None:
        """Sends a job and returns the process's reply, parsed by `read`; None if it fails."""
        deadline: threading.Timer | None = None
        try:
            process = self._running_process()
            if process is None:
                return None
            deadline = threading.Timer(self.patience, process.kill)
            deadline.daemon = True
            deadline.start()
            assert process.stdin is not None
            assert process.stdout is not None
            if files := BROUGHT[self._taken :]:
                process.stdin.write(json.dumps({"wanted": "take", "files": files}) + "\n")
                self._taken += len(files)
            process.stdin.write(json.dumps({"wanted": wanted} | (job.to_json() if job else {})) + "\n")
            process.stdin.flush()
            return read(process.stdout.readline())
        except (OSError, ValueError) as error:
            if not self.closed and job is not None:
                log.warning("A bot of %s failed or took too long (%r): a new one takes its place.", job.box_id, error)
            self.stop()
            return None
        finally:
            if deadline is not None:
                deadline.cancel()

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
            process.kill()
            with contextlib.suppress(OSError):
                process.communicate()  # closes the pipes and waits

    def _running_process(self) -> subprocess.Popen[str] | None:
        with self._changing:
            outdated, self._is_outdated = self._is_outdated or self._asked >= JOBS_PER_PROCESS, False
        if outdated:
            self.stop()
        with self._changing:
            if self._process is None and not self.closed:
                self._process, self._taken, self._asked = start_process(self.command), 0, 0
            self._asked += 1
            return self._process


def start_process(command: Sequence[str]) -> subprocess.Popen[str]:
    """Starts a process that imports this same package, wherever it lies, with pipes for stdin and stdout."""
    home = str(Path(veillee.__file__).parent.parent)
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    pipe = subprocess.PIPE
    return subprocess.Popen(  # noqa: S603 (our own)
        command,
        stdin=pipe,
        stdout=pipe,
        env=env,
        encoding="utf-8",
        start_new_session=NEW_SESSION,
        creationflags=NEW_GROUP,
    )


def _ask_worker(
    worker: Worker, wanted: str, job: ThinkJob, read: Callable[[str], T], done: Callable[[T | None], None]
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


def _parse_line(line: str) -> Any:
    if not line:
        raise ValueError("the process has ended")
    return json.loads(line)


def _read_answers(line: str) -> list[int]:
    actions = _parse_line(line)
    if not (isinstance(actions, list) and actions and all(type(action) is int for action in actions)):
        raise ValueError(f"this is no answer: {line!r}")
    return actions


def _read_advice(line: str) -> Advice:
    try:
        said = _parse_line(line)
        best = tuple(SearchedChoice(**weighed) for weighed in said["best"])
        return Advice(said["action"], tuple(said["reasons"]), best)
    except (KeyError, TypeError) as error:
        raise ValueError(f"this is no advice: {line!r}") from error
