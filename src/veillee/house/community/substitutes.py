"""Those present let a bot play for somebody who is away on their turn, until they return.

It takes longer than the pace allows (where nobody is in a hurry, ten minutes of absence), and everybody who is present must
agree: people, not bots. What they agree on is written down, so that it does not matter in which process each of them is.
"""

from __future__ import annotations

import contextlib

import sqlalchemy as sa

from veillee.house.accounts.people import Guest
from veillee.house.accounts.quiet_hours_store import Sleepers
from veillee.house.community.presence import Presence
from veillee.house.errors import NotNow, NotYours, t
from veillee.house.storage.schema import agreements
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.time_control import PATIENT
from veillee.house.tables.clocks.timeouts import left
from veillee.house.tables.moment import Moment
from veillee.house.tables.table import Table


class StandIns:
    """Of one house."""

    def __init__(self, store: Store, presence: Presence, sleepers: Sleepers) -> None:
        self._store = store
        self._presence = presence
        self._sleepers = sleepers

    def may(self, now: Moment, seat: int) -> bool:
        """Has the person been away on their turn for longer than the pace allows?"""
        present = now.seats[seat]
        since = seat_clocks.asked_since(now.hours[seat], now.row.lines, seat) if now.hours else 0.0
        if present.kind != "person" or present.away or not since or now.status != "playing":
            return False
        if self._presence.is_here(present.guest, now.id):
            return False
        rest = left(self._store, self._sleepers, now, seat)
        if rest is not None:
            return rest <= 0
        seen = self._presence.seen(present.guest, now.id) or 0.0
        waited = self._store.now() - max(self._store.closings.wall(since), seen)
        return waited >= PATIENT

    def agreed(self, now: Moment, seat: int) -> set[str]:
        """The guests who have agreed to it, about the question that the seat is asked."""
        turn = now.hours[seat].turn
        mine = sa.and_(agreements.c.table_id == now.id, agreements.c.seat == seat, agreements.c.turn == turn)
        with self._store.reading() as db:
            return set(db.execute(sa.select(agreements.c.guest).where(mine)).scalars())

    def agree(self, guest: Guest, table: Table, seat: int) -> bool:
        """The guest wants it. When all who are present do, a bot plays: does one? Raises NotYours, NotNow."""
        now = table.now
        if not 0 <= seat < len(now.seats) or not now.seats_of(guest) or now.seats[seat].guest == guest.id:
            raise NotYours(t("Only those who sit at the table can let a bot play for somebody who is away."))
        if not self.may(now, seat):
            raise NotNow(t("They are here, or still have time."))
        turn = now.hours[seat].turn
        with contextlib.suppress(Conflict), self._store.writing() as db:  # they have said so already
            db.execute(agreements.insert().values(table_id=now.id, seat=seat, turn=turn, guest=guest.id))
        present = {
            one.guest
            for one in now.seats
            if one.kind == "person" and one.guest != now.seats[seat].guest and self._presence.is_here(one.guest, now.id)
        }
        done = present <= self.agreed(now, seat)
        if done:
            table.stand_in(seat, turn, "agreed")
        self._presence.tell(now.id)
        return done
