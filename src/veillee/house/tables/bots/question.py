"""A seat's question for the process that thinks about it: for the seat's bot, or for the expert that gives advice.

Both get a position resampled for the seat, never the true one.
"""

from __future__ import annotations

from typing import NamedTuple

from veillee.bots.planning import resample_for_seat
from veillee.house.storage.leases import Lease
from veillee.house.tables.moment import Moment, keyed_hash
from veillee.house.workers.jobs import ThinkJob
from veillee.kernel.chance import Rng

ADVISER = "expert"


class BotQuestion(NamedTuple):
    """A seat's question at the moment when it was asked."""

    moment: Moment
    seat: int

    @property
    def stamp(self) -> str:
        return self.moment.stamp(self.seat)

    @property
    def lease(self) -> Lease:
        return Lease(self.moment.id, self.seat, self.moment.asked_at[self.seat])

    @property
    def job(self) -> ThinkJob:
        """The job for the seat's bot."""
        now, match, seed = self.moment, self.moment.match, self._seed("bot")
        whose = tuple(dict.fromkeys([present.guest for present in now.seats if present.guest]))
        position, level = resample_for_seat(match.state, self.seat, seed), now.seats[self.seat].level
        return ThinkJob(match.box.id, position, self.seat, level, seed, whose, now.id, timed=not now.row.deal)

    @property
    def hint_job(self) -> ThinkJob:
        """The job for the expert."""
        now, match, seed = self.moment, self.moment.match, self._seed("hint")
        whose = (now.seats[self.seat].guest,)
        return ThinkJob(
            match.box.id, resample_for_seat(match.state, self.seat, seed), self.seat, ADVISER, seed, whose, now.id
        )

    @property
    def random_answer(self) -> int:
        """A random legal choice, used when the bot's answer fails."""
        legal = self.moment.match.state.legal(self.seat)
        return legal[Rng(self._seed("bot")).below(len(legal))]

    def _seed(self, thinker: str) -> int:
        """Returns the seed for that thinker. It depends on how often the seat has answered, so that neither other
        seats' secret answers nor what was taken back shows in the result."""
        given = sum(who == self.seat for who, _ in self.moment.match.answers)
        return int.from_bytes(keyed_hash(self.moment.row.seed, f"{thinker} {self.seat} {given}")[:6], "big")
