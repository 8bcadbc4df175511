"""The example that learns: it runs, and its policy changes. That it learns is measured by `make soak`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "learn_a_seat.py"


def test_the_example_runs_and_measures_itself(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    command = [sys.executable, str(EXAMPLE), "--seconds", "0.1", "--games", "3"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "before: " in told
    assert re.search(r"^after [1-9][0-9]* games: ", told, re.MULTILINE)
