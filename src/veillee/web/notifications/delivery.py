"""Delivery threads: take notices from the outbox, write them in the recipient's language and hand them to a transport.

One thread per kind of channel: a mail server that hangs delays mail only. Nothing of this delays an answer.
"""

from __future__ import annotations

import logging
from functools import partial

from veillee.games.catalogue import BOXES
from veillee.house.background import PeriodicThread, logged
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


def unsubscribe_url(house: House, origin: str, channel: str, table: str) -> str:
    """Returns the unsubscribe address of a channel, authenticated by an HMAC."""
    return f"{origin}/notices/stop/{channel}.{secret_keys.sign(house.store, f'stop {channel}')}?table={table}"


def confirmation_url(house: House, origin: str, channel: str) -> str:
    """Returns the address that confirms a mail address, authenticated by an HMAC."""
    return f"{origin}/notices/yes/{channel}.{secret_keys.sign(house.store, f'yes {channel}')}"


class NotificationDelivery:
    def __init__(self, house: House, transports: Transports) -> None:
        self._house = house
        self._transports = transports
        self._threads = {
            kind: PeriodicThread(
                f"{kind}-delivery", partial(self._poll, kind), POLL_SECONDS, failure=f"No {kind} notice can be sent"
            )
            for kind in SENT_KINDS
        }

    def start(self) -> None:
        for thread in self._threads.values():
            thread.start()

    def stop(self) -> None:
        """Stops the threads. A send in progress is not waited for: it has a timeout."""
        for thread in self._threads.values():
            thread.signal_stop()

    def deliver_pending(self, kind: str) -> int:
        """Sends the waiting notices of one kind once. Returns how many went out. Raises StoreError."""
        store, out = self._house.store, 0
        for notice in outbox.load_due(store, kind):
            if self._threads[kind].is_stopping:
                break
            self._threads[kind].beat()
            with logged("A notice (%s) cannot be handled", kind):
                letter = self._make_notification(notice)
                if letter is None:
                    outbox.discard(store, notice)
                elif outbox.claim(store, notice):
                    out += self._deliver(notice, letter)
        return out

    # -- internal -----------------------------------------------------------------------------------------------
    def _deliver(self, notice: QueuedNotice, letter: Notification) -> int:
        store = self._house.store
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
                t("Veillée: is this your address?"),
                t(
                    "Somebody wants to be told here when it is their turn. If that is you, open this page and say yes; otherwise do nothing."
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
            t("Not again"),
            secret_keys.sign(self._house.store, about),
            channel.lang,
        )

    def _poll(self, kind: str) -> None:
        self.deliver_pending(kind)


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
