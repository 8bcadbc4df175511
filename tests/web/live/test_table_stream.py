"""Stream of a table: a heartbeat by its own clock; a reconnecting reader misses nothing and gets nothing twice."""

from __future__ import annotations

import asyncio
import json
import re
import selectors
from concurrent.futures import ThreadPoolExecutor
from random import Random
from types import SimpleNamespace
from unittest.mock import patch

import httpx
import pytest

from veillee.house.tables.seats import SeatPlan
from veillee.match import seeds
from veillee.web.api import routes as api_routes
from veillee.web.api.stream import position_events
from veillee.web.live.stream_state import StreamState
from veillee.web.live.table_stream import table_events

LONG = 50.0  # seconds that a test listens: of the loop's own time, in which nothing takes any
HEARTBEAT = b": still here\n\n"


class Hourglass(asyncio.SelectorEventLoop):
    """A loop whose time goes on to the next thing that is due as soon as there is nothing else to do."""

    def __init__(self) -> None:
        self.at = 0.0
        super().__init__(Patience(self))

    def time(self) -> float:
        return self.at


class Patience(selectors.DefaultSelector):
    def __init__(self, loop: Hourglass) -> None:
        super().__init__()
        self.loop = loop

    def select(self, timeout=None):
        self.loop.at += max(0.0, timeout or 0.0)
        return super().select(0)


@pytest.fixture
def listen():
    """Listens to a table for some time: (when, what) of all that is said. `deeds`: what is done meanwhile, and when.

    `elsewhere` takes down what is said in another window of the same guest.
    """

    def listen(table, guest, deeds=(), have="", elsewhere=None, stream=None):
        said = []
        loop = Hourglass()

        async def read(note):
            v = SimpleNamespace(guest=guest, lang="en", origin="", speed="normal")
            async for chunk in stream() if stream is not None else table_events(v, table, None, have):
                note.append((loop.time(), chunk))

        async def run():
            for when, do in deeds:
                loop.call_at(when, do)
            notes = [said] if elsewhere is None else [said, elsewhere]
            windows = [asyncio.create_task(read(note)) for note in notes]
            await asyncio.sleep(LONG)
            for window in windows:
                window.cancel()
            await asyncio.wait(windows)

        # In a thread of its own: the browser of other tests keeps a loop running in this one.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(loop.run_until_complete, run()).result()
        loop.close()
        return said

    return listen


@pytest.fixture
def people(served):
    """A table of four guests, and who they are."""
    house = served[1]
    guests = [house.guests.new(name) for name in "ABCD"]
    with patch.object(seeds, "new_seed", lambda: seeds.seed_from(7)):
        table = house.tables.create(guests[0], "ghost-knights", [SeatPlan("me"), *[SeatPlan("open")] * 3], public=False)
    for seat in (1, 2, 3):
        table.sit(guests[seat], seat)
    return table, guests


def beats(said):
    return [when for when, chunk in said if chunk == HEARTBEAT]


def messages(said):
    return [chunk.decode() for _, chunk in said if chunk.startswith(b"id: ")]


def ids(said):
    return [message.split("\n")[0].removeprefix("id: ") for message in messages(said)]


def numbers(message):
    """Of the events that are told in a message: a beat has the number of its last one."""
    beats = re.findall(r'<li\s+data-n="(\d+)"\s+data-rest(.*?)</li>', message.replace("\ndata: ", " "), re.DOTALL)
    return [n for last, beat in beats for n in range(int(last) - beat.count("data-kind") + 1, int(last) + 1)]


def sentences(message):
    return [
        " ".join(p.replace("data: ", "").split()) for p in re.findall(r"data-rest.*?<p>(.*?)<a", message, re.DOTALL)
    ]


def deeds_of(table, guests):
    """A hidden answer, its undo, and an open answer, by the seat that is asked."""
    (seat,) = table.match.to_act
    card = next(choice.id for choice in table.match.choices(seat) if choice.verb == "play")
    hide = lambda: table.answer(guests[seat], seat, table.stamp(seat), [card])  # noqa: E731
    undo = lambda: table.undo(guests[seat], seat, table.stamp(seat))  # noqa: E731
    draw = lambda: table.answer(guests[seat], seat, table.stamp(seat), [table.match.choices(seat)[0].id])  # noqa: E731
    return seat, hide, undo, draw


def test_the_heart_beats_by_its_own_clock_whatever_is_said_or_kept_secret(people, listen):
    table, guests = people
    _, hide, undo, draw = deeds_of(table, guests)
    said = listen(table, None, [(4.0, hide), (9.0, undo), (14.0, draw)])
    assert beats(said) == [15.0, 30.0, 45.0]
    assert [when for when, chunk in said if b"event: parts" in chunk] == [0.0, 14.0], "what is hidden is not told"


def test_a_seat_is_told_of_its_own_move_in_hand(people, listen):
    table, guests = people
    seat, hide, undo, _ = deeds_of(table, guests)
    said = listen(table, guests[seat], [(4.0, hide), (9.0, undo)])
    assert [when for when, chunk in said if b"event: parts" in chunk] == [0.0, 4.0, 9.0]
    assert len(set(ids(said))) == 3
    assert beats(said) == [15.0, 30.0, 45.0]


def test_whoever_comes_back_is_told_what_is_new_and_nothing_twice(people, listen):
    table, guests = people
    seat, hide, _, draw = deeds_of(table, guests)
    other = (seat + 1) % 4
    (have,) = ids(listen(table, guests[other]))
    assert ids(listen(table, guests[other], have=have)) == [], "nothing has changed meanwhile"
    hide()
    assert ids(listen(table, guests[other], have=have)) == [], "nor for those who are not shown it"
    table.undo(guests[seat], seat, table.stamp(seat))
    draw()
    (now,) = ids(listen(table, guests[other], have=have))
    assert now == table.moment.shown_version([other]) != have


def test_two_windows_of_a_seat_are_told_the_same(people, listen):
    table, guests = people
    seat, hide, undo, draw = deeds_of(table, guests)
    there = []
    here = listen(table, guests[seat], [(1.0, hide), (2.0, undo), (3.0, draw)], elsewhere=there)
    assert [when for when, chunk in here if b"event: parts" in chunk] == [0.0, 1.0, 2.0, 3.0]
    assert there == here


# -- happenings -------------------------------------------------------------------------------------------------------
def test_a_message_tells_what_happened_and_then_how_things_stand(people, listen):
    table, guests = people
    seat, _, _, draw = deeds_of(table, guests)
    other = (seat + 1) % 4
    heard = table.match.heard(other)
    _, message = messages(listen(table, guests[other], [(1.0, draw)]))
    name = table.seats[seat].name
    assert sentences(message)[0] == f"{name} draws a card."
    assert numbers(message) == list(range(heard + 1, table.match.heard(other) + 1))
    assert message.index("data-rest") < message.index('id="part-')
    assert 'id="part-log"' not in message, "the happenings are its new lines"


def test_only_who_may_know_is_told_what_was_drawn(people, listen):
    table, guests = people
    seat, _, _, draw = deeds_of(table, guests)
    elsewhere = table.moment.shown_version()
    mine = messages(listen(table, guests[seat], [(1.0, draw)]))
    theirs = messages(listen(table, None, have=elsewhere))
    assert any(sentence.startswith("In secret") for sentence in sentences(mine[-1]))
    assert sentences(theirs[0])[0].endswith("draws a card.")
    assert "In secret" not in "".join(theirs)


def test_what_was_taken_back_is_not_told_again(people, listen):
    table, guests = people
    seat, hide, undo, _ = deeds_of(table, guests)
    said = messages(listen(table, guests[seat], [(1.0, hide), (2.0, undo), (3.0, hide)]))
    _, first, back, again = said
    assert len(sentences(first)) == 1
    assert sentences(back) == []
    assert 'id="part-log"' in back, "a line has gone"
    assert sentences(again) == sentences(first)
    assert numbers(again) == numbers(first)


class Reader:
    """A page: what it has, and every happening it was ever told."""

    def __init__(self, guest):
        self.visit = SimpleNamespace(guest=guest, lang="en", origin="")
        self.told = []
        self.look = None

    def open(self, table, have):
        """A stream of its own, for a page that has this."""
        self.look = StreamState(have)
        if have == table.moment.shown_version(table.seats_of(self.visit.guest)):
            self.look.next_update(self.visit, table.moment, None)

    def read(self, table):
        if self.look.name != table.moment.shown_version(table.seats_of(self.visit.guest)):
            for text in self.look.next_update(self.visit, table.moment, None).texts:
                self.told += numbers(text)


def test_what_took_the_place_of_something_taken_back_is_told_with_the_whole_chronicle(people):
    """A reader who was not there in between: a line has gone, and another has come."""
    table, guests = people
    seat, hide, undo, draw = deeds_of(table, guests)
    reader = Reader(guests[seat])
    reader.open(table, table.moment.shown_version([seat]))
    hide()
    reader.read(table)
    undo()
    draw()
    told, *parts = reader.look.next_update(reader.visit, table.moment, None).texts
    assert sentences(told)[0].endswith("draws a card.")
    assert any('id="part-log"' in part for part in parts)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_lost_and_nothing_told_twice_however_often_a_stream_ends(people, seed):
    """Two tabs of one seat and a spectator: streams that are cut, that sleep, that go on from what they have."""
    table, guests = people
    pick = Random(seed)
    readers = [Reader(guests[0]), Reader(guests[0]), Reader(None)]
    begun = [table.match.heard(0), table.match.heard(0), table.match.heard(-1)]
    for reader in readers:
        reader.open(table, table.moment.shown_version(table.seats_of(reader.visit.guest)))
    for _ in range(60):
        (seat,) = table.match.to_act
        choices = table.match.choices(seat)
        table.answer(guests[seat], seat, table.stamp(seat), [pick.choice(choices).id])
        for reader in readers:
            if pick.random() < 0.3:
                reader.open(table, reader.look.name)  # the browser says what it had last
            if pick.random() < 0.6:
                reader.read(table)
    for reader, first, who in zip(readers, begun, (0, 0, -1), strict=True):
        reader.read(table)
        assert reader.told == list(range(first + 1, table.match.heard(who) + 1))


def test_a_page_that_names_something_else_is_shown_the_present(people):
    table, guests = people
    for have in ("", "7", "0.0-99999", "0.0-12345678", "0.0-x", "0.w-0", "0.1-0", "..-.", "é"):
        reader = Reader(guests[0])
        reader.open(table, have)
        texts = reader.look.next_update(reader.visit, table.moment, None).texts
        assert sum('id="part-' in text for text in texts) >= 5
        assert not any("data-rest" in text for text in texts)


# -- as programs follow it --------------------------------------------------------------------------------------------
def program(table, guest, seat, heard=0):
    """What a program is told that follows the seat; with all that it knows of who is signed in."""

    async def is_still_here():
        return True

    def position(now, heard):
        return api_routes.position(now, seat, "en", heard)

    return lambda: position_events(table, guest, seat, heard, position, is_still_here)


def told(said):
    return [json.loads(chunk.partition(b"data: ")[2]) for _, chunk in said if b"event: position" in chunk]


def test_a_programs_heart_beats_by_its_own_clock_and_what_is_hidden_is_not_told(people, listen):
    table, guests = people
    seat, hide, undo, draw = deeds_of(table, guests)
    other = (seat + 1) % 4
    said = listen(table, None, [(4.0, hide), (9.0, undo), (14.0, draw)], stream=program(table, guests[other], other))
    assert beats(said) == [15.0, 30.0, 45.0]
    assert [when for when, chunk in said if b"event: position" in chunk] == [0.0, 14.0]


def test_a_program_is_told_each_event_once_however_often_it_comes_back(people, listen):
    table, guests = people
    seat, _, _, draw = deeds_of(table, guests)
    first = told(listen(table, None, [(4.0, draw)], stream=program(table, guests[seat], seat)))
    assert [message["seat"] for message in first] == [seat, seat]
    assert first[-1]["stamp"] == table.stamp(seat)
    again = told(listen(table, None, stream=program(table, guests[seat], seat, first[0]["heard"])))
    assert [message["events"] for message in again] == [first[-1]["events"]]
    assert first[-1]["events"], "something has happened"
    assert first[0]["events"] + first[-1]["events"] == [api_routes.plain(event) for event in table.match.events(seat)]


def test_a_stream_of_a_seat_ends_when_the_seat_is_anothers(people, listen):
    table, guests = people
    (seat, *_), said = deeds_of(table, guests), []
    leave = lambda: table.depart(guests[seat])  # noqa: E731
    said = listen(table, None, [(4.0, leave)], stream=program(table, guests[seat], seat))
    assert len(told(said)) == 1
    assert not beats(said)


def test_a_program_follows_over_http_and_answers_without_being_answered(served, people):
    table, guests = people
    (seat,) = table.match.to_act
    address = f"{served[0]}/api/tables/{table.id}/seats/{seat}"
    mine = {"Authorization": f"Bearer {guests[seat].token}", "Accept-Language": "en"}
    with httpx.Client(headers=mine) as web, web.stream("GET", f"{address}/stream") as stream:
        lines = (line.removeprefix("data: ") for line in stream.iter_lines() if line.startswith("data: "))
        position = json.loads(next(lines))
        assert position == web.get(address).json()
        given = {"stamp": position["stamp"], "answers": [position["choices"][0]["id"]]}
        minimal = {"Prefer": "return=minimal"}
        answer = web.post(f"{address}/answers", json=given, headers=minimal)
        assert (answer.status_code, answer.content) == (204, b"")
        news = json.loads(next(lines))
        assert news == web.get(address, params={"heard": position["heard"]}).json()
    stranger = {"Authorization": f"Bearer {guests[seat - 1].token}"}
    assert httpx.get(f"{address}/stream", headers=stranger).status_code == 403
    assert httpx.get(f"{address}/stream").status_code == 401
