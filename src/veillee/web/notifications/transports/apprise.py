"""Apprise: further services, which the operator allows by their URL schemes. Needs the package apprise."""

from __future__ import annotations

import importlib.util
import re
from urllib.parse import urlsplit

from veillee.house.errors import BadRequest
from veillee.web.http.outbound import Unreachable, resolve_public
from veillee.web.notifications.transports.base import Notification, Transport, TransportSettings
from veillee.web.rendering.templates import t
from veillee.words import Sentence

HOST_NAME = re.compile(r"[\w-]+(\.[\w-]+)+|\[[0-9a-f:.]+\]", re.IGNORECASE)


def is_installed() -> bool:
    return importlib.util.find_spec("apprise") is not None


class Apprise(Transport):
    kind = "apprise"
    label = t("Another service")

    @classmethod
    def setting_problems(cls, settings: TransportSettings) -> list[Sentence]:
        if settings.apprise and not is_installed():
            return [t("Web Push and Apprise need one more package: pip install veillee[notices]")]
        return []

    @property
    def services(self) -> tuple[str, ...]:
        """Returns the schemes of the services that guests may use."""
        return self._settings.apprise

    def is_available(self) -> bool:
        return bool(self._settings.apprise) and is_installed()

    def validate(self, text: str) -> str:
        if not self.is_available():
            raise BadRequest(t("This house sends to no other service."))
        import apprise  # noqa: PLC0415 - an extra

        address = text.strip()
        if address.partition(":")[0].lower() not in self.services:
            raise BadRequest(t("This house sends to these services: {services}.", services=", ".join(self.services)))
        try:
            service = apprise.Apprise.instantiate(address, suppress_exceptions=True)
        except TypeError:
            service = None
        if service is None:
            raise BadRequest(t("Apprise does not understand this address."))
        return address

    def send(self, notification: Notification) -> None:
        import apprise  # noqa: PLC0415 - an extra

        host = urlsplit(notification.address).hostname or ""
        if HOST_NAME.fullmatch(host):
            resolve_public(host, 443, private=self._settings.private)
        sender = apprise.Apprise()
        sender.add(notification.address)
        body = f"{notification.text}\n{notification.url}\n{notification.no_more}: {notification.stop}"
        if not sender.notify(title=notification.title, body=body):
            raise Unreachable("Apprise could not deliver it.")
