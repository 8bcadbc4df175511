"""Notification transports: Web Push, mail, webhooks and Apprise. A transport that is not installed, or not configured
by the operator, is not offered.

Each sends one notice at a time, with a timeout. It returns once the notice went out, or raises Unreachable (try later)
or Gone (the address no longer exists).
"""

from __future__ import annotations

import importlib.util
import json
import re
import smtplib
import ssl
import time
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, parseaddr
from typing import Any
from urllib.parse import unquote, urlsplit

from veillee.house.errors import BadRequest
from veillee.house.notifications.channels import Kind
from veillee.house.storage import secret_keys
from veillee.house.storage.store import Store
from veillee.web.http.outbound import CONNECT_TIMEOUT_SECONDS, Unreachable, post, resolve_public, validate_url
from veillee.web.rendering.templates import t

DAY = 86_400
MAIL = re.compile(r"[^@\s<>\"',;:\\]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
HOSTED = re.compile(r"[\w-]+(\.[\w-]+)+|\[[0-9a-f:.]+\]", re.IGNORECASE)


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

    kind: Kind
    address: str
    title: str
    text: str
    url: str  # page to open
    stop: str  # unsubscribe address
    no_more: str  # label of the unsubscribe link
    topic: str  # the same for the same turn: a receiver that gets it twice shows it once
    lang: str


def has_push() -> bool:
    return importlib.util.find_spec("pywebpush") is not None


def has_apprise() -> bool:
    return importlib.util.find_spec("apprise") is not None


def vapid_key(store: Store) -> Any:
    """Returns the server's VAPID key for Web Push, made once. Only where pywebpush is installed."""
    from py_vapid import Vapid02  # noqa: PLC0415 - an extra

    def make() -> str:
        fresh = Vapid02()
        fresh.generate_keys()
        return str(fresh.private_pem().decode())

    return Vapid02.from_pem(secret_keys.get_or_create_key(store, "vapid", make).encode())


def public_key(store: Store) -> str:
    """Returns the VAPID public key as browsers need it; empty where there is no Web Push."""
    if not has_push():
        return ""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - an extra
    from py_vapid.utils import b64urlencode  # noqa: PLC0415

    point = vapid_key(store).public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return str(b64urlencode(point))


class Transports:
    def __init__(self, store: Store, post: TransportSettings) -> None:
        self._store = store
        self.post = post

    # -- addresses that guests enter ----------------------------------------------------------------------------
    def push_address(self, text: str) -> str:
        """Validates a browser's push subscription (JSON). Raises BadRequest."""
        if not has_push():
            raise BadRequest(t("Web Push needs one more package in this house: pip install veillee[notices]."))
        try:
            said = json.loads(text)
            endpoint = str(said["endpoint"])
            found = {"endpoint": endpoint, "keys": {name: str(said["keys"][name]) for name in ("p256dh", "auth")}}
            from pywebpush import WebPusher  # noqa: PLC0415 - an extra

            WebPusher(found).encode(b"try")
        except Exception:  # noqa: BLE001 - any error means an invalid subscription
            raise BadRequest(t("This is no subscription of a browser.")) from None
        validate_url(endpoint, private=self.post.private)
        return json.dumps(found)

    def mail_address(self, text: str) -> str:
        if not self.post.smtp:
            raise BadRequest(t("This house sends no mail."))
        address = parseaddr(text.strip())[1]
        if not MAIL.fullmatch(address) or address != text.strip():
            raise BadRequest(t("This is no mail address."))
        return address

    def webhook_address(self, text: str) -> str:
        return validate_url(text.strip(), private=self.post.private).geturl()

    def apprise_address(self, text: str) -> str:
        if not self.post.apprise or not has_apprise():
            raise BadRequest(t("This house sends to no other service."))
        import apprise  # noqa: PLC0415 - an extra

        address = text.strip()
        scheme = urlsplit(address).scheme.lower()
        if scheme not in self.post.apprise:
            named = ", ".join(self.post.apprise)
            raise BadRequest(t("This house sends to these services: {services}.", services=named))
        try:
            service = apprise.Apprise.instantiate(address, suppress_exceptions=True)
        except TypeError:
            service = None
        if service is None:
            raise BadRequest(t("Apprise does not understand this address."))
        return address

    # -- sending ------------------------------------------------------------------------------------------------
    def send(self, letter: Notification) -> None:
        """Sends a notice by the transport of its kind. Raises Unreachable, Gone."""
        carriers = {"push": self._push, "mail": self._mail, "webhook": self._webhook, "apprise": self._apprise}
        carriers[letter.kind](letter)

    def _push(self, letter: Notification) -> None:
        from pywebpush import WebPusher  # noqa: PLC0415 - an extra

        where = json.loads(letter.address)
        said = {"title": letter.title, "body": letter.text, "url": letter.url, "tag": letter.topic}
        body = WebPusher(where).encode(json.dumps(said | {"stop": letter.stop, "no": letter.no_more}).encode())["body"]
        parts = urlsplit(where["endpoint"])
        contact = f"mailto:{self.post.mail_from}" if self.post.mail_from else self.post.origin
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": contact, "exp": int(time.time()) + DAY // 2}
        head = vapid_key(self._store).sign(claims)
        head |= {"Content-Encoding": "aes128gcm", "TTL": str(DAY), "Urgency": "normal", "Topic": letter.topic[:32]}
        self._status(post(where["endpoint"], body, head, private=self.post.private))

    def _webhook(self, letter: Notification) -> None:
        said = {"kind": "your-turn", "title": letter.title, "text": letter.text, "url": letter.url, "stop": letter.stop}
        head = {"Content-Type": "application/json", "User-Agent": "Veillee", "Idempotency-Key": letter.topic}
        self._status(post(letter.address, json.dumps(said).encode(), head, private=self.post.private))

    def _status(self, status: int) -> None:
        if status in (404, 410):
            raise AddressGone
        if not 200 <= status < 300:
            raise Unreachable(f"status {status}")

    def _mail(self, letter: Notification) -> None:
        mail = EmailMessage(SMTP.clone(max_line_length=998))  # a URL that is broken into lines does not work
        mail["From"] = self.post.mail_from
        mail["To"] = letter.address
        mail["Subject"] = letter.title
        mail["Date"] = formatdate(localtime=False)
        mail["Message-ID"] = f"<{letter.topic}@{urlsplit(self.post.origin).hostname or 'veillee'}>"
        mail["Auto-Submitted"] = "auto-generated"
        if letter.stop:
            mail["List-Unsubscribe"] = f"<{letter.stop}>"
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        end = f"\n\n-- \n{letter.no_more}\n{letter.stop}\n" if letter.stop else "\n"
        mail.set_content(f"{letter.text}\n\n{letter.url}{end}")
        url = urlsplit(self.post.smtp)
        secure = url.scheme == "smtps"
        host, port = url.hostname or "localhost", url.port or (465 if secure else 25)
        try:
            with (
                smtplib.SMTP_SSL(host, port, timeout=CONNECT_TIMEOUT_SECONDS, context=ssl.create_default_context())
                if secure
                else smtplib.SMTP(host, port, timeout=CONNECT_TIMEOUT_SECONDS)
            ) as server:
                if url.scheme == "smtp" and server.ehlo() and server.has_extn("starttls"):
                    server.starttls(context=ssl.create_default_context())
                if url.username:
                    server.login(unquote(url.username), unquote(url.password or ""))
                server.send_message(mail)
        except smtplib.SMTPRecipientsRefused as error:
            if all(code >= 550 for code, _ in error.recipients.values()):
                raise AddressGone from None
            raise Unreachable(str(error)) from None
        except (OSError, smtplib.SMTPException) as error:
            raise Unreachable(str(error)) from None

    def _apprise(self, letter: Notification) -> None:
        import apprise  # noqa: PLC0415 - an extra

        host = urlsplit(letter.address).hostname or ""
        if HOSTED.fullmatch(host):
            resolve_public(host, 443, private=self.post.private)
        crier = apprise.Apprise()
        crier.add(letter.address)
        if not crier.notify(title=letter.title, body=f"{letter.text}\n{letter.url}\n{letter.no_more}: {letter.stop}"):
            raise Unreachable("Apprise could not deliver it.")
