"""The door: what a page may load, and where a request may come from."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from litestar import Request, Response

from veillee.house.errors import OtherSite
from veillee.web.http.preferences import guest_token
from veillee.web.http.rate_limits import Meter, mark, network
from veillee.web.rendering.templates import t

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FRAMED = CSP.replace("frame-ancestors 'none'", "frame-ancestors 'self'")  # a picture, for a page of ours to frame
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # "no-referrer" would make browsers send "Origin: null" with forms
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


async def same_origin_only(request: Request[Any, Any, Any]) -> None:
    """Refuse changes asked for by another site. The browser itself says where a request comes from."""
    if request.method in SAFE or is_program(request) or is_sealed(request):
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        ours = site == "same-origin"
    elif "origin" in request.headers:  # plain http on a local network sends no Sec-Fetch-Site
        origin = urlsplit(request.headers["origin"])
        ours = bool(origin.netloc) and origin.netloc in (request.headers.get("host"), request.app.state.called)
    else:  # no browser at all: browsers say where a form or a script's JSON comes from
        ours = request.headers.get("content-type", "").startswith("application/json")
    if not ours:
        raise OtherSite(t("This request came from another site, and was not followed."))


def is_program(request: Request[Any, Any, Any]) -> bool:
    """Does it say who it is by a guest's token, which no other site can send? Pages never do: they have a cookie."""
    kind = request.headers.get("authorization", "").partition(" ")[0]
    return kind.lower() == "bearer" and request.scope["path"].startswith("/api/")


def is_sealed(request: Request[Any, Any, Any]) -> bool:
    """Is it an address of "not again", which nobody can guess, and which mail programs send to by themselves (RFC 8058)?"""
    return str(request.scope["path"]).startswith("/notices/stop/")


async def with_headers(response: Response[Any]) -> Response[Any]:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


async def for_programs(response: Response[Any]) -> Response[Any]:
    """What a program reads is its guest's own: nobody on the way keeps it."""
    response.headers.setdefault("Cache-Control", "no-store")
    return await with_headers(response)


def asker(request: Request[Any, Any, Any]) -> tuple[str, str]:
    """The address that a request comes from, and a mark of the guest who it says it is: both as limits go by them."""
    client = request.scope.get("client")
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    token = token.strip() if kind.lower() == "bearer" else guest_token(request)
    return network(client[0]) if client else "", mark(token)


def spend(request: Request[Any, Any, Any], kind: str) -> None:
    """A new guest or a new table. Raises TooMany."""
    meter: Meter | None = request.app.state.meter
    if meter is not None:
        meter.spend(kind, *asker(request))
