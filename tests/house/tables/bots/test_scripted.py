"""Guided first game at a table: its deal is declared as known, its bots follow their script, and it can be left."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from house.playing import play_on
from veillee.games import first_game as files
from veillee.games.catalogue import BOXES
from veillee.games.first_game import Unfit, first_game, read
from veillee.house.accounts.guest import Guest
from veillee.house.errors import BadRequest, NotYours
from veillee.house.house import House
from veillee.house.storage.database import FILE, MIGRATIONS
from veillee.house.tables.bots import scripted
from veillee.house.tables.table import Table
from veillee.house.workers.inline import InlineThinkers
from veillee.match import seeds
from veillee.match.guided_game import Lesson, scripted_answer
from veillee.match.verify import verify

GAME = "sourire-du-dragon"
GUIDED = [box.id for box in BOXES.values() if first_game(box) is not None]


def obey(table: Table, guest: Guest, times: int = 1000) -> None:
    """The guest answers what is proposed, so many times or to the end."""
    first = table.moment.first_game
    lesson = Lesson(first, table.match)
    while table.status == "playing" and times:
        assert lesson.follow(table.match)
        table.answer(guest, first.me, table.stamp(first.me), lesson.proposed(table.match))
        times -= 1


@pytest.mark.parametrize("game", GUIDED)
def test_nobody_has_to_think_when_all_keep_to_the_script(house, ada, game):
    with patch.object(InlineThinkers, "submit", side_effect=AssertionError("a bot thinks")):
        table = house.tables.create_first_game(ada, game)
        obey(table, ada)
    assert table.status == "over"
    assert 0 in table.match.winners, "a first game that was played as advised is won"


def test_the_record_says_that_the_deal_was_known_and_verifies(house, ada):
    table = house.tables.create_first_game(ada, GAME)
    sealed = table.commitment
    assert sealed == seeds.commitment(seeds.seed_from(first_game(table.box).seed))
    obey(table, ada)
    record = table.record()
    assert record["first_game"] is True
    assert record["commitment"] == sealed
    assert verify(record).holds


def test_a_rematch_is_a_game_like_any_other(house, ada):
    table = house.tables.create_first_game(ada, GAME)
    obey(table, ada)
    again = house.tables.rematch(ada, table)
    assert again.moment.row.guide == ""
    assert again.moment.row.seed != table.moment.row.seed
    play_on(again, [ada])
    assert "first_game" not in again.record()


def test_it_goes_on_after_the_house_was_closed(house, ada, tmp_path):
    table = house.tables.create_first_game(ada, GAME)
    obey(table, ada, 3)
    answers = table.match.answers
    house.close()
    house = House.open(tmp_path, workers=0)
    table = house.tables.find(table.id)
    assert table.match.answers == answers
    with patch.object(InlineThinkers, "submit", side_effect=AssertionError("a bot thinks")):
        obey(table, ada)
    assert table.status == "over"
    house.close()


def test_who_leaves_the_guide_goes_on_against_bots_that_think(house, ada, tmp_path):
    table = house.tables.create_first_game(ada, GAME)
    obey(table, ada, 3)
    with pytest.raises(NotYours):
        table.leave_guide(house.guests.new("Bob"), 0)
    table.leave_guide(ada, 0)
    table.leave_guide(ada, 0)  # a double click
    assert table.moment.first_game is None
    assert scripted.scripted_answer(table.moment, 1) is None
    house.close()
    house = House.open(tmp_path, workers=0)
    table = house.tables.find(table.id)
    assert table.moment.row.guide == "left"
    play_on(table, [ada])
    assert table.status == "over"
    assert table.record()["first_game"] is True, "its deal was known all the same"
    house.close()


def test_who_goes_their_own_way_is_proposed_nothing_more_and_the_game_goes_on(house, ada):
    table = house.tables.create_first_game(ada, GAME)
    first = table.moment.first_game
    obey(table, ada, 1)
    lesson = Lesson(first, table.match)
    lesson.follow(table.match)
    (proposed,) = lesson.proposed(table.match)
    other = next(choice.id for choice in table.match.choices(0) if choice.id != proposed)
    table.answer(ada, 0, table.stamp(0), [other])
    assert scripted_answer(first, table.match, 0) is None
    play_on(table, [ada])
    assert table.status == "over"


def test_a_bot_whose_part_does_not_fit_any_more_thinks(house, ada):
    """Its line is forbidden here: then it is a bot like any other, to the end."""
    first = first_game(BOXES[GAME])
    lost = replace(first, course={**first.course, 1: ("character character=99",)})
    with patch("veillee.house.tables.moment.first_game", lambda _: lost):
        table = house.tables.create_first_game(ada, GAME)
        play_on(table, [ada])
    assert table.status == "over"


def test_a_box_without_one_says_so(house, ada, monkeypatch):
    monkeypatch.setattr(files, "FILE", "no-such-file.toml")
    first_game.cache_clear()
    try:
        with pytest.raises(BadRequest, match="no guided first game"):
            house.tables.create_first_game(ada, GAME)
    finally:
        first_game.cache_clear()


def test_a_file_that_cannot_be_read_leaves_the_box_on_the_shelf(tmp_path, caplog):
    (tmp_path / files.FILE).write_text("seats = two", "utf-8")
    box = replace(BOXES[GAME], folder=tmp_path)
    assert first_game(box) is None
    assert f"{GAME}/{files.FILE}" in caplog.text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": None}, "seed"),
        ({"seats": "two"}, "two"),
        ({"notes": ["a note"]}, "not written as a first game is"),
        ({"me": 2}, "seats are 0 to 1"),
        ({"notes": [{"rule": "X-1", "fr": "Une note."}]}, "Note 1"),
        ({"notes": [{"rule": "X-1", "fr": "Une.", "en": "One.", "when": "now"}]}, "Note 1"),
        ({"notes": [{"rule": "X-1", "fr": "Une.", "en": "One.", "event": "a", "question": "B"}]}, "not both"),
    ],
)
def test_a_file_that_is_not_written_as_it_should_be_is_refused_by_name(change, said):
    data = {"seats": 2, "seed": 1, "notes": []} | change
    with pytest.raises(Unfit, match=said):
        read({name: value for name, value in data.items() if value is not None})


def test_the_schema_before_first_games_is_brought_to_the_present_one(tmp_path):
    """A table of that time is a game like any other."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    before = ScriptDirectory.from_config(config).get_revision("0007").down_revision
    engine = sa.create_engine(f"sqlite:///{tmp_path / FILE}")
    with engine.begin() as db:
        db.exec_driver_sql("PRAGMA application_id = 1449486700")
        config.attributes["connection"] = db
        command.upgrade(config, before)
        db.exec_driver_sql(
            "INSERT INTO tables (id, game, version, options, seed, public, status, asked, reseated, rematch, hints, created,"
            f" touched) VALUES ('2222-2222-2222', '{GAME}', 2, '{{\"objects\": \"all\"}}', x'{'00' * 32}', 1, 'playing', '[]',"
            " 0, '', 1, 0, 1)"
        )
        for seat in (0, 1):
            db.exec_driver_sql(
                "INSERT INTO seats (table_id, seat, kind, name, level, away, luck) VALUES"
                f" ('2222-2222-2222', {seat}, 'bot', 'B{seat}', 'novice', 0, '')"
            )
    engine.dispose()
    house = House.open(tmp_path, workers=0)
    table = house.tables.find("2222-2222-2222")
    assert table.moment.row.guide == ""
    assert table.status == "over"
    house.close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / FILE}")
    with engine.begin() as db:
        config.attributes["connection"] = db
        command.downgrade(config, before)
        assert "guide" not in [column["name"] for column in sa.inspect(db).get_columns("tables")]
    engine.dispose()
