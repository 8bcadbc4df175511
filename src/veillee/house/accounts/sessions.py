"""The devices of a guest, and the links that bring another one: each is a token, of which the store has the hash.

A cookie is good until its device has not been here for a year; a recovery link once, within a month. What a guest signs
out is gone at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from veillee.house.accounts.people import Guest
from veillee.house.storage.schema import guests, tokens
from veillee.house.storage.store import Store

DAY = 86_400.0
COOKIE = 365 * DAY  # without a visit
RECOVERY = 30 * DAY
NOTED = DAY  # how often a visit is written down
LONGEST_DEVICE = 60
SHOWN = 16  # letters of a hash


@dataclass(frozen=True)
class Device:
    id: str  # the start of the hash: enough to name it in a form, and no secret
    name: str
    used: float  # within a day
    here: bool  # it is the one that asks


def is_good(kind: str, created: float, used: float, now: float) -> bool:
    """Has a token not expired?"""
    return now - created < RECOVERY if kind == "recovery" else now - used < COOKIE


def arrive(store: Store, guest: str, name: str, token: str, device: str = "", *, chosen: bool = True) -> None:
    """A new guest, with the first device."""
    now = store.now()
    row = {"hash": token, "guest": guest, "kind": "cookie", "created": now, "used": now}
    with store.writing() as db:
        db.execute(guests.insert().values(id=guest, name=name, created=now, chosen=chosen))
        db.execute(tokens.insert().values(row | {"device": device[:LONGEST_DEVICE]}))


def visit(store: Store, token: str) -> Guest | None:
    """The guest of a cookie; their device was here."""
    now = store.now()
    query = sa.select(guests.c.id, guests.c.name, guests.c.chosen, guests.c.shield, tokens.c.created, tokens.c.used)
    query = query.join(tokens, tokens.c.guest == guests.c.id)
    with store.reading() as db:
        row = db.execute(query.where(tokens.c.hash == token, tokens.c.kind == "cookie")).first()
    if row is None or not is_good("cookie", row.created, row.used, now):
        return None
    if now - row.used > NOTED:
        with store.writing() as db:
            db.execute(tokens.update().where(tokens.c.hash == token).values(used=now))
    return Guest(row.id, row.name, chosen=row.chosen, shield=row.shield)


def redeem(store: Store, link: str, token: str, device: str) -> Guest | None:
    """A recovery link becomes a cookie, once: of two who try at the same time, one."""
    now = store.now()
    query = sa.select(guests.c.id, guests.c.name, guests.c.chosen, guests.c.shield, tokens.c.created)
    query = query.join(tokens, tokens.c.guest == guests.c.id)
    mine = sa.and_(tokens.c.hash == link, tokens.c.kind == "recovery")
    with store.writing() as db:
        row = db.execute(query.where(mine)).first()
        if row is None or db.execute(tokens.delete().where(mine)).rowcount != 1:
            return None
        if not is_good("recovery", row.created, now, now):
            return None
        values = {"hash": token, "guest": row.id, "kind": "cookie", "created": now, "used": now}
        db.execute(tokens.insert().values(values | {"device": device[:LONGEST_DEVICE]}))
    return Guest(row.id, row.name, chosen=row.chosen, shield=row.shield)


def devices(store: Store, guest: str, token: str) -> list[Device]:
    """Where the guest is signed in, the latest visit first; `token`: of the one that asks."""
    now = store.now()
    query = sa.select(tokens).where(tokens.c.guest == guest, tokens.c.kind == "cookie").order_by(tokens.c.used.desc())
    with store.reading() as db:
        rows = db.execute(query).all()
    return [
        Device(row.hash[:SHOWN], row.device, row.used, row.hash == token)
        for row in rows
        if is_good("cookie", row.created, row.used, now)
    ]


def make_link(store: Store, guest: str, token: str) -> None:
    """A recovery link; it takes the place of the one before."""
    now = store.now()
    with store.writing() as db:
        db.execute(tokens.delete().where(tokens.c.guest == guest, tokens.c.kind == "recovery"))
        db.execute(tokens.insert().values(hash=token, guest=guest, kind="recovery", created=now, used=now))


def link_made(store: Store, guest: str) -> float | None:
    """When the guest's recovery link was made, if there is one that is still good."""
    query = sa.select(tokens.c.created).where(tokens.c.guest == guest, tokens.c.kind == "recovery")
    with store.reading() as db:
        created = db.execute(query).scalar()
    return created if created is not None and is_good("recovery", created, created, store.now()) else None


def sign_out(store: Store, guest: str, device: str) -> None:
    """One device of the guest's own."""
    with store.writing() as db:
        theirs = sa.and_(tokens.c.guest == guest, tokens.c.kind == "cookie")
        db.execute(tokens.delete().where(theirs, sa.func.substr(tokens.c.hash, 1, SHOWN) == device))
        store.tell_of_guest(db, guest)


def sign_out_elsewhere(store: Store, guest: str, token: str) -> None:
    """Every device but the one that asks, and the recovery link."""
    with store.writing() as db:
        db.execute(tokens.delete().where(tokens.c.guest == guest, tokens.c.hash != token))
        store.tell_of_guest(db, guest)


def revoke(store: Store, guest: str) -> None:
    """The recovery link, which may have come into wrong hands."""
    with store.writing() as db:
        db.execute(tokens.delete().where(tokens.c.guest == guest, tokens.c.kind == "recovery"))
