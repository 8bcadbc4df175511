"""Validation of luck and skill: its measurements, and its report when a criterion fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from veillee.bots.evaluation import Budget
from veillee.bots.strength_scale import SCALE_FILE
from veillee.cli import app
from veillee.games.catalogue import BOXES
from veillee.lab import analysis_validation
from veillee.lab.analysis_validation import (
    Even,
    Exact,
    Falling,
    Saving,
    Skill,
    check_even_bots,
    check_levels,
    check_sums,
    measure_saving,
    report,
)
from veillee.lab.executors import InlineExecutor, open_executor
from veillee.lab.strength_scale import figures, to_json

PAGES = Path(__file__).parents[2] / "docs" / "insight"
BOX = BOXES["sourire-du-dragon"]


def nothing() -> None:
    pass


def test_a_few_games_of_each_part(monkeypatch):
    monkeypatch.setattr(analysis_validation, "BUDGET", Budget(2, 4, 2))
    monkeypatch.setattr(analysis_validation, "HERO", 2)
    assert check_sums(BOX, 1, 3, nothing).holds
    found = check_even_bots(BOX, 4, 3, nothing)
    assert (found.games, found.deals, found.even) == (4, 2, 0.5)
    assert found.error > 0
    monkeypatch.setattr(analysis_validation, "CONTENDER", "novice/iterations=1")
    monkeypatch.setattr(analysis_validation, "CONTENDED", "random")
    contest = measure_saving(BOX, 4, 3, nothing)
    assert contest.seats == ("novice/iterations=1", "random")
    assert contest.fair[1] <= contest.fair[2]
    levels = check_levels(BOX, 2, 3, nothing, levels=("random", "novice")).levels
    assert [one.level for one in levels] == ["random", "novice"]
    assert all(one.decisions > 0 and one.ratio >= 0 for one in levels)


def test_the_same_seed_finds_the_same(monkeypatch):
    monkeypatch.setattr(analysis_validation, "HERO", 2)
    assert (
        check_even_bots(BOX, 2, 5, nothing)
        == check_even_bots(BOX, 2, 5, nothing)
        != check_even_bots(BOX, 2, 6, nothing)
    )


def test_other_processes_find_the_same(monkeypatch):
    """Whatever is set here for a run goes with the work."""
    monkeypatch.setattr(analysis_validation, "BUDGET", Budget(2, 4, 2))
    monkeypatch.setattr(analysis_validation, "HERO", 2)

    def parts(crew):
        yield check_sums(BOX, 1, 3, nothing, crew)
        yield check_even_bots(BOX, 2, 3, nothing, crew)
        yield check_levels(BOX, 1, 3, nothing, crew, levels=("random",))

    with open_executor("here", 2) as crew:
        assert list(parts(crew)) == list(parts(InlineExecutor()))


def test_what_does_not_hold_is_said():
    good = Skill("expert", 9, 0.01, 0.01, 100, 4)
    assert Falling([Skill("novice", 9, 0.1, 0.01, 100, 9), good]).holds
    assert not Falling([Skill("novice", 9, 0.04, 0.01, 100, 9), good]).holds, "a step of 2.1 standard errors"
    assert not Falling([Skill("novice", 9, 0.1, 0.01, 100, 9), Skill("expert", 9, 0.01, 0.01, 100, 5)]).holds
    assert Even(10, 5, 0.9, 0.5, -0.02, 0.01).holds
    assert not Even(10, 5, 0.9, 0.5, 0.03, 0.01).holds
    assert Saving(("a", "b"), 9, (0.5, 0.4, 0.6), (0.5, 0.45, 0.55)).times == pytest.approx(4.0)
    assert not Saving(("a", "b"), 9, (0.5, 0.4, 0.6), (0.5, 0.42, 0.58), 2.0).holds
    text = report(BOX, "veillee lab insight", [Exact(5, 1e-3), Even(10, 5, 0.9, 0.5, 0.03, 0.01)])
    assert text.count("**it does not hold**") == 2


def test_what_was_not_measured_now_stays_in_the_report():
    before = report(BOX, "one", [Exact(5, 0.0), Even(10, 5, 0.9, 0.5, 0.03, 0.01)])
    after = report(BOX, "two", [Even(20, 10, 0.9, 0.5, 0.01, 0.01)], before)
    assert after.count("## ") == 2
    assert "In 5 games" in after
    assert "of 20 games" in after
    assert "of 10 games" not in after
    assert after.index("It adds up") < after.index("not luckier")
    assert report(BOX, "two", [], after) == after


def test_bots_are_made_to_what_the_pages_say():
    """After a new measurement of the levels of a box, run `python -m veillee.lab.strength_scale`; a first one may wait for it."""
    files = [file for box in BOXES.values() if (file := box.folder / SCALE_FILE).exists()]
    for box in BOXES.values():
        found = figures((PAGES / f"{box.id}.md").read_text(encoding="utf-8"))
        if (file := box.folder / SCALE_FILE) in files:
            assert found is not None, box.id
            assert file.read_text(encoding="utf-8") == to_json(found), box.id
    assert files


def test_what_is_not_whole_is_not_read():
    levels = [Skill(level, 9, ratio, 0.01, 9, 9) for level, ratio in (("random", 0.4), ("novice", 0.2))]
    page = report(BOX, "veillee lab insight", [Falling(levels)])
    assert figures(page) is None
    assert figures("") is None


def test_the_command_writes_its_report(tmp_path):
    path = tmp_path / "here" / "report.md"
    args = [
        "lab",
        "insight",
        BOX.id,
        "--games",
        "0",
        "--analysed",
        "1",
        "--each",
        "0",
        "--contest",
        "0",
        "--workers",
        "1",
        "--lang",
        "en",
        "--out",
        str(path),
    ]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 0, result.output
    assert "It adds up" in path.read_text()
