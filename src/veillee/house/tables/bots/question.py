"""What a seat is asked, for whoever thinks about it: a bot that sits there, or an expert who gives advice.

Both are handed a position that is resampled for the seat, never the true one.
"""

from __future__ import annotations

from typing import NamedTuple

from veillee.bots.planning import blind
from veillee.house.storage.leases import Question
from veillee.house.tables.moment import Moment, secret
from veillee.house.workers.pool import Job
from veillee.kernel.chance import Rng

ADVISER = "expert"


class Asked(NamedTuple):
    """A seat's question, at the moment when it was asked."""

    now: Moment
    seat: int

    @property
    def stamp(self) -> str:
        return self.now.stamp(self.seat)

    @property
    def question(self) -> Question:
        return Question(self.now.id, self.seat, self.now.asked_at[self.seat])

    @property
    def job(self) -> Job:
        """For the seat's bot."""
        now, match, seed = self.now, self.now.match, self._seed("bot")
        whose = tuple(dict.fromkeys([present.guest for present in now.seats if present.guest]))
        position, level = blind(match.state, self.seat, seed), now.seats[self.seat].level
        return Job(match.box.id, position, self.seat, level, seed, whose, now.id, timed=not now.row.deal)

    @property
    def advice(self) -> Job:
        """For an expert."""
        now, match, seed = self.now, self.now.match, self._seed("hint")
        whose = (now.seats[self.seat].guest,)
        return Job(match.box.id, blind(match.state, self.seat, seed), self.seat, ADVISER, seed, whose, now.id)

    @property
    def drawn(self) -> int:
        """Any allowed choice, for when no bot could say one."""
        legal = self.now.match.state.legal(self.seat)
        return legal[Rng(self._seed("bot")).below(len(legal))]

    def _seed(self, thinker: str) -> int:
        """It depends on how often the seat has answered: neither what others secretly answer meanwhile, nor what somebody took
        back, shows in what is thought."""
        given = sum(who == self.seat for who, _ in self.now.match.answers)
        return int.from_bytes(secret(self.now.row.seed, f"{thinker} {self.seat} {given}")[:6], "big")
