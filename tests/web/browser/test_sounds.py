"""Sounds: off by default, one switch, remembered; each of them is audible, and none is too loud."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from veillee.house.tables.seats import SeatPlan

pytestmark = pytest.mark.browser
GAME = "sourire-du-dragon"
# Renders a sound into numbers: how loud at most, how loud on the whole, and how loud in its last tenth of a second.
HEARD = """async name => {
  const { SOUNDS } = await import([...document.scripts].find(s => s.src.includes("sounds.js")).src);
  const ctx = new OfflineAudioContext(1, 44100 * 2, 44100);
  const lasts = SOUNDS[name](ctx, ctx.destination, 0);
  const samples = (await ctx.startRendering()).getChannelData(0);
  const loud = (from, to) => { let most = 0; for (let n = from; n < to; n++) most = Math.max(most, Math.abs(samples[n])); return most; };
  return { lasts, peak: loud(0, samples.length), after: loud(Math.ceil((lasts + 0.1) * 44100), samples.length) };
}"""
COUNT = """() => {
window.contexts = 0;
const Real = window.AudioContext;
window.AudioContext = class extends Real { constructor() { super(); window.contexts++; } };
window.heard = [];
document.addEventListener("veillee:sound", e => window.heard.push(e.detail), true);
}"""


@pytest.mark.parametrize("name", ["card", "dice", "gain", "war", "turn", "end"])
def test_a_sound_is_heard_is_not_too_loud_and_ends(room, name):
    guest = room.guest()
    page = room.page(guest, f"/t/{room.table(guest, GAME, 2).id}")
    heard = page.evaluate(HEARD, name)
    assert 0.05 < heard["peak"] * 0.5 <= 1.0, heard  # LOUD
    assert heard["lasts"] < 2
    assert heard["after"] < 0.01


def test_sounds_are_off_until_wanted_and_the_switch_is_remembered(room):
    guest = room.guest()
    table = room.table(guest, GAME, 2)
    page = room.page(guest, f"/t/{table.id}", lang="en", speed="brisk", motion=True)
    page.evaluate(COUNT)
    switch = page.locator("#sound")
    expect(switch).not_to_be_checked()
    room.move(page, table, 0)
    assert page.evaluate("contexts") == 0, "nothing is made before it is wanted"
    page.wait_for_function("() => !document.querySelector('.answered')")
    page.locator("#to-settings").click()
    with page.expect_response("**/prefs"):
        page.get_by_role("switch", name="Sounds").check()
    page.keyboard.press("Escape")
    assert page.evaluate("heard")[:1] == ["turn"]  # so one knows how loud it is
    page.reload()
    expect(switch).to_be_checked()
    page.evaluate(COUNT)
    while "dice" not in page.evaluate("heard"):
        room.move(page, table, 0)
        page.wait_for_function("() => !document.querySelector('.answered')")
    assert page.evaluate("contexts") <= 1
    page.locator("#to-settings").click()
    with page.expect_response("**/prefs"):
        switch.uncheck()
    page.reload()
    expect(switch).not_to_be_checked()


def test_your_turn_and_the_end_are_heard(room):
    """The last turns of a game between two people, as one of them hears them."""
    ada, bob = room.guest("Ada"), room.guest("Bob")

    def play(table, until) -> None:
        while table.status == "playing" and not until(table.match):
            room.advance(table, (ada, bob)[table.match.to_act[0]], 1)

    def sit():
        table = room.table(ada, "takara-island", 2, [SeatPlan("me"), SeatPlan("open")])
        table.sit(bob, 1)
        return table

    whole, table = sit(), sit()  # of the same seed: the second goes as the first
    play(whole, lambda match: False)
    length = len(whole.match.answers)
    play(table, lambda match: len(match.answers) >= length - 25 and match.to_act == (0,))
    page = room.page(bob, f"/t/{table.id}", lang="en")
    page.context.add_cookies([{"name": "sound", "value": "on", "url": room.url}])
    page.reload()
    page.evaluate(COUNT)
    play(table, lambda match: match.to_act == (1,))
    assert table.status == "playing"
    page.wait_for_function("() => heard.includes('turn')")
    play(table, lambda match: False)
    page.wait_for_function("() => heard.includes('end')")
    assert page.evaluate("heard.filter(name => name === 'end').length") == 1


def test_without_javascript_there_is_no_switch(room):
    guest = room.guest()
    page = room.page(guest, f"/t/{room.table(guest, GAME, 2).id}", js=False)
    expect(page.locator("#sound")).to_be_hidden()
