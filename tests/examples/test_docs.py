"""Executes the programs and commands of the pages for players and designers, with fewer games."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from typer.testing import CliRunner

from veillee.cli import app
from veillee.match import seeds

DOCS = Path(__file__).parents[2] / "docs"


def test_fairness_is_proven_as_the_page_says(capsys):
    text = (DOCS / "fairness.md").read_text(encoding="utf-8")
    proof, contribution = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(proof, {})
    assert capsys.readouterr().out.count("True") == 3
    names: dict[str, object] = {}
    exec(contribution, names)
    assert seeds.seal(names["contribution"]) == names["sealed"]


def test_a_tile_is_changed_and_measured_as_the_page_says(tmp_path, monkeypatch, brought):
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ veillee (.+)$", (DOCS / "design.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 4
    for line in commands:
        words = shlex.split(line.replace("--games 400", "--games 1 --workers 1"))
        told = CliRunner().invoke(app, words)
        assert told.exit_code == 0, told.output
        if words[-1] == "mine.toml" and words[0] == "content" and "--to" in words:  # the reader changes something
            mine = Path("mine.toml")
            mine.write_text(mine.read_text(encoding="utf-8").replace('"1 coin"', '"1 potion"', 1), encoding="utf-8")
    assert "an owner's own set" in Path("mine.md").read_text(encoding="utf-8")
    assert list(tmp_path.glob("*.svg"))


def test_the_compact_text_is_printed_as_the_page_says(capsys):
    program = re.findall(r"```python\n(.*?)```", (DOCS / "compact-text.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(program[0], {})
    assert "\nQuestion: Draw a second card, or play one? (GK-2.1)\n0 Draw a second card\n" in capsys.readouterr().out
