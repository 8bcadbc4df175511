"""`veillee arena`: figures as JSON and as a table, sentences for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from veillee.cli import app


def arena(*args: str) -> Result:
    return CliRunner().invoke(app, ["arena", *args, "--lang", "en", "--workers", "1"])


def test_json_has_the_share_of_victories_of_each_level() -> None:
    result = arena("ghost-knights", "--seats", "novice/iterations=2,random,random,random", "--games", "4", "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert set(figures["win_share"]) == {"novice/iterations=2", "random"}
    assert sum(figures["win_share"].values()) == pytest.approx(1.0, abs=1e-3)
    assert figures["games"] == 4
    assert figures["levels"]["random"]["seats"] == 3


def test_the_table_names_every_level(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    result = arena("gk", "--seats", "random,random,random,random", "--games", "2", "--record", str(record))
    assert result.exit_code == 0, result.output
    assert "100.0%" in result.stdout
    assert len(record.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--games", "0"), "The number of games is from 1 to 1000000, not 0."),
        (("--seats", "expert,regular"), "Ghost Knights is for 4 to 5 players, not 2."),
        (("--seats", "expert,wizard,random,random"), "There is no level 'wizard'"),
        (("--seats", "expert/blur=x,random,random,random"), "'x' is no value for 'blur'."),
    ],
)
def test_bad_input_is_a_sentence(args: tuple[str, ...], sentence: str) -> None:
    result = arena("ghost-knights", *args)
    assert result.exit_code == 2
    assert sentence in result.output
    assert "Traceback" not in result.output
