"""Engine upgrade during play: workers switch to the compiled engine between two questions, and nothing is lost."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from house.playing import BOT, ME
from veillee import engine
from veillee.house.workers import engine_upgrade
from veillee.house.workers.engine_upgrade import EngineUpgradeWatcher
from veillee.house.workers.inline import InlineThinkers
from veillee.house.workers.jobs import ThinkJob
from veillee.house.workers.pool import ThinkerPool

JOB = ThinkJob("ghost-knights", {}, 0, "novice", 1)
# A thinker that says its own number, and true of its engine once the file is there.
NUMBERED = """
import json, os, pathlib, sys, time
compiled = pathlib.Path({file!r})
for line in sys.stdin:
    wanted = json.loads(line)["wanted"]
    if wanted == "plan":
        time.sleep({think})
    print(json.dumps(compiled.exists() if wanted == "engine" else [os.getpid()]), flush=True)
"""


def numbered(file: Path, think: float = 0.0) -> tuple[str, ...]:
    return sys.executable, "-c", NUMBERED.format(file=str(file), think=think)


def ask(thinkers, job=JOB):
    said, there = [], threading.Event()
    thinkers.submit(job, lambda answers: (said.append(answers), there.set()))
    return said, there


def answer(thinkers, job=JOB):
    said, there = ask(thinkers, job)
    assert there.wait(60)
    return said[0]


def test_thinkers_stay_as_they_are_without_a_compiled_engine(tmp_path):
    thinkers = ThinkerPool(1, command=numbered(tmp_path / "compiled"))
    before = answer(thinkers)
    assert not thinkers.switch_engine()
    assert answer(thinkers) == before
    thinkers.close()


def test_thinkers_change_over_between_two_questions(tmp_path):
    """What is being thought about comes to its end in the old process; the next question goes to a new one."""
    thinkers = ThinkerPool(1, command=numbered(tmp_path / "compiled", think=0.5))
    before = answer(thinkers)
    said, there = ask(thinkers)
    (tmp_path / "compiled").touch()
    assert thinkers.switch_engine()
    assert there.wait(60)
    assert said == [before]
    after = answer(thinkers)
    assert after != before
    assert answer(thinkers) == after
    thinkers.close()


def test_an_engine_that_cannot_think_changes_nothing(tmp_path, caplog):
    dies_later = """
import json, pathlib, sys
for line in sys.stdin:
    if json.loads(line)["wanted"] == "engine":
        sys.exit("this engine does not run")
    print("[7]", flush=True)
"""
    thinkers = ThinkerPool(1, command=(sys.executable, "-c", dies_later))
    assert answer(thinkers) == [7]
    assert not thinkers.switch_engine()
    assert answer(thinkers) == [7]
    thinkers.close()


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    monkeypatch.setenv("VEILLEE_ENGINES", str(tmp_path))
    return tmp_path


class Ready(InlineThinkers):
    """Thinkers that can change over, or not."""

    def __init__(self, able=True):
        super().__init__()
        self.able = able

    def switch_engine(self):
        return self.able


def news(watched: EngineUpgradeWatcher, *happenings):
    """What is told while these things happen one after the other."""
    told = []
    watched._on_status = told.append
    for happening in happenings:
        happening()
        watched.poll()
    return told


def test_a_build_is_told_and_then_its_end(shelf):
    building = shelf / "building"
    watched = EngineUpgradeWatcher(Ready())
    told = news(watched, lambda: None, building.touch, building.touch, (shelf / engine.key()).mkdir, building.unlink)
    assert told == ["building", "changed"]
    assert watched.status == "changed"


def test_a_failed_build_is_told_once(shelf, monkeypatch):
    building = shelf / "building"
    watched = EngineUpgradeWatcher(Ready())
    assert news(watched, building.touch, building.unlink, lambda: None) == ["building", "failed"]
    assert watched.status == "failed"
    monkeypatch.setattr(engine_upgrade, "BANNER_SECONDS", 0.0)
    assert watched.status == "", "it is news for a while only"


def test_a_build_that_was_cut_short_is_no_build(shelf):
    building = shelf / "building"
    building.touch()
    long_ago = time.time() - 2 * engine_upgrade.BUILD_STALLED_SECONDS
    os.utime(building, (long_ago, long_ago))
    assert news(EngineUpgradeWatcher(Ready()), lambda: None) == []


def test_an_engine_of_other_sources_does_not_fit(shelf):
    (shelf / f"{engine.key()}x").mkdir()
    assert news(EngineUpgradeWatcher(Ready()), lambda: None) == []


def test_an_engine_that_does_not_run_is_told_as_failed(shelf):
    assert news(EngineUpgradeWatcher(Ready(able=False)), (shelf / engine.key()).mkdir) == ["failed"]


@pytest.mark.skipif(
    not (Path(sys.prefix) / "veillee-engines" / engine.key()).is_dir(),
    reason="no compiled engine of these sources here",
)
def test_a_house_changes_over_to_the_real_one(shelf, house, ada, monkeypatch):
    jobs = []
    monkeypatch.setattr(house.thinkers, "submit", lambda job, done: jobs.append(job))
    house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT])
    thinkers = ThinkerPool(1)
    first = answer(thinkers, jobs[0])
    assert thinkers._workers[0].ask("engine", None, lambda told: told) is False
    (shelf / engine.key()).symlink_to(Path(sys.prefix) / "veillee-engines" / engine.key())
    assert thinkers.switch_engine()
    assert answer(thinkers, jobs[0])
    assert thinkers._workers[0].ask("engine", None, lambda told: told) is True
    assert first
    thinkers.close()
