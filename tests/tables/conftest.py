"""A house on disk whose bots answer at once and whose seeds are known."""

from __future__ import annotations

from itertools import count

import pytest

from veillee.match import seal
from veillee.tables.house import House


@pytest.fixture(autouse=True)
def _known_seeds(monkeypatch):
    numbers = count(1)
    monkeypatch.setattr(seal, "new_seed", lambda: seal.seed_from(next(numbers)))


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


@pytest.fixture
def ada(house):
    return house.new_guest("Ada")


@pytest.fixture
def bob(house):
    return house.new_guest("Bob")
