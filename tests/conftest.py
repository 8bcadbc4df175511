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
