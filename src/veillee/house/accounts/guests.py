"""Guests by the cookies of their devices, with a cache: every request looks up its guest.

A guest who changes their name or signs out is invalidated at once in this process, and in the others when the NOTIFY
arrives; if one is lost, their cache entry expires after 60 s. With a single process (SQLite) none can be lost.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

from cachetools import TTLCache

from veillee.house.accounts import sessions
from veillee.house.accounts.entry_links import use_entry_link
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import clean_name
from veillee.house.errors import BadRequest, t
from veillee.house.storage.schema import guests
from veillee.house.storage.store import Store

TOKEN_BYTES = 32
MAX_CACHED_GUESTS = 10_000
GUEST_CACHE_SECONDS = 60.0  # with several processes: how long a lost NOTIFY can go unnoticed
SINGLE_PROCESS_CACHE_SECONDS = 900.0  # with one process; not unlimited, so that visits are still recorded


class Guests:
    """The guests of the house. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        cache_seconds = GUEST_CACHE_SECONDS if store.is_shared else SINGLE_PROCESS_CACHE_SECONDS
        self._lock = threading.Lock()
        self._cache: TTLCache[str, Guest] = TTLCache(MAX_CACHED_GUESTS, cache_seconds)  # by hash of the token
        # Called from any thread with the id of a guest whose device may have been signed out, in any process; empty:
        # all guests.
        self.on_invalidated: Callable[[str], None] = lambda _: None
        self.on_new: Callable[[Guest], None] = lambda _: None  # called for every new guest
        self._invalidated = 0  # counter: what was read before an invalidation must not be cached after it

    def new(self, name: str, device: str = "", *, chosen: bool = True) -> Guest:
        """Creates a guest with a new cookie token (in .token, only here). Raises BadRequest for a name that cannot be
        shown.

        chosen: the guest chose this name; otherwise it is the default of a newcomer.
        """
        guest = Guest(secrets.token_hex(8), clean_name(name), secrets.token_urlsafe(TOKEN_BYTES), chosen)
        sessions.create_guest(self._store, guest.id, guest.name, _hash(guest.token), device, chosen=chosen)
        self.on_new(guest)
        return guest

    def new_invited(self, invitation: str, name: str, device: str = "") -> Guest:
        """Creates a guest by an invitation to the house, which is used up with it or not at all. Raises BadRequest."""
        guest = Guest(secrets.token_hex(8), clean_name(name), secrets.token_urlsafe(TOKEN_BYTES))
        now = self._store.now()
        with self._store.writing() as db:
            use_entry_link(db, "invitation", invitation, now)
            sessions.insert_guest(db, now, guest.id, guest.name, _hash(guest.token), device, chosen=True)
        self.on_new(guest)
        return guest

    def find_cached(self, token: str) -> Guest | None:
        """Returns the guest of that cookie if it is cached: does not read the database and does not block."""
        return self._find_cached(_hash(token))

    def find(self, token: str) -> Guest | None:
        """Returns the guest of this cookie, or None. Unknown tokens are not cached, or an attacker could fill the
        cache.
        """
        cookie = _hash(token)
        if (known := self._find_cached(cookie)) is not None:
            return known
        with self._lock:
            forgotten = self._invalidated
        guest = sessions.touch_session(self._store, cookie)
        if guest is None:
            return None
        with self._lock:
            if forgotten == self._invalidated:
                self._cache[cookie] = guest
        return guest

    def invalidate(self, guest: str = "") -> None:
        """Removes a guest from the cache, or all guests."""
        with self._lock:
            self._invalidated += 1
            for token in [token for token, known in self._cache.items() if guest in ("", known.id)]:
                del self._cache[token]
        self.on_invalidated(guest)

    def change(self, guest: Guest, **what: str | bool) -> None:
        """Updates columns of the guest: name, shield."""
        with self._store.writing() as db:
            db.execute(guests.update().where(guests.c.id == guest.id).values(what))
            self._store.notify_guest(db, guest.id)
        self.invalidate(guest.id)

    # -- devices ------------------------------------------------------------------------------------------------
    def devices(self, guest: Guest, token: str) -> list[sessions.Device]:
        """Returns the devices where the guest is signed in; `token`: of the device that asks."""
        return sessions.list_devices(self._store, guest.id, _hash(token))

    def sign_out(self, guest: Guest, device: str) -> None:
        """Signs out one of the guest's devices (Device.id)."""
        sessions.sign_out(self._store, guest.id, device)
        self.invalidate(guest.id)

    def sign_out_elsewhere(self, guest: Guest, token: str) -> None:
        """Signs out every device but this one, and revokes the recovery link."""
        sessions.sign_out_elsewhere(self._store, guest.id, _hash(token))
        self.invalidate(guest.id)

    def has_recovery(self, guest: Guest) -> bool:
        """Returns whether there is an unused recovery link."""
        return sessions.recovery_link_created_at(self._store, guest.id) is not None

    def revoke_recovery(self, guest: Guest) -> None:
        sessions.revoke_recovery_link(self._store, guest.id)

    def make_recovery_link(self, guest: Guest) -> str:
        """Creates a recovery token, for a link to keep. It replaces the previous one: call it on POST only."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        sessions.make_recovery_link(self._store, guest.id, _hash(token))
        return token

    def use_recovery_link(self, token: str, device: str = "") -> Guest:
        """Signs in with a recovery token: returns its guest with a new cookie token (in .token) for this device. Works
        once.

        Raises BadRequest.
        """
        fresh = secrets.token_urlsafe(TOKEN_BYTES)
        found = sessions.use_recovery_link(self._store, _hash(token), _hash(fresh), device)
        if found is None:
            raise BadRequest(t("This recovery link is not, or no longer, valid."))
        return replace(found, token=fresh)

    def sign_in(self, guest: str, device: str = "") -> Guest:
        """Returns the guest with a new cookie token (in .token) for this device: who it is has been proven by a
        passkey. Raises BadRequest."""
        fresh = secrets.token_urlsafe(TOKEN_BYTES)
        found = sessions.add_device(self._store, guest, _hash(fresh), device)
        if found is None:
            raise BadRequest(t("This guest is not here any more."))
        return replace(found, token=fresh)

    # -- inside -------------------------------------------------------------------------------------------------
    def _find_cached(self, cookie: str) -> Guest | None:
        with self._lock:
            return self._cache.get(cookie)


def _hash(token: str) -> str:
    """Returns what the store keeps of a token. With 256 random bits in it, one unsalted hash is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
