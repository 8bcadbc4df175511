"""Webhooks: a POST request with JSON."""

from __future__ import annotations

import json

from veillee.web.http.outbound import post, validate_url
from veillee.web.notifications.transports.base import Notification, Transport, check_status
from veillee.web.rendering.templates import t


class Webhook(Transport):
    kind = "webhook"
    label = t("Webhook")

    def validate(self, text: str) -> str:
        return validate_url(text.strip(), private=self._settings.private).geturl()

    def send(self, notification: Notification) -> None:
        content = {
            "kind": "your-turn",
            "title": notification.title,
            "text": notification.text,
            "url": notification.url,
            "stop": notification.stop,
        }
        headers = {"Content-Type": "application/json", "User-Agent": "Veillee", "Idempotency-Key": notification.topic}
        body = json.dumps(content).encode()
        check_status(post(notification.address, body, headers, private=self._settings.private))
