"""Games in the tests may be played without the compiled engine: luck is told from little there."""

from __future__ import annotations

import pytest

from veillee.lab import luck_correction


@pytest.fixture(autouse=True)
def little(monkeypatch):
    monkeypatch.setattr(luck_correction, "WORLDS_PER_ANSWER", 1)
    monkeypatch.setattr(luck_correction, "GAMES_PER_WORLD", 1)
