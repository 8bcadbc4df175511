"""Golden games: what was played once is replayed by every later version of the rules, to the same end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import veillee
from veillee.games.catalogue import BOXES

GOLDEN = Path(__file__).parent.parent / "golden"
RECORDS = sorted(GOLDEN.glob("*/*.json"))


@pytest.mark.parametrize("path", RECORDS, ids=[f"{path.parent.name}-{path.stem}" for path in RECORDS])
def test_a_golden_game_is_replayed_to_its_end(path):
    """Rules that were never released may change: `python tools/make_golden.py --again GAME`. Others get a new version."""
    record = json.loads(path.read_text(encoding="utf-8"))
    verdict = veillee.verify(record)
    assert verdict.holds, verdict.checks
    assert verdict.match.box.folder.name == path.parent.name
    assert verdict.match.record() == record


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_every_box_has_a_golden_game_for_each_number_of_players(box):
    """`python tools/make_golden.py` makes those that are missing."""
    every = [json.loads(path.read_text(encoding="utf-8")) for path in GOLDEN.glob(f"{box.folder.name}/*.json")]
    for version in box.versions:
        records = [record for record in every if record["version"] == version]
        assert {record["seats"] for record in records} == set(box.players)
        for option in box.options:
            assert {record["options"][option.id] for record in records} == set(option.values)
