"""Statistics of a guest's finished games, and ratings of rated tables."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import sqlalchemy as sa

from house.playing import BOT, HOTSEAT, ME, OPEN, play_on
from veillee.bots.levels import OFFERED
from veillee.house.accounts import personal_data
from veillee.house.accounts.browsers import remember_browser
from veillee.house.errors import BadRequest, NotNow
from veillee.house.house import House
from veillee.house.results import ratings
from veillee.house.results.statistics import load_games, summarize
from veillee.house.tables.seats import SeatPlan

ON_BOTH = True
GAME = "takara-island"
NOVICE = SeatPlan("bot", level="novice")


def rated(house, ada, bob=None, plans=(ME, BOT)):
    table = house.tables.create(ada, GAME, list(plans), hints=False, rated=True)
    if bob is not None:
        table.sit(bob, 1)
    return table


def scale(house):
    with house.store.reading() as db:
        return {one.who: one for one in ratings.box_ratings(db, GAME, 100)}


def test_games_are_added_up_by_box_by_company_and_by_opponent(house, ada, bob):
    two = house.tables.create(ada, GAME, [ME, OPEN])
    two.sit(bob, 1)
    three = house.tables.create(ada, GAME, [BOT, ME, NOVICE])
    running = house.tables.create(ada, GAME, [ME, BOT])
    for table, people in ((two, [ada, bob]), (three, [ada])):
        play_on(table, people)
    games = load_games(house.store, ada.id)
    assert [game.id for game in games] == [three.id, two.id], "the latest first, and what is over alone"
    assert running.id not in {game.id for game in games}
    told = summarize(games)
    places = [table.match.place(table.seats_of(ada)[0]) for table in (two, three)]
    tally = told.by_box[GAME]
    assert (tally.games, tally.mean_place) == (2, sum(places) / 2)
    assert set(told.by_company) == {(GAME, 2), (GAME, 3)}
    assert {(meeting.name, meeting.is_bot): meeting.games for meeting in told.against} == {
        ("Bob", False): 1,
        ("regular", True): 1,
        ("novice", True): 1,
    }
    ahead = {meeting.name: meeting.ahead for meeting in told.against}
    mine, his = (two.match.place(seat) for seat in (0, 1))
    assert ahead["Bob"] == (1.0 if mine < his else 0.5 if mine == his else 0.0)
    assert [game.id for game in told.longest] == sorted(
        [two.id, three.id], key=lambda name: -next(game.answers for game in games if game.id == name)
    )
    lost = any(three.match.place(seat) < three.match.place(1) for seat in (0, 2))
    assert (told.lost_to_bot is not None and told.lost_to_bot.id == three.id) == lost


def test_a_rated_game_counts_once_and_moves_everybody(house, ada, bob, place):
    table = rated(house, ada, bob, (ME, OPEN, BOT))
    play_on(table, [ada, bob])
    after = scale(house)
    assert after.keys() == {ada.id, bob.id, "bot regular"}
    assert {one.games for one in after.values()} == {1}
    better, worse = sorted((ada.id, bob.id), key=lambda who: -after[who].mu)
    seat = {ada.id: 0, bob.id: 1}
    assert table.match.place(seat[better]) <= table.match.place(seat[worse])
    assert all(one.sigma < ratings.SIGMA for one in after.values())
    house.close()
    again = House.open(place, workers=0)
    again.results.load(again.tables.for_guest(ada))
    again.tables.find(table.id)
    assert scale(again) == after, "looked at again, it does not count again"
    again.close()


def test_what_was_not_counted_when_it_ended_is_when_it_is_looked_at(house, ada, monkeypatch):
    """The process was killed between the last answer and the result."""
    table = rated(house, ada)
    with monkeypatch.context() as patch:
        patch.setattr("veillee.house.results.results.Results.save", lambda *_: None)
        play_on(table, [ada])
    assert scale(house) == {}
    house.results.load(house.tables.for_guest(ada))
    assert scale(house)[ada.id].games == 1


def test_several_bots_of_one_level_are_one_on_the_scale(house, ada):
    table = rated(house, ada, plans=(ME, BOT, BOT))
    play_on(table, [ada])
    assert {who: one.games for who, one in scale(house).items()} == {ada.id: 1, "bot regular": 1}


def test_levels_of_bots_are_fixed_points_of_the_scale(house, ada):
    """Whatever an earlier version has stored."""
    row = rated(house, ada).moment.row
    with house.store.writing() as db:
        db.execute(ratings.NEW, {"game": GAME, "who": "bot regular", "mu": 3.0, "sigma": 8.0})
        for _ in range(10):
            ratings.record_game(db, GAME, row.seats, (1, 2))
    with house.store.reading() as db:
        shown = {one.who: one for one in ratings.box_ratings(db, GAME, 10)}
    assert shown["bot regular"].points == 1500
    assert shown["bot regular"].games == 10
    assert shown[ada.id].points > 1500
    assert scale(house)["bot regular"].mu == ratings.ANCHORS["regular"]
    assert ratings.ANCHORS["novice"] < ratings.ANCHORS["regular"] < ratings.ANCHORS["expert"]


@pytest.mark.parametrize("level", ["measure", "measure-0.60", "master"])
def test_a_level_without_a_measured_place_does_not_play_at_rated_tables(house, ada, level):
    assert set(OFFERED) - {"master"} <= ratings.ANCHORS.keys()
    with pytest.raises(BadRequest, match="rated tables"):
        house.tables.create(ada, GAME, [ME, SeatPlan("bot", level=level)], hints=False, rated=True)
    table = house.tables.create(ada, GAME, [ME, OPEN], hints=False, rated=True)
    with pytest.raises(BadRequest, match="rated tables"):
        house.tables.seat_bot(ada, table, 1, level)


def test_two_guests_of_one_browser_are_not_rated_against_each_other(house, ada, bob):
    cleo = house.guests.new("Cléo")
    for guest, browser in ((ada, "one"), (bob, "one"), (bob, "one"), (bob, "two"), (cleo, "three")):
        remember_browser(house.store, guest.id, browser)
    table = house.tables.create(ada, GAME, [ME, OPEN, OPEN], hints=False, rated=True)
    table.sit(bob, 1)
    table.sit(cleo, 2)
    play_on(table, [ada, bob, cleo])
    assert {who: one.games for who, one in scale(house).items()} == {ada.id: 0, bob.id: 0, cleo.id: 1}
    play_on(rated(house, ada, cleo, (ME, OPEN)), [ada, cleo])
    assert scale(house)[ada.id].games == 1, "against others they are"


def test_who_deletes_a_rated_game_has_lost_it(house, ada):
    untouched = rated(house, ada)
    house.archive.delete(ada, untouched.id)
    assert scale(house) == {}, "nothing was answered yet"
    table = rated(house, ada)
    play_on(table, [ada], 2)
    house.archive.delete(ada, table.id)
    after = scale(house)[ada.id]
    assert after.games == 1
    assert after.points < 1500
    over = rated(house, ada)
    play_on(over, [ada])
    counted = scale(house)
    house.archive.delete(ada, over.id)
    assert scale(house) == counted, "a finished game has counted already"


def test_games_against_the_same_opponent_weigh_less_and_less(house, ada, bob):
    moves = []
    for _ in range(4):
        table = rated(house, ada, bob, (ME, OPEN))
        play_on(table, [ada, bob])
        with house.store.reading() as db:
            moves.append(ratings._weight(db, GAME, ada.id, {bob.id}, table_id=table.id, since=house.store.now() - 3600))
    assert moves == pytest.approx([1, 3 / 4, 3 / 5, 3 / 6])
    with house.store.reading() as db:
        eve, since = "eve", house.store.now() - 3600
        assert ratings._weight(db, GAME, ada.id, {eve}, table_id="", since=since) == 1
        assert ratings._weight(db, GAME, ada.id, {bob.id}, table_id="", since=house.store.now() + 1) == 1


def test_a_game_of_little_weight_moves_little(house, ada, bob, monkeypatch):
    row = rated(house, ada, bob, (ME, OPEN)).moment.row
    monkeypatch.setattr(ratings, "_weight", lambda *_, **__: 0.25)
    with house.store.writing() as db:
        ratings.record_game(db, GAME, row.seats, (1, 2))
    quarter = scale(house)[ada.id].mu - ratings.MU
    monkeypatch.setattr(ratings, "_weight", lambda *_, **__: 1.0)
    with house.store.writing() as db:
        db.execute(sa.text("DELETE FROM ratings"))
        ratings.record_game(db, GAME, row.seats, (1, 2))
    assert scale(house)[ada.id].mu - ratings.MU == pytest.approx(4 * quarter)


def test_other_tables_move_nothing(house, ada):
    for table in (house.tables.create(ada, GAME, [ME, BOT]), house.daily_deals.open_table(ada, GAME)):
        play_on(table, [ada])
    assert scale(house) == {}


def test_a_rated_table_is_for_one_person_on_each_seat_without_hints(house, ada, bob):
    for plans, hints in (([ME, HOTSEAT], False), ([ME, BOT], True)):
        with pytest.raises(BadRequest, match="rated"):
            house.tables.create(ada, GAME, plans, hints=hints, rated=True)
    table = house.tables.create(ada, GAME, [ME, OPEN, OPEN], hints=False, rated=True)
    with pytest.raises(NotNow, match="one seat"):
        table.sit(ada, 1)
    table.sit(bob, 1)


def test_whoever_wins_more_stands_higher(house, ada, bob):
    """The model is the library's; that places are handed to it the right way round is ours."""
    row = rated(house, ada, bob, (ME, OPEN)).moment.row
    with house.store.writing() as db:
        for _ in range(20):
            ratings.record_game(db, GAME, row.seats, (1, 2))
    stands = scale(house)
    assert stands[ada.id].points > 1500 > stands[bob.id].points
    assert stands[ada.id].interval < round(ratings.DISPLAY_SCALE * ratings.INTERVAL_DEVIATIONS * ratings.SIGMA)
    with house.store.reading() as db:
        assert [one.who for one in ratings.box_ratings(db, GAME, 1)] == [ada.id]
        assert ratings.guest_ratings(db, bob.id)[GAME].games == 20
        assert db.execute(sa.text("SELECT count(*) FROM ratings")).scalar() == 2


def test_who_leaves_for_good_takes_their_ratings_along_and_the_others_still_count(house, ada, bob):
    table = rated(house, ada, bob, (ME, OPEN))
    play_on(table, [ada, bob])
    assert [row["game"] for row in json.loads(b"".join(personal_data.export_json(house.store, ada)))["ratings"]] == [
        GAME
    ]
    house.accounts.delete(ada)
    assert scale(house).keys() == {bob.id}
    with house.store.writing() as db:  # a game of theirs that is counted afterwards
        ratings.record_game(db, GAME, [replace(table.seats[0], guest="", name=""), table.seats[1]], (2, 1))
    assert {who: one.games for who, one in scale(house).items()} == {bob.id: 2}


def test_what_is_played_on_from_a_moment_counts_for_nothing(house, ada):
    first = house.tables.create(ada, GAME, [ME, BOT])
    play_on(first, [ada])
    again = house.tables.play_on(ada, first, len(first.match.answers) - 1, first.match.answers[-1][0])
    play_on(again, [ada])
    assert again.status == "over"
    assert [game.id for game in load_games(house.store, ada.id)] == [first.id]
