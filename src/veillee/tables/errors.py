"""What can be wrong with what a guest asks of a table: each error is a sentence, in the reader's language."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from veillee.match.errors import VeilleeError
from veillee.words import words

LOCALE = Path(__file__).parent / "locale"


class Said(NamedTuple):
    """A sentence that is put into a language when somebody reads it."""

    message: str
    values: dict[str, object]

    def say(self, lang: str) -> str:
        return words(LOCALE, lang)(self.message, **self.values)


def t(message: str, /, **values: object) -> Said:
    return Said(message, values)


class TableError(VeilleeError):
    """str(error) is English; say(lang) is the reader's language."""

    def __init__(self, said: Said) -> None:
        super().__init__(said.say("en"))
        self.said = said

    def say(self, lang: str) -> str:
        return self.said.say(lang)


class NoTable(TableError):
    """There is no table of that name."""


class Stale(TableError):
    """The request was made on a board that is no longer the present one."""


class NotYours(TableError):
    """The seat is somebody else's, or nobody's."""


class NotNow(TableError):
    """The table is not at the point where this can be done."""


class NoAdvice(TableError):
    """Nobody could say what they would do, or not in time."""

    def __init__(self) -> None:
        super().__init__(t("No advice came to mind: please ask again."))


class BadRequest(TableError):
    """A name, plan, level or token that cannot be taken."""


class StoreError(TableError):
    """The store cannot be opened, read or written."""
