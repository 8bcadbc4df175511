"""The postman: takes what lies in the outbox, writes it in its reader's words, and hands it to a carrier.

A thread for each kind of channel: a mail server that hangs holds up the mail and nothing else. Nothing of this is on the way of an
answer.
"""

from __future__ import annotations

import logging
import threading

from veillee.games.catalogue import BOXES
from veillee.house.errors import StoreError
from veillee.house.house import House
from veillee.house.notifications import channels, outbox
from veillee.house.notifications.outbox import CONFIRM, Notice
from veillee.house.storage import secret_keys
from veillee.house.tables.moment import Moment
from veillee.match.errors import VeilleeError
from veillee.web.http.outbound import Unreachable
from veillee.web.notifications.transports import Carriers, Gone, Letter
from veillee.web.rendering.templates import house_words

log = logging.getLogger(__name__)

KINDS: tuple[channels.Kind, ...] = ("push", "mail", "webhook", "apprise")
LOOK = 5.0  # seconds between two rounds


def stop_address(house: House, origin: str, channel: str, table: str) -> str:
    """The address of "not again"."""
    return f"{origin}/notices/stop/{channel}.{secret_keys.sealed(house.store, f'stop {channel}')}?table={table}"


def yes_address(house: House, origin: str, channel: str) -> str:
    """The address that says that a mail address is right."""
    return f"{origin}/notices/yes/{channel}.{secret_keys.sealed(house.store, f'yes {channel}')}"


class Postman:
    def __init__(self, house: House, carriers: Carriers) -> None:
        self._house = house
        self._carriers = carriers
        self._stopped = threading.Event()
        self._threads = [threading.Thread(target=self._walk, args=[kind], name=kind, daemon=True) for kind in KINDS]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Whoever is in the middle of sending is not waited for: they are bounded, and no longer needed."""
        self._stopped.set()

    def round(self, kind: channels.Kind) -> int:
        """Once: how many went out. Raises StoreError."""
        store, out = self._house.store, 0
        for notice in outbox.waiting(store, kind):
            if self._stopped.is_set():
                break
            letter = self._letter(notice)
            if letter is None:
                outbox.dropped(store, notice)
            elif outbox.take(store, notice):
                out += self._hand_over(notice, letter)
        return out

    # -- inside -------------------------------------------------------------------------------------------------
    def _hand_over(self, notice: Notice, letter: Letter) -> int:
        store = self._house.store
        try:
            self._carriers.send(letter)
        except Gone:
            log.info("A %s channel is gone: it is removed.", letter.kind)
            channels.remove(store, notice.channel.id)
        except (Unreachable, VeilleeError) as error:
            log.warning("A notice (%s) could not be delivered: %s", letter.kind, error)
            outbox.failed(store, notice)
        except Exception:
            log.exception("A notice (%s) could not be delivered.", letter.kind)
            outbox.failed(store, notice)
        else:
            outbox.sent(store, notice)
            return 1
        return 0

    def _letter(self, notice: Notice) -> Letter | None:
        """What the notice says; None: nobody needs it any more."""
        origin, channel = self._carriers.post.origin, notice.channel
        t = house_words(channel.lang)
        if notice.seat == CONFIRM:
            return Letter(
                channel.kind,
                channel.address,
                t("Veillée: is this your address?"),
                t(
                    "Somebody wants to be told here when it is their turn. If that is you, open this page and say yes; otherwise do nothing."
                ),
                yes_address(self._house, origin, channel.id),
                "",
                "",
                secret_keys.sealed(self._house.store, f"confirm {channel.id}"),
                channel.lang,
            )
        try:
            now = self._house.notices.still(notice)
        except StoreError:
            raise
        except VeilleeError:
            return None
        if now is None:
            return None
        about = f"{notice.table} {notice.seat} {notice.turn} {channel.id}"
        return Letter(
            channel.kind,
            channel.address,
            title_of(now, channel.lang),
            text_of(now, notice.seat, channel.lang),
            f"{origin}/t/{now.id}",
            stop_address(self._house, origin, channel.id, now.id),
            t("Not again"),
            secret_keys.sealed(self._house.store, about),
            channel.lang,
        )

    def _walk(self, kind: channels.Kind) -> None:
        while not self._stopped.wait(LOOK):
            try:
                self.round(kind)
            except StoreError as error:
                log.warning("Nothing can be sent: %s", error)
            except Exception:
                log.exception("Nothing could be sent.")


def title_of(now: Moment, lang: str) -> str:
    t = house_words(lang)
    return t("Your turn at {game}", game=BOXES[now.box.id].title[lang])


def text_of(now: Moment, seat: int, lang: str) -> str:
    """Nothing of the game itself: a notice may be read over a shoulder."""
    t = house_words(lang)
    others = [one.name for n, one in enumerate(now.seats) if one.kind == "person" and n != seat]
    if not others:
        return t("The table waits for you.")
    return t.tn("{names} waits for you.", "{names} wait for you.", len(others), names=", ".join(others))
