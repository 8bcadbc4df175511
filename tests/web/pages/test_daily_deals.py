"""The page of the deals of the day: what each reader sees, and that nothing of tomorrow's deal leaks."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES
from veillee.house import house_time
from veillee.house.results import daily_deals

pytestmark = pytest.mark.browser
GAME = "takara-island"


@pytest.fixture
def later(monkeypatch):
    """Days go by when the test says so."""
    gone = [timedelta()]

    def today(_):
        return (datetime.now(UTC) + gone[0]).date()

    monkeypatch.setattr(house_time, "today", today)
    return gone


def finished(room, name):
    guest = room.guest(name)
    table = room.house.daily_deals.open_table(guest, GAME)
    room.advance(table, guest, 3000)
    assert table.status == "over"
    return guest, table


def read(room, path, guest=None):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies, follow_redirects=True)


def begun(room):
    """Returns how many players have begun today's deals, as the page says: other tests play them, too."""
    return sum(int(told) for told in re.findall(r"(\d+) ha(?:s|ve) begun it", read(room, "/day").text))


def test_who_has_finished_sees_where_they_stand_and_nobody_else_before_the_day_is_over(room, later):
    before = begun(room)
    gauvain, his = finished(room, "Gauvain")
    yvain, _ = finished(room, "Yvain")
    assert begun(room) == before + 2
    for reader in (None, room.guest("Perceval")):
        page = read(room, "/day", reader).text
        assert "Gauvain" not in page
        assert his.id not in page
    page = read(room, "/day", yvain).text
    assert "Gauvain" in page
    assert f"/t/{his.id}/replay" in page
    assert "rank 1 of 2" in page  # they played alike
    seed = his.moment.row.seed.hex()
    assert seed not in page
    assert read(room, f"/t/{his.id}/record.json", gauvain).status_code == 409
    day = house_time.today(room.house.store.now)
    later[0] = timedelta(days=1)
    page = read(room, f"/day/{day}").text
    assert "Gauvain" in page
    assert seed in page
    assert read(room, f"/t/{his.id}/record.json").json()["seed"] == seed


def test_nothing_of_tomorrow_is_told_but_the_seals(room, later):
    read(room, "/day")
    day = house_time.today(room.house.store.now) + timedelta(days=1)
    ahead = daily_deals.load_deals(room.house.store, day)
    assert ahead.keys() == BOXES.keys()
    guest, table = finished(room, "Gauvain")
    paths = [
        "/day",
        f"/day/{day}",
        "/",
        f"/games/{GAME}",
        "/me",
        f"/t/{table.id}",
        f"/t/{table.id}/replay",
        "/api/games",
    ]
    texts = {path: read(room, path, guest) for path in paths}
    assert texts[f"/day/{day}"].status_code == 404
    for deal in ahead.values():
        assert deal.commitment in texts["/day"].text
        for answer in texts.values():
            assert deal.seed.hex() not in answer.text
            assert deal.seed not in answer.content
    later[0] = timedelta(days=1)
    tomorrow = room.house.daily_deals.open_table(guest, GAME)
    assert tomorrow.commitment == ahead[GAME].commitment, "what was sealed is what is played"


@pytest.mark.parametrize(
    "path", ["/day/0001-01-01", "/day/9999-12-31", "/day/20261117", "/day/soon", "/day/2026-13-45"]
)
def test_a_day_that_has_not_come_or_is_none(room, path):
    assert read(room, path).status_code == 404


def test_it_is_begun_and_gone_on_with_without_javascript(room):
    guest = room.guest("Enide")
    page = room.page(guest, "/day", js=False, lang="en")
    page.locator(f"#{GAME} button").click()
    expect(page.locator("#prompt")).to_be_visible()
    table = page.url
    page.goto(f"{room.url}/day")
    page.locator(f"#{GAME} button").get_by_text("Continue").click()
    expect(page).to_have_url(table)


def test_it_looks_well(room):
    guest, _ = finished(room, "Gauvain")
    room.glance_at(guest, "/day")


def test_the_days_in_a_row_are_counted_and_lead_back(room, later):
    guest, _ = finished(room, "Lunete")
    page = room.page(guest, "/day", lang="en")
    expect(page.locator(".streak")).to_have_text("1 day in a row")
    first = house_time.today(room.house.store.now)
    later[0] = timedelta(days=1)
    page.reload()
    expect(page.locator(".streak"), "today may still be played").to_have_text("1 day in a row")
    table = room.house.daily_deals.open_table(guest, GAME)
    page.reload()
    expect(page.locator(".streak")).to_have_text("2 days in a row")
    later[0] = timedelta(days=3)
    room.house.daily_deals.open_table(room.guest("Laudine"), GAME)  # the house was open: the deals of that day exist
    page.reload()
    assert table.id
    page.locator(f".calendar a[href='/day/{first}']").press("Enter")
    assert page.url.endswith(f"/day/{first}")
    room.look_at(guest, "/day")


def test_each_deal_shows_a_board(room):
    page = room.page(None, "/day", lang="en", js=False)
    expect(page.locator(".deal .seen iframe")).to_have_count(5)
    drawn = page.frame_locator(".deal .seen iframe >> nth=0").locator("[data-part] *").filter(visible=True)
    expect(drawn.first).to_be_visible()
