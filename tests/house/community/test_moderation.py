"""Moderation: acts of `veillee admin` take effect in a running server, on both databases, and are logged."""

from __future__ import annotations

import pytest

from house.playing import HOTSEAT, ME, OPEN, answer, photograph, play_on
from veillee.house.accounts.sessions import DAY_SECONDS
from veillee.house.community.chat import TableAudience
from veillee.house.community.moderation import Moderator, find_guests, load_acts, load_bans, load_reports, parse_address
from veillee.house.errors import BadRequest, Banned, NoTable, NotFound, NotNow
from veillee.house.house import House
from veillee.house.maintenance.cleanup import delete_expired
from veillee.house.storage.store import Store
from veillee.house.tables.seats import SeatPlan

ON_BOTH = True


@pytest.fixture
def keeper(place, house):
    """Beside the open house, as a command is."""
    store = Store.open(place)
    yield Moderator(store, "keeper")
    store.close()


def say(house, table, guest, words, address=""):
    return house.chat.say(guest, TableAudience(table.id, table.status, table.seats), table.box, words, address=address)


def test_a_ban_holds_in_the_open_house_until_it_is_lifted_or_over(house, ada, bob, keeper):
    keeper.ban("guest", bob.id, "spam", days=1)
    keeper.ban("address", "2001:db8::1:2:3:4")
    house.bans.check("guest", bob.id)
    house.bans.refresh()
    with pytest.raises(Banned, match="You have been banned: spam"):
        house.bans.check("guest", bob.id)
    with pytest.raises(Banned):
        house.bans.check("address", "2001:db8::")
    house.bans.check("guest", ada.id)
    keeper.lift("address", "2001:db8::9")
    house.bans.refresh()
    house.bans.check("address", "2001:db8::")
    now = house.store.now
    house.store.now = lambda: now() + 2 * DAY_SECONDS
    house.bans.check("guest", bob.id)
    delete_expired(house.store, house.store.now())
    assert load_bans(keeper.store) == []


def test_who_is_asked_to_be_silent_plays_on(house, ada, bob, draft, keeper):
    keeper.ban("mute", bob.id)
    with pytest.raises(NotNow, match="muted you"):
        say(house, draft, bob, "but why")
    answer(draft, bob, 1)
    say(house, draft, ada, "good")
    keeper.lift("mute", bob.id)
    say(house, draft, bob, "thank you")


def test_a_message_is_taken_away_before_the_eyes_of_those_who_follow(house, ada, bob, draft, keeper):
    said = say(house, draft, bob, "rude", "192.0.2.7")
    house.chat.report(ada, draft.id, said.number)
    house.chat.report(bob, draft.id, said.number)
    conversation, _ = house.chat.follow(draft.id, lambda: None)
    (first, _) = load_reports(keeper.store)
    assert (first["words"], first["about"], first["guest"], first["address"]) == ("rude", bob.id, ada.id, "192.0.2.7")
    keeper.remove_message(draft.id, said.number, "rude")
    keeper.settle(first["id"])
    house.bans.refresh()
    assert [one.words for one in conversation.messages] == [""]
    assert len(load_reports(keeper.store)) == 1
    settled = next(row for row in load_reports(keeper.store, settled=True) if row["settled"])
    assert settled["address"] == "", "where it came from is forgotten"
    with pytest.raises(NotFound):
        keeper.settle(first["id"])


def test_addresses_are_kept_for_a_week(house, bob, draft):
    say(house, draft, bob, "hello", "192.0.2.7")
    with house.store.reading() as db:
        kept = lambda: db.exec_driver_sql("SELECT address FROM talk").scalar()  # noqa: E731
        assert kept() == "192.0.2.7"
    delete_expired(house.store, house.store.now() + 8 * DAY_SECONDS)
    with house.store.reading() as db:
        assert db.exec_driver_sql("SELECT address FROM talk").scalar() == ""


def test_a_name_is_taken_away_everywhere(house, ada, bob, draft, keeper):
    around = house.tables.create(bob, "ghost-knights", [ME, SeatPlan("hotseat", "Bobine"), HOTSEAT, OPEN])
    say(house, draft, bob, "hi")
    play_on(draft, [ada, bob])
    assert find_guests(keeper.store, "bo")[0]["id"] == bob.id
    assert keeper.rename(bob.id, "Ada", "offensive") == "Ada"
    house.bans.refresh()
    assert [seat.name for seat in house.tables.find(draft.id).seats] == ["Ada", "Ada 2"]
    assert [seat.name for seat in house.tables.find(around.id).seats] == ["Ada", "Bobine", "Ada 2", ""]
    assert house.guests.find(bob.token).name == "Ada"
    assert house.chat.load_latest(draft.id)[0].name == "Ada"
    assert keeper.rename(ada.id) != "Ada"


def test_a_closed_table_is_there_again_when_it_is_opened(house, ada, draft, keeper):
    before, told = photograph(draft), []
    draft.subscribe(lambda: told.append(draft.is_deleted))
    keeper.ban("table", draft.id, "cheating")
    house.bans.refresh()
    assert told == [True]
    with pytest.raises(Banned, match="closed this table: cheating"):
        house.tables.find(draft.id)
    with pytest.raises(NoTable):
        answer(draft, ada, 0)
    keeper.lift("table", draft.id)
    house.bans.refresh()
    assert photograph(house.tables.find(draft.id)) == before


def test_every_act_is_in_the_log_and_a_new_process_knows_them(place, house, bob, draft, keeper):
    keeper.ban("guest", bob.id, "one\n\u202etwo")
    keeper.lift("guest", bob.id, "sorry")
    keeper.ban("table", draft.id)
    assert [(act.who, act.what, act.whom, act.why) for act in load_acts(keeper.store)] == [
        ("keeper", "close", draft.id, ""),
        ("keeper", "unban", bob.id, "sorry"),
        ("keeper", "ban", bob.id, "one two"),
    ]
    house.close()
    again = House.open(place, workers=0)
    with pytest.raises(Banned):
        again.tables.find(draft.id)
    again.close()


@pytest.mark.parametrize(
    "act",
    [
        lambda keeper: keeper.ban("guest", "nobody"),
        lambda keeper: keeper.ban("table", "aaaa-aaaa-aaaa"),
        lambda keeper: keeper.ban("address", "no.address"),
        lambda keeper: keeper.lift("mute", "nobody"),
        lambda keeper: keeper.rename("nobody"),
        lambda keeper: keeper.remove_message("aaaa-aaaa-aaaa", 1),
        lambda keeper: keeper.settle(1),
    ],
)
def test_what_is_not_there_is_said_and_not_logged(keeper, act):
    with pytest.raises((NotFound, BadRequest)):
        act(keeper)
    assert load_acts(keeper.store) == []


def test_an_address_stands_for_its_household():
    assert parse_address("192.0.2.1") == parse_address("::ffff:192.0.2.1") == "192.0.2.1"
    assert parse_address(" 2001:DB8::1 ") == "2001:db8::"


def test_a_command_beside_an_open_house_leaves_its_file_in_use(tmp_path):
    house = House.open(tmp_path, workers=0)
    Store.open(tmp_path).close()
    with house.store.reading() as db:
        assert db.exec_driver_sql("PRAGMA user_version").scalar() == 1
    house.close()
    Store.open(tmp_path).close()
    House.open(tmp_path, workers=0).close()
