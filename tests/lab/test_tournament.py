"""Duplicate tournaments: the same deals, seats and opponents for all entrants, and luck set aside."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import veillee
from veillee.cli import app
from veillee.games.catalogue import BOXES
from veillee.house.championships.standings import rank_entrants
from veillee.lab.tournament import Duplicate, duplicate_page

BOX = BOXES["takara-island"]


def test_all_play_the_same_games_and_the_better_one_is_first():
    tournament = Duplicate(BOX, ("random", "novice"), "random", games=8, seed=5)
    results = tournament.play()
    assert [(one.entrant, one.deal) for one in results] == [(n, deal) for n in (1, 2) for deal in range(1, 9)]
    assert all(one.luck is not None for one in results)
    assert rank_entrants(results)[0].entrant == 2
    told = duplicate_page(tournament, results, "command")
    assert told.index("**novice**") < told.index("**random**")
    assert "sure." in told


def test_the_result_is_that_of_the_entrants_own_seat():
    made = Duplicate(BOX, ("random", "novice"), "random", games=2, seed=5)
    for number in range(BOX.usual):
        assert made.contest("novice").line_up(number)[made.own_seat(number)] == "novice"


def test_one_entrant_or_the_same_one_twice_is_no_tournament():
    for entrants in (("novice",), ("novice", "novice"), ("novice", "nobody")):
        with pytest.raises(veillee.VeilleeError):
            Duplicate(BOX, entrants, "random", games=1).check()


def test_the_command(tmp_path):
    told = CliRunner().invoke(
        app,
        [
            "lab",
            "tournament",
            "sourire-du-dragon",
            "random",
            "novice",
            "--games",
            "2",
            "--duplicate",
            "--against",
            "random",
        ]
        + ["--workers", "1", "--records", str(tmp_path), "--lang", "en"],
    )
    assert told.exit_code == 0, told.output
    assert "# Duplicate tournament" in told.output
    assert len(list(tmp_path.iterdir())) == 2
