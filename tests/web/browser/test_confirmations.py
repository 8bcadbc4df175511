"""Confirmations, tooltips, refusals, and the end of a game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.content import UNITS

pytestmark = pytest.mark.browser


def until(room, table, guest, step) -> None:
    """Answer for the guest until that question comes."""
    while not isinstance(table.match.state.question, step):
        room.advance(table, guest, 1)


@pytest.mark.parametrize("js", [True, False])
def test_a_hand_is_not_thrown_away_by_accident(room, js):
    """ "Deploy!" with nothing placed; without JavaScript, the last card of a hand of which none was placed."""
    guest = room.guest()
    table = room.table(guest, "paper-tales", 3)
    until(room, table, guest, pt.Deploy)
    hand = [pt.KIND[card] for card in table.match.state.realms[0].hand]
    if not js:
        table.answer(guest, 0, table.stamp(0), [pt.DEPLOY + pt.GONE] * (len(hand) - 1))
    page = room.page(guest, f"/t/{table.id}", js=js)
    press = "#deploy" if js else f"button[name=a][value='{pt.DEPLOY + pt.GONE}']"
    before = list(table.match.answers)
    page.locator(press).first.click()
    expect(page.locator("#sure")).to_be_visible()
    for kind in hand:
        expect(page.locator("#sure")).to_contain_text(UNITS[kind].name["fr"])
    if js:
        room.healthy(page, within="#sure")
    page.locator("#sure-no").click()
    expect(page.locator("#sure")).to_be_hidden()
    assert table.match.answers == before
    stamp = table.stamp(0)
    page.locator(press).first.click()
    page.locator("#sure-yes").click()
    expect(page.locator("#sure")).to_be_hidden()
    expect(page.locator("#act [name=stamp]")).not_to_have_value(stamp)
    expect(page.locator("#part-players .active.s0, #part-prompt.you").first).to_be_visible()
    assert len(table.match.answers) > len(before)
    assert not room.complaints, room.complaints


def test_a_place_may_be_chosen_before_the_card(room):
    guest = room.guest()
    table = room.table(guest, "ghost-knights", 4)
    page = room.page(guest, f"/t/{table.id}")
    before = table.stamp(0)
    page.locator("#do-d3").click()
    expect(page.locator("#do-d3.held[aria-pressed=true]")).to_be_visible()
    assert table.stamp(0) == before
    page.locator("#part-hand label:not(.black) input:enabled").first.check(force=True)
    room.answered(page, before)
    expect(page.locator("#part-log li", has_text=re.compile("dolmen IV")).first).to_be_visible()


def test_a_row_may_be_touched_before_the_card_and_its_marks_say_what_they_are(room):
    guest = room.guest()
    table = room.table(guest, "paper-tales", 3)
    until(room, table, guest, pt.Deploy)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    page.locator(".pt-zone.back h3").click()
    page.locator("#thing-0 .pt-card").click()
    expect(page.locator(".pt-zone.back #thing-0")).to_be_visible()
    expect(page.locator("#where-0-back")).to_be_checked()
    page.locator("#where-0-back").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#where-0-front")).to_be_checked()
    expect(page.locator("#tip")).to_have_text("In front")
    page.locator("#where-0-save").hover()
    expect(page.locator("#tip")).to_have_text("Save")


def beside(page, thing) -> bool:
    """Is the tip in the window, and not far from the thing?"""
    tip, at = page.locator("#tip").bounding_box(), thing.bounding_box()
    size = page.viewport_size
    inside = (
        tip["x"] >= 0
        and tip["y"] >= 0
        and tip["x"] + tip["width"] <= size["width"]
        and tip["y"] + tip["height"] <= size["height"]
    )
    near = abs(tip["y"] + tip["height"] / 2 - at["y"] - at["height"] / 2) < (tip["height"] + at["height"]) / 2 + 40
    return inside and near


@pytest.mark.parametrize("size", ["desktop", "small"])
def test_a_refusal_is_seen_once_beside_what_was_pressed(room, size):
    guest = room.guest()
    table = room.table(guest, "takara-island", 3)
    page = room.page(guest, f"/t/{table.id}", size=size)
    closed = page.locator("#part-island .no[aria-disabled=true]").first
    closed.click(force=True)
    expect(page.locator("#tip.bad")).to_be_visible()
    assert beside(page, closed)
    said = page.locator("#oops").inner_text()
    assert page.locator("#tip").inner_text().strip() == said.strip()
    assert re.search(r"TI-\d", said)
    expect(page.locator("#oops")).to_have_css("clip-path", "inset(50%)")  # seen once; there for those who listen
    page.route("**/act", lambda route: route.abort())
    open_ = page.locator("#part-island button[form=act]:not([aria-disabled])").first
    open_.click()
    expect(page.locator("#oops")).to_contain_text("injoignable")
    expect(page.locator("#tip.bad")).to_contain_text("injoignable")
    assert beside(page, open_)
    room.complaints.clear()  # the browser complains about the line that was cut


def test_signs_say_what_they_are(room):
    """On hover, on focus, on a long press; a tile opens large."""
    guest = room.guest()
    table = room.table(guest, "tales-of-glory", 3)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    tip = page.locator("#tip")
    slot = page.locator(".tg-slot .tg-glide").first
    slot.hover()
    expect(tip.locator(".tg-tile")).to_be_visible()
    assert tip.locator(".tg-tile").bounding_box()["width"] > 190
    expect(tip).to_contain_text("Connectors:")
    page.mouse.move(2, 2)
    expect(tip).to_be_hidden()
    page.locator("#part-zone [tabindex]").first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(tip).to_contain_text("Hero")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    before = table.stamp(0)
    button = page.locator(".tg-slot button").first
    at = button.bounding_box()
    finger = {"pointerType": "touch", "bubbles": True, "clientX": at["x"] + 9, "clientY": at["y"] + 9}
    button.dispatch_event("pointerdown", finger)
    expect(tip).to_be_visible()
    button.dispatch_event("pointerup", finger)
    button.dispatch_event("click", {"bubbles": True})
    page.wait_for_timeout(200)
    assert table.stamp(0) == before, "a long press chooses nothing"


def test_the_ending_says_who_won_and_what_next_and_the_board_is_still_there(room):
    guest = room.guest()
    table = room.table(guest, "ghost-knights", 4)
    while table.status == "playing":
        room.advance(table, guest, 1)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    for _ in room.sizes(page):
        for part in ("#prompt", "#part-prompt .place", "#rematch", "#look-back", "#share", "#part-board"):
            expect(page.locator(part)).to_be_in_viewport()
    place = 1 + sum(
        len(group)
        for group in table.match.ranking[: next(i for i, group in enumerate(table.match.ranking) if 0 in group)]
    )
    expect(page.locator("#part-prompt .place")).to_contain_text(f"Your place: {place} of 4.")
    page.locator("#share summary").click()
    assert page.locator("#invitation").input_value() == f"{room.url}/t/{table.id}/replay"
    room.healthy(page)
