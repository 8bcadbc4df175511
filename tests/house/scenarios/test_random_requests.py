"""Random requests of guests in random order: a refused one changes nothing, an accepted one is on disk."""

from __future__ import annotations

import json
from random import Random

import pytest

from house.playing import BOT, ME, OPEN, photograph
from veillee.games.catalogue import BOXES
from veillee.house.house import House
from veillee.match.errors import VeilleeError


def some_request(table, guests, stamps, chance):
    """A request that may be valid, invalid, late, repeated or another guest's."""
    now = table.moment
    guest = chance.choice(guests)
    seats = now.seats_of(guest) or [0]
    seat = chance.choice(seats) if chance.random() < 0.9 else chance.randrange(len(now.seats))
    stamp = now.stamp(seat) if chance.random() < 0.8 else chance.choice(stamps)
    stamps.append(now.stamp(seat))
    offered = [choice.id for choice in now.match.choices(seat)] if seat in now.match.to_act else [0]
    actions = [chance.choice(offered)]
    if chance.random() < 0.2:
        actions.append(chance.randrange(60))
    deeds = [lambda: table.answer(guest, seat, stamp, actions)] * 8
    deeds += [lambda: table.undo(guest, seat, stamp)] * 3
    deeds += [
        lambda: table.answer(guest, seat, stamp, [chance.randrange(-1, 200)]),
        lambda: [table.leave(guest, seat), table.come_back(guest, seat)],
        lambda: table.come_back(guest, seat),
        lambda: table.sit(guest, seat),
        lambda: table.stand(guest, seat),
        lambda: table.seat_bot(guest, seat),
    ]
    return chance.choice(deeds)


@pytest.mark.parametrize("game", list(BOXES))
def test_what_is_refused_changes_nothing_and_what_is_done_stays_done(house, ada, bob, place, game):
    chance = Random(game)
    box = BOXES[game]
    table = house.tables.create(ada, game, [ME, OPEN] + [BOT] * (box.players[0] - 2))
    table.sit(bob, 1)
    guests, stamps = [ada, bob, house.guests.new("Eve")], [table.stamp(0)]
    everybody = range(len(table.seats))
    done = refused = 0
    for number in range(100):
        if table.status == "over":
            break
        request = some_request(table, guests, stamps, chance)
        before, rev, moment = outline(table), table.rev(everybody), table.moment
        try:
            request()
        except VeilleeError:
            refused += 1
            assert table.moment is moment
            assert outline(table) == before
        else:
            if table.moment is not moment:
                done += 1
                assert table.rev(everybody) > rev
        if number % 10 == 0:
            assert outline(house.tables.replay(table.id)) == outline(table), "as somebody reads it who comes in now"
    assert done > 10
    assert refused > 10
    house.close()
    again = House.open(place, workers=0)
    assert photograph(again.tables.find(table.id)) == photograph(table)
    again.close()


def outline(table):
    """Less than a photograph, and faster: what everything else follows from."""
    now = table.moment
    stamps = [now.stamp(seat) for seat in range(len(now.seats))]
    revs = [now.rev(), *(now.rev([seat]) for seat in range(len(now.seats)))]
    return json.dumps([revs, now.match.state.dump(), now.match.save(), stamps, [str(seat) for seat in now.seats]])
