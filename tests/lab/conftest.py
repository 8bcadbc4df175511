"""Games in the tests may be played without the compiled engine: luck is told from little there."""

from __future__ import annotations

import pytest

from veillee.lab import luck


@pytest.fixture(autouse=True)
def little(monkeypatch):
    monkeypatch.setattr(luck, "WORLDS", 1)
    monkeypatch.setattr(luck, "GAMES", 1)
