"""Substitutes: the players present let a bot play for an absent player on whose turn it is, until they return.

Possible once the player has exceeded the time control (without a clock: after ten minutes of absence), and only if all
players present agree; bots have no vote. The votes are stored in the database, so that players may be connected to
different processes.
"""

from __future__ import annotations

import contextlib

import sqlalchemy as sa

from veillee.house.accounts.guest import Guest
from veillee.house.accounts.quiet_hours import QuietHoursStore
from veillee.house.community.presence import Presence
from veillee.house.errors import NotNow, NotYours, t
from veillee.house.storage.schema import agreements
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.time_control import UNTIMED_ABSENCE_SECONDS
from veillee.house.tables.clocks.timeouts import seconds_left
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table


class SubstituteVotes:
    """Substitutes in one house."""

    def __init__(self, store: Store, presence: Presence, sleepers: QuietHoursStore) -> None:
        self._store = store
        self._presence = presence
        self._sleepers = sleepers

    def can_vote(self, now: Moment, seat: int) -> bool:
        """Returns whether the player has been away on their turn for longer than the time control allows."""
        present = now.seats[seat]
        since = seat_clocks.waiting_since(now.clocks[seat], now.row.lines, seat) if now.clocks else 0.0
        if present.kind != "person" or present.away or not since or now.status != "playing":
            return False
        if self._presence.is_here(present.guest, now.id):
            return False
        rest = seconds_left(self._store, self._sleepers, now, seat)
        if rest is not None:
            return rest <= 0
        seen = self._presence.last_seen(present.guest, now.id) or 0.0
        waited = self._store.now() - max(self._store.downtime.wall_seconds(since), seen)
        return waited >= UNTIMED_ABSENCE_SECONDS

    def votes(self, now: Moment, seat: int) -> set[str]:
        """Returns the guests who have agreed, for the seat's present question."""
        turn = now.clocks[seat].turn
        mine = sa.and_(agreements.c.table_id == now.id, agreements.c.seat == seat, agreements.c.turn == turn)
        with self._store.reading() as db:
            return set(db.execute(sa.select(agreements.c.guest).where(mine)).scalars())

    def vote(self, guest: Guest, table: Table, seat: int) -> bool:
        """Records the guest's agreement; when all players present agree, a bot plays. Returns whether one does. Raises
        NotYours, NotNow."""
        now = table.moment
        if not 0 <= seat < len(now.seats) or not now.seats_of(guest) or now.seats[seat].guest == guest.id:
            raise NotYours(t("Only players at the table can let a bot play for someone who is away."))
        if not self.can_vote(now, seat):
            raise NotNow(t("They are here, or still have time."))
        turn = now.clocks[seat].turn
        with contextlib.suppress(Conflict), self._store.writing() as db:  # already agreed
            db.execute(agreements.insert().values(table_id=now.id, seat=seat, turn=turn, guest=guest.id))
        present = {
            one.guest
            for one in now.seats
            if one.kind == "person" and one.guest != now.seats[seat].guest and self._presence.is_here(one.guest, now.id)
        }
        done = present <= self.votes(now, seat)
        if done:
            table.let_substitute_play(seat, turn, "agreed")
        self._presence.notify(now.id)
        return done
