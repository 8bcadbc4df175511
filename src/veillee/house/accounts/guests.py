"""Guests by the cookies of their devices, with a cache: every request looks up its guest.

A guest who changes their name or signs out is invalidated at once in this process, and in the others when the NOTIFY
arrives; if one is lost, their cache entry expires after 60 s. With a single process (SQLite) none can be lost.
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
MAX_CACHED_GUESTS = 10_000
CACHE_SECONDS = 60.0  # with several processes: how long a lost NOTIFY can go unnoticed
SINGLE_PROCESS_CACHE_SECONDS = 900.0  # with one process; not unlimited, so that visits are still recorded


class Guests:
    """The guests of the house. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fresh = CACHE_SECONDS if store.shared else SINGLE_PROCESS_CACHE_SECONDS
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[Guest, float]] = OrderedDict()  # by hash of the token, with its load time
        # Called from any thread with the id of a guest whose device may have been signed out, in any process; empty:
        # all guests.
        self.when_forgotten: Callable[[str], None] = lambda _: None
        self._forgotten = 0  # counter: what was read before an invalidation must not be cached after it

    def new(self, name: str, device: str = "", *, chosen: bool = True) -> Guest:
        """Creates a guest with a new cookie token (in .token, only here). Raises BadRequest for a name that cannot be
        shown.

        chosen: the guest chose this name; otherwise it is the default of a newcomer.
        """
        guest = Guest(secrets.token_hex(8), clean_name(name), secrets.token_urlsafe(TOKEN_BYTES), chosen)
        sessions.arrive(self._store, guest.id, guest.name, _hash(guest.token), device, chosen=chosen)
        return guest

    def known(self, token: str) -> Guest | None:
        """Returns the guest of that cookie if it is cached: does not read the database and does not block."""
        return self._remembered(_hash(token))

    def find(self, token: str) -> Guest | None:
        """Returns the guest of this cookie, or None. Unknown tokens are not cached, or an attacker could fill the
        cache.
        """
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
                if len(self._known) > MAX_CACHED_GUESTS:
                    self._known.popitem(last=False)
        return guest

    def forget(self, guest: str = "") -> None:
        """Removes a guest from the cache, or all guests."""
        with self._lock:
            self._forgotten += 1
            for token in [token for token, (known, _) in self._known.items() if guest in ("", known.id)]:
                del self._known[token]
        self.when_forgotten(guest)

    def change(self, guest: Guest, **what: str | bool) -> None:
        """Updates columns of the guest: name, shield."""
        with self._store.writing() as db:
            db.execute(guests.update().where(guests.c.id == guest.id).values(what))
            self._store.tell_of_guest(db, guest.id)
        self.forget(guest.id)

    # -- devices ------------------------------------------------------------------------------------------------
    def devices(self, guest: Guest, token: str) -> list[sessions.Device]:
        """Returns the devices where the guest is signed in; `token`: of the device that asks."""
        return sessions.devices(self._store, guest.id, _hash(token))

    def sign_out(self, guest: Guest, device: str) -> None:
        """Signs out one of the guest's devices (Device.id)."""
        sessions.sign_out(self._store, guest.id, device)
        self.forget(guest.id)

    def sign_out_elsewhere(self, guest: Guest, token: str) -> None:
        """Signs out every device but this one, and revokes the recovery link."""
        sessions.sign_out_elsewhere(self._store, guest.id, _hash(token))
        self.forget(guest.id)

    def has_recovery(self, guest: Guest) -> bool:
        """Returns whether there is an unused recovery link."""
        return sessions.link_made(self._store, guest.id) is not None

    def revoke_recovery(self, guest: Guest) -> None:
        sessions.revoke(self._store, guest.id)

    def recovery(self, guest: Guest) -> str:
        """Creates a recovery token, for a link to keep. It replaces the previous one: call it on POST only."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        sessions.make_link(self._store, guest.id, _hash(token))
        return token

    def recover(self, token: str, device: str = "") -> Guest:
        """Signs in with a recovery token: returns its guest with a new cookie token (in .token) for this device. Works
        once.

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
    """Returns what the store keeps of a token. With 256 random bits in it, one unsalted hash is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
