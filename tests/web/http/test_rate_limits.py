"""Rate limits of one guest, or one address."""

from __future__ import annotations

import io
import json
import logging
import os
import socket
import threading
from contextlib import ExitStack, contextmanager, suppress
from itertools import count

import httpx
import pytest
import uvicorn
from litestar import _parsers

from veillee.house.errors import BadRequest, TooMany
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.web import logs
from veillee.web.app import create_app
from veillee.web.http.gate import RequestGate, is_own_host, limit_cookies, own_host_names
from veillee.web.http.rate_limits import Limits, Rate, RateLimiter, TokenBuckets
from veillee.web.http.shared_counters import SharedCounters, create_counters
from veillee.web.serving import connections as wire
from veillee.web.serving.connections import Connections
from veillee.web.serving.server import open_socket

GAME = "takara-island"
ONE = Rate(1, 1 / 3600)
TWO = Rate(2, 1 / 3600)
USUAL = Limits()


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


@pytest.fixture
def open_door(house):
    """The house, served behind a door with these limits; the result is a client for each who asks."""
    with ExitStack() as closing:

        def opened(limits=USUAL, trusted=("127.0.0.1",), whole=20.0):
            sock = open_socket("127.0.0.1", 0)
            meter, connections = RateLimiter(limits), Connections(limits, trusted, whole)
            config = uvicorn.Config(
                RequestGate(create_app(house, meter=meter), meter, own_host_names("games.example")),
                http=connections.protocol(),
                log_config=None,
                lifespan="off",
                forwarded_allow_ips=list(trusted),
                timeout_graceful_shutdown=1,
            )
            server = uvicorn.Server(config)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [connections.at(sock)]})
            thread.start()

            def close():
                server.should_exit = True
                thread.join()
                sock.close()

            closing.callback(close)
            return f"http://127.0.0.1:{sock.getsockname()[1]}"

        yield opened


@contextmanager
def client(url, **headers):
    named = {"Origin": url, "Accept-Language": "en", **headers}
    with httpx.Client(base_url=url, headers=named, timeout=30) as somebody:
        yield somebody


def mine(house, somebody):
    guest = house.guests.new("Ada")
    somebody.cookies.set("guest", guest.token)
    return guest


# -- shares --------------------------------------------------------------------------------------------------------------
def test_a_bucket_holds_so_many_and_fills_again():
    now = 0.0
    buckets = TokenBuckets("drops", Rate(2, 0.5), clock=lambda: now)
    assert [buckets.wait("ada") for _ in range(3)] == [0, 0, 2.0]
    assert buckets.wait("bob") == 0, "another one's is full"
    now = 1.0
    assert buckets.wait("ada") == 1.0, "asking in vain costs nothing"
    now = 2.0
    assert buckets.wait("ada") == 0
    now = 1000.0
    assert [buckets.wait("ada") for _ in range(3)] == [0, 0, 2.0], "and never holds more"


def test_two_processes_count_together():
    """Asking both gives no second share; a dead process no longer holds its open streams."""
    now, file = 0.0, create_counters(2)
    few = Limits(requests=Rate(3, 1.0), streams=2, connections_of_address=3)

    def process(number):
        ledger = SharedCounters(file, 2, number)
        return RateLimiter(few, ledger, lambda: now), Connections(few, ledger=ledger, clock=lambda: now)

    (here, door), (there, other_door) = process(0), process(1)
    for meter in (here, there, here):
        meter.spend("requests", "192.0.2.1", "ada")
    with pytest.raises(TooMany) as refused:
        there.spend("requests", "192.0.2.1", "ada")
    assert refused.value.wait == 1.0
    there.spend("requests", "192.0.2.1", "bob")
    with here.hold("streams", "192.0.2.1", "ada"):
        with (
            there.hold("streams", "192.0.2.1", "ada"),
            pytest.raises(TooMany),
            here.hold("streams", "192.0.2.1", "ada"),
        ):
            pass
        with (
            here.hold("streams", "192.0.2.1", "ada"),
            pytest.raises(TooMany),
            there.hold("streams", "192.0.2.1", "ada"),
        ):
            pass
    with there.hold("streams", "192.0.2.1", "ada"), there.hold("streams", "192.0.2.1", "ada"):
        pass
    assert [one.enter("192.0.2.1") for one in (door, other_door, door, other_door)] == [True, True, True, False]
    process(0)  # it was killed, and another one takes its place
    assert [other_door.enter("192.0.2.1") for _ in range(3)] == [True, True, False]
    os.close(file)


def test_a_ledger_that_is_crowded_forgets_those_who_need_it_least(monkeypatch):
    monkeypatch.setattr("veillee.web.http.shared_counters.BUCKETS", 64)
    monkeypatch.setattr("veillee.web.http.shared_counters.SLOTS_PER_PROCESS", 64)
    ledger = SharedCounters()
    assert [ledger.wait("ada", 2, 0.01, 0.0) for _ in range(3)] == [0, 0, 100.0]
    for n in range(1000):
        ledger.wait(f"somebody {n}", 2, 1.0, 0.0)
    assert ledger.wait("ada", 2, 0.01, 0.0) == 100.0
    for n in range(1000):
        ledger.set_own_count(f"somebody {n}", 1)  # no room, and no harm


def test_rates_as_they_are_written():
    assert Rate.parse("60, 2/minute") == Rate(60, 2 / 60)
    limits = Limits.parse({"guests": "5, 1/hour", "streams": "7"})
    assert (limits.guests, limits.streams, limits.tables) == (Rate(5, 1 / 3600), 7, Limits().tables)
    for name, text in (("guests", "many"), ("guests", "5, 0/hour"), ("streams", "-1"), ("streams", "1, 1/day")):
        with pytest.raises(BadRequest, match=text):
            Limits.parse({name: text})


def test_new_guests_of_one_address(open_door, house):
    url = open_door(Limits(guests=TWO))
    for _ in range(2):
        with client(url) as newcomer:
            assert newcomer.post(f"/games/{GAME}/play").status_code == 303
    with client(url) as newcomer:
        answer = newcomer.post(f"/games/{GAME}/play")
        assert answer.status_code == 429
        assert 3500 < int(answer.headers["retry-after"]) <= 3600
        assert "new guests" in answer.text
        assert answer.headers["connection"] == "close", "asking on means knocking again"
        assert "set-cookie" not in answer.headers
        told = newcomer.post("/api/guests", json={"name": "Eve"}, headers={"Accept-Language": "fr"})
        assert (told.status_code, told.json()["rule"]) == (429, "")
        assert "nouveaux invités" in told.json()["sentence"]
        assert newcomer.get("/").status_code == 200, "looking round is another thing"
        mine(house, newcomer)
        assert newcomer.post(f"/games/{GAME}/play").status_code == 303, "and so is who is a guest already"
    with client(url, **{"X-Forwarded-For": "192.0.2.7"}) as elsewhere:
        assert elsewhere.post(f"/games/{GAME}/play").status_code == 303


def test_new_tables_of_one_guest(open_door, house):
    url = open_door(Limits(tables=ONE))
    with client(url) as ada, client(url) as bob:
        guest, _ = mine(house, ada), mine(house, bob)
        assert ada.post(f"/games/{GAME}/play").status_code == 303
        for _ in range(2):
            assert ada.post(f"/games/{GAME}/play").status_code == 429
        seats = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "bot"}]}
        told = ada.post("/api/tables", json=seats, headers={"Authorization": f"Bearer {guest.token}"})
        assert told.status_code == 429, "the same guest by another door"
        assert len(house.tables.for_guest(guest)) == 1
        assert bob.post(f"/games/{GAME}/play").status_code == 303


def test_requests_of_one_guest_and_of_one_address(open_door, house):
    url = open_door(Limits(requests=Rate(3, 0.001), requests_of_address=Rate(5, 0.001)))
    with client(url) as ada, client(url) as bob:
        mine(house, ada)
        assert [ada.get("/nowhere").status_code for _ in range(4)] == [404, 404, 404, 429]
        assert [bob.get("/fair").status_code for _ in range(3)] == [200, 200, 429]
        assert bob.get("/static/../x%00").headers["retry-after"]


def test_streams_that_are_open_at_once(open_door, house):
    url = open_door(Limits(streams=2, streams_of_address=3))
    with client(url) as ada, client(url) as bob, ExitStack() as open_ones:
        guest = mine(house, ada)
        mine(house, bob)
        address = f"/t/{house.tables.create(guest, GAME, [SeatPlan('me'), SeatPlan('bot')]).id}/stream"
        streams = [open_ones.enter_context(who.stream("GET", address)) for who in (ada, ada, bob)]
        assert [stream.status_code for stream in streams] == [200] * 3
        refused = ada.get(address)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")
        assert bob.get(address).status_code == 429, "three from one address"
        streams[0].close()
        for attempt in count():  # the house notices a moment later
            with ada.stream("GET", address) as again:
                if again.status_code == 200:
                    break
            assert attempt < 1000


# -- connections ---------------------------------------------------------------------------------------------------------
HALVES = [
    b"",
    b"GET / HT",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    b"""POST /prefs HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 9\r
Content-Type: application/x-www-form-urlencoded\r\n\r\nlang""",
]


@pytest.mark.parametrize("half", HALVES, ids=["nothing", "a line", "a header", "a body"])
def test_a_half_sent_request_is_cut(open_door, half, caplog):
    url = open_door(whole=0.2)
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as slow:
        slow.sendall(half)
        with client(url) as other:
            assert other.get("/fair").status_code == 200
        with suppress(ConnectionResetError):
            assert slow.recv(10_000) == b""
    assert "Traceback" not in caplog.text


def test_connections_are_counted(open_door):
    url = open_door(Limits(connections_of_address=3), trusted=())
    host, port = url.removeprefix("http://").split(":")
    with ExitStack() as open_ones:
        kept = [open_ones.enter_context(socket.create_connection((host, int(port)), timeout=30)) for _ in range(3)]
        with socket.create_connection((host, int(port)), timeout=30) as fourth:
            assert b"503" in fourth.recv(1000)
        kept[0].close()
        for attempt in count():
            with socket.create_connection((host, int(port)), timeout=30) as again:
                again.sendall(b"GET /fair HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                if b" 200 " in again.recv(1000):
                    break
            assert attempt < 1000


def test_a_proxy_that_is_trusted_brings_many():
    few = Limits(connections_of_address=1, connections=3)
    proxy, direct = Connections(few, ["10.0.0.0/8"]), Connections(few)
    assert [proxy.enter("10.1.2.3") for _ in range(4)] == [True, True, True, False]
    assert [direct.enter("10.1.2.3") for _ in range(2)] == [True, False]
    direct.leave("10.1.2.3")
    assert direct.enter("10.1.2.3")


def test_who_knocks_too_often_is_turned_away_before_a_connection_is_made():
    """Some of them are told why: that costs a connection."""
    now = 0.0
    connections = Connections(Limits(connections_of_address=2), ["10.0.0.0/8"], clock=lambda: now)
    knocks = int(wire.CONNECTION_RATE.burst + wire.POLITE.burst)
    assert [connections.allow("192.0.2.1") for _ in range(knocks + 10)].count(True) == knocks
    assert connections.turned_away == 10
    assert all(connections.allow("10.1.2.3") for _ in range(2 * knocks)), "a proxy brings many"
    assert connections.allow("192.0.2.2"), "and others are none the worse for it"
    now = 1000.0
    for _ in range(2):
        connections.enter("192.0.2.1")
    assert [connections.allow("192.0.2.1") for _ in range(100)].count(True) == wire.POLITE.burst, "it has all it may"


def test_who_is_turned_away_waits_on_the_doorstep(open_door, monkeypatch):
    """They are not accepted as connections, other clients are, and the one held longest is dropped first."""
    nobody = Rate(1, 1 / 3600)
    monkeypatch.setattr(wire, "CONNECTION_RATE", nobody)
    monkeypatch.setattr(wire, "POLITE", nobody)
    monkeypatch.setattr(wire, "MOST_STANDING", 2)
    url = open_door(trusted=("127.0.0.1",))
    host, port = url.removeprefix("http://").split(":")

    def knock():
        wire_ = socket.create_connection((host, int(port)), timeout=30, source_address=("127.0.0.2", 0))
        wire_.sendall(b"GET /fair HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return wire_

    with ExitStack() as open_ones:
        for _ in range(2):
            assert b" 200 " in open_ones.enter_context(knock()).recv(100)
        first, second, _ = (open_ones.enter_context(knock()) for _ in range(3))
        with suppress(ConnectionResetError):
            assert first.recv(100) == b""
        with client(url) as other:
            assert other.get("/fair").status_code == 200
        second.settimeout(0.0)
        with pytest.raises(BlockingIOError):
            second.recv(100)


# -- names, addresses, cookies -------------------------------------------------------------------------------------------
def test_a_house_answers_to_its_own_names_alone(open_door):
    url = open_door()
    with client(url) as web:
        for name in ("games.example", "games.example:8000", "GAMES.example.", "localhost", "192.0.2.1", "[::1]:80"):
            assert web.get("/fair", headers={"Host": name}).status_code == 200, name
        wrong = ("evil.example", "games.example.evil.example", "localhost.evil.example:8000", "")
        for name in (*wrong, "localhost:99999", "localhost:65536", "[::::]", "[1:2]:80"):
            assert web.get("/fair", headers={"Host": name}).status_code == 422, name
    assert not is_own_host("games.example@evil.example", own_host_names("games.example"))


@pytest.mark.parametrize(
    "path",
    [
        *["/%00", "/static/%00", "/boards/gk/%00.css", "/t/%00", "/rules/gk/%00", "/%0a", "/%ff%fe"],
        *["/static/" + "x" * 400, "/static/" + "x" * 9000, "/boards/gk/" + "x" * 300 + ".css"],
        "/static/%2e%2e/%2e%2e/guard.py",
    ],
    ids=lambda path: path[:20],
)
def test_addresses_made_to_hurt_are_nowhere(open_door, path):
    with client(open_door()) as web:
        assert web.get(path).status_code == 404


@pytest.mark.parametrize(
    "body",
    ["[" * 15_000, '{"name":' * 1_900, '{"name": "' + "\\u0000" * 9 + '"}', "\ud800", "1e999"],
    ids=["deep", "deep objects", "nothing", "half a letter", "endless"],
)
def test_json_made_to_hurt_is_no_mistake_of_ours(open_door, body, caplog):
    with client(open_door()) as web:
        headers = {"Content-Type": "application/json"}
        content = body.encode(errors="surrogatepass")
        caplog.set_level(logging.INFO, "veillee.security")
        status = web.post("/api/guests", content=content, headers=headers).status_code
        assert status in (400, 422)
        assert ("Turned away" in caplog.text) == (status == 400), "whoever runs the house can read of it"
        assert "Traceback" not in caplog.text


def test_many_fields_are_not_kept_in_memory(open_door, house):
    """The framework remembers the last thousand forms, addresses and cookies that it has read, however long."""
    with client(open_door()) as web:
        mine(house, web)
        many = "&".join(f"{n:x}" for n in range(3_000))
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        assert web.post("/me", content=many, headers=headers).status_code == 422
        assert web.get(f"/me?{many[:3000]}").status_code == 404
        cookies = ";".join(f"{n:x}=1" for n in range(1000))
        assert "Ada" in web.get("/me", headers={"Cookie": f"guest={web.cookies['guest']};{cookies}"}).text
        assert "Ada" in web.get("/me", headers={"Cookie": f"x={'y' * 5000};guest={web.cookies['guest']}"}).text
    for kept in (_parsers.parse_query_string, _parsers.parse_url_encoded_form_data, _parsers.parse_cookie_string):
        assert kept.__wrapped__, "it is still so"
    assert len(limit_cookies(cookies.encode())) < 1000


def test_who_is_signed_out_hears_no_more(open_door, house):
    url = open_door()
    with client(url) as ada:
        guest = mine(house, ada)
        phone = house.guests.use_recovery_link(house.guests.make_recovery_link(guest))
        table = house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("bot")])
        address = f"/t/{table.id}/stream"
        with (
            client(url, Cookie=f"guest={phone.token}") as there,
            there.stream("GET", address) as lost,
            ada.stream("GET", address) as kept,
        ):
            heard, told = kept.iter_lines(), lost.iter_lines()
            for lines in (heard, told):
                assert next(line for line in lines if line.startswith("id:"))
            ada.post("/me/sign-out", data={"device": "elsewhere"})
            assert not [line for line in told if line.startswith("id:")], "it ends, and nothing more is said"
            choice = table.match.choices(0)[0].id
            table.answer(guest, 0, table.stamp(0), [choice])
            assert next(line for line in heard if line.startswith("id:"))


def test_under_https_the_cookie_is_of_this_host_alone(open_door, house):
    with client(open_door(), **{"X-Forwarded-Proto": "https"}) as web:
        web.headers["Origin"] = "https://" + web.base_url.netloc.decode()
        cookie = web.post(f"/games/{GAME}/play").headers["set-cookie"]
        assert cookie.startswith("__Host-guest=")
        assert {"Secure", "HttpOnly", "Path=/"} <= {part.strip() for part in cookie.split(";")}
        token = cookie.split("=", 1)[1].split(";")[0]
        name = house.guests.find(token).name
        assert name in web.get("/me", headers={"Cookie": f"__Host-guest={token}"}).text
        assert name not in web.get("/me", headers={"Cookie": f"guest={token}"}).text, "another host can have set it"


def test_a_token_opens_the_door_for_programs_and_no_other(open_door, house):
    """A page of another site that could send any header at all would still not get past the origin check of a form."""
    url = open_door()
    with client(url, Origin="http://evil.example") as evil:
        guest = mine(house, evil)
        table = house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("bot")])
        data = {"seat": "0", "stamp": table.stamp(0), "a": str(table.match.choices(0)[0].id)}
        for kind in ("Bearer x", "Basic x", f"Bearer {guest.token}"):
            assert evil.post(f"/t/{table.id}/act", data=data, headers={"Authorization": kind}).status_code == 403
        stamp = {"stamp": table.stamp(0), "answers": [int(data["a"])]}
        address = f"/api/tables/{table.id}/seats/0/answers"
        assert evil.post(address, json=stamp, headers={"Authorization": "Basic x"}).status_code == 403
        assert evil.post(address, json=stamp, headers={"Authorization": "Bearer x"}).status_code == 401
        told = evil.post(address, json=stamp, headers={"Authorization": f"Bearer {guest.token}"})
        assert told.status_code == 200
        assert told.headers["cache-control"] == "no-store"


# -- the log --------------------------------------------------------------------------------------------------------------
@pytest.fixture
def written():
    """What was written of 2,000 complaints, as text or as JSON."""

    def complain(as_json):
        text = io.StringIO()
        handler = logs.set_up(as_json=as_json, stream=text)
        logging.getLogger().removeHandler(handler)
        log = logging.getLogger("veillee.flooded")
        log.propagate = False  # pytest keeps everything
        log.handlers = [handler]
        for n in range(2_000):
            log.error("%s %s\n", "GET", f"/{n}" * 1000, exc_info=ValueError("x" * 30_000))
        log.warning("another thing", extra={"told": {"table": "t"}})
        return text.getvalue()

    return complain


def test_the_log_cannot_be_flooded(written):
    text = written(as_json=False)
    assert len(text) < 1_000_000
    assert text.count("ValueError") == 20
    assert text.rstrip().endswith("another thing")


def test_the_log_for_programs(written):
    lines = [json.loads(line) for line in written(as_json=True).splitlines()]
    assert len(lines) == 21
    assert "ValueError" in lines[0]["error"]
    assert (lines[-1]["message"], lines[-1]["table"], lines[-1]["level"]) == ("another thing", "t", "warning")


def test_requests_are_told_one_by_one_as_long_as_they_are_not_a_flood():
    now = 0.0
    calm = logs.FloodFilter(lambda: now)

    def record(status):
        return logging.LogRecord("veillee.requests", logging.INFO, "", 0, "%s %s %d", ("GET", "/t", status), None)

    assert [calm.filter(record(429)) for _ in range(1000)].count(True) == logs.REQUESTS
    assert calm.filter(record(200)), "another kind"
    now = 2.0
    last = record(429)
    assert calm.filter(last)
    assert last.left_out == 1000 - logs.REQUESTS


def test_who_comes_and_goes_is_in_the_log(open_door, house, caplog):
    """For the operator; without secrets."""
    caplog.set_level(logging.INFO, "veillee.security")
    with client(open_door()) as web:
        web.post(f"/games/{GAME}/play")
        guest = house.guests.find(web.cookies["guest"])
        link = house.guests.make_recovery_link(guest)
        for address in (f"/back/{link}", f"/back/{link}", "/me/sign-out"):
            web.post(address, data={"device": "here"})
        web.post("/api/guests", json={"name": "Robot"})
    said = [record.getMessage() for record in caplog.records if record.name == "veillee.security"]
    assert said == [
        "A new guest",
        "Came back by a recovery link",
        "A recovery link that is none",
        "Signed out",
        "A new guest",
    ]
    told = [record.told for record in caplog.records if record.name == "veillee.security"]
    assert all(one["client"] == "127.0.0.1" for one in told)
    assert [one.get("guest") for one in told[:4]] == [guest.id, guest.id, None, guest.id]
    assert link not in str(told)


def test_what_was_left_out_is_said(caplog):
    now = 0.0
    calm = logs.FloodFilter(lambda: now)
    record = logging.LogRecord("x", logging.WARNING, "", 0, "again", (), None)
    assert [calm.filter(record) for _ in range(25)].count(True) == 20
    now = 60.0
    assert calm.filter(record)
    assert logs.suppressed_count(record) == " (and 5 more like this, which were left out)"


def test_too_many_says_how_long_to_wait():
    meter = RateLimiter(Limits(requests=ONE))
    meter.spend("requests", "192.0.2.1", "ada")
    with pytest.raises(TooMany) as refused:
        meter.spend("requests", "192.0.2.1", "ada")
    assert 3599 < refused.value.wait <= 3600
    assert meter.refused_count == {"requests": 1}
