"""Fixtures of all tests: the engine is interpreted unless the run says otherwise; Hypothesis is deterministic, without deadlines."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("VEILLEE_ENGINES", "off")  # before anything of ours is imported
os.environ["VEILLEE_LANG"] = "en"  # independent of the user's language

# A shell without job control starts what is in the background (`make test &`, cron, nohup) with SIGINT ignored, and
# every process of a test would inherit that: none could be stopped by Ctrl+C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("veillee", deadline=None, derandomize=True)
settings.load_profile("veillee")


@pytest.fixture(scope="session", autouse=True)
def _quick_houses():
    """Of houses in this process: the schema is made by the migrations once and copied from then on, which takes a tenth of the
    time, and nothing is flushed to the disk. Gives what prepares a connection in production.
    """
    import sqlalchemy as sa

    from veillee.house.storage import database

    migrate, prepare, schema = database._upgrade, database._set_up_sqlite, list[str]()

    def upgrade(db, revision):
        if db.dialect.name != "sqlite" or revision != "head" or sa.inspect(db).get_table_names():
            migrate(db, revision)
        elif schema:
            for statement in schema:
                db.exec_driver_sql(statement)
        else:
            migrate(db, revision)
            dumped = db.connection.dbapi_connection.iterdump()
            schema[:] = [one for one in dumped if one not in ("BEGIN TRANSACTION;", "COMMIT;")]

    def prepare_quickly(connection, record):
        prepare(connection, record)
        connection.execute("PRAGMA synchronous = OFF")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_upgrade", upgrade)
        patch.setattr(database, "_set_up_sqlite", prepare_quickly)
        yield prepare


@pytest.fixture
def flushed(_quick_houses, monkeypatch):
    """Houses that are opened from now on flush what they write, as in production."""
    monkeypatch.setattr("veillee.house.storage.database._set_up_sqlite", _quick_houses)


@pytest.fixture
def brought():
    """An owner brings a file of this text; after the test it is offered no more."""
    from veillee.games.catalogue import BOXES
    from veillee.games.owners import BROUGHT, check_text
    from veillee.match.owner_content import add

    yield lambda text, file="mine.toml": add(check_text(file, text))
    BROUGHT.clear()
    for kind in [box.contents for box in BOXES.values() if box.contents is not None]:
        del kind.offered[1:]
        kind.option.values.clear()
        kind.option.values[kind.offered[0].id] = kind.offered[0].names


@pytest.fixture(scope="session")
def postgres():
    """A real PostgreSQL, started when the first test asks for it. Where there is none, that test fails."""
    if sys.platform == "win32":
        pytest.skip("PostgreSQL is tried where it has a socket of its own")
    sys.path.insert(0, str(Path(__file__).parents[1] / "tools/stress"))
    from postgres import running

    with running() as server:
        yield server


@pytest.fixture(scope="session")
def _one_for_all(postgres):
    from veillee.house.storage.store import Store

    address = postgres.database()
    Store.open(address).close()
    return address


@pytest.fixture
def database(_one_for_all):
    """The address of an empty house's database: the same one, emptied, which is faster than another."""
    import psycopg

    from veillee.house.storage.schema import metadata

    with psycopg.connect(_one_for_all) as db:
        db.execute(f"TRUNCATE {', '.join(metadata.tables)}")
    return _one_for_all
