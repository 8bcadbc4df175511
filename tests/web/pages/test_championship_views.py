"""A championship on a screen, as a certificate, as a feed, and what its organiser sees of the same person."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import httpx
import pytest
from playwright.sync_api import expect

from house.playing import play_on
from veillee.house.accounts.browsers import remember_browser
from veillee.house.championships import pairing, repository
from veillee.house.championships.terms import ChampionshipTerms

pytestmark = pytest.mark.browser
ATOM = "{http://www.w3.org/2005/Atom}"


def read(room, path, guest=None):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies)


@pytest.fixture
def guests(room):
    return [room.guest(name) for name in ("Ada", "Bob", "Cléa", "Dan")]


@pytest.fixture
def duplicate(room, guests):
    """A championship whose deal Ada and Bob have played with the same answers, and Cléa with others."""
    terms = ChampionshipTerms(deals=1, level="novice", hours=4)
    made = room.house.championships.create(guests[0], "sourire-du-dragon", "Coupe", {}, terms)
    for guest, seed in zip(guests[:3], (1, 1, 2), strict=True):
        room.house.championships.enter(guest, made)
        table = room.house.championships.open_table(guest, made, 1)
        play_on(table, [guest], seed=seed)
        assert table.status == "over"
    return made


def close(room, made):
    columns = repository.championships.c
    with room.house.store.writing() as db:
        ends = room.house.store.now() - 1
        db.execute(repository.championships.update().where(columns.id == made.id).values(ends=ends))


def test_a_round_on_the_screen_and_in_the_feed(room, guests, monkeypatch):
    monkeypatch.setattr(pairing, "draw_order", lambda seed, entrants: sorted(entrants))
    terms = ChampionshipTerms(form="rounds", deals=2, level="novice", hours=2)
    made = room.house.championships.create(guests[0], "tales-of-glory", "Coupe", {}, terms)
    for guest in guests:
        room.house.championships.enter(guest, made)
    before = read(room, f"/championships/{made.id}/screen").text
    assert "The standings are here when a round is over" in before
    assert "Cléa" in before
    room.house.championships.rounds.start(guests[0], made)
    (table,) = [room.house.tables.find(one.table_id) for one in room.house.championships.standings(made, None).tables]
    page = room.page(None, f"/championships/{made.id}/screen", clock=True, lang="en")
    expect(page.locator("main tbody tr")).to_have_count(0)
    play_on(table, guests)
    page.clock.fast_forward(30_000)
    expect(page.locator("main tbody tr")).to_have_count(4)
    room.glance_at(None, f"/championships/{made.id}/screen")
    shown = read(room, f"/championships/{made.id}/screen", guests[0]).text
    assert "Round 1 of 2" in shown
    assert shown.count('<th scope="row">') == 4
    feed = ET.fromstring(read(room, f"/championships/{made.id}/feed").content)
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles == ["A championship: Coupe", "Round 1 has begun", "Round 1 is over"]
    written = datetime.fromisoformat(feed.findtext(f"{ATOM}updated"))
    assert abs((datetime.now(UTC) - written).total_seconds()) < 600


def test_a_certificate_when_it_is_over(room, guests, duplicate):
    path = f"/championships/{duplicate.id}/certificate"
    refused = read(room, f"{path}/1", guests[0])
    assert refused.status_code == 409
    assert "handed out when the championship is over" in refused.text
    close(room, duplicate)
    room.look_at(guests[0], f"{path}/1")
    told = read(room, f"{path}/3").text
    assert "Cléa" in told
    assert "of 3" in told
    assert duplicate.commitment(1)[:16] in told
    assert read(room, f"{path}/4").status_code == 404
    assert f"{path}/1" in read(room, f"/championships/{duplicate.id}", guests[0]).text
    feed = read(room, f"/championships/{duplicate.id}/feed").text
    assert "The championship is over" in feed
    assert "First: " in feed


def test_only_the_organiser_sees_what_hints_at_the_same_person(room, guests, duplicate):
    path = f"/championships/{duplicate.id}/review"
    assert read(room, path, guests[1]).status_code == 403
    assert read(room, path).status_code == 403
    remember_browser(room.house.store, guests[1].id, "a cookie")
    remember_browser(room.house.store, guests[2].id, "a cookie")
    room.look_at(guests[0], path)
    told = " ".join(read(room, path, guests[0]).text.split())
    assert "Ada and Bob: the same answers in deals 1" in told
    assert "Bob and Cléa: the same browser" in told
    assert told.count("<li>") == 2
    assert path in read(room, f"/championships/{duplicate.id}", guests[0]).text
    assert path not in read(room, f"/championships/{duplicate.id}", guests[1]).text


def test_places_are_drawn_from_the_second_round_on(room, guests):
    from veillee.house.championships.standings import Line
    from veillee.web.rendering.championship_text import place_curves

    lines = [Line(rank, rank, 2, 0.0, 0.0, None, None) for rank in (1, 2)]
    now = SimpleNamespace(me=None, lines=lines, places={1: [2, 1], 2: [1, 2]})
    curves = place_curves(now, {1: "Ada", 2: "Bob"})
    assert [(one.name, one.points) for one in curves] == [("Ada", ((0, 100), (100, 0))), ("Bob", ((0, 0), (100, 100)))]
    now.places = {1: [None, None], 2: [1, 1]}
    assert [one.name for one in place_curves(now, {1: "Late", 2: "Bob"})] == ["Bob"]
    now.places = {}
    assert place_curves(now, {1: "A", 2: "B"}) == []
