"""Garbage collection: rare, and if possible when the server is idle."""

from __future__ import annotations

import asyncio
import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import uvicorn
from uvicorn.server import ServerState

from veillee.web.http.rate_limits import Limits
from veillee.web.live.streams import ENDED, open_stream
from veillee.web.serving import idle_gc
from veillee.web.serving.connections import Connections
from veillee.web.serving.idle_gc import (
    BUSY_THRESHOLD_OBJECTS,
    GROWN,
    IDLE_SECONDS,
    IDLE_THRESHOLD_OBJECTS,
    MIN_PAUSE_FACTOR,
    OBJECTS_PER_STREAM,
    IdleGarbageCollector,
)

TOOK = 0.5  # seconds, for every search


class Life:
    """A process: what is new in it, how many requests it has answered, and what time it is."""

    def __init__(self, monkeypatch):
        self.new = self.left = self.answered = self.searched = self.ended = 0
        self.now = 1000.0
        monkeypatch.setattr(idle_gc, "gc", self)
        self.circles = IdleGarbageCollector(lambda: self.answered, lambda: self.ended, lambda: self.now)

    def get_count(self):
        return (self.new, 0, 0)

    def get_objects(self):
        return range(self.left)

    def collect(self):
        self.searched += 1
        self.new = 0
        self.now += TOOK

    def passes(self, seconds, answered=0):
        self.now += seconds
        self.answered += answered
        return self.circles.poll()


@pytest.fixture
def life(monkeypatch):
    return Life(monkeypatch)


def test_it_searches_when_there_may_be_something_to_find(life):
    life.new = BUSY_THRESHOLD_OBJECTS - 1
    assert not life.passes(1, answered=10)
    life.new = BUSY_THRESHOLD_OBJECTS
    assert life.passes(1, answered=10)


def test_a_search_is_not_repeated_for_a_hundred_times_as_long(life):
    life.new = BUSY_THRESHOLD_OBJECTS
    assert life.passes(1, answered=1)
    life.new = 10 * BUSY_THRESHOLD_OBJECTS
    assert not life.passes(MIN_PAUSE_FACTOR * TOOK - 2, answered=1)
    assert life.passes(3, answered=1)


def test_when_nobody_asks_for_anything_it_searches_for_less(life):
    life.new = IDLE_THRESHOLD_OBJECTS
    assert not life.passes(1, answered=1)
    assert not life.passes(IDLE_SECONDS / 2)
    assert life.passes(IDLE_SECONDS)
    assert not life.passes(1000), "what is found once is not searched for again"


def test_a_house_that_fills_up_is_searched_when_it_is_four_times_as_full(life):
    life.new, life.left = BUSY_THRESHOLD_OBJECTS, 4 * BUSY_THRESHOLD_OBJECTS
    assert life.passes(1, answered=1)
    life.new = GROWN * 4 * BUSY_THRESHOLD_OBJECTS - 1
    assert not life.passes(1000, answered=1), "new tables are no circles"
    life.new = GROWN * 4 * BUSY_THRESHOLD_OBJECTS
    assert life.passes(1, answered=1)


def test_it_searches_when_streams_have_left_half_as_much_as_there_is(life):
    life.new, life.left = BUSY_THRESHOLD_OBJECTS, 4 * BUSY_THRESHOLD_OBJECTS
    assert life.passes(1, answered=1)
    life.new, life.ended = BUSY_THRESHOLD_OBJECTS, 5 * BUSY_THRESHOLD_OBJECTS // 2 // OBJECTS_PER_STREAM
    assert not life.passes(1000, answered=1)
    life.ended += 1
    assert life.passes(1, answered=1)
    assert not life.passes(1000, answered=1), "those that have been searched for are gone"


def test_a_stream_that_ends_is_counted():
    async def one():
        before = ENDED.number
        with open_stream(asyncio.Event()):
            assert ENDED.number == before
        assert ENDED.number == before + 1

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, one()).result()


def test_a_connection_that_ends_leaves_no_circle():
    made = []

    class Noted(Connections(Limits()).protocol()):
        def connection_made(self, transport):
            super().connection_made(transport)
            made.append(weakref.ref(transport))

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def visit():
        config = uvicorn.Config(app, http=Noted, log_config=None, lifespan="off")
        config.load()
        state = ServerState()
        protocol = partial(Noted, config=config, server_state=state, app_state={})
        async with await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0) as door:
            for _ in range(3):
                reader, writer = await asyncio.open_connection(*door.sockets[0].getsockname())
                writer.write(b"GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n")
                assert b"204" in await reader.read()
                writer.close()
                await writer.wait_closed()
            while state.connections or state.tasks:  # noqa: ASYNC110 (uvicorn has no event for it)
                await asyncio.sleep(0)

    gc.collect()
    gc.disable()
    try:
        with ThreadPoolExecutor(1) as thread:  # the browser of other tests keeps a loop running in this one
            thread.submit(asyncio.run, visit()).result()
        assert len(made) == 3
        assert not any(transport() for transport in made)
    finally:
        gc.enable()
