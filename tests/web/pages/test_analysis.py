"""Analysis on the page: requested after the end, shown as chart, table and sentences; in the replay; and playing on."""

from __future__ import annotations

import time

import httpx
import pytest
from playwright.sync_api import expect

from veillee.bots.evaluation import Budget
from veillee.house.analysis.queue import Analysis
from veillee.house.tables.seats import SeatPlan
from veillee.web.pages.analysis import round_to_sum

pytestmark = pytest.mark.browser
GAME = "takara-island"


def read(room, path, guest=None):
    cookies = {"lang": "en"} | ({"guest": guest.token} if guest else {})
    return httpx.get(room.url + path, cookies=cookies)


@pytest.fixture
def over(room, monkeypatch):
    monkeypatch.setattr(room.house.analyses, "budget", Budget(2, 2, 2))
    guest = room.guest("Gauvain")
    table = room.table(guest, GAME, 2)
    room.advance(table, guest, 3000)
    assert table.status == "over"
    return guest, table


def analysed(room, table):
    room.house.analyses.enqueue(table.id, table.match)
    end = time.monotonic() + 60
    while room.house.analyses.find(table.id).state != "done" and time.monotonic() < end:
        time.sleep(0.02)
    return room.house.analyses.find(table.id)


def test_it_is_asked_for_watched_and_leads_to_its_moments(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}", lang="en")
    page.locator("#look-into").click()
    expect(page.locator("#h-turns")).to_be_visible(timeout=60_000)
    assert page.locator(".moments").first.locator("li").count() == 3
    assert page.locator(".analysis-page details tbody tr").count() == len(table.match.answers) + 1
    page.locator(".moments a").first.click()
    expect(page.locator("#replay")).to_be_visible()
    assert not room.complaints, room.complaints


def test_a_second_view_of_a_stored_analysis_replays_nothing(room, over, monkeypatch):
    _, table = over
    analysed(room, table)
    first = read(room, f"/t/{table.id}/analysis").text
    monkeypatch.setattr("veillee.match.match.Match.from_the_start", lambda match: pytest.fail("replayed"))
    assert read(room, f"/t/{table.id}/analysis").text == first


def test_the_replay_tells_what_could_be_chosen_by_what_the_seat_knew(room, over):
    guest, table = over
    found = analysed(room, table)
    number = next(n for n, row in enumerate(found.rows) if "options" in row and table.match.answers[n - 1][0] == 0)
    page = room.page(guest, f"/t/{table.id}/replay?at={number - 2}", lang="en")
    steps, shown = page.locator("#steps"), page.locator("[data-thought]:visible")
    stood = steps.bounding_box()
    expect(shown).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(shown.locator("em")).to_have_text("(chosen)")
    assert steps.bounding_box() == stood, "nothing jumps under the finger"
    page.locator("#play-on").click()
    expect(page.locator("#prompt")).to_be_visible()
    opened = room.house.tables.find(page.url.rpartition("/")[2])
    assert opened.match.answers[: number - 1] == table.match.answers[: number - 1]
    assert opened.moment.row.branch == f"{table.id} {number - 1}"


def test_without_javascript_it_is_asked_for_and_looked_at_again(room, over):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}/analysis", js=False, lang="en")
    page.locator("#analyse").click()
    analysed(room, table)
    page.goto(f"{room.url}/t/{table.id}/analysis")
    expect(page.locator("#h-turns")).to_be_visible()
    expect(page.locator(".apart li")).to_have_count(2)
    expect(page.locator(".apart .key span")).to_have_count(6)
    assert all("%" in value for value in page.locator(".apart .key span").all_inner_texts()), "bars have values"


def test_what_one_could_have_done_is_told_to_whoever_sat_there(room, over):
    guest, table = over
    found = analysed(room, table)
    number = next(n for n, row in enumerate(found.rows) if "options" in row and table.match.answers[n - 1][0] == 0)
    taken = table.match.answers[number - 1][1]
    other = next(option[0] for option in found.rows[number]["options"] if option[0] != taken)
    found.rows[number] |= {"options": [[other, 0.6, 0.0], [taken, 0.4, 0.01]], "reasons": []}
    told = read(room, f"/t/{table.id}/analysis", guest).text
    assert "40 % to win. With what you knew" in told
    assert "What you could have done" not in read(room, f"/t/{table.id}/analysis").text


def test_whoever_reads_while_it_is_found_out_is_left_where_they_are(room, over):
    guest, table = over
    rows = analysed(room, table).rows
    found = Analysis(len(rows), "running", rows[:3])
    room.house.analyses._cache[table.id] = found
    page = room.page(guest, f"/t/{table.id}/analysis", lang="en")
    page.locator("#as-a-table summary").press("Enter")
    rest = rows[3:]
    found.rows += rest
    expect(page.locator("#every-chance tbody tr")).to_have_count(len(rows))
    expect(page.locator("#every-chance")).to_be_visible()
    expect(page.locator("#as-a-table summary")).to_be_focused()
    found.state = "done"
    expect(page.locator("#h-turns")).to_be_visible()
    expect(page.locator("#every-chance")).to_be_visible()


@pytest.mark.parametrize(
    ("parts", "total", "shown"),
    [
        ((0.152, -0.2546, -0.2244), -33, [15, -26, -22]),
        ((0.3, 0.2, -0.5), 0, [30, 20, -50]),
        ((0.006, 0.006, 0.006), 1, [0, 0, 1]),
        ((-0.006, 0.124, 0.0), 12, [-1, 13, 0]),
    ],
)
def test_what_is_shown_adds_up(parts, total, shown):
    found = round_to_sum(parts, total)
    assert sum(found) == total
    assert sorted(found) == sorted(shown)
    assert all(abs(100 * part - one) < 1 for part, one in zip(parts, found, strict=True))


def test_nothing_of_a_game_that_goes_on(room):
    guest = room.guest("Yvain")
    table = room.house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("bot")])
    assert read(room, f"/t/{table.id}/analysis", guest).status_code == 409
    for deed in ("analysis", "play-on"):
        answer = httpx.post(
            f"{room.url}/t/{table.id}/{deed}",
            cookies={"guest": guest.token},
            headers={"Origin": room.url},
            data={"at": "0"},
        )
        assert answer.status_code == 409
    assert "thoughts" not in read(room, f"/t/{table.id}/replay", guest).text


def test_it_looks_well(room, over):
    guest, table = over
    analysed(room, table)
    room.glance_at(guest, f"/t/{table.id}/analysis")
    room.glance_at(guest, f"/t/{table.id}/replay?at=3&from=0")


@pytest.mark.parametrize("js", [True, False])
def test_luck_and_skill_begins_at_once_from_the_replay(room, over, js):
    guest, table = over
    page = room.page(guest, f"/t/{table.id}/replay", lang="en", js=js)
    page.get_by_role("button", name="Luck and skill").press("Enter")
    page.wait_for_url(f"**/t/{table.id}/analysis")
    expect(page.get_by_role("button", name="Analyse this game")).to_have_count(0)
    assert room.house.analyses.find(table.id).state in ("waiting", "running", "done")
    analysed(room, table)
    page.goto(f"{room.url}/t/{table.id}/replay")
    page.get_by_role("button", name="Luck and skill").press("Enter")  # again: the one that is there
    page.wait_for_url(f"**/t/{table.id}/analysis")
    expect(page.get_by_role("button", name="Analyse this game")).to_have_count(0)
