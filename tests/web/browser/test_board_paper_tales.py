"""Paper Tales in the browser: people and bots play it through; a deployment is arranged freely, or asked card by card."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.content import UNITS
from veillee.house.accounts.guest import Guest
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table
from veillee.match.match import Match

pytestmark = pytest.mark.browser


def sensible(match: Match, seat: int) -> int:
    """Deploys what it can, builds what it can; else turn by turn another of the choices."""
    choices = match.choices(seat)
    wanted = {"front": 0, "back": 1, "upgrade": 0, "build": 1, "build nothing": 9, "discard": 8}
    if choices[0].verb in wanted:
        return min(choices, key=lambda c: wanted.get(c.verb, 5)).id
    return choices[len(match.answers) % len(choices)].id


def until(table: Table, guests: dict[int, Guest], step: type, turn: int = 1) -> None:
    """Answer for the people until they are asked this, in that turn at the earliest."""
    for _ in range(1000):
        match = table.match
        if match.state.turn >= turn and isinstance(match.state.question, step):
            return
        seat = next(seat for seat in guests if seat in match.to_act)
        table.answer(guests[seat], seat, table.stamp(seat), [sensible(match, seat)])
    raise AssertionError("it never came")


def deploying(room, seats: int = 3) -> tuple[Guest, Table, Page]:
    """A table at its first deployment, and the guest's page."""
    ada = room.guest("Ada")
    table = room.table(ada, "paper-tales", seats=seats)
    until(table, {0: ada}, pt.Deploy)
    return ada, table, room.page(ada, f"/t/{table.id}")


def hand(table: Table, seat: int = 0) -> list[int]:
    return [pt.KIND[card] for card in table.match.state.realms[seat].hand]


def send(room, page: Page, table: Table, seat: int = 0) -> None:
    before = table.stamp(seat)
    page.locator("#deploy").click()
    room.answered(page, before)


def put(page: Page, thing: int, where: str) -> None:
    page.locator(f"#where-{thing}-{where}").check()


def test_every_choice_is_on_the_board_without_javascript(room):
    """Question by question, and every answer on its thing."""
    placed = ("keep", "toss", "front", "back", "save", "discard", "age", "heal", "build", "build high", "upgrade")
    room.play_out("paper-tales", seats=3, js=False, placed=placed, choose=sensible, each=1)


def test_two_people_and_two_bots_finish_a_game(room):
    """The last turn, in which everything is asked; the others are played without a browser."""
    ada, bo = room.guest("Ada"), room.guest("Bo")
    plans = [SeatPlan("me"), SeatPlan("open"), SeatPlan("bot", level="novice"), SeatPlan("bot", level="novice")]
    table = room.table(ada, "paper-tales", seats=4, plans=plans)
    table.sit(bo, 1)
    until(table, {0: ada, 1: bo}, pt.Keep, turn=4)
    pages = {0: room.page(ada, f"/t/{table.id}"), 1: room.page(bo, f"/t/{table.id}", lang="en", size="phone")}
    for _ in range(400):
        seat = room.asked(table, pages)
        if seat is None:
            break
        page = pages[seat]
        room.catch_up(page, table, seat)
        if isinstance(table.match.state.question, pt.Deploy):
            for number, where in enumerate(arranged(table.match, seat)):
                put(page, number, where)
            send(room, page, table, seat)
        else:
            room.move(page, table, seat, sensible)
    assert table.status == "over"
    for page in pages.values():
        expect(page.locator("#part-final .account")).to_have_count(4)
        room.healthy(page)


def arranged(match: Match, seat: int) -> list[str]:
    """A whole deployment, as a person would think it out."""
    trial = match.copy()
    names = ("front", "back", "save", "discard")
    wheres = []
    realm = trial.state.realms[seat]
    for _ in range(len(realm.units) + len(realm.hand)):
        action = sensible(trial, seat)
        wheres.append(names[action - pt.DEPLOY])
        trial.play(seat, action)
    return wheres


def test_a_deployment_is_arranged_by_touch_and_sent_at_once(room):
    _, table, page = deploying(room)
    things = page.locator(".pt-thing")
    expect(things).to_have_count(5)
    page.locator("#thing-0 .pt-card").click()
    page.locator(".pt-zone.front h3").click()
    expect(page.locator(".pt-zone.front #thing-0")).to_be_visible()
    page.locator("#thing-1 .pt-card").drag_to(page.locator(".pt-zone.back"))
    expect(page.locator(".pt-zone.back #thing-1")).to_be_visible()
    page.locator("#where-2-save").check()
    page.locator("#where-3-save").check()  # only one is saved: the last one chosen
    expect(page.locator(".pt-zone.save .pt-thing")).to_have_count(1)
    expect(page.locator(".pt-zone.discard #thing-2")).to_be_visible()
    cards = hand(table)
    cost = pt.COST[cards[0]] + pt.COST[cards[1]]
    expect(page.locator("#pt-cost")).to_contain_text(f"reste {3 - cost} or")
    room.healthy(page)
    send(room, page, table)
    realm = table.match.state.realms[0]
    assert sorted(unit.kind for unit in realm.units) == sorted(cards[:2])
    assert pt.KIND[realm.saved] == cards[3]


def strengths(page: Page) -> tuple[list[int], list[int]]:
    """What the page shows of the draft: of each thing, and of the rows."""
    things = page.locator(".pt-thing").evaluate_all(
        "all => all.sort((a, b) => a.dataset.i - b.dataset.i).map(e => +e.querySelector('.pt-power').textContent)"
    )
    return things, page.locator(".pt-sum > span:last-child").evaluate_all("all => all.map(e => +e.textContent)")


def test_a_draft_shows_the_strengths_that_it_would_have(room):
    """They are those that the kingdom has once it is revealed, and nobody is told of the draft."""
    _, table, page = deploying(room)
    assert strengths(page)[1] == [0, 0]
    before = table.moment
    first, second, third = (UNITS[kind].strength for kind in hand(table)[:3])
    put(page, 0, "front")
    expect(page.locator(".pt-zone.front .pt-sum > span:last-child")).to_have_text(str(first))
    put(page, 1, "back")
    expect(page.locator("#thing-1 .pt-str.off")).to_have_count(1)
    assert strengths(page)[0][:3] == [first, second, third]
    expect(page.locator("#pt-cost")).to_contain_text(str(first))
    assert table.moment is before
    send(room, page, table)
    page.wait_for_function("() => !document.querySelector('#pt-plan.whole')")
    assert not room.complaints, room.complaints


def test_a_draft_is_weighed_for_its_own_seat_and_question_alone(room):
    guest, table, _ = deploying(room)
    other = room.guest("Ben")

    def weighed(who: Guest | None, **fields: str) -> int:
        form = {"seat": "0", "stamp": table.stamp(0), "a.1": str(pt.DEPLOY)} | fields
        cookies = {"guest": who.token} if who else {}
        return httpx.post(
            f"{room.url}/t/{table.id}/draft", data=form, cookies=cookies, headers={"Origin": room.url}
        ).status_code

    assert weighed(guest) == 200
    assert weighed(other) == weighed(None) == 403
    assert weighed(guest, seat="1") == 403
    assert weighed(guest, stamp="old") == 204
    assert weighed(guest, **{"a.1": "999999999"}) == 204
    assert weighed(guest, **{"a.1": "x"}) == 422


def test_a_deployment_is_arranged_with_the_keyboard_alone(room):
    _, table, page = deploying(room)
    page.locator("#where-0-discard").focus()
    page.keyboard.press("ArrowRight")  # round to the first way: in front
    expect(page.locator(".pt-zone.front #thing-0")).to_be_visible()
    expect(page.locator("#where-0-front")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".pt-zone.back #thing-0")).to_be_visible()
    before = table.stamp(0)
    page.locator("#deploy").focus()
    page.keyboard.press("Enter")
    room.answered(page, before)
    assert [unit.row for unit in table.match.state.realms[0].units] == [pt.BACK]


def test_a_deployment_that_does_not_fit_names_the_rule_and_leaves_the_draft_in_place(room):
    _, table, page = deploying(room)
    before = table.stamp(0)
    for thing in range(5):
        page.locator(f"#where-{thing}-front").check()
    expect(page.locator("#pt-cost")).to_have_class("bad")
    page.locator("#deploy").click()
    expect(page.locator("#oops")).to_contain_text("PT-")
    assert table.stamp(0) == before
    assert list(table.match.state.realms[0].plan) == []
    expect(page.locator(".pt-zone.front .pt-thing")).to_have_count(5)


def test_a_deployment_can_be_arranged_anew_until_the_last_one_is_done(room):
    ada, bo = room.guest("Ada"), room.guest("Bo")
    table = room.table(ada, "paper-tales", seats=2, plans=[SeatPlan("me"), SeatPlan("open")])
    table.sit(bo, 1)
    until(table, {0: ada, 1: bo}, pt.Deploy)
    page, other = room.page(ada, f"/t/{table.id}"), room.page(bo, f"/t/{table.id}")
    before = kingdoms(other)
    put(page, 0, "front")
    send(room, page, table)
    expect(page.locator(".pt-plan")).to_contain_text("Votre déploiement est prêt")
    room.healthy(page)
    expect(other.locator("#part-players .active")).to_have_count(1)
    assert kingdoms(other) == before
    page.locator("#redeploy").click()
    expect(page.locator("#pt-plan.whole")).to_be_visible()
    assert list(table.match.state.realms[0].plan) == []
    put(page, 0, "back")
    send(room, page, table)
    assert table.match.state.realms[0].plan[0] == pt.BACK
    send(room, other, table, 1)
    expect(page.locator("#part-home .pt-field.back .pt-unit")).to_have_count(1)


def test_what_scrolls_by_itself_fades_until_its_end(room):
    _, _, page = deploying(room)
    houses = page.locator("#pt-houses")
    assert houses.evaluate("e => e.scrollHeight > e.clientHeight")
    expect(houses).to_have_css("mask-image", re.compile("gradient"))
    houses.evaluate("e => e.scrollTo(0, e.scrollHeight)")
    expect(houses).to_have_css("mask-image", "none")
    expect(page.locator("#pt-spots-save")).to_have_css("mask-image", "none")  # nothing is hidden there


def test_cards_in_a_row_stay_in_it_with_the_buttons_of_their_places(room):
    _, _, page = deploying(room)
    put(page, 0, "front")
    put(page, 1, "back")
    for size in ((1440, 900), (1280, 720), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for zone in page.locator(".pt-zone:is(.front, .back)").all():
            row = zone.bounding_box()
            for label in zone.locator(".pt-where label").all():
                button = label.bounding_box()
                assert button["y"] + button["height"] <= row["y"] + row["height"], size


def kingdoms(page: Page) -> list[str]:
    """What a page shows of all rows of all kingdoms."""
    return page.locator("#part-realms .pt-row").evaluate_all("rows => rows.map(row => row.innerHTML)")


def test_nobodys_cards_are_in_anybody_elses_page_or_stream(room):
    ada, bo = room.guest("Ada"), room.guest("Bo")
    table = room.table(ada, "paper-tales", seats=2, plans=[SeatPlan("me"), SeatPlan("open")])
    table.sit(bo, 1)
    until(table, {0: ada, 1: bo}, pt.Deploy)
    page = room.page(bo, f"/t/{table.id}", lang="en")
    table.answer(ada, 0, table.stamp(0), [pt.DEPLOY + pt.GONE] * len(hand(table, 0)))
    expect(page.locator("#part-players .active")).to_have_count(1)
    mine, theirs = set(hand(table, 1)), set(hand(table, 0))
    shown = page.content()
    for kind in theirs - mine:
        assert UNITS[kind].name["en"] not in shown
        assert f"u-{UNITS[kind].id}" not in shown


def test_looks_well_between_two(room):
    guest = room.guest()
    table = room.table(guest, "paper-tales", seats=2)
    room.advance(table, guest, 30)
    room.glance_at(guest, f"/t/{table.id}")
