"""Luck and skill on the page: asked for after the end, told as drawing, table and sentences; in the replay; and played on."""

from __future__ import annotations

import time

import httpx
import pytest
from playwright.sync_api import expect

from veillee.bots.insight import Budget
from veillee.tables.people import SeatPlan

pytestmark = pytest.mark.browser
GAME = "takara-island"


def read(room, path, guest=None):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies)


@pytest.fixture
def over(room, monkeypatch):
    monkeypatch.setattr(room.house.analyses, "budget", Budget(2, 2, 2))
    guest = room.guest("Gauvain")
    table = room.table(guest, GAME, 2)
    room.advance(table, guest, 3000)
    assert table.status == "over"
    return guest, table


def analysed(room, table):
    room.house.analyses.ask(table.id, table.match)
    end = time.monotonic() + 60
    while room.house.analyses.find(table.id).state != "done" and time.monotonic() < end:
        time.sleep(0.02)
    return room.house.analyses.find(table.id)


def test_it_is_asked_for_watched_and_leads_to_its_moments(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}", lang="en")
    page.locator("#look-into").click()
    page.locator("#analyse").click()
    expect(page.locator("#h-turns")).to_be_visible(timeout=60_000)
    assert page.locator(".moments").first.locator("li").count() == 3
    assert page.locator(".analysis-page details tbody tr").count() == len(table.match.answers) + 1
    page.locator(".moments a").first.click()
    expect(page.locator("#replay")).to_be_visible()
    assert not room.complaints, room.complaints


def test_the_replay_tells_what_could_be_chosen_by_what_the_seat_knew(room, over):
    guest, table = over
    found = analysed(room, table)
    number = next(n for n, row in enumerate(found.rows) if "options" in row and table.match.answers[n - 1][0] == 0)
    page = room.page(guest, f"/t/{table.id}/replay?at={number - 2}", lang="en")
    expect(page.locator("#thoughts li:visible")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#thoughts li:visible")).to_contain_text("(chosen)")
    page.locator("#play-on").click()
    expect(page.locator("#prompt")).to_be_visible()
    opened = room.house.table(page.url.rpartition("/")[2])
    assert opened.match.answers[: number - 1] == table.match.answers[: number - 1]
    assert opened.now.row.branch == f"{table.id} {number - 1}"


def test_without_javascript_it_is_asked_for_and_looked_at_again(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}/analysis", js=False, lang="en")
    page.locator("#analyse").click()
    analysed(room, table)
    page.goto(f"{room.url}/t/{table.id}/analysis")
    expect(page.locator("#h-turns")).to_be_visible()
    expect(page.locator(".apart li")).to_have_count(2)


def test_nothing_of_a_game_that_goes_on(room):
    guest = room.guest("Yvain")
    table = room.house.new_table(guest, GAME, [SeatPlan("me"), SeatPlan("bot")])
    assert read(room, f"/t/{table.id}/analysis", guest).status_code == 409
    for deed in ("analysis", "play-on"):
        answer = httpx.post(
            f"{room.url}/t/{table.id}/{deed}",
            cookies={"guest": guest.token},
            headers={"Origin": room.url},
            data={"at": "0"},
        )
        assert answer.status_code == 409
    assert "thoughts" not in read(room, f"/t/{table.id}/replay", guest).text


def test_it_looks_well(room, over):
    guest, table = over
    analysed(room, table)
    room.glance_at(guest, f"/t/{table.id}/analysis")
    room.glance_at(guest, f"/t/{table.id}/replay?at=3&from=0")
