"""Upgrade check: every table is replayed on a copy, and those that could not be continued are named."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from typer.testing import CliRunner

from house.playing import BOT, ME, OPEN, photograph, play_on
from veillee.cli import app
from veillee.house.maintenance.upgrade_check import check_upgrade
from veillee.house.storage.database import FILE


@pytest.fixture
def tables(house, ada):
    """One over, one being played, one waiting."""
    over, playing = (house.tables.create(ada, "takara-island", [ME, BOT]) for _ in range(2))
    play_on(over, [ada])
    play_on(playing, [ada], 5)
    return over, playing, house.tables.create(ada, "takara-island", [ME, OPEN])


def test_every_table_is_played_again_and_nothing_is_touched(tmp_path, tables):
    over, playing, waiting = tables
    before = [photograph(table) for table in (over, playing)]
    with check_upgrade(tmp_path) as rehearsal:
        assert rehearsal.tables == 3
        assert [(table.id, table.why) for table in rehearsal.played] == [
            (playing.id, None),
            (waiting.id, None),
            (over.id, None),
        ]
    assert [photograph(table) for table in (over, playing)] == before


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("UPDATE answers SET actions = '[999999]', checksum = NULL WHERE table_id = ? AND seq = 3", "cannot be read"),
        ("UPDATE answers SET actions = '[999999]' WHERE table_id = ? AND seq = 3", "Answer 3 of this table is damaged"),
        ("UPDATE tables SET version = 77 WHERE id = ?", "older rules"),
        ("UPDATE tables SET game = 'gone' WHERE id = ?", "older rules"),
    ],
)
def test_what_would_not_go_on_is_named(tmp_path, house, tables, spoil, said):
    _, playing, _ = tables
    house.close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute(spoil, [playing.id])
        db.commit()
    told = CliRunner().invoke(app, ["doctor", "--replay", "--data", str(tmp_path), "--lang", "en"])
    assert told.exit_code == 1
    assert f"{playing.id} (" in told.output
    assert said in told.output
    assert "0 being played, 1 waiting, 1 over; that do not: 1." in told.output
