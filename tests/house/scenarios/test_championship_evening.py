"""A whole evening: eight entrants over two processes or one, one late, one who leaves, the house killed in the middle."""

from __future__ import annotations

from random import Random

import pytest

from house.evenings import Evenings
from veillee.house.championships.terms import ChampionshipTerms
from veillee.house.house_time import Hourglass
from veillee.match.championship_file import describe_deals, verify_championship

GAME = "sourire-du-dragon"
DEALS = 2
NAMES = ("Arthur", "Bohort", "Calogrenant", "Dinadan", "Enide", "Fergus", "Gauvain", "Hector")


@pytest.fixture(params=["sqlite", "postgresql"])
def evenings(request, tmp_path):
    several = request.param == "postgresql"
    found = Evenings(request.getfixturevalue("database") if several else tmp_path, Hourglass(), several)
    yield found
    found.close()


def play(house, guest, championship, deal, answers, chance):
    table = house.championships.open_table(guest, championship, deal)
    while table.status == "playing" and answers:
        seat = table.seats_of(guest)[0]
        table.answer(guest, seat, table.stamp(seat), [chance.choice(table.match.choices(seat)).id])
        answers -= 1
    return table


def test_an_evening_of_eight_with_a_kill_in_the_middle(evenings):
    chance = Random(8)
    first, last = evenings.houses[0], evenings.houses[-1]
    guests = [first.guests.new(name) for name in NAMES]
    cup = first.championships.create(
        guests[0], GAME, "Soirée", {}, ChampionshipTerms(deals=DEALS, level="novice", hours=4)
    )
    for guest in guests[:-1]:
        last.championships.enter(guest, cup)
    late, leaver = guests[-1], guests[2]
    begun = {}
    for guest in guests[:-1]:  # the first deal is played, of the second a few answers are given
        play(first, guest, cup, 1, 10_000, chance)
        if guest is not leaver:
            begun[guest.id] = len(play(last, guest, cup, 2, 3, chance).match.answers)
    last.accounts.delete(leaver)
    evenings.kill(0)
    first, last = evenings.houses[0], evenings.houses[-1]
    for guest in guests[:-1]:
        if guest is not leaver:
            table = first.championships.open_table(guest, cup, 2)
            assert len(table.match.answers) >= begun[guest.id], "what was acknowledged is there"
            play(last, guest, cup, 2, 10_000, chance)
    last.championships.enter(late, cup)
    play(first, late, cup, 1, 10_000, chance)
    play(first, late, cup, 2, 3, chance)  # does not finish
    evenings.clock.pass_by(4 * 3600)
    now = first.championships.standings(cup, None)
    assert now.is_over
    played = {entrant: [one.deal for one in now.games if one.entrant == entrant] for entrant in range(1, 9)}
    assert played == {entrant: [1] if entrant == 3 else [1, 2] for entrant in range(1, 9)}
    assert [one.share for one in now.games if (one.entrant, one.deal) == (8, 2)] == [0.0], "begun, not finished"
    assert [one.name for one in now.entrants] == [*NAMES[:2], "", *NAMES[3:]]
    records = [
        first.tables.replay(one.table_id).record() | {"entrant": one.entrant, "deal": one.deal}
        for one in now.games
        if one.table_id and one.ended is not None  # a deleted account takes its games along; the results stay
    ]
    verdict = verify_championship([describe_deals(cup.name, cup.game, cup.seeds), *records])
    assert (verdict.games, verdict.faults) == (13, [])
    for house in evenings.houses:
        assert house.championships.standings(cup, None).lines == now.lines, "the same in every process"
