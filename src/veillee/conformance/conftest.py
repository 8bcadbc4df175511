"""Parametrisation: which boxes are tested, and in which cases. A test asks for a `box`, a `case`, a `secretive` case, a
`record` or a `replaceable` box, whose content an owner may replace."""

from __future__ import annotations

import pytest

from veillee.conformance.beside import golden_of, named, pending_of
from veillee.conformance.cases import cases
from veillee.games.box import Box
from veillee.games.catalogue import BOXES

BOXES_OF = pytest.StashKey[list[Box]]()


def chosen(config: pytest.Config) -> list[Box]:
    """Returns the box that --game names; all boxes by default."""
    if BOXES_OF not in config.stash:
        boxes = [named(name) for name in config.getoption("--game", default=[])]
        config.stash[BOXES_OF] = boxes or list(BOXES.values())
    return config.stash[BOXES_OF]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    boxes = chosen(metafunc.config)
    if "box" in metafunc.fixturenames:
        metafunc.parametrize("box", boxes, ids=[box.id for box in boxes])
    if "replaceable" in metafunc.fixturenames:
        replaceable = [box for box in boxes if box.contents is not None]
        metafunc.parametrize("replaceable", replaceable, ids=[box.id for box in replaceable])
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", [case for box in boxes for case in cases(box)], ids=str)
    if "secretive" in metafunc.fixturenames:
        found = [case for box in boxes if pending_of(box) is not None for case in cases(box)]
        metafunc.parametrize("secretive", found, ids=str)
    if "record" in metafunc.fixturenames:
        records = [(box, path) for box in boxes for path in golden_of(box)]
        metafunc.parametrize("record", records, ids=[f"{box.id}-{path.stem}" for box, path in records])
