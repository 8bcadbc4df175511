"""Identities of guests at an identity provider (OpenID Connect): each belongs to one guest, who comes back by it.

What is kept is the issuer and what it calls the person, neither name nor address. The exchange with the issuer is in
web/http/identity_provider.py.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from veillee.house.errors import BadRequest, t
from veillee.house.storage.schema import identities
from veillee.house.storage.store import Store

MAX_IDENTITIES = 10  # of a guest


@dataclass(frozen=True)
class Identity:
    """One identity of a guest."""

    id: str
    issuer: str
    subject: str
    guest: str
    created: float
    used: float


def list_identities(store: Store, guest: str) -> list[Identity]:
    """Returns the guest's identities, oldest first."""
    query = sa.select(identities).where(identities.c.guest == guest).order_by(identities.c.created)
    with store.reading() as db:
        return [Identity(**row._mapping) for row in db.execute(query)]  # noqa: SLF001 (SQLAlchemy's own name for it)


def use_identity(store: Store, issuer: str, subject: str) -> str | None:
    """Returns the id of the guest to whom the identity belongs, and records its use; None: it is unknown."""
    with store.writing() as db:
        return _use(db, store.now(), issuer, subject)


def link_identity(store: Store, guest: str, issuer: str, subject: str) -> str:
    """Links an identity to a guest, unless it belongs to another one by now. Returns whose it is. Raises BadRequest if
    the guest has too many, Conflict if another transaction was faster."""
    now = store.now()
    row = {"id": secrets.token_hex(8), "issuer": issuer, "subject": subject, "guest": guest}
    with store.writing() as db:
        if (known := _use(db, now, issuer, subject)) is not None:
            return known
        mine = sa.select(sa.func.count()).where(identities.c.guest == guest)
        if (db.execute(mine).scalar() or 0) >= MAX_IDENTITIES:
            raise BadRequest(t("You can have {n} linked accounts: remove one first.", n=MAX_IDENTITIES))
        db.execute(identities.insert().values(row | {"created": now, "used": now}))
    return guest


def remove_identity(store: Store, guest: str, identity: str) -> None:
    with store.writing() as db:
        db.execute(identities.delete().where(identities.c.id == identity, identities.c.guest == guest))


def _use(db: sa.Connection, now: float, issuer: str, subject: str) -> str | None:
    this = sa.and_(identities.c.issuer == issuer, identities.c.subject == subject)
    db.execute(identities.update().where(this).values(used=now))
    return db.execute(sa.select(identities.c.guest).where(this)).scalar()
