"""Games in the tests may be played without the compiled engine: luck is told from few worlds there."""

from __future__ import annotations

import pytest

from veillee.lab import luck


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch):
    monkeypatch.setattr(luck, "WORLDS", 1)
