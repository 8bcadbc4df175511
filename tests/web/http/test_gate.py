"""Bans of guests and addresses: every request is refused, and open streams end within seconds."""

import threading
from contextlib import contextmanager

import httpx
import pytest
import uvicorn
from typer.testing import CliRunner

from veillee.cli import app as command
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
from veillee.web.app import create_app
from veillee.web.http.gate import RequestGate
from veillee.web.http.rate_limits import Limits, RateLimiter
from veillee.web.serving.server import open_socket

PATIENCE = 30


@pytest.fixture
def own(tmp_path):
    """A house behind its door, and where it is kept."""
    house = House.open(tmp_path, workers=0)
    sock, meter = open_socket("127.0.0.1", 0), RateLimiter(Limits())
    app = RequestGate(create_app(house, meter=meter), meter)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    yield f"http://127.0.0.1:{sock.getsockname()[1]}", house, tmp_path
    server.should_exit = True
    thread.join()
    sock.close()
    house.close()


@contextmanager
def client(url, guest=None):
    cookies = {"guest": guest.token} if guest else {}
    headers = {"Accept-Language": "en", "Origin": url}
    with httpx.Client(base_url=url, cookies=cookies, headers=headers, timeout=PATIENCE) as somebody:
        yield somebody


def admin(place, *words):
    result = CliRunner().invoke(command, ["admin", *[str(word) for word in words], "--data", str(place)])
    assert result.exit_code == 0, result.output
    return result.output


def test_reports_bans_names_messages_and_tables_by_the_command(own, monkeypatch):
    url, house, place = own
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = house.tables.create(ada, "takara-island", [SeatPlan("me"), SeatPlan("open")])
    table.sit(bob, 1)
    with client(url, bob) as somebody:
        assert somebody.post(f"/t/{table.id}/talk", data={"words": "fie"}).status_code == 303
    house.chat.report(ada, table.id, 1)
    told = admin(place, "reports").split("\t")
    assert (told[2:7], told[7]) == ([table.id, "1", bob.id, "Bob", "fie"], "127.0.0.1")
    admin(place, "mute", bob.id, "--days", "1", "--why", "enough")
    admin(place, "remove", table.id, 1)
    admin(place, "rename", bob.id, "Tison")
    admin(place, "settle", told[0])
    house.bans.refresh()
    with client(url, bob) as somebody:
        said = somebody.post(f"/t/{table.id}/talk", data={"words": "why"}, headers={"X-Live": "1"})
        assert (said.status_code, said.text) == (409, "A moderator has muted you.")
        page = somebody.get(f"/t/{table.id}?talk").text
        assert "(removed)" in page
        assert "Tison" in page
        admin(place, "close", table.id, "--why", "late")
        house.bans.refresh()
        closed = somebody.get(f"/t/{table.id}")
        assert closed.status_code == 403
        assert "has closed this table: late" in closed.text
    assert bob.id in admin(place, "guests", "tis")
    assert admin(place, "bans").count("\n") == 2
    log = [line.split("\t")[2] for line in admin(place, "log").splitlines()]
    assert log == ["close", "settle", "rename", "message", "mute"]
    wrong = CliRunner().invoke(command, ["admin", "ban", "nobody", "--data", str(place)])
    assert wrong.exit_code == 2
    assert "nobody" in wrong.output


def test_a_banned_guest_is_shown_the_door_also_from_a_stream(own):
    url, house, place = own
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    table = house.tables.create(ada, "takara-island", [SeatPlan("me"), SeatPlan("open")])
    table.sit(bob, 1)
    with client(url, bob) as somebody, somebody.stream("GET", f"/t/{table.id}/stream?talk=0") as stream:
        lines = stream.iter_lines()
        while not next(lines).startswith("event: parts"):
            pass
        admin(place, "ban", bob.id, "--why", "spam")
        house.bans.refresh()
        for _ in lines:
            pass  # until it ends
    with client(url, bob) as somebody:
        for path in ("/", "/me", f"/t/{table.id}"):
            answer = somebody.get(path)
            assert answer.status_code == 403, path
            assert "You have been banned: spam" in answer.text
        mine = somebody.get(f"/api/tables/{table.id}", headers={"Authorization": f"Bearer {bob.token}"})
        assert mine.status_code == 403
    with client(url, ada) as somebody:
        assert somebody.get(f"/t/{table.id}").status_code == 200
    admin(place, "unban", bob.id)
    house.bans.refresh()
    with client(url, bob) as somebody:
        assert somebody.get(f"/t/{table.id}").status_code == 200


def test_a_banned_address_stays_outside_and_reads_why(own):
    url, house, place = own
    admin(place, "ban", "127.0.0.1")
    house.bans.refresh()
    with client(url) as somebody:
        answer = somebody.get("/")
        assert answer.status_code == 403
        assert "You have been banned" in answer.text
        assert somebody.get("/static/base.css").status_code == 200
        assert somebody.get("/healthz").status_code == 200
        assert somebody.post("/api/guests", json={"name": "Eve"}).status_code == 403
    admin(place, "unban", "127.0.0.1")
    house.bans.refresh()
    assert httpx.get(url).status_code == 200


def test_an_open_house_follows_the_log_by_itself(own):
    """The timekeeper looks every few seconds, in every process."""
    _, house, place = own
    bob = house.guests.new("Bob")
    heard = threading.Event()
    house.guests.on_invalidated = lambda guest: guest == bob.id and heard.set()
    house.timeouts.start()
    admin(place, "ban", bob.id)
    assert heard.wait(PATIENCE)
