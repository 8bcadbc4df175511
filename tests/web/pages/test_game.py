"""The page of a box: a table with a friend in one click."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from veillee.games.catalogue import BOXES

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("start", "game"), [("shelf", next(iter(BOXES))), *(("box", game) for game in BOXES)])
def test_with_a_friend_opens_a_table_with_one_open_seat_and_its_link(room, game, start):
    box, guest = BOXES[game], room.guest()
    page = room.page(guest, "/" if start == "shelf" else f"/games/{game}", lang="en")
    page.locator(f"#friend-{box.code}" if start == "shelf" else "#with-friend").click()
    expect(page).to_have_url(re.compile(r"/t/[\w-]+$"))
    table = room.house.tables.find(page.url.rpartition("/")[2])
    kinds = [seat.kind for seat in table.seats]
    assert kinds[:2] == ["person", "open"]
    assert set(kinds[2:]) <= {"bot"}
    assert len(kinds) == max(2, box.players[0])
    assert not table.moment.row.public
    expect(page.locator("#invitation")).to_have_value(re.compile(f"/t/{table.id}$"))
    expect(page.locator("#part-lobby .seal-code")).to_be_visible()
    table.sit(room.guest("Bob"), 1)
    expect(page.locator("#act, #part-prompt").first).to_be_attached()  # after the page has opened its contribution
    assert table.status == "playing"
