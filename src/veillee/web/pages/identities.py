"""Sign-in with an account elsewhere (OpenID Connect), where the operator has set it up: /me/identities/….

An unknown identity is linked to the present guest, or to a new one; a known one brings its guest back, whoever the
browser was before. Nothing is shown without the settings `oidc_issuer` and `oidc_client_id` and the extra `oidc`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from babel.dates import format_date
from litestar import Response, get, post

from veillee.house.accounts import identities
from veillee.house.accounts.entry_links import new_challenge, use_challenge
from veillee.house.errors import BadRequest, NotFound
from veillee.web.http import identity_provider
from veillee.web.http.forms import field, read_form
from veillee.web.http.identity_provider import REFUSED, Flow, IdentityProvider
from veillee.web.http.preferences import cookie, device_of
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import SIGN_INS, to_thread
from veillee.web.logs import security
from veillee.web.rendering.templates import STANDALONE, t

FLOW_SECONDS = 600  # as long as signing in elsewhere may take
FLOW_COOKIE, SECURE_FLOW_COOKIE = "sign-in", "__Host-sign-in"
CANCELLED = t("You were not signed in: it was cancelled, or refused there.")
SHORTEST_FLOW = 40  # characters: of a cookie that we have made


def provider_of(v: RequestContext) -> IdentityProvider | None:
    """Returns the identity provider of the house; None: there is none, or the extra is missing."""
    if not identity_provider.IS_INSTALLED or STANDALONE.is_on:
        return None
    found: IdentityProvider | None = v.request.app.state.identity_provider
    return found


async def identities_context(v: RequestContext) -> dict[str, Any]:
    """Returns the linked accounts for the page /me."""
    provider = provider_of(v)
    if provider is None:
        return {"provider": "", "identities": []}
    mine = await to_thread(identities.list_identities, v.house.store, v.guest.id) if v.guest else []
    told = [(one, format_date(datetime.fromtimestamp(one.used, UTC), "long", locale=v.lang)) for one in mine]
    return {"provider": provider.name, "identities": told}


async def offered(request: AnyRequest) -> tuple[RequestContext, IdentityProvider]:
    """Raises NotFound, TooMany."""
    v = await request_context(request)
    provider = provider_of(v)
    if provider is None:
        raise NotFound(t("There is nothing at this address."))
    rate_limit(request, "changes")
    return v, provider


def flow_cookie_name(v: RequestContext) -> str:
    return SECURE_FLOW_COOKIE if v.is_secure else FLOW_COOKIE


def binding(v: RequestContext, flow: Flow) -> str:
    """Returns what a state is bound to: this browser, and the guest who began."""
    return f"{flow.secret} {v.guest.id if v.guest else ''}"


def redirect_uri(v: RequestContext) -> str:
    return f"{v.browser_origin}/me/identities/back"


@post("/me/identities/begin", status_code=200)
async def begin(request: AnyRequest) -> Response[Any]:
    """Sends the browser to the issuer: by a page that goes there by itself, as the policy of our pages lets no form be
    redirected to another site."""
    v, provider = await offered(request)
    flow = Flow()
    state = await to_thread(new_challenge, v.house.store, binding(v, flow), days=FLOW_SECONDS / 86_400)
    url = await SIGN_INS.run(provider.authorization_url, flow, state, redirect_uri(v))
    response = v.page("leaving.html", url=url, provider=provider.name)
    response.set_cookie(cookie(flow_cookie_name(v), flow.secret, secure=v.is_secure, age=FLOW_SECONDS))
    response.headers["Refresh"] = f"0; url={url}"
    response.headers["Cache-Control"] = "no-store"
    return response


@get("/me/identities/back")
async def come_back(request: AnyRequest) -> Response[Any]:
    """The address to which the issuer sends the browser. It changes something though it is a GET request: the state in
    it was given to this browser, and works once."""
    v, provider = await offered(request)
    flow = Flow(request.cookies.get(flow_cookie_name(v), ""))
    try:
        subject = await subject_of(v, provider, flow)
    except BadRequest:
        security(request.scope, "A sign-in that is none")
        raise
    guest_id = await to_thread(identities.use_identity, v.house.store, provider.issuer, subject)
    if guest_id is None:
        guest = await v.get_or_create_guest()  # by invitation only: of an identity alone no guest is made
        guest_id = await to_thread(identities.link_identity, v.house.store, guest.id, provider.issuer, subject)
        security(request.scope, "A linked account", guest=guest_id)
    if v.guest is None or v.guest.id != guest_id:
        await v.come_back(await to_thread(v.house.guests.sign_in, guest_id, device_of(request)), "a linked account")
    response = v.redirect("/me#h-identities")
    response.set_cookie(cookie(flow_cookie_name(v), "", secure=v.is_secure, age=0))
    return response


async def subject_of(v: RequestContext, provider: IdentityProvider, flow: Flow) -> str:
    """Returns what the issuer calls the person who comes back from it. Raises BadRequest, Busy."""
    told = {name: v.request.query_params.get(name, "") for name in ("state", "code", "error", "iss")}
    if len(flow.secret) < SHORTEST_FLOW:
        raise BadRequest(REFUSED)
    await to_thread(use_challenge, v.house.store, told["state"], binding(v, flow))
    if told["iss"] not in ("", provider.issuer):  # RFC 9207
        raise BadRequest(REFUSED)
    if told["error"]:
        raise BadRequest(CANCELLED)
    return await SIGN_INS.run(provider.subject_of, told["code"], flow, redirect_uri(v))


@post("/me/identities/remove", status_code=200)
async def remove(request: AnyRequest) -> Response[Any]:
    v, _ = await offered(request)
    which = field(await read_form(request), "identity")
    if v.guest is not None:
        await to_thread(identities.remove_identity, v.house.store, v.guest.id, which)
        security(request.scope, "A linked account was removed", guest=v.guest.id)
    return v.redirect("/me#h-identities")


ROUTES = [begin, come_back, remove]
