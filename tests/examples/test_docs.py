"""Executes the programs and commands of the pages for players and designers, with fewer games."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from typer.testing import CliRunner

from veillee.bots.evaluation import Budget
from veillee.cli import app
from veillee.match import seeds
from veillee.match.analysis import TURNS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TESTS = Path(__file__).parent
# Every page with Python programs: the test that executes all of them, or why a program cannot be executed as it stands.
EXECUTED = {
    "README.md": TESTS / "test_readme.py",
    "docs/api.md": ROOT / "tests" / "test_deprecation.py",
    "docs/compact-text.md": TESTS / "test_docs.py",
    "docs/fairness.md": TESTS / "test_docs.py",
    "docs/reference.md": TESTS / "test_docs.py",
    "docs/write-a-bot.md": TESTS / "test_write_a_bot.py",
}
NOT_EXECUTED = {
    "SCENES: Final[Scenes] = {": "a part of the scenes of Ghost Knights, whose names stand for kinds of events",
    "def test_a_game_in_the_browser(room):": "tests that a box writes with the fixtures of tests/web/conftest.py",
}


def programs_of(page: Path) -> list[str]:
    return re.findall(r"```python[^\n]*\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def test_every_program_of_the_documents_is_executed_or_named():
    pages = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")] + sorted(DOCS.rglob("*.md"))
    with_programs = {page.relative_to(ROOT).as_posix(): programs_of(page) for page in pages if programs_of(page)}
    assert EXECUTED.keys() <= with_programs.keys()
    assert all(test.is_file() for test in EXECUTED.values())
    others = [program for page, programs in with_programs.items() if page not in EXECUTED for program in programs]
    assert sorted(program.splitlines()[0] for program in others) == sorted(NOT_EXECUTED)


def test_the_scenes_of_the_page_are_those_of_the_box():
    (scenes,) = [program for program in programs_of(DOCS / "add-a-game.md") if program.startswith("SCENES")]
    source = (ROOT / "src/veillee/games/ghost_knights/scenes.py").read_text(encoding="utf-8")
    named = set(re.findall(r"gk\.[A-Z]+", scenes))
    assert named
    assert all(name in source for name in named)


def test_the_reference_tells_luck_from_skill_as_the_page_says(capsys):
    (program,) = programs_of(DOCS / "reference.md")
    quick = program.replace('"regular", "novice"', '"random", "random"')
    quick = quick.replace("analyse(match)", "analyse(match, budget=Budget(1, 1, 1), seats=())")
    assert quick.count("random") == 2
    exec(quick, {"Budget": Budget})
    figures, *told = capsys.readouterr().out.splitlines()
    assert figures.count("[") == 3
    assert len(told) == TURNS
    assert all(re.search(r"from \d+ % to \d+ %", line) for line in told)


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
