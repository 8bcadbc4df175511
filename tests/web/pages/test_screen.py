"""The table on a big screen: public parts alone, also in a player's own browser, and live."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES
from veillee.house.tables.seats import SeatPlan

pytestmark = pytest.mark.browser


def html_of(room, path, guest=None):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies)


@pytest.mark.parametrize("game", list(BOXES))
def test_a_screen_shows_a_player_nothing_that_a_stranger_does_not_see(room, game):
    guest = room.guest()
    table = room.table(guest, game, BOXES[game].players[0])
    room.advance(table, guest, 3)
    screen = html_of(room, f"/t/{table.id}/screen", guest).text
    assert screen == html_of(room, f"/t/{table.id}/screen").text
    main = re.compile(r'<div class="middle">.*</main>', re.DOTALL)
    watched = html_of(room, f"/t/{table.id}").text
    without_side = [
        re.sub(r'<div class="side">.*', "", main.search(text)[0], flags=re.DOTALL) for text in (screen, watched)
    ]
    assert without_side[0] == without_side[1]
    assert f'data-live="/t/{table.id}/screen/stream?' in screen
    assert 'name="seat" value="-1"' in screen


def test_the_stream_of_a_screen_is_a_spectators(room):
    guest = room.guest()
    table = room.table(guest, "ghost-knights", 4)
    with httpx.Client(base_url=room.url, cookies={"guest": guest.token, "lang": "en"}, timeout=30) as client:
        told = []
        for path in ("screen/stream", "stream"):
            with client.stream("GET", f"/t/{table.id}/{path}") as stream:
                heard = b""
                for chunk in stream.iter_raw():
                    heard += chunk
                    if b"event: parts" in heard and heard.endswith(b"\n\n"):
                        break
                told.append(heard)
    screen, mine = told
    assert b'name="seat" value="0"' in mine
    assert b'name="seat" value="-1"' in screen


def test_a_screen_follows_the_game_and_brings_phones_to_the_table(room):
    guest = room.guest()
    table = room.table(guest, "takara-island", 2, [SeatPlan("me"), SeatPlan("hotseat", "Bob")])
    page = room.page(guest, f"/t/{table.id}", lang="en")
    page.get_by_role("link", name="Show this table on a big screen").click()
    expect(page).to_have_url(re.compile(f"/t/{table.id}/screen$"))
    expect(page.get_by_role("complementary", name="Join from a phone")).to_contain_text(f"/t/{table.id}")
    before = page.locator("#part-log").inner_text()
    room.advance(table, guest, 4)
    expect(page.locator("#part-log")).not_to_have_text(before, timeout=20_000)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        room.healthy(page)


def test_a_waiting_table_on_a_screen_says_how_to_join(room):
    guest = room.guest()
    table = room.table(guest, "takara-island", 2, [SeatPlan("me"), SeatPlan("open")])
    page = room.page(guest, f"/t/{table.id}/screen", lang="en")
    expect(page.get_by_role("complementary", name="Join from a phone")).to_be_visible()
    table.sit(room.guest("Bob"), 1)
    expect(page.locator("#part-log")).to_be_visible(timeout=20_000)


LINES = "[...document.querySelectorAll('#part-log [data-n]')].map(e => +e.dataset.n)"
BARE = """Object.defineProperty(window, "speechSynthesis", { value: undefined });
Object.defineProperty(window, "AudioContext", { value: undefined });
Document.prototype.startViewTransition = undefined;"""
SLEEP = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def family(room):
    guest = room.guest()
    return guest, room.table(guest, "takara-island", 2)


def play(room, table, guest, answers):
    for _ in range(answers):
        assert room.asked(table, [0]) == 0
        room.advance(table, guest, 1)
    room.asked(table, [0])


def is_present(room, page):
    """What a page shows is the present, every happening once: as on a page that is opened now."""
    fresh = room.page(None, page.url.removeprefix(room.url), lang="en")
    lines, board = fresh.evaluate(LINES), fresh.locator(".middle").inner_text()
    room.leave(fresh)
    page.wait_for_function(
        f"lines => JSON.stringify({LINES}.slice(0, lines.length)) === JSON.stringify(lines)", arg=lines
    )
    every = page.evaluate(LINES)
    assert len(every) == len(set(every)), "a happening is told twice"
    expect(page.locator("#link")).to_be_hidden()
    page.wait_for_function("board => document.querySelector('.middle').innerText === board", arg=board)


def test_a_screen_that_loses_its_stream_comes_back_to_the_present(room):
    guest, table = family(room)
    screen = room.page(None, f"/t/{table.id}/screen", lang="en")
    play(room, table, guest, 2)
    is_present(room, screen)
    screen.route("**/screen/stream?**", lambda route: route.abort())
    screen.evaluate(
        "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    )  # it asks for the stream anew
    expect(screen.locator("#link")).to_be_visible()
    play(room, table, guest, 4)
    screen.unroute_all()
    is_present(room, screen)
    play(room, table, guest, 2)
    is_present(room, screen)
    room.complaints.clear()  # the browser's word about the requests that were cut


NO_SCRIPT = re.compile("<noscript>.*?</noscript>", re.DOTALL)  # parts that are swapped in have none


def test_two_screens_show_the_same(room):
    guest, table = family(room)
    screens = [room.page(None, f"/t/{table.id}/screen", lang="en") for _ in range(2)]
    play(room, table, guest, 5)
    for screen in screens:
        is_present(room, screen)
    shown = [re.sub(NO_SCRIPT, "", screen.locator(".middle").inner_html()).split() for screen in screens]
    assert shown[0] == shown[1]
    assert not room.complaints, room.complaints


def test_a_phone_that_sleeps_wakes_to_the_present_and_the_screen_goes_on(room):
    guest, table = family(room)
    phone = room.page(guest, f"/t/{table.id}", lang="en", size="phone")
    screen = room.page(None, f"/t/{table.id}/screen", lang="en")
    phone.evaluate(SLEEP, True)
    play(room, table, guest, 5)
    is_present(room, screen)
    phone.evaluate(SLEEP, False)
    room.catch_up(phone, table, 0)
    lines = phone.evaluate(LINES)
    assert len(lines) == len(set(lines)), "a happening is told twice"
    room.move(phone, table, 0)  # and its player plays on
    is_present(room, screen)
    assert not room.complaints, room.complaints


def test_a_browser_without_speech_sound_and_transitions_plays_in_silence(room, chromium):
    guest, table = family(room)
    context = chromium.new_context()
    context.add_init_script(BARE)
    cookies = {"guest": guest.token, "lang": "en", "speed": "brisk", "sound": "on", "aloud": "on"}
    context.add_cookies([{"name": name, "value": value, "url": room.url} for name, value in cookies.items()])
    for path in (f"/t/{table.id}", f"/t/{table.id}/screen"):
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error, faults=faults: faults.append(str(error)))
        page.goto(room.url + path)
        play(room, table, guest, 3)
        if path.endswith("screen"):
            is_present(room, page)
        else:
            room.catch_up(page, table, 0)
        page.wait_for_function("() => !document.querySelector('.answered')")
        page.keyboard.press("q")  # reads aloud elsewhere
        assert not faults, faults
        page.close()
    context.close()
