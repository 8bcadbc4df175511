"""Championships: sealed deals, each played once, the same for all; nothing of a deal is told before it is played."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from house.playing import play_on
from veillee.house.championships.service import MAX_RUNNING
from veillee.house.championships.terms import ChampionshipTerms
from veillee.house.errors import BadRequest, NotFound, NotNow, NotYours
from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.storage.schema import analyses
from veillee.match import seeds

ON_BOTH = True
GAME = "takara-island"
HOURS = 4


@pytest.fixture
def clock():
    return Hourglass()


@pytest.fixture
def asked():
    """The tables whose analysis was asked for."""
    return []


@pytest.fixture
def house(place, clock, asked, monkeypatch):
    house = House.open(place, workers=0, now=clock)
    monkeypatch.setattr(house.analyses, "enqueue_idle", lambda table_id, _: asked.append(table_id))
    yield house
    house.close()


@pytest.fixture
def cup(house, ada):
    made = house.championships.create(
        ada, GAME, "Coupe d’hiver", {}, ChampionshipTerms(deals=2, level="novice", hours=HOURS)
    )
    house.championships.enter(ada, made)
    return made


def finish(house, guest, cup, deal, seed=1):
    table = house.championships.open_table(guest, cup, deal)
    play_on(table, [guest], seed=seed)
    assert table.status == "over"
    return table


def test_all_play_the_same_sealed_deals_and_equal_play_is_answered_equally(house, cup, ada, bob):
    house.championships.enter(bob, cup)
    assert len(set(cup.seeds)) == 2
    assert cup.commitment(1) == seeds.commitment(cup.seed(1))
    first, second = finish(house, ada, cup, 1), finish(house, bob, cup, 1)
    assert first.id != second.id
    assert first.commitment == second.commitment == cup.commitment(1)
    assert first.match.answers == second.match.answers
    assert first.match.scores == second.match.scores


def test_a_deal_is_played_once(house, cup, ada):
    table = house.championships.open_table(ada, cup, 1)
    assert house.championships.open_table(ada, cup, 1) is table
    finish(house, ada, cup, 1)
    assert house.championships.open_table(ada, cup, 1).status == "over"
    house.archive.delete(ada, table.id)
    with pytest.raises(NotNow, match="deleted"):
        house.championships.open_table(ada, cup, 1)


def test_the_entrant_sits_elsewhere_in_every_deal(house, cup, ada):
    seats = [house.championships.open_table(ada, cup, deal).seats_of(ada) for deal in cup.deals]
    assert len({tuple(one) for one in seats}) == 2


def test_only_entrants_play_and_only_until_the_end(house, cup, ada, bob, clock):
    with pytest.raises(NotYours):
        house.championships.open_table(bob, cup, 1)
    with pytest.raises(NotFound):
        house.championships.open_table(ada, cup, 3)
    begun = house.championships.open_table(ada, cup, 1)
    clock.pass_by(HOURS * 3600)
    assert house.championships.open_table(ada, cup, 1) is begun, "it can be played to its end, without counting"
    with pytest.raises(NotNow, match="over"):
        house.championships.open_table(ada, cup, 2)
    with pytest.raises(NotNow, match="over"):
        house.championships.enter(bob, cup)


def test_a_reader_sees_the_results_of_deals_that_they_have_played_and_all_at_the_end(house, cup, ada, bob, clock):
    house.championships.enter(bob, cup)
    finish(house, ada, cup, 1)
    finish(house, ada, cup, 2)
    finish(house, bob, cup, 2, seed=2)
    seen = {name: house.championships.standings(cup, guest) for name, guest in (("ada", ada), ("bob", bob), ("", None))}
    assert [len(one.games) for one in seen.values()] == [3, 2, 0]
    assert seen["bob"].deals == (2,)
    assert seen[""].lines == []
    assert seen[""].ended == {1: 2, 2: 1}, "how many are played is no secret"
    clock.pass_by(HOURS * 3600)
    everything = house.championships.standings(cup, None)
    assert everything.is_over
    assert len(everything.games) == 3


def test_the_table_is_sealed_until_the_end(house, cup, ada, bob, clock):
    house.championships.enter(bob, cup)
    table = finish(house, ada, cup, 1)
    assert table.is_sealed
    assert not house.championships.may_look(bob, table)
    with pytest.raises(NotNow):
        table.record()
    with pytest.raises(NotNow):
        house.tables.play_on(bob, table, 0, 0)
    finish(house, bob, cup, 1)
    assert house.championships.may_look(bob, table)
    clock.pass_by(HOURS * 3600)
    assert not table.is_sealed
    assert table.record()["seed"] == cup.seed(1).hex()


@pytest.mark.parametrize("end", ["left", "late", "deleted"])
def test_what_is_begun_and_not_finished_in_time_counts_as_lost(house, cup, ada, bob, clock, end):
    """Otherwise deals that go badly could be left out."""
    table = house.championships.open_table(ada, cup, 1)
    house.championships.enter(bob, cup)
    finish(house, bob, cup, 1)
    assert [one.entrant for one in house.championships.standings(cup, bob).games] == [2], "it may still be finished"
    if end == "deleted":
        house.archive.delete(ada, table.id)
    clock.pass_by(HOURS * 3600)
    if end == "late":
        play_on(table, [ada])
    lost, _ = house.championships.standings(cup, None).games
    assert (lost.entrant, lost.share, lost.points, lost.luck) == (1, 0.0, 0, 0.0)


def test_a_result_that_is_not_saved_yet_is_no_loss(house, cup, ada, monkeypatch):
    monkeypatch.setattr(house.championships._results, "save", lambda _: None)
    finish(house, ada, cup, 1)
    assert house.championships.standings(cup, ada).games == []
    monkeypatch.undo()
    house.analyses.enqueue_idle = lambda table_id, match: None
    (game,) = house.championships.standings(cup, ada).games
    assert game.luck is None, "it is a result now"


def test_hints_are_off_and_no_bot_takes_the_seat(house, cup, ada):
    table = house.championships.open_table(ada, cup, 1)
    assert not table.hints
    with pytest.raises(NotNow, match="without help"):
        table.leave(ada, table.seats_of(ada)[0])


def test_a_former_guest_stays_in_the_standings(house, cup, ada, bob):
    house.championships.enter(bob, cup)
    finish(house, bob, cup, 1)
    finish(house, ada, cup, 1)
    house.accounts.delete(bob)
    now = house.championships.standings(cup, ada)
    assert [one.name for one in now.entrants] == ["Ada", ""]
    assert {one.entrant for one in now.games} == {1, 2}


def test_a_championship_outlives_its_organiser(house, cup, ada, bob):
    house.championships.enter(bob, cup)
    house.accounts.delete(ada)
    assert house.championships.find(cup.id).organiser == ""
    assert finish(house, bob, cup, 1).status == "over"


def test_it_is_there_after_a_restart(place, house, cup, ada):
    finish(house, ada, cup, 1)
    house.close()
    with_it = House.open(place, workers=0, now=house.store.now)
    try:
        assert with_it.championships.find(cup.id) == cup
        assert [one.share is not None for one in with_it.championships.standings(cup, ada).games] == [True]
        assert [one.name for one in with_it.championships.list_mine(ada)] == ["Coupe d’hiver"]
    finally:
        with_it.close()


def test_luck_comes_from_the_analysis_which_is_asked_for_when_a_game_ends(house, cup, ada, asked):
    table = finish(house, ada, cup, 1)
    assert asked == [table.id]
    rows = [{"luck": [0.25] * table.match.seats}, {"luck": [-0.125] * table.match.seats}]
    with house.store.writing() as db:
        db.execute(analyses.insert().values(table_id=table.id, findings=json.dumps(rows)))
    (game,) = house.championships.standings(cup, ada).games
    assert game.luck == 0.125
    assert house.championships.standings(cup, ada).lines[0].skill == game.share - 0.125


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"name": "Coupе"},  # its last letter is Cyrillic
        {"deals": 0},
        {"deals": 25},
        {"level": "random"},
        {"hours": 0},
        {"hours": 10_000},
        {"game": "chess"},
        {"form": "knockout"},
        {"scoring": "luck"},
        {"form": "league", "seasons": 0, "hours": 200},
        {"form": "league"},  # of an evening
        {"form": "rounds", "level": "measure"},
        {"form": "rounds", "hours_before": 5000},
    ],
)
def test_terms_that_cannot_be(house, ada, wrong):
    terms = {"game": GAME, "name": "Coupe", "deals": 2, "level": "novice", "hours": 4} | wrong
    with pytest.raises(BadRequest):
        house.championships.create(ada, terms.pop("game"), terms.pop("name"), {}, ChampionshipTerms(**terms))


def test_an_organiser_runs_a_few_at_a_time(house, ada, clock):
    for number in range(MAX_RUNNING):
        house.championships.create(
            ada, GAME, f"Coupe {number}", {}, ChampionshipTerms(deals=1, level="novice", hours=1)
        )
    with pytest.raises(NotNow):
        house.championships.create(ada, GAME, "Encore", {}, ChampionshipTerms(deals=1, level="novice", hours=1))
    clock.pass_by(3601)
    house.championships.create(ada, GAME, "Encore", {}, ChampionshipTerms(deals=1, level="novice", hours=1))


def test_bots_made_to_measure_stay_as_strong_as_when_the_entrant_joined(house, ada, bob, monkeypatch):
    strengths = iter(("measure-0.40", "measure-0.70", "measure-0.90"))
    monkeypatch.setattr(
        house.tables,
        "resolve_levels",
        lambda guest, box, plans: [
            replace(plan, level=next(strengths)) if plan.level == "measure" else plan for plan in plans
        ],
    )
    terms = ChampionshipTerms(deals=2, level="measure", hours=HOURS)
    cup = house.championships.create(ada, GAME, "Handicap", {}, terms)
    for guest in (ada, bob):
        house.championships.enter(guest, cup)
    levels = {
        name: {
            seat.level
            for deal in cup.deals
            for seat in house.championships.open_table(guest, cup, deal).seats
            if seat.kind == "bot"
        }
        for name, guest in (("ada", ada), ("bob", bob))
    }
    assert levels == {"ada": {"measure-0.40"}, "bob": {"measure-0.70"}}


def test_the_order_goes_by_what_the_organiser_chose(house, ada, bob):
    terms = ChampionshipTerms(deals=1, level="novice", hours=HOURS, scoring="points")
    cup = house.championships.create(ada, GAME, "Coupe", {}, terms)
    for seed, guest in enumerate((ada, bob), 5):
        house.championships.enter(guest, cup)
        finish(house, guest, cup, 1, seed)
    points = [line.points for line in house.championships.standings(cup, ada).lines]
    assert points == sorted(points, reverse=True)
