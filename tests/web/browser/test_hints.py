"""The hint on the page: with and without JavaScript, only for the player who asks, until the position changes."""

import threading

import httpx
import pytest
from playwright.sync_api import expect

from helpers import some
from veillee.games.catalogue import BOXES
from veillee.house.tables.seats import SeatPlan
from veillee.web.rendering.table_parts import advice

GAME = "ghost-knights"
FRIENDS = [SeatPlan("me"), *[SeatPlan("hotseat", name) for name in ("Bea", "Cleo", "Dan")]]


def stamp_of(page):
    return page.locator("#act [name=stamp]").get_attribute("value")


def test_advice_appears_beside_the_question_and_goes_with_it(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    page.evaluate("window.stayed = true")
    button = page.get_by_role("button", name="Hint")
    button.focus()
    page.keyboard.press("Enter")
    box = page.locator(".advice")
    told = advice(table.hint(guest, 0, table.stamp(0)).result(20), "en")
    expect(box.locator("p")).to_have_text(f"I would choose: {told.label}. {told.reason}".strip())
    rows = [f"{label} {wins}\xa0%" for label, wins in told.chances]
    assert 1 < len(rows) < 5
    expect(box.locator("tr")).to_have_text(rows)
    expect(page.locator("#say")).to_contain_text(f"I would choose: {told.label}.")
    expect(button).to_be_focused()
    assert page.evaluate("window.stayed"), "the page was not loaded again"
    room.move(page, table, 0)
    expect(page.locator(".advice p")).to_have_count(0)
    assert page.evaluate("window.stayed")
    assert not room.complaints


def test_advice_without_javascript_is_a_page(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    page = room.page(guest, f"/t/{table.id}", js=False)
    answers, rev = table.match.answers, table.rev()
    page.get_by_role("button", name="Un conseil ?").click()
    told = advice(table.hint(guest, 0, table.stamp(0)).result(20), "fr")
    expect(page.locator(".advice p")).to_contain_text(told.label)
    expect(page.locator(".advice tr")).to_have_count(len(told.chances))
    expect(page.locator(".advice")).to_be_focused()
    assert (table.match.answers, table.rev()) == (answers, rev)
    room.move(page, table, 0)
    expect(page.locator(".advice p")).to_have_count(0)


@pytest.mark.parametrize("game", some(BOXES))
def test_advice_is_healthy_on_every_board(room, game):
    guest = room.guest()
    table = room.table(guest, game, max(BOXES[game].players[0], 3))
    room.advance(table, guest, 4)
    page = room.page(guest, f"/t/{table.id}")
    page.locator("#ask-hint").click()
    expect(page.locator("#part-prompt .advice p")).to_have_count(1)
    room.healthy_at_every_size(page, within="#part-prompt")  # the rest of the board is as it was


def test_one_may_move_while_the_expert_thinks(room, monkeypatch):
    """And advice that comes too late is not shown, nor complained about."""
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    asked, waiting = threading.Event(), []
    monkeypatch.setattr(room.house.thinkers, "advise", lambda job, done: (waiting.append((job, done)), asked.set()))
    page = room.page(guest, f"/t/{table.id}")
    with page.expect_response("**/hint") as told:  # from the beginning: the driver tells only what it was asked for
        page.locator("#ask-hint").click()
        assert asked.wait(20)
        room.move(page, table, 0)
        waiting[0][1](None)
    assert told.value.status == 409
    expect(page.locator("#part-prompt.you")).to_have_count(1)
    expect(page.locator(".advice p")).to_have_count(0)
    expect(page.locator("#oops")).to_be_empty()


def test_nobody_else_is_shown_the_advice(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    others = [room.page(guest, f"/t/{table.id}"), room.page(None, f"/t/{table.id}")]
    expect(others[1].locator("#ask-hint")).to_have_count(0)
    page = room.page(guest, f"/t/{table.id}")
    page.locator("#ask-hint").click()
    expect(page.locator(".advice p")).to_have_count(1)
    for other in others:
        other.reload()
        expect(other.locator(".advice p")).to_have_count(0)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_table_says_whether_hints_are_allowed(room, allowed):
    guest = room.guest()
    page = room.page(guest, f"/games/{GAME}", lang="en")
    expect(page.get_by_label("Allow hints")).to_be_checked()
    page.get_by_label("Allow hints").set_checked(allowed)
    page.locator("#seat-1").select_option("open")
    page.locator("#public").check()
    page.locator("#set-table").click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".agreed").last).to_contain_text("Hints are allowed" if allowed else "without hints")
    table = room.house.tables.find(page.url.rpartition("/")[2])
    assert table.hints is allowed
    listed = room.page(None, f"/games/{GAME}", lang="en").locator(f"#open li:has(a[href='/t/{table.id}'])")
    expect(listed.get_by_text("without hints")).to_have_count(0 if allowed else 1)
    page.locator("#bot-1").click()
    expect(page.locator("#part-prompt.you")).to_have_count(1)
    expect(page.locator("#ask-hint")).to_have_count(1 if allowed else 0)


# -- without a browser ------------------------------------------------------------------------------------------------
@pytest.fixture
def web(served):
    with httpx.Client(base_url=served[0], headers={"Accept-Language": "en", "Origin": served[0]}) as client:
        yield client


def test_what_is_refused_is_a_sentence(served, web):
    house = served[1]
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = house.tables.create(ada, GAME, FRIENDS, public=False)
    strict = house.tables.create(ada, GAME, FRIENDS, public=False, hints=False)
    [seat] = table.match.to_act
    form = {"seat": str(seat), "stamp": table.stamp(seat)}
    other = (seat + 1) % 4
    for guest, where, data, status in (
        (bob, table, form, 403),
        (ada, table, form | {"stamp": "old"}, 409),
        (ada, table, {"seat": str(other), "stamp": table.stamp(other)}, 409),
        (ada, table, {}, 403),
        (ada, strict, {"seat": str(strict.match.to_act[0]), "stamp": strict.stamp(strict.match.to_act[0])}, 409),
    ):
        web.cookies.set("guest", guest.token)
        for headers in ({}, {"X-Live": "1"}):
            told = web.post(f"/t/{where.id}/hint", data=data, headers=headers)
            assert (told.status_code, "I would choose" in told.text) == (status, False), data
    assert "without hints" in told.text


def test_an_expert_who_does_not_answer_is_a_sentence(served, web, monkeypatch):
    house = served[1]
    ada = house.guests.new("Ada")
    table = house.tables.create(ada, GAME, FRIENDS, public=False)
    [seat] = table.match.to_act
    web.cookies.set("guest", ada.token)
    form = {"seat": str(seat), "stamp": table.stamp(seat)}
    monkeypatch.setattr(house.thinkers, "advise", lambda job, done: done(None))
    told = web.post(f"/t/{table.id}/hint", data=form)
    assert told.status_code == 503
    assert "No hint was found" in told.text
    monkeypatch.setattr(house.thinkers, "advise", lambda job, done: None)
    monkeypatch.setattr("veillee.web.live.hints.HINT_TIMEOUT_SECONDS", 0.0)
    told = web.post(f"/t/{table.id}/hint", data=form, headers={"X-Live": "1"})
    assert (told.status_code, told.text) == (503, "No hint was found: please ask again.")


def test_a_program_may_ask_too(served):
    house = served[1]
    ada = house.guests.new("Ada")
    table = house.tables.create(ada, GAME, FRIENDS, public=False)
    [seat] = table.match.to_act
    with httpx.Client(base_url=f"{served[0]}/api", headers={"Accept-Language": "en"}) as program:
        program.headers["Authorization"] = f"Bearer {ada.token}"
        assert program.get(f"/tables/{table.id}").json()["hints"] is True
        told = program.post(f"/tables/{table.id}/seats/{seat}/hint", json={"stamp": table.stamp(seat)}).json()
        assert told["choice"] in [choice.id for choice in table.match.choices(seat)]
        assert told["chances"][0]["choice"] == told["choice"]
        stale = program.post(f"/tables/{table.id}/seats/{seat}/hint", json={"stamp": "old"})
        assert stale.status_code == 409
        new = {"game": GAME, "seats": [{"kind": "me"}] + [{"kind": "bot"}] * 3, "hints": False}
        assert program.post("/tables", json=new).json()["hints"] is False
