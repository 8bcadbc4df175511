"""Leases of the server processes, and which process computes a bot's answer (ADR 16).

A process counts as alive for LEASE seconds after each heartbeat, by the database's clock. A claim assigns a question to
a process, and is valid while that process is alive. With a single process (SQLite) every claim succeeds.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from veillee.house.storage.schema import claims, processes
from veillee.house.storage.store import CHANNEL, Store

LEASE_SECONDS = 1.5  # seconds for which a process counts as alive after a heartbeat

UPSERT_HEARTBEAT = sa.text("""
    INSERT INTO processes (id, until) VALUES (:process, clock_timestamp() + make_interval(secs => :lease))
    ON CONFLICT (id) DO UPDATE SET until = excluded.until
""")
DELETE_DISCONNECTED = sa.text("""
    DELETE FROM processes
    WHERE NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = CAST(:channel AS text) || processes.id)
""")
# The upper bound: a heartbeat written before the clock was set back must not extend the lease.
IS_ALIVE = "until BETWEEN clock_timestamp() AND clock_timestamp() + make_interval(secs => :lease)"
ACQUIRE_LEASE = sa.text(f"""
    INSERT INTO claims (table_id, seat, question, process) VALUES (:table, :seat, :number, :process)
    ON CONFLICT (table_id, seat) DO UPDATE SET question = excluded.question, process = excluded.process
    WHERE claims.question < excluded.question OR claims.question = excluded.question AND (
        claims.process = excluded.process
        OR NOT EXISTS (SELECT FROM processes WHERE id = claims.process AND {IS_ALIVE})
    )
    RETURNING process
""")  # noqa: S608 (the condition is a constant)


class Lease(NamedTuple):
    """A question to a bot, which one process answers; `number` grows with every question to that seat."""

    table: str
    seat: int
    number: int


def any_process_alive(store: Store) -> bool:
    """Returns whether a process counts as alive."""
    if not store.is_shared:
        return False
    query = sa.select(processes.c.id).where(sa.text(IS_ALIVE)).limit(1)
    with store.single_statement() as db:
        return db.execute(query, {"lease": LEASE_SECONDS}).first() is not None


def send_heartbeat(store: Store, process: str) -> None:
    """Writes the heartbeat of a process, which extends its lease."""
    with store.single_statement() as db:
        db.execute(UPSERT_HEARTBEAT, {"process": process, "lease": LEASE_SECONDS})


def unregister(store: Store, process: str) -> None:
    """Removes a process, those whose lease ended more than 1 hour ago, and all their claims."""
    long_ago = sa.func.clock_timestamp() - sa.text("interval '1 hour'")
    with store.writing() as db:
        db.execute(processes.delete().where(sa.or_(processes.c.id == process, processes.c.until < long_ago)))
        db.execute(claims.delete().where(claims.c.process.not_in(sa.select(processes.c.id))))


def drop_disconnected(store: Store) -> None:
    """Removes processes whose LISTEN connection is no longer in pg_stat_activity. PostgreSQL drops the connection when
    a process dies, well before its 1.5 s lease ends. A live process removed by mistake registers again at its next
    heartbeat.
    """
    with store.writing() as db:
        db.execute(DELETE_DISCONNECTED, {"channel": f"{CHANNEL} "})


def acquire(store: Store, question: Lease, process: str) -> bool:
    """Claims a question for this process. Returns False if another live process has claimed it already."""
    if not store.is_shared:
        return True
    with store.single_statement() as db:
        return (
            db.execute(ACQUIRE_LEASE, question._asdict() | {"process": process, "lease": LEASE_SECONDS}).first()
            is not None
        )


def release(store: Store, question: Lease, process: str) -> None:
    """Drops a claim that led to no answer, so that the question can be claimed again."""
    if store.is_shared:
        mine = sa.and_(claims.c.question == question.number, claims.c.process == process)
        where = sa.and_(claims.c.table_id == question.table, claims.c.seat == question.seat, mine)
        with store.writing() as db:
            db.execute(claims.delete().where(where))


def claimed_leases(store: Store, ids: Collection[str]) -> set[Lease]:
    """Returns the questions at these tables that a live process has claimed."""
    query = sa.select(claims.c.table_id, claims.c.seat, claims.c.question)
    living = query.join(processes, processes.c.id == claims.c.process).where(sa.text(IS_ALIVE))
    with store.single_statement() as db:
        found = db.execute(living.where(claims.c.table_id.in_(ids)), {"lease": LEASE_SECONDS})
        return {Lease(*row) for row in found}
