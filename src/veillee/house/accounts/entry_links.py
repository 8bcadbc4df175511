"""Tokens that let a guest in: an invitation makes new guests, an operator link gives its guest the role of an operator,
a challenge is signed by a passkey, or comes back from an identity provider.

The store keeps the hash of a link, when it expires and how often it can still be used.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

import sqlalchemy as sa

from veillee.house.errors import BadRequest, t
from veillee.house.storage.schema import entry_links
from veillee.house.storage.store import Store

LinkKind = Literal["invitation", "operator", "challenge"]
TOKEN_BYTES = 32
DAY_SECONDS = 86_400.0
LINK_ID_LENGTH = 16  # characters of a hash
MAX_INVITATION_DAYS, MAX_INVITATION_GUESTS = 366, 1000
OPERATOR_LINK_DAYS = 1.0
CHALLENGE_DAYS = 5 / 1440  # five minutes: as long as a browser's dialogue may stay open


@dataclass(frozen=True)
class EntryLink:
    """A link that can still be used."""

    id: str  # prefix of the hash: identifies it in a form, and is no secret
    kind: LinkKind
    created: float
    until: float
    uses: int  # how often it can still be used


def make_entry_link(
    db: sa.Connection, kind: LinkKind, now: float, *, days: float, uses: int = 1, bound_to: str = ""
) -> str:
    """Creates a link within a transaction; returns its token, which is kept nowhere. bound_to: what must be said again
    when it is used. Raises BadRequest."""
    if not (0 < days <= MAX_INVITATION_DAYS and 0 < uses <= MAX_INVITATION_GUESTS):
        raise BadRequest(
            t(
                "An invitation is for 1 to {guests} guests and up to {days} days.",
                guests=MAX_INVITATION_GUESTS,
                days=MAX_INVITATION_DAYS,
            )
        )
    token = secrets.token_urlsafe(TOKEN_BYTES)
    values = {
        "hash": _hash(token + bound_to),
        "kind": kind,
        "created": now,
        "until": now + days * DAY_SECONDS,
        "uses": uses,
    }
    db.execute(entry_links.delete().where(entry_links.c.until <= now))
    db.execute(entry_links.insert().values(values))
    return token


def use_entry_link(db: sa.Connection, kind: LinkKind, token: str, now: float, bound_to: str = "") -> None:
    """Counts a use within a transaction: of two at once on the last use one succeeds. Raises BadRequest."""
    here = _is_valid(kind, token + bound_to, now)
    if db.execute(entry_links.update().where(here).values(uses=entry_links.c.uses - 1)).rowcount != 1:
        raise BadRequest(t("This link is not, or no longer, valid: ask for a new one."))


def new_challenge(store: Store, bound_to: str = "", *, days: float = CHALLENGE_DAYS) -> str:
    """Returns a challenge that can be used once, within minutes, and only together with what it is bound to."""
    with store.writing() as db:
        return make_entry_link(db, "challenge", store.now(), days=days, bound_to=bound_to)


def use_challenge(store: Store, challenge: str, bound_to: str = "") -> None:
    """Raises BadRequest for a challenge that was not given out, is over, or was used."""
    try:
        with store.writing() as db:
            use_entry_link(db, "challenge", challenge, store.now(), bound_to=bound_to)
    except BadRequest:  # for the reader it was no link
        raise BadRequest(t("That took too long, or was done before: please try again.")) from None


def is_entry_link_valid(store: Store, kind: LinkKind, token: str) -> bool:
    with store.reading() as db:
        return db.execute(sa.select(entry_links.c.hash).where(_is_valid(kind, token, store.now()))).first() is not None


def list_entry_links(store: Store) -> list[EntryLink]:
    """Returns the links that can still be used, oldest first; no challenges."""
    query = sa.select(entry_links).where(entry_links.c.until > store.now(), entry_links.c.uses > 0)
    query = query.where(entry_links.c.kind != "challenge")
    with store.reading() as db:
        rows = db.execute(query.order_by(entry_links.c.created)).all()
    return [EntryLink(row.hash[:LINK_ID_LENGTH], row.kind, row.created, row.until, row.uses) for row in rows]


def revoke_entry_link(db: sa.Connection, link_id: str) -> bool:
    """Deletes a link within a transaction; returns whether there was one."""
    if len(link_id) != LINK_ID_LENGTH:
        return False
    this = sa.func.substr(entry_links.c.hash, 1, LINK_ID_LENGTH) == link_id
    return db.execute(entry_links.delete().where(this)).rowcount > 0


def _is_valid(kind: LinkKind, token: str, now: float) -> sa.ColumnElement[bool]:
    this = sa.and_(entry_links.c.hash == _hash(token), entry_links.c.kind == kind)
    return sa.and_(this, entry_links.c.until > now, entry_links.c.uses > 0)


def _hash(token: str) -> str:
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
