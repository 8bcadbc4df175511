"""What went wrong, told to its reader: as a page, as text for live.js, or as JSON; never a stack trace."""

from __future__ import annotations

import logging
from typing import Any

from litestar import MediaType, Response
from litestar.exceptions import HTTPException

from veillee.match.errors import VeilleeError
from veillee.tables.errors import OUR_MISTAKE, outcome
from veillee.web.guard import HEADERS
from veillee.web.pages import html, render, t
from veillee.web.prefs import prefs
from veillee.web.visit import AnyRequest

log = logging.getLogger("veillee.web")

# What the framework itself turns away comes with a status; these are its sentences.
TURNED_AWAY = {
    400: t("This request cannot be read."),
    403: t("This is not for you to do."),
    404: t("There is nothing at this address."),
    405: t("That cannot be done at this address."),
    413: t("That is too much to read."),
    429: t("Too many requests: wait a moment."),
}
WENT_WRONG = t("Something went wrong on our side. Nothing was lost; please try again.")


def on_error(request: AnyRequest, error: Exception) -> Response[Any]:
    """The sentence, in the form that its reader can read."""
    if isinstance(error, VeilleeError):
        status, ours = outcome(error).status, error
    else:
        status = error.status_code if isinstance(error, HTTPException) else OUR_MISTAKE.status
        ours = VeilleeError(TURNED_AWAY.get(status, WENT_WRONG))
    take_note(request, error, status)
    reader = prefs(request)
    if request.url.path.startswith("/api/"):
        told = {"sentence": ours.say(reader.lang), "rule": ours.rule}
        response: Response[Any] = Response(told, status_code=status)
    elif is_live(request):
        response = Response(ours.cite(reader.lang), status_code=status, media_type=MediaType.TEXT)
    else:
        page = {"theme": reader.theme, "path": "/", "me": "", "news": "", "dev": request.app.state.dev}
        text = render(reader.lang, "error.html", page=page, status=status, sentence=ours.say(reader.lang))
        response = html(text, status)
    response.headers.update(HEADERS)  # what has no route goes through no hook
    return response


def take_note(request: AnyRequest, error: Exception, status: int) -> None:
    """Whoever runs the house is told what is not the reader's doing."""
    if status >= OUR_MISTAKE.status:
        log.error("%s %s", request.method, request.url.path, exc_info=error)


def is_live(request: AnyRequest) -> bool:
    """Does live.js ask? Then the stream brings the board and a sentence is enough."""
    return request.headers.get("x-live") == "1"
