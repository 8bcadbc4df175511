"""For every test: the engine is interpreted unless the run says otherwise; Hypothesis is repeatable and no stopwatch."""

import os

import pytest
from hypothesis import settings

os.environ.setdefault("VEILLEE_ENGINES", "off")  # before anything of ours is imported

settings.register_profile("veillee", deadline=None, derandomize=True)
settings.load_profile("veillee")


@pytest.fixture
def brought():
    """An owner brings a file of this text; after the test it is offered no more."""
    from veillee.games.catalogue import BOXES
    from veillee.games.owners import BROUGHT, check_text
    from veillee.match.contents import add

    yield lambda text, file="mine.toml": add(check_text(file, text))
    BROUGHT.clear()
    for kind in [box.contents for box in BOXES.values() if box.contents is not None]:
        del kind.offered[1:]
        kind.option.values.clear()
        kind.option.values[kind.offered[0].id] = kind.offered[0].names
