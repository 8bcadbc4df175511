"""Error responses: as an HTML page, as text for live.js, or as JSON; never a stack trace."""

from __future__ import annotations

import logging
from functools import lru_cache
from traceback import walk_tb
from typing import Any

from litestar import MediaType, Response
from litestar.exceptions import HTTPException, InternalServerException

from veillee.house.errors import OUR_MISTAKE, Busy, StoreError, TooMany, outcome
from veillee.house.profile import Profile
from veillee.match.errors import VeilleeError
from veillee.web.http.preferences import read_preferences
from veillee.web.http.rate_limits import retry_after
from veillee.web.http.request import AnyRequest
from veillee.web.http.same_origin import SECURITY_HEADERS
from veillee.web.logs import security
from veillee.web.rendering.templates import html, render, t

log = logging.getLogger("veillee.web")
LOGGED_STATUSES = (400, 401, 403, 413, 429)  # statuses logged as security events

# Sentences for errors that Litestar itself raises, by status.
TURNED_AWAY = {
    400: t("This request cannot be read."),
    403: t("You are not allowed to do that."),
    404: t("There is nothing at this address."),
    405: t("That cannot be done at this address."),
    413: t("That is too much to read."),
    429: t("Too many requests: wait a moment."),
}
UNREADABLE = 400
PARSE_ERRORS = (
    RecursionError,
    UnicodeDecodeError,
)  # raised while parsing a body that is deeply nested JSON, or not text
GONE = "client disconnected prematurely"  # Litestar's detail for an incomplete request
WENT_WRONG = t("Something went wrong on our side. Nothing was lost; please try again.")
CANNOT_KEEP = t("The house cannot read or keep anything just now. Nothing was changed; please try again in a moment.")


def on_error(request: AnyRequest, error: Exception) -> Response[Any]:
    """Returns the error response in the form that the client reads: JSON, plain text or a page."""
    if isinstance(error, VeilleeError):
        status, ours = outcome(error).status, visitor_sentence(error)
    else:
        status = status_of(error)
        ours = VeilleeError(TURNED_AWAY.get(status, WENT_WRONG))
    log_error(request, error, status)
    reader = read_preferences(request)
    if request.scope["path"].startswith("/api/"):
        told = {"sentence": ours.say(reader.lang), "rule": ours.rule}
        response: Response[Any] = Response(told, status_code=status)
    elif is_live(request):
        response = Response(ours.cite(reader.lang), status_code=status, media_type=MediaType.TEXT)
    else:
        said = ours.say(reader.lang)
        state = request.app.state
        drawn = error_page(reader.lang, reader.theme, status, said, state.house.profile, dev=state.dev)
        response = html(drawn, status)
    response.headers.update(SECURITY_HEADERS)  # after_request hooks do not run where there is no route
    response.headers["Cache-Control"] = "no-store"
    if isinstance(error, TooMany | Busy):
        response.headers["Retry-After"] = retry_after(error.wait)
        response.headers["Connection"] = "close"  # the next request needs a new connection, which is rate limited too
    return response


@lru_cache(256)
def error_page(lang: str, theme: str, status: int, sentence: str, profile: Profile, *, dev: bool) -> str:
    """Renders the error page. Cached: a refusal must cost less than the request that it refuses."""
    return render(lang, "error.html", page=bare_frame(profile, theme, dev=dev), status=status, sentence=sentence)


def bare_frame(profile: Profile, theme: str, *, dev: bool) -> dict[str, Any]:
    """Returns what base.html needs, for a page that knows no guest."""
    return {
        "theme": theme,
        "path": "/",
        "me": "",
        "shield": "",
        "news": "",
        "dev": dev,
        "house": profile,
        "is_closed": False,
    }


def status_of(error: Exception) -> int:
    """Returns the status for an exception that is no VeilleeError."""
    cause = error.__cause__ or error.__context__
    if isinstance(error, PARSE_ERRORS) and not is_internal(error):
        return UNREADABLE
    if isinstance(error, HTTPException) and isinstance(cause, PARSE_ERRORS):
        return UNREADABLE
    if isinstance(error, InternalServerException) and error.detail == GONE:
        return UNREADABLE
    return error.status_code if isinstance(error, HTTPException) else OUR_MISTAKE.status


def is_internal(error: Exception) -> bool:
    """Returns whether the traceback passes through our code, not only through Litestar's parsing of a body: then it is
    a server error."""
    return any(frame.f_globals.get("__name__", "").startswith("veillee.") for frame, _ in walk_tb(error.__traceback__))


def visitor_sentence(error: VeilleeError) -> VeilleeError:
    """Replaces a StoreError by a general sentence: details of the storage are for the operator, who reads them in the
    log."""
    return StoreError(CANNOT_KEEP) if isinstance(error, StoreError) else error


def log_error(request: AnyRequest, error: Exception, status: int) -> None:
    """Logs server errors for the operator, and refusals with a status in TOLD as security events."""
    if isinstance(error, StoreError):  # its message names the cause: no traceback needed
        log.error("%s %s: %s", request.method, request.scope["path"], error)
    elif isinstance(error, Busy):
        log.warning("%s %s: refused, as there is too much to do.", request.method, request.scope["path"])
    elif status >= OUR_MISTAKE.status:
        log.error("%s %s", request.method, request.scope["path"], exc_info=error)
    elif status in LOGGED_STATUSES:
        kind = type(error.__cause__ if isinstance(error.__cause__, PARSE_ERRORS) else error).__name__
        security(request.scope, f"Turned away: {kind}", status=status, kind=kind)


def is_live(request: AnyRequest) -> bool:
    """Returns whether live.js sent the request: then a sentence is enough, as the stream updates the board."""
    return request.headers.get("x-live") == "1"
