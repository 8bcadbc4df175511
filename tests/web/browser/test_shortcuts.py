"""Single keys at a table: a digit leads to an answer and Enter gives it, a sheet lists them, and they can be switched off."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES

pytestmark = pytest.mark.browser
ON_ANSWER = "document.activeElement.matches('button[name=a]')"


@pytest.mark.parametrize("game", list(BOXES))
def test_a_digit_leads_to_an_answer_and_enter_gives_it(room, game):
    guest = room.guest()
    table = room.table(guest, game, BOXES[game].players[0])
    page = room.page(guest, f"/t/{table.id}", lang="en")
    if not page.locator("button[form=act][name=a], #act button[name=a]").filter(visible=True).count():
        pytest.skip("this question is answered on a form")
    before = len(table.match.answers)
    page.keyboard.press("1")
    assert page.evaluate(ON_ANSWER)
    assert len(table.match.answers) == before, "nothing is chosen unread"
    page.keyboard.press("Enter")
    for _ in range(200):
        if len(table.match.answers) > before:
            break
        if page.locator("#sure[open] #sure-yes").is_visible():  # an answer that gives something up is asked about
            page.locator("#sure-yes").click()
        page.wait_for_timeout(50)
    assert len(table.match.answers) > before


def test_the_keys_are_listed_and_can_be_switched_off(room):
    guest = room.guest()
    table = room.table(guest, "takara-island", 2)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    room.healthy(page)
    page.get_by_role("switch", name="Use these keys").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("1")
    assert not page.evaluate(ON_ANSWER)
    page.reload()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_hidden()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("switch", name="Use these keys").check()
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    assert page.evaluate(ON_ANSWER)
