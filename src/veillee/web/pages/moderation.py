"""The page /admin, where operators keep order: reports, bans, mutes, names, tables, circles, invitations, who is here, the log.

It does what `veillee admin` does, by the same code (house/community/moderation.py). For all other readers there is no
such page.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from babel.dates import format_datetime
from litestar import Response, get, post
from litestar.params import FromPath

from veillee.games.catalogue import BOXES
from veillee.house.accounts.entry_links import is_entry_link_valid, list_entry_links
from veillee.house.accounts.guest import Guest
from veillee.house.circles.moderation import delete_circle, load_circles, rename_circle
from veillee.house.community import moderation
from veillee.house.community.moderation import Moderator, is_operator, kind_of
from veillee.house.errors import BadRequest, NotFound, NotNow, outcome
from veillee.match.errors import VeilleeError
from veillee.web.http.forms import Fields, field, parse_number, read_form
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.logs import security
from veillee.web.rendering.templates import t

MAX_LISTED_GUESTS, MAX_LISTED_ACTS = 40, 60
DAYS = (0, 1, 7, 30)  # for which one can ban or mute; 0: for ever
EXPIRED = t("This link is not, or no longer, valid: ask for a new one.")

Deed = Callable[[Moderator, Callable[[str], str]], object]


def _number(text: str) -> int:
    found = parse_number(text.strip())
    if found is None:
        raise BadRequest(t("That is not a number."))
    return found


# What a form can ask for: `f` reads a field of it.
DEEDS: dict[str, Deed] = {
    "settle": lambda m, f: m.settle(_number(f("report")), f("why")),
    "remove": lambda m, f: m.remove_message(f("table"), _number(f("number")), f("why")),
    "mute": lambda m, f: m.ban("mute", f("guest"), f("why"), _number(f("days") or "0")),
    "ban": lambda m, f: m.ban(kind_of(f("guest")), f("guest"), f("why"), _number(f("days") or "0")),
    "unmute": lambda m, f: m.lift("mute", f("guest"), f("why")),
    "unban": lambda m, f: m.lift(kind_of(f("guest")), f("guest"), f("why")),
    "rename": lambda m, f: m.rename(f("guest"), f("name"), f("why")),
    "close": lambda m, f: m.ban("table", f("table"), f("why")),
    "open": lambda m, f: m.lift("table", f("table"), f("why")),
    "rename-circle": lambda m, f: rename_circle(m, f("circle"), f("name"), f("why")),
    "delete-circle": lambda m, f: delete_circle(m, f("circle"), f("why")),
    "invite": lambda m, f: m.invite(_number(f("guests")), _number(f("days")), f("why")),
    "revoke": lambda m, f: m.revoke_link(f("link"), f("why")),
    "dismiss": lambda m, f: m.dismiss(f("guest"), f("why")),
}
NOT_ONESELF = ("ban", "mute")


async def require_operator(v: RequestContext) -> Guest:
    """Returns the operator who asks. Raises NotFound for everybody else."""
    if v.guest is None or not await to_thread(is_operator, v.house.store, v.guest.id):
        raise NotFound(t("There is nothing at this address."))
    return v.guest


@get("/admin")
async def show(request: AnyRequest) -> Response[str]:
    v = await request_context(request)
    await require_operator(v)
    return await page(v, done="done" in request.query_params)


@post("/admin", status_code=200)
async def act(request: AnyRequest) -> Response[Any]:
    """Does one deed, and shows the page again."""
    v = await request_context(request)
    operator = await require_operator(v)
    fields = await read_form(request)
    name = field(fields, "deed")
    deed = DEEDS.get(name)
    if deed is None:
        raise NotFound(t("There is nothing at this address."))
    try:
        made = await to_thread(carry_out, v, operator, name, deed, fields)
    except (BadRequest, NotFound, NotNow) as error:
        return await page(v, error)
    security(request.scope, "An operator has acted", guest=operator.id, deed=name)
    if name == "invite":
        return await page(v, done=True, invitation=f"{v.origin}/come/{made}")
    return v.redirect("/admin?done")


def carry_out(v: RequestContext, operator: Guest, name: str, deed: Deed, fields: Fields) -> object:
    """Does the deed, at once in this process too. Raises BadRequest, NotFound, NotNow."""
    if name in NOT_ONESELF and field(fields, "guest") == operator.id:
        raise BadRequest(t("That would be yourself."))
    done = deed(Moderator(v.house.store, f"{operator.name} ({operator.id})"), lambda key: field(fields, key))
    v.house.bans.refresh()
    return done


async def page(
    v: RequestContext, error: VeilleeError | None = None, *, done: bool = False, invitation: str = ""
) -> Response[str]:
    store, wanted = v.house.store, v.request.query_params.get("name", "")[:60]

    def told() -> dict[str, Any]:
        return {
            "reports": moderation.load_reports(store),
            "bans": moderation.load_bans(store),
            "guests": moderation.find_guests(store, wanted)[:MAX_LISTED_GUESTS],
            "tables": moderation.load_tables(store),
            "circles": load_circles(store)[:MAX_LISTED_GUESTS],
            "here": moderation.load_present(store),
            "links": list_entry_links(store),
            "operators": moderation.load_operators(store),
            "acts": moderation.load_acts(store)[:MAX_LISTED_ACTS],
        }

    found = await to_thread(told)
    return v.page(
        "moderation.html",
        None,
        outcome(error).status if error else 200,
        oops=error.say(v.lang) if error else "",
        done=done,
        invitation=invitation,
        wanted=wanted,
        days=DAYS,
        boxes=BOXES,
        when=lambda seconds: when(seconds, v.lang),
        **found,
    )


def when(seconds: float | None, lang: str) -> str:
    if not seconds:
        return "–"
    return format_datetime(datetime.fromtimestamp(seconds, UTC), "short", locale="fr" if lang == "fr" else "en_GB")


# -- becoming an operator ----------------------------------------------------------------------------------------------
@get("/admin/enter/{token:str}")
async def show_link(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Shows a confirmation button: a GET request must not use the link up, as link previews follow links too."""
    v = await request_context(request)
    return await link_page(v, token)


@post("/admin/enter/{token:str}", status_code=200)
async def enter(request: AnyRequest, token: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    rate_limit(request, "changes")
    if not await to_thread(is_entry_link_valid, v.house.store, "operator", token):
        security(request.scope, "An operator link that is none")
        return await link_page(v, token)
    guest = await v.get_or_create_guest(is_invited=True)
    try:
        await to_thread(Moderator(v.house.store, guest.name).become_operator, token, guest.id)
    except BadRequest:  # used meanwhile
        return await link_page(v, token)
    security(request.scope, "A new operator", guest=guest.id)
    return v.redirect("/admin")


async def link_page(v: RequestContext, token: str) -> Response[str]:
    is_valid = await to_thread(is_entry_link_valid, v.house.store, "operator", token)
    error = None if is_valid else BadRequest(EXPIRED)
    status = outcome(error).status if error else 200
    return v.page("moderation_link.html", None, status, token=token, oops=error.say(v.lang) if error else "")


ROUTES = [show, act, show_link, enter]
