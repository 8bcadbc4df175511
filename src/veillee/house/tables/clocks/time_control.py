"""Time control of a table: how much time players have, and what happens when it runs out.

No hurry: no clock. An evening: each question has some seconds of its own, and time beyond them is taken from a reserve
of minutes. By post: each move has some hours or days, without nights and holidays (house/accounts/quiet_hours.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from veillee.house.errors import BadRequest, t

MINUTE, HOUR, DAY = 60, 3600, 86_400
RESERVE_RANGE_SECONDS = range(MINUTE, 5 * HOUR + 1)  # seconds, for an evening
PER_QUESTION_RANGE_SECONDS = range(10 * MINUTE + 1)
PER_MOVE_RANGE_SECONDS = range(HOUR, 30 * DAY + 1)
UNTIMED_ABSENCE_SECONDS = 10 * MINUTE  # without a clock: a player who is away for longer may be substituted

Kind = Literal["", "evening", "post"]
Then = Literal["bot", "wait"]


@dataclass(frozen=True)
class TimeControl:
    """Time control of one table. Use Pace.agreed(), which validates it."""

    kind: Kind = ""
    reserve: int = 0  # seconds: for the whole game, of an evening
    each: int = 0  # seconds: per question of an evening, per move by post
    then: Then = "bot"  # on timeout: a bot plays until the player returns, or the table waits

    @classmethod
    def validated(cls, kind: str, reserve: int = 0, each: int = 0, then: str = "bot") -> TimeControl:
        """Returns the validated time control. Raises BadRequest."""
        if then not in ("bot", "wait"):
            raise BadRequest(t("When time is up a bot plays or the table waits, not {then}.", then=repr(then)[:20]))
        if kind == "":
            return cls()
        if kind == "evening":
            if reserve not in RESERVE_RANGE_SECONDS:
                raise BadRequest(t("The reserve of an evening is one minute to five hours."))
            if each not in PER_QUESTION_RANGE_SECONDS:
                raise BadRequest(t("A question of an evening has at most ten minutes of its own."))
            return cls("evening", reserve, each, cast(Then, then))
        if kind == "post":
            if each not in PER_MOVE_RANGE_SECONDS:
                raise BadRequest(t("By post a move has one hour to thirty days."))
            return cls("post", 0, each, cast(Then, then))
        raise BadRequest(t("There is no pace {kind}: no hurry, an evening, or by post.", kind=repr(kind)[:20]))

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Parses the text that written() returns."""
        if not text:
            return cls()
        kind, reserve, each, then = text.split()
        return cls(cast(Kind, kind), int(reserve), int(each), cast(Then, then))

    def serialize(self) -> str:
        return f"{self.kind} {self.reserve} {self.each} {self.then}" if self.kind else ""

    def seconds_allowed(self, spent: float) -> float:
        """Returns how many seconds a question may take when so many seconds of the reserve are spent."""
        return self.each + max(0.0, self.reserve - spent)


UNTIMED = TimeControl()
