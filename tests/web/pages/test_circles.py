"""Circles in the browser and over HTTP: founded, joined by the link, with tables; strangers see a door."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import httpx
import pytest
from playwright.sync_api import expect

from veillee.house.accounts.shields import default_shield
from veillee.house.tables.seats import SeatPlan
from veillee.web.app import create_app

pytestmark = pytest.mark.browser
GAME = "takara-island"
ATOM = "{http://www.w3.org/2005/Atom}"
PLANS = [SeatPlan("me"), SeatPlan("open")]


@pytest.fixture
def club(room):
    """A circle of Ada and Bob; a name of its own, as other tests have circles in the same house."""
    ada, bob = room.guest("Ada"), room.guest("Bob")
    circle = room.house.circles.create(ada, f"Jeudi {ada.id[:6]}")
    room.house.circles.join(bob, circle, room.house.circles.invitation(circle))
    yield circle, ada, bob
    for guest in (ada, bob):
        if room.house.circles.view(circle, guest):
            room.house.circles.leave(guest, circle)


def table_of(room, circle, guest, *others, **terms):
    register = room.house.circles.table_register(guest, circle.id)
    table = room.house.tables.create(guest, GAME, PLANS, register=register, **terms)
    for seat, other in enumerate(others, 1):
        table.sit(other, seat)
    return table


def play_out(table, *guests):
    while table.status == "playing":
        seat, guest = next((s, g) for g in guests for s in table.seats_of(g) if s in table.match.to_act)
        table.answer(guest, seat, table.stamp(seat), [table.match.choices(seat)[0].id])


def read(room, path, guest=None, **headers):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies, headers=headers)


def send(room, path, guest=None, origin=None, **fields):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.post(room.url + path, data=fields, cookies=cookies, headers={"Origin": origin or room.url})


def test_from_my_tables_to_a_table_of_the_circle_without_javascript(room):
    host, friend = room.guest("Laudine"), room.guest("Yvain")
    page = room.page(host, "/me", js=False, lang="en")
    page.locator("#to-circles").click()
    page.locator("#circle-name").fill("The Lions")
    page.locator("#create").click()
    expect(page.locator("h1")).to_contain_text("The Lions")
    link = page.locator("#invitation").input_value()
    other = room.page(friend, link.removeprefix(room.url), js=False, lang="en")
    other.locator("#join").click()
    expect(other.locator(".members li")).to_have_count(2)
    expect(other.locator("#invitation")).to_have_count(0)
    page.locator(f".mini-shelf a[href^='/games/{GAME}?circle=']").click()
    page.locator("#seat-1").select_option("open")
    page.locator("#public").check()
    page.locator("#set-table").click()
    expect(page.locator(".invitation")).to_contain_text("The Lions")
    other.reload()
    other.locator("section[aria-labelledby=h-tables] .history a").click()
    expect(other).to_have_url(page.url)
    assert page.url.rpartition("/")[2] not in read(room, "/evening").text, "not public, though it was ticked"
    other.goto(link)
    other.locator("#leave").click()
    expect(other.locator(".history")).to_have_count(0)
    page.goto(room.url + "/circles")
    page.locator(".history a").click()
    page.locator("#leave").click()
    assert read(room, link.removeprefix(room.url)).status_code == 404, "the last one has left"
    assert not room.complaints, room.complaints


def test_the_pages_are_healthy(room, club):
    circle, ada, bob = club
    circles = room.house.circles
    circles.set_evening(ada, circle, room.house.store.now() + 86_400, "chez Ada, avec le gâteau")
    play_out(table_of(room, circle, ada, bob), ada, bob)
    table_of(room, circle, ada, bob)
    table_of(room, circle, bob)
    room.look_at(ada, f"/circles/{circle.id}")
    room.glance_at(bob, f"/circles/{circle.id}")
    room.glance_at(None, f"/circles/{circle.id}/join/{circles.invitation(circle)}")
    room.glance_at(bob, "/circles")
    room.glance_at(ada, f"/games/{GAME}?circle={circle.id}")
    room.glance_at(ada, f"/games/{GAME}/championship")


def test_strangers_see_name_and_shield_of_whatever_is_inside(room):
    """Two circles, one with everything in it: on every route that names a circle, strangers are shown the same."""
    told = []
    for is_full in (False, True):
        ada = room.guest("Ada")
        circle = room.house.circles.create(ada, f"Lundi {ada.id[:6]}")
        room.house.circles.change_shield(ada, circle, "aaaaa")
        if is_full:
            bob = room.guest("Bob")
            room.house.circles.join(bob, circle, room.house.circles.invitation(circle))
            play_out(table_of(room, circle, ada, bob), ada, bob)
            table_of(room, circle, ada)
            room.house.circles.set_evening(ada, circle, room.house.store.now() + 3600, "chez Ada")
        seen = {}
        routes = [route for route in create_app(room.house).routes if "{circle_id}" in route.path_format]
        for route in routes:
            path = route.path_format.format(circle_id=circle.id, token="x", deed="link")
            for reader in (None, room.guest("Eve")):
                for ask in [{"GET": read, "POST": send}[one] for one in sorted({"GET", "POST"} & route.methods)]:
                    answer = ask(room, path, reader)
                    text = answer.text.replace(circle.id, "ID").replace(circle.name, "NAME")
                    text = text.replace(f"/shields/{reader and default_shield(reader.id)}", "/shields/reader")
                    seen[route.path_format, reader is None, ask.__name__] = (answer.status_code, text)
        assert len(seen) >= 8
        told.append(seen)
    assert told[0] == told[1]


def test_a_member_sees_tables_of_the_circle_and_no_others(room, club):
    circle, ada, bob = club
    elsewhere = room.house.tables.create(ada, GAME, PLANS)
    elsewhere.sit(bob, 1)
    room.house.presence.record_visit(bob.id, elsewhere.id)
    here = table_of(room, circle, ada, bob)
    text = read(room, f"/circles/{circle.id}", ada).text
    assert here.id in text
    assert elsewhere.id not in text
    assert text.count("here now") == 1, "who plays elsewhere is not told"
    room.house.presence.record_visit(bob.id, here.id)
    assert read(room, f"/circles/{circle.id}", ada).text.count("here now") == 2
    assert here.id not in read(room, "/evening", bob).text


def test_the_feed_is_for_a_member_as_long_as_they_are_one(room, club):
    circle, ada, bob = club
    table = table_of(room, circle, ada, bob)
    play_out(table, ada, bob)
    room.house.circles.set_evening(ada, circle, room.house.store.now() + 3600, "chez Ada")
    feed = re.search(r'id="feed"[^>]*value="([^"]*)"', read(room, f"/circles/{circle.id}", bob).text)[1]
    path = feed.removeprefix(room.url)
    answer = read(room, path)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    titles = [one.text for one in ET.fromstring(answer.text).iterfind(f"{ATOM}entry/{ATOM}title")]
    assert [title.partition(":")[0] for title in titles] == [
        "The next evening",
        "Takara Island",
        "A table for Takara Island",
    ]
    assert read(room, path.replace(bob.id, ada.id)).status_code == 404
    room.house.circles.leave(bob, circle)
    room.house.circles.join(bob, circle, room.house.circles.invitation(circle))
    assert read(room, path).status_code == 404, "a new membership has a new address"


def test_the_evening_is_in_the_readers_time_zone(room, club):
    circle, ada, bob = club
    day = (datetime.now(UTC) + timedelta(days=30)).date()
    sent = send(room, f"/circles/{circle.id}/evening", ada, evening=f"{day}T20:00", zone="Europe/Paris", note="Ici")
    assert sent.status_code == 303
    page = room.page(bob, f"/circles/{circle.id}", lang="en", js=False)
    time = page.locator("time[data-local]")
    hour = datetime.fromisoformat(time.get_attribute("datetime")).strftime("%H:%M")
    assert hour in ("18:00", "19:00"), "20:00 in Paris"
    expect(time).to_contain_text(f"{hour} UTC")
    scripted = room.page(bob, f"/circles/{circle.id}", lang="en")
    expect(scripted.locator("time[data-local]")).not_to_contain_text("UTC")
    assert not room.complaints, room.complaints


@pytest.mark.parametrize(
    ("path", "fields", "status", "sentence"),
    [
        ("/circles", {"name": " "}, 422, "needs a name"),
        ("/circles", {"name": "x" * 41}, 422, "at most 40"),
        ("/circles/{id}/evening", {"evening": "soon"}, 422, "a date and a time"),
        ("/circles/{id}/evening", {"evening": "0001-01-01T00:00", "zone": "Asia/Tokyo"}, 422, "evening"),
        ("/circles/{id}/evening", {"evening": "2999-01-01T20:00"}, 422, "within a year"),
        ("/circles/{id}/evening", {"evening": "2026-12-01T20:00", "zone": "Mars"}, 422, "no time zone"),
        ("/circles/{id}/name", {"name": "Cеrcle"}, 422, "one alphabet"),
        ("/circles/{id}/shield", {"shape": "star"}, 422, "no such shield"),
        ("/circles/{id}/remove", {"whom": "nobody"}, 404, "no longer a member"),
        ("/circles/{id}/dance", {}, 404, "nothing at this address"),
        (f"/games/{GAME}/tables", {"circle": "x", "seat.0": "me", "seat.1": "bot:novice"}, 422, "not a member"),
        (f"/games/{GAME}/championship", {"circle": "x", "name": "Cup", "deals": "1"}, 422, "not a member"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(room, club, path, fields, status, sentence):
    circle, ada, _ = club
    form = {f"seat.{n}": "none" for n in range(2, 4)} | fields
    answer = send(room, path.format(id=circle.id), ada, **form)
    assert (answer.status_code, sentence in answer.text) == (status, True)


def test_a_championship_is_listed_in_its_circle(room, club):
    circle, ada, bob = club
    form = {"name": "Coupe", "deals": "1", "level": "novice", "lasts": "day", "circle": circle.id}
    made = send(room, f"/games/{GAME}/championship", ada, **form)
    assert made.headers["location"] in read(room, f"/circles/{circle.id}", bob).text


def test_another_site_cannot_act_and_a_revoked_link_is_said(room, club):
    circle, ada, bob = club
    assert send(room, f"/circles/{circle.id}/leave", ada, origin="http://evil.example").status_code == 403
    link = room.house.circles.invitation(circle)
    assert send(room, f"/circles/{circle.id}/link", ada).status_code == 303
    eve = room.guest("Eve")
    assert send(room, f"/circles/{circle.id}/report").status_code == 403
    assert "will look at it" in send(room, f"/circles/{circle.id}/report", eve).text
    late = send(room, f"/circles/{circle.id}/join/{link}", eve)
    assert "no longer valid" in late.text
    assert send(room, f"/circles/{circle.id}/link", bob).status_code == 403
    assert send(room, f"/circles/{circle.id}/leave", room.guest("Eve")).status_code == 403
