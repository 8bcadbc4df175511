"""Circles: who comes in, who decides, and who leads when somebody is gone."""

from __future__ import annotations

import json

import pytest

from house.playing import BOT, ME, OPEN, play_on
from veillee.house.accounts.personal_data import export_json
from veillee.house.circles.repository import load_members
from veillee.house.circles.service import EVENING_SECONDS, MAX_CIRCLES
from veillee.house.community.chat import TableAudience
from veillee.house.community.moderation import Moderator
from veillee.house.errors import BadRequest, NotFound, NotNow, NotYours
from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.maintenance.cleanup import INACTIVE_GUEST_SECONDS, delete_expired
from veillee.house.results.ratings import MU

ON_BOTH = True
GAME = "takara-island"


@pytest.fixture
def clock():
    return Hourglass()


@pytest.fixture
def house(place, clock):
    house = House.open(place, workers=0, now=clock)
    yield house
    house.close()


@pytest.fixture
def join(house, clock):
    """Lets a new guest join, later than those before."""

    def join(circle, name):
        clock.pass_by(1.0)
        guest = house.guests.new(name)
        house.circles.join(guest, circle, house.circles.invitation(house.circles.find(circle.id)))
        return guest

    return join


@pytest.fixture
def club(house, ada):
    return house.circles.create(ada, "Les Amis du jeudi")


def roles(house, circle):
    return [(one.name, one.role) for one in load_members(house.store, circle.id)]


def test_members_come_by_the_link_and_a_new_link_revokes_the_old_one(house, club, ada, bob, join):
    link = house.circles.invitation(club)
    for wrong in ("", "x", link + "x", link[:-1], link.replace(".", "0.")):
        with pytest.raises(BadRequest, match="no longer valid"):
            house.circles.join(bob, club, wrong)
    house.circles.join(bob, club, link)
    house.circles.join(bob, club, "a member stays one")
    assert roles(house, club) == [("Ada", "founder"), ("Bob", "member")]
    house.circles.renew_invitation(ada, club)
    with pytest.raises(BadRequest):
        house.circles.join(house.guests.new("Eve"), club, link)
    join(club, "Cléa")
    other = house.circles.create(bob, "Un autre")
    with pytest.raises(BadRequest):
        house.circles.join(ada, other, house.circles.invitation(house.circles.find(club.id)))


def test_only_founder_and_helpers_decide(house, club, ada, join):
    helper, member, other = (join(club, name) for name in ("Helper", "Member", "Other"))
    house.circles.set_helper(ada, club, helper.id, is_helper=True)
    do = house.circles
    deeds = {
        "invite": lambda guest: do.renew_invitation(guest, club),
        "mute": lambda guest: do.set_muted(guest, club, other.id, is_muted=True),
        "evening": lambda guest: do.set_evening(guest, club, house.store.now() + 60, "chez Ada"),
        "mute a helper": lambda guest: do.set_muted(guest, club, helper.id, is_muted=True),
        "appoint": lambda guest: do.set_helper(guest, club, other.id, is_helper=True),
        "rename": lambda guest: do.rename(guest, club, "Les Autres"),
        "shield": lambda guest: do.change_shield(guest, club, "aaaaa"),
        "remove the founder": lambda guest: do.remove(guest, club, ada.id),
        "remove oneself": lambda guest: do.remove(guest, club, guest.id),
        "take over": lambda guest: do.hand_over(guest, club, guest.id),
    }
    may = {
        "stranger": (house.guests.new("Eve"), []),
        "member": (member, []),
        "helper": (helper, ["invite", "mute", "evening"]),
        "founder": (ada, ["invite", "mute", "evening", "mute a helper", "appoint", "rename", "shield"]),
    }
    for who, (guest, allowed) in may.items():
        done = []
        for name, deed in deeds.items():
            try:
                deed(guest)
            except NotYours:
                continue
            done.append(name)
        assert done == allowed, who


def test_who_is_removed_cannot_come_back_by_the_link_they_know(house, club, ada, join):
    eve = join(club, "Eve")
    link = house.circles.invitation(house.circles.find(club.id))
    house.circles.remove(ada, club, eve.id)
    with pytest.raises(BadRequest):
        house.circles.join(eve, club, link)
    with pytest.raises(NotFound):
        house.circles.set_muted(ada, club, eve.id, is_muted=True)


def test_the_longest_serving_helper_else_member_follows_the_founder(house, club, ada, join, clock):
    first, early, late = (join(club, name) for name in ("First", "Early", "Late"))
    for helper in (early, late):
        clock.pass_by(1.0)
        house.circles.set_helper(ada, club, helper.id, is_helper=True)
    house.circles.leave(ada, club)
    assert roles(house, club) == [("Early", "founder"), ("Late", "helper"), ("First", "member")]
    clock.pass_by(1.0)
    house.circles.hand_over(early, club, first.id)
    assert roles(house, club) == [("First", "founder"), ("Late", "helper"), ("Early", "helper")]
    house.accounts.delete(first)
    assert roles(house, club) == [("Late", "founder"), ("Early", "helper")]


def test_a_founder_who_followed_stays_one_when_they_make_a_helper(house, club, ada, join):
    first, second = join(club, "First"), join(club, "Second")
    house.accounts.delete(ada)
    house.circles.set_helper(first, club, second.id, is_helper=True)
    assert roles(house, club) == [("First", "founder"), ("Second", "helper")]


@pytest.mark.parametrize("end", ["leave", "delete", "cleanup"])
def test_an_empty_circle_is_deleted_and_its_name_is_free(house, club, ada, bob, clock, end):
    if end == "leave":
        house.circles.leave(ada, club)
    elif end == "delete":
        house.accounts.delete(ada)
    else:
        delete_expired(house.store, house.store.now() + INACTIVE_GUEST_SECONDS + 1)
    with pytest.raises(NotFound):
        house.circles.find(club.id)
    house.circles.create(house.guests.new("Bob"), club.name)


@pytest.mark.parametrize(
    "name",
    ["", " ", "…", "x" * 41, "Cеrcle", "LES AMIS DU JEUDI", "Les Amis-du jeudi!", "Ꮮеs Аmіs ԁu јеuԁі"],
)
def test_names_that_cannot_be(house, club, bob, name):
    with pytest.raises(BadRequest):
        house.circles.create(bob, name)
    mine = house.circles.create(bob, "Le Cercle")
    with pytest.raises(BadRequest):
        house.circles.rename(bob, mine, name)
    house.circles.rename(bob, mine, "Le cercle")


def test_a_guest_is_in_a_few_circles(house, club, bob):
    for number in range(MAX_CIRCLES):
        house.circles.create(bob, f"Circle {'abcdefghijkmnopqrst'[number]}")
    with pytest.raises(NotNow):
        house.circles.create(bob, "Encore")
    with pytest.raises(NotNow):
        house.circles.join(bob, club, house.circles.invitation(club))


def test_a_full_circle(house, club, bob, monkeypatch):
    monkeypatch.setattr("veillee.house.circles.service.MAX_MEMBERS", 1)
    with pytest.raises(NotNow, match="full"):
        house.circles.join(bob, club, house.circles.invitation(club))


def table_of(house, circle, guest, *others, game=GAME):
    """A table of the circle with these guests."""
    plans = [ME, *[OPEN] * max(1, len(others))]
    table = house.tables.create(guest, game, plans, register=house.circles.table_register(guest, circle.id))
    for seat, other in enumerate(others, 1):
        table.sit(other, seat)
    return table


def listed(house, circle, *, over=False):
    return [one.id for one in house.circles.list_tables(circle, over=over)]


def test_tables_of_a_circle_are_listed_there_with_their_rematches_and_nowhere_else(house, club, ada, bob, join):
    with pytest.raises(BadRequest, match="not a member"):
        house.circles.table_register(bob, club.id)
    friend = join(club, "Friend")
    waiting, played = table_of(house, club, ada), table_of(house, club, ada, friend)
    house.tables.create(ada, GAME, [ME, OPEN])
    assert set(listed(house, club)) == {waiting.id, played.id}
    assert house.tables.list_open() == []
    play_on(played, [ada, friend])
    again = house.tables.rematch(ada, played)
    assert set(listed(house, club)) == {waiting.id, again.id}
    assert listed(house, club, over=True) == [played.id]
    house.archive.delete(ada, waiting.id)
    assert listed(house, club) == [again.id]
    Moderator(house.store, "owner").ban("table", again.id)
    house.bans.refresh()
    assert listed(house, club) == []


def test_ratings_are_of_members_and_of_games_of_several_people_in_the_circle(house, club, ada, join, clock):
    bob, gone = join(club, "Bob"), join(club, "Gone")
    for friend in (bob, gone):
        play_on(table_of(house, club, ada, friend), [ada, friend])
        clock.pass_by(1.0)
    play_on(house.tables.create(ada, GAME, [ME, BOT], register=house.circles.table_register(ada, club.id)), [ada])
    house.accounts.delete(gone)
    finished = house.circles.list_tables(club, over=True)
    assert [[seat.name for seat in one.seats if seat.kind == "person"] for one in finished] == [
        ["Ada"],
        ["Ada", ""],  # a former guest
        ["Ada", "Bob"],
    ]
    (rated,) = house.circles.load_ratings(house.circles.view(club, ada), finished).values()
    assert {one.name: one.games for one in rated} == {"Ada": 2, "Bob": 1}
    places = house.results.load(finished)[finished[-1].id].places
    bobs = next(one for one in rated if one.name == "Bob")
    assert (bobs.mu > MU) == (places[1] < places[0])


def test_who_is_muted_in_a_circle_is_silent_at_its_tables_alone(house, club, ada, join):
    bob = join(club, "Bob")
    here, elsewhere = table_of(house, club, ada, bob), house.tables.create(bob, GAME, [ME, OPEN])

    def say(table):
        house.chat.say(bob, TableAudience(table.id, table.status, table.seats), table.box, "hello")

    house.circles.set_muted(ada, club, bob.id, is_muted=True)
    with pytest.raises(NotNow, match="in this circle"):
        say(here)
    say(elsewhere)
    house.circles.set_muted(ada, club, bob.id, is_muted=False)
    say(here)


def test_an_evening_is_shown_until_it_is_over(house, club, ada, clock):
    when = house.store.now() + 3600
    house.circles.set_evening(ada, club, when, "chez\nAda")
    now = house.circles.find(club.id)
    assert (house.circles.next_evening(now), now.evening_note) == (when, "chez Ada")
    clock.pass_by(3600 + EVENING_SECONDS)
    assert house.circles.next_evening(now) is None
    for wrong, note in ((when, ""), (house.store.now() + 400 * 86_400, ""), (None, "x" * 201)):
        with pytest.raises(BadRequest):
            house.circles.set_evening(ada, club, wrong, note)


def test_circles_are_in_the_export_and_leave_with_their_guest(house, club, ada, join):
    bob = join(club, "Bob")
    told = json.loads(b"".join(export_json(house.store, bob)))
    assert [(one["circle"], one["role"]) for one in told["circle_members"]] == [(club.id, "member")]
    house.accounts.delete(bob)
    assert roles(house, club) == [("Ada", "founder")]
