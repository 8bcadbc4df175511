"""The ladder's report is written between its two lines, from the games that were played."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from veillee import Unknown
from veillee.games.catalogue import BOXES
from veillee.lab import ladder
from veillee.lab.arena import read, run
from veillee.lab.ladder import BEGIN, BEGIN_FORMER, END, END_FORMER, Rung, main, report, seats_of, table, write

RUNG = Rung("random", "random/iterations=0", 1.5, "one who plays at random against others")


def test_what_was_played_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veillee.lab.ladder.RUNGS", (RUNG,))
    box = BOXES["ghost-knights"]
    games = run(RUNG.contest(box, 4), record=RUNG.record(tmp_path, box))
    told = table(box, tmp_path)[-1]
    won = sum(game.shares[game.seats.index("random")] for game in games)
    assert f"| {RUNG.told} | 1 | 4 | {won / 4:.1%} |" in told
    assert "| 1.5 | no |" in told
    assert all(box.title["en"] in report(tmp_path) for box in BOXES.values())


def test_another_seed_is_another_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report tells the seed that was played, and what was played on one seed is not mixed with another's."""
    monkeypatch.setattr("veillee.lab.ladder.RUNGS", (RUNG,))
    box = BOXES["ghost-knights"]
    record = RUNG.record(tmp_path, box)
    games = run(RUNG.contest(box, 4, seed=9), record=record)
    assert [game.points for game in games] != [game.points for game in run(RUNG.contest(box, 4))]
    assert f"| {RUNG.told} | 9 | 4 |" in table(box, tmp_path)[-1]
    with pytest.raises(Unknown, match="another contest"):
        run(RUNG.contest(box, 4), record=record)


def test_the_command_plays_the_seed_that_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("veillee.lab.ladder.RUNGS", (RUNG,))
    monkeypatch.setattr(
        "sys.argv", ["ladder", "ghost-knights", "--games=4", "--rungs=0", "--seed=9", f"--records={tmp_path}"]
    )
    main()
    box = BOXES["ghost-knights"]
    told = capsys.readouterr().out
    assert "--games 4 --seed 9" in told
    assert re.search(r"less luck \d\.\d\d \[\d\.\d\d, \d\.\d\d\]", told)
    assert [game.points for game in read(RUNG.record(tmp_path, box), RUNG.contest(box, 4, 9))] == [
        game.points for game in run(RUNG.contest(box, 4, 9))
    ]


def test_only_what_was_measured_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the two parts by itself: measuring one keeps the figures of the other."""
    monkeypatch.setattr("veillee.lab.ladder.RUNGS", (RUNG,))
    monkeypatch.setattr(
        "veillee.lab.ladder.FORMER", replace(RUNG, rest="random/iterations=0/seconds=1", told="of before")
    )
    page = tmp_path / "opponents.md"
    box, other = BOXES["ghost-knights"], f"| {BOXES['paper-tales'].title['en']} | of another seed |"
    older = f"| {box.title['en']} | older ones |\n{other}"
    page.write_text(f"before\n{BEGIN}\nold figures\n{END}\nbetween\n{BEGIN_FORMER}\n{older}\n{END_FORMER}\nafter\n")
    run(ladder.FORMER.contest(box, 4, seed=3), record=ladder.FORMER.record(tmp_path, box))
    write(page, tmp_path)
    text = page.read_text()
    assert text.startswith(f"before\n{BEGIN}\nold figures\n{END}\nbetween\n{BEGIN_FORMER}\n| |")
    assert text.endswith(f"\n{other}\n{END_FORMER}\nafter\n"), "a box that was not measured keeps its row"
    assert f"| {box.title['en']} | 3 | 4 |" in text
    assert "older ones" not in text
    run(RUNG.contest(box, 4), record=RUNG.record(tmp_path, box))
    write(page, tmp_path)
    assert "old figures" not in page.read_text()


def test_a_page_without_a_place_for_figures_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veillee.lab.ladder.RUNGS", (RUNG,))
    run(RUNG.contest(BOXES["ghost-knights"], 4), record=RUNG.record(tmp_path, BOXES["ghost-knights"]))
    page = tmp_path / "page.md"
    page.write_text("nothing to measure")
    with pytest.raises(SystemExit, match="has no lines"):
        write(page, tmp_path)
    assert page.read_text() == "nothing to measure"


def test_a_ladder_has_four_seats_or_as_near_to_that_as_the_game_is_made_for() -> None:
    box = BOXES["ghost-knights"]
    for players, seats in ((range(2, 7), 4), (range(2, 3), 2), (range(1, 4), 3), (range(6, 8), 6)):
        changed = replace(box, players=players)
        assert seats_of(changed) == seats
        assert len(RUNG.contest(changed, 1).seats) == seats
