"""Mail, by the operator's SMTP server. An address is used once its reader has confirmed it."""

from __future__ import annotations

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, parseaddr
from urllib.parse import unquote, urlsplit

from veillee.house.errors import BadRequest
from veillee.web.http.outbound import CONNECT_TIMEOUT_SECONDS, Unreachable, deadline
from veillee.web.notifications.transports.base import AddressGone, Notification, Transport, TransportSettings
from veillee.web.rendering.templates import t
from veillee.words import Sentence

MAIL_ADDRESS = re.compile(r"[^@\s<>\"',;:\\]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


class Mail(Transport):
    kind = "mail"
    label = t("E-mail")
    needs_confirmation = True

    @classmethod
    def setting_problems(cls, settings: TransportSettings) -> list[Sentence]:
        return [t("mail needs both smtp and mail_from")] if bool(settings.smtp) != bool(settings.mail_from) else []

    def is_available(self) -> bool:
        return bool(self._settings.smtp)

    def validate(self, text: str) -> str:
        if not self.is_available():
            raise BadRequest(t("E-mail is not set up here."))
        address = parseaddr(text.strip())[1]
        if not MAIL_ADDRESS.fullmatch(address) or address != text.strip():
            raise BadRequest(t("This is not a valid e-mail address."))
        return address

    def display(self, address: str) -> str:
        return address

    def send(self, notification: Notification) -> None:
        mail = self._message(notification)
        url = urlsplit(self._settings.smtp)
        secure = url.scheme == "smtps"
        host, port = url.hostname or "localhost", url.port or (465 if secure else 25)
        context = ssl.create_default_context()
        server = (
            smtplib.SMTP_SSL(timeout=CONNECT_TIMEOUT_SECONDS, context=context)
            if secure
            else smtplib.SMTP(timeout=CONNECT_TIMEOUT_SECONDS)
        )
        try:
            with deadline(lambda: server.sock), server:
                server.connect(host, port)
                server.ehlo()
                if not secure and server.has_extn("starttls"):
                    server.starttls(context=context)
                    secure = True
                if url.username and not secure:
                    raise Unreachable("The mail server offers no TLS: the password is not sent.")
                if url.username:
                    server.login(unquote(url.username), unquote(url.password or ""))
                server.send_message(mail)
        except smtplib.SMTPRecipientsRefused as error:
            if all(code >= 550 for code, _ in error.recipients.values()):
                raise AddressGone from None
            raise Unreachable(str(error)) from None
        except (OSError, smtplib.SMTPException) as error:
            raise Unreachable(str(error)) from None

    def _message(self, notification: Notification) -> EmailMessage:
        mail = EmailMessage(SMTP.clone(max_line_length=998))  # a URL that is broken into lines does not work
        mail["From"] = self._settings.mail_from
        mail["To"] = notification.address
        mail["Subject"] = notification.title
        mail["Date"] = formatdate(localtime=False)
        mail["Message-ID"] = f"<{notification.topic}@{urlsplit(self._settings.origin).hostname or 'veillee'}>"
        mail["Auto-Submitted"] = "auto-generated"
        if notification.stop:
            mail["List-Unsubscribe"] = f"<{notification.stop}>"
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        end = f"\n\n-- \n{notification.no_more}\n{notification.stop}\n" if notification.stop else "\n"
        mail.set_content(f"{notification.text}\n\n{notification.url}{end}")
        return mail
