"""The door: what a page may load, and where a request may come from."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from litestar import Request, Response

from veillee.tables.errors import OtherSite
from veillee.web.pages import t

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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
    if request.method in SAFE or "authorization" in request.headers:  # no other site can send a guest's token
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        ours = site == "same-origin"
    elif "origin" in request.headers:  # plain http on a local network sends no Sec-Fetch-Site
        origin = urlsplit(request.headers["origin"])
        ours = bool(origin.netloc) and origin.netloc == request.headers.get("host")
    else:  # no browser at all: browsers say where a form or a script's JSON comes from
        ours = request.headers.get("content-type", "").startswith("application/json")
    if not ours:
        raise OtherSite(t("This request came from another site, and was not followed."))


async def with_headers(response: Response[Any]) -> Response[Any]:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
