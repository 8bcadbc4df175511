"""The rulebook beside the board: at the rule in question, searchable, and back to where one was; without JavaScript too."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from helpers import EVERYTHING
from veillee.games.catalogue import BOXES

GAME = "ghost-knights"
SIZES = {"desktop": (1280, 720), "phone": (390, 844)}
THEMES = {"desktop": "light", "phone": "dark"}
BOX = "e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; }"


def at_the_table(room, **how) -> Page:
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    page = room.page(guest, f"/t/{table.id}", lang="en", **how)
    if how.get("js", True):
        page.wait_for_function("document.querySelector('#rule-sheet .search:not([hidden])')")
    return page


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES)
def test_it_opens_at_the_rule_in_question_and_closing_leads_back(room, size):
    page = at_the_table(room)
    page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
    link = page.locator(".prompt .question a.rule")
    number = link.inner_text()
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rule-sheet .here")).to_be_focused()
    assert page.locator("#rule-sheet .here").get_attribute("id") == number
    expect(page.locator("#rule-sheet .here")).to_be_in_viewport()
    for theme in ("light", "dark") if EVERYTHING else (THEMES[size],):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        room.healthy(page)
    sheet = page.locator("#rule-sheet").evaluate(BOX)
    board = page.locator(".gk-board").evaluate(BOX)
    hand = page.locator("#part-hand").evaluate(BOX)
    if size == "desktop":
        assert max(board[2], hand[2]) <= sheet[0], "it stands beside the board and the hand"
    else:
        assert board[1] + 100 <= sheet[1], "one still sees where one is"
    page.keyboard.press("Escape")
    expect(page.locator("#rule-sheet")).to_be_hidden()
    expect(link).to_be_focused()


@pytest.mark.browser
def test_it_is_searched_and_its_own_links_are_followed_in_it(room):
    page = at_the_table(room)
    page.locator("#to-rules").click()  # no rule is named: the one that asks
    expect(page.locator("#rule-sheet .here")).to_have_id(page.locator(".prompt .question a.rule").inner_text())
    address = page.url
    page.locator("#rule-search").fill("  SCORING  Swórd ")
    shown = page.locator("#rule-sheet .book > p:visible")
    expect(page.locator("#rules-found")).to_have_text(f"Passages found: {shown.count()}")
    assert 0 < shown.count() < 8
    assert all("sword" in text.lower() and "scoring" in text.lower() for text in shown.all_inner_texts())
    page.locator("#rule-search").fill("no such word")
    expect(shown).to_have_count(0)
    room.healthy(page)
    page.locator("#rule-search").fill("overtakes")
    page.locator("#rule-search").fill("")
    page.locator("#GK-3\\.1 a.rule").first.click()
    expect(page.locator("#rule-sheet .here")).to_have_id("GK-6.2")
    assert page.url == address, "looking something up is no step of the journey"
    page.locator("#close-sheet").click()
    expect(page.locator("#to-rules")).to_be_focused()


@pytest.mark.browser
def test_one_may_play_on_while_it_is_open_and_the_focus_finds_its_way(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    page = room.page(guest, f"/t/{table.id}")
    page.locator(".prompt .question a.rule").click()
    expect(page.locator("#rule-sheet .here")).to_be_focused()
    before = table.stamp(0)
    room.move(page, table, 0)
    assert table.stamp(0) != before
    page.locator("#close-sheet").click()
    expect(page.locator(":focus")).to_have_count(1)  # the link is gone with its question: the same one, or the prompt
    assert page.evaluate("document.activeElement.closest('.prompt') !== null")


@pytest.mark.browser
def test_without_javascript_the_page_of_the_rules_leads_back_to_the_question(room):
    page = at_the_table(room, js=False, size="phone")
    table = page.url.partition("#")[0]
    page.locator(".prompt .question a.rule").click()
    assert page.url.endswith("#GK-2.1") or page.url.endswith("#GK-4.1")
    page.locator("#to-settings").click()
    page.get_by_role("radio", name="Français").check()
    page.locator(".settings .save").click()
    page.locator("#to-table").click()
    assert page.url == f"{table}#prompt"
    page.locator("#to-rules").click()
    page.locator("#to-table").click()
    assert page.url == f"{table}#prompt"


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example",
        "https://evil.example/t/2222-2222-2222",
        "/me",
        "/t/2222-2222-2222/leave",
        "javascript:alert(1)",
    ],
)
def test_the_way_back_leads_to_tables_of_this_house_alone(served, back):
    page = httpx.get(f"{served[0]}/rules/{GAME}", params={"back": back}).text
    assert "to-table" not in page
    foreign = httpx.get(f"{served[0]}/rules/{GAME}", headers={"Referer": "https://evil.example/t/2222-2222-2222"})
    assert foreign.status_code == 200
    assert "to-table" not in foreign.text


def test_a_way_back_keeps_the_seat_around_one_screen_and_the_moment_of_a_replay(served):
    for address in ("/t/2222-2222-2222?as=1", "/t/2222-2222-2222/replay?from=watch&at=12"):
        answer = httpx.get(
            f"{served[0]}/rules/{GAME}", headers={"Referer": f"{served[0]}{address}"}, follow_redirects=True
        )
        assert f'href="{address.replace("&", "&amp;")}#prompt"' in answer.text


@pytest.mark.parametrize("game", list(BOXES))
def test_every_box_has_a_sheet(served, game):
    text = httpx.get(f"{served[0]}/rules/{game}/sheet").text
    assert "<html" not in text
    assert f'id="{BOXES[game].code.upper()}-1.1"' in text
