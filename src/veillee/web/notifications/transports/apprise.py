"""Apprise: further services, which the operator allows by their URL schemes. Needs the package apprise."""

from __future__ import annotations

import importlib.util
import sys
from urllib.parse import parse_qs, urlsplit

from veillee.house.errors import BadRequest
from veillee.house.workers.json_lines import JsonLinesProcess
from veillee.web.http.outbound import EXCHANGE_SECONDS, UNPRINTABLE, Unreachable
from veillee.web.notifications.transports.base import Notification, Transport, TransportSettings
from veillee.web.rendering.templates import t
from veillee.words import Sentence

SENDER_COMMAND = (sys.executable, "-m", "veillee.web.notifications.apprise_sender")
# Parameters of Apprise that switch checks off or change how long it waits.
REFUSED_PARAMETERS = {"verify", "redirect", "cto", "rto"}


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
            parameters = {name.lower() for name in parse_qs(urlsplit(address).query, keep_blank_values=True)}
        except ValueError:
            parameters = REFUSED_PARAMETERS
        if UNPRINTABLE.search(address) or parameters & REFUSED_PARAMETERS:
            raise BadRequest(t("Apprise does not understand this address."))
        try:
            service = apprise.Apprise.instantiate(address, suppress_exceptions=True)
        except TypeError:
            service = None
        if service is None:
            raise BadRequest(t("Apprise does not understand this address."))
        return address

    def send(self, notification: Notification) -> None:
        body = f"{notification.text}\n{notification.url}\n{notification.no_more}: {notification.stop}"
        job = {
            "address": notification.address,
            "title": notification.title,
            "body": body,
            "private": self._settings.private,
        }
        try:
            sender = JsonLinesProcess(SENDER_COMMAND)
        except OSError as error:
            raise Unreachable(f"Apprise cannot be started: {error}") from None
        try:
            is_delivered = sender.ask(job, seconds=EXCHANGE_SECONDS)
        except (OSError, ValueError):
            raise Unreachable(f"Apprise has not delivered it in {EXCHANGE_SECONDS:.0f} s.") from None
        finally:
            sender.close()
        if is_delivered is not True:
            raise Unreachable("Apprise could not deliver it.")
