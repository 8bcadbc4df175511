"""The banner about the engine: visible during compilation, updated by itself, removed afterwards."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def quickening(room):
    yield room.house.quickening
    room.house.quickening._state = ""


def test_the_engine_is_compiled_while_a_page_is_open(room, quickening):
    guest = room.guest()
    table = room.table(guest, "ghost-knights", 4)
    quickening._state = "building"
    page = room.page(guest, f"/t/{table.id}")
    expect(page.locator("#engine")).to_contain_text("plus vite dans une minute")
    for _ in room.sizes(page):
        room.healthy(page)
    quickening._state, quickening._since = "changed", time.monotonic()
    expect(page.locator("#engine")).to_contain_text("à pleine vitesse")
    assert page.locator("#engine").get_attribute("data-news") == "changed"
    quickening._since = -1000.0
    page.reload()
    expect(page.locator("#engine")).to_have_count(0)


def test_the_shelf_says_it_too_and_without_javascript_the_next_page_does(room, quickening):
    quickening._state = "building"
    page = room.page(None, "/", js=False, lang="en")
    expect(page.locator("#engine")).to_contain_text("faster in a minute")
    quickening._state, quickening._since = "failed", time.monotonic()
    page.reload()
    expect(page.locator("#engine")).to_contain_text("could not be compiled")
