"""Golden games: what was played once is replayed by every later version of the rules, to the same end."""

from __future__ import annotations

import json
from pathlib import Path

import veillee
from veillee.conformance.beside import golden_of
from veillee.games.box import Box


def test_a_golden_game_is_replayed_to_its_end(record: tuple[Box, Path]) -> None:
    """Rules that were never released may change: golden.py --again. Others get a new version."""
    box, path = record
    written = json.loads(path.read_text(encoding="utf-8"))
    verdict = veillee.verify(written)
    assert verdict.holds, verdict.checks
    assert verdict.match.box is box
    again = verdict.match.record()
    usual = {option.id: next(iter(option.values)) for option in box.options}
    later = {name: usual[name] for name in again["options"].keys() - written["options"].keys()}
    assert again == {**written, "options": written["options"] | later}, "an option that came later is at its default"


def test_every_box_has_a_golden_game_for_each_number_of_players(box: Box) -> None:
    """`python -m veillee.conformance.golden` makes those that are missing."""
    every = [json.loads(path.read_text(encoding="utf-8")) for path in golden_of(box)]
    for version in box.versions:
        records = [record for record in every if record["version"] == version]
        assert {record["seats"] for record in records} == set(box.players)
        for option in box.options:
            if option.since <= version:
                usual = next(iter(option.values))
                played = {record["options"].get(option.id, usual) for record in records}
                assert played == set(option.values)
