"""Which processes of a house are alive, and which one thinks for a bot (ADR 16).

A process is alive for a while after it has said so, by the database's clock. A claim is a question and who thinks about it: it
holds while that one is alive. Where there is one process, it thinks about everything.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from veillee.house.storage.schema import claims, processes
from veillee.house.storage.store import CHANNEL, Store

LEASE = 1.5  # seconds for which a process counts as alive after it has said so

ALIVE = sa.text("""
    INSERT INTO processes (id, until) VALUES (:process, clock_timestamp() + make_interval(secs => :lease))
    ON CONFLICT (id) DO UPDATE SET until = excluded.until
""")
BURY = sa.text("""
    DELETE FROM processes
    WHERE NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = CAST(:channel AS text) || processes.id)
""")
# Not later than that, either: whoever said so before the clock was set back is not alive for longer.
LIVING = "until BETWEEN clock_timestamp() AND clock_timestamp() + make_interval(secs => :lease)"
CLAIM = sa.text(f"""
    INSERT INTO claims (table_id, seat, question, process) VALUES (:table, :seat, :number, :process)
    ON CONFLICT (table_id, seat) DO UPDATE SET question = excluded.question, process = excluded.process
    WHERE claims.question < excluded.question OR claims.question = excluded.question AND (
        claims.process = excluded.process
        OR NOT EXISTS (SELECT FROM processes WHERE id = claims.process AND {LIVING})
    )
    RETURNING process
""")  # noqa: S608 (the condition is our own)


class Question(NamedTuple):
    """What a bot is asked: `number` grows with every question to that seat."""

    table: str
    seat: int
    number: int


def anybody(store: Store) -> bool:
    """Is there a process that counts as alive?"""
    if not store.shared:
        return False
    query = sa.select(processes.c.id).where(sa.text(LIVING)).limit(1)
    with store.single_statement() as db:
        return db.execute(query, {"lease": LEASE}).first() is not None


def alive(store: Store, process: str) -> None:
    """The process says so, and counts as alive for a while, by the database's clock."""
    with store.single_statement() as db:
        db.execute(ALIVE, {"process": process, "lease": LEASE})


def gone(store: Store, process: str) -> None:
    """It thinks no more. Nor do those that have not been heard of for long: what they claimed is swept away."""
    long_ago = sa.func.clock_timestamp() - sa.text("interval '1 hour'")
    with store.writing() as db:
        db.execute(processes.delete().where(sa.or_(processes.c.id == process, processes.c.until < long_ago)))
        db.execute(claims.delete().where(claims.c.process.not_in(sa.select(processes.c.id))))


def bury(store: Store) -> None:
    """Those whose line is cut are dead: the system cuts it when it ends a process, long before its lease is over. Whoever
    is alive all the same says so again in a moment."""
    with store.writing() as db:
        db.execute(BURY, {"channel": f"{CHANNEL} "})


def claim(store: Store, question: Question, process: str) -> bool:
    """Is it for this process to think about? Not if one that is alive does so already."""
    if not store.shared:
        return True
    with store.single_statement() as db:
        return db.execute(CLAIM, question._asdict() | {"process": process, "lease": LEASE}).first() is not None


def give_up(store: Store, question: Question, process: str) -> None:
    """It has thought, and nothing came of it: who is asked next may think again."""
    if store.shared:
        mine = sa.and_(claims.c.question == question.number, claims.c.process == process)
        where = sa.and_(claims.c.table_id == question.table, claims.c.seat == question.seat, mine)
        with store.writing() as db:
            db.execute(claims.delete().where(where))


def claimed(store: Store, ids: Collection[str]) -> set[Question]:
    """The questions at these tables that a process that is alive thinks about."""
    query = sa.select(claims.c.table_id, claims.c.seat, claims.c.question)
    living = query.join(processes, processes.c.id == claims.c.process).where(sa.text(LIVING))
    with store.single_statement() as db:
        found = db.execute(living.where(claims.c.table_id.in_(ids)), {"lease": LEASE})
        return {Question(*row) for row in found}
