"""The page of an invitation to the house (/come/…): who opens it becomes a guest, under a name of their own."""

from __future__ import annotations

from functools import partial
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.house.accounts.entry_links import is_entry_link_valid
from veillee.house.errors import BadRequest, outcome
from veillee.match.errors import VeilleeError
from veillee.web.http.forms import field, read_form
from veillee.web.http.preferences import device_of
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.logs import security
from veillee.web.rendering.templates import t

EXPIRED = t("This invitation is not, or no longer, valid: ask for a new one.")


@get("/come/{token:str}")
async def show_invitation(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Shows the form: a GET request must not use the invitation up, as link previews follow links too."""
    v = await request_context(request)
    is_valid = await to_thread(is_entry_link_valid, v.house.store, "invitation", token)
    return invitation_page(v, token, None if is_valid or v.guest is not None else BadRequest(EXPIRED))


@post("/come/{token:str}", status_code=200)
async def come_in(request: AnyRequest, token: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    name = field(await read_form(request), "name")
    if v.guest is None:
        rate_limit(request, "guests")
        make = partial(v.house.guests.new_invited, token, name, device_of(request))
        try:
            v.guest = await to_thread(make)
        except BadRequest as error:
            return invitation_page(v, token, error)
        v.new_cookie_token = v.guest.token
        security(request.scope, "A new guest, by invitation", guest=v.guest.id)
        await v.remember_browser()
    return v.redirect("/")


def invitation_page(v: RequestContext, token: str, error: VeilleeError | None = None) -> Response[str]:
    status = outcome(error).status if error else 200
    return v.page("entry.html", None, status, token=token, oops=error.say(v.lang) if error else "")


ROUTES = [show_invitation, come_in]
