"""Answers: a yes stands beside its no; what has popped up goes by Esc, by a click beside it, and when the game goes on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from veillee.games.takara_island import rules as ti
from veillee.house.tables.table import Table
from veillee.match.match import Match

pytestmark = pytest.mark.browser


def asked(room, step: type, seed: int = 7) -> tuple[object, Table]:
    """A table of Takara Island where the guest is asked this."""
    guest = room.guest()
    table = room.table(guest, "takara-island", 2, seed=seed)
    for _ in range(400):
        if isinstance(table.match.state.question, step):
            return guest, table
        room.advance(table, guest, 1)
    raise AssertionError("it never came")


def test_a_yes_stands_beside_its_no(room):
    guest, table = asked(room, ti.Forge)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    answers = page.locator("#answers button")
    expect(answers).to_have_text(["Rent the Sword (−3 Karas)", "Leave the Sword at the Forge"])
    expect(answers.first).to_have_class("answer")
    expect(answers.last).to_have_class("quiet-button")
    stamp = table.stamp(0)
    answers.first.click()
    expect(page.locator("input[name=stamp]").first).not_to_have_value(stamp)
    assert table.match.state.sword


def dig(match: Match, seat: int) -> int:
    """Digs where it can: adventurers are injured."""
    choices = match.choices(seat)
    return next((c.id for c in choices if c.verb == "work"), choices[0].id)


def test_the_prices_of_the_hospital_stand_beside_paying_for_nobody(room):
    guest = room.guest()
    for seed in range(7, 27):
        table = room.table(guest, "takara-island", 2, seed=seed)
        for _ in range(40):
            room.asked(table, [0])
            if isinstance(table.match.state.question, ti.Hospital) and len(table.match.choices(0)) == 3:
                break
            room.advance(table, guest, 1, dig)
        else:
            continue
        break
    page = room.page(guest, f"/t/{table.id}", lang="en")
    said = ["Care for 1 adventurer (−2 Karas)", "Care for 2 adventurers (−4 Karas)", "Pay for nobody"]
    expect(page.locator("#answers button")).to_have_text(said)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#answers button").filter(visible=True)).to_have_text(said[-1:])  # the prices are on the board
    expect(page.locator("#answers button").last).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1440, "height": 900})
    stamp = table.stamp(0)
    page.locator("#answers button").first.click()
    expect(page.locator("input[name=stamp]").first).not_to_have_value(stamp)


def test_what_has_popped_up_goes_again(room):
    guest, table = asked(room, ti.Act)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    for name in ("#why-not", "#ti-left"):
        box = page.locator(name)
        box.locator("summary").first.click()
        expect(box).to_have_attribute("open", "")
        page.keyboard.press("Escape")
        expect(box).not_to_have_attribute("open", "")
        box.locator("summary").first.click()
        page.mouse.click(5, 5)
        expect(box).not_to_have_attribute("open", "")
    page.locator("#ti-left summary").first.click()
    den = next(c.id for c in table.match.choices(0) if c.verb == "den")
    stamp = table.stamp(0)
    table.answer(guest, 0, stamp, [den])
    expect(page.locator("input[name=stamp]").first).not_to_have_value(stamp)
    expect(page.locator("#ti-left")).not_to_have_attribute("open", "")
