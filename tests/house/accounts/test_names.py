"""Names: what they may look like, chosen once, and the same at every table that is not finished."""

from __future__ import annotations

import json
from hashlib import sha256
from unittest.mock import patch

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from house.playing import BOT, ME, OPEN, answer, play_on
from veillee.house.accounts import sessions
from veillee.house.accounts.names import confusable_skeleton
from veillee.house.errors import BadRequest
from veillee.house.house import House
from veillee.house.storage.database import FILE, MIGRATIONS
from veillee.house.tables.listings import guest_tables
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.log import NO_SEAT


def names(table) -> list[str]:
    return [seat.name for seat in table.seats]


def test_a_new_name_is_everywhere_but_in_finished_games(house, ada, bob, tmp_path):
    waiting = house.tables.create(ada, "takara-island", [ME, OPEN, OPEN])
    running = house.tables.create(ada, "takara-island", [ME, OPEN])
    running.sit(bob, 1)
    finished = house.tables.create(ada, "takara-island", [ME, BOT])
    play_on(finished, [ada])
    (asked,) = running.match.to_act
    answer(running, (ada, bob)[asked], asked)
    old, touched = names(finished), running.touched
    assert "Ada" in json.dumps(running.match.log(NO_SEAT, "en", running.names))
    house.accounts.rename(ada, "Countess")
    assert names(waiting) == ["Countess", "", ""]
    assert names(running) == ["Countess", "Bob"]
    assert "Ada" not in json.dumps(running.match.log(NO_SEAT, "en", running.names))
    assert names(finished) == old
    assert running.touched == touched, "a name is no move: the table has waited for as long as it has"
    house.close()
    again = House.open(tmp_path, workers=0)
    assert names(again.tables.find(running.id)) == ["Countess", "Bob"]
    assert names(again.tables.find(finished.id)) == old
    again.close()


def test_those_who_look_on_are_shown_the_new_name(house, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    before, told = table.moment.shown_version([1]), []
    table.subscribe(lambda: told.append(names(table)))
    house.accounts.rename(ada, "Countess")
    assert told == [["Countess", "Bob"]]
    assert table.moment.shown_version([1]) != before


def test_all_tables_are_renamed_in_one_transaction_and_no_game_is_replayed(house, ada, tmp_path):
    """200 tables, one transaction each, kept other guests waiting for seconds."""
    ids = [house.tables.create(ada, "takara-island", [ME, OPEN]).id for _ in range(20)]
    house.close()
    again = House.open(tmp_path, workers=0)
    open_one, began = again.tables.find(ids[0]), []
    writing = again.store.writing
    with (
        patch.object(again.store, "writing", lambda: began.append(1) or writing()),
        patch.object(again.tables, "replay", side_effect=AssertionError),
    ):
        again.accounts.rename(again.guests.find(ada.token), "Countess")
    assert len(began) == 2, "the guest, and all seats"
    assert names(open_one) == ["Countess", ""]
    assert {tuple(names(again.tables.find(one))) for one in ids} == {("Countess", "")}
    again.close()


def test_a_game_that_ends_while_its_player_is_renamed_keeps_its_names(house, ada, bob):
    running = house.tables.create(ada, "takara-island", [ME, OPEN])
    running.sit(bob, 1)
    waiting = house.tables.create(ada, "takara-island", [ME, OPEN])
    save_names, old = house.tables.repository.save_names, names(running)

    def late(rows):
        if running.status != "over":
            play_on(running, [ada, bob])
        save_names(rows)

    with patch.object(house.tables.repository, "save_names", late):
        house.accounts.rename(ada, "Countess")
    assert names(running) == old
    assert names(waiting) == ["Countess", ""]
    sit_down_after = house.tables.find(waiting.id)
    sit_down_after.sit(bob, 1)
    assert names(sit_down_after) == ["Countess", "Bob"]


def test_seats_keep_distinct_names(house, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    table.sit(bob, 1)
    house.accounts.rename(bob, "Ada")
    assert names(table) == ["Ada", "Ada 2"]
    house.accounts.rename(house.guests.find(bob.token), "Ada")
    assert names(table) == ["Ada", "Ada 2"]


@pytest.mark.parametrize(
    ("friends", "renamed"),
    [(["Léa", "Max"], ["Countess", "Léa", "Max"]), (["", ""], ["Countess", "Ada 2", "Ada 3"])],
)
def test_friends_around_one_screen_keep_their_names(house, ada, friends, renamed):
    table = house.tables.create(ada, "takara-island", [ME, *[SeatPlan("hotseat", name) for name in friends]])
    house.accounts.rename(ada, "Countess")
    assert names(table) == renamed


def test_a_newcomers_name_is_not_chosen_until_they_choose(house, tmp_path):
    newcomer = house.guests.new("Luciole", chosen=False)
    assert not house.guests.find(newcomer.token).has_chosen_name
    assert house.accounts.rename(newcomer, "Luciole").has_chosen_name
    assert house.guests.find(newcomer.token).has_chosen_name
    assert house.guests.find(house.guests.new("Ada").token).has_chosen_name


def test_the_schema_before_names_were_chosen_is_brought_to_the_present_one(tmp_path):
    """Who then had a newcomer's name has chosen none; their tables are as they were."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = sa.create_engine(f"sqlite:///{tmp_path / FILE}")
    with engine.begin() as db:
        db.exec_driver_sql("PRAGMA application_id = 1449486700")
        config.attributes["connection"] = db
        command.upgrade(config, "0003")
        for guest, name in (("g1", "Luciole"), ("g2", "Ada")):
            db.execute(sa.text("INSERT INTO guests VALUES (:id, :name, 0)"), {"id": guest, "name": name})
        db.exec_driver_sql(
            f"INSERT INTO tables VALUES ('2222-2222-2222', 'takara-island', 1, '{{}}', x'{'00' * 32}', 1, 'playing', '[]', 0,"
            " '', 0, 0, 1)"
        )
        for seat, guest in enumerate(("g1", "g2")):
            db.exec_driver_sql(
                f"INSERT INTO seats VALUES ('2222-2222-2222', {seat}, 'person', 'S', '{guest}', '', 0, '')"
            )
    engine.dispose()
    house = House.open(tmp_path, workers=0)
    for guest in ("g1", "g2"):
        sessions.make_recovery_link(house.store, guest, sha256(guest.encode()).hexdigest())
    found = [house.guests.use_recovery_link(guest) for guest in ("g1", "g2")]
    assert [(guest.id, guest.name, guest.has_chosen_name) for guest in found] == [
        ("g1", "Luciole", False),
        ("g2", "Ada", True),
    ]
    assert len(guest_tables(house.store, "g1")) == 1
    house.close()
    engine = sa.create_engine(f"sqlite:///{tmp_path / FILE}")
    with engine.begin() as db:
        config.attributes["connection"] = db
        command.downgrade(config, "0003")
        assert "put_away" not in sa.inspect(db).get_table_names()
        assert [column["name"] for column in sa.inspect(db).get_columns("guests")] == ["id", "name", "created"]
    engine.dispose()


@pytest.mark.parametrize(
    "name", ["", "  \n", "\u202e", "\x07", "\u200d\u200d", "\u3164\u2800", "\ufe0f", "\u0301", "x" * 31, "x" * 10_000]
)
def test_a_name_that_cannot_be_shown_is_refused(house, ada, name):
    with pytest.raises(BadRequest):
        house.guests.new(name)
    with pytest.raises(BadRequest):
        house.accounts.rename(ada, name)
    assert house.guests.find(ada.token).name == "Ada"


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Zoë", "Zoë"), ("a\u202eb", "ab"), ("👩\u200d🚀", "👩\u200d🚀"), ("\ud800x", "x"), ("李", "李")],
)
def test_names_are_shown_without_what_is_invisible(house, name, shown):
    assert house.guests.new(name).name == shown


@pytest.mark.parametrize("name", ["\u0410da", "Zo\u0435", "Ωmega", "\u3164", "\u2800 \u2800", "\u115f\u1160"])
def test_a_name_in_which_letters_hide_is_refused(house, name):
    with pytest.raises(BadRequest):
        house.guests.new(name)


@pytest.mark.parametrize(
    "name", ["Николай", "Αθηνά", "さくらサクラ桜", "김 Kim", "مريم", "O’Brien-Müller ½", "❤\ufe0f Zoé"]
)
def test_names_of_all_the_world_are_welcome(house, name):
    assert house.guests.new(name).name == name


def test_invisible_letters_are_left_out_and_accents_do_not_pile_up(house):
    assert house.guests.new("A\u200dd\u034fa\u3164").name == "Ada"
    assert len(house.guests.new("x" + "\u0301" * 25).name) == 3


@pytest.mark.parametrize(("first", "second"), [("Capa", "Сара"), ("Ada", "ADA"), ("Paul", "Pau1"), ("Ole", "0le")])
def test_two_names_at_a_table_differ_to_the_eye(house, first, second):
    assert confusable_skeleton(first) == confusable_skeleton(second)
    table = house.tables.create(house.guests.new(first), "takara-island", [ME, OPEN])
    table.sit(house.guests.new(second), 1)
    assert table.names == [first, f"{second} 2"]
