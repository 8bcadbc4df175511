"""A child that answers JSON lines with JSON lines: what its parent gets, and when it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from veillee.house.workers.json_lines import STALL_SECONDS, JsonLinesProcess, StallDetector

PATIENCE = 30.0
CHILD = (
    sys.executable,
    "-c",
    """
from veillee.house.workers.json_lines import serve_lines

def handle(job):
    print("this does not get into the pipe")
    for number in range(job["answers"]):
        yield {"number": number}
    if job.get("fails"):
        raise ValueError("as it was told")

serve_lines(handle, mark_end=True)
""",
)
HANGS = (sys.executable, "-c", "import sys\nfor line in sys.stdin: pass\nwhile True: pass")
NONSENSE = (sys.executable, "-c", "input(); print('what?', flush=True); input()")


@pytest.fixture
def start():
    started = []

    def start(command):
        started.append(JsonLinesProcess(command))
        return started[-1]

    yield start
    for process in started:
        process.close()


def test_a_child_answers_each_message(start):
    process = start(CHILD)
    assert process.ask({"answers": 2}, seconds=PATIENCE) == {"number": 0}
    assert process.read_answer(PATIENCE) == {"number": 1}
    assert process.read_answer(PATIENCE) is None, "the end is marked"
    assert process.ask({"answers": 0}, {"answers": 1}, seconds=PATIENCE) is None
    assert process.read_answer(PATIENCE) == {"number": 0}
    assert process.is_running


SLEEPS = (sys.executable, "-c", "input()\nimport time\ntime.sleep(3600)")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@on_linux
def test_a_child_that_hangs_is_killed_long_before_its_time_is_over(start):
    process = start(SLEEPS)
    with pytest.raises(ValueError, match="ended"):
        process.ask({}, seconds=3600)
    process = start(SLEEPS)
    said, stopped = process.ask_last({}, seconds=3600, poll_seconds=0.1, should_stop=lambda: False)
    assert (said, stopped) == ("", False)


@on_linux
def test_a_child_that_computes_is_not_stalled_and_one_that_is_stopped_is():
    now = [0.0]
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as child:
        stall = StallDetector(child.pid, lambda: now[0])
        for _ in range(10):
            now[0] += STALL_SECONDS
            used = stall._used
            while not stall.is_stalled() and stall._used == used:
                pass
            assert not stall.is_stalled()
        child.send_signal(signal.SIGSTOP)
        while "T" not in (Path("/proc") / str(child.pid) / "stat").read_text().split()[2]:
            pass
        stall.is_stalled()
        now[0] += STALL_SECONDS
        assert stall.is_stalled()
        child.kill()


def test_a_child_that_fails_has_ended(start, capfd):
    process = start(CHILD)
    assert process.ask({"answers": 1, "fails": True}, seconds=PATIENCE) == {"number": 0}
    with pytest.raises(ValueError, match="ended"):
        process.read_answer(PATIENCE)
    process.close()
    assert not process.is_running
    assert "as it was told" in capfd.readouterr().err


def test_a_child_that_does_not_answer_in_time_is_killed(start):
    process = start(HANGS)
    with pytest.raises(ValueError, match="ended"):
        process.ask({}, seconds=0.2)


def test_a_line_that_is_not_json_is_an_error(start):
    with pytest.raises(json.JSONDecodeError):
        start(NONSENSE).ask({}, seconds=PATIENCE)


def test_a_program_that_is_not_there_is_an_error():
    with pytest.raises(OSError, match="no-such-program"):
        JsonLinesProcess(("no-such-program",))


def test_who_waits_is_freed_by_a_kill(start):
    process = start(HANGS)
    timer = threading.Timer(0.2, process.kill)
    timer.start()
    with pytest.raises(ValueError, match="ended"):
        process.ask({}, seconds=PATIENCE)
    timer.join()


def test_the_last_question_gets_all_output(start):
    said, stopped = start(CHILD).ask_last(
        {"answers": 2}, seconds=PATIENCE, poll_seconds=0.05, should_stop=lambda: False
    )
    assert said.splitlines() == ['{"number": 0}', '{"number": 1}', ""]
    assert not stopped


@pytest.mark.parametrize(("seconds", "busy"), [(0.1, False), (PATIENCE, True)])
def test_the_last_question_is_cut_short_in_time_or_when_asked_to(start, seconds, busy):
    process, since = start(HANGS), time.monotonic()
    assert process.ask_last({}, seconds=seconds, poll_seconds=0.05, should_stop=lambda: busy) == ("", busy)
    assert time.monotonic() - since < PATIENCE
    assert not process.is_running


def test_a_child_whose_parent_is_gone_ends_in_silence():
    child = subprocess.Popen(
        CHILD, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    child.stdout.close()
    child.stdin.write(json.dumps({"answers": 1}) + "\n")
    child.stdin.close()
    assert child.wait(PATIENCE) == 0
    assert "Traceback" not in child.stderr.read()
    child.stderr.close()
