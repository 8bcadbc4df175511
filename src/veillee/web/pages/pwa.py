"""Progressive web app: icons, manifest, offline page and service worker."""

from __future__ import annotations

import json
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from veillee.house.errors import NotFound
from veillee.web.http.error_pages import bare_frame
from veillee.web.http.preferences import read_preferences
from veillee.web.http.request import AnyRequest
from veillee.web.http.work_pools import PICTURES
from veillee.web.rendering.images import ico, icon
from veillee.web.rendering.templates import STATIC, asset, html, render, t, translator

SIZES = (32, 180, 192, 512)
ONE_DAY_CACHE_HEADERS = {
    "Cache-Control": "public, max-age=86400"
}  # fixed addresses, which systems ask for by themselves: no fingerprint


@get("/favicon.ico")
async def favicon() -> Response[bytes]:
    return Response(await PICTURES.run(ico), media_type="image/x-icon", headers=ONE_DAY_CACHE_HEADERS)


@get(["/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"])
async def touch_icon() -> Response[bytes]:
    return Response(await PICTURES.run(icon, 180, ground=True), media_type="image/png", headers=ONE_DAY_CACHE_HEADERS)


@get("/icons/{name:str}")
async def icons(name: FromPath[str]) -> Response[bytes]:
    """Returns an icon: fire-192.png is transparent, ground-512.png has a background."""
    kind, _, size = name.removesuffix(".png").partition("-")
    if kind not in ("fire", "ground") or size not in map(str, SIZES) or not name.endswith(".png"):
        raise NotFound(t("There is nothing at this address."))
    return Response(
        await PICTURES.run(icon, int(size), ground=kind == "ground"),
        media_type="image/png",
        headers=ONE_DAY_CACHE_HEADERS,
    )


def manifest_of(name: str, lang: str) -> dict[str, Any]:
    t = translator(lang)
    return {
        "id": "/",
        "name": name,
        "short_name": name,
        "description": t(
            "Pull up a chair: good games at any hour, alone against bots or with friends, without an account."
        ),
        "lang": lang,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#1a120c",
        "theme_color": "#1a120c",
        "categories": ["games"],
        "icons": [
            {"src": asset("favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
            *[{"src": f"/icons/fire-{n}.png", "sizes": f"{n}x{n}", "type": "image/png"} for n in (192, 512)],
            {"src": "/icons/ground-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
        ],
        "shortcuts": [{"name": t("My tables"), "url": "/me"}],
    }


@get("/manifest.webmanifest")
async def manifest(request: AnyRequest) -> Response[str]:
    text = json.dumps(
        manifest_of(request.app.state.house.profile.name, read_preferences(request).lang), ensure_ascii=False
    )
    return Response(text, media_type="application/manifest+json", headers={"Cache-Control": "no-cache"})


@get("/offline")
async def offline(request: AnyRequest) -> Response[str]:
    """Returns the page shown when the server cannot be reached; the service worker caches it."""
    frame = bare_frame(request.app.state.house.profile, "auto", dev=False)
    return html(render(read_preferences(request).lang, "offline.html", page=frame))


@get("/sw.js")
async def worker() -> Response[str]:
    """Returns the service worker, at the root so that its scope is the whole site; with the list of files that the
    offline page needs."""
    needed = [asset(name) for name in ("tokens.css", "base.css", "page.css", "favicon.svg", "icons.svg", "pwa.js")]
    text = f"const NEEDED = {json.dumps(needed)};\n{(STATIC / 'sw.js').read_text('utf-8')}"
    return Response(text, media_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


ROUTES = [favicon, touch_icon, icons, manifest, offline, worker]
