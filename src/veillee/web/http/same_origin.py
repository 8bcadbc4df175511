"""CSRF check, security headers, and the client identity that rate limits go by."""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, urlsplit

from litestar import Request, Response

from veillee.house.accounts.client_address import network
from veillee.house.errors import OtherSite
from veillee.web.http.preferences import guest_token
from veillee.web.http.rate_limits import RateLimiter, token_fingerprint
from veillee.web.rendering.templates import t

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
CSP_FRAMEABLE = CSP.replace(
    "frame-ancestors 'none'", "frame-ancestors 'self'"
)  # for pictures that our own pages show in an iframe
SECURITY_HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  # "no-referrer" would make browsers send "Origin: null" with forms
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


async def check_same_origin(request: Request[Any, Any, Any]) -> None:
    """Refuses changes requested by another site (CSRF). Browsers say where a request comes from: Sec-Fetch-Site, else
    Origin."""
    if request.method in SAFE or is_program(request) or is_signed_link(request):
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        ours = site == "same-origin"
    elif "origin" in request.headers:  # plain http on a local network sends no Sec-Fetch-Site
        origin = split_header_url(request, "origin").netloc
        ours = bool(origin) and origin in (request.headers.get("host"), request.app.state.called)
    else:  # no browser: browsers send Origin with forms and with JSON from scripts
        ours = request.headers.get("content-type", "").startswith("application/json")
    if not ours:
        raise OtherSite(t("This request came from another site, and was not followed."))


def split_header_url(request: Request[Any, Any, Any], name: str) -> SplitResult:
    """Returns the parsed URL of that header; an empty one if there is none, or it is no URL."""
    try:
        return urlsplit(request.headers.get(name, ""))
    except ValueError:
        return urlsplit("")


def is_program(request: Request[Any, Any, Any]) -> bool:
    """Returns whether an API request has a bearer token, which no other site can send. Pages use a cookie instead."""
    kind = request.headers.get("authorization", "").partition(" ")[0]
    return kind.lower() == "bearer" and request.scope["path"].startswith("/api/")


def is_signed_link(request: Request[Any, Any, Any]) -> bool:
    """Returns whether it is an unsubscribe address: it cannot be guessed, and mail programs send POST to it by
    themselves (RFC 8058)."""
    return str(request.scope["path"]).startswith("/notices/stop/")


async def with_headers(response: Response[Any]) -> Response[Any]:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response


async def for_programs(response: Response[Any]) -> Response[Any]:
    """Adds the headers of API responses: no-store, as they are private to the guest, and the security headers."""
    response.headers.setdefault("Cache-Control", "no-store")
    return await with_headers(response)


def token_of(request: Request[Any, Any, Any]) -> str:
    """Returns the guest token of a program (bearer) or of a browser (cookie)."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else guest_token(request)


def client_key(request: Request[Any, Any, Any]) -> tuple[str, str]:
    """Returns the client's network and a hash of its guest token: the keys of the rate limits."""
    client = request.scope.get("client")
    return network(client[0]) if client else "", token_fingerprint(token_of(request))


def rate_limit(request: Request[Any, Any, Any], kind: str) -> None:
    """Takes a token of the rate limit `kind`. Raises TooMany."""
    meter: RateLimiter | None = request.app.state.meter
    if meter is not None:
        meter.spend(kind, *client_key(request))
