"""The table on a big screen: public parts alone, also in a player's own browser, and live."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES
from veillee.house.tables.seats import SeatPlan

pytestmark = pytest.mark.browser


def html_of(room, path, guest=None):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies)


@pytest.mark.parametrize("game", list(BOXES))
def test_a_screen_shows_a_player_nothing_that_a_stranger_does_not_see(room, game):
    guest = room.guest()
    table = room.table(guest, game, BOXES[game].players[0])
    room.advance(table, guest, 3)
    screen = html_of(room, f"/t/{table.id}/screen", guest).text
    assert screen == html_of(room, f"/t/{table.id}/screen").text
    main = re.compile(r'<div class="middle">.*</main>', re.DOTALL)
    watched = html_of(room, f"/t/{table.id}").text
    without_side = [
        re.sub(r'<div class="side">.*', "", main.search(text)[0], flags=re.DOTALL) for text in (screen, watched)
    ]
    assert without_side[0] == without_side[1]
    assert f'data-live="/t/{table.id}/screen/stream?' in screen
    assert 'name="seat" value="-1"' in screen


def test_the_stream_of_a_screen_is_a_spectators(room):
    guest = room.guest()
    table = room.table(guest, "ghost-knights", 4)
    with httpx.Client(base_url=room.url, cookies={"guest": guest.token, "lang": "en"}, timeout=30) as client:
        told = []
        for path in ("screen/stream", "stream"):
            with client.stream("GET", f"/t/{table.id}/{path}") as stream:
                heard = b""
                for chunk in stream.iter_raw():
                    heard += chunk
                    if b"event: parts" in heard and heard.endswith(b"\n\n"):
                        break
                told.append(heard)
    screen, mine = told
    assert b'name="seat" value="0"' in mine
    assert b'name="seat" value="-1"' in screen


def test_a_screen_follows_the_game_and_brings_phones_to_the_table(room):
    guest = room.guest()
    table = room.table(guest, "takara-island", 2, [SeatPlan("me"), SeatPlan("hotseat", "Bob")])
    page = room.page(guest, f"/t/{table.id}", lang="en")
    page.get_by_role("link", name="Show this table on a big screen").click()
    expect(page).to_have_url(re.compile(f"/t/{table.id}/screen$"))
    expect(page.get_by_role("complementary", name="Join from a phone")).to_contain_text(f"/t/{table.id}")
    before = page.locator("#part-log").inner_text()
    room.advance(table, guest, 4)
    expect(page.locator("#part-log")).not_to_have_text(before, timeout=20_000)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        room.healthy(page)


def test_a_waiting_table_on_a_screen_says_how_to_join(room):
    guest = room.guest()
    table = room.table(guest, "takara-island", 2, [SeatPlan("me"), SeatPlan("open")])
    page = room.page(guest, f"/t/{table.id}/screen", lang="en")
    expect(page.get_by_role("complementary", name="Join from a phone")).to_be_visible()
    table.sit(room.guest("Bob"), 1)
    expect(page.locator("#part-log")).to_be_visible(timeout=20_000)
