"""The settings: one panel on every page, a page without JavaScript, kept for the person, each with its effect."""

from __future__ import annotations

from itertools import cycle, product

import pytest
from playwright.sync_api import expect

from helpers import EVERYTHING
from veillee.house.tables.seats import SeatPlan

pytestmark = pytest.mark.browser
GAME = "takara-island"


PANELS = (("fr", False), ("en", True))


@pytest.mark.parametrize(("lang", "is_at_table"), list(product(("fr", "en"), (False, True))) if EVERYTHING else PANELS)
def test_the_panel_is_healthy_on_the_shelf_and_at_a_table(room, lang, is_at_table):
    guest = room.guest()
    page = room.page(guest, f"/t/{room.table(guest, GAME, 2).id}" if is_at_table else "/", lang=lang)
    for theme, _ in zip(cycle(("light", "dark")), room.sizes(page), strict=False):
        page.locator("#to-settings").click()
        expect(page.locator("#settings")).to_be_visible()
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        room.accessible(page)
        page.keyboard.press("Escape")
        expect(page.locator("#settings")).to_be_hidden()


def test_the_page_of_the_settings_is_healthy(room):
    room.look_at(room.guest(), "/settings")


def test_the_panel_works_by_keyboard_and_every_change_counts_at_once(room):
    page = room.page(None, "/", lang="en")
    page.locator("#to-settings").press("Enter")
    assert page.evaluate("document.activeElement.closest('dialog')?.id") == "settings"
    page.get_by_role("radio", name="Light").focus()
    with page.expect_response("**/prefs"):
        page.keyboard.press("ArrowRight")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    with page.expect_response("**/prefs"):
        page.get_by_role("radio", name="Like the device").check()
    assert page.locator("html").get_attribute("data-theme") is None
    page.get_by_role("switch", name="Less motion").focus()
    with page.expect_response("**/prefs"):
        page.keyboard.press("Space")
    assert page.evaluate("'still' in document.documentElement.dataset")
    with page.expect_navigation():
        page.get_by_role("radio", name="Français").click()  # check() would look at it on the page that is left
    assert page.locator("html").get_attribute("lang") == "fr"
    assert page.evaluate("'still' in document.documentElement.dataset")
    page.locator("#to-settings").click()
    page.mouse.click(5, 5)  # beside it
    expect(page.locator("#settings")).to_be_hidden()


def test_without_javascript_the_settings_are_a_page_that_leads_back(room):
    page = room.page(None, f"/rules/{GAME}", js=False)
    page.locator("#to-settings").click()
    page.get_by_role("radio", name="English").check()
    page.get_by_role("radio", name="Sombre").check()
    page.get_by_role("switch", name="Sons").check()
    page.get_by_role("switch", name="Raccourcis clavier").uncheck()
    page.get_by_role("button", name="Enregistrer").click()
    assert page.url.endswith(f"/rules/{GAME}")
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.locator("#to-settings").click()
    expect(page.get_by_role("switch", name="Sounds")).to_be_checked()
    expect(page.get_by_role("switch", name="Keyboard shortcuts")).not_to_be_checked()
    expect(page.get_by_role("switch", name="Ask before something is given up")).to_be_checked()


def test_my_tables_and_the_settings_stay_in_their_place(room):
    guest = room.guest("Anne-Charlotte de La Rochef")
    waiting = room.table(guest, GAME, 2, [SeatPlan("me"), SeatPlan("open")])
    page = room.page(guest, "/", lang="en")
    places = []
    for path in ("/", f"/games/{GAME}", "/me", "/day", "/notices", f"/rules/{GAME}", f"/t/{waiting.id}", "/fair"):
        page.goto(room.url + path)
        assert page.locator("#my-tables").inner_text() == "My tables"
        places.append(tuple(round(page.locator(one).bounding_box()["x"]) for one in ("#my-tables", "#to-settings")))
    assert len(set(places)) == 1, places


def test_a_player_who_wants_no_confirmation_is_asked_none(room):
    """Paper Tales: the card that is left in hand is discarded for good."""
    guest = room.guest()
    for wanted in ("on", "off"):
        table = room.table(guest, GAME, 2)
        seat = 0
        while not (risky := [c for c in table.match.choices(seat) if table.match.given_up(seat, [c.id], "en")]):
            room.advance(table, guest, 1)
            room.asked(table, [seat])
        page = room.page(guest, f"/t/{table.id}", lang="en")
        page.context.add_cookies([{"name": "confirm", "value": wanted, "url": room.url}])
        page.reload()
        before = len(table.match.answers)
        page.locator(f"button[form=act][name=a][value='{risky[0].id}']").first.click()
        if wanted == "on":
            expect(page.locator("#sure[open]")).to_be_visible()
            assert len(table.match.answers) == before
        else:
            page.wait_for_function("() => document.querySelector('.answered') || true")
            for _ in range(100):
                if len(table.match.answers) > before:
                    break
                page.wait_for_timeout(50)
            assert len(table.match.answers) > before
        room.leave(page)
