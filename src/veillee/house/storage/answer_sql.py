"""How an answer is entered: the statements by hand, since everybody waits for them.

An entry moves the table's numbers and appends the answer; where the numbers are others than the writer knows, nothing is written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

Record = dict[str, Any]  # one answer, and the table after it: what the statements below name

MOVED = """
    UPDATE tables SET status = :status, asked = :asked, touched = :touched, requests = :seq, due = :due
    WHERE id = :table AND reseated = :known AND requests = :seq - 1
"""
WRITTEN = """
    INSERT INTO answers (table_id, seq, seat, actions, created) VALUES (:table, :seq, :seat, :actions, :created)
"""
# The same for several at once; `new` has a row for each.
ALL_MOVED = """
    UPDATE tables SET status = new.status, asked = new.asked, touched = new.touched, requests = new.seq, due = new.due
    {new} WHERE tables.id = new."table" AND tables.reseated = new.known AND tables.requests = new.seq - 1
"""
ALL_WRITTEN = """
    INSERT INTO answers (table_id, seq, seat, actions, created) SELECT "table", seq, seat, actions, created {new}
"""
# The same in PostgreSQL, and the word to the others, in one go: one statement is one transaction.
APPEND = """
    WITH moved AS (
        UPDATE tables SET status = %(status)s, asked = %(asked)s, touched = %(touched)s, requests = %(seq)s,
            due = %(due)s
        WHERE id = %(table)s AND reseated = %(known)s AND requests = %(seq)s - 1 RETURNING id
    ), written AS (
        INSERT INTO answers (table_id, seq, seat, actions, created)
        SELECT id, %(seq)s, %(seat)s, %(actions)s, %(created)s FROM moved
    )
    SELECT pg_notify(%(channel)s, %(told)s) FROM moved
"""


def enter(driver: Any, records: Sequence[Record]) -> list[bool]:
    """Answers of several tables, in SQLite's present transaction. Each by itself may find that somebody was faster: is it
    written?"""
    if len(records) > 1 and _write_together(driver, records):
        return [True] * len(records)
    return [_write_one(driver, record) for record in records]


def _write_one(driver: Any, record: Record) -> bool:
    if driver.execute(MOVED, record).rowcount != 1:
        return False
    driver.execute(WRITTEN, record)
    return True


def _write_together(driver: Any, records: Sequence[Record]) -> bool:
    """All of them by two statements, however many: at each statement a thread has to wait for its turn anew, and where the
    others are busy that takes longer than the writing. False: nothing is written; one of them has to be told why."""
    if sqlite3.sqlite_version_info < (3, 33):  # which knows no UPDATE … FROM
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
