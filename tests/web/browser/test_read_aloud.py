"""Read aloud: what happens and what is asked, by the browser's voice; off until wanted, and absent where there is no voice."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from helpers import some
from veillee.games.catalogue import BOXES

pytestmark = pytest.mark.browser
VOICE = """(() => {
  window.spoken = [];
  Object.defineProperty(window, "speechSynthesis", {
    configurable: true,
    value: { speak: u => window.spoken.push([u.lang, u.text]), cancel: () => window.spoken.push(["", "silence"]) },
  });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
})()"""
MUTE = """Object.defineProperty(window, "speechSynthesis", { configurable: true, value: undefined });"""


@pytest.fixture
def opened(room, chromium):
    """Opens a table in a browser with this voice."""
    context = chromium.new_context()

    def opened(guest, table, script):
        context.add_init_script(script)
        cookies = {"guest": guest.token, "lang": "en", "speed": "once"}
        context.add_cookies([{"name": name, "value": value, "url": room.url} for name, value in cookies.items()])
        page = context.new_page()
        page.goto(f"{room.url}/t/{table.id}")
        return page

    yield opened
    context.close()


def spoken(page):
    return [text for _, text in page.evaluate("window.spoken")]


@pytest.mark.parametrize("game", some(BOXES, 1))
def test_questions_and_happenings_are_read_in_every_box(room, opened, game):
    guest = room.guest()
    table = room.table(guest, game, BOXES[game].players[0])
    page = opened(guest, table, VOICE)
    assert spoken(page) == ["silence"], "off until wanted"
    page.locator("#to-settings").click()
    with page.expect_response("**/prefs"):
        page.get_by_role("switch", name="Read aloud").check()
    page.locator("#close-settings").click()
    question = page.locator("#prompt").inner_text()
    assert " ".join(question.split()) in spoken(page)
    assert page.evaluate("window.spoken.at(-1)[0]") == "en"
    before = len(spoken(page))
    room.advance(table, guest, 6)
    page.wait_for_function("n => window.spoken.length > n", arg=before)
    page.locator("#main").click(position={"x": 1, "y": 1})
    for key in "qlsr":
        heard = len(spoken(page))
        page.keyboard.press(key)
        assert len(spoken(page)) == heard + 2, "silence first, then what was asked for"
        assert spoken(page)[-1]
    page.reload()
    expect(page.locator("#aloud")).to_be_checked()
    page.locator("#to-settings").click()
    page.get_by_role("switch", name="Read aloud").uncheck()
    page.locator("#close-settings").click()
    heard = len(spoken(page))
    page.keyboard.press("q")
    assert len(spoken(page)) == heard


def test_without_a_voice_there_is_no_switch(room, opened):
    guest = room.guest()
    page = opened(guest, room.table(guest, "takara-island", 2), MUTE)
    page.locator("#to-settings").click()
    expect(page.get_by_role("switch", name="Sounds")).to_be_visible()
    expect(page.get_by_role("switch", name="Read aloud")).to_be_hidden()
