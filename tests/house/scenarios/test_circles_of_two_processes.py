"""Circles of a house of two processes: what is changed at one is seen at the other at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from house.playing import ME, OPEN
from veillee.house.circles.service import MAX_CIRCLES
from veillee.house.errors import BadRequest, NotNow, NotYours
from veillee.house.house import House


@pytest.fixture
def place(database):
    return database


@pytest.fixture
def elsewhere(house, place):
    other = House.open(place, workers=0)
    yield other
    other.close()


def test_a_circle_is_the_same_in_both_processes(house, elsewhere, ada, bob):
    def seen(guest):
        """The circle as both processes show it to that guest."""
        views = [one.circles.view(one.circles.find(club.id), guest) for one in (house, elsewhere)]
        assert views[0] == views[1]
        return views[0] and [(one.name, one.role) for one in views[0].members]

    club = house.circles.create(ada, "Les Amis du jeudi")
    eve = elsewhere.guests.new("Eve")
    link = elsewhere.circles.invitation(elsewhere.circles.find(club.id))
    elsewhere.circles.join(bob, club, link)
    house.circles.join(eve, club, link)
    assert seen(bob) == [("Ada", "founder"), ("Bob", "member"), ("Eve", "member")]

    elsewhere.circles.remove(ada, club, eve.id)
    assert seen(eve) is None
    with pytest.raises(BadRequest, match="no longer valid"):
        house.circles.join(eve, club, link)

    table = elsewhere.tables.create(
        bob, "takara-island", [ME, OPEN], register=elsewhere.circles.table_register(bob, club.id)
    )
    assert [one.id for one in house.circles.list_tables(club)] == [table.id]

    house.circles.hand_over(ada, club, bob.id)
    assert seen(ada) == [("Bob", "founder"), ("Ada", "helper")]
    with pytest.raises(NotYours):
        elsewhere.circles.rename(ada, club, "Les Amis d'Ada")
    elsewhere.circles.rename(bob, club, "Les Amis de Bob")
    assert [one.name for one in house.circles.list_mine(ada)] == ["Les Amis de Bob"]

    house.circles.leave(bob, club)
    assert seen(ada) == [("Ada", "founder")]


def test_as_many_circles_as_allowed_however_many_are_made_or_joined_at_once(house, elsewhere, ada):
    others = [house.circles.create(house.guests.new(f"Founder {n}"), f"Cercle {n}") for n in range(MAX_CIRCLES)]

    def come_in(number):
        one = (house, elsewhere)[number % 2]
        try:
            if number % 3:
                circle = others[number % MAX_CIRCLES]
                one.circles.join(ada, circle, one.circles.invitation(circle))
            else:
                one.circles.create(ada, f"Mon cercle {number}")
        except NotNow:
            return "refused"
        return "in"

    with ThreadPoolExecutor(8) as many:
        said = list(many.map(come_in, range(3 * MAX_CIRCLES)))
    assert len(house.circles.list_mine(ada)) == MAX_CIRCLES
    assert "refused" in said
