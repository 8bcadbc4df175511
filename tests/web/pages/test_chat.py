"""Chat on the page: as a form, over the stream, in a browser; messages are escaped and rate-limited."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import httpx
import pytest
from playwright.sync_api import expect

from veillee.house.tables.seats import SeatPlan
from veillee.kernel.log import NO_SEAT
from veillee.web.app import create_app
from veillee.web.http.gate import RequestGate
from veillee.web.http.rate_limits import Limits, RateLimiter
from veillee.web.rendering.chat_messages import audience_of

GAME = "takara-island"
PATIENCE = 30


@pytest.fixture
def people(served):
    """Two who play and one who looks on."""
    house = served[1]
    ada, bob, eve = (house.guests.new(name) for name in ("Ada", "Bob", "Ève"))
    table = house.tables.create(ada, GAME, [SeatPlan("me"), SeatPlan("open")])
    table.sit(bob, 1)
    return table, ada, bob, eve


@contextmanager
def client(url, guest=None):
    cookies = {"guest": guest.token} if guest else {}
    with httpx.Client(
        base_url=url, cookies=cookies, headers={"Accept-Language": "en", "Origin": url}, timeout=PATIENCE
    ) as somebody:
        yield somebody


class Ear(threading.Thread):
    """Reads a stream until it has heard a word."""

    def __init__(self, url, table, guest, until):
        super().__init__(daemon=True)
        self.url, self.table, self.guest, self.until = url, table, guest, until
        self.heard, self.began = "", threading.Event()
        self.start()
        assert self.began.wait(PATIENCE)

    def run(self):
        with (
            client(self.url, self.guest) as somebody,
            somebody.stream("GET", f"/t/{self.table.id}/stream?talk=0") as said,
        ):
            for chunk in said.iter_text():
                self.heard += chunk
                if "event: parts" in self.heard:
                    self.began.set()
                if self.until in self.heard:
                    return

    def all(self):
        self.join(PATIENCE)
        assert not self.is_alive(), self.heard[-500:]
        return self.heard


def test_without_javascript_a_message_is_a_form(served, people):
    table, ada, bob, _ = people
    url, _ = served
    with client(url, ada) as somebody:
        answer = somebody.post(f"/t/{table.id}/talk", data={"words": "<b>Good evening</b>"})
        assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{table.id}?talk#talk")
        page = somebody.get(f"/t/{table.id}?talk").text
        assert "&lt;b&gt;Good evening&lt;/b&gt;" in page
        assert "<b>Good evening" not in page
        too_long = somebody.post(f"/t/{table.id}/talk", data={"words": "x" * 301})
        assert too_long.status_code == 422
        assert "at most 300 letters" in too_long.text
        assert '<details id="talk"' in too_long.text
        somebody.post(f"/t/{table.id}/talk/rule", data={"rule": "silent"})
    with client(url, bob) as somebody:
        answer = somebody.post(f"/t/{table.id}/talk", data={"gesture": "well"}, headers={"X-Live": "1"})
        assert (answer.status_code, answer.text) == (409, "Chat is off at this table.")
        assert somebody.post(f"/t/{table.id}/talk/rule", data={"rule": "words"}).status_code == 403


def test_the_stream_tells_it_to_those_concerned_and_moves_no_number(served, people):
    table, ada, bob, eve = people
    url, house = served
    ears = [Ear(url, table, guest, "the end of it") for guest in (ada, eve)]
    house.chat.say(eve, audience_of(table.moment), table.box, "look at that hand")
    house.chat.say(bob, audience_of(table.moment), table.box, "the end of it")
    player, onlooker = [ear.all() for ear in ears]
    assert "look at that hand" in onlooker
    assert "look at that hand" not in player
    for heard in (player, onlooker):
        assert heard.count("\nid: ") == 1, "what the page has of the board does not change"
        assert "event: talk" in heard
    with client(url, ada) as somebody:
        assert "look at that hand" not in somebody.get(f"/t/{table.id}").text
        assert somebody.get(f"/t/{table.id}/talk/1").status_code == 404, "not by its number, either"
        for path in (f"/t/{table.id}/replay", f"/api/tables/{table.id}", f"/api/tables/{table.id}/seats/0"):
            assert "the end of it" not in somebody.get(path).text


def test_at_the_end_the_players_hear_what_was_hidden(served):
    url, house = served
    ada, bob, eve = (house.guests.new(name) for name in ("Ada", "Bob", "Ève"))
    table = house.tables.create(ada, "paper-tales", [SeatPlan("me"), SeatPlan("open")])
    table.sit(bob, 1)
    trial = table.match.copy()
    answers = []
    while not trial.over:
        seat = trial.to_act[0]
        answers.append((seat, trial.choices(seat)[-1].id))
        trial.play(*answers[-1])
    house.chat.say(eve, audience_of(table.moment), table.box, "so close")

    def play(seat, action):
        table.answer((ada, bob)[seat], seat, table.stamp(seat), [action])

    for seat, action in answers[:-1]:
        play(seat, action)
    ear = Ear(url, table, ada, "so close")
    assert "so close" not in ear.heard
    play(*answers[-1])
    ear.all()


def test_a_message_can_be_reported_and_its_speaker_muted(served, people):
    table, ada, bob, _ = people
    url, house = served
    said = house.chat.say(bob, audience_of(table.moment), table.box, "fie upon you")
    about = f"/t/{table.id}/talk/{said.number}"
    with client(url, ada) as somebody:
        assert about in somebody.get(f"/t/{table.id}").text
        assert "a moderator will read it" in somebody.post(about, data={"deed": "report"}).text
        assert "Bob is muted at every table" in somebody.post(about, data={"deed": "mute"}).text
        assert "fie upon you" not in somebody.get(f"/t/{table.id}?talk").text
        assert "Bob" in somebody.get("/me").text
        assert somebody.post("/me/talk", data={"hear": bob.id}).status_code == 303
        assert "fie upon you" in somebody.get(f"/t/{table.id}?talk").text
        assert somebody.post("/me/talk", data={"on": "yes"}).status_code == 303
        assert "All tables are muted" in somebody.get(f"/t/{table.id}?talk").text
        assert somebody.post(about, data={"deed": "nonsense"}).status_code == 422
    with client(url, bob) as somebody:
        assert somebody.get(about).status_code == 404, "one's own words are one's own"
    for number in ("0", "999", "x", "-1", "9" * 40):
        assert httpx.get(f"{url}/t/{table.id}/talk/{number}").status_code == 404


def test_who_has_nobody_to_talk_to_is_shown_no_talk(served):
    url, house = served
    ada = house.guests.new("Ada")
    table = house.tables.play_now(ada, GAME)
    with client(url, ada) as somebody:
        assert 'id="talk"' not in somebody.get(f"/t/{table.id}").text
    assert 'id="talk"' in httpx.get(f"{url}/t/{table.id}").text, "who looks on may speak to others who do"


def test_messages_without_end_are_bounded_and_the_game_goes_on(people, served):
    table, ada, bob, _ = people
    meter = RateLimiter(Limits())
    app = RequestGate(create_app(served[1], meter=meter), meter)
    transport = httpx.ASGITransport(app=app)
    headers = {"Origin": "http://house", "Accept-Language": "en", "X-Live": "1"}

    async def flood():
        async with httpx.AsyncClient(transport=transport, base_url="http://house", headers=headers) as somebody:
            somebody.cookies.set("guest", bob.token)
            say = partial(somebody.post, f"/t/{table.id}/talk")
            statuses = [(await say(data={"words": f"flood {n}"})).status_code for n in range(200)]
            return statuses, await say(data={"gesture": "oh"})

    with ThreadPoolExecutor(1) as thread:  # the browser of other tests keeps a loop running in this one
        statuses, refused = thread.submit(asyncio.run, flood()).result()
    assert statuses.count(200) <= 12
    assert set(statuses) == {200, 429}
    assert refused.status_code == 429
    assert "wait a moment" in refused.text
    seat = table.match.to_act[0]
    before = len(table.match.answers)
    table.answer((ada, bob)[seat], seat, table.stamp(seat), [table.match.choices(seat)[0].id])
    assert len(table.match.answers) == before + 1
    assert all(one.seat != NO_SEAT for one in served[1].chat.load_latest(table.id))


def test_two_people_talk_by_keys_and_are_told_how_much_is_unread(room, people):
    table, ada, bob, _ = people
    hers = room.page(ada, f"/t/{table.id}", lang="en")
    his = room.page(bob, f"/t/{table.id}", lang="en", size="phone", theme="dark")
    expect(his.locator("#talk [data-unread]")).to_be_hidden()
    hers.locator("#talk summary").focus()
    hers.keyboard.press("Enter")
    hers.locator("#words").focus()
    hers.keyboard.type("Good evening, <i>Bob</i>")
    hers.keyboard.press("Enter")
    expect(hers.locator("#said li")).to_have_count(1)
    expect(his.locator("#talk [data-unread] b")).to_have_text("1")
    his.locator("#talk summary").click()
    expect(his.locator("#said")).to_contain_text("Good evening, <i>Bob</i>")
    expect(his.locator("#talk [data-unread]")).to_be_hidden()
    his.get_by_role("button", name="Well played!").click()
    expect(hers.locator("#said li").last).to_contain_text("Well played!")
    expect(hers.locator("#said li")).to_have_count(2)
    room.healthy(hers)
    room.healthy(his)
    his.reload()
    expect(his.locator("#talk [data-unread]")).to_be_hidden()
