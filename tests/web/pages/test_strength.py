"""Adaptive bots on the pages: chosen by keyboard or without JavaScript, named at the seat, and explained to their host only."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import expect

from veillee.bots import strength_scale
from veillee.bots.levels import strength_of
from veillee.games.catalogue import BOXES
from veillee.house.storage.schema import measures
from veillee.house.tables.seats import SeatPlan

GAME = "ghost-knights"
PAGE = f"/games/{GAME}/measure"
OTHERS = [SeatPlan("bot", level="novice")] * 3


def known(room, guest):
    """As if the guest had given away in three games what lies between a novice and a regular."""
    for seed in range(3):
        table = room.table(guest, GAME, 4, [SeatPlan("me"), *OTHERS], seed)
        row = {"guest": guest.id, "table_id": table.id, "game": GAME, "ended": 1.0, "stakes": 1.0}
        novice, regular = strength_scale.marks(BOXES[GAME])[1:3]
        with room.house.store.writing() as db:
            db.execute(measures.insert().values(row | {"regret": (novice.ratio + regular.ratio) / 2}))


@pytest.mark.browser
def test_it_is_chosen_by_keyboard_told_at_the_seat_and_explained(room):
    guest = room.guest("Ada")
    known(room, guest)
    page = room.page(guest, f"/games/{GAME}", lang="en")
    expect(page.locator("#play-measure")).to_contain_text("between novice and regular")
    page.locator("#play-measure").focus()
    page.keyboard.press("Enter")
    mark = page.locator("#part-players .strength").first
    expect(mark).to_have_attribute("title", "bot, made to measure: between novice and regular")
    expect(page.locator("#part-players .player").nth(1)).to_contain_text("made to measure: between novice and regular")
    table = page.url
    mark.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#this-bot")).to_have_text("The bot at the table plays between novice and regular.")
    expect(page.locator(".mine th")).to_have_text("you")
    levels = ["random choices", "novice", "you", "regular", "expert"]
    expect(page.locator(".scale text")).to_have_text(levels)
    room.healthy(page)
    page.locator("#back-to-table").click()
    expect(page).to_have_url(table)
    assert not room.complaints, room.complaints


@pytest.mark.browser
def test_without_javascript_a_newcomer_sets_a_table_with_it(room):
    page = room.page(None, f"/games/{GAME}", js=False, lang="fr")
    expect(page.locator("#play-measure")).to_have_count(0)
    expect(page.locator(".measure")).to_contain_text("joue comme un habitué tant qu’il manque 3 analyses")
    page.locator("#seat-1").select_option("bot:measure")
    page.locator("#set-table").click()
    mark = page.locator("#part-players .strength").first
    expect(mark).to_have_attribute("title", "robot, sur mesure\u00a0: comme un habitué")


@pytest.mark.browser
def test_it_is_put_on_an_empty_chair(room):
    guest = room.guest("Ada")
    known(room, guest)
    table = room.table(guest, GAME, 4, [SeatPlan("me"), SeatPlan("open"), SeatPlan("open"), *OTHERS[:1]])
    page = room.page(guest, f"/t/{table.id}", js=False, lang="en")
    page.locator("#level-1").select_option("measure")
    page.locator("#bot-1").click()
    link = page.get_by_role("link", name="bot, made to measure: between novice and regular")
    expect(link).to_have_attribute("href", f"{PAGE}?bot={table.seats[1].level}")


@pytest.mark.parametrize(("size", "theme", "lang"), [("phone", "dark", "fr"), ("desktop", "dark", "en")])
@pytest.mark.browser
def test_the_page_is_healthy(room, size, theme, lang):
    guest = room.guest("Ada")
    room.healthy(room.page(guest, PAGE, size=size, theme=theme, lang=lang))


def get(room, path, guest=None, lang="en"):
    cookies = {"lang": lang} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies)


def test_ones_own_strength_is_ones_own(room):
    ada, eve = room.guest("Ada"), room.guest("Eve")
    known(room, ada)
    assert "plays about as well as you" in get(room, PAGE, ada).text
    for other in (None, eve):
        told = get(room, PAGE, other).text
        assert "plays about as well as you" not in told
        assert "until 3 more of your finished games" in told
        assert "/analysis" not in told


def test_in_the_lists_it_is_called_what_it_is(room):
    ada = room.guest("Ada")
    room.table(ada, GAME, 4, [SeatPlan("me"), SeatPlan("bot", level="measure-0.90"), *OTHERS[:2]])
    assert "1 bot (made to measure: between regular and expert)" in get(room, "/me", ada).text
    assert "1 robot (sur mesure\u00a0: entre habitué et expert)" in get(room, "/me", ada, "fr").text


def test_a_box_that_nobody_has_measured_offers_none(room, monkeypatch):
    strength_scale.marks.cache_clear()
    monkeypatch.setattr(strength_scale, "SCALE_FILE", "not-measured.json")
    try:
        assert get(room, PAGE).status_code == 404
        assert "bot:measure" not in get(room, f"/games/{GAME}").text
    finally:
        strength_scale.marks.cache_clear()


def test_it_is_refused_at_a_rated_table_with_a_sentence(room):
    guest = room.guest("Ada")
    data = {"seat.0": "me", "rated": "yes"} | {f"seat.{n}": "bot:measure" for n in (1, 2, 3)} | {"seat.4": "none"}
    cookies = {"guest": guest.token, "lang": "en"}
    told = httpx.post(f"{room.url}/games/{GAME}/tables", data=data, cookies=cookies, headers={"Origin": room.url})
    assert told.status_code == 422
    assert "does not play at rated tables" in told.text


def test_programs_ask_for_it_too(room):
    guest = room.guest("Ada")
    wish = {"game": GAME, "seats": [{"kind": "me"}, *[{"kind": "bot", "level": "measure"}] * 3]}
    headers = {"Authorization": f"Bearer {guest.token}"}
    told = httpx.post(f"{room.url}/api/tables", json=wish, headers=headers).json()
    assert [strength_of(seat["level"]) for seat in told["seats"][1:]] == [0.67] * 3
