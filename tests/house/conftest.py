"""A house on disk whose bots answer at once and whose seeds are known."""

from __future__ import annotations

from itertools import count

import pytest

from house.playing import HOTSEAT, ME, OPEN
from veillee.house.house import House
from veillee.match import seeds


@pytest.fixture(autouse=True)
def _known_seeds(monkeypatch):
    numbers = count(1)
    monkeypatch.setattr(seeds, "new_seed", lambda: seeds.seed_from(next(numbers)))


def pytest_generate_tests(metafunc):
    """A file that says ON_BOTH is about the house, whatever it is kept in."""
    if "place" in metafunc.fixturenames and getattr(metafunc.module, "ON_BOTH", False):
        metafunc.parametrize("place", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def place(request, tmp_path):
    """Where the house is kept."""
    return request.getfixturevalue("database") if getattr(request, "param", "") == "postgresql" else tmp_path


@pytest.fixture
def house(place):
    house = House.open(place, workers=0)
    yield house
    house.close()


@pytest.fixture
def ada(house):
    return house.guests.new("Ada")


@pytest.fixture
def bob(house):
    return house.guests.new("Bob")


@pytest.fixture
def around(house, ada):
    """Ada and three friends around one screen."""
    return house.tables.create(ada, "ghost-knights", [ME, HOTSEAT, HOTSEAT, HOTSEAT])


@pytest.fixture
def draft(house, ada, bob):
    """Ada and Bob choose secretly, at the same time."""
    table = house.tables.create(ada, "paper-tales", [ME, OPEN])
    table.sit(bob, 1)
    assert table.match.to_act == (0, 1)
    return table
