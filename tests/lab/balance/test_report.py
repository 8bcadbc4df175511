"""Balance study: the same games on every executor, correct figures, criteria that can fail."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.chance import Rng
from veillee.lab.balance import Criterion, Plan, play, run, sure
from veillee.lab.balance.report import bars, columns, swings, write
from veillee.lab.balance.tales_of_glory import FEWEST, MAIN, STUDY, TalesOfGloryWatcher, swing, wins_by
from veillee.match.errors import Unknown


def record(shares, **fields):
    seats = len(shares)
    return {
        "shares": shares,
        "heroes": list(range(seats)),
        "order": list(range(seats)),
        "scores": [60] * seats,
        "keys": [5] * seats,
        "majorities": [1] * seats,
        "left": [[2, 2, 2, 2]] * seats,
        "types": [[2, 3, 2, 3]] * seats,
        "offers": 320,
        "unfit": 1,
        "discarded": 2,
        "played": [],
        "passed": [],
        **fields,
    }


def test_the_same_seed_gives_the_same_games_in_any_chunks():
    plan = Plan("three", 3, 4)
    whole = play("tales-of-glory", plan, "quick", 5, range(4))
    parts = [game for n in range(4) for game in play("tales-of-glory", plan, "quick", 5, [n])]
    assert whole == parts
    assert whole != play("tales-of-glory", plan, "quick", 6, range(4))


def test_every_plan_is_played_and_told_of_as_it_goes():
    told = []
    played = run("tales-of-glory", 2, "quick", 1, progress=told.append)
    assert sum(told) == sum(plan.games for plan in STUDY.plans(2))
    assert {name: len(games) for name, games in played.items()} == {p.name: p.games for p in STUDY.plans(2)}


def test_bots_with_a_level_play_too():
    games = play("tales-of-glory", Plan("two", 2, 1), "novice/iterations=2", 1, [0])
    assert sum(games[0]["shares"]) == 1


def test_an_unknown_level_is_refused_with_a_sentence():
    with pytest.raises(Unknown, match="no level"):
        run("tales-of-glory", 1, "wizard", 1)


def test_tg_8_2_the_watcher_notes_offers_discards_and_what_was_affordable_and_passed_over():
    g = tg.new_game(4, Rng(3), {})
    watch = TalesOfGloryWatcher(g)
    watch.see(g)
    watch.see(g)
    assert watch.offers == 4 * 8  # a round's offer is noted once
    assert (0, g.slots[0]) in watch.could
    watch.act(g, 0, tg.DISCARD)
    watch.act(g, 0, tg.PLAY)
    noted = watch.finish(g)
    assert noted["discarded"] == 1
    assert noted["played"] == []
    assert [0, g.slots[0]] in noted["passed"]


def test_tg_8_2_win_rates_count_shared_victories_in_part():
    games = [record([0.5, 0.5]), record([1.0, 0.0])]
    assert wins_by(games, "heroes") == {0: (0.75, 2), 1: (0.25, 2)}


def test_tg_8_2_a_tiles_swing_compares_those_who_played_it_with_those_who_could_have():
    games = [record([1.0, 0.0], played=[[0, 7]], passed=[[1, 7]])] * FEWEST
    games += [record([0.0, 1.0], played=[[0, 8]], passed=[[1, 8]])]  # too few cases
    assert swing(games) == {7: (1.0, FEWEST, FEWEST)}


def test_tg_8_2_even_games_hold_every_criterion_and_uneven_ones_do_not():
    turns = [record([float(seat == winner) for seat in range(4)]) for winner in range(4)]
    assert all(c.holds for c in STUDY.judge({MAIN: turns}))
    lopsided = [
        record([1.0, 0.0, 0.0, 0.0], scores=[40] * 4, keys=[1] * 4, discarded=20, unfit=40, types=[[0] * 4] * 4)
    ]
    assert not any(c.holds for c in STUDY.judge({MAIN: lopsided}) if "swing" not in c.name)
    assert not all(c.holds for c in STUDY.judge({"2 players": [record([1.0, 0.0])]}))


def test_tg_8_2_all_criteria_hold_in_the_report_of_the_documents():
    report = (Path(__file__).parents[3] / "docs" / "balance" / "tales-of-glory.md").read_text(encoding="utf-8")
    assert "All 55 criteria hold." in report
    assert "**missed**" not in report
    games, level = re.search(r"--games (\d+) --level (\S+)", report).groups()
    assert int(games) >= 2000
    assert level.startswith("expert/")  # bots that search


def test_the_interval_of_a_share():
    assert sure(0.25, 2000) == pytest.approx(0.019, abs=0.001)


def test_the_report_says_what_was_missed_and_lies_beside_its_pictures(tmp_path):
    games = {MAIN: [record([float(seat == winner) for seat in range(4)]) for winner in range(4)]}
    criteria = [*STUDY.judge(games), Criterion("a wish", MAIN, 0.5, 0.0, 0.1, "%")]
    chapters = [c for c in STUDY.chapters(games) if c.name != "tiles"]
    files = write(tmp_path / "r.md", "Balance", "How.", "veillee lab balance x", criteria, chapters)
    text = files[0].read_text(encoding="utf-8")
    assert f"{len(criteria) - 1} of {len(criteria)} criteria hold" in text
    assert "| a wish | 50.0 % | 0.0 % to 10.0 % | **missed** |" in text
    assert "    veillee lab balance x" in text
    for picture in files[1:]:
        assert f"({picture.name})" in text
        assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_pictures_mark_what_is_outside_its_band():
    assert bars([("a", 0.25), ("b", 0.5)], 0.2, 0.3).count('fill="#7d2438"/>') == 1
    assert swings([("a", 0.2), ("b", -0.05)], 0.12).count('fill="#7d2438"/>') == 1
    assert columns([("0", 1), ("5", 3)], marks=["5"]).count('fill="#7d2438"/>') == 1


def test_one_plan_alone_can_be_played():
    assert list(run("tales-of-glory", 2, "quick", 1, only=MAIN)) == [MAIN]
    with pytest.raises(Unknown, match="the plans are 4 players, 4 players, quests, 2 players"):
        run("tales-of-glory", 2, "quick", 1, only="seven players")
