"""The house's own secrets: made when they are first needed, kept with its data, the same in every process."""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256

import sqlalchemy as sa

from veillee.house.storage.schema import keys
from veillee.house.storage.store import Conflict, Store

LETTERS = 22  # of a seal: 128 bits


def key(store: Store, name: str, make: Callable[[], str] = secrets.token_hex) -> str:
    """The secret of that name."""
    query = sa.select(keys.c.value).where(keys.c.name == name)
    for _ in range(2):
        with store.reading() as db:
            found: str | None = db.execute(query).scalar()
        if found is not None:
            return found
        try:
            with store.writing() as db:
                db.execute(keys.insert().values(name=name, value=make()))
        except Conflict:
            continue  # another process was faster
    with store.reading() as db:
        return str(db.execute(query).scalar_one())


def sealed(store: Store, text: str) -> str:
    """A mark that only this house can make of that text, for an address that works without signing in."""
    digest = hmac.digest(key(store, "seal").encode(), text.encode(), sha256)
    return urlsafe_b64encode(digest).decode()[:LETTERS]


def is_sealed(store: Store, text: str, mark: str) -> bool:
    return hmac.compare_digest(sealed(store, text).encode(), mark.encode(errors="replace"))
