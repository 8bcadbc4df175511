"""The option of `pytest --pyargs veillee.conformance --game GAME`.

pytest reads options before it looks at what it shall test, and a plugin that it finds by itself (pyproject.toml) before
any path is set: so this stands outside of the package and imports nothing of it.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("veillee").addoption(
        "--game",
        action="append",
        default=[],
        metavar="GAME",
        help="test this box of veillee.conformance: its id, or the module that has it as BOX; all of the shelf by default",
    )
