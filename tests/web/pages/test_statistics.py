"""Statistics pages: filters, a download of records that verify, and the ratings of a box."""

from __future__ import annotations

import json

import httpx
import pytest
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES
from veillee.house.tables.seats import SeatPlan
from veillee.match.verify import verify

pytestmark = pytest.mark.browser
GAME = "takara-island"


def read(room, path, guest=None):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies)


@pytest.fixture
def doing(room):
    """A guest with two finished games of two boxes, one of them rated."""
    guest = room.guest("Gauvain")
    plain = room.table(guest, "paper-tales", 2)
    plans = [SeatPlan("me"), SeatPlan("bot", level="novice")]
    counts = room.house.tables.create(guest, GAME, plans, hints=False, rated=True)
    for table in (plain, counts):
        room.advance(table, guest, 3000)
        assert table.status == "over"
    return guest, plain, counts


def test_ones_games_are_filtered_and_taken_home_as_records_that_verify(room, doing):
    guest, plain, counts = doing
    page = read(room, "/me/games", guest).text
    assert plain.id in page
    assert counts.id in page
    page = read(room, f"/me/games?box={GAME}", guest).text
    assert f"/t/{plain.id}/replay" not in page.split('id="h-history"')[1]
    end = "won" if counts.match.winners == [0] else "lost"
    lines = read(room, f"/me/games.jsonl?box={GAME}&end={end}&with=bots", guest)
    (record,) = [json.loads(line) for line in lines.text.splitlines()]
    assert record["table"] == counts.id
    assert record["rated"] is True
    assert verify(record).holds
    assert read(room, "/me/games.jsonl?with=people", guest).text == ""
    assert read(room, "/me/games.jsonl").status_code == 404
    assert "no game yet" in read(room, "/me/games").text
    assert read(room, "/me/games?box=chess&end=maybe&after=x", guest).status_code == 200


def test_the_scale_of_a_box_shows_people_and_levels_and_nobody_elses_games(room, doing):
    _, plain, _ = doing
    page = read(room, f"/games/{GAME}/ratings").text
    assert "Gauvain" in page
    assert "bot, novice" in page
    assert plain.id not in page
    assert "No rated game" in read(room, "/games/tales-of-glory/ratings").text


def test_they_look_well(room, doing):
    guest, *_ = doing
    room.glance_at(guest, "/me/games")
    room.glance_at(guest, f"/games/{GAME}/ratings")


def test_shares_and_ratings_are_drawn_and_an_empty_page_leads_to_the_boxes(room):
    guest = room.guest()
    page = room.page(guest, "/me/games", lang="en", js=False)
    expect(page.locator(".mini-shelf a")).to_have_count(len(BOXES))
    page.locator(".mini-shelf a").first.click()
    assert "/games/" in page.url
    table = room.table(guest, "takara-island", 2)
    room.advance(table, guest, 3000)
    page.goto(f"{room.url}/me/games")
    width = page.locator(".share .part").first.get_attribute("width")
    assert width in ("0.0", "100.0"), "of one game"
    expect(page.locator("td", has=page.locator(".share")).first).to_have_text(f"{float(width):.0f}%")
