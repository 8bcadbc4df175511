"""Fuzzed requests and saves: a few here, 200,000 by command."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_what_is_made_to_hurt_breaks_nothing():
    command = [sys.executable, str(ROOT / "tools" / "stress" / "fuzz.py"), "--requests", "200", "--saves", "20"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "200 spoilt requests" in run.stdout
