"""The position in words: the compact text of what its reader may know, as a page and beside the board."""

from __future__ import annotations

import re
from html import unescape

import pytest
from litestar.testing import TestClient
from playwright.sync_api import expect

from veillee.house.tables.seats import SeatPlan
from veillee.match.compact_text import describe, describe_position
from veillee.web.app import create_app


def words_in(page: str) -> str:
    """The lines of the page, as they are spoken."""
    text = page.partition('id="position-text"')[2].partition("</main>")[0]
    return "\n".join(unescape(line).strip() for line in re.findall(r"<(?:p|li|b)>([^<]+)</", text))


@pytest.fixture
def table(served):
    house = served[1]
    guest = house.guests.new("Ada")
    return guest, house.tables.create(guest, "ghost-knights", [SeatPlan("me"), *[SeatPlan("bot")] * 3], public=False)


def test_the_page_is_the_compact_text_of_its_reader(served, table):
    guest, at = table
    names = [seat.name for seat in at.moment.seats]
    for lang in ("en", "fr"):
        with TestClient(create_app(served[1])) as web:
            web.headers["Accept-Language"] = lang
            spectator = web.get(f"/t/{at.id}/words")
            web.cookies.set("guest", guest.token)
            own = web.get(f"/t/{at.id}/words")
        mine = describe(at.match, 0, lang, names)
        assert [line for line in mine.splitlines() if line] == words_in(own.text).splitlines()
        assert words_in(spectator.text) == describe_position(at.match, -1, lang, names)
        assert words_in(own.text) != words_in(spectator.text)
        assert f'<a href="/t/{at.id}">' in own.text


def test_before_the_game_it_leads_to_the_table(served):
    house = served[1]
    guest = house.guests.new("Ada")
    plans = [SeatPlan("me"), SeatPlan("open"), *[SeatPlan("bot")] * 2]
    waiting = house.tables.create(guest, "ghost-knights", plans, public=False)
    with TestClient(create_app(house)) as web:
        answer = web.get(f"/t/{waiting.id}/words", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{waiting.id}")
        assert web.get("/t/nowhere/words").status_code == 404


@pytest.mark.browser
def test_a_key_opens_it_beside_the_board_and_it_keeps_up(room):
    guest = room.guest()
    table = room.table(guest, "takara-island", 2)
    page = room.page(guest, f"/t/{table.id}")
    assert page.locator("#position-text").count() == 0, "loaded when it is wanted"
    page.keyboard.press("p")
    text = page.locator("#position-text")
    expect(text).to_be_focused()
    before = text.inner_text()
    assert before.replace("\n", "").startswith("Takara Island")
    room.advance(table, guest, 3)
    page.wait_for_function("before => document.getElementById('position-text').innerText !== before", arg=before)
    expect(text).to_be_focused()
    room.look_at(guest, f"/t/{table.id}/words")
