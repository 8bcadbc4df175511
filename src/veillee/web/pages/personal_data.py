"""Personal data of a guest: the export as JSON, and deleting the account."""

from __future__ import annotations

from asyncio import to_thread
from typing import Any

import msgspec
from litestar import MediaType, Response, get, post

from veillee.house.accounts import personal_data
from veillee.house.errors import BadRequest, NotSignedIn
from veillee.web.http.forms import read_form
from veillee.web.http.request import AnyRequest, request_context
from veillee.web.pages import devices as devices_page
from veillee.web.rendering.templates import t


@get("/me/data.json")
async def data(request: AnyRequest) -> Response[bytes]:
    """Exports all data that the server has about the guest."""
    v = await request_context(request)
    if v.guest is None:
        raise NotSignedIn(t("The house knows nothing of you: you are no guest yet."))
    told = await to_thread(personal_data.export_data, v.house.store, v.guest)
    told["in_this_browser"] = {"lang": v.lang, "theme": v.theme, "speed": v.speed, "sound": v.sound}
    body = msgspec.json.format(msgspec.json.encode(told), indent=1)
    headers = {"Content-Disposition": 'attachment; filename="veillee-my-data.json"', "Cache-Control": "no-store"}
    return Response(body, media_type=MediaType.JSON, headers=headers)


@post("/me/leave", status_code=200)
async def leave(request: AnyRequest) -> Response[Any]:
    """Deletes the guest's account, if the form confirms it."""
    v = await request_context(request)
    sure = dict(await read_form(request)).get("sure") == "yes"
    if v.guest is None:
        return v.redirect("/me")
    if not sure:
        raise BadRequest(t("Nothing was deleted: say first that you are sure."))
    await to_thread(v.house.forget, v.guest)
    return devices_page.signed_out_page(v)


ROUTES = [data, leave]
