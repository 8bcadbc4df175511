"""Hand-written SQL that appends answers: every request that plays waits for it.

Each append updates the table's counters and inserts the answer. If the counters differ from those the writer knows
(optimistic locking), nothing is written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any
from zlib import crc32

Record = dict[str, Any]  # one answer, and the table after it: parameters of the statements below

MOVED = """
    UPDATE tables SET status = :status, asked = :asked, touched = :touched, requests = :seq, due = :due
    WHERE id = :table AND reseated = :known AND requests = :seq - 1
"""
APPEND_ANSWER_SQL = """
    INSERT INTO answers (table_id, seq, seat, actions, created, checksum)
    VALUES (:table, :seq, :seat, :actions, :created, :checksum)
"""
# The same for several answers at once; `new` has a row for each.
ALL_MOVED = """
    UPDATE tables SET status = new.status, asked = new.asked, touched = new.touched, requests = new.seq, due = new.due
    {new} WHERE tables.id = new."table" AND tables.reseated = new.known AND tables.requests = new.seq - 1
"""
ALL_WRITTEN = """
    INSERT INTO answers (table_id, seq, seat, actions, created, checksum)
    SELECT "table", seq, seat, actions, created, checksum {new}
"""
# The same in PostgreSQL, with the NOTIFY to other processes: one statement is one transaction and one round trip.
APPEND = """
    WITH moved AS (
        UPDATE tables SET status = %(status)s, asked = %(asked)s, touched = %(touched)s, requests = %(seq)s,
            due = %(due)s
        WHERE id = %(table)s AND reseated = %(known)s AND requests = %(seq)s - 1 RETURNING id
    ), written AS (
        INSERT INTO answers (table_id, seq, seat, actions, created, checksum)
        SELECT id, %(seq)s, %(seat)s, %(actions)s, %(created)s, %(checksum)s FROM moved
    )
    SELECT pg_notify(%(channel)s, %(told)s) FROM moved
"""


def checksum(table_id: str, seq: int, seat: int, actions: str) -> int:
    """Returns the checksum of an answer: CRC-32 without its highest bit, which an INTEGER of PostgreSQL cannot hold."""
    return crc32(f"{table_id} {seq} {seat} {actions}".encode()) & 0x7FFFFFFF


def append_answers(driver: Any, records: Sequence[Record]) -> list[bool]:
    """Writes answers of several tables in SQLite's current transaction. Returns for each whether it was written; False:
    another writer was faster at that table.
    """
    if len(records) > 1 and _write_batch(driver, records):
        return [True] * len(records)
    return [_write_one(driver, record) for record in records]


def _write_one(driver: Any, record: Record) -> bool:
    if driver.execute(MOVED, record).rowcount != 1:
        return False
    driver.execute(APPEND_ANSWER_SQL, record)
    return True


def _write_batch(driver: Any, records: Sequence[Record]) -> bool:
    """Writes all answers with two statements, however many there are: after each statement the thread must get the GIL
    back, which in a busy process takes longer than the write. Returns False if any of them conflicts: then nothing is
    written, and the caller writes them one by one to find out which.
    """
    if sqlite3.sqlite_version_info < (3, 33):  # UPDATE … FROM came with 3.33
        return False
    row = f"({', '.join('?' * len(records[0]))})"
    given = [value for record in records for value in record.values()]
    named = ", ".join(f'column{number} AS "{name}"' for number, name in enumerate(records[0], 1))
    new = f"FROM (SELECT {named} FROM (VALUES {', '.join([row] * len(records))})) AS new"  # noqa: S608 - our own names
    if driver.execute(ALL_MOVED.format(new=new), given).rowcount != len(records):
        driver.rollback()
        driver.execute("BEGIN IMMEDIATE")
        return False
    driver.execute(ALL_WRITTEN.format(new=new), given)
    return True
