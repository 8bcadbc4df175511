"""Secret keys of the house: generated when first needed, stored in the database, the same in every process."""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256

import sqlalchemy as sa

from veillee.house.storage.schema import keys
from veillee.house.storage.store import Conflict, Store

SIGNATURE_LENGTH = 22  # of a signature in base64: 128 bits


def get_or_create_key(store: Store, name: str, make: Callable[[], str] = secrets.token_hex) -> str:
    """Returns the secret of that name, creating it with `make` if there is none."""
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
            continue  # another process created it first
    with store.reading() as db:
        return str(db.execute(query).scalar_one())


def sign(store: Store, text: str) -> str:
    """Returns an HMAC signature of the text, for links that work without a session."""
    digest = hmac.digest(get_or_create_key(store, "seal").encode(), text.encode(), sha256)
    return urlsafe_b64encode(digest).decode()[:SIGNATURE_LENGTH]


def has_valid_signature(store: Store, text: str, mark: str) -> bool:
    return hmac.compare_digest(sign(store, text).encode(), mark.encode(errors="replace"))
