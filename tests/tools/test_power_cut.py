"""Acknowledged data is flushed: it survives a power cut, and would not with a weaker `synchronous`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/stress"))

from power_cut import PowerCut, available  # noqa: E402

PLAY = """
import os, signal, sys
from veillee.house.storage import database
from veillee.house.house import House
from veillee.house.tables.seats import SeatPlan
folder, synchronous = sys.argv[1:]
usual = database._set_up_sqlite
def less(connection, record):
    usual(connection, record)
    connection.execute(f"PRAGMA synchronous = {synchronous}")
database._set_up_sqlite = less if synchronous else usual
house = House.open(folder, workers=0)
ada = house.guests.new("Ada")
table = house.tables.create(ada, "takara-island", [SeatPlan("me"), SeatPlan("bot")])
for _ in range(3):
    table.answer(ada, 0, table.stamp(0), [table.match.choices(0)[0].id])
print(table.id, table.moment.requests, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
pytestmark = pytest.mark.skipif(not available(), reason="it takes Linux and a C compiler")


@pytest.mark.parametrize(("synchronous", "kept"), [("", True), ("NORMAL", False), ("OFF", False)])
def test_what_is_acknowledged_survives_a_power_cut(tmp_path, synchronous, kept):
    from veillee.house.storage.store import Store
    from veillee.house.tables.repository import TableRepository

    with PowerCut(tmp_path) as power:
        env = os.environ | power.environment | {"PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "-c", PLAY, str(tmp_path), synchronous]
        told = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert told.stdout, told.stderr
        assert (power.cut() == 0) == kept
    table, requests = told.stdout.split()
    store = Store.open(tmp_path)
    found = TableRepository(store).find(table)
    store.close()
    assert (found is not None and len(found[1]) == int(requests)) == kept
