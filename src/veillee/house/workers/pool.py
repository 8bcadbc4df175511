"""Bots think here: in other processes, which are handed positions resampled for their seat and nothing else.

A process that dies or does not answer in time is replaced and the question asked once more; after that the caller
gets no answer and helps itself. So a bad bot costs a table some seconds, never its game.

Guests take turns, and so do their tables (turns.py); people who ask for advice stand in a line of their own, which
takes turns with that of the bots. So nobody's tables are in the way of anybody else's.

While the house is open its engine may be compiled (veillee/engine.py): then the processes change over to it, each
between two questions.
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
from veillee.bots.advice import Hint as Advice
from veillee.bots.advice import advise_blind
from veillee.bots.planning import Weighed
from veillee.games import catalogue
from veillee.games.owners import BROUGHT
from veillee.house.workers.fair_queue import Turns
from veillee.kernel.chance import Rng

log = logging.getLogger(__name__)

T = TypeVar("T")
PATIENCE = 20.0  # seconds; the slowest level thinks for about one
WAITING = 8  # questions that the bots of one guest's tables may have in the line: other tables of theirs wait for room
ADVICE = 2  # questions that one guest may have in the line of those who want advice
MOST_ADVICE = 30  # of all guests: more would not get it before they have lost patience
# After so many a process is replaced by a new one. Each position that it reads costs it up to 2 KB for ever: a vec that compiled
# code is handed from interpreted code is never given back (mypyc 2.4 counts it twice).
QUESTIONS = 10_000
COMMAND = (sys.executable, "-m", "veillee.house.workers.bot_worker")
# Ctrl+C is for the house, which then closes the pipes. From the first moment on: also for a process that has just begun.
if sys.platform == "win32":
    NEW_GROUP, NEW_SESSION = subprocess.CREATE_NEW_PROCESS_GROUP, False
else:
    NEW_GROUP, NEW_SESSION = 0, True


@dataclass(frozen=True)
class Job:
    """A question to a bot: the arguments of bots.think.plan() and of bots.hint.advise_blind()."""

    box_id: str
    position: dict[str, Any]
    seat: int
    level: str
    seed: int
    whose: tuple[str, ...] = ()  # the guests at the table, in whose turn it is thought about: nobody who thinks is told
    table: str = ""
    timed: bool = True  # else the same question gets the same answer, however slow the machine

    def told(self) -> dict[str, Any]:
        """What a process is told of it."""
        said = ("box_id", "position", "seat", "level", "seed", "timed")
        return {name: getattr(self, name) for name in said}


Done = Callable[[list[int]], None]  # called with the answers; an empty list: thinking failed
Advised = Callable[[Advice | None], None]  # called with what a good player would do; None: thinking failed


class Thinkers(Protocol):
    def submit(self, job: Job, done: Done) -> bool:
        """Have it thought about. False: those at the table have enough in the line; see when_room()."""
        ...

    def when_room(self, job: Job, back: Callable[[], None]) -> None:
        """Call back when the job can be submitted: from any thread, or at once."""
        ...

    def advise(self, job: Job, done: Advised) -> None: ...

    def waiting(self) -> dict[str, int]:
        """How many questions wait to be thought about: of bots, and of people who want advice."""
        ...

    def change_over(self) -> bool: ...

    def close(self) -> None: ...


class AtOnce:
    """Says its first idea in the thread that asks, before submit() returns: for tests and tools."""

    def __init__(self) -> None:
        self._mine = threading.local()

    def submit(self, job: Job, done: Done) -> bool:
        waiting: deque[tuple[Job, Done]] | None = getattr(self._mine, "waiting", None)
        if waiting is not None:  # `done` of another job led here: its turn comes when that one has returned
            waiting.append((job, done))
            return True
        self._mine.waiting = waiting = deque([(job, done)])
        try:
            while waiting:
                job, done = waiting.popleft()
                done([first_idea(job)])
        finally:
            self._mine.waiting = None
        return True

    def when_room(self, job: Job, back: Callable[[], None]) -> None:
        """There always is."""
        back()

    def advise(self, job: Job, done: Advised) -> None:
        box = catalogue.BOXES[job.box_id]
        done(advise_blind(box, box.load(job.position), job.seat, job.seed, "novice", timed=False))

    def waiting(self) -> dict[str, int]:
        """None ever does."""
        return {}

    def change_over(self) -> bool:
        """This process keeps the engine that it has."""
        return False

    def close(self) -> None:
        """There is nothing to stop."""


def first_idea(job: Job) -> int:
    """What the game's advisor would do without thinking."""
    box = catalogue.BOXES[job.box_id]
    state = box.load(job.position)
    return box.advisor.first_idea(state, job.seat, Rng(job.seed))


Ask = Callable[["Worker"], None]


class Processes:
    """So many processes, each with a thread that hands it one question after the other."""

    def __init__(
        self, number: int, patience: float = PATIENCE, command: Sequence[str] = COMMAND, *, at_once: bool = False
    ) -> None:
        """at_once: they are started now, not when they are first needed: somebody waits already."""
        self._command = command
        self._patience = patience
        self._bots: Turns[Ask] = Turns(WAITING)
        self._people: Turns[Ask] = Turns(ADVICE, MOST_ADVICE)  # who want advice
        self._served = self._bots  # the line that the latest question stood in
        self._closed = False
        self._line = threading.Condition()  # of these
        self._at_once = at_once
        self._workers = [Worker(command, patience) for _ in range(number)]
        self._threads = [threading.Thread(target=self._work, args=(worker,), daemon=True) for worker in self._workers]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job, done: Done) -> bool:
        def ask(worker: Worker) -> None:
            _ask(worker, "plan", job, _answers, lambda answers: done(answers or []))

        return self._put(self._bots, job, ask)

    def when_room(self, job: Job, back: Callable[[], None]) -> None:
        with self._line:
            waits = self._bots.call(job.whose, job.table, back)
        if not waits:
            back()

    def advise(self, job: Job, done: Advised) -> None:
        if not self._put(self._people, job, lambda worker: _ask(worker, "advise", job, _advice, done)):
            done(None)

    def waiting(self) -> dict[str, int]:
        with self._line:
            return {"bots": len(self._bots), "advice": len(self._people)}

    def change_over(self) -> bool:
        """To the compiled engine, if a process that starts now has one and can think with it; else nothing changes.

        What is being thought about is thought to its end.
        """
        trial = Worker(self._command, self._patience)
        fits = trial.ask("engine", None, _parsed)
        trial.stop()
        if fits is not True:
            return False
        for worker in self._workers:
            worker.renew()
        return True

    def close(self) -> None:
        """Returns when every process has ended; what was being thought about is dropped."""
        for worker in self._workers:
            worker.close()
        with self._line:
            self._closed = True
            self._line.notify_all()
        for thread in self._threads:
            thread.join()

    def _put(self, turns: Turns[Ask], job: Job, ask: Ask) -> bool:
        with self._line:
            fits = turns.put(job.whose, job.table, ask)
            self._line.notify()
        return fits

    def _work(self, worker: Worker) -> None:
        if self._at_once:
            worker.ask("engine", None, _parsed)
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
        """The next question; None: the house closes. Bots and people who want advice take turns."""
        with self._line:
            while not self._closed:
                for turns in (self._people, self._bots) if self._served is self._bots else (self._bots, self._people):
                    if (taken := turns.take()) is not None:
                        self._served = turns
                        return taken
                self._line.wait()
        return None

    def _room(self, whose: str) -> Callable[[], None] | None:
        with self._line:
            return self._bots.called(whose)


class Worker:
    """One process, started when it is first needed and replaced when it fails."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self.command = command
        self.patience = patience
        self.closed = False
        self._process: subprocess.Popen[str] | None = None
        self._taken = 0  # owners' files that the process has been handed
        self._asked = 0  # questions, of the process
        self._outdated = False
        self._changing = threading.Lock()  # of these together

    def ask(self, wanted: str, job: Job | None, read: Callable[[str], T]) -> T | None:
        """What the process says to the job, as `read` reads it; None if it fails."""
        deadline: threading.Timer | None = None
        try:
            process = self._running()
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
            process.stdin.write(json.dumps({"wanted": wanted} | (job.told() if job else {})) + "\n")
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
        """No new process from now on; the one there is ends at once, which ends a waiting ask()."""
        with self._changing:
            self.closed = True
            if self._process is not None:
                self._process.kill()

    def renew(self) -> None:
        """A new process takes the next question."""
        with self._changing:
            self._outdated = True

    def stop(self) -> None:
        with self._changing:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            with contextlib.suppress(OSError):
                process.communicate()  # closes the pipes and waits

    def _running(self) -> subprocess.Popen[str] | None:
        with self._changing:
            outdated, self._outdated = self._outdated or self._asked >= QUESTIONS, False
        if outdated:
            self.stop()
        with self._changing:
            if self._process is None and not self.closed:
                self._process, self._taken, self._asked = started(self.command), 0, 0
            self._asked += 1
            return self._process


def started(command: Sequence[str]) -> subprocess.Popen[str]:
    """A process of this house's own code, wherever that lies, with a pipe to it and one back."""
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


def _ask(worker: Worker, wanted: str, job: Job, read: Callable[[str], T], done: Callable[[T | None], None]) -> None:
    """Have the job thought about, twice if need be, and tell what came of it."""
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


def _parsed(line: str) -> Any:
    if not line:
        raise ValueError("the process has ended")
    return json.loads(line)


def _answers(line: str) -> list[int]:
    actions = _parsed(line)
    if not (isinstance(actions, list) and actions and all(type(action) is int for action in actions)):
        raise ValueError(f"this is no answer: {line!r}")
    return actions


def _advice(line: str) -> Advice:
    try:
        said = _parsed(line)
        best = tuple(Weighed(**weighed) for weighed in said["best"])
        return Advice(said["action"], tuple(said["reasons"]), best)
    except (KeyError, TypeError) as error:
        raise ValueError(f"this is no advice: {line!r}") from error
