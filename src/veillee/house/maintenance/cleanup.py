"""Deletes expired data: sessions and recovery links past their lifetime, IP addresses of chat messages after 7 days,
tables that waited 30 days without a game, guests inactive for 60 days.

Never deletes a played game, nor a guest who has a seat at a table that is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from veillee.games.catalogue import BOXES
from veillee.house.accounts.personal_data import DELETE_EMPTY_CIRCLES
from veillee.house.accounts.sessions import COOKIE_LIFETIME_SECONDS, DAY_SECONDS, RECOVERY_LIFETIME_SECONDS
from veillee.house.background import PeriodicThread, logged
from veillee.house.maintenance.daily_backup import DailyBackups
from veillee.house.notifications import outbox
from veillee.house.results.daily_deals import seal_deals
from veillee.house.storage import uptime
from veillee.house.storage.schema import (
    answers,
    bans,
    guests,
    identities,
    passkeys,
    presence,
    reports,
    roles,
    seats,
    tables,
    talk,
    tokens,
)
from veillee.house.storage.store import Store

UNUSED_TABLE_SECONDS = 30 * DAY_SECONDS  # since the last change of seats
INACTIVE_GUEST_SECONDS = 60 * DAY_SECONDS  # since the last visit of a guest without a seat
CHAT_IP_SECONDS = 7 * DAY_SECONDS  # how long the IP address of a chat message is kept
REPORT_IP_SECONDS = 30 * DAY_SECONDS  # the same, for a reported message that is not settled
RUN_EVERY_SECONDS = DAY_SECONDS
MAINTENANCE_HANG_SECONDS = 600.0  # seconds for one of its tasks: a large database takes a while


@dataclass(frozen=True)
class DeletedCounts:
    """Numbers of deleted rows."""

    tokens: int
    tables: int
    guests: int


def delete_expired(store: Store, now: float | None = None) -> DeletedCounts:
    """Deletes expired data, in one transaction."""
    now = store.now() if now is None else now
    with store.reading() as db:
        downtime = uptime.load_downtime(db, now)
    inactive = downtime.expiry_cutoff(now, INACTIVE_GUEST_SECONDS)
    expired = sa.or_(
        sa.and_(tokens.c.kind == "recovery", tokens.c.created < downtime.expiry_cutoff(now, RECOVERY_LIFETIME_SECONDS)),
        sa.and_(tokens.c.kind == "cookie", tokens.c.used < downtime.expiry_cutoff(now, COOKIE_LIFETIME_SECONDS)),
    )
    waited = sa.and_(
        tables.c.status == "waiting",
        tables.c.touched < downtime.expiry_cutoff(now, UNUSED_TABLE_SECONDS),
        tables.c.id.not_in(sa.select(answers.c.table_id)),
    )
    seated = sa.select(seats.c.guest).where(seats.c.guest.is_not(None))
    here = sa.select(tokens.c.guest).where(tokens.c.used >= inactive)
    year_ago = downtime.expiry_cutoff(now, COOKIE_LIFETIME_SECONDS)
    lasting = sa.union(
        sa.select(roles.c.guest),
        *(sa.select(proof.c.guest).where(proof.c.used >= year_ago) for proof in (passkeys, identities)),
    )
    gone = sa.and_(
        guests.c.created < inactive,
        guests.c.id.not_in(seated),
        guests.c.id.not_in(here),
        guests.c.id.not_in(lasting),
    )
    outbox.delete_history(store)
    with store.writing() as db:
        db.execute(presence.delete().where(presence.c.seen < inactive))
        old_tokens = db.execute(tokens.delete().where(expired)).rowcount
        ids = list(db.execute(sa.select(tables.c.id).where(waited)).scalars())
        for some in (ids[n : n + 500] for n in range(0, len(ids), 500)):
            db.execute(seats.delete().where(seats.c.table_id.in_(some)))
            db.execute(tables.update().where(tables.c.rematch.in_(some)).values(rematch=""))
            db.execute(tables.delete().where(tables.c.id.in_(some)))
        db.execute(talk.update().where(talk.c.address != "", talk.c.said < now - CHAT_IP_SECONDS).values(address=""))
        db.execute(reports.update().where(reports.c.created < now - REPORT_IP_SECONDS).values(address=""))
        db.execute(bans.delete().where(bans.c.until > 0, bans.c.until < now))
        db.execute(tokens.delete().where(tokens.c.guest.in_(sa.select(guests.c.id).where(gone))))
        old_guests = db.execute(guests.delete().where(gone)).rowcount
        db.execute(DELETE_EMPTY_CIRCLES)
    return DeletedCounts(old_tokens, len(ids), old_guests)


class DailyMaintenance:
    """Thread that once a day writes a backup, deletes expired data and seals the deals of the next day."""

    def __init__(self, store: Store, often: float = RUN_EVERY_SECONDS, backups: DailyBackups | None = None) -> None:
        self._store = store
        self._backups = backups
        self._thread = PeriodicThread(
            "daily-maintenance",
            self._maintain,
            often,
            first_seconds=min(60.0, often),
            failure="The daily maintenance has failed",
            hang_seconds=MAINTENANCE_HANG_SECONDS,
        )

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._thread.stop()

    def _maintain(self) -> None:
        if self._backups is not None:
            with logged("The daily backup cannot be written"):
                self._backups.run(self._store.now())
            self._thread.beat()
        with logged("Expired data cannot be deleted"):
            delete_expired(self._store)
        self._thread.beat()
        with logged("The deals of tomorrow cannot be sealed"):
            seal_deals(self._store, list(BOXES))
