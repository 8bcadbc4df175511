"""A guest's own data: exported whole and without secrets; deleted, so that the others can go on and games still verify."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import sqlalchemy as sa

from house.playing import BOT, ME, OPEN, play_on
from veillee.games import catalogue
from veillee.house.accounts import personal_data
from veillee.house.accounts.personal_data import TABLES_EXPORTED_SEPARATELY
from veillee.house.community.chat import TableAudience
from veillee.house.house import House
from veillee.house.storage.schema import guests, metadata
from veillee.match.verify import verify

ON_BOTH = True


def say(house, table, guest, words):
    house.chat.say(guest, TableAudience(table.id, table.status, table.seats), table.box, words)


def rows(house, name):
    with house.store.reading() as db:
        return db.execute(sa.select(metadata.tables[name])).all()


@pytest.fixture
def evening(house, ada, bob):
    """A finished game of Ada and Bob, a running one, one that waits, and one of Ada's own."""
    finished = house.tables.create(ada, "paper-tales", [ME, OPEN])
    finished.sit(bob, 1, luck="clover")
    say(house, finished, bob, "well met")
    play_on(finished, [ada, bob])
    running = house.tables.create(bob, "takara-island", [ME, OPEN, BOT])
    running.sit(ada, 1)
    waiting = house.tables.create(ada, "takara-island", [ME, OPEN, OPEN])
    waiting.sit(bob, 1)
    return finished, running, waiting, house.tables.create(bob, "takara-island", [ME, BOT])


def test_everything_is_exported_and_no_secret(house, ada, bob, evening):
    finished, running, waiting, own = evening
    house.chat.mute(bob, whom=ada.id)
    house.guests.make_recovery_link(bob)
    told = json.loads(b"".join(personal_data.export_json(house.store, bob)))
    assert told["guest"]["name"] == "Bob"
    games = {game["id"]: game for game in told["games"]}
    assert games.keys() == {finished.id, running.id, waiting.id, own.id}
    theirs = [answer for seat, answer in finished.match.answers if seat == 1]
    assert [a for line in games[finished.id]["my_answers"] for a in line["answers"]] == theirs
    assert games[finished.id]["seats"][1]["luck"] == "clover"
    assert [one["words"] for one in told["talk"]] == ["well met"]
    assert {one["kind"] for one in told["tokens"]} == {"cookie", "recovery"}
    assert told["mutes"][0]["whom"] == ada.id
    text = json.dumps(told)
    for row in rows(house, "tokens"):
        assert row.hash not in text
    for row in rows(house, "tables"):
        assert row.seed.hex() not in text


def test_whatever_points_to_a_guest_is_in_the_export(house, bob):
    pointing = {
        key.parent.table.name
        for table in metadata.sorted_tables
        for key in table.foreign_keys
        if key.column is guests.c.id
    }
    assert (
        pointing - TABLES_EXPORTED_SEPARATELY
        <= json.loads(b"".join(personal_data.export_json(house.store, bob))).keys()
    )


def test_who_leaves_for_good_leaves_no_trace_but_games_that_verify(place, house, ada, bob, evening):
    finished, running, waiting, own = evening
    say(house, waiting, bob, "I sit here")
    said = house.chat.load_latest(waiting.id)[-1]
    house.chat.report(ada, waiting.id, said.number)
    house.chat.mute(ada, whom=bob.id)
    house.guests.make_recovery_link(bob)
    scores, answers = finished.match.scores, finished.match.answers
    house.accounts.delete(bob)
    assert house.guests.find(bob.token) is None
    for name in [table.name for table in metadata.sorted_tables]:
        assert bob.id not in str(rows(house, name)), name
        assert "Bob" not in str(rows(house, name)), name
    assert [one.words for one in house.chat.load_latest(finished.id)] == [""]
    house.close()
    again = House.open(place, workers=0)
    record = json.loads(json.dumps(again.tables.find(finished.id).record()))
    assert verify(record).holds
    table = again.tables.find(finished.id)
    assert (table.match.scores, table.match.answers) == (scores, answers)
    assert [(seat.kind, seat.name) for seat in table.seats] == [("person", "Ada"), ("person", "")]
    table = again.tables.find(running.id)
    assert [seat.kind for seat in table.seats] == ["bot", "person", "bot"]
    assert all(seat.name for seat in table.seats)
    play_on(table, [ada], 30)
    assert [seat.kind for seat in again.tables.find(waiting.id).seats] == ["person", "open", "open"]
    assert not again.tables.repository.find(own.id)
    again.close()


def test_the_last_to_leave_takes_the_table_along(house, ada, bob, evening):
    house.accounts.delete(bob)
    house.accounts.delete(ada)
    for name in ("guests", "tables", "seats", "answers", "tokens", "talk"):
        assert rows(house, name) == [], name


def test_a_seat_at_a_table_that_cannot_be_opened_here(house, ada, bob, evening, monkeypatch):
    finished, *_ = evening
    monkeypatch.setitem(catalogue.BOXES, "paper-tales", replace(catalogue.BOXES["paper-tales"], version=99, earlier={}))
    house.tables.cache.drop(finished.id)
    house.accounts.delete(bob)
    assert "Bob" not in str(rows(house, "seats"))
