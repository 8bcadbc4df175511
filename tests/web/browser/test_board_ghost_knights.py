"""The board of Ghost Knights in a real browser: whole games, two browsers, secrets, undo, refusals."""

import re

import pytest
from playwright.sync_api import expect

from veillee.games.ghost_knights import rules as gk
from veillee.house.tables.seats import SeatPlan

pytestmark = pytest.mark.browser
GAME = "ghost-knights"


def eager(match, seat):
    """Play rather than draw, fight rather than pass, here and there."""
    choices = [choice.id for choice in match.choices(seat)]
    turn = len(match.answers)
    return choices[-1 - turn % min(2, len(choices))]


def lazy(match, seat):
    """Draw and pass: the shortest game."""
    return match.choices(seat)[0].id


def test_a_whole_game_without_javascript(room):
    table = room.play_out(GAME, 4, js=False, placed=("draw", "play", "put", "take", "pass"), choose=eager)
    assert table.match.state.tournaments > 0


def press_tab_to(page, selector, key="Tab"):
    """Walks through the page with the Tab key, as a keyboard user does."""
    for _ in range(120):
        if page.evaluate("s => document.activeElement?.matches(s)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} cannot be reached by keyboard")


def test_a_whole_game_by_keyboard(room):
    """Tab, arrows, space and Enter; once a card and a dolmen, then drawing; tournaments are fought too."""
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    page = room.page(guest, f"/t/{table.id}")
    turn = 0
    while table.status == "playing":
        match, before, turn = table.match, table.stamp(0), turn + 1
        question = type(match.state.question).__name__
        cards = [
            choice.id for choice in match.choices(0) if choice.verb == "play" and choice.args["colour"] != gk.BLACK
        ]
        if question in ("DrawOrPlay", "Fight") and cards and turn % 3:
            press_tab_to(page, "#part-hand input")
            while page.evaluate("document.activeElement.value") != str(cards[-1]):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")  # goes on to the dolmens
            assert page.evaluate("document.activeElement.id") == "do-d0"
            trial = match.copy()
            trial.play(0, cards[-1])
            dolmen = trial.choices(0)[-1].args["dolmen"]
            press_tab_to(page, f"#do-d{dolmen}")
        elif question == "DrawOrPlay":
            press_tab_to(page, "#do-draw", "Shift+Tab")
        elif question == "Fight":
            press_tab_to(page, "#do-pass")
        else:
            press_tab_to(page, "#do-d" + str(match.choices(0)[0].args["dolmen"]))
        page.keyboard.press("Enter")
        page.wait_for_function(
            "s => document.querySelector('#act [name=stamp]').value !== s || document.getElementById('sure').open",
            arg=before,
        )
        if page.locator("#sure[open]").count():  # the last tournament is left with cards to play: "no" has the focus
            press_tab_to(page, "#sure-yes")
            page.keyboard.press("Enter")
            page.wait_for_function("s => document.querySelector('#act [name=stamp]').value !== s", arg=before)
        expect(page.locator("#part-prompt.you, #part-final .account").first).to_be_visible()  # the bots have played
        assert page.evaluate("document.activeElement !== document.body"), f"the focus was lost after {question}"
    expect(page.locator("#part-final .account")).to_have_count(4)
    assert not room.complaints, room.complaints


def people(*names):
    return [SeatPlan("me"), *[SeatPlan("open")] * len(names), *[SeatPlan("bot", level="novice")] * (3 - len(names))]


def two_at_a_table(room, others=("Ben", "Cléo", "Dan"), **how):
    """People only, so that nothing moves by itself. The pages: of the one who plays, and of another."""
    guests = [room.guest("Ada"), *[room.guest(name) for name in others]]
    table = room.table(guests[0], GAME, 4, people(*others))
    for seat, guest in enumerate(guests[1:], 1):
        table.sit(guest, seat)
    first = table.match.to_act[0]
    second = (first + 1) % 4
    pages = [room.page(guests[seat], f"/t/{table.id}", **how) for seat in (first, second)]
    return table, (guests[first], guests[second]), (first, second), pages


def test_two_browsers_see_each_move_at_once(room):
    table, _, seats, (acting, other) = two_at_a_table(room, motion=True)
    other.evaluate("window.stayed = true")
    other.locator("#why-not, #log-list").first.focus()
    card = acting.locator("#part-hand input:enabled").first
    card.check(force=True)
    acting.locator("#do-d2").click()
    line = re.compile("dolmen III")
    expect(other.locator("#part-log li", has_text=line).first).to_be_visible()
    assert other.evaluate("window.stayed"), "the page was loaded again"
    expect(other.locator("#say")).to_contain_text(line)  # and a screen reader is told
    expect(other.locator("#part-prompt.you")).to_have_count(1)
    assert table.match.to_act == (seats[1],)
    named = "[...document.querySelectorAll('[data-vt]')].filter(e => e.style.viewTransitionName).length"
    acting.wait_for_function(f"() => {named} === 0")
    assert not room.complaints, room.complaints


COUNT_GLIDES = (
    "window.glides = []; const start = document.startViewTransition.bind(document);"
    "document.startViewTransition = f => { const t = start(f); t.ready.then(() => glides.push("
    "...document.getAnimations().map(a => a.effect.pseudoElement ?? '')), () => {}); return t; }; undefined"
)


def test_pieces_glide_unless_motion_is_unwanted(room):
    table, guests, seats, (acting, other) = two_at_a_table(room, motion=True)
    calm = room.page(guests[1], f"/t/{table.id}")
    for page in (other, calm):
        page.evaluate(COUNT_GLIDES)
    room.move(acting, table, seats[0], eager)
    other.wait_for_function("() => glides.some(name => name.includes('view-transition-group(g-'))")
    expect(calm.locator("#part-prompt.you")).to_have_count(1)
    assert calm.evaluate("glides") == []


def test_a_move_in_hand_is_nobody_elses_business(room):
    """The acting seat sees its own move; the others see the position before it, and nothing of the hand."""
    table, guests, seats, (acting, other) = two_at_a_table(room)
    match, seat = table.match, seats[0]
    card = next(c for c in match.choices(seat) if c.verb == "play" and c.args["colour"] != gk.BLACK)
    before = [other.locator(part).inner_text() for part in ("#part-log", "#part-pile", "#part-board")]
    table.answer(guests[0], seat, table.stamp(seat), [card.id])
    expect(acting.locator("#part-targets .now")).to_have_count(5)
    expect(acting.locator("#undo")).to_be_visible()
    other.reload()
    assert [other.locator(part).inner_text() for part in ("#part-log", "#part-pile", "#part-board")] == before
    assert other.locator("#undo").count() == 0
    acting.locator("#undo").click()
    expect(acting.locator("#part-targets .now")).to_have_count(0)
    assert not table.match.pending


def test_a_spectator_sees_no_hand_and_cannot_play(room):
    ada = room.guest()
    table = room.table(ada, GAME, 4)
    page = room.page(None, f"/t/{table.id}", lang="en")
    assert "You are watching" in page.locator("#part-prompt").inner_text()
    assert page.locator("#part-hand .gk-card, button[form=act][name^=a]").count() == 0
    refused = page.request.post(
        f"{room.url}/t/{table.id}/act", form={"seat": "0", "stamp": table.stamp(0), "a": "0"}, headers=same(room)
    )
    assert refused.status == 403
    assert "not yours" in refused.text()


def same(room):
    return {"Origin": room.url, "Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize("js", [True, False])
def test_a_stale_click_shows_the_present_board(room, js):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    page = room.page(guest, f"/t/{table.id}", js=js, lang="en")
    if js:  # the stream would bring the new board: let this page sleep
        page.evaluate("document.querySelector('#act').dataset.busy = '1'")
        page.route("**/stream?*", lambda route: route.abort())
        page.reload()
    room.advance(table, guest, 1, eager)
    before = list(table.match.answers)
    page.locator("#do-draw").click()
    expect(page.locator("#oops")).not_to_be_empty()
    assert table.match.answers == before
    if not js:
        assert page.locator("#act [name=stamp]").get_attribute("value") == table.stamp(0)


@pytest.mark.parametrize("js", [True, False])
def test_a_refusal_names_its_rule(room, js):
    """Fight: no guard of that colour stands there."""
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    page = room.page(guest, f"/t/{table.id}", js=js, lang="en")
    forbidden = next(c for c in table.match.all_choices(0) if not c.allowed)
    before = list(table.match.answers)
    page.locator("#why-not summary").click()
    assert forbidden.rule in page.locator("#why-not").inner_text()
    told = page.request.post(
        f"{room.url}/t/{table.id}/act",
        form={"seat": "0", "stamp": table.stamp(0), "a": str(forbidden.id)},
        headers=same(room) | ({"X-Live": "1"} if js else {}),
    )
    assert told.status == 422
    assert forbidden.rule in told.text()
    assert forbidden.why("en") in told.text()
    assert ("part-board" in told.text()) is not js
    assert table.match.answers == before


def test_around_one_screen_hands_stay_behind_the_curtain(room):
    guest = room.guest("Ada")
    plans = [SeatPlan("me"), SeatPlan("hotseat", "Léa"), *[SeatPlan("bot", level="novice")] * 2]
    table = room.table(guest, GAME, 4, plans)
    page = room.page(guest, f"/t/{table.id}")
    seen = []
    for _ in range(4):
        seat = room.asked(table, (0, 1))
        expect(page.locator(f"#its-me-{seat}, #act[data-me='{seat}']")).to_have_count(1)
        if not seen or seen[-1] != seat:
            assert page.locator("#part-hand .gk-card").count() == 0, "a hand lies open"
            assert page.locator("#its-me-0, #its-me-1").count() == 1
            page.locator(f"#its-me-{seat}").click()
        expect(page.locator("#part-hand .gk-card").first).to_be_visible()
        assert page.locator("#act").get_attribute("data-me") == str(seat)
        seen.append(seat)
        room.move(page, table, seat, lazy)
    assert set(seen) == {0, 1}


def test_final_scores_and_rematch(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    room.advance(table, guest, 2000, lazy)
    page = room.page(guest, f"/t/{table.id}", lang="en")
    for seat in range(4):
        lines = [int(cell) for cell in page.locator(".account").nth(seat).locator("td").all_inner_texts()]
        assert sum(lines) == int(page.locator(".account h3 b").nth(seat).inner_text())
    page.locator("#rematch").click()
    page.wait_for_url(lambda url: table.id not in url)
    assert page.locator("#prompt").count() == 1


def test_the_discards_are_counted_and_who_cannot_fight_is_told(room):
    guest = room.guest()
    table = room.table(guest, GAME, 4)
    room.advance(table, guest, 3, eager)
    shown = table.match.view(0)
    assert 0 in shown["discards"]
    page = room.page(guest, f"/t/{table.id}", lang="en")
    counts = page.locator(".discards li").all_inner_texts()
    assert [int(text.split()[-1]) for text in counts] == shown["discards"]
    while not shown["fighting"] or all(knight["fights"] for knight in shown["knights"]):
        room.advance(table, guest, 1, eager)
        shown = table.match.view(0)
    page.goto(f"{room.url}/t/{table.id}?now")  # the present, not what was shown when one left
    told = ["out of the tournament" in text for text in page.locator(".player h3").all_inner_texts()]
    assert told == [not knight["fights"] for knight in shown["knights"]]


def test_gk_4_4_a_dolmen_where_the_card_takes_no_guard_does_not_look_legal(room):
    """In a tournament: where the opponent of that colour has no guard, nothing beckons; elsewhere it does."""
    guest = room.guest("Ada")
    table = room.table(guest, GAME, 4)
    seen: set[bool] = set()
    page = room.page(guest, f"/t/{table.id}", lang="en")
    while table.status == "playing" and seen != {True, False}:
        view = table.match.view(0)
        if view["asks"] == "Fight":
            page.goto(f"{room.url}/t/{table.id}?now")
            for card in view["cards"]:
                radio = page.locator(f"#pick-{card['answer']}:enabled")
                if card["owner"] in (None, 0) or not radio.count():
                    continue
                radio.check(force=True)
                for dolmen, stacks in enumerate(view["stacks"]):
                    legal = card["owner"] in [stack["seat"] for stack in stacks]
                    expect(page.locator(f"#do-d{dolmen} span")).to_have_css("opacity", "1" if legal else "0")
                    seen.add(legal)
        room.advance(table, guest, 1)
    assert seen == {True, False}
