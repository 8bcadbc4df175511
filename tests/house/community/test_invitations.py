"""Invitations of earlier opponents."""

from __future__ import annotations

import pytest

from house.playing import ME, OPEN, play_on
from veillee.house.community.invitations import decline, invite, pending_invitations, recent_companions
from veillee.house.errors import NotNow

ON_BOTH = True
GAME = "takara-island"


@pytest.fixture
def friends(house, ada, bob):
    """Ada and Bob have played together."""
    table = house.tables.create(ada, GAME, [ME, OPEN])
    table.sit(bob, 1)
    play_on(table, [ada, bob], 2)


@pytest.fixture
def waiting(house, ada):
    return house.tables.create(ada, GAME, [ME, OPEN])


def names(house, guest):
    return [(one.by, one.table_id) for one in pending_invitations(house.store, guest)]


@pytest.mark.usefixtures("friends")
def test_a_friend_finds_it_until_they_sit_down_or_it_begins(house, ada, bob, waiting):
    store, row = house.store, waiting.moment.row
    assert [(one.name, one.is_invited) for one in recent_companions(store, ada, waiting.id, row.seats)] == [
        ("Bob", False)
    ]
    invite(store, ada, row, bob.id)
    invite(store, ada, row, bob.id)  # a double click
    assert [one.is_invited for one in recent_companions(store, ada, waiting.id, row.seats)] == [True]
    assert names(house, bob) == [("Ada", waiting.id)]
    assert names(house, ada) == []
    waiting.sit(bob, 1)
    assert names(house, bob) == []
    with pytest.raises(NotNow, match="waiting"):
        invite(store, ada, waiting.moment.row, bob.id)


@pytest.mark.usefixtures("friends")
def test_who_declines_or_has_muted_somebody_is_left_alone(house, ada, bob, waiting):
    invite(house.store, ada, waiting.moment.row, bob.id)
    house.chat.mute(bob, whom=ada.id)
    assert names(house, bob) == []
    house.chat.mute(bob, whom=ada.id, on=False)
    assert names(house, bob) == [("Ada", waiting.id)]
    decline(house.store, bob, waiting.id)
    invite(house.store, ada, waiting.moment.row, bob.id)
    assert names(house, bob) == []


def test_no_stranger_is_called_upon_and_nobody_else_invites(house, ada, bob, waiting):
    row = waiting.moment.row
    for whom in (bob.id, "", "nobody", ada.id):
        with pytest.raises(NotNow, match="played with"):
            invite(house.store, ada, row, whom)
    with pytest.raises(NotNow, match="waiting"):
        invite(house.store, bob, row, ada.id)
