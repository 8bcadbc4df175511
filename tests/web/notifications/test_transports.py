"""Transports: found by their modules, offered where they are installed and configured; addresses are shown shortened."""

from __future__ import annotations

import pkgutil
import socket
import threading

import pytest

from veillee.house.errors import BadRequest
from veillee.house.storage.store import Store
from veillee.web.http.outbound import Unreachable
from veillee.web.notifications import transports
from veillee.web.notifications.transports import (
    SENT_KINDS,
    TRANSPORTS,
    Notification,
    Transports,
    TransportSettings,
    setting_problems,
)

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")  # Apprise's


@pytest.fixture
def store(tmp_path):
    store = Store.open(tmp_path)
    yield store
    store.close()


def test_every_module_of_the_package_is_one_transport():
    modules = {module.name for module in pkgutil.iter_modules(transports.__path__)} - {"base"}
    assert {one.__module__.rpartition(".")[2] for one in TRANSPORTS.values()} == modules
    assert set(TRANSPORTS) == {"push", "mail", "webhook", "apprise", "feed"}, "the kinds are in the database"
    assert set(SENT_KINDS) == set(TRANSPORTS) - {"feed"}


def test_what_is_not_configured_is_not_offered(store):
    def offered(settings):
        return {one.kind for one in Transports(store, settings) if one.is_available()}

    assert offered(TransportSettings()) == {"push", "webhook", "feed"}
    assert offered(TransportSettings(smtp="smtp://x", apprise=("json",))) == set(TRANSPORTS)


def test_an_address_is_shown_without_its_secrets(store):
    known = Transports(store, TransportSettings())
    assert known["webhook"].display("https://example.org/secret?key=1") == "https://example.org/…"
    assert known["apprise"].display("ntfys://token@example.org/secret") == "ntfys://token@example.org/…"
    assert known["push"].display('{"endpoint": "https://push.example/secret", "keys": {}}') == "push.example"
    assert known["mail"].display("ada@example.org") == "ada@example.org"


def test_the_operator_is_told_what_is_missing():
    assert setting_problems(TransportSettings()) == []
    (problem,) = setting_problems(TransportSettings(smtp="smtp://x"))
    assert problem.say("en") == "mail needs both smtp and mail_from"


@pytest.mark.parametrize("more", ["?verify=no", "?Verify=false", "?cto=600", "?rto=600", "?redirect=yes", "/\x00"])
def test_an_apprise_address_cannot_switch_checks_off(store, more):
    apprise = Transports(store, TransportSettings(apprise=("jsons",)))["apprise"]
    assert apprise.validate("jsons://example.org/x")
    with pytest.raises(BadRequest):
        apprise.validate(f"jsons://example.org/x{more}")


def test_a_mail_server_without_tls_is_not_told_the_password(store):
    heard = []

    def talk(server):
        connection, _ = server.accept()
        with connection, connection.makefile("rwb") as lines:
            lines.write(b"220 here\r\n")
            lines.flush()
            for line in lines:
                heard.append(line.strip().upper())
                replies = {b"EHLO": b"250-here\r\n250 AUTH PLAIN LOGIN\r\n", b"QUIT": b"221 bye\r\n"}
                lines.write(replies.get(line[:4].upper(), b"250 ok\r\n"))
                lines.flush()
                if line[:4].upper() == b"QUIT":
                    return

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=talk, args=(server,), daemon=True)
        thread.start()
        smtp = f"smtp://house:secret@127.0.0.1:{server.getsockname()[1]}"
        mail = Transports(store, TransportSettings(smtp, "house@example.org"))["mail"]
        with pytest.raises(Unreachable, match="TLS"):
            mail.send(Notification("mail", "a@example.org", "t", "t", "http://u", "", "", "topic", "en"))
        thread.join(20)
    assert [line[:4] for line in heard] == [b"EHLO", b"QUIT"]
