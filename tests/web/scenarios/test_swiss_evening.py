"""A whole evening of three rounds over HTTP: eight players over two processes or one, one late, one who leaves, the house
killed in the middle."""

from __future__ import annotations

import json
from random import Random

import pytest
from litestar.testing import TestClient

from house.evenings import Evenings
from house.playing import play_on
from veillee.house.championships.rounds import BREAK_SECONDS
from veillee.house.house_time import Hourglass
from veillee.match.championship_file import verify_championship
from veillee.web.app import create_app

GAME = "tales-of-glory"
ROUNDS = 3
OVER_HTTP = 10  # answers of a table
NAMES = ("Arthur", "Bohort", "Calogrenant", "Dinadan", "Enide", "Fergus", "Gauvain", "Hector")


@pytest.fixture(params=["sqlite", "postgresql"])
def evenings(request, tmp_path):
    several = request.param == "postgresql"
    found = Evenings(request.getfixturevalue("database") if several else tmp_path, Hourglass(), several)
    yield found
    found.close()


class Clients:
    """The players, each at one of the processes."""

    def __init__(self, evenings):
        self.evenings = evenings
        self.guests = [evenings.houses[0].guests.new(name) for name in NAMES]
        self.connect()

    def connect(self):
        apps = [create_app(house) for house in self.evenings.houses]
        self.clients = [
            TestClient(apps[number % len(apps)], cookies={"guest": guest.token, "lang": "en"})
            for number, guest in enumerate(self.guests)
        ]

    def fetch(self, path):
        return self.clients[0].get(path).text

    def send(self, number, path, **fields):
        headers = {"Sec-Fetch-Site": "same-origin"}
        return self.post(number, path, data=fields, headers=headers, follow_redirects=False)

    def post(self, number, path, **request):
        answer = self.clients[number].post(path, **request)
        assert answer.status_code < 400, answer.text
        return answer

    def play(self, table_id, chance, answers=OVER_HTTP):
        """The first questions at that table are answered over HTTP, each by the client whom it is put to; returns the
        number of answers."""
        table = self.evenings.houses[-1].tables.load(table_id)
        while table.status == "playing" and answers:
            now = table.moment
            seat = next(seat for seat in now.match.to_act if not now.seats[seat].is_played_by_bot)
            number = next(n for n, guest in enumerate(self.guests) if guest.id == now.seats[seat].guest)
            told = {"stamp": now.stamp(seat), "answers": [chance.choice(now.match.choices(seat)).id]}
            headers = {"Authorization": f"Bearer {self.guests[number].token}"}
            self.post(number, f"/api/tables/{table_id}/seats/{seat}/answers", json=told, headers=headers)
            table, answers = self.evenings.houses[-1].tables.load(table_id), answers - 1
        return len(table.match.answers)

    def finish(self, table_id, chance):
        """The game at that table is played to its end, after a while without HTTP, which is faster."""
        self.play(table_id, chance)
        play_on(self.evenings.houses[-1].tables.load(table_id), self.guests, seed=chance.randrange(100))


def test_a_swiss_evening_of_eight_with_a_kill_in_the_middle(evenings):
    chance, clients = Random(8), Clients(evenings)
    leaver, late = 2, 7
    terms = {"form": "rounds", "deals": ROUNDS, "level": "novice", "lasts": "evening", "scoring": "victories"}
    address = clients.send(0, f"/games/{GAME}/championship", name="Soirée", **terms).headers["location"]
    for number in range(1, 7):
        clients.send(number, f"{address}/join")
    clients.send(0, f"{address}/start")

    def now():
        house = evenings.houses[0]
        return house.championships.standings(house.championships.find(address.rpartition("/")[2]), None)

    def next_round():
        evenings.clock.pass_by(BREAK_SECONDS)
        for house in evenings.houses:  # each wants to begin it
            house.timeouts.poll()

    for table in now().tables:
        clients.finish(table.table_id, chance)
    clients.send(late, f"{address}/join")
    next_round()
    assert sorted(one for table in now().tables for one in table.seating) == list(range(1, 9))
    begun = {table.table_id: clients.play(table.table_id, chance) for table in now().tables}
    clients.send(leaver, f"{address}/withdraw")
    evenings.kill(0)
    clients.connect()
    for table_id, answers in begun.items():
        assert len(evenings.houses[0].tables.load(table_id).match.answers) >= answers, "what was acknowledged is there"
        clients.finish(table_id, chance)
    next_round()
    assert sorted(one for table in now().tables for one in table.seating) == [1, 2, 4, 5, 6, 7, 8]
    first, second = now().tables
    clients.finish(first.table_id, chance)
    clients.play(second.table_id, chance, 5)
    evenings.clock.pass_by(2 * 3600)
    for house in evenings.houses:
        house.timeouts.poll()

    done = now()
    assert done.is_over
    rounds_of = {entrant: [one.round for one in done.games if one.entrant == entrant] for entrant in range(1, 9)}
    assert rounds_of == {entrant: [1, 2, 3] for entrant in range(1, 9)} | {3: [1, 2], 8: [2, 3]}
    marked = {(one.entrant, one.round) for one in done.games if one.is_substituted}
    assert marked == {(3, 2), *((entrant, 3) for entrant in second.seating)}
    assert sum(line.victories for line in done.lines) == pytest.approx(sum(one.share for one in done.games))
    assert [line.victories for line in done.lines] == sorted((line.victories for line in done.lines), reverse=True)
    for house in evenings.houses:
        assert house.championships.standings(done.championship, None).lines == done.lines, "the same in every process"
    lines = clients.fetch(f"{address}/games.jsonl").splitlines()
    verdict = verify_championship(json.loads(line) for line in lines)
    assert (verdict.games, verdict.faults) == (2 + 3 + 2, [])
