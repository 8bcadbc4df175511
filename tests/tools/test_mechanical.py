"""A game's rules are rules: copies, registrations and decorators are few (ADR 11)."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tools/check"))
from mechanical import GAMES, MOST, mechanical, share

sys.path.pop(0)

FOLDERS = sorted(path for path in GAMES.iterdir() if (path / "view.py").exists())


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_few_lines_of_the_rules_are_mechanical(folder):
    some, every = share(folder)
    assert 0 < some < every * MOST / 100


def test_what_counts_as_mechanical():
    text = """
@decorated
class Turn(Step):
    shape = {"hand": counts(6)}

    def clone(self):
        return Turn(
            self.seat,
        )

    def run(self):
        pass
"""
    assert mechanical(ast.parse(text)) == 1 + 1 + 4
