"""The bubble of the talk in the header: a count, what was said just now, the panel in one press; on a telephone and a laptop."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from veillee.house.tables.seats import SeatPlan
from veillee.web.rendering.chat_messages import audience_of

pytestmark = pytest.mark.browser
SMALL = [(390, 844), (1280, 720)]


def company(room):
    ada, bob = room.guest("Ada"), room.guest("Bob")
    table = room.table(ada, "takara-island", 2, [SeatPlan("me"), SeatPlan("open")])
    table.sit(bob, 1)

    def say(words="", gesture=""):
        room.house.chat.say(bob, audience_of(table.moment), table.box, words, gesture)

    return ada, table, say


@pytest.mark.parametrize("size", SMALL)
def test_a_line_is_counted_and_shown_over_the_header_and_read_in_one_press(room, size):
    ada, table, say = company(room)
    page = room.page(ada, f"/t/{table.id}", lang="en")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    bubble, toast = page.locator("#to-talk"), page.locator("#talk-toast")
    expect(toast).to_be_hidden()
    say("Shall we begin?")
    expect(toast).to_have_text("Bob · Shall we begin?")
    expect(bubble).to_contain_text("1")
    assert bubble.evaluate("e => e.checkVisibility()")
    end, board = toast.bounding_box(), page.locator(".middle").bounding_box()
    assert end["y"] + end["height"] <= board["y"], "it never covers the board"
    room.accessible(page)
    say(gesture="luck")
    expect(toast).to_have_text("Bob · Good luck!")
    expect(bubble).to_contain_text("2")
    toast.click()
    expect(toast).to_be_hidden()
    expect(page.locator("#said li").last).to_be_in_viewport()
    expect(bubble.locator("[data-unread]")).to_be_hidden()
    room.accessible(page)
    page.keyboard.type("Yes")
    page.keyboard.press("Enter")
    expect(page.locator("#said li").last).to_contain_text("Yes")
    page.keyboard.press("Escape")
    expect(page.locator("#said")).to_be_hidden()
    assert page.evaluate("document.activeElement.id") == "to-talk"
    say("Then go")
    expect(toast).to_have_text("Bob · Then go")


def test_the_bubble_works_by_keyboard_and_says_how_much_is_unread(room):
    ada, table, say = company(room)
    say("One")
    say("Two")
    page = room.page(ada, f"/t/{table.id}", lang="fr", size="phone")
    expect(page.get_by_role("link", name="Discussion")).to_have_accessible_name("Discussion Non lus : 2")
    page.locator("#to-talk").press("Enter")
    expect(page.locator("#said li").last).to_be_in_viewport()
    page.locator("#to-talk").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_be_hidden()


def test_without_javascript_the_bubble_opens_the_panel(room):
    ada, table, say = company(room)
    say("One")
    page = room.page(ada, f"/t/{table.id}", lang="en", js=False, size="phone")
    page.locator("#to-talk").click()
    expect(page.locator("#said li").last).to_be_visible()


def test_there_is_no_bubble_without_people_to_talk_to(room):
    ada = room.guest()
    page = room.page(ada, f"/t/{room.table(ada, 'takara-island', 2).id}", lang="en")
    expect(page.locator("#to-talk")).to_have_count(0)
