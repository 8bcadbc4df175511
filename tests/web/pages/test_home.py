"""The shelf: "Play now" is in view, and it says where somebody waits. The page of a box shows its board and a turn."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from helpers import some
from veillee.games.catalogue import BOXES
from veillee.house.tables.seats import SeatPlan

pytestmark = pytest.mark.browser
OURS = ("ghost-knights", "paper-tales", "takara-island", "tales-of-glory", "sourire-du-dragon")
WAITING = [SeatPlan("me"), SeatPlan("open")]


def visible_plays(page) -> list[bool]:
    boxes = [page.locator(f"#play-{BOXES[game].code}").bounding_box() for game in OURS]
    return [box["y"] + box["height"] <= page.viewport_size["height"] for box in boxes]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_play_now_is_in_view_whatever_waits(room, lang):
    guest, other = room.guest(), room.guest("Bob")
    page = room.page(None, "/", lang=lang)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.reload()
    assert all(visible_plays(page)), "a newcomer"
    room.leave(page)
    for game in OURS:
        room.table(guest, game, BOXES[game].players[0])
    for _ in range(4):
        room.house.tables.create(other, "paper-tales", WAITING, public=True)
    page = room.page(guest, "/", lang=lang)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.reload()
    assert all(visible_plays(page)), "with tables that wait"


def test_the_shelf_says_who_waits_where_and_leads_there(room):
    other, guest = room.guest("Bob"), room.guest()
    table = room.house.tables.create(other, "takara-island", WAITING, public=True)
    hidden = room.house.tables.create(other, "paper-tales", WAITING, public=False)
    for reader in (guest, None):
        page = room.page(reader, "/", lang="en", js=False)
        panel = page.get_by_role("region", name="Waiting for a player")
        assert not panel.locator(f"a[href='/t/{hidden.id}']").count(), "found by its link alone"
        expect(panel).to_contain_text("Bob")
        panel.locator(f"a.onward[href='/t/{table.id}']").click()
        assert page.url.endswith(f"/t/{table.id}")
        room.leave(page)
    page = room.page(other, "/", lang="en")
    assert not page.locator(f"[aria-labelledby=h-open] a[href='/t/{table.id}']").count(), (
        "one's own is not there to join"
    )
    assert page.get_by_role("region", name="Continue").get_by_text("1 empty chair").count() == 2
    room.leave(page)
    room.look_at(guest, "/")


@pytest.mark.parametrize("game", OURS)
def test_the_page_of_a_box_shows_its_board_and_a_turn(room, game):
    page = room.page(None, f"/games/{game}", lang="en", js=False)
    panel = page.get_by_role("region", name="How it plays")
    assert panel.locator("ol > li").count() >= 3
    panel.scroll_into_view_if_needed()
    drawn = page.frame_locator(".how iframe").locator("[data-part] *").filter(visible=True)
    expect(drawn.first).to_be_visible()
    assert drawn.count() > 20


@pytest.mark.parametrize("game", some(OURS))
def test_the_goal_stands_by_the_first_question_alone(room, game):
    guest = room.guest()
    table = room.table(guest, game, BOXES[game].players[0])
    room.asked(table, [0])
    page = room.page(guest, f"/t/{table.id}", lang="en")
    expect(page.locator("#goal")).to_have_text(BOXES[game].goal["en"])
    for _ in room.sizes(page):
        box = page.locator("#goal").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= page.viewport_size["width"]
    before = page.locator(".middle").bounding_box()
    room.move(page, table, 0)
    expect(page.locator("#goal")).to_have_count(0)
    assert page.locator(".middle").bounding_box()["y"] == before["y"], "the board does not move"
    page.reload()
    expect(page.locator("#goal")).to_have_count(0)
