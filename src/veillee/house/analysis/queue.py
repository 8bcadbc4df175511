"""Queue of game analyses: each is made once, one at a time in a worker process, and saved.

Only finished games are analysed, so that no guest learns anything about a running one. The house also analyses some
games by itself (strength.py), while no guest waits for another analysis or for a bot.
"""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import sqlalchemy as sa

from veillee.bots.evaluation import Budget
from veillee.games.owners import BROUGHT
from veillee.house.background import SupervisedThread, logged
from veillee.house.errors import NotNow, t
from veillee.house.storage.schema import analyses
from veillee.house.storage.store import Conflict, Store
from veillee.house.workers.fair_queue import FairQueue
from veillee.house.workers.json_lines import JsonLinesProcess
from veillee.match.analysis import Finding, restore_findings
from veillee.match.match import Match

log = logging.getLogger(__name__)

ANALYSIS_WORKER_COMMAND = (sys.executable, "-m", "veillee.house.workers.analysis_worker")
MAX_QUEUED = 50  # requested games in the queue
MAX_QUEUED_PER_ADDRESS = 15  # of them; the games of several addresses take turns
MAX_IDLE_QUEUED = 20  # games in the idle queue
MAX_CACHED_ANALYSES = 32  # analyses in memory
IDLE_POLL_SECONDS = 1.0  # seconds between two polls whether a bot or a hint is being computed
FINDING_TIMEOUT_SECONDS = 60.0  # seconds without a finding

OnAnalysed = Callable[[str, Match, list[dict[str, Any]]], None]
State = Literal["none", "waiting", "running", "done", "failed"]


@dataclass
class Analysis:
    """Analysis of one game, as far as it has come; the worker thread appends to `rows`."""

    total: int = 0  # number of findings when complete: one per answer, and one for the beginning
    state: State = "none"
    rows: list[dict[str, Any]] = field(default_factory=list)  # from the first on
    ahead: dict[int, dict[str, Any]] = field(
        default_factory=dict
    )  # findings of the seat `first` that are ahead of `rows`, by number
    first: int | None = None  # that seat
    _restored: list[Finding] | None = None  # once it is complete

    @property
    def completed(self) -> int:
        return len(self.rows) + len(self.ahead)

    def findings(self, match: Match) -> list[Finding]:
        """Returns the findings so far, by number: those of `rows`, then those ahead. Restoring them replays the match:
        those of a complete analysis are kept with it."""
        if self._restored is not None:
            return self._restored
        is_complete = self.state == "done"
        ahead, rows = dict(self.ahead), list(self.rows)  # in this order: add() moves findings from one to the other
        findings = restore_findings(match, rows, ahead)
        if is_complete:
            self._restored = findings
        return findings

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Adds a finding. One that is sent again, with its reasons, replaces the earlier one."""
        if number < len(self.rows):
            self.rows[number] = row
            return
        self.ahead[number] = row
        while (following := self.ahead.get(len(self.rows))) is not None:
            self.rows.append(following)  # appended before it is deleted from `ahead`: concurrent readers miss nothing
            del self.ahead[len(self.rows) - 1]


Job = tuple[str, Match, Analysis]  # the table's id, its game, and what is known of it


class AnalysisQueue:
    """Analysis queue of one house. Safe to use from any thread."""

    def __init__(
        self, store: Store, command: Sequence[str] = ANALYSIS_WORKER_COMMAND, busy: Callable[[], bool] = lambda: False
    ) -> None:
        """busy: returns whether a bot's answer or a hint is being computed."""
        self._store = store
        self._command = command
        self.is_house_busy = busy
        self.budget = Budget()
        self.on_analysed: OnAnalysed = lambda _table, _match, _rows: None
        self._cache: dict[str, Analysis] = {}  # cache, latest last
        self._requested: FairQueue[Job] = FairQueue(MAX_QUEUED_PER_ADDRESS)
        self._idle: deque[Job] = deque()  # low priority: not requested by a guest
        self._is_idle_job = False  # whether a job from the idle queue is running
        self._interrupted = False  # whether it was killed for a requested one
        self._work_available = threading.Condition()  # guards these
        self._thread = SupervisedThread("analyses", self._work, failure="The thread that analyses games has failed")
        self._process: JsonLinesProcess | None = None
        self._closed = False

    def find(self, table_id: str) -> Analysis:
        """Returns what is known of a table's game now. Raises StoreError."""
        with self._work_available:
            if (known := self._cache.get(table_id)) is not None:
                return known
        with self._store.reading() as db:
            text = db.execute(sa.select(analyses.c.findings).where(analyses.c.table_id == table_id)).scalar()
        if text is None:
            return Analysis()
        rows = json.loads(text)
        found = Analysis(len(rows), "done", rows)
        with self._work_available:
            self._cache_analysis(table_id, found)
        return found

    def enqueue(self, table_id: str, match: Match, first: int | None = None, address: str = "") -> Analysis:
        """Queues the analysis of the game unless it was requested before; the answers of seat `first` are analysed
        first. address: the client's. Raises NotNow."""
        if not match.over:
            raise NotNow(t("A game is analysed once it is over."))
        found = self.find(table_id)
        if found.state == "done":
            return found
        with self._work_available:
            if found.state == "running":
                self._is_idle_job = False  # requested from now on: must not be interrupted
                return found
            idle = next((job for job in self._idle if job[0] == table_id), None)
            known = self._cache.get(table_id)
            if idle is None and known is not None and known.state not in ("none", "failed"):
                return known
            found = Analysis(len(match.answers) + 1, "waiting", first=first)
            job = table_id, match, found
            if len(self._requested) >= MAX_QUEUED or not self._requested.put([address], table_id, job):
                raise NotNow(t("Many games wait to be analysed: ask again in a while."))
            if idle is not None:
                self._idle.remove(idle)
            self._cache_analysis(table_id, found)
            if self._is_idle_job and self._process is not None:
                self._process.kill()  # an idle job starts again later
                self._interrupted = True
            self._start_work()
        return found

    def enqueue_idle(self, table_id: str, match: Match) -> None:
        """Queues the analysis with low priority. Does nothing if that queue is full."""
        if not match.over or self.find(table_id).state not in ("none", "failed"):
            return
        with self._work_available:
            known = self._cache.get(table_id)
            if len(self._idle) >= MAX_IDLE_QUEUED or (known is not None and known.state not in ("none", "failed")):
                return
            found = Analysis(len(match.answers) + 1, "waiting")
            self._cache_analysis(table_id, found)
            self._idle.append((table_id, match, found))
            self._start_work()

    def idle_room(self) -> int:
        """Returns how many more games enqueue_idle() takes now."""
        with self._work_available:
            return max(0, MAX_IDLE_QUEUED - len(self._idle))

    def is_pending(self, table_id: str) -> bool:
        """Returns whether the game is being analysed, or queued, in this process."""
        with self._work_available:
            known = self._cache.get(table_id)
            return known is not None and known.state in ("waiting", "running")

    def is_busy(self) -> bool:
        """Returns whether a game is being analysed or queued."""
        with self._work_available:
            return bool(self._requested or self._idle) or any(one.state == "running" for one in self._cache.values())

    def close(self) -> None:
        """Stops the worker. Unfinished analyses are lost and must be requested again."""
        with self._work_available:
            self._closed = True
            process = self._process
            self._thread.signal_stop()
            self._work_available.notify()
        if process is not None:
            process.kill()
        self._thread.stop()

    def _cache_analysis(self, table_id: str, found: Analysis) -> None:
        self._cache.pop(table_id, None)
        self._cache[table_id] = found
        for old in list(self._cache)[:-MAX_CACHED_ANALYSES]:
            if self._cache[old].state in ("done", "failed"):
                del self._cache[old]

    def _start_work(self) -> None:
        if not self._closed:
            self._thread.start()
        self._work_available.notify()

    def _next(self) -> Job | None:
        """Waits for the next job and returns it: requested ones before idle ones. None: the house closes."""
        while True:
            is_busy = self.is_house_busy()
            with self._work_available:
                if self._closed:
                    return None
                if self._interrupted:
                    self._end()
                    self._interrupted = False
                if (job := self._take_job(is_busy=is_busy)) is not None:
                    return job
                self._work_available.wait(IDLE_POLL_SECONDS if self._idle else None)

    def _take_job(self, *, is_busy: bool) -> Job | None:
        """Takes the next job off its queue; an idle one only while the house is not busy."""
        requested = self._requested.pop()
        if requested is None and (is_busy or not self._idle):
            return None
        self._is_idle_job = requested is None
        job = self._idle.popleft() if requested is None else requested[0]
        job[2].state = "running"
        return job

    def _work(self) -> None:
        while (job := self._next()) is not None:
            table_id, match, found = job
            try:
                self._analyse_table(match, found)
                self._complete(job)
            except BaseException as error:  # noqa: BLE001 (whatever it is: this game can be asked for again, others wait)
                self._end()
                if not self._requeue(job):
                    log.warning("The analysis of table %s has failed: %r", table_id, error)
        self._end()

    def _complete(self, job: Job) -> None:
        """Saves a complete analysis. Raises ValueError if findings are missing, StoreError."""
        table_id, match, found = job
        if len(found.rows) != found.total:
            raise ValueError("findings are missing")
        found.state = "done"
        self._save(table_id, found)
        with logged("What follows from the analysis of table %s cannot be recorded", table_id):
            self.on_analysed(table_id, match, found.rows)

    def _describe(self, match: Match, found: Analysis) -> dict[str, Any]:
        """Returns what is sent to the worker."""
        return {"files": BROUGHT, "match": match.save(), "budget": asdict(self.budget), "first": found.first}

    def _requeue(self, job: Job) -> bool:
        """Requeues an idle job that was killed for a requested one, else marks it as failed. Returns whether it was
        interrupted or the house is closing, which is no failure."""
        with self._work_available:
            found = job[2]
            found.rows.clear()
            found.ahead.clear()
            interrupted = self._is_idle_job and bool(self._requested)
            found.state = "waiting" if interrupted else "failed"
            if interrupted:
                self._idle.appendleft(job)
            return interrupted or self._closed

    def _analyse_table(self, match: Match, found: Analysis) -> None:
        """Sends the game to the worker process and reads its findings. Raises OSError, ValueError."""
        process = self._running_process()
        finding = process.ask(self._describe(match, found), seconds=FINDING_TIMEOUT_SECONDS)
        while finding is not None:
            number, row = finding
            found.add(number, row)
            finding = process.read_answer(FINDING_TIMEOUT_SECONDS)

    def _running_process(self) -> JsonLinesProcess:
        with self._work_available:
            if self._process is None or not self._process.is_running:
                if self._closed:
                    raise OSError("the house is closed")
                if self._process is not None:
                    self._process.close()
                self._process = JsonLinesProcess(self._command)
            return self._process

    def _end(self) -> None:
        with self._work_available:
            process, self._process = self._process, None
        if process is not None:
            process.close()

    def _save(self, table_id: str, found: Analysis) -> None:
        with (
            contextlib.suppress(Conflict),
            self._store.writing() as db,
        ):  # another process was faster, or the table was deleted
            db.execute(analyses.insert().values(table_id=table_id, findings=json.dumps(found.rows)))
