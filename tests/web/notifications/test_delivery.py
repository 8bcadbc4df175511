"""Notices: each turn is told once to every channel, to receivers of our own that take it in; never after a move, a look or "not
again"."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from base64 import urlsafe_b64encode
from email import message_from_bytes
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import urandom
from xml.etree import ElementTree as ET

import http_ece
import pytest
import sqlalchemy as sa
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from litestar.testing import TestClient
from py_vapid import Vapid02

from veillee.house.accounts.quiet_hours import QuietHours
from veillee.house.errors import BadRequest
from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.notifications import channels, outbox
from veillee.house.notifications.outbox import CONFIRM
from veillee.house.storage.schema import channels as ways
from veillee.house.storage.schema import notices
from veillee.house.tables.clocks.time_control import DAY, HOUR, TimeControl
from veillee.house.tables.seats import SeatPlan
from veillee.web.app import create_app
from veillee.web.http.rate_limits import Limits, RateLimiter
from veillee.web.notifications.delivery import NotificationDelivery
from veillee.web.notifications.transports import SENT_KINDS, Transports, TransportSettings
from veillee.web.notifications.transports.webhook import Webhook

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # Apprise's
HERE = {"Sec-Fetch-Site": "same-origin"}


class Receiver:
    """Takes in what is posted to it, and answers with `status`."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.paths: list[str] = []
        self.status = 201
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers), body))
                receiver.paths.append(self.path)
                self.send_response(receiver.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.close()


class Browser:
    """One that has subscribed to a push service, and can read what comes from it."""

    def __init__(self, endpoint: str) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), urandom(16)
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": _text(point), "auth": _text(self.auth)}
        self.subscription = json.dumps({"endpoint": endpoint, "keys": keys})

    def read(self, body: bytes) -> dict[str, str]:
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


class Letterbox:
    def __init__(self) -> None:
        self.letters = []

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        self.letters.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=default)))
        return "250 OK"


@pytest.fixture
def letterbox():
    box = Letterbox()
    with socket.create_server(("127.0.0.1", 0)) as free:
        box.port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=box.port)
    controller.start()
    yield box
    controller.stop()


@pytest.fixture
def clock():
    return Hourglass()


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request, tmp_path, clock):
    place = tmp_path if request.param == "sqlite" else request.getfixturevalue("database")
    house = House.open(place, workers=0, now=clock)
    yield house
    house.close()


@pytest.fixture
def transports(house, letterbox):
    smtp = f"smtp://127.0.0.1:{letterbox.port}"
    return Transports(
        house.store, TransportSettings(smtp, "house@example.org", ("json",), private=True, origin="http://house.test")
    )


@pytest.fixture
def tick(house, clock, transports):
    """Time passes; then whatever is to be done is done."""
    postman = NotificationDelivery(house, transports)

    def tick(seconds=0.0):
        clock.pass_by(seconds)
        house.timeouts.poll()
        return sum(postman.deliver_pending(kind) for kind in SENT_KINDS)

    return tick


@pytest.fixture
def people(house):
    """Ada and Bob; it is Ada's turn."""
    for _ in range(20):
        ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
        table = house.tables.create(ada, "takara-island", [SeatPlan("me"), SeatPlan("open")])
        table.sit(bob, 1)
        if table.match.to_act == (0,):
            return ada, bob, table
    raise AssertionError


@pytest.fixture
def visitor(house, transports):
    app = create_app(house, transports=transports, public_url="http://testserver.local")

    def come(guest=None, **headers):
        client = TestClient(app, cookies={"lang": "en"} | ({"guest": guest.token} if guest else {}))
        client.headers.update(HERE | headers)
        return client

    return come


def move(table, guest):
    (seat,) = table.seats_of(guest)
    table.answer(guest, seat, table.stamp(seat), [table.match.choices(seat)[0].id])


def test_every_kind_is_delivered_once_a_turn_and_says_where_to_go(
    house, people, tick, receiver, letterbox, visitor, transports
):
    ada, bob, table = people
    browser, mine = Browser(f"{receiver.url}/push"), visitor(ada)
    for kind, address in (
        ("push", browser.subscription),
        ("webhook", f"{receiver.url}/hook"),
        ("apprise", receiver.url.replace("http", "json") + "/apprise"),
        ("mail", "ada@example.org"),
    ):
        assert mine.post("/notices/add", data={"kind": kind, "address": address}).status_code == 200
    assert tick() == 1, "the letter that asks"
    (to, letter), letterbox.letters = letterbox.letters[0], []
    assert to == ["ada@example.org"]
    yes = re.search(r"/notices/yes/\S+", letter.get_content())[0]
    assert "Is this your address?" in visitor().get(yes).text
    assert "Thank you" in visitor().post(yes).text
    assert tick(30) == 0, "she may still look"
    assert tick(31) == 4
    assert tick(DAY) == tick(DAY) == 0, "once a turn"
    apprise, push, hook = receiver.got
    said = browser.read(push[1])
    assert (said["title"], said["body"]) == ("Your turn at Takara Island", "Bob waits for you.")
    assert said["url"] == f"http://house.test/t/{table.id}"
    assert Vapid02.verify(push[0]["Authorization"])
    assert transports["push"].public_key() in push[0]["Authorization"]
    assert json.loads(hook[1])["url"] == said["url"]
    assert json.loads(apprise[1])["title"] == said["title"]
    ((_, letter),) = letterbox.letters
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert said["url"] in letter.get_content()
    move(table, ada)
    move(table, bob)
    assert tick(61) == 4, "the next turn"


def test_nothing_comes_to_who_has_moved_or_looked_and_who_forgets_is_reminded_once(
    house, clock, people, tick, receiver
):
    ada, bob, table = people
    for guest in (ada, bob):
        channels.add_channel(house.store, guest.id, "webhook", f"{receiver.url}/{guest.name}", "en")
    clock.pass_by(30)
    move(table, ada)
    clock.pass_by(20)
    move(table, bob)
    assert tick(45) == 0, "Ada's new turn has not waited for a minute"
    house.presence.record_visit(ada.id, table.id)
    assert tick(HOUR) == 0
    assert tick(DAY) == 1
    assert tick(DAY) == 0
    house.presence.page_opened(bob.id, table.id)
    move(table, ada)
    assert tick(HOUR) == 0, "Bob has it before his eyes"


def test_a_notice_that_lies_ready_is_not_sent_after_the_move(house, clock, people, transports, receiver):
    ada, _, table = people
    channels.add_channel(house.store, ada.id, "webhook", receiver.url, "en")
    clock.pass_by(61)
    house.timeouts.poll()
    assert len(outbox.load_due(house.store, "webhook")) == 1
    move(table, ada)
    assert NotificationDelivery(house, transports).deliver_pending("webhook") == 0
    assert receiver.got == []


def test_not_again_works_without_signing_in_and_only_by_the_button(house, people, tick, receiver, letterbox, visitor):
    ada, bob, table = people
    channels.add_channel(house.store, ada.id, "webhook", receiver.url, "en")
    channels.add_channel(house.store, ada.id, "mail", "ada@example.org", "en")
    tick(61)
    stop = json.loads(receiver.got[0][1])["stop"].removeprefix("http://house.test")
    page = visitor().get(stop)
    assert "Those about this table" in page.text
    assert len(channels.channels_of(house.store, ada.id)) == 2, "a look does nothing"
    action = re.search(r'action="(/notices/stop/[^"]+)"', page.text)[1]
    assert "of this table again" in visitor().post(action, data={"table": table.id, "what": "table"}).text
    move(table, ada)
    move(table, bob)
    assert tick(61) == 0
    channels.set_wish(house.store, ada.id, table.id, want=True)
    move(table, ada)
    move(table, bob)
    assert tick(61) == 2
    address = letterbox.letters[-1][1]["List-Unsubscribe"].strip("<>").removeprefix("http://house.test")
    program = visitor()
    for name in HERE:
        del program.headers[name]
    one_click = {"Content-Type": "application/x-www-form-urlencoded"}
    assert program.post(address, content="List-Unsubscribe=One-Click", headers=one_click).status_code == 200
    assert [one.kind for one in channels.channels_of(house.store, ada.id)] == ["webhook"]
    forged = action[:-3] + "xyz"
    assert visitor().get(forged).status_code == visitor().post(forged).status_code == 404


def test_a_subscription_that_is_gone_is_dropped_and_a_forged_one_refused(house, people, tick, receiver, visitor):
    ada, _, _ = people
    channels.add_channel(house.store, ada.id, "push", Browser(receiver.url).subscription, "en")
    receiver.status = 410
    assert tick(61) == 0
    assert len(receiver.got) == 1
    assert channels.channels_of(house.store, ada.id) == []
    for forged in ("", "{}", '{"endpoint": "x"}', Browser("ftp://a/").subscription, "[" * 5000):
        page = visitor(ada).post("/notices/add", data={"kind": "push", "address": forged})
        assert page.status_code == 422
    assert channels.channels_of(house.store, ada.id) == []


def test_who_does_not_answer_is_tried_again_a_few_times(house, people, tick, receiver):
    ada, _, _ = people
    channels.add_channel(house.store, ada.id, "webhook", receiver.url, "en")
    receiver.status = 500
    tick(61)
    for _ in range(10):
        tick(HOUR)
    assert len(receiver.got) == 1 + len(outbox.RETRY_DELAYS_SECONDS)
    receiver.status = 200
    assert tick(HOUR) == 0, "it has been given up"


def test_a_mail_server_that_hangs_holds_up_nothing_else(house, people, clock, receiver, monkeypatch):
    monkeypatch.setattr("veillee.web.notifications.transports.mail.CONNECT_TIMEOUT_SECONDS", 0.1)
    ada, _, _ = people
    with socket.create_server(("127.0.0.1", 0)) as silent:
        post = TransportSettings(f"smtp://127.0.0.1:{silent.getsockname()[1]}", "house@example.org", private=True)
        postman = NotificationDelivery(house, Transports(house.store, post))
        channels.add_channel(house.store, ada.id, "mail", "ada@example.org", "en")
        channels.add_channel(house.store, ada.id, "webhook", receiver.url, "en")
        clock.pass_by(61)
        house.timeouts.poll()
        assert postman.deliver_pending("mail") == 0
        assert postman.deliver_pending("webhook") == 1
        (again,) = outbox_rows(house, "mail")
        assert (again.state, again.tried) == ("waiting", 1)


def outbox_rows(house, kind):
    with house.store.reading() as db:
        return db.execute(
            sa.select(notices).join(ways, ways.c.id == notices.c.channel).where(ways.c.kind == kind)
        ).all()


def test_of_two_postmen_one_delivers_and_a_killed_one_delivers_nothing_twice(
    house, people, clock, transports, receiver
):
    ada, _, _ = people
    channels.add_channel(house.store, ada.id, "webhook", receiver.url, "en")
    clock.pass_by(61)
    house.timeouts.poll()
    (notice,) = outbox.load_due(house.store, "webhook")
    assert outbox.claim(house.store, notice)
    assert not outbox.claim(house.store, notice)
    assert NotificationDelivery(house, transports).deliver_pending("webhook") == 0, (
        "whoever took it was killed: nobody knows whether it went out"
    )
    assert receiver.got == []


def test_at_night_nothing_comes_and_in_the_morning_it_does(house, clock, people, tick, receiver):
    ada, _, _ = people
    channels.add_channel(house.store, ada.id, "webhook", receiver.url, "en")
    house.quiet_hours.save(
        ada.id, QuietHours.validated("UTC", "08:00", "12:00")
    )  # it is eight o'clock by the hourglass
    assert tick(61) == 0
    assert tick(5 * HOUR) == 1


def test_a_receiver_that_drips_delays_its_own_guest_alone(house, people, receiver, transports, monkeypatch):
    """More due notices of one guest than senders, and than a query returns."""
    monkeypatch.setattr("veillee.house.notifications.outbox.BATCH_SIZE", 3)
    ada, bob, _ = people
    let_go, real = threading.Event(), Webhook.send

    def send(self, notification):
        if notification.address.endswith("/drip"):
            let_go.wait(30)
        real(self, notification)

    monkeypatch.setattr(Webhook, "send", send)
    slow = channels.add_channel(house.store, ada.id, "webhook", f"{receiver.url}/drip", "en")
    quick = channels.add_channel(house.store, bob.id, "webhook", f"{receiver.url}/quick", "en")
    for turn in range(6):
        outbox.enqueue(house.store, "", CONFIRM, turn, [slow])
    outbox.enqueue(house.store, "", CONFIRM, 0, [quick])
    delivery = NotificationDelivery(house, transports)
    delivery.start()
    try:
        wait_until(lambda: delivery._poll("webhook") or "/quick" in receiver.paths)
        assert "/drip" not in receiver.paths
        let_go.set()
        wait_until(lambda: delivery._poll("webhook") or receiver.paths.count("/drip") == 6)
        wait_until(lambda: not any(delivery._served.values()))
    finally:
        let_go.set()
        delivery.stop()


def wait_until(done):
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.02)


def test_a_mail_address_gets_few_letters_however_many_guests_ask(house, transports, letterbox):
    meter = RateLimiter(Limits())
    app = create_app(house, meter, transports=transports, public_url="http://testserver.local")
    statuses = []
    for n in range(5):
        with TestClient(app, cookies={"guest": house.guests.new(f"Ada {n}").token, "lang": "en"}) as client:
            form = {"kind": "mail", "address": "Ada@example.org" if n % 2 else "ada@example.org"}
            statuses.append(client.post("/notices/add", data=form, headers=HERE).status_code)
    assert statuses == [200, 200, 200, 429, 429]
    with house.store.reading() as db:
        assert len(db.execute(sa.select(notices)).all()) == 3
    (refused,) = {"letters"} & set(meter.refused_count)
    assert meter.refused_count[refused] == 2


def test_what_the_house_does_not_carry_is_said(house, people):
    plain = Transports(house.store, TransportSettings())
    for kind in ("mail", "apprise", "webhook"):
        with pytest.raises(BadRequest):
            plain[kind].validate("http://127.0.0.1/")
    with pytest.raises(BadRequest):
        Transports(house.store, TransportSettings(smtp="smtp://x", mail_from="a@b.c"))["mail"].validate(
            "a@b.example\nBcc: c@d.example"
        )


def test_a_feed_has_the_turns_that_wait_and_its_address_can_be_replaced(house, people, visitor):
    ada, bob, table = people
    mine = visitor(ada)

    def address():
        page = mine.post("/notices/add", data={"kind": "feed"}).text
        return re.search(r'id="feed"\s+readonly\s+value="[^"]*(/feed/[^"]+)"', page)[1]

    first = address()
    feed = ET.fromstring(visitor().get(first).content)
    atom = "{http://www.w3.org/2005/Atom}"
    (entry,) = feed.findall(f"{atom}entry")
    assert entry.find(f"{atom}title").text == "Your turn at Takara Island"
    assert table.id in entry.find(f"{atom}link").get("href")
    move(table, ada)
    assert ET.fromstring(visitor().get(first).content).findall(f"{atom}entry") == []
    second = address()
    assert second != first
    assert visitor().get(first).status_code == 404
    assert visitor(bob).get("/notices/waiting").json()["tables"][0]["id"] == table.id
    assert visitor(ada).get("/notices/waiting").json()["tables"] == []
    assert visitor().get("/icons/count/3.svg").text.strip().endswith(">3</text></svg>")
    assert visitor().get("/icons/count/0.svg").status_code == 404


def test_one_is_told_where_one_wants_to_be(house, people, tick, receiver, visitor):
    ada, _, table = people
    channels.add_channel(house.store, ada.id, "webhook", receiver.url, "en")
    mine = visitor(ada)
    assert "Only at the tables you choose." in mine.post("/notices/wish", data={"table": "", "want": "no"}).text
    assert tick(61) == 0
    mine.post("/notices/wish", data={"table": table.id, "want": "yes"})
    house.turn_watcher._done.clear()  # as it is when something happens at the table
    assert tick(61) == 1


def test_by_post_it_is_told_again_when_a_bot_gives_the_seat_back(house, tick, receiver):
    """By post: told once, then the bot steps in; the next turn of who is back is another one."""
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    pace = TimeControl.validated("post", each=DAY)
    table = house.tables.create(ada, "takara-island", [SeatPlan("me"), SeatPlan("open")], pace=pace)
    table.sit(bob, 1)
    for guest in (ada, bob):
        channels.add_channel(house.store, guest.id, "webhook", f"{receiver.url}/{guest.name}", "en")
    assert tick(61) == 1
    assert tick(DAY) == 0, "the bot has stepped in, and the other's turn is fresh"
    assert any(seat.away for seat in table.seats)
    assert tick(61) == 1
