"""Balance of a design against the built-in set, measured by `veillee lab balance` in a process of its own.

One study runs at a time. It ends with the house; its result stays beside the design (`<game>.balance.json`).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import veillee
from veillee.house.errors import NotNow, StoreError, t
from veillee.house.workers.json_lines import NEW_GROUP, NEW_SESSION

SIDES = 2  # the built-in set and the design
GAMES_PER_LINE = 8  # of the study's record
STOP_SECONDS = 5.0
LONGEST_FAILURE = 400  # characters of what a failed study said


@dataclass(frozen=True)
class StudyFiles:
    """The files of the studies of one design, beside it."""

    design: Path

    @property
    def measured(self) -> Path:
        """The design as it was when the study began."""
        return self.design.with_name(f"{self.design.stem}.measured.toml")

    @property
    def result(self) -> Path:
        return self.design.with_name(f"{self.design.stem}.balance.json")

    @property
    def record(self) -> Path:
        return self.design.with_name(f"{self.design.stem}.balance.jsonl")

    @property
    def said(self) -> Path:
        return self.design.with_name(f"{self.design.stem}.balance.log")


@dataclass(frozen=True)
class StudyProgress:
    """How far a study is."""

    is_running: bool = False
    played: int = 0
    games: int = 0
    failure: str = ""  # what a study said that has failed
    result: dict[str, Any] | None = None
    is_outdated: bool = False  # the design has been changed since


class BalanceStudy:
    """The study that runs, if one does. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._design: Path | None = None  # of the latest study
        self._games = 0
        self._is_cancelled = False

    def start(self, game: str, design: Path, games: int, *, has_rulings: bool = False) -> None:
        """Starts a study of so many games for each side, and for each ruling. Raises NotNow if one runs, StoreError."""
        files = StudyFiles(design)
        with self._lock:
            if self._is_running():
                raise NotNow(t("A study is running: wait for its result, or cancel it."))
            try:
                self._process = _run(game, games, files, has_rulings=has_rulings)
            except OSError as error:
                reason = error.strerror or str(error)
                raise StoreError(t("{path} cannot be written: {reason}.", path=design.parent, reason=reason)) from None
            self._design, self._games, self._is_cancelled = design, games, False

    def cancel(self, design: Path | None = None) -> None:
        """Kills the process of the study: of this design, or of any."""
        with self._lock:
            if self._process is None or (design is not None and design != self._design):
                return
            if self._is_running():
                self._is_cancelled = True
                self._process.kill()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)

    def progress(self, design: Path) -> StudyProgress:
        """Returns how far the study of a design is, or its result."""
        files = StudyFiles(design)
        with self._lock:
            is_ours = design == self._design and self._process is not None
            is_running = is_ours and self._is_running()
            games = SIDES * self._games
            has_failed = is_ours and not self._is_cancelled and self._process is not None and bool(self._process.poll())
        if is_running:
            played, planned = _count_played(files.record)
            return StudyProgress(is_running=True, played=min(played, planned or games), games=planned or games)
        if has_failed:
            said = files.said.read_text("utf-8", errors="replace") if files.said.exists() else ""
            return StudyProgress(failure=said.strip()[-LONGEST_FAILURE:] or "?")
        try:
            result = json.loads(files.result.read_text("utf-8"))
            return StudyProgress(result=result, is_outdated=files.measured.read_bytes() != design.read_bytes())
        except (OSError, ValueError):
            return StudyProgress()

    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None


def _run(game: str, games: int, files: StudyFiles, *, has_rulings: bool) -> subprocess.Popen[bytes]:
    """Starts the process. Raises OSError."""
    for old in (files.record, files.result):
        old.unlink(missing_ok=True)
    shutil.copyfile(files.design, files.measured)
    command = [sys.executable, "-m", "veillee", "lab", "balance", game, "--games", str(games), "--workers", "1"]
    command += ["--compare", str(files.measured), "--out", str(files.result), "--record", str(files.record)]
    command += ["--rulings"] if has_rulings else []
    home = str(Path(veillee.__file__).parent.parent)
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    with files.said.open("wb") as said:
        return subprocess.Popen(  # noqa: S603 (our own)
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=NEW_SESSION,
            creationflags=NEW_GROUP,
        )


def _count_played(record: Path) -> tuple[int, int]:
    """Returns the games in a record, and how many are planned, which its first line says; 0: not yet."""
    try:
        head, _, lines = record.read_bytes().partition(b"\n")
        planned = sum(plan["games"] for plan in json.loads(head)["plans"])
    except (OSError, ValueError):
        return 0, 0
    return lines.count(b"\n") * GAMES_PER_LINE, planned
