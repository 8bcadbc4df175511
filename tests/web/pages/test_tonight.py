"""The page "Find players": waiting tables, games to watch, "find me a table", and invitations."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import expect

from veillee.house.tables.clocks.time_control import TimeControl
from veillee.house.tables.seats import SeatPlan
from veillee.web.pages.tonight import SearchWish, find_seat

pytestmark = pytest.mark.browser
GAME = "takara-island"
WITH_OPEN = [SeatPlan("me"), SeatPlan("open")]


def read(room, path, guest=None):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies).text


@pytest.fixture
def post(room):
    """Returns a public correspondence table that waits, the only one."""
    guest = room.guest("Gauvain")
    table = room.house.tables.create(
        guest, GAME, WITH_OPEN, public=True, pace=TimeControl.validated("post", each=86_400)
    )
    yield guest, table
    if table.status == "waiting":
        room.house.archive.delete(guest, table.id)


def test_a_list_by_box_and_pace_and_what_is_private_is_in_none(room, post):
    gauvain, table = post
    hidden = room.house.tables.create(gauvain, GAME, WITH_OPEN)
    page = read(room, "/evening")
    assert table.id in page
    assert hidden.id not in page
    assert "by post" in page
    for query, there in (("box=takara-island&pace=post", True), ("pace=calm", False), ("box=paper-tales", False)):
        assert (table.id in read(room, f"/evening?{query}")) is there
    assert read(room, "/evening?box=chess&pace=never").count(table.id) == 1
    table.sit(room.guest("Yvain"), 1)
    waits, plays = read(room, "/evening").split('id="h-plays"')
    assert table.id not in waits
    assert table.id in plays


def test_somebody_finds_a_table_or_opens_one_that_the_next_one_finds(room, post):
    gauvain, table = post
    yvain, enide, lunete = room.guest("Yvain"), room.guest("Enide"), room.guest("Lunete")
    assert find_seat(room.house, gauvain, SearchWish(GAME, "post")).id == table.id, "they wait already"
    assert find_seat(room.house, yvain, SearchWish("", "post")).id == table.id
    assert table.status == "playing"
    opened = find_seat(room.house, enide, SearchWish(GAME, "evening"))
    assert opened.moment.row.public
    assert opened.moment.row.pace.kind == "evening"
    assert find_seat(room.house, lunete, SearchWish(GAME, "evening")) is opened
    assert opened.status == "playing"


def test_a_stranger_finds_one_without_javascript(room, post):
    _, table = post
    page = room.page(None, "/evening", js=False, lang="en", size="phone")
    form = page.locator("form[method=post]", has=page.locator("#find"))
    form.locator("[name=box]").select_option(GAME)
    form.locator("[name=pace]").select_option("post")
    page.locator("#find").click()
    expect(page).to_have_url(f"{room.url}/t/{table.id}")
    assert table.status == "playing"


def test_a_friend_is_invited_and_finds_it_on_the_shelf(room):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    first = room.house.tables.create(ada, GAME, WITH_OPEN)
    first.sit(bob, 1)
    table = room.house.tables.create(ada, GAME, WITH_OPEN)
    page = room.page(ada, f"/t/{table.id}", js=False, lang="en")
    page.get_by_role("button", name="Bob").click()
    expect(page.get_by_role("button", name="Bob · invited")).to_be_disabled()
    shelf = room.page(bob, "/", js=False, lang="en")
    expect(shelf.locator("#h-inv")).to_be_visible()
    shelf.get_by_role("link", name="To the table").click()
    assert shelf.url.endswith(table.id)
    shelf.goto(room.url)
    shelf.get_by_role("button", name="Not now").click()
    expect(shelf.locator("#h-inv")).to_have_count(0)


def test_it_looks_well(room, post):
    gauvain, _ = post
    room.glance_at(gauvain, "/evening")


def test_nobody_is_put_at_a_rated_table_without_having_agreed(room):
    gauvain, yvain = room.guest("Gauvain"), room.guest("Yvain")
    pace = TimeControl.validated("post", each=7 * 86_400)
    counts = room.house.tables.create(gauvain, GAME, WITH_OPEN, public=True, hints=False, rated=True, pace=pace)
    found = find_seat(room.house, yvain, SearchWish(GAME, "post"))
    assert found is not counts
    assert counts.status == "waiting"
    room.house.archive.delete(gauvain, counts.id)
    room.house.archive.delete(yvain, found.id)
