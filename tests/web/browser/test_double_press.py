"""A press counts for what was visible: parts that were swapped meanwhile do not turn it into another choice."""

import pytest

from veillee.games.paper_tales import rules as pt

pytestmark = pytest.mark.browser
COUNT = "window.sent = 0; document.addEventListener('submit', () => { sent += 1; }, true)"


def keeping(room):
    """A player who is to keep a card; the page, and the answers that the next packet does not offer."""
    guest = room.guest()
    table = room.table(guest, "paper-tales", 3)
    page = room.page(guest, f"/t/{table.id}")
    room.catch_up(page, table, 0)
    kinds = [{pt.KIND[card] for card in realm.packet} for realm in table.match.state.realms]
    mine = sorted(pt.KEEP + kind for kind in kinds[0] - kinds[1] - kinds[2])
    page.evaluate(COUNT)
    return table, page, mine


def kept(room, page, table, before):
    """Until the answer is given and the next packet is there."""
    room.answered(page, before)
    assert room.asked(table, [0]) == 0
    room.catch_up(page, table, 0)


def test_a_second_enter_keeps_no_card_of_the_next_packet(room):
    table, page, mine = keeping(room)
    before = table.stamp(0)
    page.locator(f"#do-{mine[0]}").press("Enter")
    kept(room, page, table, before)
    assert page.evaluate("document.activeElement.dataset.focus") == "home", "where one was, and on no card"
    page.keyboard.press("Enter")
    assert page.evaluate("sent") == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('[data-focus]').dataset.focus") == "home", (
        "and goes on from there"
    )


def test_a_key_that_is_held_is_pressed_once(room):
    table, page, mine = keeping(room)
    before = table.stamp(0)
    page.locator(f"#do-{mine[0]}").focus()
    page.keyboard.down("Enter")
    kept(room, page, table, before)
    page.locator(".pt-fan button").first.focus()
    page.keyboard.down("Enter")  # it has not been let go: the key repeats itself
    assert page.evaluate("sent") == 1
    page.keyboard.up("Enter")
    before = table.stamp(0)
    page.keyboard.press("Enter")
    room.answered(page, before)


def test_the_second_click_of_two_falls_on_no_other_card(room):
    table, page, mine = keeping(room)
    before = table.stamp(0)
    page.locator(f"#do-{mine[0]}").click()
    kept(room, page, table, before)
    page.locator(".pt-fan button").first.hover()
    for count in (2, 1):
        assert page.evaluate("sent") == 1
        before = table.stamp(0)
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
    room.answered(page, before)  # by the one that was a click of its own
