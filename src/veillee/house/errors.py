"""What can be wrong with what is asked of the house, and what every error of ours is to a browser and to a shell."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from veillee.match.autoplay import BotFault
from veillee.match.errors import BadContent, BadSave, Forbidden, Unknown, VeilleeError
from veillee.words import Sayable, sentences

t = sentences(Path(__file__).parent / "locale")


class NoTable(VeilleeError):
    """There is no table of that name."""


class NotHere(VeilleeError):
    """There is no such game, rule, seat, file or page."""


class Stale(VeilleeError):
    """The request was made on a board that is no longer the present one."""


class NotYours(VeilleeError):
    """The seat is somebody else's, or nobody's."""


class Stranger(VeilleeError):
    """Whoever asks must first say who they are."""


class OtherSite(VeilleeError):
    """The request was made by a page that is not one of ours."""


class ShownTheDoor(VeilleeError):
    """Whoever keeps order in the house does not let them in."""


class NotNow(VeilleeError):
    """The table is not at the point where this can be done."""


class NoAdvice(VeilleeError):
    """Nobody could say what they would do, or not in time."""

    def __init__(self) -> None:
        super().__init__(t("No advice came to mind: please ask again."))


class BadRequest(VeilleeError):
    """A name, plan, level, token, form or file that cannot be taken."""


class TooMany(BadRequest):
    """Somebody asks more of the house than their share."""

    def __init__(self, said: Sayable, wait: float) -> None:
        super().__init__(said)
        self.wait = wait  # seconds


class StoreError(VeilleeError):
    """The store cannot be opened, read or written."""


class CannotListen(VeilleeError):
    """The house cannot be opened at that address."""


class Outcome(NamedTuple):
    """What an error is to those who do not read sentences."""

    status: int  # of HTTP
    exit_code: int  # of a command


OUTCOMES: dict[type[VeilleeError], Outcome] = {
    Forbidden: Outcome(422, 2),
    BadSave: Outcome(422, 2),
    BadContent: Outcome(422, 2),
    Unknown: Outcome(422, 2),
    BadRequest: Outcome(422, 2),
    BotFault: Outcome(422, 2),
    TooMany: Outcome(429, 2),
    Stranger: Outcome(401, 2),
    NotYours: Outcome(403, 2),
    OtherSite: Outcome(403, 2),
    ShownTheDoor: Outcome(403, 2),
    NoTable: Outcome(404, 2),
    NotHere: Outcome(404, 2),
    Stale: Outcome(409, 2),
    NotNow: Outcome(409, 2),
    NoAdvice: Outcome(503, 2),
    CannotListen: Outcome(503, 3),
    StoreError: Outcome(503, 4),
}
OUR_MISTAKE = Outcome(500, 1)  # what is not in the table


def outcome(error: Exception) -> Outcome:
    """The line of the table for this error."""
    return next((OUTCOMES[kind] for kind in type(error).__mro__ if kind in OUTCOMES), OUR_MISTAKE)
