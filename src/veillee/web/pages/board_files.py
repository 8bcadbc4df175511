"""Files of the boards: style sheets, pictures and scripts of each box, and the palettes of all."""

from __future__ import annotations

from litestar import Response, get
from litestar.params import FromPath

from veillee.house.errors import NotFound
from veillee.web.http.request import find_box
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.templates import board_folder, palette_sheet, t

IMMUTABLE_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}  # the addresses carry a fingerprint
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
}


@get("/boards/palettes.css")
async def palettes() -> Response[str]:
    """Returns the colours of every box, for the shelf and the tables."""
    return Response(palette_sheet(), media_type=MEDIA_TYPES[".css"], headers=IMMUTABLE_HEADERS)


@get("/boards/{game:str}/{name:str}")
async def board_file(game: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    """Returns a style sheet, picture or script of a box's board. Its address carries a fingerprint, so it may be cached
    for ever."""
    folder = board_folder(find_box(game))
    file = folder / name
    kind = MEDIA_TYPES.get(file.suffix)
    if kind is None or file.parent != folder or not file.is_file():
        raise NotFound(t("There is nothing at this address."))
    return Response(
        await to_thread(file.read_bytes),
        media_type=kind,
        headers=IMMUTABLE_HEADERS,
    )


ROUTES = [palettes, board_file]
