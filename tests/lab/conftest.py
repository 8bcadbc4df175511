"""Fixtures of the lab's tests: few simulations for luck, because the engine may be interpreted."""

from __future__ import annotations

import pytest

from veillee.lab import luck_correction


@pytest.fixture(autouse=True)
def little(monkeypatch):
    monkeypatch.setattr(luck_correction, "WORLDS_PER_ANSWER", 1)
    monkeypatch.setattr(luck_correction, "GAMES_PER_WORLD", 1)
