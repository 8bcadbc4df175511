"""Passkeys: added, named, removed and used in Chromium with a virtual authenticator (CDP WebAuthn)."""

from __future__ import annotations

import json
from contextlib import contextmanager
from unittest.mock import patch

import httpx
import pytest
from playwright.sync_api import expect

from veillee.house.accounts import passkeys
from veillee.house.accounts.sessions import COOKIE_LIFETIME_SECONDS
from veillee.house.maintenance.cleanup import delete_expired
from veillee.house.storage.schema import guests, tokens
from veillee.house.storage.schema import passkeys as schema_passkeys
from veillee.web.pages import passkeys as passkeys_page

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
SAME_SITE = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "en"}


class Device:
    """A browser with an authenticator of its own, at a name of the house: passkeys are not for IP addresses."""

    def __init__(self, room, browser):
        self.url = room.url.replace("127.0.0.1", "localhost")
        self.context = browser.new_context(locale="en")
        self.page = self.context.new_page()
        self.cdp = self.context.new_cdp_session(self.page)
        self.cdp.send("WebAuthn.enable")
        self.id = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]

    def sign_in(self, guest):
        self.context.add_cookies([{"name": "guest", "value": guest.token, "url": self.url}])

    def credentials(self):
        return self.cdp.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def go(self, path):
        self.page.goto(self.url + path)
        return self.page


@pytest.fixture
def device(room, chromium):
    device = Device(room, chromium)
    yield device
    device.context.close()


@pytest.fixture
def ada(room, device):
    """A guest with a passkey."""
    guest = room.guest("Ada")
    device.sign_in(guest)
    page = device.go("/me")
    page.get_by_label("Name of the new passkey").fill("Blue laptop")
    page.get_by_role("button", name="Add a passkey").press("Enter")
    expect(page.locator("input[id=key-1]")).to_have_value("Blue laptop")
    return guest


def test_a_guest_comes_back_by_a_passkey_in_a_browser_without_cookies(room, device, ada):
    device.context.clear_cookies()
    page = device.go("/me")
    expect(page.get_by_role("heading", name="Good evening", exact=True)).to_be_visible()
    expect(page.locator("#passkey-said")).to_be_hidden()
    page.get_by_role("button", name="Sign in with a passkey").press("Enter")
    expect(page.get_by_role("heading", name="Good evening, Ada")).to_be_visible()
    (token,) = [one["value"] for one in device.context.cookies() if one["name"] == "guest"]
    assert room.house.guests.find(token).id == ada.id
    assert token != ada.token
    assert len(room.house.guests.devices(ada, token)) == 2
    (known,) = passkeys.list_passkeys(room.house.store, ada.id)
    (theirs,) = device.credentials()
    assert known.sign_count == theirs["signCount"] > 0


def test_a_passkey_is_named_and_removed_and_then_opens_nothing(room, device, ada):
    page = device.go("/me")
    page.locator("#key-1").fill("Old laptop")
    page.locator("#key-1").press("Enter")
    expect(page.locator("#key-1")).to_have_value("Old laptop")
    assert [one.name for one in passkeys.list_passkeys(room.house.store, ada.id)] == ["Old laptop"]
    page.get_by_role("button", name="Remove").press("Enter")
    expect(page.locator("#key-1")).to_have_count(0)
    device.context.clear_cookies()
    page = device.go("/me")
    page.get_by_role("button", name="Sign in with a passkey").press("Enter")
    expect(page.locator("#passkey-said")).to_have_text("This passkey is not known here.")
    assert not [one for one in device.context.cookies() if one["name"] == "guest"]


def test_one_authenticator_is_added_once_and_cancelling_is_said(device, ada):
    page = device.go("/me")
    page.get_by_role("button", name="Add a passkey").press("Enter")
    expect(page.locator("#passkey-said")).to_have_text("That did not work, or was cancelled.")
    assert len(device.credentials()) == 1


@contextmanager
def overheard(device):
    """What the page sends to come back, which is kept from the house."""
    sent = []

    def keep(route):
        sent.append(json.loads(route.request.post_data))
        route.abort()

    device.page.route("**/me/passkeys/back", keep)
    yield sent
    device.page.unroute("**/me/passkeys/back")


def test_a_signature_is_good_once_for_its_challenge_and_its_house(room, device, ada):
    device.context.clear_cookies()
    page = device.go("/me")
    with overheard(device) as sent:
        for _ in range(3):
            page.get_by_role("button", name="Sign in with a passkey").press("Enter")
            expect(page.locator("#passkey-said")).to_have_text("That did not work, or was cancelled.")
    with httpx.Client(base_url=device.url, headers=SAME_SITE) as client:

        def back(signed, **headers):
            return client.post("/me/passkeys/back", json=signed, headers=headers)

        exchanged = {**sent[0], "challenge": client.post("/me/passkeys/ask", json={}).json()["challenge"]}
        assert back(exchanged).status_code == 422, "signed for another challenge"
        forged = json.loads(json.dumps(sent[1]))
        forged["credential"]["response"]["signature"] = sent[2]["credential"]["response"]["signature"]
        assert back(forged).status_code == 422, "another signature"
        assert back(sent[1]).status_code == 422, "its challenge is used up by the attempt"
        assert back(sent[2], Host="elsewhere.example:80").status_code == 422, "signed for another house"
        for nonsense in (b"", b"{", b"[]", b'{"challenge":"x"}', b'{"challenge":"x","credential":{"id":"\\u0000"}}'):
            answer = client.post("/me/passkeys/back", content=nonsense, headers={"Content-Type": "application/json"})
            assert answer.status_code == 422, nonsense
        assert "guest" not in client.cookies
        assert back(sent[0]).status_code == 204, "nobody has tried that one with its own challenge"
        assert room.house.guests.find(client.cookies["guest"]).id == ada.id
        client.cookies.clear()
        assert back(sent[0]).status_code == 422, "once"


def test_a_challenge_to_add_is_for_its_guest_alone(room, device, ada):
    bob = room.guest("Bob")
    page = device.go("/me")
    made = []
    page.route("**/me/passkeys", lambda route: (made.append(json.loads(route.request.post_data)), route.abort()))
    for one in device.credentials():
        device.cdp.send(
            "WebAuthn.removeCredential", {"authenticatorId": device.id, "credentialId": one["credentialId"]}
        )
    page.get_by_role("button", name="Add a passkey").press("Enter")
    expect(page.locator("#passkey-said")).to_have_text("That did not work, or was cancelled.")
    with httpx.Client(base_url=device.url, headers=SAME_SITE) as client:
        for guest, status in ((bob, 422), (None, 401), (ada, 204), (ada, 422)):
            client.cookies.clear()
            if guest is not None:
                client.cookies.set("guest", guest.token)
            assert client.post("/me/passkeys", json=made[0]).status_code == status
    assert passkeys.list_passkeys(room.house.store, bob.id) == []
    assert len(passkeys.list_passkeys(room.house.store, ada.id)) == 2


def test_nothing_is_shown_without_the_extra_under_an_address_or_without_javascript(room, device, ada):
    with httpx.Client(headers=SAME_SITE, cookies={"guest": ada.token}) as client:
        assert "passkey" in client.get(f"{device.url}/me").text
        assert "passkeys.js" not in client.get(f"{room.url}/me").text
        assert client.post(f"{room.url}/me/passkeys/ask", json={}).status_code == 404
        with patch.object(passkeys_page, "IS_INSTALLED", new=False):
            assert "passkeys.js" not in client.get(f"{device.url}/me").text
            for path in ("new", "ask", "back", "change"):
                assert client.post(f"{device.url}/me/passkeys/{path}", json={}).status_code == 404
    page = room.page(room.guest("Eve"), "/me", lang="en", js=False)
    page.goto(f"{device.url}/me")
    expect(page.locator("#by-passkey")).to_be_hidden()


def test_a_guest_with_a_passkey_is_kept_as_long_as_a_cookie(room, device, ada):
    store = room.house.store
    for days, kept in ((100, 1), (COOKIE_LIFETIME_SECONDS / 86_400 + 1, 0)):
        ago = store.now() - days * 86_400
        with store.writing() as db:
            db.execute(guests.update().where(guests.c.id == ada.id).values(created=ago))
            db.execute(tokens.delete().where(tokens.c.guest == ada.id))
            db.execute(schema_passkeys.update().where(schema_passkeys.c.guest == ada.id).values(used=ago))
        delete_expired(store)
        assert len(passkeys.list_passkeys(store, ada.id)) == kept


def test_the_page_with_passkeys_is_healthy(device, ada, room):
    device.page.set_viewport_size({"width": 390, "height": 844})
    device.go("/me")
    room.accessible(device.page)
