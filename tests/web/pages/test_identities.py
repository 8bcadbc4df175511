"""Sign-in by OpenID Connect, with an issuer on this machine that signs real tokens, and wrong ones."""

from __future__ import annotations

import base64
import hmac
import json
import time
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from litestar.testing import TestClient
from playwright.sync_api import expect

from veillee.house.accounts import identities
from veillee.house.accounts.sessions import COOKIE_LIFETIME_SECONDS
from veillee.house.errors import BadRequest
from veillee.house.house import House
from veillee.house.maintenance.cleanup import delete_expired
from veillee.house.profile import Profile
from veillee.house.storage.schema import guests, tokens
from veillee.house.storage.schema import identities as schema_identities
from veillee.web.app import create_app
from veillee.web.http import identity_provider
from veillee.web.http.identity_provider import IdentityProvider
from veillee.web.settings import settings
from web.pages.stand_in_issuer import CLIENT, SECRET, running_issuer

SAME_SITE = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "en"}


@pytest.fixture
def issuer():
    with running_issuer() as issuer:
        yield issuer


@pytest.fixture
def house(tmp_path):
    house = House.open(tmp_path, workers=0)
    yield house
    house.close()


def provider(issuer, **other):
    return IdentityProvider(issuer.url, CLIENT, SECRET, "The Club", private=True, **other)


@pytest.fixture
def app(house, issuer):
    return create_app(house, identity_provider=provider(issuer))


def browser(app, guest=None):
    client = TestClient(app)
    client.headers.update(SAME_SITE)
    if guest is not None:
        sign_in(client, guest)
    return client


def sign_in(client, guest):
    client.cookies.set("guest", guest.token, domain="testserver.local", path="/")


def begin(client):
    """The page that leads to the issuer; where it leads."""
    answer = client.post("/me/identities/begin")
    assert answer.status_code == 200, answer.text
    return answer.headers["refresh"].removeprefix("0; url=")


def away_and_back(client, issuer, **changed):
    """Where the issuer sends the browser, with `changed` instead; what the house answers."""
    there = urlsplit(begin(client))
    query = {name: values[0] for name, values in parse_qs(there.query).items()}
    return come(client, issuer.authorize(query), **changed)


def come(client, address, **changed):
    query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()} | changed
    return client.get("/me/identities/back", params=query, follow_redirects=False)


def guest_of(house, client):
    return house.guests.find(client.cookies.get("guest", ""))


def linked(house, guest):
    return [one.subject for one in identities.list_identities(house.store, guest.id)]


# -- in a browser --------------------------------------------------------------------------------------------------------
def test_a_guest_links_an_account_and_comes_back_by_it_without_cookies(room, issuer, chromium):
    ada = room.guest("Ada")
    state = room.house.guests  # the house that is served
    with patch("veillee.web.pages.identities.provider_of", lambda _: provider(issuer)):
        context = chromium.new_context(locale="en")
        context.add_cookies([{"name": "guest", "value": ada.token, "url": room.url}])
        page = context.new_page()
        page.goto(f"{room.url}/me")
        page.get_by_role("button", name="Continue with The Club").press("Enter")
        expect(page.get_by_text("last sign-in on")).to_be_visible()
        assert page.url.startswith(f"{room.url}/me")
        assert linked(room.house, ada) == [issuer.person]
        context.clear_cookies()
        page.goto(f"{room.url}/me")
        expect(page.get_by_role("heading", name="Good evening", exact=True)).to_be_visible()
        page.get_by_role("button", name="Continue with The Club").press("Enter")
        expect(page.get_by_role("heading", name="Good evening, Ada")).to_be_visible()
        cookies = {one["name"]: one["value"] for one in context.cookies()}
        assert state.find(cookies["guest"]).id == ada.id
        assert cookies["guest"] != ada.token
        assert "sign-in" not in cookies
        page.set_viewport_size({"width": 390, "height": 844})
        room.accessible(page)
        page.locator("[aria-labelledby=h-identities]").get_by_role("button", name="Remove").press("Enter")
        expect(page.get_by_text("last sign-in on")).to_have_count(0)
        context.close()
    assert linked(room.house, ada) == []


def test_it_works_without_javascript(room, issuer):
    ada = room.guest("Ada")
    with patch("veillee.web.pages.identities.provider_of", lambda _: provider(issuer)):
        page = room.page(ada, "/me", lang="fr", js=False)
        page.get_by_role("button", name="Continuer avec The Club").click()
        expect(page.get_by_text("dernière connexion le")).to_be_visible()
    assert linked(room.house, ada) == [issuer.person]


# -- whose it is ---------------------------------------------------------------------------------------------------------
def test_an_identity_belongs_to_one_guest(house, app, issuer):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    first, second = browser(app, ada), browser(app, bob)
    assert away_and_back(first, issuer).status_code == 303
    assert away_and_back(second, issuer).status_code == 303
    assert guest_of(house, second).id == ada.id, "a known identity brings its own guest"
    assert (linked(house, ada), linked(house, bob)) == ([issuer.person], [])
    issuer.person = "bob-at-the-club"
    third = browser(app, bob)
    assert away_and_back(third, issuer).status_code == 303
    assert guest_of(house, third).id == bob.id
    assert linked(house, bob) == ["bob-at-the-club"]
    theirs = identities.list_identities(house.store, ada.id)[0].id
    third.post("/me/identities/remove", data={"identity": theirs})
    assert linked(house, ada) == [issuer.person.replace("bob", "ada")], "nobody removes another guest's"


def test_a_stranger_becomes_a_guest_unless_the_house_is_open_by_invitation_only(house, app, issuer):
    house.profile = Profile(is_invitation_only=True)
    refused = browser(app)
    assert away_and_back(refused, issuer).status_code == 403
    assert "guest" not in refused.cookies
    house.profile = Profile()
    stranger = browser(app)
    assert away_and_back(stranger, issuer).status_code == 303
    came = guest_of(house, stranger)
    assert linked(house, came) == [issuer.person]
    house.profile = Profile(is_invitation_only=True)
    again = browser(app)
    assert away_and_back(again, issuer).status_code == 303
    assert guest_of(house, again).id == came.id, "a guest comes back to a closed house, too"


def test_two_clicks_at_once_link_it_once(house, issuer):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    store = house.store
    assert identities.link_identity(store, ada.id, issuer.url, "x") == ada.id
    assert identities.link_identity(store, bob.id, issuer.url, "x") == ada.id
    assert identities.use_identity(store, "https://another.example", "x") is None, "a subject is its issuer's alone"
    for n in range(identities.MAX_IDENTITIES):
        identities.link_identity(store, bob.id, issuer.url, f"{n}")
    with pytest.raises(BadRequest):
        identities.link_identity(store, bob.id, issuer.url, "one more")


# -- what is asked for -----------------------------------------------------------------------------------------------
def test_the_issuer_is_asked_with_pkce_state_and_nonce_and_for_nothing_else(house, app, issuer):
    client = browser(app, house.guests.new("Ada"))
    query = {name: values[0] for name, values in parse_qs(urlsplit(begin(client)).query).items()}
    assert query["response_type"] == "code"
    assert query["scope"] == "openid"
    assert query["code_challenge_method"] == "S256"
    assert query["redirect_uri"] == "http://testserver.local/me/identities/back"
    assert len(query["state"]) >= 43
    assert len(query["nonce"]) >= 43
    secret = client.cookies["sign-in"]
    assert secret not in json.dumps(query), "what the browser keeps is not in the address"
    come(client, issuer.authorize(query))
    (form,) = issuer.redeemed
    assert base64.b64decode(form["authorization"].removeprefix("Basic ")).decode() == f"{CLIENT}:{SECRET}"
    assert SECRET not in json.dumps({**form, "authorization": ""})


def test_a_secret_in_the_form_where_the_issuer_wants_it_there(house, app, issuer):
    issuer.discovery = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    assert away_and_back(browser(app, house.guests.new("Ada")), issuer).status_code == 303
    (form,) = issuer.redeemed
    assert (form["client_secret"], form["authorization"]) == (SECRET, "")


# -- what is refused -----------------------------------------------------------------------------------------------------
def encoded(*parts):
    return [base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=") for one in parts]


def none_signed(claims):
    return b".".join([*encoded({"alg": "none"}, claims), b""]).decode()


def by_another_key(claims):
    other = RSAKey.generate_key(2048, {"kid": "one"}, private=True)
    return jwt.encode({"alg": "RS256", "kid": "one"}, claims, other)


def by_shared_secret(issuer):
    """Signed with the issuer's public key, as if it were a secret of both."""

    def sign(claims):
        signed = b".".join(encoded({"alg": "HS256", "kid": "one"}, claims))
        digest = hmac.digest(issuer.key.as_pem(private=False), signed, "sha256")
        return b".".join([signed, base64.urlsafe_b64encode(digest).rstrip(b"=")]).decode()

    return sign


def changed(issuer):
    """A token of the issuer with another person in it."""

    def sign(claims):
        header, _, signature = issuer.signed(claims).split(".")
        (body,) = encoded(claims | {"sub": "another"})
        return f"{header}.{body.decode()}.{signature}"

    return sign


NOW = time.time()
WRONG_TOKENS = {
    "nonce": lambda one: one.claims.update(nonce="another"),
    "no nonce": lambda one: one.claims.update(nonce=None),
    "audience": lambda one: one.claims.update(aud="another house"),
    "audience, though we may use it": lambda one: one.claims.update(aud="another house", azp=CLIENT),
    "several audiences, for another": lambda one: one.claims.update(aud=[CLIENT, "b"], azp="b"),
    "issuer": lambda one: one.claims.update(iss="https://another.example"),
    "expired": lambda one: one.claims.update(exp=int(NOW) - 3600),
    "no expiry": lambda one: one.claims.update(exp=None),
    "of the future": lambda one: one.claims.update(iat=int(NOW) + 3600),
    "no subject": lambda one: one.claims.update(sub=None),
    "an empty subject": lambda one: one.claims.update(sub=""),
    "a subject that is no text": lambda one: one.claims.update(sub=["x"]),
    "a long subject": lambda one: one.claims.update(sub="x" * 256),
    "no signature": lambda one: setattr(one, "sign", none_signed),
    "a key of another": lambda one: setattr(one, "sign", by_another_key),
    "a shared secret": lambda one: setattr(one, "sign", by_shared_secret(one)),
    "changed": lambda one: setattr(one, "sign", changed(one)),
    "no token": lambda one: setattr(one, "sign", lambda _: ""),
    "nonsense": lambda one: setattr(one, "sign", lambda _: "a.b.c"),
}


@pytest.mark.parametrize("wrong", WRONG_TOKENS)
def test_a_wrong_token_signs_nobody_in(house, app, issuer, wrong):
    ada = house.guests.new("Ada")
    identities.link_identity(house.store, ada.id, issuer.url, issuer.person)
    WRONG_TOKENS[wrong](issuer)
    client = browser(app)
    answer = away_and_back(client, issuer)
    assert answer.status_code == 422
    assert "You were not signed in" in answer.text
    assert "guest" not in client.cookies
    issuer.claims, issuer.sign = {}, issuer.signed
    assert away_and_back(client, issuer).status_code == 303, "it was this alone"
    assert guest_of(house, client).id == ada.id


def test_a_state_is_for_its_browser_and_its_guest_and_works_once(house, app, issuer):
    ada, bob = house.guests.new("Ada"), house.guests.new("Bob")
    client, other = browser(app), browser(app)
    unknown = away_and_back(client, issuer, state="another")
    assert (unknown.status_code, "took too long" in unknown.text) == (422, True)
    assert away_and_back(client, issuer, iss="https://another.example").status_code == 422
    assert come(other, "/", code="x", state="x").status_code == 422, "it has not begun"
    begin(other)
    address = issuer.authorize(asked(begin(client)))
    assert come(other, address).status_code == 422, "another browser brings what an attacker began (login CSRF)"
    assert come(client, address).status_code == 303, "a foreign attempt does not use it up"
    assert come(client, address).status_code == 422, "once"
    mine = browser(app, ada)
    address = issuer.authorize(asked(begin(mine)))
    sign_in(mine, bob)
    assert come(mine, address).status_code == 422, "another guest meanwhile"
    assert linked(house, bob) == []


def asked(address):
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def test_a_replayed_code_and_a_code_of_another_browser_sign_nobody_in(house, app, issuer):
    ada = house.guests.new("Ada")
    assert away_and_back(browser(app, ada), issuer).status_code == 303
    issuer.sends_code_again = next(iter(issuer.codes))
    thief = browser(app)
    assert away_and_back(thief, issuer).status_code == 422, "a code that was redeemed"
    issuer.sends_code_again = ""
    issuer.codes["stolen"] = asked(begin(browser(app, ada)))
    assert away_and_back(thief, issuer, code="stolen").status_code == 422, "PKCE: the verifier is another one"
    assert "guest" not in thief.cookies
    assert away_and_back(thief, issuer, code="").status_code == 422
    assert away_and_back(thief, issuer, error="access_denied").status_code == 422


def test_an_issuer_that_is_away_or_answers_strangely_is_said(house, app, issuer):
    client = browser(app, house.guests.new("Ada"))
    for strange in (
        {"issuer": "https://another.example"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": None},
    ):
        issuer.discovery = strange
        answer = client.post("/me/identities/begin")
        assert (answer.status_code, "try again later" in answer.text) == (503, True), strange
    for strange in (
        {"token_endpoint": 7},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": f"{issuer.url}/token_endpoint"},
    ):
        issuer.discovery = strange
        assert away_and_back(client, issuer).status_code in (422, 503), strange
    gone = create_app(house, identity_provider=IdentityProvider("http://127.0.0.1:1", CLIENT, private=True))
    assert browser(gone).post("/me/identities/begin").status_code == 503
    near = create_app(house, identity_provider=IdentityProvider(issuer.url, CLIENT))
    assert browser(near).post("/me/identities/begin").status_code == 503, "no own network without oidc_private"


# -- where it is not, and what becomes of it -----------------------------------------------------------------------------
def test_nothing_is_shown_where_it_is_not_set_up_or_the_extra_is_missing(house, app):
    bare = create_app(house)
    for client in (browser(bare), browser(app)):
        with patch.object(identity_provider, "IS_INSTALLED", new=False):
            assert "h-identities" not in client.get("/me").text
            assert client.post("/me/identities/begin").status_code == 404
            assert client.get("/me/identities/back").status_code == 404
            assert client.post("/me/identities/remove").status_code == 404
    assert "h-identities" not in browser(bare).get("/me").text
    assert browser(bare).post("/me/identities/begin").status_code == 404
    assert "h-identities" in browser(app).get("/me").text
    from_elsewhere = httpx.Headers(SAME_SITE | {"Sec-Fetch-Site": "cross-site"})
    assert browser(app).post("/me/identities/begin", headers=from_elsewhere).status_code == 403


def test_an_identity_is_in_the_export_and_goes_with_its_guest(house, app, issuer):
    ada = house.guests.new("Ada")
    client = browser(app, ada)
    away_and_back(client, issuer)
    (mine,) = client.get("/me/data.json").json()["identities"]
    assert (mine["issuer"], mine["subject"]) == (issuer.url, issuer.person)
    client.post("/me/leave", data={"sure": "yes"})
    assert identities.use_identity(house.store, issuer.url, issuer.person) is None


def test_a_guest_with_an_identity_is_kept_as_long_as_a_cookie(house, issuer):
    ada, store = house.guests.new("Ada"), house.store
    identities.link_identity(store, ada.id, issuer.url, issuer.person)
    for days, kept in ((100, 1), (COOKIE_LIFETIME_SECONDS / 86_400 + 1, 0)):
        ago = store.now() - days * 86_400
        with store.writing() as db:
            db.execute(guests.update().values(created=ago))
            db.execute(tokens.delete())
            db.execute(schema_identities.update().values(used=ago))
        delete_expired(store)
        assert len(linked(house, ada)) == kept


def test_settings_of_an_issuer(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("open sesame\n")
    chosen = {"oidc_issuer": "https://id.example.org", "oidc_client_id": "veillee"}
    assert settings({}, environment={}).identity_provider is None
    found = settings({**chosen, "oidc_client_secret_file": str(secret)}, environment={}).identity_provider
    assert (found.client_secret, found.name) == ("open sesame", "id.example.org")
    assert "sesame" not in repr(found)
    empty = tmp_path / "empty"
    empty.write_text("\n")
    for wrong in (
        {"oidc_issuer": "https://id.example.org"},
        {"oidc_client_id": "veillee"},
        {**chosen, "oidc_issuer": "http://id.example.org"},
        {**chosen, "oidc_issuer": "https://10.0.0.1"},
        {**chosen, "oidc_client_secret_file": str(tmp_path / "none")},
        {**chosen, "oidc_client_secret_file": str(empty)},
        {**chosen, "oidc_label": "a\nb"},
    ):
        with pytest.raises(BadRequest):
            settings(wrong, environment={})
    assert settings(
        {**chosen, "oidc_issuer": "http://10.0.0.1", "oidc_private": True}, environment={}
    ).identity_provider
