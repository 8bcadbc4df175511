"""Passkeys: a guest adds, names and removes them on the page /me, and comes back by one in any browser.

Needs the extra `passkeys` (py_webauthn), https (or localhost) and a browser that knows them; without these nothing is
shown. The ceremonies are those of WebAuthn: a challenge that works once, and a signature over it for this very host.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.util import find_spec
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from babel.dates import format_date
from litestar import MediaType, Response, post

from veillee.house.accounts import passkeys
from veillee.house.accounts.entry_links import new_challenge, use_challenge
from veillee.house.errors import BadRequest, NotFound, NotSignedIn
from veillee.web.http.forms import field, read_form
from veillee.web.http.preferences import device_of
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.logs import security
from veillee.web.rendering.templates import STANDALONE, t

if TYPE_CHECKING:
    from collections.abc import Callable

IS_INSTALLED = find_spec("webauthn") is not None
REFUSED = t("This passkey is not known here, or not valid.")
NO_GUEST = t("The house knows nothing of you: you are no guest yet.")


class Signed(msgspec.Struct):
    """What a browser sends: the challenge that it was given, and its answer."""

    challenge: str
    credential: dict[str, Any]
    name: str = ""


def rp_of(v: RequestContext) -> tuple[str, str]:
    """Returns the host name that passkeys are bound to, and the origin."""
    return urlsplit(v.browser_origin).hostname or "", v.browser_origin


def is_offered(v: RequestContext) -> bool:
    """Returns whether passkeys can work here: not without the extra, and not under an IP address."""
    if not IS_INSTALLED or STANDALONE.is_on:
        return False
    try:
        ip_address(rp_of(v)[0])
    except ValueError:
        return True
    return False


async def passkeys_context(v: RequestContext) -> dict[str, Any]:
    """Returns the passkeys for the page /me."""
    offered = is_offered(v)
    mine = await to_thread(passkeys.list_passkeys, v.house.store, v.guest.id) if offered and v.guest else []
    told = [(one, format_date(datetime.fromtimestamp(one.used, UTC), "long", locale=v.lang)) for one in mine]
    return {"has_passkeys": offered, "passkeys": told}


async def offered(request: AnyRequest) -> RequestContext:
    """Returns the context of a ceremony. Raises NotFound, TooMany."""
    v = await request_context(request)
    if not is_offered(v):
        raise NotFound(t("There is nothing at this address."))
    rate_limit(request, "changes")
    return v


async def read_signed(request: AnyRequest) -> Signed:
    try:
        return msgspec.json.decode(await request.body(), type=Signed)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadRequest(t("This request cannot be read.")) from None


def verified(verify: Callable[..., Any], signed: Signed, v: RequestContext, **more: Any) -> Any:
    """Returns what was verified. Raises BadRequest."""
    from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415 - an extra

    rp_id, origin = rp_of(v)
    expected = {"expected_challenge": signed.challenge.encode(), "expected_rp_id": rp_id, "expected_origin": origin}
    try:
        return verify(credential=signed.credential, **expected, **more)
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise BadRequest(REFUSED) from None


# -- adding, naming, removing -------------------------------------------------------------------------------------------
@post("/me/passkeys/new", status_code=200)
async def begin_adding(request: AnyRequest) -> Response[str]:
    """Returns what the browser needs to make a passkey."""
    from webauthn import generate_registration_options  # noqa: PLC0415 - an extra
    from webauthn.helpers.structs import (  # noqa: PLC0415
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
    )

    v = await offered(request)
    if v.guest is None:
        raise NotSignedIn(NO_GUEST)
    challenge = await to_thread(new_challenge, v.house.store, v.guest.id)
    known = await to_thread(passkeys.list_passkeys, v.house.store, v.guest.id)
    options = generate_registration_options(
        rp_id=rp_of(v)[0],
        rp_name=v.house.profile.name,
        user_id=v.guest.id.encode(),
        user_name=v.guest.name,
        challenge=challenge.encode(),
        authenticator_selection=AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.REQUIRED),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=_decode(one.id)) for one in known],
    )
    return as_json(challenge, options)


@post("/me/passkeys", status_code=200)
async def add(request: AnyRequest) -> Response[Any]:
    from webauthn import verify_registration_response  # noqa: PLC0415 - an extra
    from webauthn.helpers import bytes_to_base64url  # noqa: PLC0415

    v = await offered(request)
    if v.guest is None:
        raise NotSignedIn(NO_GUEST)
    signed = await read_signed(request)
    await to_thread(use_challenge, v.house.store, signed.challenge, v.guest.id)
    found = await to_thread(verified, verify_registration_response, signed, v)
    name = signed.name.strip() or device_of(request)
    credential = bytes_to_base64url(found.credential_id)
    key, count = found.credential_public_key, found.sign_count
    await to_thread(passkeys.add_passkey, v.house.store, v.guest.id, credential, key, count, name)
    security(request.scope, "A new passkey", guest=v.guest.id)
    return Response(None, status_code=204)


@post("/me/passkeys/change", status_code=200)
async def change(request: AnyRequest) -> Response[Any]:
    """Names a passkey, or removes it."""
    v = await offered(request)
    fields = await read_form(request)
    which = field(fields, "passkey")
    if v.guest is not None and field(fields, "do") == "remove":
        await to_thread(passkeys.remove_passkey, v.house.store, v.guest.id, which)
        security(request.scope, "A passkey was removed", guest=v.guest.id)
    elif v.guest is not None and field(fields, "name").strip():
        await to_thread(passkeys.rename_passkey, v.house.store, v.guest.id, which, field(fields, "name"))
    return v.redirect("/me#h-keys")


# -- coming back -------------------------------------------------------------------------------------------------------
@post("/me/passkeys/ask", status_code=200)
async def begin_coming_back(request: AnyRequest) -> Response[str]:
    """Returns what the browser needs to sign with a passkey of this house."""
    from webauthn import generate_authentication_options  # noqa: PLC0415 - an extra

    v = await offered(request)
    challenge = await to_thread(new_challenge, v.house.store)
    return as_json(challenge, generate_authentication_options(rp_id=rp_of(v)[0], challenge=challenge.encode()))


@post("/me/passkeys/back", status_code=200)
async def come_back(request: AnyRequest) -> Response[Any]:
    from webauthn import verify_authentication_response  # noqa: PLC0415 - an extra

    v = await offered(request)
    signed = await read_signed(request)
    try:
        await to_thread(use_challenge, v.house.store, signed.challenge)
        known = await to_thread(passkeys.find_passkey, v.house.store, str(signed.credential.get("id", "")))
        theirs = {"credential_public_key": known.public_key, "credential_current_sign_count": known.sign_count}
        found = await to_thread(lambda: verified(verify_authentication_response, signed, v, **theirs))
    except BadRequest:
        security(request.scope, "A passkey that is none")
        raise
    await to_thread(passkeys.record_use, v.house.store, known.id, found.new_sign_count)
    await v.come_back(await to_thread(v.house.guests.sign_in, known.guest, device_of(request)), "a passkey")
    return v.set_cookies(Response(None, status_code=204))


def as_json(challenge: str, options: Any) -> Response[str]:
    from webauthn import options_to_json  # noqa: PLC0415 - an extra

    text = json.dumps({"challenge": challenge, "options": json.loads(options_to_json(options))})
    return Response(text, media_type=MediaType.JSON, headers={"Cache-Control": "no-store"})


def _decode(text: str) -> bytes:
    from webauthn import base64url_to_bytes  # noqa: PLC0415 - an extra

    return base64url_to_bytes(text)


ROUTES = [begin_adding, add, change, begin_coming_back, come_back]
