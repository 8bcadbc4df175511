"""What the doctor says of networks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from veillee.cli import doctor
from veillee.games.catalogue import BOXES
from veillee.games.network import NETWORK_FILE
from veillee.words import words


def test_a_network_that_does_not_fit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = BOXES["ghost-knights"]
    monkeypatch.setattr(doctor, "BOXES", {box.id: replace(box, folder=tmp_path)})
    assert list(doctor._networks(words(tmp_path, "en"), "en")) == ["[green]✓[/] none"]
    (tmp_path / NETWORK_FILE).write_text("{", encoding="utf-8")
    _, line = doctor._networks(words(tmp_path, "en"), "en")
    assert "ghost-knights is judged without its network" in line
    _, line = doctor._networks(words(tmp_path, "fr"), "fr")
    assert "ghost-knights est jugé sans son réseau" in line
