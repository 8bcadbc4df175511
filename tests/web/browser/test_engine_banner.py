"""The banner about the engine: visible during compilation, updated by itself, removed afterwards."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def engine_upgrade(room):
    yield room.house.engine_upgrade
    room.house.engine_upgrade._state = ""


def test_the_engine_is_compiled_while_a_page_is_open(room, engine_upgrade):
    guest = room.guest()
    table = room.table(guest, "ghost-knights", 4)
    engine_upgrade._state = "building"
    page = room.page(guest, f"/t/{table.id}")
    expect(page.locator("#engine")).to_contain_text("plus vite dans une minute")
    room.healthy_at_every_size(page)
    engine_upgrade._state, engine_upgrade._since = "changed", time.monotonic()
    expect(page.locator("#engine")).to_contain_text("à pleine vitesse")
    assert page.locator("#engine").get_attribute("data-news") == "changed"
    engine_upgrade._since = -1000.0
    page.reload()
    expect(page.locator("#engine")).to_have_count(0)


def test_the_shelf_says_it_too_and_without_javascript_the_next_page_does(room, engine_upgrade):
    engine_upgrade._state = "building"
    page = room.page(None, "/", js=False, lang="en")
    expect(page.locator("#engine")).to_contain_text("faster in a minute")
    engine_upgrade._state, engine_upgrade._since = "failed", time.monotonic()
    page.reload()
    expect(page.locator("#engine")).to_contain_text("could not be compiled")
