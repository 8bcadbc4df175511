"""One thing after the other: what happened is played beat by beat on the board as it was, then the present takes its place.

The films run by a clock of their own: a frame is a tenth of a second of the page's time, not of ours.
"""

from __future__ import annotations

from itertools import groupby, product
from random import Random

import pytest
from playwright.sync_api import Page, expect

from helpers import EVERYTHING
from veillee.games.catalogue import BOXES
from veillee.games.scene import LETTER, READING, RESTS, SPEEDS
from veillee.games.takara_island import rules as ti
from veillee.house.accounts.guest import Guest
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.web.rendering.beats import happenings

pytestmark = pytest.mark.browser

FRAME = 100  # milliseconds
LONGEST = 900  # frames
# What a frame shows: the sentence that is told, and how many things are shown large.
SEEN = """() => document.getElementById("now").hidden ? null : [
  document.querySelector("#now .told").innerText.trim(), document.querySelectorAll(".exhibit:not(.waits)").length]"""
# The parts of this page that do not say what the same page, loaded now, says.
STALE = """async () => {
  const words = e => { // but for those that a page with JavaScript has not
    const seen = e.cloneNode(true);
    for (const unseen of seen.querySelectorAll("noscript")) unseen.remove();
    return seen.textContent.replace(/\\s+/g, "");
  };
  const page = new DOMParser().parseFromString(await (await fetch(`${location.pathname}?now`)).text(), "text/html");
  return [...page.querySelectorAll("[data-part]")].filter(part => words(document.getElementById(part.id)) !== words(part)).map(part => part.id);
}"""


def people(room, game: str, number: int, seed: int) -> tuple[Table, list[Guest]]:
    """A table of people only."""
    guests = [room.guest(name) for name in ("Ada", "Ben", "Cléa", "Dov")[:number]]
    table = room.table(guests[0], game, number, [SeatPlan("me"), *[SeatPlan("open")] * (number - 1)], seed=seed)
    for seat in range(1, number):
        table.sit(guests[seat], seat)
    return table, guests


def before(room, game: str, number: int, wanted: str, first: int = 1) -> tuple[Table, list[Guest], int, int]:
    """A table right before an answer that causes an event of this kind ("card", or "glory GK-5.1"): seat and answer."""
    for seed in range(first, first + 40):
        table, guests = people(room, game, number, seed)
        pick = Random(seed)
        while not table.match.over:
            match = table.match
            seat = pick.choice(match.to_act)
            action = pick.choice(match.choices(seat)).id
            twin = match.copy()
            twin.play(seat, action)
            caused = twin.events(NO_SEAT)[match.heard(NO_SEAT) :]
            if any(wanted in (e.kind.name, f"{e.kind.name} {e.rule}") for e in caused):
                return table, guests, seat, action
            table.answer(guests[seat], seat, table.stamp(seat), [action])
    raise AssertionError(f"{wanted} never happens")


def film(page: Page, table: Table, seat: int) -> list[tuple[str, int]]:
    """Frame by frame: the sentence and how many things are shown large, until the page shows the present."""
    frames: list[tuple[str, int]] = []
    while page.locator("main").get_attribute("data-at") != table.moment.shown_version([seat]):
        expect(page.locator("#now")).to_be_visible()
        while len(frames) < LONGEST and (frame := page.evaluate(SEEN)) is not None:
            frames.append((" ".join(frame[0].split()), frame[1]))
            page.clock.run_for(FRAME)
    return frames


def expected(table: Table, seat: int, after: int) -> list[tuple[str, float, bool]]:
    """Of each beat since then: its sentence, how many seconds it stays at normal speed, whether something is shown large."""
    beats = [beat for _, beat in happenings(table.moment, table.match, seat, "fr", after)]
    found = []
    for beat in beats:
        said = " ".join(f"{beat.sentence} {beat.rule}".split())
        rest = RESTS[beat.rest]
        time = max(rest, min(READING, len(said) * LETTER)) if beat.rest == "result" else rest
        found.append((said, time, any(act.marks.get("does") == "show" for act in beat.acts)))
    return found


FILMS = [("ghost-knights", 4, "glory GK-5.1"), ("sourire-du-dragon", 2, "card"), ("paper-tales", 3, "war")]
FILMS = FILMS if EVERYTHING else FILMS[:1]


@pytest.mark.parametrize(("game", "number", "wanted"), FILMS)
def test_every_beat_is_on_screen_for_its_time_at_every_speed(room, game, number, wanted):
    table, guests, seat, action = before(room, game, number, wanted)
    other = next(s for s in range(number) if s != seat)
    pages = {speed: room.page(guests[other], f"/t/{table.id}", speed=speed, clock=True) for speed in SPEEDS}
    known = table.match.heard(other)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    beats = [beat for beat in expected(table, other, known) if beat[1]]
    assert len(beats) >= 3
    for speed, page in pages.items():
        if speed != "once":
            shown = [
                (said, len(list(same))) for said, same in groupby(film(page, table, other), key=lambda frame: frame[0])
            ]
            long = [beat for beat in beats if beat[1] * SPEEDS[speed] > 2 * FRAME / 1000]  # more than a glimpse
            shown = [(said, count) for said, count in shown if said in {said for said, *_ in long}]
            assert [said for said, _ in shown] == [said for said, _, _ in long]
            for (said, count), (_, time, _) in zip(shown, long, strict=True):
                assert count * FRAME / 1000 == pytest.approx(time * SPEEDS[speed], abs=0.25), (speed, said)
        page.wait_for_function(
            "stamp => document.querySelector('#act [name=stamp]').value === stamp", arg=table.stamp(other)
        )
        expect(page.locator("#now")).to_be_hidden()
        assert page.evaluate(STALE) == []
        assert page.locator(".token, .exhibit, [inert], .spotlit").count() == 0


def test_what_is_shown_large_can_be_read(room):
    """A drawn card, with its words, is there from the first frame of its beat to the last."""
    table, guests, seat, action = before(room, "sourire-du-dragon", 2, "card")
    page = room.page(guests[1 - seat], f"/t/{table.id}", speed="normal", clock=True)
    known = table.match.heard(1 - seat)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    large = {said for said, _, shows in expected(table, 1 - seat, known) if shows}
    frames = film(page, table, 1 - seat)
    assert large
    assert {said for said, things in frames if things} == large
    assert all(things for said, things in frames if said in large)


def test_a_tap_goes_on_and_skip_goes_to_the_present(room):
    table, guests, seat, action = before(room, "ghost-knights", 4, "glory GK-5.1")
    other = (seat + 1) % 4
    page = room.page(guests[other], f"/t/{table.id}", speed="calm", clock=True)
    known = table.match.heard(other)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    said = [sentence for sentence, _, _ in expected(table, other, known)]
    told = page.locator("#now .told")
    expect(told).to_have_text(said[0])
    page.locator("#go-on").click()
    expect(told).to_have_text(said[1])
    page.mouse.click(640, 300)  # the board
    expect(told).to_have_text(said[2])
    page.keyboard.press("Escape")
    expect(page.locator("#now")).to_be_hidden()
    assert page.evaluate(STALE) == []
    assert not room.complaints, room.complaints


def test_who_skips_and_answers_at_once_stands_where_they_should(room):
    """Early: the rest of the story is still to come, and more happens meanwhile."""
    table, guests, seat, action = before(room, "ghost-knights", 4, "glory GK-5.1")
    pick = Random(1)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    (me,) = table.match.to_act
    page = room.page(guests[me], f"/t/{table.id}", speed="calm", clock=True)
    for _ in range(2):
        stamp = table.stamp(me)
        page.locator("#do-draw").click()
        expect(page.locator("#now")).to_be_visible()
        assert table.stamp(me) != stamp
        while me not in table.match.to_act:
            (turn,) = table.match.to_act
            table.answer(guests[turn], turn, table.stamp(turn), [pick.choice(table.match.choices(turn)).id])
        expect(page.locator("#now")).to_be_visible()
        page.locator("#skip").click()
        room.catch_up(page, table, me)
        assert page.evaluate(STALE) == []


def test_what_is_taken_back_is_not_played_and_leaves_nothing_behind(room):
    """The seat itself is shown its move in hand; taken back, it is as if it had not been."""
    table, guests = people(room, "ghost-knights", 4, seed=7)
    (seat,) = table.match.to_act
    page = room.page(guests[seat], f"/t/{table.id}", speed="normal", clock=True)
    chronicle = "document.getElementById('log-list').textContent.replace(/\\s/g, '')"
    before, stamp = page.evaluate(chronicle), table.stamp(seat)
    card = next(choice.id for choice in table.match.choices(seat) if choice.verb == "play")
    table.answer(guests[seat], seat, table.stamp(seat), [card])
    expect(page.locator("#now")).to_be_visible()
    page.keyboard.press("Escape")
    room.catch_up(page, table, seat)
    assert page.evaluate(chronicle) != before
    table.undo(guests[seat], seat, table.stamp(seat))
    assert table.stamp(seat) != stamp, "the question is asked anew"
    room.catch_up(page, table, seat)
    assert page.evaluate(SEEN) is None
    assert page.evaluate(chronicle) == before
    assert page.evaluate(STALE) == []


def test_around_one_screen_everybody_sees_what_happened_and_then_hands_are_hidden(room):
    guest = room.guest()
    table = room.table(guest, "sourire-du-dragon", 2, [SeatPlan("me"), SeatPlan("hotseat", "Léa")])
    room.advance(table, guest, 2)
    (seat,) = table.match.to_act
    page = room.page(guest, f"/t/{table.id}?as={seat}", speed="normal", clock=True)
    known = table.match.heard(NO_SEAT)
    page.locator("#do-high").click()
    expect(page.locator("#now")).to_be_visible()
    said = [sentence for sentence, _, _ in expected(table, NO_SEAT, known)]
    expect(page.locator("#now .told")).to_have_text(said[0])
    page.keyboard.press("Escape")
    if seat not in table.match.to_act:
        expect(page.locator(f"#its-me-{1 - seat}")).to_be_visible()


def test_the_answered_question_is_out_of_reach_while_its_consequences_are_played(room):
    table, guests, seat, _ = before(room, "sourire-du-dragon", 2, "card")
    page = room.page(guests[seat], f"/t/{table.id}", speed="calm")
    page.locator("#do-high").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#now")).to_be_visible()
    assert page.locator(".middle [form=act]:not([inert])").count() == 0
    assert page.evaluate("document.activeElement.id") == "now", "the focus is where something happens"
    page.keyboard.press("Enter")  # goes on
    room.accessible(page)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    room.accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("#now")).to_be_hidden()
    assert page.evaluate("document.activeElement.closest('.middle') !== null"), "and comes back to the question"


def test_every_sentence_is_said_once(room):
    table, guests, seat, action = before(room, "sourire-du-dragon", 2, "card")
    other = 1 - seat
    page = room.page(guests[other], f"/t/{table.id}", speed="brisk", clock=True)
    page.evaluate(
        """() => { window.said = []; new MutationObserver(() => said.push(document.getElementById("say").textContent))
           .observe(document.getElementById("say"), { childList: true }); }"""
    )
    known = table.match.heard(other)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    film(page, table, other)
    said = [sentence for sentence, _, _ in expected(table, other, known)]
    assert [" ".join(words.split()) for words in page.evaluate("said")] == said
    lines = page.locator("#log-list [data-n] p")
    written = [" ".join(lines.nth(n).inner_text().split()) for n in range(len(said))]
    assert written == said[::-1], "and stands in the chronicle once"


def test_two_tabs_and_a_sleeper_all_come_to_the_same_present(room):
    table, guests, seat, action = before(room, "sourire-du-dragon", 2, "card")
    other = 1 - seat
    quick = room.page(guests[other], f"/t/{table.id}", speed="once")
    slow = room.page(guests[other], f"/t/{table.id}", speed="normal", clock=True)
    asleep = room.page(guests[other], f"/t/{table.id}", speed="normal", clock=True)
    hide = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => %s }); document.dispatchEvent(new Event('visibilitychange'))"
    asleep.evaluate(hide % "true")
    known = table.match.heard(other)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    for _ in range(3):
        match = table.match
        turn = match.to_act[0]
        if turn == other:
            room.move(quick, table, other, lambda match, s: match.choices(s)[0].id)
        else:
            table.answer(guests[turn], turn, table.stamp(turn), [match.choices(turn)[0].id])
    asleep.wait_for_timeout(300)
    assert asleep.evaluate(SEEN) is None, "nobody looks"
    asleep.evaluate(hide % "false")
    said = [sentence for sentence, time, _ in expected(table, other, known) if time]
    for page in (slow, asleep):
        shown = [sentence for sentence, _ in groupby(film(page, table, other), key=lambda frame: frame[0])]
        assert [sentence for sentence in shown if sentence in said] == said
        assert page.evaluate(STALE) == []
    room.catch_up(quick, table, other)
    assert quick.evaluate(STALE) == []


def test_who_comes_back_is_shown_what_has_happened_since(room):
    table, guests, seat, action = before(room, "sourire-du-dragon", 2, "card")
    other = 1 - seat
    page = room.page(guests[other], f"/t/{table.id}", speed="normal", clock=True)
    board = page.locator("#part-heroes").inner_text()
    page.goto(f"{room.url}/rules/sourire-du-dragon")
    known = table.match.heard(other)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    assert board
    page.goto(f"{room.url}/t/{table.id}")
    expect(page.locator("#now .away")).to_be_visible()
    assert page.locator("#part-heroes").inner_text() == board, "the board as it was"
    shown = [sentence for sentence, _ in groupby(film(page, table, other), key=lambda frame: frame[0])]
    assert [said for said, time, _ in expected(table, other, known) if time] == shown
    assert page.evaluate(STALE) == []
    page.reload()
    page.wait_for_timeout(200)
    assert page.evaluate(SEEN) is None, "it is told once"
    stamp = page.evaluate("document.querySelector('#act [name=stamp]').value")
    assert stamp == table.stamp(other)


def test_without_javascript_it_is_read(room):
    table, guests, seat, _ = before(room, "sourire-du-dragon", 2, "card")
    other = 1 - seat
    page = room.page(guests[seat], f"/t/{table.id}", js=False)
    known = table.match.heard(seat)
    room.move(page, table, seat)
    while seat not in table.match.to_act:
        table.answer(guests[other], other, table.stamp(other), [table.match.choices(other)[0].id])
    page.reload()
    lines = [" ".join(line.split()) for line in page.locator(".news li").all_inner_texts()]
    assert lines == [said for said, _, _ in expected(table, seat, known)]
    above, board = page.locator(".news").bounding_box(), page.locator(".middle").bounding_box()
    assert above["y"] <= board["y"], "over the board, or over the chronicle beside it"


def test_a_browser_without_a_stream_is_as_one_without_javascript(room):
    table, guests, seat, _ = before(room, "sourire-du-dragon", 2, "card")
    page = room.page(guests[seat], "/fair")
    page.add_init_script("delete window.EventSource; delete Document.prototype.startViewTransition")
    page.goto(f"{room.url}/t/{table.id}")
    answered = len(table.match.answers)
    page.locator("#do-high").click()
    expect(page.locator(".news li").first).to_be_visible()
    assert len(table.match.answers) > answered
    room.accessible(page)
    room.open.pop(page)  # its failed requests are not errors of the test
    page.context.close()


def test_a_proxy_that_keeps_the_stream_to_itself(room):
    """What was answered is fetched after a while; the second time the page goes on as without JavaScript."""
    table, guests, seat, _ = before(room, "sourire-du-dragon", 2, "card")
    page = room.page(guests[seat], "/fair")
    page.route("**/stream?*", lambda route: None)  # nothing of it ever arrives
    page.add_init_script("window.setTimeout = (later => (f, ms) => later(f, ms > 5000 ? 50 : ms))(window.setTimeout)")
    for js in (True, True, False):
        while seat not in table.match.to_act:
            (other,) = table.match.to_act
            table.answer(guests[other], other, table.stamp(other), [table.match.choices(other)[0].id])
        page.goto(f"{room.url}/t/{table.id}?now")
        expect(page.locator("html.js")).to_have_count(1 if js else 0)
        stamp, answers = table.stamp(seat), len(table.match.answers)
        page.locator("button[form=act][name=a]:not([aria-disabled]):visible").first.click()
        expect(page.locator("input[name=stamp]").first).not_to_have_value(stamp)
        assert len(table.match.answers) > answers
    room.open.pop(page)
    page.context.close()


def test_the_speed_is_remembered(room):
    table, guests, seat, _ = before(room, "sourire-du-dragon", 2, "card")
    page = room.page(guests[seat], f"/t/{table.id}", speed="normal")
    page.locator("#to-settings").click()
    with page.expect_response("**/prefs"):
        page.locator("#settings [name=speed][value=brisk]").check()
    assert page.locator("main").get_attribute("data-speed") == "brisk", "it counts at once"
    page.reload()
    expect(page.locator("#settings [name=speed][value=brisk]")).to_be_checked()
    assert page.locator("main").get_attribute("data-speed") == "brisk"


# What a frame shows of the board: its counts, the step of the turn, and the pieces that lie in each row of a kingdom.
BOARD = """() => ({
  counts: Object.fromEntries([...document.querySelectorAll("[data-count]")].map(e => [e.dataset.count, e.textContent.trim()])),
  step: document.querySelector("[data-step].now")?.dataset.step ?? "",
  told: document.getElementById("now").hidden ? "" : document.querySelector("#now .told").innerText.trim(),
})"""


def boards(page: Page, table: Table, seat: int) -> list[dict]:
    """Frame by frame: what the board shows, until it is the present."""
    frames: list[dict] = []
    while page.locator("main").get_attribute("data-at") != table.moment.shown_version([seat]):
        expect(page.locator("#now")).to_be_visible()
        while len(frames) < LONGEST and (frame := page.evaluate(BOARD))["told"]:
            frames.append(frame)
            page.clock.run_for(FRAME)
    return frames


def test_the_board_moves_with_the_story(room):
    """Paper Tales: strengths are on the board while a war is told, the phase is that of the event, gold is counted up."""
    table, guests, seat, action = before(room, "paper-tales", 3, "war")
    other = (seat + 1) % 3
    page = room.page(guests[other], f"/t/{table.id}", speed="normal", clock=True)
    known = table.match.heard(other)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    events = table.match.events(other)[known:]
    frames = boards(page, table, other)
    wars = [e for e in events if e.kind.name == "war"]
    assert wars
    for war in wars:
        shown = [f for f in frames if f["counts"][f"strength-{war.seat}"] == str(war.mine) and f["step"] == "war"]
        assert [f for f in shown if f["counts"][f"strength-{war.other}"] == str(war.theirs)], "as they are told"
    told_of_war = [f for f in frames if f["step"] == "war"]
    assert {f["counts"][f"strength-{war.seat}"] for f in told_of_war for war in wars[:1]} == {str(wars[0].mine)}
    assert page.evaluate(STALE) == []


def test_an_adventurer_who_is_sent_out_is_away_while_it_is_told(room):
    """Takara Island: paid for at once, at the den, and not in the camp any more; what follows is counted after it."""
    table, guests, seat, action = before(room, "takara-island", 2, "den")
    page = room.page(guests[1 - seat], f"/t/{table.id}", speed="normal", clock=True)
    ready = "[...document.querySelectorAll('.ti-camp .ti-adv')].filter(e => getComputedStyle(e).visibility !== 'hidden').length"
    karas, camp = int(page.evaluate(BOARD)["counts"][f"karas-{seat}"]), page.evaluate(ready)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    expect(page.locator("#now")).to_be_visible()
    expect(page.locator(f"[data-count=karas-{seat}]")).to_have_text(str(karas + 1))
    assert page.evaluate(ready) == camp - 1
    assert page.locator(".token .ti-adv").count() == 1, "it is at the den"
    boards(page, table, 1 - seat)
    assert page.evaluate(STALE) == []


def test_of_a_fight_die_after_die_falls_and_a_heart_with_each_sword(room):
    """Takara Island: how it ends is told when the last die lies there."""
    for number in range(1, 40):
        table, guests, seat, action = before(room, "takara-island", 2, "fight", first=number)
        twin = table.match.copy()
        twin.play(seat, action)
        caused = twin.events(NO_SEAT)[table.match.heard(NO_SEAT) :]
        dice = [e.sword for e in caused if e.kind.name == "die"]
        if len(dice) > 1 and sum(dice) and any(e.kind.name == "fight" for e in caused):
            break
    page = room.page(guests[1 - seat], f"/t/{table.id}", speed="normal", clock=True, lang="en")
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    expect(page.locator("#now")).to_be_visible()
    seen = "() => [document.querySelectorAll('.exhibit:not(.waits) > .die').length, document.querySelectorAll('#exhibits [data-falls]').length, document.querySelector('#now .told').innerText]"
    frames = []
    for _ in range(LONGEST):
        if page.evaluate(SEEN) is None:
            break
        if page.locator("#exhibits .ti-found .lives").count():
            frames.append(page.evaluate(seen))
        page.clock.run_for(FRAME)
    steps = [frame for frame, _ in groupby(frames, key=lambda frame: tuple(frame[:2]))]
    lives = next(ti.LIVES[e.monster] - e.wounds for e in caused if e.kind.name == "fight")
    assert steps[-len(dice) :] == [(n, lives - sum(dice[:n])) for n in range(1, len(dice) + 1)]
    assert not any("defeats" in told or "fails" in told for _, _, told in frames)


LARGE = [("paper-tales", "war", "desktop"), ("tales-of-glory", "place", "phone")]
OTHERS = [("paper-tales", "war", "phone"), ("tales-of-glory", "place", "desktop")]


@pytest.mark.parametrize(("game", "wanted", "size"), LARGE + OTHERS if EVERYTHING else LARGE)
def test_what_is_shown_large_is_whole_and_beside_its_sentence(room, game, wanted, size):
    table, guests, seat, action = before(room, game, 3, wanted)
    other = (seat + 1) % 3
    page = room.page(guests[other], f"/t/{table.id}", speed="normal", clock=True, size=size)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    boxes = """() => document.querySelector(".exhibit") && [...document.querySelectorAll(".exhibit, #now")]
        .map(e => e.getBoundingClientRect()).map(r => [r.left, r.top, r.right, r.bottom])"""
    expect(page.locator("#now")).to_be_visible()
    seen = 0
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    for _ in range(LONGEST):
        if page.evaluate(SEEN) is None:
            break
        if found := page.evaluate(boxes):
            seen += 1
            *shown, told = found
            for left, top, right, bottom in shown:
                assert min(left, top, width - right, height - bottom) >= 0, "whole"
                assert bottom <= told[1] or top >= told[3], "not behind the sentence"
        page.clock.run_for(FRAME)
    assert seen


def test_what_one_has_done_oneself_is_not_told_back(room):
    """It is seen done, without its sentence in the way; the chronicle has it, and those who listen are told."""
    table, guests, seat, action = before(room, "takara-island", 2, "den")
    page = room.page(guests[seat], f"/t/{table.id}", speed="normal", motion=True)
    page.evaluate(
        """() => { window.bar = 0; new MutationObserver(() => { bar += !document.getElementById("now").hidden; })
           .observe(document.getElementById("now"), { attributes: true }); }"""
    )
    stamp = table.stamp(seat)
    page.locator(f"#do-{action}").click()
    expect(page.locator("input[name=stamp]").first).not_to_have_value(stamp)
    expect(page.locator("#log-list")).to_contain_text("TI-6.1")
    assert page.evaluate("bar") == 0
    assert page.evaluate(STALE) == []


def test_who_skips_does_not_let_the_bots_wait(room):
    """Until one is asked again: then it is shown as before."""
    table, guests, seat, action = before(room, "ghost-knights", 4, "glory GK-5.1")
    other = (seat + 1) % 4
    page = room.page(guests[other], f"/t/{table.id}", speed="calm", clock=True)
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    expect(page.locator("#now")).to_be_visible()
    assert table.animation_seconds() > 0
    with page.expect_request("**/stream?*hasty"):
        page.locator("#skip").click()
    while other not in table.match.to_act:
        (turn,) = table.match.to_act
        table.answer(guests[turn], turn, table.stamp(turn), [table.match.choices(turn)[0].id])
    room.catch_up(page, table, other)
    expect(page.locator("#now")).to_be_hidden()
    (choice,) = [c for c in table.match.choices(other) if c.verb == "draw"]
    table.answer(guests[other], other, table.stamp(other), [choice.id])
    expect(page.locator("#now")).to_be_visible()
    assert table.animation_seconds() > 0, "they wait again"


def test_tiles_that_one_only_looks_at_go_on_by_themselves(room):
    """Takara Island: no click where there is nothing to choose; it goes on when the tile has been seen."""
    for seed in range(1, 40):
        table, guests = people(room, "takara-island", 2, seed)
        (seat,) = table.match.to_act
        skip = next((c.id for c in table.match.choices(seat) if c.verb == "no_sword"), None)
        if skip is not None:
            table.answer(guests[seat], seat, table.stamp(seat), [skip])
        observe = next(c.id for c in table.match.choices(seat) if c.verb == "observe")
        twin = table.match.copy()
        twin.play(seat, observe)
        if {c.verb for c in twin.choices(seat)} == {"go_on"}:
            break
    page = room.page(guests[seat], f"/t/{table.id}", speed="normal", clock=True)
    table.answer(guests[seat], seat, table.stamp(seat), [observe])
    stamp, answers = table.stamp(seat), len(table.match.answers)
    frames = 0
    while len(table.match.answers) == answers and frames < 60:
        frames += 1
        page.clock.run_for(FRAME)
        page.wait_for_timeout(10)
    assert table.stamp(seat) != stamp
    assert frames * FRAME > 1000, "it has been seen"


# While a beat is told: the figures that it names and the board does not show, the things it speaks of that lie under what
# is told or shown large, and a sentence that is not whole.
WRONG = """() => {
  const at = e => e.getBoundingClientRect(), shown = e => e.getClientRects().length && getComputedStyle(e).visibility !== "hidden";
  const hides = (r, s) => Math.max(0, Math.min(r.right, s.right) - Math.max(r.left, s.left)) * Math.max(0, Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top)) / (s.width * s.height);
  const wrong = [], acts = window.acts ?? [], over = [...document.querySelectorAll("#now:not([hidden]), .exhibit:not(.waits)")];
  const told = document.querySelector("#now:not([hidden])"), r = told && at(told);
  if (r && (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth)) wrong.push("the sentence is cut by the edge of the window");
  for (const { dataset: d } of acts) {
    for (const [name, number] of d.sets?.split(" ").map(pair => pair.split("=")) ?? [])
      for (const e of document.querySelectorAll(`[data-count="${CSS.escape(name)}"]`))
        if (e.textContent.trim() !== number) wrong.push(`${name} is ${number}, and ${e.textContent.trim()} on the board`);
    for (const e of document.querySelectorAll(`[data-piece="${CSS.escape(d.piece ?? "-")}"]`)) if (shown(e))
      for (const lid of over) if (hides(at(lid), at(e)) > .5) wrong.push(`${d.piece} lies under ${lid.id || lid.firstElementChild.className}`);
  }
  return wrong;
}"""
STORIES = {
    "ghost-knights": "glory GK-5.1",
    "paper-tales": "war",
    "takara-island": "fight",
    "tales-of-glory": "place",
    "sourire-du-dragon": "walk",
}
STAGES = list(product(STORIES, [(1440, 900), (1280, 720), (390, 844)]))
LOW = [("paper-tales", (390, 844)), ("tales-of-glory", (390, 844))]  # where the question's place is low
CHOSEN = [("ghost-knights", (1440, 900)), ("takara-island", (1280, 720)), ("sourire-du-dragon", (390, 844)), *LOW]


@pytest.mark.parametrize(("game", "window"), STAGES if EVERYTHING else CHOSEN)
def test_what_a_beat_names_is_on_the_board_and_nothing_covers_it(room, game, window):
    number = max(3, BOXES[game].players[0])
    table, guests, seat, action = before(room, game, number, STORIES[game])
    other = (seat + 1) % number
    page = room.page(guests[other], f"/t/{table.id}", speed="normal", clock=True)
    page.set_viewport_size({"width": window[0], "height": window[1]})
    page.evaluate("addEventListener('veillee:beat', e => { window.acts = e.detail; }, true)")
    table.answer(guests[seat], seat, table.stamp(seat), [action])
    expect(page.locator("#now")).to_be_visible()
    frames, wrong = 0, []
    while page.evaluate(SEEN) is not None and frames < LONGEST:
        frames += 1
        wrong += [f"{page.locator('#now .told').inner_text()}: {fault}" for fault in page.evaluate(WRONG)]
        page.clock.run_for(FRAME)
    assert frames > 5
    assert not wrong, "\n".join(dict.fromkeys(wrong))
