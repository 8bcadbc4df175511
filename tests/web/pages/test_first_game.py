"""A guided first game is learned by playing it: on a telephone by its keys, without JavaScript by its forms, to the end."""

from __future__ import annotations

import re
from html import unescape
from itertools import cycle, product

import httpx
import pytest
from playwright.sync_api import Page, expect

from helpers import EVERYTHING
from veillee.games.catalogue import BOXES
from veillee.games.first_game import FirstGame, first_game
from veillee.house.accounts.guest import Guest
from veillee.house.house import House
from veillee.house.tables.table import Table
from veillee.words import LANGUAGES, tied

GUIDED = [box.id for box in BOXES.values() if first_game(box) is not None]
BY_KEYS = list(product(GUIDED, LANGUAGES)) if EVERYTHING else [("ghost-knights", "fr")]  # the shortest
BY_FORMS = list(product(GUIDED, LANGUAGES)) if EVERYTHING else list(zip(GUIDED, cycle(LANGUAGES), strict=False))
FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def script(game: str) -> FirstGame:
    found = first_game(BOXES[game])
    assert found is not None
    return found


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split(" "))


# -- without JavaScript ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "lang"), BY_FORMS)
def test_it_is_finished_without_javascript_by_doing_what_it_proposes(served, game, lang):
    """And each of its notes is read above the board on the way."""
    url, house = served
    with httpx.Client(base_url=url, headers={"Origin": url}, cookies={"lang": lang}, follow_redirects=True) as client:
        answer = client.post(f"/games/{game}/first")
        table: Table = house.tables.find(answer.url.path.rpartition("/")[2])
        read = ""
        while 'id="guide-try"' in answer.text:
            read += plain(answer.text)
            form = answer.text.partition('id="guide-try"')[2].partition("</form>")[0]
            answer = client.post(f"/t/{table.id}/act", data=dict(FIELD.findall(form)))
            assert answer.status_code == 200
        read += plain(answer.text)
    assert table.status == "over"
    missing = [note for note in script(game).notes if tied(note.text[lang]) not in read]
    assert not missing, f"{game}: nobody reads {missing}"


# -- in a browser -----------------------------------------------------------------------------------------------------------
def begin(room, game: str, **how: str) -> tuple[Guest, Page, Table]:
    guest = room.guest()
    page = room.page(guest, f"/games/{game}", **how)
    page.locator("#first-game").press("Enter")
    page.wait_for_url("**/t/*")
    expect(page.locator("#now.noting")).to_be_visible()
    return guest, page, room.house.tables.find(page.url.rpartition("/")[2])


NOTING = "document.querySelector('#now.noting:not([hidden])')"
ASKED = "document.getElementById('now').hidden && document.querySelector('.prompt.you, #part-final .account')"
STAMP = "document.querySelector('#act [name=stamp]').value"


WHOLE = """() => { const r = document.getElementById("now").getBoundingClientRect();
return r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth; }"""


def read_notes(page: Page, before: str = "") -> list[str]:
    """Go on from note to note by the keyboard alone, until the page shows a question; another one than that before."""
    told = []
    while True:
        page.wait_for_function(f"old => {NOTING} || ({ASKED} && {STAMP} !== old)", arg=before)
        if not page.evaluate(f"!!{NOTING}"):
            return told
        said = page.locator("#now .told").inner_text()
        told.append(said)
        assert page.evaluate("document.activeElement.id") == "go-on"
        assert page.evaluate(WHOLE), f"a note is cut by the edge of the window: {said}"
        page.keyboard.press("Enter")
        page.wait_for_function(
            f"said => !{NOTING} || document.querySelector('#now .told').innerText !== said", arg=said
        )


# Every time that parts are put in place: is something proposed that the board does not show? Whatever comes later (a bot's
# answer) marks the board once more, and would hide it.
WATCH = """() => { window.unmarked = [];
document.querySelector("[data-live]").addEventListener("veillee:swapped", () => queueMicrotask(() => {
  if (document.querySelector("#guide-try") && !document.querySelector(".middle .proposed"))
    unmarked.push(document.getElementById("proposal").innerText);
})); }"""


@pytest.mark.browser
@pytest.mark.parametrize(("game", "lang"), BY_KEYS)
def test_it_is_finished_on_a_telephone_by_the_keyboard(room, game, lang):
    _, page, table = begin(room, game, size="phone", lang=lang)
    page.evaluate(WATCH)
    first, told = script(game), read_notes(page)
    while table.status == "playing":
        before = page.evaluate(STAMP)
        things = page.locator(".middle .proposed")
        expect(things, "the board shows what is proposed").not_to_have_count(0)
        one = things.first.locator("xpath=self::button")
        if things.count() == 1 and one.count():
            one.focus()  # on the thing itself
            page.keyboard.press("Enter")
            page.wait_for_function(
                f"old => {STAMP} !== old || document.querySelector('#sure[open]') || {NOTING}", arg=before
            )
            if page.locator("#sure[open]").count():  # what it throws away is asked about
                page.locator("#sure-yes").press("Enter")
        else:
            page.locator("#do-try").press("Enter")
        told += read_notes(page, before)
    expect(page.locator("#part-final .account")).to_have_count(first.seats)
    assert page.evaluate("unmarked") == []
    flat = " ".join(" ".join(told).split())
    assert [note for note in first.notes if " ".join(note.text[lang].split()) not in flat] == []


@pytest.mark.browser
def test_it_can_be_left_in_the_middle_and_the_game_goes_on(room):
    guest, page, table = begin(room, "sourire-du-dragon")
    read_notes(page)
    before = page.evaluate(STAMP)
    page.locator("#do-try").click()
    read_notes(page, before)
    page.locator("#unguide").click()
    expect(page.locator("#part-guide")).to_be_hidden()
    expect(page.locator(".proposed")).to_have_count(0)
    assert table.moment.row.guide == "left"
    room.move(page, table, 0)
    expect(page.locator("#now.noting")).to_be_hidden()
    assert room.asked(table, [0]) == 0
    room.advance(table, guest, 1000)
    expect(page.locator("#part-final .account")).to_have_count(2)
    page.reload()
    expect(page.locator("#part-guide")).to_be_hidden()


@pytest.mark.browser
def test_a_second_enter_on_what_is_proposed_does_not_leave_the_guide(room, monkeypatch):
    """While the bots think nothing is proposed, and the way out is all that the guide offers."""
    monkeypatch.setattr(Table, "bots_asked", lambda _: [])
    _, page, _ = begin(room, "paper-tales")
    read_notes(page)
    page.locator("#do-try").press("Enter")
    expect(page.locator("#do-try")).to_have_count(0)
    expect(page.locator("#unguide")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "part-guide", "not on the way out"


@pytest.mark.browser
def test_a_note_that_was_read_can_be_read_again_and_is_not_told_to_others(room):
    guest, page, table = begin(room, "ghost-knights", size="phone")
    told = read_notes(page)
    assert len(told) >= 3, "what the game is about, what one sees, what one is asked"
    page.reload()
    page.wait_for_function("document.documentElement.classList.contains('js')")
    expect(page.locator("#now")).to_be_hidden()  # they were read before
    page.locator("#note-again").press("Enter")
    expect(page.locator("#now.noting")).to_be_visible()
    assert read_notes(page) == told
    stranger = room.page(room.guest("Bob"), f"/t/{table.id}")
    expect(stranger.locator("#part-guide")).to_be_hidden()
    assert table.box.id in GUIDED
    assert guest.id in [seat.guest for seat in table.seats]


@pytest.mark.browser
@pytest.mark.parametrize("game", GUIDED if EVERYTHING else GUIDED[::3])
def test_the_guide_is_healthy_on_wide_and_small_screens_in_both_lights(room, game):
    """The note and the guide; the boards have tests of their own."""
    _, page, _ = begin(room, game)

    def look(within: str) -> None:
        for width, height, theme in ((1440, 900, "light"), (320, 640, "dark")):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            expect(page.locator(within)).to_be_in_viewport()
            room.healthy(page, within=within)

    look("#now")
    read_notes(page)
    look("#part-guide")


@pytest.mark.browser
@pytest.mark.parametrize("size", ["desktop", "phone"] if EVERYTHING else ["phone"])
def test_one_step_has_one_spotlight_and_one_button_and_nothing_is_said_twice(room, size):
    _, page, table = begin(room, "paper-tales", size=size, lang="en")
    visible = "e => e.checkVisibility({ visibilityProperty: true })"
    said = page.locator("#now .told").inner_text()
    assert not page.locator("#part-guide").evaluate(visible), "while a note is read, the guide waits"
    expect(page.locator("#now button").filter(visible=True)).to_have_count(1)
    expect(page.get_by_role("button", name="Got it")).to_be_visible()
    lit = page.locator(".proposed").first.evaluate("e => getComputedStyle(e).outlineStyle")
    assert lit == "none", "the spotlight comes when the note has been read"
    read_notes(page)
    assert page.locator("#part-guide").evaluate(visible)
    assert said not in page.locator("#part-guide").inner_text()
    cut = "e => e.scrollHeight > e.clientHeight + 1"
    assert not page.locator("#part-guide").evaluate(cut)
    while table.status == "playing" and len(table.match.answers) < 60:
        before = page.evaluate(STAMP)
        expect(page.locator(".proposed")).to_have_count(1)
        given = sum(seat == 0 for seat, _ in table.match.answers)
        page.locator("#do-try").click()
        read_notes(page, before)
        assert sum(seat == 0 for seat, _ in table.match.answers) == given + 1, "it plays one answer"


def test_a_box_that_is_not_there_has_no_first_game(served: tuple[str, House]):
    url, _ = served
    assert httpx.post(f"{url}/games/no-such-game/first", headers={"Origin": url}).status_code == 404
