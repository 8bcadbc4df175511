"""`veillee arena`: figures as JSON and as a table, sentences for bad input."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from veillee.cli import app
from veillee.lab import luck_correction


@pytest.fixture(autouse=True)
def little_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few simulations for luck in this process, because the engine is interpreted; tests/lab has tests of the figures."""
    monkeypatch.setattr(luck_correction, "WORLDS_PER_ANSWER", 1)
    monkeypatch.setattr(luck_correction, "GAMES_PER_WORLD", 1)


def arena(*args: str) -> Result:
    return CliRunner().invoke(app, ["arena", *args, "--lang", "en", "--workers", "1"])


def test_json_has_the_share_of_victories_of_each_level() -> None:
    result = arena("ghost-knights", "--seats", "novice/iterations=2,random,random,random", "--games", "2", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert set(figures["win_share"]) == {"novice/iterations=2", "random"}
    assert sum(figures["win_share"].values()) == pytest.approx(1.0, abs=1e-3)
    assert figures["games"] == 2
    assert figures["levels"]["random"]["seats"] == 3


def test_the_table_names_every_level(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    result = arena("gk", "--seats", "random,random,random,random", "--games", "2", "--record", str(record))
    assert result.exit_code == 0, result.output
    assert "100.0%" in result.stdout
    assert len(record.read_text().splitlines()) == 3


@pytest.mark.parametrize(("columns", "rated"), [("80", False), ("130", True)])
def test_a_line_of_the_table_is_a_level_in_a_narrow_terminal_too(columns, rated, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    title, heads, *lines = arena("gk", "--seats", "random,random,random,random", "--games", "1").stdout.splitlines()
    assert title.strip() == "1 game"
    assert "95 % interval" in heads
    assert ("rating" in heads) is rated
    assert [line.split()[0] for line in lines] == ["random"]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--games", "0"), "The number of games is from 1 to 1000000, not 0."),
        (("--seats", "expert,regular"), "Ghost Knights is for 4 to 5 players, not 2."),
        (("--seats", "expert,wizard,random,random"), "There is no level 'wizard'"),
        (("--seats", "expert/blur=x,random,random,random"), "'x' is no value for 'blur'."),
        (("--seats", "nowhere:Bot,random,random,random"), "There is no bot 'nowhere:Bot' to play with."),
        (("--limit", "0"), "A bot may think for up to 3600 s, not 0"),
    ],
)
def test_bad_input_is_a_sentence(args: tuple[str, ...], sentence: str) -> None:
    result = arena("ghost-knights", *args)
    assert result.exit_code == 2
    assert sentence in result.output
    assert "Traceback" not in result.output


BOTS = """
class First:
    def choose(self, view, choices, clock):
        print("noise on stdout")
        return choices[0]

class Moody:
    def __init__(self, seed):
        self.left = seed % 3

    def choose(self, view, choices, clock):
        self.left -= 1
        if self.left == 0:
            raise RuntimeError("no mood")
        return choices[-1].id
"""


def test_bots_of_ones_own_play_along_and_what_they_did_wrong_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the same games are played by one process and by two."""
    (tmp_path / "mybots.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    order = ("ghost-knights", "--seats", "mybots:First,random,mybots:Moody,random", "--games", "2")
    told = arena(*order, "--json", "--record", "one.jsonl")
    assert told.exit_code == 0, told.output
    figures = json.loads(told.stdout)
    assert figures["levels"]["mybots:First"]["faults"] == 0
    assert figures["levels"]["mybots:Moody"]["faults"] > 0
    assert figures["levels"]["mybots:Moody"]["first"].startswith("mybots:Moody raised RuntimeError: no mood (mybots.py")
    shown = arena(*order, "--record", "two.jsonl", "--workers", "2")
    assert "for mybots:Moody. mybots:Moody raised" in shown.stderr.replace("\n", " ")
    one, two = (
        [{**json.loads(line), "clocks": None, "luck": None} for line in (tmp_path / name).read_text().splitlines()]
        for name in ("one.jsonl", "two.jsonl")
    )
    assert one == two
    again = arena(*order, "--json", "--record", "one.jsonl")  # a run that was stopped goes on where it was
    assert json.loads(again.stdout) == figures


def test_models_are_reported_by_rule_and_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "veillee.lab.arena.luck_of", lambda match, seed: []
    )  # most of the time, and not of interest here
    stand_in = Path(__file__).parents[2] / "examples/model_stand_ins.py"
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    over, hello = 'over' in said, 'veillee' in said\n"
        "    print(json.dumps({'over': True} if over else {'ready': True} if hello else {'ask': said['ask'], 'choice': 9999}), flush=True)\n",
        encoding="utf-8",
    )
    models = [f"program:{sys.executable} {stand_in} first", f"program:{sys.executable} {bad}"]
    command = ["arena", "takara-island", "--seats", ",".join(models), "--games", "1", "--workers", "1", "--lang", "en"]
    shown = CliRunner().invoke(app, [*command, "--json"])
    levels = json.loads(shown.stdout)["levels"]
    questions = levels[models[1]]["tally"]["questions"]
    assert levels[models[1]]["tally"]["rules"] == {"K-2": 3 * questions}
    assert levels[models[1]]["faults"] == questions
    assert levels[models[0]]["tally"]["rules"] == {}
    shown = CliRunner().invoke(app, command, env={"COLUMNS": "200"})
    assert "How they answered" in shown.stdout
    assert f"K-2 ×{3 * questions}" in shown.stdout
