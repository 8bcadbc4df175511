"""Chat: who sees which messages, what is stored, and that the game does not depend on it."""

from __future__ import annotations

import threading

import pytest

from house.playing import BOT, HOTSEAT, ME, OPEN, photograph, play_on
from veillee.house.community import chat
from veillee.house.community.chat import MAX_MESSAGE_LENGTH, TableAudience, host_of, seat_of, visible_messages
from veillee.house.errors import BadRequest, NotFound, NotNow, NotYours
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.log import NO_SEAT

ON_BOTH = True


@pytest.fixture
def eve(house):
    return house.guests.new("Ève")


def here(table):
    return TableAudience(table.id, table.status, table.seats)


def say(house, table, guest, words="", gesture=""):
    return house.chat.say(guest, here(table), table.box, words, gesture)


def hears(house, table, guest):
    said = visible_messages(house.chat.load_latest(table.id), here(table), guest, house.chat.muted(guest))
    return [one.words or one.gesture for one in said]


def test_what_is_said_is_kept_and_changes_nothing_of_the_game(place, house, ada, bob, draft):
    before, rev, touched = photograph(draft), draft.rev(), draft.touched
    say(house, draft, ada, "Good evening")
    say(house, draft, bob, gesture="well")
    assert (photograph(draft), draft.rev(), draft.touched) == (before, rev, touched)
    play_on(draft, [ada, bob])
    record = draft.record()
    assert "Good evening" not in str(record)
    say(house, draft, bob, "Again?")
    house.close()
    again = House.open(place, workers=0)
    assert [one.words or one.gesture for one in again.chat.load_latest(draft.id)] == ["Good evening", "well", "Again?"]
    assert again.tables.find(draft.id).record() == record
    again.close()


def test_players_hear_those_who_look_on_when_the_game_is_over(house, ada, bob, eve, draft):
    say(house, draft, eve, "Bob has the dragon")
    say(house, draft, bob, "Your turn")
    assert hears(house, draft, ada) == hears(house, draft, bob) == ["Your turn"]
    assert hears(house, draft, eve) == hears(house, draft, None) == ["Bob has the dragon", "Your turn"]
    play_on(draft, [ada, bob])
    assert hears(house, draft, ada) == ["Bob has the dragon", "Your turn"]


def test_a_person_a_table_and_all_talk_can_be_muted(house, ada, bob, eve, draft):
    other = house.tables.create(ada, "paper-tales", [ME, OPEN])
    for table in (draft, other):
        say(house, table, bob, "b")
        say(house, table, ada, "a")
    house.chat.mute(eve, whom=bob.id)
    house.chat.mute(eve, whom=bob.id)
    assert hears(house, draft, eve) == hears(house, other, eve) == ["a"]
    assert house.chat.muted_names(eve) == [(bob.id, "Bob")]
    house.chat.mute(eve, whom=bob.id, on=False)
    house.chat.mute(eve, table_id=draft.id)
    assert (hears(house, draft, eve), hears(house, other, eve)) == ([], ["b", "a"])
    house.chat.mute(eve)
    assert hears(house, other, eve) == []
    house.chat.mute(eve, on=False)
    assert (hears(house, draft, eve), hears(house, other, eve)) == ([], ["b", "a"])


def test_the_host_decides_and_childrens_boxes_begin_with_gestures(house, ada, bob):
    table = house.tables.create(ada, "sourire-du-dragon", [ME, OPEN, BOT])
    table.sit(bob, 1)
    assert host_of(table.seats) == ada.id
    with pytest.raises(NotNow, match="reactions only"):
        say(house, table, bob, "hello")
    say(house, table, bob, gesture="luck")
    with pytest.raises(NotYours):
        house.chat.set_rule(bob, here(table), "words")
    house.chat.set_rule(ada, here(table), "words")
    say(house, table, bob, "hello")
    house.chat.set_rule(ada, here(table), "silent")
    with pytest.raises(NotNow, match="Chat is off"):
        say(house, table, ada, gesture="luck")
    with pytest.raises(BadRequest):
        house.chat.set_rule(ada, here(table), "shouting")


@pytest.mark.parametrize("words", ["", "  \n\t", "\u200b\u202e\u2800", "x" * (MAX_MESSAGE_LENGTH + 1), "x" * 90_000])
def test_nothing_and_too_much_are_refused(house, ada, draft, words):
    with pytest.raises(BadRequest):
        say(house, draft, ada, words)
    assert house.chat.load_latest(draft.id) == ()


def test_any_script_is_taken_as_plain_text(house, ada, draft):
    for words in (
        "<script>alert(1)</script>",
        "Здравствуйте",
        "مرحبا بكم",
        "皆さんこんばんは",
        "👩‍👩‍👧 ❤️",
        "é" * MAX_MESSAGE_LENGTH,
    ):
        assert say(house, draft, ada, words).words == words
    assert say(house, draft, ada, "a\u202eb\x00c\nd" + "e\u0301\u0301\u0301\u0301").words == "abc dé\u0301\u0301"
    assert say(house, draft, ada, "\udcff!").words == "!"


def test_a_flood_leaves_the_latest_and_crowds_nobody_out(house, ada, eve, draft, monkeypatch):
    monkeypatch.setattr(chat, "MAX_STORED_MESSAGES", 5)
    say(house, draft, ada, "first")
    for n in range(12):
        say(house, draft, eve, f"look {n}")
    assert hears(house, draft, ada) == ["first"]
    assert hears(house, draft, eve) == ["first", *[f"look {n}" for n in range(7, 12)]]
    assert say(house, draft, ada, "next").number == 14, "a number is never given twice"


def test_all_speak_at_once(house, ada, bob, draft):
    def speak(guest):
        for n in range(10):
            say(house, draft, guest, f"{guest.name} {n}")

    threads = [threading.Thread(target=speak, args=[guest]) for guest in (ada, bob) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.number for one in house.chat.load_latest(draft.id)] == list(range(1, 61))


def test_who_follows_is_told(house, ada, bob, draft):
    told = []
    conversation, stop = house.chat.follow(draft.id, lambda: told.append(conversation.messages[-1].words))
    say(house, draft, ada, "one")
    say(house, draft, bob, "two")
    stop()
    say(house, draft, bob, "three")
    assert told == ["one", "two"]


def test_another_process_hears_of_it(database):
    here_, there = House.open(database, workers=0), House.open(database, workers=0)
    try:
        ada = here_.guests.new("Ada")
        table = here_.tables.create(ada, "takara-island", [ME, OPEN])
        heard = threading.Event()
        conversation, _ = there.chat.follow(table.id, heard.set)
        say(here_, table, ada, "can you hear me?")
        assert heard.wait(20)
        assert [one.words for one in conversation.messages] == ["can you hear me?"]
    finally:
        here_.close()
        there.close()


def test_reports_are_kept_once_with_what_was_said(house, ada, bob, draft):
    said = say(house, draft, bob, "rude")
    for _ in range(2):
        house.chat.report(ada, draft.id, said.number)
    with house.store.reading() as db:
        (row,) = db.execute(chat.sa.select(chat.reports)).all()
    assert (row.guest, row.about, row.name, row.words, row.settled) == (ada.id, bob.id, "Bob", "rude", 0)
    with pytest.raises(NotFound):
        house.chat.report(ada, draft.id, 99)


def test_around_one_screen_somebody_speaks_from_their_own_seat(house, ada, bob):
    table = house.tables.create(ada, "ghost-knights", [SeatPlan("hotseat", "Zoé"), ME, HOTSEAT, HOTSEAT])
    assert seat_of(table.seats, ada) == 1
    assert seat_of(table.seats, bob) == NO_SEAT
    assert say(house, table, ada, "mine").name == "Ada"


def test_talk_goes_with_its_table(house, ada):
    table = house.tables.create(ada, "takara-island", [ME, OPEN])
    say(house, table, ada, "alone")
    house.archive.delete(ada, table.id)
    assert house.chat.load_latest(table.id) == ()
