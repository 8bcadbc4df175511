"""While a page is open its title and its icon count the tables that wait; a push message becomes a notification."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from veillee.house.tables.seats import SeatPlan
from veillee.web.rendering.templates import STATIC

pytestmark = pytest.mark.browser


@pytest.fixture
def waiting(room):
    """A table where it is Ada's turn."""
    for seed in range(20):
        ada, bob = room.guest("Ada"), room.guest("Bob")
        table = room.table(ada, "takara-island", 2, [SeatPlan("me"), SeatPlan("open")], seed)
        table.sit(bob, 1)
        if table.match.to_act == (0,):
            return ada, table
    raise AssertionError


def test_title_and_icon_count_the_tables_that_wait(room, waiting):
    ada, table = waiting
    page = room.page(ada, "/notices", lang="en")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    icon = page.locator("link[rel=icon][type='image/svg+xml']")
    assert icon.get_attribute("href") == "/icons/count/1.svg"
    room.healthy_at_every_size(page)
    table.answer(ada, 0, table.stamp(0), [table.match.choices(0)[0].id])
    page.reload()
    expect(page).to_have_title(re.compile(r"^Notifications"))
    assert not room.complaints


WORKER = """async said => {
  const heard = {}, shown = [], opened = [], location = new URL("https://house.test/sw.js");
  const addEventListener = (name, listen) => { heard[name] = listen; };
  const registration = { showNotification: async (title, { body, tag, data, actions }) => { shown.push(title, body, tag, data, actions); } };
  const clients = { matchAll: async () => [], openWindow: async url => { opened.push(String(url)); } };
  %s
  let done;
  const waitUntil = promise => { done = promise; };
  heard.push({ data: { json: () => said }, waitUntil });
  await done;
  for (const action of ["", "stop"]) {
    heard.notificationclick({ action, notification: { close() {}, data: shown[3] }, waitUntil });
    await done;
  }
  return [shown, opened];
}"""


def test_a_push_message_is_shown_with_a_way_to_the_table_and_to_not_again(chromium):
    """The service worker's own code, on an empty page: there is nowhere to show a notification here."""
    page = chromium.new_page()
    said = {"title": "Your turn", "body": "Bob waits for you.", "url": "https://house.test/t/x", "tag": "x"}
    said |= {"stop": "https://house.test/notices/stop/y", "no": "Not again"}
    shown, opened = page.evaluate(WORKER % (STATIC / "sw.js").read_text("utf-8"), said)
    assert shown[:3] == ["Your turn", "Bob waits for you.", "x"]
    assert shown[4] == [{"action": "stop", "title": "Not again"}]
    assert opened == [said["url"], said["stop"]]
    page.close()
