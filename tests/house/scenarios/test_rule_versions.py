"""A stored table goes on by the version of the rules that it began with."""

from __future__ import annotations

import json
from dataclasses import replace

from house.playing import HOTSEAT, ME
from veillee.games.catalogue import BOXES
from veillee.house.house import House

SPARED = BOXES["paper-tales"].folder / "conformance" / "golden" / "2-spared-a-question.json"


def test_a_table_begun_under_earlier_rules_is_played_to_its_end_by_them(house, ada, tmp_path):
    """A game of version 1, of which the later version would ask more (tests/match/test_match_versions.py)."""
    record = json.loads(SPARED.read_text(encoding="utf-8"))
    new = house.tables.create(ada, "paper-tales", [ME, HOTSEAT])
    assert new.match.version == 2
    older = replace(new.moment.row, id=new.id[::-1], version=1, options={}, seed=bytes.fromhex(record["seed"]))
    house.tables.repository.add(older)
    table = house.tables.find(older.id)
    for number, (seat, action) in enumerate(record["answers"]):
        if number == 60:  # after a question was spared; and as if the house had been closed meanwhile
            house.close()
            house = House.open(tmp_path, workers=0)
            table = house.tables.find(older.id)
        table.answer(ada, seat, table.stamp(seat), [action])
    assert table.record() == record
    assert table.history.at(60).answers == [tuple(answer) for answer in record["answers"][:60]]
    assert house.tables.rematch(ada, table).match.version == 2
    house.close()
