"""A whole correspondence game of two players and an absent third, in simulated time, across stops and kills of the server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

import pytest

from house.playing import ME, OPEN
from veillee.house.accounts.quiet_hours import QuietHours
from veillee.house.house import House
from veillee.house.house_time import Hourglass
from veillee.house.notifications import channels
from veillee.house.tables.clocks.time_control import DAY, HOUR, TimeControl
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.match.verify import verify
from veillee.web.notifications.delivery import NotificationDelivery
from veillee.web.notifications.transports import Transports, TransportSettings

ON_BOTH = True


@pytest.fixture
def told():
    """What a listener of our own was told: (whom, about which turn)."""
    got = []

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            got.append((self.path.strip("/"), self.headers["Idempotency-Key"], body["url"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
    got.append(f"http://127.0.0.1:{server.server_port}")
    yield got
    server.shutdown()
    server.server_close()


def possible_views(match, seat):
    """What the seat would be shown if all that it cannot know lay otherwise."""
    for seed in range(3):
        world, rng = match.seen_by(seat).clone(), Rng(seed)
        rng.orderless = True
        world.determinize(seat, rng)
        yield {**match.view(seat), **match.box.view(world, seat)}


class Evenings:
    """A house that is opened again and again, and sometimes killed."""

    def __init__(self, place, clock):
        self.place, self.clock = place, clock
        self.open()

    def open(self):
        self.house = House.open(self.place, workers=0, now=self.clock)
        self.postman = NotificationDelivery(self.house, Transports(self.house.store, TransportSettings(private=True)))

    def close(self):
        self.house.close()

    def kill(self):
        """What a kill leaves behind: nothing is said, nothing is written."""
        self.house._closed.set()
        self.house.peers.close()
        self.house.store.close()

    def pass_by(self, seconds):
        self.clock.pass_by(seconds)
        self.house.timeouts.poll()
        self.postman.deliver_pending("webhook")


def test_a_game_by_post_with_somebody_who_is_away(place, told):
    clock, chance = Hourglass(), Random(3)
    where = told.pop()
    evenings = Evenings(place, clock)
    house = evenings.house
    people = {name: house.guests.new(name) for name in ("Ada", "Bob", "Eve")}
    table = house.tables.create(
        people["Ada"], "tales-of-glory", [ME, OPEN, OPEN], pace=TimeControl.validated("post", each=DAY)
    )
    table.sit(people["Bob"], 1)
    table.sit(people["Eve"], 2)
    for name, guest in people.items():
        channels.add_channel(house.store, guest.id, "webhook", f"{where}/{name}", "en")
    house.quiet_hours.save(people["Bob"].id, QuietHours.validated("Europe/Paris", "22:00", "08:00"))
    days, absent, shown = 0, range(2, 9), []
    while table.status == "playing":
        days += 1
        assert days < 400, "the game goes on for ever"
        if days in (4, 12):  # in the middle of Eve's absence, and when she is back
            evenings.kill() if days == 4 else evenings.close()
            clock.pass_by(3 * DAY)
            evenings.open()
            house = evenings.house
        table = house.tables.find(table.id)
        evenings.pass_by(2 * HOUR)
        for name, guest in people.items():
            if name == "Eve" and days in absent:
                continue
            mine = [seat for seat in table.seats_of(guest) if seat in table.match.to_act]
            if table.status == "playing" and table.seats_of(guest) and table.seats[table.seats_of(guest)[0]].away:
                (seat,) = table.seats_of(guest)
                shown += [(table.match.view(seat), view) for view in possible_views(table.match, seat)]
                table.come_back(guest, seat)
                mine = [seat for seat in (seat,) if seat in table.match.to_act]
            for seat in mine:
                while table.status == "playing" and seat in table.match.to_act:
                    now = table.moment
                    table.answer(guest, seat, now.stamp(seat), [chance.choice(now.match.choices(seat)).id])
        evenings.pass_by(20 * HOUR)
    lines = [(line.what, line.seat) for line in table.moment.row.lines]
    assert ("out", 2) in lines, "a bot stepped in for Eve"
    assert ("back", 2) in lines, "and she came back"
    assert all(seat == 2 for _, seat in lines), "nobody else was away for so long"
    assert shown
    assert all(seen == possible for seen, possible in shown), "what she is shown is what her seat may know"
    names = [name for name, *_ in told]
    assert set(names) == set(people), "everybody was told of their turns"
    assert len({key for _, key, _ in told}) == len(told), "nothing was told twice"
    assert all(url.endswith(f"/t/{table.id}") for *_, url in told)
    record = table.record()
    assert verify(record).holds
    assert record["house"]["lines"][0][:2] == ["out", 2]
    again = house.tables.replay(table.id)
    assert (again.moment.clocks, again.moment.row.lines) == (table.moment.clocks, table.moment.row.lines)
    assert again.match.log(NO_SEAT, "fr", again.names) == table.match.log(NO_SEAT, "fr", table.names)
    evenings.close()


# A house in a process of its own, which delivers what lies in the outbox.
CHILD = """
import sys
from veillee.house.house_time import Hourglass
from veillee.house.house import House
from veillee.web.notifications.transports import Transports, TransportSettings
from veillee.web.notifications.delivery import NotificationDelivery
place, now = sys.argv[1:]
house = House.open(place, workers=0, now=Hourglass(float(now)))
NotificationDelivery(house, Transports(house.store, TransportSettings(private=True))).deliver_pending("webhook")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_a_house_that_is_killed_before_or_while_it_tells_somebody_tells_them_once(tmp_path):
    clock, heard, child = Hourglass(), [], []

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self):
            heard.append(self.headers["Idempotency-Key"])
            if child:  # in the middle of the delivery
                child.pop().kill()
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
    evenings = Evenings(tmp_path, clock)
    ada, bob = [evenings.house.guests.new(name) for name in ("Ada", "Bob")]
    table = evenings.house.tables.create(ada, "takara-island", [ME, OPEN], pace=TimeControl.validated("post", each=DAY))
    table.sit(bob, 1)
    (seat,) = table.match.to_act
    guest = (ada, bob)[seat]
    for n in (1, 2):
        channels.add_channel(
            evenings.house.store, guest.id, "webhook", f"http://127.0.0.1:{server.server_port}/{n}", "en"
        )
    clock.pass_by(HOUR)
    evenings.house.timeouts.poll()
    evenings.kill()  # both lie in the outbox
    assert heard == []
    code = [sys.executable, "-c", CHILD, str(tmp_path), str(clock.now)]
    house = subprocess.Popen(code, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    child.append(house)
    assert house.wait(60) == -signal.SIGKILL, "the first was on its way"
    assert len(heard) == 1
    evenings.open()
    for _ in range(3):
        evenings.pass_by(HOUR)
    assert len(heard) == len(set(heard)) == 2, "the second once, the first not again"
    assert evenings.house.tables.find(table.id).match.answers == []
    evenings.close()
    server.shutdown()
    server.server_close()
