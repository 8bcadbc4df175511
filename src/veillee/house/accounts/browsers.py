"""Browsers in which a guest has sat down, by the hash of a random cookie that survives a change of guest.

Used for two purposes: two guests of one browser are not rated against each other (house/results/ratings.py), and the
organiser of a championship is told of them (house/championships/review.py).
"""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

import sqlalchemy as sa

from veillee.house.storage.schema import browsers
from veillee.house.storage.store import Conflict, Store


def remember_browser(store: Store, guest: str, token: str) -> None:
    """Keeps that the guest uses this browser; `token`: of its cookie."""
    known = {"guest": guest, "hash": sha256(token.encode(errors="surrogatepass")).hexdigest()}
    query = sa.select(browsers.c.guest).where(browsers.c.guest == guest, browsers.c.hash == known["hash"])
    with store.reading() as db:
        if db.execute(query).first() is not None:
            return
    try:
        with store.writing() as db:
            db.execute(browsers.insert().values(known))
    except Conflict:
        pass  # another request was faster


def sharing_pairs(db: sa.Connection, guests: Collection[str]) -> set[tuple[str, str]]:
    """Returns the pairs of these guests who have used the same browser, each in alphabetical order."""
    one, other = sa.alias(browsers), sa.alias(browsers)
    query = sa.select(one.c.guest, other.c.guest).join(
        other, sa.and_(one.c.hash == other.c.hash, one.c.guest < other.c.guest)
    )
    rows = db.execute(query.where(one.c.guest.in_(guests), other.c.guest.in_(guests)))
    return {(row[0], row[1]) for row in rows}


def sharing_guests(db: sa.Connection, guests: Collection[str]) -> set[str]:
    """Returns those among the guests who have used the same browser as another one of them."""
    return {guest for pair in sharing_pairs(db, guests) for guest in pair}
