"""Replay: step by step without loading the page, by button, key, slider, line of the chronicle and address."""

import json
import re

import httpx
import pytest
from playwright.sync_api import expect

from helpers import EVERYTHING
from veillee.games.catalogue import BOXES
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.log import NO_SEAT
from veillee.web.rendering.table_parts import Audience, replay_parts

pytestmark = pytest.mark.browser
GAME = "ghost-knights"
FRIENDS = [SeatPlan("hotseat", name) for name in ("Bran", "Cléo", "Denis", "Enora")]


@pytest.fixture
def over(room):
    """A finished game of friends around one screen."""
    guest = room.guest()
    table = room.table(guest, GAME, 4, [SeatPlan("me"), *FRIENDS[:3]])
    room.advance(table, guest, 3000)
    assert table.status == "over"
    return guest, table


def loads(page):
    """The pages that the window loads from now on; a picture in the rulebook's sheet has a frame of its own."""
    found = []

    def note(request):
        if request.is_navigation_request() and request.frame == page.main_frame:
            found.append(request.url)

    page.on("request", note)
    return found


def at(page):
    return int(page.locator("#replay").get_attribute("data-at"))


def arrived(page, n):
    """Until the board of that moment stands there; the bar tells the same."""
    expect(page.locator("#replay")).to_have_attribute("data-at", str(n))
    expect(page.locator("#at")).to_have_value(str(n))
    expect(page.locator("#replay-place")).to_contain_text(re.compile(rf"\b{n}\b"))


def board(page):
    """What stands on the page, part by part."""
    return page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.middle [data-part], .players')].map(e => [e.id, e.outerHTML]))"
    )


def as_drawn(page, table, n, seat=NO_SEAT, lang="en"):
    """What the house draws of a moment, as the browser writes it."""
    parts = replay_parts(table.moment, table.history.at(n), Audience(seat), lang)
    return page.evaluate(
        """html => { const box = document.createElement("template"); box.innerHTML = html;
        return Object.fromEntries([...box.content.children].map(e => [e.id, e.outerHTML])); }""",
        "".join(text for name, text in parts.items() if name != "final"),
    )


def test_it_opens_at_the_beginning_and_steps_by_keys_without_loading_anything(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}/replay", lang="en")
    assert at(page) == 0
    assert page.locator("#replay-turn").inner_text() == "The beginning"
    seen = loads(page)
    last = table.history.last
    for keys, moment in (
        (["ArrowRight"] * 3, 3),
        (["ArrowLeft"], 2),
        (["End"], last),
        (["ArrowRight"], last),
        (["ArrowLeft"] * 2, last - 2),
        (["Home"], 0),
        (["ArrowLeft"], 0),
    ):
        for key in keys:
            page.keyboard.press(key)
        arrived(page, moment)
        drawn = as_drawn(page, table, moment)
        assert {name: text for name, text in board(page).items() if drawn[name] != text} == {}
    assert seen == []
    assert not room.complaints


def test_buttons_moves_lines_and_slider_lead_to_their_moments(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}/replay", lang="en")
    seen = loads(page)
    turns = [turn.first for turn in table.history.turns]
    page.get_by_role("button", name="The next move").click()
    arrived(page, turns[0])
    page.keyboard.press("Shift+ArrowRight")
    arrived(page, turns[1])
    page.get_by_role("button", name="Next", exact=True).click()
    page.keyboard.press("Shift+ArrowLeft")
    arrived(page, turns[1])
    heading = page.locator(f"[data-turn='{turns[5]}']")
    heading.click()
    arrived(page, turns[5])
    assert heading.get_attribute("aria-current") == "step"
    assert page.locator("#chronicle [aria-current]").count() == 1
    line = page.locator("#chronicle [data-moment] > a:not(.rule)").last
    moment = int(line.locator("..").get_attribute("data-moment"))
    line.click()
    arrived(page, moment)
    assert page.locator("#replay-said p").last.inner_text().startswith(line.inner_text())
    page.locator("#at").fill("7")
    arrived(page, 7)
    spoken = page.locator("#at").get_attribute("aria-valuetext")
    assert re.fullmatch(rf"Move \d+: \w+, Moment 7 of {table.history.last}", spoken), spoken
    page.locator("#at").focus()
    page.keyboard.press("ArrowRight")
    arrived(page, 8)
    assert seen == []
    assert not room.complaints


def test_the_whole_chronicle_stands_there_and_each_step_says_its_lines(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}/replay?from=2", lang="en")
    lines = [line for _, line in table.match.log(2, "en", table.names)]
    assert page.locator("#chronicle [data-moment] > a:not(.rule)").all_inner_texts() == lines
    moments = [
        int(m) for m in page.locator("#chronicle [data-moment]").evaluate_all("all => all.map(e => e.dataset.moment)")
    ]
    assert moments == sorted(moments)
    told = [line for line, moment in zip(lines, moments, strict=True) if moment == 1]
    assert told
    page.keyboard.press("ArrowRight")
    arrived(page, 1)
    expect(page.locator("#say")).to_have_text(" ".join(told))  # the live region


def test_the_address_is_the_moment(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}/replay?from=1&at=9", lang="en")
    assert at(page) == 9
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**/t/{table.id}/replay?from=1&at=10")
    before = board(page)
    page.reload()
    assert at(page) == 10
    assert board(page) == before
    page.locator("#to-settings").click()
    page.get_by_role("radio", name="English").check()  # the same moment in another language
    page.wait_for_url(f"**/t/{table.id}/replay?from=1&at=10")


def test_a_rule_opens_above_the_moment_and_what_a_reader_opened_stays_open(room):
    guest = room.guest()
    table = room.table(guest, "takara-island", 2, [SeatPlan("me"), FRIENDS[0]])
    room.advance(table, guest, 40)
    page = room.page(guest, f"/t/{table.id}/replay?at=20", lang="en")
    seen = loads(page)
    page.locator("#replay-said .rule").first.click()
    expect(page.locator("#rule-sheet .here")).to_be_focused()
    page.keyboard.press("ArrowRight")  # the sheet's own key
    assert at(page) == 20
    page.keyboard.press("Escape")
    details = page.locator(".middle details").first
    details.locator("summary").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    arrived(page, 22)
    assert details.get_attribute("open") is not None
    assert page.evaluate("document.activeElement.localName") == "summary"
    assert seen == []


def test_a_hand_that_drags_the_slider_arrives_where_it_stops(room, over):
    """Asked for more than can be fetched, the page shows the last one."""
    guest, table = over
    last = table.history.last
    page = room.page(guest, f"/t/{table.id}/replay", lang="en")
    page.evaluate(
        """last => { const slider = document.getElementById("at");
        for (let n = last; n > last - 30; n--) { slider.value = n; slider.dispatchEvent(new Event("input")); } }""",
        last,
    )
    arrived(page, last - 29)
    drawn = as_drawn(page, table, last - 29)
    assert {name: text for name, text in board(page).items() if drawn[name] != text} == {}


def test_pieces_glide_unless_motion_is_unwelcome(room, over):
    guest, table = over
    # Counted when they begin, in the page itself: here a glide takes 28 ms, and is over before it can be asked for.
    watch = """() => { window.most = 0; document.getElementById("main").addEventListener("veillee:swapped", () => {
        const ours = document.getAnimations().filter(a => !(a instanceof CSSAnimation) && !(a instanceof CSSTransition));
        window.most = Math.max(window.most, ours.length); }); }"""
    for motion in (True, False):
        page = room.page(guest, f"/t/{table.id}/replay", lang="en", motion=motion)
        page.wait_for_load_state("networkidle")
        page.evaluate(watch)
        for n in range(1, 7):
            page.keyboard.press("ArrowRight")
            arrived(page, n)
        assert (page.evaluate("window.most") > 0) == motion
        room.leave(page)


def test_after_the_end_one_looks_from_any_seat(room, over):
    _, table = over
    page = room.page(None, f"/t/{table.id}/replay?at=6", lang="en")
    for seat in (2, 0):
        page.locator("#looking").select_option(str(seat))
        page.wait_for_url(f"**from={seat}**")
        assert at(page) == 6
        assert page.locator("#act").get_attribute("data-me") == str(seat)
        page.keyboard.press("ArrowRight")
        arrived(page, 7)
        assert board(page)["part-hand"] == as_drawn(page, table, 7, seat)["part-hand"]
        page.keyboard.press("ArrowLeft")
        arrived(page, 6)


def test_it_plays_until_it_is_stopped_and_stops_at_the_end(room, over):
    guest, table = over
    last = table.history.last
    page = room.page(guest, f"/t/{table.id}/replay?at={last - 2}", lang="en")
    seen = loads(page)
    with page.expect_response("**/prefs"):
        page.locator("#speed").select_option("brisk")
    page.locator("body").press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    arrived(page, last)
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    page.locator("#play").click()  # from the end it begins anew
    expect(page.locator("#replay")).to_have_attribute("data-at", "1")
    page.keyboard.press("ArrowRight")  # a step stops the playback
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    assert seen == []
    page.reload()
    assert page.locator("#speed").input_value() == "brisk"
    page.goto(f"{room.url}/t/{table.id}")
    assert page.locator("main").get_attribute("data-speed") == "brisk", "one pace for all that is shown"


def test_a_house_that_does_not_answer_leaves_the_moment_as_it_is(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}/replay", lang="en")
    page.route("**/replay/moments**", lambda route: route.abort())
    page.reload()  # without what was fetched ahead
    page.keyboard.press("End")
    expect(page.locator("#oops")).to_contain_text("cannot be reached")
    arrived(page, 0)
    page.unroute_all()
    page.keyboard.press("End")
    arrived(page, table.history.last)
    expect(page.locator("#oops")).to_be_empty()
    room.complaints.clear()  # the browser's own word about the request


def test_without_javascript_every_step_is_a_form_or_a_link(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}/replay?at=3", js=False, lang="en")
    page.get_by_role("button", name="Next", exact=True).click()
    assert "at=4" in page.url
    assert "Moment 4 of" in page.locator("#replay-place").inner_text()
    assert page.locator("#replay-said p").first.inner_text()
    page.locator("#looking").select_option("1")
    page.locator("#at").fill("12")
    page.get_by_role("button", name="Go there").click()
    assert page.locator("#act").get_attribute("data-me") == "1"
    assert "Moment 12 of" in page.locator("#replay-place").inner_text()
    page.get_by_role("button", name="The move before").click()
    assert page.locator("#act").get_attribute("data-me") == "1"  # looks on from there
    page.locator("#chronicle [data-moment] > a:not(.rule)").last.click()
    assert f"at={table.history.last}" in page.url
    for dead in ("#play", "#copy-moment"):
        assert not page.locator(dead).is_visible()
    assert page.locator("button[form=act][name^=a]").count() == 0


def test_a_game_that_goes_on_is_looked_back_at_with_ones_own_eyes(room):
    """No reader can choose a seat before the end: not on the page, and not by URL."""
    guest = room.guest()
    table = room.table(guest, GAME, 4, [SeatPlan("me"), SeatPlan("open"), SeatPlan("open"), SeatPlan("open")])
    others = [room.guest(name) for name in ("Bran", "Cléo", "Denis")]
    for seat, other in enumerate(others, 1):
        table.sit(other, seat)
    for _ in range(6):
        (seat,) = table.match.to_act
        who = [guest, *others][seat]
        table.answer(who, seat, table.stamp(seat), [table.match.choices(seat)[-1].id])
    last = table.history.last
    assert last
    cookies = {"guest": guest.token}
    with httpx.Client(base_url=f"{room.url}/t/{table.id}/replay", cookies=cookies) as http:
        for asked in ("", "from=1&", "from=watch&"):
            page = http.get(f"?{asked}at={last}").text
            assert 'data-me="0"' in page
            assert 'id="looking"' not in page
            parts = http.get(f"/moments?{asked}at=0&to={last}&of={last}").json()
            assert 'data-me="0"' in parts[0]["act"]
    page = room.page(guest, f"/t/{table.id}/replay", lang="en")
    page.keyboard.press("End")
    arrived(page, last)
    room.healthy(page)


def test_moments_that_are_numbered_anew_are_not_mixed_up(room, over):
    _, table = over
    last = table.history.last
    with httpx.Client(base_url=f"{room.url}/t/{table.id}/replay", headers={"X-Live": "1"}) as http:
        assert http.get(f"/moments?at=0&to=1&of={last - 1}").status_code == 409
        assert http.get(f"/moments?at=0&to=1&of={last + 1}").status_code == 409
        found = http.get(f"/moments?at={last}&to=99999&of={last}")
        assert found.status_code == 200
        assert len(found.json()) == 1
        assert http.get(f"/moments?at=x&to=-4&of={last}").status_code == 200


def test_a_request_brings_what_differs_from_the_moment_before(room, over):
    _, table = over
    last = table.history.last
    with httpx.Client(base_url=f"{room.url}/t/{table.id}/replay", headers={"Accept-Language": "en"}) as http:
        found = http.get(f"/moments?from=watch&at=0&to=5&of={last}").json()
    parts = {}
    for n, news in enumerate(found):
        before, parts = parts, parts | news
        assert parts == replay_parts(table.moment, table.history.at(n), Audience(NO_SEAT), "en")
        assert all(before.get(name) != text for name, text in news.items())
    assert len(json.dumps(found)) < len(found) * len(json.dumps(parts))


@pytest.mark.parametrize("game", list(BOXES) if EVERYTHING else list(BOXES)[::3])
def test_the_replay_of_every_game_looks_well(room, game):
    guest = room.guest()
    seats = BOXES[game].players[0]
    table = room.table(guest, game, seats, [SeatPlan("me"), *FRIENDS[: seats - 1]])
    room.advance(table, guest, 3000)
    page = room.page(guest, f"/t/{table.id}/replay?from=0&at={table.history.last // 2}")
    page.keyboard.press("ArrowRight")
    arrived(page, table.history.last // 2 + 1)
    for width, height, theme in ((1440, 900, "light"), (320, 640, "dark")):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        room.healthy(page)
        inside = page.evaluate(
            """[...document.querySelectorAll("#replay .step, #at")].every(e => { const r = e.getBoundingClientRect();
            return r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth; })"""
        )
        assert inside, "the bar is in view"
