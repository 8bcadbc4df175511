"""Work in flight: what one guest or one address may have under way at once, whichever path a request names."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import httpx
import pytest
import uvicorn
from litestar import get

from veillee.house.errors import NoAdvice, TooMany
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.web.app import create_app
from veillee.web.http.gate import RequestGate
from veillee.web.http.rate_limits import Limits, Rate, RateLimiter
from veillee.web.http.work_in_flight import ALONE_SECONDS, WorkSlots
from veillee.web.serving.server import open_socket

GAME = "takara-island"
PATIENCE = 30
TRUSTED = "127.0.0.1"


@contextmanager
def running(app):
    """Serves the application behind a trusted proxy; yields its address."""
    sock = open_socket("127.0.0.1", 0)
    config = uvicorn.Config(
        app, http="h11", log_config=None, lifespan="off", timeout_graceful_shutdown=1, forwarded_allow_ips=[TRUSTED]
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        sock.close()


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


@pytest.fixture
def serve(house):
    """The house behind a gate with these limits; its address."""
    with ExitStack() as closing:

        def opened(limits, *routes):
            meter = RateLimiter(limits)
            return closing.enter_context(running(RequestGate(create_app(house, meter=meter, dev_routes=routes), meter)))

        yield opened


def client(url, guest=None, address=None):
    headers = {"Origin": url, "Accept-Language": "en"} | ({"X-Forwarded-For": address} if address else {})
    return httpx.Client(
        base_url=url, headers=headers, cookies={"guest": guest.token} if guest else {}, timeout=PATIENCE
    )


def test_a_stream_counts_however_its_address_is_spelled(serve, house):
    """A slash at the end, or a slash that is encoded, once escaped the count."""
    url = serve(Limits(streams_of_address=1))
    guest = house.guests.new("Ada")
    table = house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("bot")])
    paths = [f"/t/{table.id}/stream", f"/t/{table.id}/stream/", f"/t/{table.id}%2fstream", f"/t/{table.id}/stream%2f"]
    paths += [f"/api/tables/{table.id}/seats/0/stream/", f"/api/tables/{table.id}/seats/0/turn/"]
    with client(url, guest) as web, client(url, guest) as other:
        with web.stream("GET", paths[0]) as first:
            assert first.status_code == 200
            refused = [other.get(path) for path in paths]
        assert {answer.status_code for answer in refused} == {429}
        assert {answer.headers["retry-after"] for answer in refused} == {"30"}
    with client(url, guest, address="192.0.2.7") as elsewhere, elsewhere.stream("GET", paths[1]) as stream:
        assert stream.status_code == 200, "another client behind the same proxy"


@pytest.mark.parametrize("path", ["/slow", "/slow/", "//slow"])
def test_requests_under_way_are_counted_for_each_client_behind_a_proxy(serve, path):
    begun, finish = threading.Semaphore(0), threading.Event()

    @get("/slow")
    async def slow() -> str:
        begun.release()
        await asyncio.to_thread(finish.wait, PATIENCE)
        return "done"

    url = serve(Limits(under_way_of_address=2), slow)
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(httpx.get(url + path, timeout=PATIENCE))) for _ in "ab"]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert begun.acquire(timeout=PATIENCE)
    with client(url) as third, client(url, address="192.0.2.7") as elsewhere:
        refused = third.get("/fair", headers={"Accept-Language": "fr"})
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "2")
        assert "patientez un instant" in refused.text
        assert elsewhere.get("/fair").status_code == 200
        assert third.get("/healthz").status_code == 200, "a flood does not hide the health check"
        finish.set()
        for thread in threads:
            thread.join()
        assert [answer.text for answer in answers] == ["done"] * 2
        assert third.get("/fair").status_code == 200


def test_an_address_is_worked_for_so_often_at_once_and_others_do_not_wait_for_it(serve):
    """The requests beyond that wait in turn, and are answered."""
    begun, finish = [], threading.Event()

    @get("/slow")
    async def slow() -> str:
        begun.append(1)
        await asyncio.to_thread(finish.wait, PATIENCE)
        return "done"

    url = serve(Limits(work_of_address=2), slow)
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(httpx.get(f"{url}/slow", timeout=PATIENCE))) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    while len(begun) < 2:  # while others ask, too, it has one slot (see WorkSlots)
        time.sleep(0.01)
    with client(url, address="192.0.2.7") as elsewhere:
        for _ in range(20):
            assert elsewhere.get("/fair").status_code == 200
        assert len(begun) == 2
    finish.set()
    for thread in threads:
        thread.join()
    assert [answer.text for answer in answers] == ["done"] * 5


def test_bodies_that_never_come_take_no_place_of_others(serve):
    url = serve(Limits(bodies_of_address=3, work_of_address=1))
    host, port = url.removeprefix("http://").split(":")
    head = b"POST /prefs HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 9\r\n\r\nlang"
    with ExitStack() as held, client(url) as web:
        for _ in range(3):
            slow = held.enter_context(socket.create_connection((host, int(port)), PATIENCE))
            slow.sendall(head)
        with socket.create_connection((host, int(port)), PATIENCE) as fourth:
            fourth.sendall(head)
            assert b" 429 " in fourth.recv(1000)
        assert web.get("/fair").status_code == 200, "the same address can still read"
        assert web.post("/prefs", data={"lang": "en"}, headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 303
    with client(url) as web:
        while web.post("/prefs", data={"lang": "en"}).status_code == 429:
            pass  # the house notices a moment later that they have gone


def test_a_body_arrives_whole_and_a_long_one_is_refused(serve):
    with client(serve(Limits())) as web:
        parts = (f"back=/fair&lang=en&x={'y' * 7_000}".encode(), b"&" + b"z=1&" * 200 + b"w=" + b"z" * 7_000)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        assert web.post("/prefs", content=iter(parts), headers=headers).headers["location"] == "/fair"
        assert web.post("/prefs", content=iter(parts * 8), headers=headers).status_code == 413
        assert web.post("/prefs", content=b"x" * 16_001, headers=headers).status_code == 413


def test_health_checks_and_first_games_have_limits_too(serve, house):
    two = Rate(2, 1 / 3600)
    url = serve(Limits(health=two, tables=two))
    with client(url, house.guests.new("Ada")) as web:
        assert [web.get(path).status_code for path in ("/healthz", "/readyz", "/readyz")] == [200, 200, 429]
        assert [web.post(f"/games/{GAME}/first").status_code for _ in range(3)] == [303, 303, 429]


def test_new_names_and_shields_are_limited(serve, house):
    url = serve(Limits(changes=Rate(2, 1 / 3600)))
    with client(url, house.guests.new("Ada")) as web:
        assert [web.post("/me", data={"name": name}).status_code for name in ("Bea", "Cleo", "Dora")] == [303, 303, 429]


def test_waiting_for_a_hint_counts_as_a_stream(serve, house):
    url = serve(Limits(streams_of_address=1))
    guest = house.guests.new("Ada")
    table = house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("bot")])
    with client(url, guest) as web, client(url, guest) as other, web.stream("GET", f"/t/{table.id}/stream"):
        refused = other.post(f"/t/{table.id}/hint", data={"seat": "0", "stamp": table.stamp(0)})
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")


def test_hints_of_one_address_wait_in_turn_and_others_do_not_wait_for_them(serve, house):
    """Guests of one address could fill the expert's queue for all."""
    asked, futures = [], []

    def ask(_table, guest, _seat, _stamp):
        asked.append(guest.name)
        futures.append(Future())
        return futures[-1]

    url = serve(Limits(hints_of_address=1))
    guests = [house.guests.new(name) for name in ("Ada", "Bob", "Eve")]
    tables = [house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("bot")]) for guest in guests]
    threads = []

    def send(number, address):
        def do():
            with client(url, guests[number], address) as web:
                data = {"seat": "0", "stamp": tables[number].stamp(0)}
                web.post(f"/t/{tables[number].id}/hint", data=data, headers={"X-Live": "1"})

        threads.append(threading.Thread(target=do))
        threads[-1].start()

    def wait_for(number):
        end = time.monotonic() + PATIENCE
        while len(asked) < number:
            assert time.monotonic() < end
            time.sleep(0.01)

    with patch("veillee.house.tables.table.Table.hint", ask):
        send(0, "192.0.2.1")
        wait_for(1)
        send(1, "192.0.2.1")
        send(2, "192.0.2.2")
        wait_for(2)
        assert asked == ["Ada", "Eve"]
        futures[0].set_exception(NoAdvice())
        wait_for(3)
        assert asked == ["Ada", "Eve", "Bob"]
        for future in futures[1:]:
            future.set_exception(NoAdvice())
        for thread in threads:
            thread.join()


def test_a_slot_goes_to_the_request_that_has_waited_for_longest_and_still_waits():
    async def play():
        slots, told = WorkSlots(1), []

        async def work(name):
            await slots.take("192.0.2.1")
            told.append(name)

        await slots.take("192.0.2.1")
        waiting = [asyncio.create_task(work(name)) for name in "abc"]
        await asyncio.sleep(0)
        waiting[0].cancel()
        slots.free("192.0.2.1")
        await asyncio.wait([waiting[1]])
        assert told == ["b"]
        waiting[2].cancel()  # gone while it waits
        await asyncio.wait([waiting[2]])
        slots.free("192.0.2.1")
        await asyncio.wait_for(slots.take("192.0.2.1"), PATIENCE)
        slots.free("192.0.2.1")
        assert not slots._taken
        assert not slots._waiting

    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        thread.submit(asyncio.run, play()).result()


def test_an_address_has_one_slot_while_others_are_at_work_and_all_when_it_is_alone():
    now = 100.0

    async def play():
        nonlocal now
        slots = WorkSlots(2, beside_others=1, clock=lambda: now)
        await slots.take("school")
        await slots.take("school")  # alone
        await slots.take("home")
        slots.free("home")
        waiting = [asyncio.create_task(slots.take("school")) for _ in range(4)]
        await asyncio.sleep(0)
        slots.free("school")
        await asyncio.sleep(0)
        assert [one.done() for one in waiting] == [False] * 4, "one of two is still at work, and home was here just now"
        slots.free("school")
        await asyncio.wait_for(waiting[0], PATIENCE)
        await asyncio.sleep(0)
        assert [one.done() for one in waiting] == [True, False, False, False], "one at a time"
        now += ALONE_SECONDS + 0.1
        slots.free("school")
        await asyncio.wait_for(asyncio.gather(*waiting[1:3]), PATIENCE)
        assert not waiting[3].done(), "two at a time, in the order of arrival"
        slots.free("school")
        await asyncio.wait_for(waiting[3], PATIENCE)
        slots.free("school")
        slots.free("school")
        assert not slots._taken
        assert not slots._waiting

    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        thread.submit(asyncio.run, play()).result()


def test_what_waits_for_its_own_address_lets_others_go_first():
    async def play():
        slots = WorkSlots(2, beside_others=1, clock=lambda: 100.0, yield_seconds=PATIENCE)
        began = []

        async def work(address):
            await slots.take(address)
            began.append(address)

        async def turns():
            for _ in range(5):
                await asyncio.sleep(0)

        await slots.take("home")
        await slots.take("flood")
        waiting = [asyncio.create_task(work("flood")) for _ in range(2)]
        await turns()
        slots.free("flood")
        await turns()
        assert began == [], "its slot is free, but others are at work"
        await asyncio.wait_for(slots.take("club"), PATIENCE)  # the first of an address waits for nobody
        slots.free("home")
        await turns()
        assert began == []
        waiting += [asyncio.create_task(work("club")) for _ in range(2)]
        await turns()
        slots.free("club")
        await turns()
        assert began == ["flood"], "nobody else is at work"
        slots.free("flood")
        await turns()
        assert began == ["flood", "club"], "two that wait take turns"
        slots.free("club")
        await turns()
        slots.free("flood")
        await turns()
        assert began == ["flood", "club", "flood", "club"]
        slots.free("club")
        await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE)
        assert not slots._taken
        assert not slots._waiting
        assert not slots._yielding

    async def play_on():
        slots = WorkSlots(2, beside_others=1, clock=lambda: 100.0, yield_seconds=0)
        await slots.take("home")
        await slots.take("flood")
        waiting = asyncio.create_task(slots.take("flood"))
        await asyncio.sleep(0)
        slots.free("flood")
        await asyncio.wait_for(waiting, PATIENCE)  # home is still at work

    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        thread.submit(asyncio.run, play()).result()
        thread.submit(asyncio.run, play_on()).result()


def test_what_is_held_is_let_go_again():
    meter = RateLimiter(Limits(under_way=1))
    with meter.hold("under_way", "192.0.2.1", "ada"):
        with pytest.raises(TooMany), meter.hold("under_way", "192.0.2.1", "ada"):
            pass
        assert meter.open_count["under_way"] == 1
    with meter.hold("under_way", "192.0.2.1", "ada"):
        pass
    assert meter.refused_count == {"under_way": 1}


def test_an_error_of_the_application_frees_what_the_request_held(house):
    async def play():
        meter = RateLimiter(Limits(work_of_address=1))
        app = create_app(house, meter=meter)

        async def broken(_scope, _receive, _send):
            raise ZeroDivisionError

        gate = RequestGate(app, meter)
        gate.app = broken
        broken.state = app.state
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "query_string": b"",
            "headers": [(b"host", b"localhost")],
            "client": ("192.0.2.1", 1),
        }
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await gate(dict(scope), broken, broken)
        assert meter.open_count["under_way"] == 0

    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        thread.submit(asyncio.run, play()).result()
