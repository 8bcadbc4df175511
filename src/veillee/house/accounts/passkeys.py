"""Passkeys of guests: what the store keeps of them is a public key, which opens nothing by itself.

The ceremonies between browser and server are in web/pages/passkeys.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from veillee.house.accounts.names import keep_visible_characters
from veillee.house.errors import BadRequest, t
from veillee.house.storage.schema import passkeys
from veillee.house.storage.store import Conflict, Store

MAX_PASSKEYS = 10  # of a guest
LONGEST_NAME = 40  # characters


@dataclass(frozen=True)
class Passkey:
    """One passkey of a guest."""

    id: str  # of the credential, base64url
    guest: str
    public_key: bytes
    sign_count: int
    name: str
    created: float
    used: float


def add_passkey(store: Store, guest: str, credential: str, public_key: bytes, sign_count: int, name: str) -> None:
    """Adds a passkey. Raises BadRequest if the guest has too many, or it belongs to a guest already."""
    now = store.now()
    row = {"id": credential, "guest": guest, "public_key": public_key, "sign_count": sign_count, "name": _clean(name)}
    try:
        with store.writing() as db:
            mine = sa.select(sa.func.count()).where(passkeys.c.guest == guest)
            if (db.execute(mine).scalar() or 0) >= MAX_PASSKEYS:
                raise BadRequest(t("You can have {n} passkeys: remove one first.", n=MAX_PASSKEYS))
            db.execute(passkeys.insert().values(row | {"created": now, "used": now}))
    except Conflict:
        raise BadRequest(t("This passkey is known already.")) from None


def list_passkeys(store: Store, guest: str) -> list[Passkey]:
    """Returns the guest's passkeys, oldest first."""
    query = sa.select(passkeys).where(passkeys.c.guest == guest).order_by(passkeys.c.created)
    with store.reading() as db:
        return [Passkey(**row._mapping) for row in db.execute(query)]  # noqa: SLF001 (SQLAlchemy's own name for it)


def find_passkey(store: Store, credential: str) -> Passkey:
    """Returns the passkey of a credential. Raises BadRequest."""
    with store.reading() as db:
        row = db.execute(sa.select(passkeys).where(passkeys.c.id == credential.replace("\0", ""))).first()
    if row is None:
        raise BadRequest(t("This passkey is not known here."))
    return Passkey(**row._mapping)  # noqa: SLF001


def record_use(store: Store, credential: str, sign_count: int) -> None:
    with store.writing() as db:
        used = passkeys.update().where(passkeys.c.id == credential)
        db.execute(used.values(sign_count=sign_count, used=store.now()))


def rename_passkey(store: Store, guest: str, credential: str, name: str) -> None:
    with store.writing() as db:
        mine = sa.and_(passkeys.c.id == credential, passkeys.c.guest == guest)
        db.execute(passkeys.update().where(mine).values(name=_clean(name)))


def remove_passkey(store: Store, guest: str, credential: str) -> None:
    with store.writing() as db:
        db.execute(passkeys.delete().where(passkeys.c.id == credential, passkeys.c.guest == guest))


def _clean(name: str) -> str:
    return keep_visible_characters(name).strip()[:LONGEST_NAME]
