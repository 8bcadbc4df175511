"""The option of `pytest --pyargs veillee.conformance --game GAME`.

pytest reads options before it looks at what it shall test, and a plugin that it finds by itself (pyproject.toml) before
any path is set: so this stands outside of the package, and imports nothing of it before it is used.
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


def pytest_collection(session: pytest.Session) -> None:
    """A game that is not there is said once, before anything is tested."""
    games: list[str] = session.config.getoption("--game")
    if games:
        from veillee.conformance.beside import Missing, named  # noqa: PLC0415 - see above

        try:
            for game in games:
                named(game)
        except Missing as error:
            raise pytest.UsageError(str(error)) from None
