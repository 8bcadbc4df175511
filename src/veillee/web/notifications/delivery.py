"""Delivery threads: take notices from the outbox, write them in the recipient's language and hand them to a transport.

One polling thread per kind of channel starts a few senders while notices are due: a mail server that hangs delays mail
only, and a slow receiver delays its own guest. Nothing of this delays an answer.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from functools import partial

from cachetools import TTLCache

from veillee.games.catalogue import BOXES
from veillee.house.background import PeriodicThread
from veillee.house.errors import StoreError
from veillee.house.house import House
from veillee.house.notifications import channels, outbox
from veillee.house.notifications.outbox import CONFIRM, QueuedNotice
from veillee.house.storage import secret_keys
from veillee.house.tables.moment import Moment
from veillee.match.errors import VeilleeError
from veillee.web.http.outbound import Unreachable
from veillee.web.notifications.transports import SENT_KINDS, AddressGone, Notification, Transports
from veillee.web.rendering.templates import translator

log = logging.getLogger(__name__)

POLL_SECONDS = 5.0  # seconds between two polls
MAX_SENDERS_PER_KIND = 4  # threads at a time
SLOWNESS_SECONDS = 600.0  # how long slow receivers of a guest are remembered


def unsubscribe_url(house: House, origin: str, channel: str, table: str) -> str:
    """Returns the unsubscribe address of a channel, authenticated by an HMAC."""
    return f"{origin}/notices/stop/{channel}.{secret_keys.sign(house.store, f'stop {channel}')}?table={table}"


def confirmation_url(house: House, origin: str, channel: str) -> str:
    """Returns the address that confirms a mail address, authenticated by an HMAC."""
    return f"{origin}/notices/yes/{channel}.{secret_keys.sign(house.store, f'yes {channel}')}"


class NotificationDelivery:
    """Sends the notices of the outbox. Of one guest one notice per kind is sent at a time; guests whose receivers were
    quick come first.
    """

    def __init__(self, house: House, transports: Transports) -> None:
        self._house = house
        self._transports = transports
        self._threads = {
            kind: PeriodicThread(
                f"{kind}-delivery", partial(self._poll, kind), POLL_SECONDS, failure=f"No {kind} notice can be sent"
            )
            for kind in SENT_KINDS
        }
        self._lock = threading.Lock()
        self._senders = Counter[str]()  # running threads by kind
        self._served: dict[str, set[str]] = {kind: set() for kind in SENT_KINDS}  # guests being sent to
        self._slowness: TTLCache[str, float] = TTLCache(10_000, SLOWNESS_SECONDS)  # by guest: seconds that sends took

    def start(self) -> None:
        for thread in self._threads.values():
            thread.start()

    def stop(self) -> None:
        """Stops the threads. A send in progress is not waited for: it has a deadline."""
        for thread in self._threads.values():
            thread.signal_stop()

    def deliver_pending(self, kind: str) -> int:
        """Sends the due notices of one kind until none is left for this thread. Returns how many went out. Raises
        StoreError."""
        out = 0
        while not self._threads[kind].is_stopping and (notice := self._take(kind)) is not None:
            begun, guest = time.monotonic(), notice.channel.guest
            try:
                out += self._send(notice)
            except StoreError:
                raise
            except Exception:  # one notice's trouble delays no other
                log.exception("A notice (%s) could not be written.", kind)
                if outbox.claim(self._house.store, notice):
                    outbox.schedule_retry(self._house.store, notice)
            finally:
                with self._lock:
                    self._served[kind].discard(guest)
                    self._slowness[guest] = self._slowness.get(guest, 0.0) + time.monotonic() - begun
        return out

    # -- internal -----------------------------------------------------------------------------------------------
    def _take(self, kind: str) -> QueuedNotice | None:
        """Chooses a due notice of a guest to whom no other thread is sending, and marks the guest as being served."""
        with self._lock:
            served = self._served[kind]
            due = outbox.load_due(self._house.store, kind, except_guests=served)
            if not due:
                return None
            chosen = min(due, key=lambda one: self._slowness.get(one.channel.guest, 0.0))
            served.add(chosen.channel.guest)
            return chosen

    def _send(self, notice: QueuedNotice) -> int:
        """Sends one notice, or discards it. Returns 1 if it went out."""
        store = self._house.store
        letter = self._make_notification(notice)
        if letter is None:
            outbox.discard(store, notice)
            return 0
        if not outbox.claim(store, notice):
            return 0
        try:
            self._transports[letter.kind].send(letter)
        except AddressGone:
            log.info("A %s channel is gone: it is removed.", letter.kind)
            channels.remove_channel(store, notice.channel.id)
        except (Unreachable, VeilleeError) as error:
            log.warning("A notice (%s) could not be delivered: %s", letter.kind, error)
            outbox.schedule_retry(store, notice)
        except Exception:
            log.exception("A notice (%s) could not be delivered.", letter.kind)
            outbox.schedule_retry(store, notice)
        else:
            outbox.mark_sent(store, notice)
            return 1
        return 0

    def _make_notification(self, notice: QueuedNotice) -> Notification | None:
        """Returns the message of a notice; None: it is no longer needed."""
        origin, channel = self._transports.settings.origin, notice.channel
        t = translator(channel.lang)
        if notice.seat == CONFIRM:
            return Notification(
                channel.kind,
                channel.address,
                t("{house}: is this your address?", house=self._house.profile.name),
                t(
                    "Somebody wants to be notified here when it is their turn. If that is you, open this page and confirm; otherwise do nothing."
                ),
                confirmation_url(self._house, origin, channel.id),
                "",
                "",
                secret_keys.sign(self._house.store, f"confirm {channel.id}"),
                channel.lang,
            )
        try:
            now = self._house.turn_watcher.moment_if_due(notice)
        except StoreError:
            raise
        except VeilleeError:
            return None
        if now is None:
            return None
        about = f"{notice.table} {notice.seat} {notice.turn} {channel.id}"
        return Notification(
            channel.kind,
            channel.address,
            notification_title(now, channel.lang),
            notification_text(now, notice.seat, channel.lang),
            f"{origin}/t/{now.id}",
            unsubscribe_url(self._house, origin, channel.id, now.id),
            t("Unsubscribe"),
            secret_keys.sign(self._house.store, about),
            channel.lang,
        )

    def _poll(self, kind: str) -> None:
        """Starts senders, as many as there are guests to be served."""
        with self._lock:
            due = outbox.load_due(self._house.store, kind, except_guests=self._served[kind])
            guests = {notice.channel.guest for notice in due}
            missing = min(len(guests), MAX_SENDERS_PER_KIND - self._senders[kind])
            self._senders[kind] += max(0, missing)
        for _ in range(missing):
            threading.Thread(target=self._run_sender, args=(kind,), name=f"{kind}-sender", daemon=True).start()

    def _run_sender(self, kind: str) -> None:
        try:
            self.deliver_pending(kind)
        except Exception:
            log.exception("No %s notice can be sent at present.", kind)
        finally:
            with self._lock:
                self._senders[kind] -= 1


def notification_title(now: Moment, lang: str) -> str:
    t = translator(lang)
    return t("Your turn at {game}", game=BOXES[now.box.id].title[lang])


def notification_text(now: Moment, seat: int, lang: str) -> str:
    """Returns the text. It says nothing about the game itself: other people may see a notification."""
    t = translator(lang)
    others = [one.name for n, one in enumerate(now.seats) if one.kind == "person" and n != seat]
    if not others:
        return t("The table waits for you.")
    return t.tn("{names} waits for you.", "{names} wait for you.", len(others), names=", ".join(others))
