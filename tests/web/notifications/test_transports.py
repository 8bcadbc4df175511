"""Transports: found by their modules, offered where they are installed and configured; addresses are shown shortened."""

from __future__ import annotations

import pkgutil

import pytest

from veillee.house.storage.store import Store
from veillee.web.notifications import transports
from veillee.web.notifications.transports import SENT_KINDS, TRANSPORTS, Transports, TransportSettings, setting_problems


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
