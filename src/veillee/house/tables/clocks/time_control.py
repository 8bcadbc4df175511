"""The pace of a table: how much time its people leave each other, and what happens when somebody's is out.

No hurry: nobody counts. An evening: each question has some seconds of its own, and what goes beyond is taken from a reserve
of minutes. By post: each move has some hours or days, of which nights and holidays do not count (nights.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from veillee.house.errors import BadRequest, t

MINUTE, HOUR, DAY = 60, 3600, 86_400
RESERVE = range(MINUTE, 5 * HOUR + 1)  # seconds, of an evening
QUESTION = range(10 * MINUTE + 1)
POST = range(HOUR, 30 * DAY + 1)
PATIENT = 10 * MINUTE  # where nobody is in a hurry: somebody who is away for longer may be stood in for

Kind = Literal["", "evening", "post"]
Then = Literal["bot", "wait"]


@dataclass(frozen=True)
class Pace:
    """Of one table. Use Pace.agreed(), which checks it."""

    kind: Kind = ""
    reserve: int = 0  # seconds: of an evening, for the whole game
    each: int = 0  # seconds: for each question of an evening, for each move by post
    then: Then = "bot"  # when time is out: a bot plays until the person returns, or all wait

    @classmethod
    def agreed(cls, kind: str, reserve: int = 0, each: int = 0, then: str = "bot") -> Pace:
        """Raises BadRequest."""
        if then not in ("bot", "wait"):
            raise BadRequest(t("When time is out a bot plays or the table waits, not {then}.", then=repr(then)[:20]))
        if kind == "":
            return cls()
        if kind == "evening":
            if reserve not in RESERVE:
                raise BadRequest(t("The reserve of an evening is one minute to five hours."))
            if each not in QUESTION:
                raise BadRequest(t("A question of an evening has at most ten minutes of its own."))
            return cls("evening", reserve, each, cast(Then, then))
        if kind == "post":
            if each not in POST:
                raise BadRequest(t("By post a move has one hour to thirty days."))
            return cls("post", 0, each, cast(Then, then))
        raise BadRequest(t("There is no pace {kind}: no hurry, an evening, or by post.", kind=repr(kind)[:20]))

    @classmethod
    def read(cls, text: str) -> Pace:
        """As written() wrote it."""
        if not text:
            return cls()
        kind, reserve, each, then = text.split()
        return cls(cast(Kind, kind), int(reserve), int(each), cast(Then, then))

    def written(self) -> str:
        return f"{self.kind} {self.reserve} {self.each} {self.then}" if self.kind else ""

    def allows(self, spent: float) -> float:
        """How many seconds a question may take, of somebody who has spent so much of their reserve."""
        return self.each + max(0.0, self.reserve - spent)


NO_HURRY = Pace()
