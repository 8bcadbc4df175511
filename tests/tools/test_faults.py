"""Full disks, jumps of the clock and damaged bytes: a few here, more and the faults of threads by command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_house_survives_full_disks_clocks_and_damage():
    command = [sys.executable, str(ROOT / "tools" / "stress" / "faults.py"), "--no-threads"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    few = ["--full", "2", "--jumps", "6", "--damage", "8"]
    run = subprocess.run([*command, *few], env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count("\n") == 4
