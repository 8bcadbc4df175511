"""My tables: whose turn it is and since when, results, bot levels; archive, delete, play on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import expect

from veillee.house.tables.seats import SeatPlan
from veillee.web.rendering.table_list import my_lines, since

pytestmark = pytest.mark.browser
GAME = "takara-island"
ALONE = [
    SeatPlan("me"),
    SeatPlan("bot", level="novice"),
    SeatPlan("bot", level="novice"),
    SeatPlan("bot", level="expert"),
]
TOGETHER = [SeatPlan("me"), SeatPlan("open")]


@pytest.mark.parametrize(
    ("ago", "en", "fr"),
    [
        (timedelta(seconds=20), "just now", "à l’instant"),
        (timedelta(minutes=5), "for 5 minutes", "depuis 5 minutes"),
        (timedelta(hours=26), "for 1 day", "depuis 1 jour"),
        (timedelta(days=21), "for 3 weeks", "depuis 3 semaines"),
    ],
)
def test_since_when_is_said_in_words(ago, en, fr):
    then = datetime.now(UTC) - ago
    assert (since(then, "en", over=False), since(then, "fr", over=False).replace("\xa0", " ")) == (en, fr)


def test_whose_turn_it_is_comes_first_and_what_is_over_last(room):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    mine = room.table(ada, GAME, 4, ALONE)
    over = room.table(ada, GAME, 2)
    room.advance(over, ada, 3000)
    waiting = room.table(ada, GAME, 2, TOGETHER)
    theirs = room.table(ada, GAME, 2, TOGETHER)
    theirs.sit(bob, 1)
    if theirs.match.to_act == (0,):
        while theirs.match.to_act == (0,):
            room.advance(theirs, ada, 1)
    lines = my_lines(room.house, ada, "en")
    assert [line.id for line in lines] == [mine.id, theirs.id, waiting.id, over.id]
    won = over.match.winners == [0]
    assert [line.state for line in lines] == [
        "Your turn",
        "waiting for Bob",
        "1 empty chair",
        "You won" if won else f"place {over.match.place(0)} of 2 · {over.seats[1].name} won",
    ]
    assert [line.people for line in lines][:2] == ["Ada, 2 bots (novice), 1 bot (expert)", "Ada, Bob"]
    assert [line.mine for line in lines] == [True, False, True, True]


def test_play_on_stands_first_on_the_shelf(room):
    ada = room.guest("Ada")
    tables = [room.table(ada, GAME, 4, ALONE) for _ in range(4)]
    page = room.page(ada, "/", lang="en", js=False)
    going = page.locator("section[aria-labelledby=h-t]")
    expect(going.locator("li")).to_have_count(2)
    expect(going).to_contain_text("2 more tables")
    assert going.bounding_box()["y"] < page.locator(".shelf").bounding_box()["y"]
    going.locator(".onward").first.click()
    expect(page.locator("#part-prompt.you")).to_be_visible()
    assert page.url.rpartition("/")[2] in {table.id for table in tables}
    expect(room.page(None, "/").locator("section[aria-labelledby=h-t]")).to_have_count(0)


def test_a_table_is_put_away_and_deleted_without_javascript(room):
    ada = room.guest("Ada")
    room.table(ada, GAME, 4, ALONE)
    page = room.page(ada, "/me", lang="en", js=False, size="phone")
    page.get_by_role("button", name="Archive").click()
    expect(page.locator("#put-away > summary")).to_have_text("Archived (1)")
    expect(page.get_by_text("You have no tables yet.")).to_be_visible()
    page.locator("#put-away > summary").click()
    page.get_by_role("button", name="Restore").click()
    expect(page.locator("#put-away")).to_have_count(0)
    page.locator(".tidy summary").click()
    page.get_by_role("button", name="Yes, for good").click()
    expect(page.locator(".tables")).to_have_count(0)
    assert room.house.tables.for_guest(ada) == []


def test_a_list_is_healthy_with_everything_open(room):
    ada = room.guest("Ada")
    tables = [room.table(ada, GAME, 4, ALONE) for _ in range(2)]
    room.house.archive.hide(ada, tables[0].id)
    room.glance_at(
        ada, "/me", lambda page: page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
    )


def test_whoever_looks_at_a_table_that_is_deleted_is_told(room):
    ada = room.guest("Ada")
    table = room.table(ada, GAME, 2, TOGETHER)
    page = room.page(None, f"/t/{table.id}", lang="en")
    expect(page.locator("#sit-down")).to_be_visible()
    room.house.archive.delete(ada, table.id)
    expect(page.locator("h1")).to_contain_text("There is no table")
    expect(page.locator("main a[href='/']")).to_be_visible()
    room.complaints.clear()  # the browser's word about the address


def test_whoever_was_cut_off_when_the_table_was_deleted_is_told(room):
    ada = room.guest("Ada")
    table = room.table(ada, GAME, 2, TOGETHER)
    page = room.page(None, f"/t/{table.id}", lang="en")
    expect(page.locator("#sit-down")).to_be_visible()
    page.route("**/stream?*", lambda route: route.abort())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # the page listens anew, and hears nothing
    expect(page.locator("#link")).to_be_visible()
    room.house.archive.delete(ada, table.id)
    page.unroute("**/stream?*")
    expect(page.locator("h1")).to_contain_text("There is no table")
    room.complaints.clear()  # the browser's word about the address


@pytest.mark.parametrize("deed", ["away", "clear", "x"])
def test_a_table_of_others_is_left_alone(room, deed):
    ada, eve = room.guest("Ada"), room.guest("Eve")
    table = room.table(ada, GAME, 2, TOGETHER)
    headers = {"Origin": room.url, "Accept-Language": "en"}
    for cookies in ({}, {"guest": eve.token}):
        address = f"{room.url}/me/tables/{table.id}/{deed}"
        answer = httpx.post(address, headers=headers, cookies=cookies)
        assert answer.status_code in (403, 404)
    assert room.house.tables.find(table.id) is table


@pytest.mark.parametrize(
    "game", ["ghost-knights", "paper-tales", "takara-island", "tales-of-glory", "sourire-du-dragon"]
)
def test_how_well_a_bot_plays_is_shown_at_the_table(room, game):
    ada = room.guest("Ada")
    plans = [SeatPlan("me"), SeatPlan("bot", level="novice"), SeatPlan("bot", level="expert"), SeatPlan("bot")]
    table = room.table(ada, game, 4, plans)
    page = room.page(ada, f"/t/{table.id}", lang="en")
    dots = [mark.locator("circle").count() for mark in page.locator("#part-players .strength").all()]
    assert dots == [1, 3, 2]
    expect(page.locator("#part-players .s2")).to_contain_text("bot, expert")
    assert page.locator("#part-players .s2 .strength").get_attribute("title") == "bot, expert"
