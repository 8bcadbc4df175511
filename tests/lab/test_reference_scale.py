"""Reference players on one scale: the fit finds the strengths that made the results, and the report is written."""

from __future__ import annotations

import re
from math import log10
from random import Random

import pytest

from veillee.games.catalogue import BOXES
from veillee.lab import ladder, reference_scale
from veillee.lab.reference_scale import BEGIN, END, main, ratings, strengths

BOX = BOXES["takara-island"]
TRUE = {"random": 1.0, "flat": 2.0, "plain": 8.0}


def played(number, chance):
    """Games of three in which the odds are those of the strengths."""
    games = []
    for _ in range(number):
        winner = chance.choices(list(TRUE), TRUE.values())[0]
        games.append((list(TRUE), [float(player == winner) for player in TRUE]))
    return games


def test_the_fit_finds_the_strengths():
    found = strengths(played(20_000, Random(1)))
    assert found["flat"] / found["random"] == pytest.approx(2.0, rel=0.1)
    assert found["plain"] / found["random"] == pytest.approx(8.0, rel=0.1)


def test_games_of_other_line_ups_are_on_the_same_scale():
    """Who beats who beats whom: 3 : 1 twice is 9 : 1."""
    pairs = [(["random", "flat"], [0.25, 0.75])] * 400 + [(["flat", "plain"], [0.25, 0.75])] * 400
    found = strengths(pairs)
    assert found["plain"] / found["random"] == pytest.approx(9.0, rel=0.05)


def test_one_who_wins_nothing_and_a_game_without_a_winner():
    found = strengths([(["random", "plain"], [0.0, 1.0])] * 10 + [(["random", "plain"], [0.0, 0.0])] * 90)
    assert found == strengths([(["random", "plain"], [0.0, 1.0])] * 10)
    assert 0 < found["random"] < found["plain"] / 10


def test_intervals_hold_the_truth(monkeypatch):
    monkeypatch.setattr(reference_scale, "RESAMPLES", 80)
    monkeypatch.setattr(reference_scale, "ROUNDS", 25)
    truth, held = 1000 - 400 * log10(8.0), 0
    for seed in range(40):
        lines = {one.player: one for one in ratings([[game] for game in played(120, Random(seed))], seed)}
        assert lines["plain"].rating == 1000
        held += lines["random"].low <= truth <= lines["random"].high
    assert 33 <= held <= 40


def test_what_was_played_is_written_and_the_rest_is_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(reference_scale, "RESAMPLES", 40)
    monkeypatch.setattr(reference_scale, "ROUNDS", 10)
    monkeypatch.setattr(reference_scale, "PLAYERS", ("random", "random/iterations=0", "random/seconds=1"))
    monkeypatch.setattr(reference_scale, "EXPLOITED", ("random",))
    monkeypatch.setattr(reference_scale, "KNOWING", "random/haste=0.1")
    monkeypatch.setattr(reference_scale, "UNKNOWING", "random/haste=0.2")
    monkeypatch.setattr(ladder, "DEFAULT_SEATS", 2)
    arguments = ["reference_scale", BOX.id, "--games=2", "--seed=3", f"--records={tmp_path}"]
    monkeypatch.setattr("sys.argv", [*arguments, "--exploited=2"])
    main()
    assert "6 games, 0 of them of a master" in capsys.readouterr().out
    page, other = tmp_path / "opponents.md", BOXES["ghost-knights"].title["en"]
    page.write_text(f"before\n{BEGIN}\n### {other}\n\nkept\n\n### {BOX.title['en']}\n\nold\n{END}\nafter\n")
    monkeypatch.setattr("sys.argv", [*arguments, f"--write={page}"])
    main()
    text = page.read_text()
    assert text.startswith(f"before\n{BEGIN}\n### {other}\n\nkept\n\n### {BOX.title['en']}\n\n| player")
    assert text.endswith(f"\n{END}\nafter\n")
    assert "old" not in text
    assert re.search(r"\| random \| \d+ \| \d+ – \d+ \|", text)
    assert "| random | 2 | " in text
