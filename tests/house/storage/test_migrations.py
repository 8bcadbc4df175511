"""Nothing that was played is lost by an upgrade: every step of the schema with rows in all its tables, and whole houses as
earlier versions left them.

A new migration needs nothing for the first: rows are made for all tables. Say in MEANT what the
step makes of the rows that are there, if it is more than leaving them alone. `python tools/dev/keep_house.py`, run before it,
keeps a house of the schema before.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from house.playing import play_on
from veillee.house.accounts.guest import Guest
from veillee.house.house import House
from veillee.house.storage import database
from veillee.house.storage.database import FILE, MIGRATIONS
from veillee.house.storage.schema import metadata

HOUSES = sorted((Path(__file__).parents[1] / "houses").glob("*.sql"))
CONFIG = Config()
CONFIG.set_main_option("script_location", str(MIGRATIONS))
STEPS = [script.revision for script in ScriptDirectory.from_config(CONFIG).walk_revisions()][::-1]


def one(db, query):
    return [tuple(row) for row in db.exec_driver_sql(query)]


MEANT = {
    "0002": lambda db: one(db, "SELECT count(*) FROM tables WHERE NOT hints") == [(0,)],
    "0004": lambda db: set(one(db, "SELECT requests FROM tables")) == {(2,), (0,)},
    "0005": lambda db: set(one(db, "SELECT used - created, device FROM tokens")) == {(0.0, "")},
    "0006": lambda db: one(db, "SELECT count(*) FROM guests WHERE NOT chosen") == [(1,)],
    "0007": lambda db: set(one(db, "SELECT guide FROM tables")) == {("",)},
    "0030": lambda db: (
        set(one(db, "SELECT form, scoring, deals_per_round FROM championships")) == {("duplicate", "skill", 0)}
    ),
}


def filled(db):
    """Two rows in every table of whatever schema it is; the second guest has a newcomer's name. What is in them."""
    schema = sa.MetaData()
    schema.reflect(db)
    tables = [table for table in schema.sorted_tables if table.name != "alembic_version"]
    for table in tables:
        for n in (1, 2):
            row = {column.name: value(table, column, n) for column in table.columns}
            db.execute(table.insert().values(row))
    return {table.name: contents(db, table) for table in tables}


def value(table, column, n):
    for key in column.foreign_keys:
        both = table.name == "answers"  # are of the first table: a number that is counted differs from row to row
        return value(key.column.table, key.column, 1 if both else n)
    if (table.name, column.name, n) == ("guests", "name", 2):
        return "Luciole"
    if (table.name, column.name) == ("answers", "seq"):
        return n
    kind = column.type.python_type
    if kind is str:
        return f"{column.name} {n}"
    if kind is bytes:
        return bytes([n] * 32)
    if kind is bool:
        return True
    return kind(n) if kind in (int, float) else sa.func.now()


def contents(db, table):
    keys = [column.name for column in table.columns]
    return keys, sorted((tuple(row) for row in db.execute(sa.select(table))), key=repr)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request, tmp_path):
    place = tmp_path if request.param == "sqlite" else request.getfixturevalue("postgres").database()
    engine = database.open_engine(place)[0]
    yield engine
    engine.dispose()


def test_each_step_keeps_every_row_and_says_what_it_means(engine):
    """From the schema before it, with rows in all tables. (The way back is a backup: docs/run-a-house.md.)"""
    for before, step in pairwise(STEPS):
        with engine.begin() as db:
            CONFIG.attributes["connection"] = db
            command.upgrade(CONFIG, before)
            was = filled(db)
            command.upgrade(CONFIG, step)
            kept(db, was, step)
            if step in MEANT:
                assert MEANT[step](db), step
            schema = sa.MetaData()
            schema.reflect(db)
            for table in reversed(schema.sorted_tables):
                if table.name != "alembic_version":
                    db.execute(table.delete())
    with engine.begin() as db:
        assert compare_metadata(MigrationContext.configure(db), metadata) == []


def kept(db, was, step):
    """Every row of before, in the columns that are still there."""
    schema = sa.MetaData()
    schema.reflect(db)
    for name, (keys, rows) in was.items():
        if name not in schema.tables:
            continue
        now = schema.tables[name]
        same = [key for key in keys if key in now.columns]
        found = sorted((tuple(row) for row in db.execute(sa.select(*[now.c[key] for key in same]))), key=repr)
        assert found == sorted((tuple(row[keys.index(key)] for key in same) for row in rows), key=repr), (step, name)


@pytest.mark.parametrize("file", HOUSES, ids=lambda file: file.stem)
def test_a_house_of_an_earlier_version_goes_on(tmp_path, file):
    """As that version wrote it: every table is what it was, and is played on."""
    text = file.read_text(encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.executescript(text)
    house = House.open(tmp_path, workers=0)
    with house.store.reading() as db:
        people = [Guest(row.id, row.name) for row in db.execute(sa.text("SELECT id, name FROM guests"))]
    assert sorted(guest.name for guest in people) == ["Ada", "Bob"]
    for table_id, was in json.loads(text.splitlines()[0].removeprefix("-- ")).items():
        table = house.tables.find(table_id)
        assert table.status == was["status"]
        if table.status == "waiting":
            assert [seat.kind for seat in table.seats] == was["seats"]
            continue
        match = table.match
        may = {str(seat): sorted(choice.id for choice in match.choices(seat)) for seat in match.to_act}
        assert (len(match.answers), may, match.scores) == (was["answers"], was["may"], was["scores"])
        play_on(table, people, 3)
    ada = next(guest for guest in people if guest.name == "Ada")
    assert house.guests.has_recovery(ada)
    assert sum(bool(house.tables.find(glance.id).rematch_id) for glance in house.tables.for_guest(ada)) == 1
    house.close()
