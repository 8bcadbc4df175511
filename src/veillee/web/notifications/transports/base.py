"""What every notification transport does. A transport is one subclass of Transport in a module of this package."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlsplit

from veillee.house.storage.store import Store
from veillee.web.http.outbound import Unreachable
from veillee.words import Sentence


class AddressGone(Exception):
    """The address no longer exists: nothing is sent there again."""


@dataclass(frozen=True)
class TransportSettings:
    """Configuration of the transports, set by the operator."""

    smtp: str = ""  # smtp://name:password@host:587, or smtps://
    mail_from: str = ""
    apprise: tuple[str, ...] = ()  # the services that guests may use, by their schemes: ntfys, matrixs, discord …
    private: bool = False  # sending to private network addresses is allowed
    origin: str = "http://localhost:8000"  # origin of the server, for links


@dataclass(frozen=True)
class Notification:
    """A notice in the recipient's language."""

    kind: str
    address: str
    title: str
    text: str
    url: str  # page to open
    stop: str  # unsubscribe address
    no_more: str  # label of the unsubscribe link
    topic: str  # the same for the same turn: a receiver that gets it twice shows it once
    lang: str


class Transport(ABC):
    """Sends notices to the channels of one kind."""

    kind: ClassVar[str]  # as in the database and in the form
    label: ClassVar[Sentence]  # in the list of a guest's channels
    is_sent: ClassVar[bool] = True  # False: the guest fetches it. Nothing is sent, and a guest has one of it
    needs_confirmation: ClassVar[bool] = False  # the address must be confirmed by its reader before it is used

    def __init__(self, store: Store, settings: TransportSettings) -> None:
        self._store = store
        self._settings = settings

    @classmethod
    def setting_problems(cls, settings: TransportSettings) -> list[Sentence]:
        """Returns what the operator has to mend in the settings (`veillee doctor`)."""
        return []

    def is_available(self) -> bool:
        """Returns whether this transport is installed and configured: otherwise it is not offered."""
        return True

    def prepare(self) -> None:  # noqa: B027 - most have nothing to do
        """Does what must be done once, when the server starts."""

    @abstractmethod
    def validate(self, text: str) -> str:
        """Returns the address to store, of what a guest has entered. Raises BadRequest."""

    def display(self, address: str) -> str:
        """Returns the address as its owner sees it, shortened: the full one may hold a secret."""
        parts = urlsplit(address)
        return f"{parts.scheme}://{parts.netloc}/…"

    @abstractmethod
    def send(self, notification: Notification) -> None:
        """Sends one notice, with a timeout. Raises Unreachable (try later), AddressGone."""


def check_status(status: int) -> None:
    """Checks the status of a response. Raises Unreachable, AddressGone."""
    if status in (404, 410):
        raise AddressGone
    if not 200 <= status < 300:
        raise Unreachable(f"status {status}")
