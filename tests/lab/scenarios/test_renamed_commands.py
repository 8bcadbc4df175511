"""Commands that were renamed keep working under their former name, and say so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import veillee

RENAMED = {"learn": "value_learning", "habits": "policy_learning", "measure": "strength_scale"}
SOURCES = Path(veillee.__file__).parents[1]


@pytest.mark.parametrize(("former", "name"), RENAMED.items())
def test_a_renamed_command_works_under_its_former_name_and_says_so(former, name):
    ran = subprocess.run(
        [sys.executable, "-m", f"veillee.lab.{former}", "--help"],
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert f"usage: python -m veillee.lab.{name}" in ran.stdout
    assert ran.stderr.count(f"python -m veillee.lab.{name}") == 1
