"""Saving private notes at a table, and going on to the next table that waits."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.house.errors import NotYours
from veillee.house.notifications.turn_watcher import waiting_tables_of
from veillee.web.http.error_pages import is_live
from veillee.web.http.forms import field, read_form
from veillee.web.http.request import AnyRequest, request_context, table_of
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.templates import t


@post("/t/{table_id:str}/notes", status_code=200)
async def save_notes(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Replaces the guest's private notes at this table."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    words = field(await read_form(request), "words")
    if v.guest is None:
        raise NotYours(t("This seat is not yours: you are watching."))
    rate_limit(request, "changes")
    await to_thread(v.house.private_notes.save, v.guest, table, words)
    if is_live(request):
        return v.set_cookies(Response(None, status_code=204))
    return v.redirect(f"/t/{table.id}#notes")


@get("/t/{table_id:str}/next")
async def next_table(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Leads to the table that has waited longest for the guest, this one excepted; else to the list of tables."""
    v = await request_context(request)
    waiting = await to_thread(waiting_tables_of, v.house.store, v.guest.id) if v.guest else []
    others = [table.id for table in waiting if table.id != table_id]
    return v.redirect(f"/t/{others[-1]}" if others else "/me")


ROUTES = [save_notes, next_table]
