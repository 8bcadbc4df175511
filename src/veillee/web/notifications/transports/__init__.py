"""Notification transports: a module each. A new module of this package is found and offered by itself."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from veillee.house.storage.store import Store
from veillee.web.notifications.transports.base import AddressGone, Notification, Transport, TransportSettings
from veillee.words import Sentence

__all__ = ["SENT_KINDS", "TRANSPORTS", "AddressGone", "Notification", "Transport", "TransportSettings", "Transports"]

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
TRANSPORTS: dict[str, type[Transport]] = {transport.kind: transport for transport in Transport.__subclasses__()}
SENT_KINDS = tuple(kind for kind, transport in TRANSPORTS.items() if transport.is_sent)


def setting_problems(settings: TransportSettings) -> list[Sentence]:
    """Returns what the operator has to mend in the settings of all transports."""
    return [problem for transport in TRANSPORTS.values() for problem in transport.setting_problems(settings)]


class Transports:
    """The transports of a server, by kind."""

    def __init__(self, store: Store, settings: TransportSettings) -> None:
        self.settings = settings
        self._by_kind = {kind: transport(store, settings) for kind, transport in TRANSPORTS.items()}

    def __iter__(self) -> Iterator[Transport]:
        return iter(self._by_kind.values())

    def __getitem__(self, kind: str) -> Transport:
        return self._by_kind[kind]

    def get(self, kind: str) -> Transport | None:
        return self._by_kind.get(kind)

    def prepare(self) -> None:
        """Prepares every transport, when the server starts."""
        for transport in self:
            transport.prepare()
