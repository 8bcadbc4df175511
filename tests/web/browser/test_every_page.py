"""Every page: axe finds nothing and nothing scrolls sideways at 320, 390 and 1440 px in both lights; lobby, box, own corner."""

import httpx
import pytest
from playwright.sync_api import expect

from helpers import some
from veillee.games.catalogue import BOXES
from veillee.house.tables.seats import SeatPlan

pytestmark = pytest.mark.browser
GAME = "ghost-knights"
OPEN = [SeatPlan("me"), SeatPlan("open"), *[SeatPlan("bot", level="novice")] * 2]


@pytest.mark.parametrize("path", ["/", "/me", "/fair", "/api", "/nowhere", "/back/token", "/offline"])
def test_a_room_of_the_house_is_healthy(room, path):
    guest = room.guest("Anne-Charlotte de La Rochefoucault"[:30])
    room.table(guest, GAME, 4)
    room.house.tables.create(guest, GAME, OPEN)
    room.look_at(guest, path)


@pytest.mark.parametrize("game", list(BOXES))
def test_a_box_and_its_rulebook_are_healthy(room, game):
    room.look_at(room.guest(), f"/games/{game}")
    room.look_at(None, f"/rules/{game}")


def test_a_lobby_is_healthy(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4, OPEN)
    room.look_at(guest, f"/t/{table.id}")
    room.look_at(None, f"/t/{table.id}")  # the invited


def test_a_finished_table_and_its_replay_are_healthy(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    room.advance(table, guest, 3000)
    room.look_at(guest, f"/t/{table.id}")
    room.look_at(guest, f"/t/{table.id}/replay?at=5")


def test_a_curtain_is_healthy(room):
    guest = room.guest()
    plans = [SeatPlan("me"), SeatPlan("hotseat", "Léa"), *[SeatPlan("bot", level="novice")] * 2]
    table = room.table(guest, GAME, 4, plans)
    room.look_at(guest, f"/t/{table.id}")


def test_a_table_in_the_middle_of_a_choice_is_healthy(room):
    guest = room.guest()
    table = room.table(guest, GAME, 5)

    def choose(page):
        page.locator("#why-not summary").click()
        cards = page.locator("#part-hand input:enabled")
        if cards.count():
            cards.last.check(force=True)

    room.glance_at(guest, f"/t/{table.id}", choose)


# What cannot be seen when it is focused by the keyboard: out of view, under a bar that stays, clipped, or without a ring.
UNSEEN = """async () => {
  const unseen = [], frame = () => new Promise(done => requestAnimationFrame(done)), root = document.documentElement;
  const isRinged = e => { const s = getComputedStyle(e); return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2 || s.boxShadow !== "none"; };
  const isClipped = e => { while (e && getComputedStyle(e).clipPath === "none") e = e.parentElement; return !!e; };
  for (const e of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")) {
    if (!e.checkVisibility({ visibilityProperty: true }) || e.disabled || e.tabIndex < 0 || e.closest("[inert]")) continue;
    e.focus({ focusVisible: true });
    if (document.activeElement !== e) continue;
    await frame();
    const shown = e.closest("label") ?? e, r = shown.getClientRects()[0], near = [e, shown, e.parentElement, e.nextElementSibling, ...shown.children];
    const lid = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, r.x + r.width / 2)), Math.min(root.clientHeight - 1, Math.max(0, r.y + r.height / 2)));
    const fault = r.bottom < 0 || r.top > root.clientHeight ? "out of view" : isClipped(shown) ? "clipped"
      : lid && !shown.contains(lid) && !lid.contains(shown) && lid.closest(".bar, .desk, .top, #own") && !shown.closest(".bar, .desk, .top") ? "covered"
      : !near.filter(Boolean).some(isRinged) ? "without a ring" : "";
    if (fault) unseen.push(`${fault}: ${e.outerHTML.slice(0, 120)}`);
  }
  return unseen;
}"""


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_what_is_focused_by_the_keyboard_is_seen(room, size):
    guest = room.guest()
    live = room.table(guest, "takara-island", 2)
    paths = ["/", "/me", "/settings", "/evening", "/notices", "/day", "/games/takara-island", f"/t/{live.id}"]
    page = room.page(guest, "/fair", size=size)
    for path in paths:
        page.goto(room.url + path)
        assert page.evaluate(UNSEEN) == [], path


def test_from_the_shelf_to_the_first_move_in_two_clicks(room):
    page = room.page(None, "/")
    page.locator("#play-gk").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#part-prompt.you")).to_have_count(1)
    before = page.locator("#act [name=stamp]").get_attribute("value")
    page.locator("#do-draw, #do-pass, .target.now").first.click()
    expect(page.locator("#act [name=stamp]")).not_to_have_value(before)


@pytest.mark.parametrize("js", [True, False])
def test_a_link_is_an_invitation(room, js):
    """A friend follows it, sits down, and both pages are the table."""
    host = room.guest("Hôte")
    page = room.page(host, f"/games/{GAME}", js=js)
    page.locator("#seat-1").select_option("open")
    page.locator("#seat-4").select_option("none")
    page.locator("#set-table").click()
    page.wait_for_url("**/t/*")
    link = page.locator("#invitation").input_value()
    friend = room.page(None, link.removeprefix(room.url), js=js)
    friend.locator("#my-name").fill("Léa")
    friend.locator("#sit-down").click()
    expect(friend.locator("#act")).to_have_attribute("data-me", "1")
    if not js:
        page.reload()
    expect(page.locator("#part-board")).to_be_visible()
    expect(page.locator("#part-players")).to_contain_text("Léa")


def test_whoever_sits_down_last_keeps_the_seat_when_the_answer_is_slow(room):
    """The stream says that the match has begun before the answer brings the cookie: the page waits for the answer."""
    host = room.guest("Hôte")
    table = room.table(host, GAME, 4, OPEN)
    friend = room.page(None, f"/t/{table.id}")

    def late(route):
        answer = httpx.post(route.request.url, content=route.request.post_data, headers=route.request.headers)
        friend.wait_for_timeout(500)
        route.fulfill(status=answer.status_code, headers=dict(answer.headers), body=answer.content)

    friend.route("**/sit", late)
    friend.locator("#my-name").fill("Léa")
    friend.locator("#sit-1").click()
    expect(friend.locator("#act")).to_have_attribute("data-me", "1")


HEIGHTS = """async e => {
  const seen = [];
  for (let n = 0; n < 5; n++) { await new Promise(done => requestAnimationFrame(done)); seen.push(e.getBoundingClientRect().y); }
  return seen;
}"""
KINDS = """() => [...new Map([...document.querySelectorAll("main :is(button, a, label)")]
  .filter(e => e.getClientRects().length && !e.closest(".sr")).map((e, n) => { e.dataset.tried = n; return [e.tagName + e.className, n]; })).values()]"""


@pytest.mark.parametrize("game", [None, *some(BOXES, 1)])
def test_what_rises_stays_under_the_pointer(room, game):
    """At the lower edge of a control too: what falls from under the pointer would rise and fall without end."""
    guest = room.guest()
    path = f"/t/{room.table(guest, game, BOXES[game].players[0]).id}" if game else "/"
    page = room.page(guest, path)
    kinds = page.evaluate(KINDS)  # one control of each kind
    assert len(kinds) > 1
    for number in kinds:
        control = page.locator(f"[data-tried='{number}']")
        page.mouse.move(0, 0)
        control.scroll_into_view_if_needed()
        box = control.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 1.5)
        seen = control.evaluate(HEIGHTS)
        assert len(set(seen)) == 1, (seen, control.evaluate("e => e.outerHTML.slice(0, 200)"))


def test_somebody_who_leaves_is_replaced_and_comes_back(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4, [SeatPlan("me"), *[SeatPlan("hotseat", name) for name in "BCD"]])
    room.advance(table, guest, 14)
    page = room.page(guest, f"/t/{table.id}?as={table.match.to_act[0]}", lang="en")
    seat = int(page.locator("#act").get_attribute("data-me"))
    page.locator("button[formaction$='/leave']").click()
    expect(page.locator("#part-players")).to_contain_text("a bot plays")
    assert table.seats[seat].away
    said, newest = (
        page.locator(f"#part-log {li}").last.bounding_box() for li in (".house-lines li", "li[data-n] >> nth=0")
    )
    assert said["y"] + said["height"] <= newest["y"], "what the house says is not printed over the chronicle"
    page.goto(f"{room.url}/t/{table.id}")
    assert not room.complaints, room.complaints


def test_what_is_new_since_my_last_turn_is_marked(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    room.advance(table, guest, 1, lambda match, seat: match.choices(seat)[0].id)  # draws, and the others play
    page = room.page(guest, f"/t/{table.id}")
    new = page.locator("#part-log li.new").count()
    assert 0 < new < page.locator("#part-log li[data-n]").count()
    assert page.locator("#part-log li.since").count() == 1
