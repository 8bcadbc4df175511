"""Errors of requests to the house, and the HTTP status and exit code of every error of Veillée."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from veillee.match.autoplay import BotFault
from veillee.match.errors import BadContent, BadSave, Forbidden, Unknown, VeilleeError
from veillee.words import Sayable, sentences

t = sentences(Path(__file__).parent / "locale")


class NoTable(VeilleeError):
    """There is no table with this id."""


class NotFound(VeilleeError):
    """There is no such game, rule, seat, file or page."""


class Stale(VeilleeError):
    """The request was made on a version of the board that is no longer current."""


class NotYours(VeilleeError):
    """The seat belongs to another guest, or to none."""


class NotSignedIn(VeilleeError):
    """The request needs a guest, and has none: the visitor must first give a name."""


class NotInvited(VeilleeError):
    """The house is open by invitation only, and the visitor has none."""


class OtherSite(VeilleeError):
    """The request was made by a page of another site (CSRF)."""


class Banned(VeilleeError):
    """A moderator has banned this guest or address, or closed this table."""


class NotNow(VeilleeError):
    """The table is in a state in which this cannot be done."""


class NoAdvice(VeilleeError):
    """The worker processes gave no advice, or not in time."""

    def __init__(self) -> None:
        super().__init__(t("No hint was found: please ask again."))


class BadRequest(VeilleeError):
    """A name, seat plan, level, token, form or file that is not valid."""


class TooMany(BadRequest):
    """The caller exceeds its rate limit or quota."""

    def __init__(self, said: Sayable, wait: float) -> None:
        super().__init__(said)
        self.wait = wait  # seconds


class Busy(VeilleeError):
    """The server has too much to do at once; the same request may succeed after a while."""

    def __init__(self, said: Sayable, wait: float) -> None:
        super().__init__(said)
        self.wait = wait  # seconds


class StoreError(VeilleeError):
    """The database cannot be opened, read or written."""


class CannotListen(VeilleeError):
    """The server cannot listen at that address."""


class CannotBuild(VeilleeError):
    """The folder of the page cannot be built: a tool is missing, or a download is not what it should be."""


class Outcome(NamedTuple):
    """How an error is reported to programs."""

    status: int  # HTTP status
    exit_code: int  # of the process, for a command


OUTCOMES: dict[type[VeilleeError], Outcome] = {
    Forbidden: Outcome(422, 2),
    BadSave: Outcome(422, 2),
    BadContent: Outcome(422, 2),
    Unknown: Outcome(422, 2),
    BadRequest: Outcome(422, 2),
    BotFault: Outcome(422, 2),
    TooMany: Outcome(429, 2),
    NotSignedIn: Outcome(401, 2),
    NotYours: Outcome(403, 2),
    NotInvited: Outcome(403, 2),
    OtherSite: Outcome(403, 2),
    Banned: Outcome(403, 2),
    NoTable: Outcome(404, 2),
    NotFound: Outcome(404, 2),
    Stale: Outcome(409, 2),
    NotNow: Outcome(409, 2),
    NoAdvice: Outcome(503, 2),
    Busy: Outcome(503, 2),
    CannotListen: Outcome(503, 3),
    CannotBuild: Outcome(503, 3),
    StoreError: Outcome(503, 4),
}
OUR_MISTAKE = Outcome(500, 1)  # every error that is not in OUTCOMES


def outcome(error: Exception) -> Outcome:
    """Returns the entry of OUTCOMES for the nearest base class of this error."""
    return next((OUTCOMES[kind] for kind in type(error).__mro__ if kind in OUTCOMES), OUR_MISTAKE)
