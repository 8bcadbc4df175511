"""Web Push: notices to a browser, also when it is closed. Needs the package pywebpush."""

from __future__ import annotations

import importlib.util
import json
import time
from typing import Any
from urllib.parse import urlsplit

from veillee.house.errors import BadRequest
from veillee.house.storage import secret_keys
from veillee.web.http.outbound import post, validate_url
from veillee.web.notifications.transports.base import Notification, Transport, check_status
from veillee.web.rendering.templates import t

DAY_SECONDS = 86_400


class WebPush(Transport):
    kind = "push"
    label = t("A browser")

    def is_available(self) -> bool:
        return importlib.util.find_spec("pywebpush") is not None

    def prepare(self) -> None:
        """Creates the VAPID key at the first start."""
        if self.is_available():
            self._vapid_key()

    def public_key(self) -> str:
        """Returns the VAPID public key as browsers need it. Only where pywebpush is installed."""
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - an extra
        from py_vapid.utils import b64urlencode  # noqa: PLC0415

        point = self._vapid_key().public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return str(b64urlencode(point))

    def validate(self, text: str) -> str:
        """Returns a browser's push subscription (JSON). Raises BadRequest."""
        if not self.is_available():
            raise BadRequest(t("Web Push needs one more package in this house: pip install veillee[notices]."))
        try:
            given = json.loads(text)
            endpoint = str(given["endpoint"])
            subscription = {
                "endpoint": endpoint,
                "keys": {name: str(given["keys"][name]) for name in ("p256dh", "auth")},
            }
            from pywebpush import WebPusher  # noqa: PLC0415 - an extra

            WebPusher(subscription).encode(b"try")
        except Exception:  # noqa: BLE001 - any error means an invalid subscription
            raise BadRequest(t("This is not a valid browser subscription.")) from None
        validate_url(endpoint, private=self._settings.private)
        return json.dumps(subscription)

    def display(self, address: str) -> str:
        return urlsplit(str(json.loads(address)["endpoint"])).netloc

    def send(self, notification: Notification) -> None:
        from pywebpush import WebPusher  # noqa: PLC0415 - an extra

        subscription = json.loads(notification.address)
        content = {
            "title": notification.title,
            "body": notification.text,
            "url": notification.url,
            "tag": notification.topic,
            "stop": notification.stop,
            "no": notification.no_more,
        }
        body = WebPusher(subscription).encode(json.dumps(content).encode())["body"]
        parts = urlsplit(subscription["endpoint"])
        contact = f"mailto:{self._settings.mail_from}" if self._settings.mail_from else self._settings.origin
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": contact, "exp": int(time.time()) + DAY_SECONDS // 2}
        headers = self._vapid_key().sign(claims)
        headers |= {
            "Content-Encoding": "aes128gcm",
            "TTL": str(DAY_SECONDS),
            "Urgency": "normal",
            "Topic": notification.topic[:32],
        }
        check_status(post(subscription["endpoint"], body, headers, private=self._settings.private))

    def _vapid_key(self) -> Any:
        """Returns the server's VAPID key, made once."""
        from py_vapid import Vapid02  # noqa: PLC0415 - an extra

        def make() -> str:
            fresh = Vapid02()
            fresh.generate_keys()
            return str(fresh.private_pem().decode())

        return Vapid02.from_pem(secret_keys.get_or_create_key(self._store, "vapid", make).encode())
