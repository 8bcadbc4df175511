"""The Atom feed: a guest's feed reader fetches it (web/pages/notifications.py), so nothing is sent."""

from __future__ import annotations

from veillee.web.notifications.transports.base import Notification, Transport
from veillee.web.rendering.templates import t


class Feed(Transport):
    kind = "feed"
    label = t("Notifications")
    is_sent = False

    def validate(self, text: str) -> str:
        """Returns the empty address, whatever was entered: the feed's own address is made from its id."""
        return ""

    def send(self, notification: Notification) -> None:
        raise NotImplementedError
