"""`make test-fast`: which tests a change selects."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/setup"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools/dev"))
from install import ROOT
from test_fast import QUICK, ROOMS, calls


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ([], [QUICK]),
        (["README.md"], [QUICK]),
        (
            ["src/veillee/games/takara_island/rules.py", "src/veillee/games/takara_island/board/board.css"],
            [["tests/games/takara_island", "src/veillee/conformance", "-k", "takara_island or takara-island"]],
        ),
        (["src/veillee/match/undo.py"], [["tests/match"]]),
        (["src/veillee/games/box.py"], [sorted(QUICK)]),
        (
            ["tools/setup/dist.py", "tests/match/test_match_undo.py", "tests/helpers.py"],
            [["tests/match/test_match_undo.py", "tests/tools"]],
        ),
    ],
)
def test_what_changed_decides(files, wanted):
    assert calls(files) == wanted


def test_every_test_that_it_names_is_there():
    for tests in [QUICK, *ROOMS.values()]:
        for test in tests:
            assert (ROOT / test).exists()


def test_a_game_that_is_not_there_is_named():
    command = [sys.executable, "tools/dev/test_fast.py", "takara"]
    ran = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert ran.returncode == 2
    assert "There is no game takara" in ran.stdout
    assert "takara-island" in ran.stdout
