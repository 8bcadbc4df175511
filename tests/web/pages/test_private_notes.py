"""Private notes on the page of a table, and the way to the next table that waits."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from veillee.house.tables.seats import SeatPlan

pytestmark = pytest.mark.browser
GAME = "takara-island"


def company(room):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    table = room.table(ada, GAME, 2, [SeatPlan("me"), SeatPlan("open")])
    table.sit(bob, 1)
    return ada, bob, table


@pytest.mark.parametrize("js", [True, False])
def test_notes_are_kept_and_seen_by_their_owner_alone(room, js):
    ada, bob, table = company(room)
    page = room.page(ada, f"/t/{table.id}", lang="en", js=js)
    page.locator("#notes summary").press("Enter")
    page.get_by_role("textbox", name="Notes that only you see").fill("<b>the bat</b> is at site 2")
    page.get_by_role("button", name="Save", exact=True).last.press("Enter")
    if js:
        expect(page.locator("#notes-saved")).to_have_text("Saved")
        room.healthy(page)
    page.goto(f"{room.url}/t/{table.id}")
    expect(page.locator("#own-notes")).to_have_value("<b>the bat</b> is at site 2")
    for reader in (bob, room.guest("Eve"), None):
        other = room.page(reader, f"/t/{table.id}")
        assert "the bat" not in other.content()
        assert "the bat" not in room.page(reader, f"/t/{table.id}/screen").content()


def test_notes_save_themselves_while_one_writes_and_no_move_is_made(room):
    ada, _, table = company(room)
    page = room.page(ada, f"/t/{table.id}", lang="en")
    page.locator("#notes summary").click()
    page.locator("#own-notes").press_sequentially("u h 1 ? c")  # these are shortcuts elsewhere
    expect(page.locator("#notes-saved")).to_have_text("Saved")
    assert room.house.private_notes.load(ada, table.id) == "u h 1 ? c"
    assert not table.match.answers


def test_there_is_no_place_for_notes_on_a_shared_screen(room):
    ada = room.guest()
    table = room.table(ada, GAME, 2, [SeatPlan("me"), SeatPlan("hotseat", "Léa")])
    for seat in (0, 1):
        expect(room.page(ada, f"/t/{table.id}?as={seat}").locator("#notes")).to_have_count(0)


@pytest.mark.parametrize("js", [True, False])
def test_after_an_answer_one_goes_on_to_the_next_table_that_waits(room, js):
    ada, bob, table = company(room)
    while table.match.to_act != (1,):
        room.advance(table, ada, 1)
    elsewhere = room.table(ada, "sourire-du-dragon", 2)
    room.asked(elsewhere, [0])
    page = room.page(ada, f"/t/{table.id}", lang="en", js=js)
    onwards = page.locator(".next-table").filter(visible=True)
    expect(onwards).to_be_visible()
    if js:
        expect(onwards.locator("b")).to_have_text("1")
        room.healthy(page)
    onwards.click()
    assert page.url.endswith(f"/t/{elsewhere.id}")
    expect(onwards, "one is asked here").to_have_count(0)
    room.leave(page)
    page = room.page(bob, f"/t/{table.id}", lang="en", js=js)
    expect(onwards, "Bob is asked here").to_have_count(0)


def test_where_nothing_waits_the_way_leads_to_the_list(room):
    ada, _, table = company(room)
    page = room.page(ada, f"/t/{table.id}/next", lang="en", js=False)
    assert page.url.endswith("/me")
