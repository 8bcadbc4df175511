"""Health checks: what they ask, how often, and how they fail."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from veillee.house.errors import StoreError, t
from veillee.house.house import House
from veillee.web.app import create_app
from veillee.web.pages import health


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


@pytest.fixture
def now(monkeypatch):
    """The time of health checks, which a test sets."""
    clock = [100.0]
    monkeypatch.setattr(health, "monotonic", lambda: clock[0])
    return clock


def ask(app, times):
    """The statuses of so many checks at once."""

    async def asked():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as web:
            answers = await asyncio.gather(*[web.get("/readyz") for _ in range(times)])
            return {answer.status_code for answer in answers}

    with ThreadPoolExecutor(1) as other:  # a thread that has no event loop of a browser
        return other.submit(asyncio.run, asked()).result()


def test_the_database_is_asked_once_a_second_at_most(house, now, monkeypatch):
    asked = []
    ping = house.store.ping
    monkeypatch.setattr(house.store, "ping", lambda: (asked.append(now[0]), ping()))
    app = create_app(house)
    assert ask(app, 30) == {200}
    assert ask(app, 5) == {200}
    assert asked == [100.0]
    now[0] += health.DATABASE_CHECK_SECONDS
    assert ask(app, 5) == {200}
    assert asked == [100.0, 101.0]


def test_a_database_that_goes_and_comes_back_is_told_after_a_second(house, now, monkeypatch):
    app = create_app(house)
    assert ask(app, 1) == {200}

    def fail():
        raise StoreError(t("This link is not, or no longer, valid: ask for a new one."))

    with monkeypatch.context() as broken:
        broken.setattr(house.store, "ping", fail)
        now[0] += health.DATABASE_CHECK_SECONDS
        assert ask(app, 3) == {503}
    now[0] += health.DATABASE_CHECK_SECONDS
    assert ask(app, 3) == {200}


def test_a_database_that_hangs_is_waited_for_once_and_not_for_ever(house, now, monkeypatch):
    monkeypatch.setattr(health, "DATABASE_TIMEOUT_SECONDS", 0.05)
    go_on, asked = threading.Event(), []
    monkeypatch.setattr(house.store, "ping", lambda: (asked.append(1), go_on.wait(20)))
    try:
        assert ask(create_app(house), 30) == {503}
        assert asked == [1]
    finally:
        go_on.set()
