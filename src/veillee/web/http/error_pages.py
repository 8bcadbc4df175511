"""What went wrong, told to its reader: as a page, as text for live.js, or as JSON; never a stack trace."""

from __future__ import annotations

import logging
from functools import lru_cache
from traceback import walk_tb
from typing import Any

from litestar import MediaType, Response
from litestar.exceptions import HTTPException, InternalServerException

from veillee.house.errors import OUR_MISTAKE, StoreError, TooMany, outcome
from veillee.match.errors import VeilleeError
from veillee.web.http.preferences import prefs
from veillee.web.http.rate_limits import seconds
from veillee.web.http.request import AnyRequest
from veillee.web.http.same_origin import HEADERS
from veillee.web.logs import security
from veillee.web.rendering.templates import html, render, t

log = logging.getLogger("veillee.web")
TOLD = (400, 401, 403, 413, 429)  # statuses that whoever runs the house may want to hear of

# What the framework itself turns away comes with a status; these are its sentences.
TURNED_AWAY = {
    400: t("This request cannot be read."),
    403: t("This is not for you to do."),
    404: t("There is nothing at this address."),
    405: t("That cannot be done at this address."),
    413: t("That is too much to read."),
    429: t("Too many requests: wait a moment."),
}
UNREADABLE = 400
HURTS = (RecursionError, UnicodeDecodeError)  # what JSON that is deep, or no text at all, breaks the reading with
GONE = "client disconnected prematurely"  # what the framework says of half a request
WENT_WRONG = t("Something went wrong on our side. Nothing was lost; please try again.")
CANNOT_KEEP = t("The house cannot read or keep anything just now. Nothing was changed; please try again in a moment.")


def on_error(request: AnyRequest, error: Exception) -> Response[Any]:
    """The sentence, in the form that its reader can read."""
    if isinstance(error, VeilleeError):
        status, ours = outcome(error).status, for_visitors(error)
    else:
        status = status_of(error)
        ours = VeilleeError(TURNED_AWAY.get(status, WENT_WRONG))
    take_note(request, error, status)
    reader = prefs(request)
    if request.scope["path"].startswith("/api/"):
        told = {"sentence": ours.say(reader.lang), "rule": ours.rule}
        response: Response[Any] = Response(told, status_code=status)
    elif is_live(request):
        response = Response(ours.cite(reader.lang), status_code=status, media_type=MediaType.TEXT)
    else:
        said = ours.say(reader.lang)
        response = html(error_page(reader.lang, reader.theme, status, said, dev=request.app.state.dev), status)
    response.headers.update(HEADERS)  # what has no route goes through no hook
    response.headers["Cache-Control"] = "no-store"
    if isinstance(error, TooMany):
        response.headers["Retry-After"] = seconds(error.wait)
        response.headers["Connection"] = "close"  # who asks on must knock again, which is counted, too
    return response


@lru_cache(256)
def error_page(lang: str, theme: str, status: int, sentence: str, *, dev: bool) -> str:
    """Made once: turning somebody away must cost less than what they asked for."""
    page = {"theme": theme, "path": "/", "me": "", "shield": "", "news": "", "dev": dev}
    return render(lang, "error.html", page=page, status=status, sentence=sentence)


def status_of(error: Exception) -> int:
    """Of what is no error of ours."""
    cause = error.__cause__ or error.__context__
    if isinstance(error, HURTS) and not in_our_hands(error):
        return UNREADABLE
    if isinstance(error, HTTPException) and isinstance(cause, HURTS):
        return UNREADABLE
    if isinstance(error, InternalServerException) and error.detail == GONE:
        return UNREADABLE
    return error.status_code if isinstance(error, HTTPException) else OUR_MISTAKE.status


def in_our_hands(error: Exception) -> bool:
    """Was it met in what is ours, rather than where the framework reads a body? Then it is a mistake like any other."""
    return any(frame.f_globals.get("__name__", "").startswith("veillee.") for frame, _ in walk_tb(error.__traceback__))


def for_visitors(error: VeilleeError) -> VeilleeError:
    """Where the house keeps its things, and what is wrong there, is for whoever runs it: they read it in the log."""
    return StoreError(CANNOT_KEEP) if isinstance(error, StoreError) else error


def take_note(request: AnyRequest, error: Exception, status: int) -> None:
    """Whoever runs the house is told what is not the reader's doing."""
    if isinstance(error, StoreError):  # it says what is wrong with the disk or the database: there is no more to tell
        log.error("%s %s: %s", request.method, request.scope["path"], error)
    elif status >= OUR_MISTAKE.status:
        log.error("%s %s", request.method, request.scope["path"], exc_info=error)
    elif status in TOLD:
        kind = type(error.__cause__ if isinstance(error.__cause__, HURTS) else error).__name__
        security(request.scope, f"Turned away: {kind}", status=status, kind=kind)


def is_live(request: AnyRequest) -> bool:
    """Does live.js ask? Then the stream brings the board and a sentence is enough."""
    return request.headers.get("x-live") == "1"
