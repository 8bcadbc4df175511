"""Puzzles on the page: the board as one seat sees it, an answer by keyboard or without JavaScript, and why."""

from __future__ import annotations

import json
import re

import httpx
import pytest
import sqlalchemy as sa
from playwright.sync_api import expect

from helpers import some
from veillee.bots.evaluation import Option
from veillee.games.catalogue import BOXES
from veillee.house.house import House
from veillee.house.storage.schema import collected
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.chance import Rng
from veillee.match.explanation import Explanation
from veillee.match.puzzles import plain, puzzles
from veillee.web.pages.puzzles import render_position

GAME = "ghost-knights"
PAGE = f"/games/{GAME}/puzzles"


@pytest.mark.parametrize("game", BOXES)
def test_nothing_is_drawn_that_the_seat_could_not_know(game):
    """In another world that the seat cannot tell from this one the page is the same, to the letter."""
    box, changed = BOXES[game], False
    for one in list(puzzles(box).values())[::6]:
        match = one.match(box)
        shown, before = render_position(one, match, None, "1", "en"), match.state.dump()
        match.state.determinize(one.seat, Rng(one.number))
        changed = changed or match.state.dump() != before
        match.settle()
        assert render_position(one, match, None, "1", "en") == shown
        assert match.seed.hex() not in "".join(shown.values())
    assert changed or game == "sourire-du-dragon", "nothing was hidden: the test proves nothing"


def played_here(house, game, every=8):
    """Puzzles from a public game of people with names and words of luck, at one moment after the other, as if the judges had
    agreed on the first choice there is."""
    box = BOXES[game]
    people = [
        house.guests.new(name) for name in ("Zébuline", "Philémon", "Wolfgang", "Quentin")[: max(2, box.players[0])]
    ]
    plans = [SeatPlan("me"), *[SeatPlan("open")] * (len(people) - 1)]
    table = house.tables.create(people[0], game, plans, public=True, luck="brouillard")
    for seat, guest in enumerate(people[1:], 1):
        table.sit(guest, seat)
    while table.status == "playing":
        seat = table.match.to_act[-1]  # who is asked at the same time has answered in secret
        choices = table.match.choices(seat)
        table.answer(
            people[seat], seat, table.moment.stamp(seat), [choices[len(table.match.answers) % len(choices)].id]
        )
    past = table.match.from_the_start()
    for at, (seat, action) in enumerate(table.match.answers):
        legal = past.state.legal(seat)
        if at % every == 0 and len(legal) > 1:
            options = [Option(legal[0], 0.6, 0.0), Option(legal[1], 0.4, 0.01)]
            keep_one(house, table, at, seat, plain(options, [Explanation(seat, 12.0, 8.0, None)]))
            (one,) = house.puzzles.load(box)
            yield table, one
        past.play(seat, action)


def keep_one(house, table, at, seat, found):
    row = {"table_id": table.id, "game": table.box.id, "waiting": "[]", "number": 1, "made": 0.0}
    with house.store.writing() as db:
        db.execute(collected.delete())
        db.execute(collected.insert().values(row | {"found": json.dumps(found | {"at": at, "seat": seat})}))


@pytest.mark.parametrize("game", BOXES)
def test_nothing_is_drawn_of_the_people_at_a_table_nor_of_what_the_seat_could_not_know(game, tmp_path):
    house, changed = House.open(tmp_path, workers=0), False
    for table, one in played_here(house, game):
        match = house.puzzles.load_position(one)
        shown, before = render_position(one, match, None, "1", "en"), match.state.dump()
        told = "".join(shown.values())
        for word in (table.id, table.moment.row.seed.hex(), "brouillard", *table.names):
            assert word not in told
        match.state.determinize(one.seat, Rng(one.at))
        changed = changed or match.state.dump() != before
        match.settle()
        assert render_position(one, match, None, "1", "en") == shown
    assert changed or game == "sourire-du-dragon", "nothing was hidden: the test proves nothing"
    house.close()


@pytest.mark.parametrize("address", ["99", "0", "x", "-1", "1.5"])
def test_there_is_no_puzzle_of_another_number(served, address):
    assert httpx.get(f"{served[0]}{PAGE}/{address}").status_code == 404
    assert httpx.get(f"{served[0]}/games/none/puzzles").status_code == 404


def test_what_is_no_answer_is_refused(served):
    for wrong in ({}, {"a": "x"}, {"a": "9999"}):
        told = httpx.post(f"{served[0]}{PAGE}/1", data=wrong, headers={"Origin": served[0]})
        assert told.status_code == 422
        assert "guest" not in told.cookies


@pytest.mark.browser
def test_it_is_answered_by_keyboard_told_why_and_counted(room):
    guest = room.guest("Yvain")
    page = room.page(guest, f"/games/{GAME}", lang="en")
    page.locator("#to-puzzles").click()
    expect(page.locator(".score")).to_have_text("0 of 30 solved")
    page.locator("#next-puzzle").click()
    best = puzzles(BOXES[GAME])[1].best
    button = page.locator(f"#do-{best}")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("Solved")
    expect(page.get_by_role("list", name="Chances to win")).to_contain_text("your choice")
    expect(page.locator(".weighed .best")).to_contain_text("your choice")
    expect(page.locator(".reason").first).to_contain_text("points")
    page.locator("#next-puzzle").click()
    wrong = puzzles(BOXES[GAME])[2].options[1].action
    page.locator(f"#do-{wrong}").click()
    expect(page.locator("#prompt")).to_contain_text("Better")
    page.goto(room.url + PAGE)
    expect(page.locator(".score")).to_contain_text("1 of 30 solved, 1 missed")
    expect(page.locator(".puzzles .solved")).to_have_count(1)
    assert not room.complaints, room.complaints


@pytest.mark.browser
def test_one_that_was_played_here_stands_after_those_of_the_box_and_is_counted(room, tmp_path):
    house = room.house
    assert httpx.get(f"{room.url}{PAGE}/here/1").status_code == 404
    table, one = next(played_here(house, GAME))
    try:
        page = room.page(room.guest("Yvain"), PAGE, lang="en")
        expect(page.locator(".score")).to_have_text("0 of 31 solved")
        expect(page.locator("#own")).to_have_text("From games that were played here")
        page.locator("a[href$='/puzzles/here/1']").click()
        expect(page.locator("#prompt")).to_contain_text("Puzzle 1 of this house")
        for word in (table.id, *table.names):
            assert word not in page.content()
        page.locator(f"#do-{one.best}").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#prompt")).to_contain_text("Solved")
        expect(page.locator(".reason").first).to_contain_text("about 4 points more")
        page.goto(room.url + PAGE)
        expect(page.locator(".score")).to_have_text("1 of 31 solved")
        wrong = httpx.post(f"{room.url}{PAGE}/here/1", data={"a": "9999"}, headers={"Origin": room.url})
        assert wrong.status_code == 422
        room.look_at(room.guest(), PAGE)
        with house.store.writing() as db:
            db.execute(sa.text("UPDATE tables SET version = 99 WHERE id = :id"), {"id": table.id})
        assert httpx.get(f"{room.url}{PAGE}/here/1").status_code == 404, "of rules that are not played here"
        assert not room.complaints, room.complaints
    finally:
        with house.store.writing() as db:
            db.execute(collected.delete())


@pytest.mark.browser
def test_without_javascript_a_newcomer_becomes_a_guest_by_answering(room):
    page = room.page(None, f"{PAGE}/3", js=False, lang="en")
    page.locator("#answers button").first.click()
    expect(page.locator("#prompt")).to_contain_text(re.compile("Solved|Better"))
    page.goto(f"{room.url}{PAGE}/3")
    expect(page.locator("#answers")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.parametrize("game", some(BOXES, 1))
def test_it_looks_well(room, game):
    guest = room.guest()
    room.glance_at(guest, f"/games/{game}/puzzles/7")


@pytest.mark.browser
def test_the_list_looks_well(room):
    room.look_at(room.guest(), PAGE)


@pytest.mark.browser
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_after_the_answer_the_board_is_in_view_and_the_verdict_under_it(room, size):
    page = room.page(room.guest(), "/games/takara-island/puzzles/1", size=size)
    page.locator("#answers button").first.click()
    expect(page.locator(".weighed")).to_have_count(1)
    for seen in ("#prompt", ".brand", "#part-island"):
        expect(page.locator(seen)).to_be_in_viewport()
    board = page.locator("#part-island").bounding_box()
    assert board["y"] >= page.locator("header.top").bounding_box()["height"] - 1
    assert board["y"] + board["height"] <= page.locator("#prompt").bounding_box()["y"] + 1
