"""Pools of threads for the work of requests: one kind of work keeps no other waiting, and what does not fit is refused."""

from __future__ import annotations

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import httpx
import pytest
from tests.web.http.test_work_in_flight import GAME, PATIENCE, client, house, serve  # noqa: F401 - fixtures

from veillee.house.accounts import personal_data
from veillee.house.errors import Busy, StoreError
from veillee.house.storage.store import Conflict
from veillee.house.tables.seats import SeatPlan
from veillee.web.http import work_pools
from veillee.web.http.rate_limits import Limits
from veillee.web.http.work_pools import WorkPool


def test_work_that_does_not_fit_is_refused_and_fits_again_later():
    async def play():
        pool, finish = WorkPool("test", threads=1, queue=1), threading.Event()
        held = [asyncio.create_task(pool.run(finish.wait, PATIENCE)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy) as refused:
            await pool.run(int)
        assert (refused.value.wait, pool.refused_count) == (2.0, 1)
        held[0].cancel()
        await asyncio.wait([held[0]])
        with pytest.raises(Busy):  # the thread still works for the request that was given up
            await pool.run(int)
        finish.set()
        assert await held[1]
        pool.wait_until_idle()
        assert await pool.run(int, "7") == 7

    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        thread.submit(asyncio.run, play()).result()


def test_a_change_that_another_was_faster_with_is_tried_again():
    async def play():
        tries = []

        def once_in_the_way():
            tries.append(1)
            if len(tries) < 3:
                raise Conflict
            return "done"

        def always_in_the_way():
            raise Conflict

        pool = WorkPool("test", threads=1, queue=1)
        assert await pool.run(once_in_the_way) == "done"
        with pytest.raises(StoreError, match="Too many changes"):
            await pool.run(always_in_the_way)

    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop in this one
        thread.submit(asyncio.run, play()).result()


@contextmanager
def occupied(pool):
    """Every thread and place of the pool is taken."""
    finish = threading.Event()
    with ExitStack() as closing:
        closing.callback(finish.set)
        with pool._changed:
            free = pool._most - pool._taken
            pool._taken += free
        for _ in range(free):
            pool._executor.submit(finish.wait, PATIENCE).add_done_callback(pool._on_done)
        yield


@pytest.mark.parametrize(
    ("name", "path"),
    [("PICTURES", "/picture.png"), ("EXPORTS", "/me/data.json"), ("WRITES", "/me"), ("PAGES", "/")],
)
def test_a_full_pool_refuses_its_own_work_alone(serve, house, name, path):  # noqa: F811
    guest = house.guests.new("Ada")
    pages = {"/": "PAGES", "/evening": "PAGES", "/picture.png?lang=fr": "PICTURES"}
    url = serve(Limits())
    with client(url, guest) as web:
        assert web.get("/").status_code == 200  # the guest is cached
        with occupied(getattr(work_pools, name)):
            if name != "EXPORTS":  # an export has begun before its first piece is made
                post = name == "WRITES"
                refused = (
                    web.post(path, data={"name": "Bea"}) if post else web.get(path, headers={"Accept-Language": "fr"})
                )
                assert (refused.status_code, refused.headers["retry-after"]) == (503, "2")
                assert ("hands full" if post else "mains pleines") in refused.text
            for other, pool in pages.items():
                assert (web.get(other).status_code == 200) == (pool != name), other
            assert web.get("/readyz").status_code == 200
    work_pools.wait_until_idle()


def test_one_export_of_a_guest_at_a_time_and_all_of_it(serve, house, monkeypatch):  # noqa: F811
    monkeypatch.setattr(personal_data, "GAMES_PER_PIECE", 2)
    guest = house.guests.new("Ada")
    tables = [house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("open")]).id for _ in range(5)]
    url = serve(Limits())
    began, finish = threading.Event(), threading.Event()
    export = personal_data.export_json

    def slow(*args, **named):
        began.set()
        finish.wait(PATIENCE)
        yield from export(*args, **named)

    with client(url, guest) as web, client(url, guest) as other, patch.object(personal_data, "export_json", slow):
        told = []
        thread = threading.Thread(target=lambda: told.append(web.get("/me/data.json")))
        thread.start()
        assert began.wait(PATIENCE)
        refused = other.get("/me/data.json")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
        assert other.get("/me/games.jsonl").status_code == 429
        assert other.get("/me").status_code == 200
        finish.set()
        thread.join()
        whole = json.loads(told[0].content)
        assert sorted(game["id"] for game in whole["games"]) == sorted(tables)
        assert whole["in_this_browser"]["lang"] == "en"
        assert isinstance(told[0], httpx.Response)
        assert "content-length" not in told[0].headers, "it is streamed"


def test_exports_are_made_in_pieces(house, monkeypatch):  # noqa: F811
    """45 MB at once kept the whole house waiting."""
    monkeypatch.setattr(personal_data, "GAMES_PER_PIECE", 2)
    guest = house.guests.new("Ada")
    for _ in range(5):
        house.tables.create(guest, GAME, [SeatPlan("me"), SeatPlan("open")])
    pieces = list(personal_data.export_json(house.store, guest))
    assert max(piece.count(b'"my_answers"') for piece in pieces) == 2
    assert len(json.loads(b"".join(pieces))["games"]) == 5
