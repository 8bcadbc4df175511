"""`make test` is the same however it is started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
ASK = "import conftest, subprocess, sys; print(subprocess.run([sys.executable, '-c', sys.argv[1]]).returncode)"
STOP = "import signal; signal.raise_signal(signal.SIGINT)"


def test_what_a_test_starts_can_be_stopped_although_the_run_began_in_the_background():
    """Started by a script with `&`, by cron or nohup, a run ignores SIGINT; the processes of its tests must not."""
    script = "trap '' INT; exec \"$@\""
    command = ["sh", "-c", script, "sh", sys.executable, "-c", ASK, STOP]
    told = subprocess.run(command, env={"PYTHONPATH": str(TESTS)}, capture_output=True, text=True, check=True)
    assert int(told.stdout) != 0, "it went on"
