"""Time control and presence on the pages: chosen, shown, refused; substitutes by agreement."""

from __future__ import annotations

import re

import pytest
from litestar.testing import TestClient
from playwright.sync_api import expect

from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.tables.clocks.time_control import DAY, MINUTE, UNTIMED_ABSENCE_SECONDS, TimeControl
from veillee.house.tables.seats import SeatPlan
from veillee.web.app import create_app

FORM = {"seat.0": "me", "seat.1": "open", "seat.2": "none", "seat.3": "none", "my-name": "Ada", "public": "yes"}
HERE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def clock():
    return Hourglass()


@pytest.fixture
def house(tmp_path, clock):
    house = House.open(tmp_path, workers=0, now=clock)
    yield house
    house.close()


@pytest.fixture
def visitor(house):
    """A browser without JavaScript, of a guest."""
    app = create_app(house)

    def come(guest=None, lang="en"):
        cookies = {"lang": lang} | ({"guest": guest.token} if guest else {})
        client = TestClient(app, cookies=cookies)
        client.headers.update(HERE)
        return client

    return come


@pytest.fixture
def seated(house):
    """Ada and Bob at a table of that pace."""

    def sit(pace, game="paper-tales"):
        ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
        table = house.tables.create(ada, game, [SeatPlan("me"), SeatPlan("open")], pace=pace)
        table.sit(bob, 1)
        return ada, bob, table

    return sit


def test_a_pace_is_chosen_with_the_table_and_told_wherever_it_stands(house, visitor):
    browser = visitor()
    figures = {"pace": "evening", "minutes": "45", "seconds": "15", "hours": "48", "then": "wait"}
    page = browser.post("/games/takara-island/tables", data=FORM | figures)
    assert page.status_code == 200
    (glance,) = house.tables.list_open()
    assert glance.pace == TimeControl.validated("evening", 45 * MINUTE, 15, "wait")
    told = "an evening: 45 minutes, and 15 seconds for each question · then all wait"
    stranger = visitor()
    for where in (f"/t/{glance.id}", "/games/takara-island"):
        assert told in stranger.get(where).text
    assert told in browser.get("/me").text
    french = visitor(lang="fr").get(f"/t/{glance.id}").text
    assert re.search(r"une soirée\s:\s45\sminutes, et 15\ssecondes par question", french)
    post = browser.post("/games/takara-island/tables", data=FORM | figures | {"pace": "post"})
    assert "by post: 2 days for each move" in post.text


@pytest.mark.parametrize(
    "wanted",
    [
        {"pace": "evening", "minutes": "0", "seconds": "15"},
        {"pace": "post", "hours": "8760"},
        {"pace": "post", "hours": "0"},
        {"pace": "evening", "minutes": "an hour", "seconds": "1"},
        {"pace": "evening", "minutes": "9" * 5000, "seconds": "1"},
        {"pace": "haste"},
    ],
)
def test_a_pace_of_nothing_or_of_a_year_is_a_sentence_and_no_table(house, visitor, wanted):
    page = visitor().post("/games/takara-island/tables", data=FORM | wanted)
    assert page.status_code == 422
    assert re.search(r'class="oops" role="alert">[^<]{20,}<', page.text)
    assert house.tables.list_open() == []


def test_programs_choose_a_pace_and_are_told_it(house, visitor):
    program = visitor(house.guests.new("Ada"))
    wish = {"game": "takara-island", "seats": [{"kind": "me"}, {"kind": "bot"}]}
    pace = {"kind": "post", "reserve": 0, "each": DAY, "then": "bot"}
    assert program.post("/api/tables", json=wish | {"pace": pace}).json()["pace"] == pace
    answer = program.post("/api/tables", json=wish | {"pace": pace | {"each": 365 * DAY}})
    assert (answer.status_code, answer.json()["sentence"]) == (422, "By post a move has one hour to thirty days.")


def test_the_page_shows_the_company_and_their_clocks_without_javascript(house, clock, visitor, seated):
    ada, _, table = seated(TimeControl.validated("evening", 10 * MINUTE, 0))
    clock.pass_by(90)
    page = visitor(ada).get(f"/t/{table.id}").text
    assert page.count('data-left="510"') == 2
    assert "8:30" in page
    assert page.count(">here<") == 1
    alone = house.tables.play_now(ada, "ghost-knights")
    assert re.search(r'id="part-company"[^>]*hidden', visitor(ada).get(f"/t/{alone.id}").text)


def test_time_that_is_out_is_in_the_chronicle_and_the_seat_is_taken_back(house, clock, visitor, seated):
    ada, bob, table = seated(TimeControl.validated("post", each=DAY), "takara-island")
    (late,) = table.match.to_act
    name, browser = table.seats[late].name, visitor((ada, bob)[late])
    clock.pass_by(DAY)
    house.timeouts.poll()
    page = browser.get(f"/t/{table.id}").text
    assert f"{name}&#39;s time is up: a bot plays until they return." in page
    assert "A bot holds your seat." in page
    browser.post(f"/t/{table.id}/back", data={"seat": str(late)})
    page = browser.get(f"/t/{table.id}").text
    assert f"{name} is back." in page
    assert f"{name} is back." in browser.get(f"/t/{table.id}/replay").text


def test_those_present_let_a_bot_play(house, clock, visitor, seated):
    ada, bob, table = seated(TimeControl(), "takara-island")
    (late,) = table.match.to_act
    present, absent = (bob, ada) if late == 0 else (ada, bob)
    browser = visitor(present)
    page = browser.get(f"/t/{table.id}").text
    assert "Let a bot play" not in page
    early = browser.post(f"/t/{table.id}/agree", data={"seat": str(late)})
    assert early.status_code == 409
    clock.pass_by(UNTIMED_ABSENCE_SECONDS)
    page = browser.get(f"/t/{table.id}").text
    assert f'id="agree-{late}"' in page
    assert "Let a bot play" not in visitor().get(f"/t/{table.id}").text, "who watches has no say"
    page = browser.post(f"/t/{table.id}/agree", data={"seat": str(late)}).text
    assert f"{absent.name} is away: a bot plays until they return, as the others asked." in page
    assert table.seats[late].away


def test_nights_and_holidays_are_kept_and_what_is_wrong_with_them_is_said(house, visitor):
    guest = house.guests.new("Ada")
    browser = visitor(guest)
    night = {"begin": "22:30", "end": "08:00", "zone": "Europe/Paris", "leave": "2027-07-01", "back": "2027-07-14"}
    page = browser.post("/notices/nights", data=night).text
    for value in night.values():
        assert f'value="{value}"' in page
    for wrong in ({"zone": "Mars"}, {"end": "22:00"}, {"back": "2028-01-01"}, {"begin": "<script>"}):
        page = browser.post("/notices/nights", data=night | wrong)
        assert page.status_code == 422
        assert "<script>" not in page.text.replace("<script type", "")
    assert house.quiet_hours.for_guest(guest.id).zone == "Europe/Paris"


@pytest.mark.browser
def test_somebody_comes_and_goes_before_the_others_eyes(room):
    """A page that is hidden is not here: it says so itself."""
    ada, bob = room.guest("Ada"), room.guest("Bob")
    evening = TimeControl.validated("evening", 10 * MINUTE, 20)
    table = room.house.tables.create(ada, "paper-tales", [SeatPlan("me"), SeatPlan("open")], pace=evening)
    table.sit(bob, 1)
    page = room.page(ada, f"/t/{table.id}", lang="en")
    company = page.locator("#part-company")
    expect(company.locator("li", has_text="Bob")).to_contain_text("away")
    other = room.page(bob, f"/t/{table.id}", lang="en")
    expect(company.locator("li", has_text="Bob")).to_contain_text("here")
    clock = company.locator("li", has_text="Ada").locator(".clock")
    shown = clock.inner_text()
    expect(clock).not_to_have_text(shown)  # it runs
    room.healthy_at_every_size(page)
    hide = "Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange'))"
    with other.expect_request(lambda request: "seen=0" in request.url):
        other.evaluate(hide)
    places = room.house.presence._pages
    for _ in range(200):  # the stream of before has ended, too
        if (bob.id, table.id) not in places:
            break
        page.wait_for_timeout(25)
    assert (bob.id, table.id) not in places, "a page that nobody looks at is not here"
    assert (ada.id, table.id) in places
    assert not room.complaints
