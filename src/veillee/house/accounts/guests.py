"""Guests, by the cookies of their devices. Whose one is, is asked with every request: the answers are kept for a while.

A guest who changes their name, or signs out, is forgotten here at once, and, where the house has several processes, in the others as
soon as they hear of it; what they miss they have read again a minute later. Where nobody else writes there is nothing to miss.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

from veillee.house.accounts import sessions
from veillee.house.accounts.people import Guest, clean_name
from veillee.house.errors import BadRequest, t
from veillee.house.storage.schema import guests
from veillee.house.storage.store import Store

TOKEN_BYTES = 32
MOST = 10_000
FRESH = 60.0  # seconds, where others write, too
ALONE = 900.0  # where nobody does: a visit is noted now and then all the same


class Guests:
    """Of one house. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fresh = FRESH if store.shared else ALONE
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[Guest, float]] = OrderedDict()  # by the token's hash, with when it was read
        # Told, from any thread, of whom a device may have been signed out, here or at another process; empty: anybody.
        self.when_forgotten: Callable[[str], None] = lambda _: None
        self._forgotten = 0  # how often: what was read before must not be remembered after

    def new(self, name: str, device: str = "", *, chosen: bool = True) -> Guest:
        """A guest with a fresh cookie token (in .token, this once). Raises BadRequest for a name that cannot be shown.

        chosen: it is the name they want; otherwise one that newcomers are given.
        """
        guest = Guest(secrets.token_hex(8), clean_name(name), secrets.token_urlsafe(TOKEN_BYTES), chosen)
        sessions.arrive(self._store, guest.id, guest.name, _hash(guest.token), device, chosen=chosen)
        return guest

    def known(self, token: str) -> Guest | None:
        """The guest of that cookie, if they were here a moment ago: asks no disk and waits for nobody."""
        return self._remembered(_hash(token))

    def find(self, token: str) -> Guest | None:
        """Whose cookie this is. None for anything that is no cookie of ours: that is not remembered, or strangers could fill
        the memory."""
        cookie = _hash(token)
        if (known := self._remembered(cookie)) is not None:
            return known
        with self._lock:
            forgotten = self._forgotten
        guest = sessions.visit(self._store, cookie)
        if guest is None:
            return None
        with self._lock:
            if forgotten == self._forgotten:
                self._known[cookie] = guest, time.monotonic()
                self._known.move_to_end(cookie)
                if len(self._known) > MOST:
                    self._known.popitem(last=False)
        return guest

    def forget(self, guest: str = "") -> None:
        """What was known of this guest, or of all."""
        with self._lock:
            self._forgotten += 1
            for token in [token for token, (known, _) in self._known.items() if guest in ("", known.id)]:
                del self._known[token]
        self.when_forgotten(guest)

    def change(self, guest: Guest, **what: str | bool) -> None:
        """Columns of theirs: another name, another shield."""
        with self._store.writing() as db:
            db.execute(guests.update().where(guests.c.id == guest.id).values(what))
            self._store.tell_of_guest(db, guest.id)
        self.forget(guest.id)

    # -- their devices ------------------------------------------------------------------------------------------
    def devices(self, guest: Guest, token: str) -> list[sessions.Device]:
        """Where the guest is signed in; `token`: of the device that asks."""
        return sessions.devices(self._store, guest.id, _hash(token))

    def sign_out(self, guest: Guest, device: str) -> None:
        """One of the guest's devices (Device.id)."""
        sessions.sign_out(self._store, guest.id, device)
        self.forget(guest.id)

    def sign_out_elsewhere(self, guest: Guest, token: str) -> None:
        """Every device but this one, and the recovery link."""
        sessions.sign_out_elsewhere(self._store, guest.id, _hash(token))
        self.forget(guest.id)

    def has_recovery(self, guest: Guest) -> bool:
        """Is there a recovery link that has not been used?"""
        return sessions.link_made(self._store, guest.id) is not None

    def revoke_recovery(self, guest: Guest) -> None:
        sessions.revoke(self._store, guest.id)

    def recovery(self, guest: Guest) -> str:
        """A fresh recovery token, for a link to keep. It replaces the one made before: make it when asked (POST)."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        sessions.make_link(self._store, guest.id, _hash(token))
        return token

    def recover(self, token: str, device: str = "") -> Guest:
        """The guest of a recovery token, with a new cookie token (in .token) for this device. It works once.

        Raises BadRequest.
        """
        fresh = secrets.token_urlsafe(TOKEN_BYTES)
        found = sessions.redeem(self._store, _hash(token), _hash(fresh), device)
        if found is None:
            raise BadRequest(t("This recovery link is not, or no longer, valid."))
        return replace(found, token=fresh)

    # -- inside -------------------------------------------------------------------------------------------------
    def _remembered(self, cookie: str) -> Guest | None:
        with self._lock:
            known, read = self._known.get(cookie, (None, 0.0))
            if known is None or time.monotonic() - read >= self._fresh:
                return None
            self._known.move_to_end(cookie)
            return known


def _hash(token: str) -> str:
    """What the store keeps of a token: with 256 bits of chance in it, one hash is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
