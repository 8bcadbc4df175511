"""Single keys at a table: a digit leads to an answer and Enter gives it, a sheet lists them, and they can be switched off."""

from __future__ import annotations

from itertools import product
from statistics import median

import pytest
from playwright.sync_api import expect

from helpers import EVERYTHING
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


GAMES = list(product(BOXES, ("fr", "en"))) if EVERYTHING else [("ghost-knights", "fr")]
MEDIAN, MOST = 3, 400  # keys an answer; answers of a player
# The buttons that answer the question, in the order in which digits lead to them; then the buttons of its form.
OFFERED = """() => {
  const isShown = e => e.getClientRects().length > 0 && !e.disabled && e.ariaDisabled !== "true" && !e.closest("[inert], dialog:not([open])");
  const all = [...document.querySelectorAll("button[form=act], #act button")].filter(e => isShown(e) && !e.formAction.endsWith("/undo") && e.id !== "undo");
  const single = all.filter(e => e.name === "a");
  return [single.map(e => e.id), all.filter(e => e.name !== "a" && !e.hasAttribute("formaction")).map(e => e.id)];
}"""


def give(page, answers: int) -> int:
    """Give an answer by keys alone, another one each time; how many keys it took."""
    keys = 0

    def press(key: str) -> None:
        nonlocal keys
        keys += 1
        page.keyboard.press(key)

    single, others = page.evaluate(OFFERED)
    wanted = single[answers % len(single)] if single else others[0]
    number = single.index(wanted) if single else -1
    press(str(min(number, 8) + 1) if number >= 0 else "c")
    while page.evaluate("document.activeElement.id") != wanted:
        assert keys < 120, f"{wanted} is out of reach"
        press("Tab")
    press("Enter")
    return keys


@pytest.mark.parametrize(("game", "lang"), GAMES)
def test_a_whole_game_is_played_by_keys_alone(room, game, lang):
    guest = room.guest()
    table = room.table(guest, game, BOXES[game].players[0])
    page = room.page(guest, f"/t/{table.id}", lang=lang)
    (seat,) = table.seats_of(guest)
    pressed = []
    while room.asked(table, [seat]) is not None:
        assert len(pressed) < MOST, "the game does not end"
        room.catch_up(page, table, seat)
        page.wait_for_function("() => !document.querySelector('.answered')")
        stamp = table.stamp(seat)
        keys = give(page, len(table.match.answers))
        sure = "stamp => document.querySelector('#act [name=stamp]')?.value !== stamp || document.getElementById('sure').open"
        page.wait_for_function(sure, arg=stamp)
        while page.locator("#sure[open]").count():
            keys += 1
            page.keyboard.press("Enter" if page.evaluate("document.activeElement.id") == "sure-yes" else "Tab")
        page.wait_for_function(sure, arg=stamp)
        pressed.append(keys)
    assert table.status == "over"
    assert median(pressed) <= MEDIAN, pressed
    assert not room.complaints, room.complaints
