"""Seats: invitations, bots, hot seat, leaving and returning, rematch."""

from __future__ import annotations

import pytest

from house.playing import BOT, HOTSEAT, ME, OPEN, answer, photograph, play_on
from veillee.house.errors import BadRequest, NoTable, NotNow, NotYours
from veillee.house.tables import seating
from veillee.house.tables.seats import SeatPlan
from veillee.match import seeds
from veillee.match.errors import Unknown
from veillee.match.match import digest
from veillee.match.verify import verify

ON_BOTH = True


def test_one_click_and_one_plays(house, ada):
    table = house.tables.play_now(ada, "ghost-knights")
    assert table.status == "playing"
    assert [seat.kind for seat in table.seats] == ["person", "bot", "bot", "bot"]
    assert {seat.level for seat in table.seats[1:]} == {"regular"}
    assert 0 in table.match.to_act, "the bots have answered what they were asked"
    assert len(set(table.names)) == 4


def test_the_table_starts_when_the_last_seat_is_taken(house, ada, bob):
    table = house.tables.create(ada, "ghost-knights", [ME, OPEN, OPEN, BOT], public=False)
    assert table.status == "waiting"
    with pytest.raises(NotNow):
        _ = table.match
    commitment, rev = table.commitment, table.rev()
    table.sit(bob, 1)
    assert table.status == "waiting"
    assert table.rev() > rev
    table.sit(bob, 2, "Bea")
    assert table.status == "playing"
    assert table.names[:3] == ["Ada", "Bob", "Bea"]
    assert table.seats_of(bob) == [1, 2], "two friends around one screen"
    assert table.match.commitment == commitment, "the shuffle was committed to before anybody came"


def test_words_of_luck_go_into_the_shuffle(house, ada, bob):
    table = house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, OPEN], luck="brume")
    table.sit(bob, 3, luck="  silex ")
    assert table.match.luck == ("brume", "silex")
    with pytest.raises(BadRequest):
        house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, OPEN], luck="x" * 61)


def test_a_taken_seat_stays_taken(house, ada, bob):
    table = house.tables.create(ada, "ghost-knights", [ME, OPEN, OPEN, BOT], public=False)
    table.sit(ada, 1)
    before = table.moment
    for seat in (0, 1, 3):
        with pytest.raises(NotNow):
            table.sit(bob, seat)
    table.sit(ada, 1)  # a double click
    assert table.moment is before


def test_the_same_name_twice_is_told_apart(house, ada):
    namesake = house.guests.new("Ada")
    table = house.tables.create(ada, "ghost-knights", [ME, OPEN, SeatPlan("hotseat", "Ada"), SeatPlan("bot", "Ada")])
    table.sit(namesake, 1)
    assert sorted(table.names) == ["Ada", "Ada 2", "Ada 3", "Ada 4"]


def test_standing_up_opens_the_seat_again(house, ada, bob):
    table = house.tables.create(ada, "ghost-knights", [ME, OPEN, OPEN, BOT])
    table.sit(bob, 1)
    with pytest.raises(NotYours):
        table.stand(ada, 1)
    table.stand(bob, 1)
    assert table.seats[1].kind == "open"
    assert table.seats_of(bob) == []
    assert house.tables.for_guest(bob) == []


def test_nobody_stands_up_from_a_running_game(house, ada):
    table = house.tables.play_now(ada, "ghost-knights")
    before = table.moment
    with pytest.raises(NotNow):
        table.stand(ada, 0)
    assert table.moment is before


def test_those_who_wait_may_fill_up_with_bots(house, ada, bob):
    table = house.tables.create(ada, "ghost-knights", [ME, OPEN, OPEN, BOT])
    with pytest.raises(NotYours):
        table.seat_bot(bob, 1)
    with pytest.raises(BadRequest):
        table.seat_bot(ada, 1, "divine")
    with pytest.raises(BadRequest):
        table.seat_bot(ada, 1, "expert-2")
    table.seat_bot(ada, 1, "master")
    table.seat_bot(ada, 2)
    assert table.status == "playing"
    assert [seat.level for seat in table.seats[1:3]] == ["master", "regular"]
    assert len(set(table.names)) == 4


def test_a_bot_takes_over_and_gives_back(house, ada, bob):
    table = house.tables.create(ada, "ghost-knights", [ME, OPEN, BOT, BOT])
    table.sit(bob, 1)
    with pytest.raises(NotYours):
        table.leave(ada, 1)
    table.leave(bob, 1)
    assert table.seats[1].away
    assert table.seats[1].name == "Bob"
    play_on(table, [ada], answers=3)
    assert any(seat == 1 for seat, _ in table.match.answers), "the bot has played for Bob"
    with pytest.raises(NotNow):
        answer(table, bob, 1, 0)
    with pytest.raises(NotYours):
        table.come_back(ada, 1)
    table.come_back(bob, 1)
    while 1 not in table.match.to_act:
        answer(table, ada, 0)
    played = len(table.match.answers)
    answer(table, bob, 1)
    assert len(table.match.answers) > played


def test_leaving_twice_is_leaving_once(house, ada, bob):
    table = house.tables.create(ada, "ghost-knights", [ME, OPEN, BOT, BOT])
    table.sit(bob, 1)
    table.leave(bob, 1)
    before = table.moment
    table.leave(bob, 1)
    assert table.moment is before


def test_a_table_that_everybody_left_is_played_to_its_end(house, ada):
    table = house.tables.play_now(ada, "ghost-knights")
    table.leave(ada, 0)
    assert table.status == "over"
    with pytest.raises(NotNow):
        table.come_back(ada, 0)


def test_people_around_one_screen(house, ada):
    plans = [ME, SeatPlan("hotseat", "Zoé"), SeatPlan("hotseat", "Léo"), SeatPlan("hotseat")]
    table = house.tables.create(ada, "ghost-knights", plans)
    assert table.names == ["Ada", "Zoé", "Léo", "Ada 2"]
    assert table.seats_of(ada) == [0, 1, 2, 3]
    play_on(table, [ada])
    assert table.status == "over"
    assert verify(table.record()).holds


def test_lists_of_tables(house, ada, bob):
    playing = house.tables.play_now(ada, "ghost-knights")
    waiting = house.tables.create(ada, "takara-island", [ME, OPEN], public=True)
    hidden = house.tables.create(ada, "takara-island", [ME, OPEN])
    assert [glance.id for glance in house.tables.for_guest(ada)] == [hidden.id, waiting.id, playing.id]
    first = house.tables.for_guest(ada)[-1]
    assert (first.status, first.asked, first.seats_of(ada)) == ("playing", playing.match.to_act, [0])
    assert house.tables.for_guest(bob) == []
    assert [glance.id for glance in house.tables.list_open()] == [waiting.id]
    assert [glance.id for glance in house.tables.list_open("takara-island")] == [waiting.id]
    assert house.tables.list_open("ghost-knights") == []
    waiting.sit(bob, 1)
    assert house.tables.list_open() == []
    assert [glance.id for glance in house.tables.for_guest(bob)] == [waiting.id]


def test_a_table_that_nobody_sits_at_is_offered_to_nobody(house, ada):
    table = house.tables.create(ada, "takara-island", [ME, OPEN], public=True)
    table.stand(ada, 0)
    assert house.tables.list_open() == []


def test_a_rematch_is_one_table_for_all(house, ada, bob):
    table = house.tables.create(ada, "ghost-knights", [ME, SeatPlan("bot", level="novice"), OPEN, BOT])
    with pytest.raises(NotNow):
        house.tables.rematch(ada, table)
    table.sit(bob, 2)
    play_on(table, [ada, bob])
    stranger = house.guests.new("Eve")
    with pytest.raises(NotYours):
        house.tables.rematch(stranger, table)
    rev = table.rev()
    again = house.tables.rematch(bob, table)
    assert table.rematch_id == again.id
    assert table.rev() > rev, "those who look at the finished table learn of the rematch"
    assert again.status == "waiting"
    assert [seat.kind for seat in again.seats] == ["bot", "person", "bot", "open"], "everybody one seat further round"
    assert again.seats[0].level == "novice"
    assert house.tables.rematch(ada, table) is again
    assert again.seats_of(ada) == [3]
    assert again.status == "playing"
    assert house.tables.rematch(bob, table) is again


@pytest.mark.parametrize("name", ["", "nonsense", "aaaa-bbbb-cccc", "../../etc", "\x00", "\ud800"])
def test_no_such_table(house, name):
    with pytest.raises(NoTable, match="There is no table"):
        house.tables.find(name)


def test_bad_plans_make_no_table(house, ada):
    bad = [
        ("no-such-game", [ME, BOT]),
        ("ghost-knights", [ME]),
        ("ghost-knights", [ME] + [BOT] * 9),
        ("ghost-knights", [ME, ME, BOT, BOT]),
        ("ghost-knights", [ME, BOT, BOT, SeatPlan("bot", level="divine")]),
        ("ghost-knights", [ME, BOT, BOT, SeatPlan("throne")]),
        ("ghost-knights", [ME, BOT, BOT, SeatPlan("hotseat", "x" * 99)]),
    ]
    for game, plans in bad:
        with pytest.raises(BadRequest):
            house.tables.create(ada, game, plans)
    with pytest.raises(Unknown):
        house.tables.create(ada, "ghost-knights", [ME, BOT, BOT, BOT], {"dragons": "many"})
    assert house.tables.for_guest(ada) == []


@pytest.mark.parametrize("seat", [-1, 4, 10**9])
def test_no_such_seat(house, ada, seat):
    table = house.tables.play_now(ada, "ghost-knights")
    before = photograph(table)
    requests = [
        lambda: table.sit(ada, seat),
        lambda: table.stand(ada, seat),
        lambda: table.seat_bot(ada, seat),
        lambda: table.leave(ada, seat),
        lambda: table.come_back(ada, seat),
        lambda: table.stamp(seat),
        lambda: table.answer(ada, seat, table.stamp(0), [0]),
        lambda: table.undo(ada, seat, table.stamp(0)),
    ]
    for request in requests:
        with pytest.raises(BadRequest):
            request()
    assert photograph(table) == before


def test_the_seats_of_a_rematch_are_kept_for_those_who_played(house, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN, BOT])
    table.sit(bob, 1)
    play_on(table, [ada, bob])
    again = house.tables.rematch(ada, table)
    (place,) = [number for number, seat in enumerate(again.seats) if seat.kind == "open"]
    eve = house.guests.new("Eve")
    for found in (again, house.tables.replay(again.id)):
        with pytest.raises(NotYours, match="kept for Bob"):
            found.sit(eve, place)
        with pytest.raises(NotYours):
            found.sit(ada, place)
    house.tables.rematch(bob, table)
    assert again.seats_of(bob) == [place]
    assert again.status == "playing"


def test_at_a_public_table_one_guest_takes_one_seat(house, ada, bob):
    for public in (True, False):
        table = house.tables.create(ada, "takara-island", [ME, OPEN, OPEN], public=public)
        table.sit(bob, 1)
        if public:
            with pytest.raises(NotNow, match="one seat"):
                table.sit(bob, 2)
            assert table.status == "waiting"
        else:
            table.sit(bob, 2, "Bea")
            assert table.status == "playing", "a friend at the same screen"


def test_a_friend_at_the_same_screen_has_a_seat_of_a_rematch_too(house, ada):
    table = house.tables.create(ada, "takara-island", [ME, HOTSEAT])
    play_on(table, [ada])
    assert house.tables.rematch(ada, table).status == "playing"


# -- contributions to the shuffle ----------------------------------------------------------------------------------------
ADAS, BOBS = "a1" * 32, "b0" * 32


@pytest.fixture
def sealed_table(house, ada, bob):
    """Ada's page and Bob's page have sealed something; all seats are taken."""
    table = house.tables.create(ada, "takara-island", [ME, OPEN, BOT])
    table.seal(ada, 0, seeds.seal(ADAS))
    table.sit(bob, 1, sealed=seeds.seal(BOBS))
    return table


def test_the_match_begins_when_every_page_has_opened_what_it_sealed(house, ada, bob, sealed_table):
    table = sealed_table
    assert table.status == "waiting"
    assert table.moment.row.opens_until is not None
    table.open_seal(bob, 1, BOBS)
    assert table.status == "waiting", "Ada's page has not opened its own yet"
    table.open_seal(bob, 1, BOBS)  # sent twice
    table.open_seal(ada, 0, ADAS)
    assert table.status == "playing"
    assert [tuple(one) for one in table.match.contributions] == [
        (0, seeds.seal(ADAS), ADAS),
        (1, seeds.seal(BOBS), BOBS),
    ]
    assert not table.moment.row.lines
    again = house.tables.replay(table.id)
    assert photograph(again) == photograph(table)
    assert digest(again.match.state) == digest(table.match.state)
    table.open_seal(ada, 0, ADAS)  # late, and the same
    play_on(table, [ada, bob])
    verdict = verify(table.record())
    assert verdict.holds
    assert not verdict.notes


def test_the_deal_depends_on_what_each_page_adds(house, ada, bob, monkeypatch):
    monkeypatch.setattr(seeds, "new_seed", lambda: seeds.seed_from(1))
    deals = set()
    for first, second in [(ADAS, BOBS), (ADAS, "b1" * 32), ("a2" * 32, BOBS)]:
        table = house.tables.create(ada, "takara-island", [ME, OPEN])
        table.seal(ada, 0, seeds.seal(first))
        table.sit(bob, 1, sealed=seeds.seal(second))
        table.open_seal(ada, 0, first)
        table.open_seal(bob, 1, second)
        deals.add(digest(table.match.state))
    assert len(deals) == 3


def test_what_was_not_sealed_is_refused(ada, bob, sealed_table):
    table = sealed_table
    before = table.moment
    for wrong in (BOBS, "a2" * 32, "", ADAS.upper(), "xyz"):
        with pytest.raises(BadRequest):
            table.open_seal(ada, 0, wrong)
    with pytest.raises(NotYours):
        table.open_seal(ada, 1, BOBS)
    with pytest.raises(NotNow):
        table.seal(ada, 0, seeds.seal("a2" * 32))
    with pytest.raises(NotNow):
        table.stand(bob, 1)
    assert table.moment is before


def test_who_withholds_is_told_and_the_match_begins_without(house, ada, bob, sealed_table, monkeypatch):
    table = sealed_table
    table.open_seal(bob, 1, BOBS)
    house.timeouts.poll()
    assert table.status == "waiting", "there is still time"
    now = house.store.now()
    monkeypatch.setattr(house.store, "now", lambda: now + seating.OPENING_SECONDS + 1)
    house.timeouts.poll()
    table = house.tables.load(table.id)
    assert table.status == "playing"
    assert [(line.what, line.seat) for line in table.moment.row.lines] == [("withheld", 0)]
    assert [one.opened for one in table.match.contributions] == ["", BOBS]
    with pytest.raises(NotNow):
        table.open_seal(ada, 0, ADAS)
    assert digest(house.tables.replay(table.id).match.state) == digest(table.match.state)
    play_on(table, [ada, bob])
    record = table.record()
    assert record["house"]["lines"] == [["withheld", 0, 0]]
    assert len(verify(record).notes) == 1


def test_a_table_of_one_person_or_without_seals_begins_at_once(house, ada, bob):
    alone = house.tables.create(ada, "takara-island", [ME, OPEN])
    alone.seal(ada, 0, seeds.seal(ADAS))
    alone.seat_bot(ada, 1)
    assert alone.status == "playing"
    assert alone.match.contributions == ()
    plain = house.tables.create(ada, "takara-island", [ME, OPEN])
    plain.sit(bob, 1)
    assert plain.status == "playing"


def test_seals_are_hashes_and_no_copies(house, ada, bob):
    table = house.tables.create(ada, "takara-island", [ME, OPEN, OPEN])
    table.seal(ada, 0, seeds.seal(BOBS))
    table.seal(ada, 0, seeds.seal(ADAS))  # from another device
    for wrong in ("x", "0" * 63, "A" * 64, seeds.seal(ADAS)):
        with pytest.raises(BadRequest):
            table.sit(bob, 1, sealed=wrong)
    with pytest.raises(NotYours):
        table.seal(bob, 0, seeds.seal(BOBS))
    table.sit(bob, 1, sealed=seeds.seal(BOBS))
    table.stand(bob, 1)
    assert not table.seats[1].sealed, "who stands up takes it along"


def test_a_guest_who_is_deleted_while_seals_are_opened_leaves_the_seal(house, ada, bob, sealed_table):
    """Otherwise a guest who has seen what the others opened could have the cards shuffled again."""
    table = sealed_table
    table.open_seal(ada, 0, ADAS)
    table.depart(bob)
    assert table.seats[1].kind == "bot"
    assert table.seats[1].sealed == seeds.seal(BOBS)
    assert table.status == "waiting"


def test_a_game_that_is_played_on_elsewhere_has_the_same_shuffle(house, ada, bob, sealed_table):
    sealed_table.open_seal(ada, 0, ADAS)
    sealed_table.open_seal(bob, 1, BOBS)
    play_on(sealed_table, [ada, bob])
    other = house.tables.play_on(bob, sealed_table, 3, 0)
    assert other.match.contributions == sealed_table.match.contributions
    assert other.match.answers[:3] == sealed_table.match.answers[:3]
