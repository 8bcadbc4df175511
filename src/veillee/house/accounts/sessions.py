"""Session cookies of a guest's devices, and recovery links: each is a token, of which the store keeps the hash.

A cookie expires 365 days after its last visit; a recovery link works once, within 30 days. Signing out deletes the
token at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from veillee.house.accounts.guest import Guest
from veillee.house.storage.schema import guests, tokens
from veillee.house.storage.store import Store

DAY_SECONDS = 86_400.0
COOKIE_LIFETIME_SECONDS = 365 * DAY_SECONDS  # since the last visit
RECOVERY_LIFETIME_SECONDS = 30 * DAY_SECONDS
TOUCH_SECONDS = DAY_SECONDS  # how often a visit is recorded
LONGEST_DEVICE = 60
DEVICE_ID_LENGTH = 16  # characters of a hash


@dataclass(frozen=True)
class Device:
    """A device where a guest is signed in."""

    id: str  # prefix of the hash: identifies it in a form, and is no secret
    name: str
    used: float  # last visit, to within a day
    is_current: bool  # it is the device of this request


def is_cookie_valid(store: Store, used: float) -> bool:
    """Returns whether a cookie that was last used then has not expired."""
    return used > store.downtime.expiry_cutoff(store.now(), COOKIE_LIFETIME_SECONDS)


def is_recovery_link_valid(store: Store, created: float) -> bool:
    """Returns whether a recovery link has not expired."""
    return created > store.downtime.expiry_cutoff(store.now(), RECOVERY_LIFETIME_SECONDS)


def create_guest(store: Store, guest: str, name: str, token: str, device: str = "", *, chosen: bool = True) -> None:
    """Creates a guest with a first device."""
    with store.writing() as db:
        insert_guest(db, store.now(), guest, name, token, device, chosen=chosen)


def insert_guest(
    db: sa.Connection, now: float, guest: str, name: str, token: str, device: str, *, chosen: bool
) -> None:
    """Creates a guest with a first device, within a transaction."""
    row = {"hash": token, "guest": guest, "kind": "cookie", "created": now, "used": now}
    db.execute(guests.insert().values(id=guest, name=name, created=now, chosen=chosen))
    db.execute(tokens.insert().values(row | {"device": device[:LONGEST_DEVICE]}))


def touch_session(store: Store, token: str) -> Guest | None:
    """Returns the guest of a cookie, and records the visit of its device."""
    now = store.now()
    query = sa.select(guests.c.id, guests.c.name, guests.c.chosen, guests.c.shield, tokens.c.created, tokens.c.used)
    query = query.join(tokens, tokens.c.guest == guests.c.id)
    with store.reading() as db:
        row = db.execute(query.where(tokens.c.hash == token, tokens.c.kind == "cookie")).first()
    if row is None or not is_cookie_valid(store, row.used):
        return None
    if now - row.used > TOUCH_SECONDS:
        with store.writing() as db:
            db.execute(tokens.update().where(tokens.c.hash == token).values(used=now))
    return Guest(row.id, row.name, has_chosen_name=row.chosen, shield=row.shield)


def use_recovery_link(store: Store, link: str, token: str, device: str) -> Guest | None:
    """Exchanges a recovery link for a cookie, once: of two simultaneous requests one succeeds."""
    now = store.now()
    query = sa.select(guests.c.id, guests.c.name, guests.c.chosen, guests.c.shield, tokens.c.created)
    query = query.join(tokens, tokens.c.guest == guests.c.id)
    mine = sa.and_(tokens.c.hash == link, tokens.c.kind == "recovery")
    with store.writing() as db:
        row = db.execute(query.where(mine)).first()
        if row is None or db.execute(tokens.delete().where(mine)).rowcount != 1:
            return None
        if not is_recovery_link_valid(store, row.created):
            return None
        values = {"hash": token, "guest": row.id, "kind": "cookie", "created": now, "used": now}
        db.execute(tokens.insert().values(values | {"device": device[:LONGEST_DEVICE]}))
    return Guest(row.id, row.name, has_chosen_name=row.chosen, shield=row.shield)


def add_device(store: Store, guest: str, token: str, device: str) -> Guest | None:
    """Adds a device of the guest; None: there is no such guest."""
    now = store.now()
    with store.writing() as db:
        row = db.execute(sa.select(guests).where(guests.c.id == guest)).first()
        if row is None:
            return None
        values = {"hash": token, "guest": guest, "kind": "cookie", "created": now, "used": now}
        db.execute(tokens.insert().values(values | {"device": device[:LONGEST_DEVICE]}))
    return Guest(row.id, row.name, has_chosen_name=row.chosen, shield=row.shield)


def list_devices(store: Store, guest: str, token: str) -> list[Device]:
    """Returns the devices where the guest is signed in, latest visit first; `token`: of the device that asks."""
    query = sa.select(tokens).where(tokens.c.guest == guest, tokens.c.kind == "cookie").order_by(tokens.c.used.desc())
    with store.reading() as db:
        rows = db.execute(query).all()
    return [
        Device(row.hash[:DEVICE_ID_LENGTH], row.device, row.used, row.hash == token)
        for row in rows
        if is_cookie_valid(store, row.used)
    ]


def make_recovery_link(store: Store, guest: str, token: str) -> None:
    """Saves a recovery link; it replaces the previous one."""
    now = store.now()
    with store.writing() as db:
        db.execute(tokens.delete().where(tokens.c.guest == guest, tokens.c.kind == "recovery"))
        db.execute(tokens.insert().values(hash=token, guest=guest, kind="recovery", created=now, used=now))


def recovery_link_created_at(store: Store, guest: str) -> float | None:
    """Returns when the guest's recovery link was created, or None if there is none that is valid."""
    query = sa.select(tokens.c.created).where(tokens.c.guest == guest, tokens.c.kind == "recovery")
    with store.reading() as db:
        created = db.execute(query).scalar()
    return created if created is not None and is_recovery_link_valid(store, created) else None


def sign_out(store: Store, guest: str, device: str) -> None:
    """Signs out one of the guest's devices."""
    with store.writing() as db:
        theirs = sa.and_(tokens.c.guest == guest, tokens.c.kind == "cookie")
        db.execute(tokens.delete().where(theirs, sa.func.substr(tokens.c.hash, 1, DEVICE_ID_LENGTH) == device))
        store.notify_guest(db, guest)


def sign_out_elsewhere(store: Store, guest: str, token: str) -> None:
    """Signs out every device but the one that asks, and revokes the recovery link."""
    with store.writing() as db:
        db.execute(tokens.delete().where(tokens.c.guest == guest, tokens.c.hash != token))
        store.notify_guest(db, guest)


def revoke_recovery_link(store: Store, guest: str) -> None:
    """Deletes the recovery link, which may have leaked."""
    with store.writing() as db:
        db.execute(tokens.delete().where(tokens.c.guest == guest, tokens.c.kind == "recovery"))
