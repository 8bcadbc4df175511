"""The stream of a table: its heart beats by its own clock, and whoever was away misses nothing and hears nothing twice."""

from __future__ import annotations

import asyncio
import selectors
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from veillee.match import seal
from veillee.tables.people import SeatPlan
from veillee.web import play

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


async def at_once(do, *args):
    return do(*args)


@pytest.fixture
def listen(monkeypatch):
    """Listens to a table for some time: (when, what) of all that is said. `deeds`: what is done meanwhile, and when.

    `elsewhere` takes down what is said in another window of the same guest.
    """
    monkeypatch.setattr(play, "to_thread", at_once)

    def listen(table, guest, deeds=(), have=-1, elsewhere=None):
        said = []
        loop = Hourglass()

        async def read(note):
            v = SimpleNamespace(guest=guest, lang="en", origin="")
            async for chunk in play.events(v, table, None, have):
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
    guests = [house.new_guest(name) for name in "ABCD"]
    with patch.object(seal, "new_seed", lambda: seal.seed_from(7)):
        table = house.new_table(guests[0], "ghost-knights", [SeatPlan("me"), *[SeatPlan("open")] * 3], public=False)
    for seat in (1, 2, 3):
        table.sit(guests[seat], seat)
    return table, guests


def beats(said):
    return [when for when, chunk in said if chunk == HEARTBEAT]


def ids(said):
    return [int(chunk.split(b"\n")[0].removeprefix(b"id: ")) for _, chunk in said if chunk.startswith(b"id: ")]


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
    assert ids(said) == sorted(set(ids(said)))
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
    assert now > have
    assert now == table.rev([other])


def test_two_windows_of_a_seat_are_told_the_same(people, listen):
    table, guests = people
    seat, hide, undo, draw = deeds_of(table, guests)
    there = []
    here = listen(table, guests[seat], [(1.0, hide), (2.0, undo), (3.0, draw)], elsewhere=there)
    assert [when for when, chunk in here if b"event: parts" in chunk] == [0.0, 1.0, 2.0, 3.0]
    assert there == here
