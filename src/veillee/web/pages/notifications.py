"""Notification settings of a guest: channels, quiet hours, unsubscribing, and the Atom feed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.params import FromPath

from veillee.house.accounts.quiet_hours import QuietHours, time_zones
from veillee.house.errors import BadRequest, NotFound, TooMany, outcome
from veillee.house.house import House
from veillee.house.notifications import channels, outbox
from veillee.house.notifications.channels import ALL_TABLES, Channel
from veillee.house.notifications.outbox import CONFIRM
from veillee.house.notifications.turn_watcher import waiting_tables_of
from veillee.house.storage import secret_keys
from veillee.house.tables.clocks import seat_clocks
from veillee.match.errors import VeilleeError
from veillee.web.http.forms import read_form
from veillee.web.http.rate_limits import RateLimiter
from veillee.web.http.request import AnyRequest, RequestContext, request_context
from veillee.web.http.same_origin import rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.notifications.delivery import notification_text, notification_title
from veillee.web.notifications.transports import Transports
from veillee.web.rendering import atom
from veillee.web.rendering.atom import AtomFeed
from veillee.web.rendering.table_list import my_lines
from veillee.web.rendering.templates import STATIC, t, translator

FEED_ENTRIES = 20  # turns in a feed
MAX_BADGE_COUNT = 9  # highest number on an icon
NO_STORE = {"Cache-Control": "no-store"}


@dataclass(frozen=True)
class ChannelView:
    """A channel, as its owner sees it."""

    id: str
    label: str
    shown: str
    ready: bool


def transports_of(v: RequestContext) -> Transports:
    found: Transports = v.request.app.state.transports
    return found


@get("/notices")
async def show_notifications(request: AnyRequest) -> Response[str]:
    return await page(await request_context(request))


async def page(v: RequestContext, error: VeilleeError | None = None, said: str = "") -> Response[str]:
    return await to_thread(_page, v, error, said)


def _page(v: RequestContext, error: VeilleeError | None, said: str) -> Response[str]:
    store, guest = v.house.store, v.guest
    nights = v.house.quiet_hours.for_guest(guest.id) if guest else QuietHours()
    mine = channels.channels_of(store, guest.id) if guest else []
    wanted = channels.load_wishes(store, [guest.id]) if guest else {}
    lines = [line for line in my_lines(v.house, guest, v.lang) if line.turn in ("you", "other")] if guest else []
    feed = next((one for one in mine if one.kind == "feed"), None)
    sleeps = nights.begin != nights.end
    return v.page(
        "notifications.html",
        status=outcome(error).status if error else 200,
        guest=guest,
        nights=nights,
        begin=hour(nights.begin) if sleeps else "",
        end=hour(nights.end) if sleeps else "",
        zones=sorted(time_zones()),
        ways=[channel_view(v, one) for one in mine if one.kind != "feed"],
        everywhere=channels.is_wanted(wanted, guest.id, ALL_TABLES) if guest else True,
        tables=[(line, channels.is_wanted(wanted, guest.id, line.id)) for line in lines if guest and not line.mine],
        feed=f"{v.origin}/feed/{feed.id}.{secret_keys.sign(store, f'feed {feed.id}')}" if feed else "",
        offered={transport.kind: transport for transport in transports_of(v) if transport.is_available()},
        oops=error.say(v.lang) if error else "",
        said=said,
    )


def channel_view(v: RequestContext, channel: Channel) -> ChannelView:
    transport = transports_of(v)[channel.kind]
    return ChannelView(
        channel.id, transport.label.say(v.lang), transport.display(channel.address), channel.is_confirmed
    )


def hour(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


@post("/notices/nights", status_code=200)
async def nights(request: AnyRequest) -> Response[Any]:
    """Sets quiet hours and holidays."""
    v = await request_context(request)
    found = dict(await read_form(request))
    names = ("zone", "begin", "end", "leave", "back")
    try:
        wanted = QuietHours.validated(*[found.get(name, "") for name in names])
    except BadRequest as error:
        return await page(v, error)
    guest = await v.get_or_create_guest()
    await to_thread(v.house.quiet_hours.save, guest.id, wanted)
    return v.redirect("/notices#h-nights")


@post("/notices/add", status_code=200)
async def add(request: AnyRequest) -> Response[Any]:
    """Adds a notification channel."""
    v = await request_context(request)
    found = dict(await read_form(request))
    kind, address, store = found.get("kind", ""), found.get("address", ""), v.house.store
    rate_limit(request, "tables")  # each may make the server send a message

    def do(guest: str) -> str:
        transport = transports_of(v).get(kind)
        if transport is None:
            raise NotFound(t("There is nothing at this address."))
        valid = transport.validate(address)
        mine = channels.channels_of(store, guest)
        if transport.needs_confirmation and not any(one.address == valid and one.is_confirmed for one in mine):
            limit_letters(request, valid)
        if not transport.is_sent:
            for old in [one for one in mine if one.kind == kind]:
                channels.remove_channel(store, old.id)
        ready = transport.is_sent and not transport.needs_confirmation
        channel = channels.add_channel(store, guest, kind, valid, v.lang, ready=ready)
        if not transport.needs_confirmation or channel.is_confirmed:
            return ""
        outbox.enqueue(store, "", CONFIRM, 0, [channel])
        return t("A message is on its way to {address}: confirm your address there.", address=channel.address).say(
            v.lang
        )

    try:
        said = await to_thread(do, (await v.get_or_create_guest()).id)
    except (BadRequest, TooMany) as error:
        return await page(v, error)
    return v.set_cookies(await page(v, said=said)) if said else v.redirect("/notices")


def limit_letters(request: AnyRequest, recipient: str) -> None:
    """Counts a confirmation letter to this address, from any guest. Raises TooMany."""
    meter: RateLimiter | None = request.app.state.meter
    if meter is not None:
        meter.spend("letters", "", recipient.casefold())


@post("/notices/remove", status_code=200)
async def remove(request: AnyRequest) -> Response[Any]:
    v = await request_context(request)
    wanted = dict(await read_form(request)).get("channel", "")
    for channel in await to_thread(channels.channels_of, v.house.store, v.guest.id) if v.guest else []:
        if channel.id == wanted:
            await to_thread(channels.remove_channel, v.house.store, channel.id)
    return v.redirect("/notices")


@post("/notices/wish", status_code=200)
async def wish(request: AnyRequest) -> Response[Any]:
    """Turns notifications on or off: for one table, or for all without a setting of their own."""
    v = await request_context(request)
    found = dict(await read_form(request))
    guest, table = await v.get_or_create_guest(), found.get("table", ALL_TABLES)
    if table != ALL_TABLES:
        await to_thread(v.house.tables.find, table)  # raises NoTable
    await to_thread(lambda: channels.set_wish(v.house.store, guest.id, table, want=found.get("want") == "yes"))
    return v.redirect("/notices#h-where")


# -- without signing in -----------------------------------------------------------------------------------------------
def channel_of_link(house: House, token: str, what: str) -> Channel:
    """Returns the channel of a token that only this server can have made (HMAC). Raises NotHere."""
    channel, _, mark = token.partition(".")
    found = channels.find_channel(house.store, channel)
    if not secret_keys.has_valid_signature(house.store, f"{what} {channel}", mark) or found is None:
        raise NotFound(t("There is nothing at this address, or no longer."))
    return found


@get("/notices/stop/{token:str}")
async def stop_page(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Shows a confirmation button: a GET request must not change anything, as mail scanners follow links too."""
    v = await request_context(request)
    channel = await to_thread(channel_of_link, v.house, token, "stop")
    table = request.query_params.get("table", "")
    return v.page("unsubscribe.html", way=channel_view(v, channel), token=token, table=table, done="", yes=False)


@post("/notices/stop/{token:str}", status_code=200)
async def stop(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Turns notifications off, for one table or for all. A mail program that unsubscribes by itself (RFC 8058) means
    all."""
    v = await request_context(request)
    channel = await to_thread(channel_of_link, v.house, token, "stop")
    found = dict(await read_form(request))
    table = found.get("table", "")
    if table and found.get("what") == "table":
        await to_thread(lambda: channels.set_wish(v.house.store, channel.guest, table[:20], want=False))
        done = "table"
    else:
        await to_thread(channels.remove_channel, v.house.store, channel.id)
        done = "all"
    return v.page("unsubscribe.html", way=channel_view(v, channel), token=token, table=table, done=done, yes=False)


@get("/notices/yes/{token:str}")
async def yes_page(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    channel = await to_thread(channel_of_link, v.house, token, "yes")
    return v.page("unsubscribe.html", way=channel_view(v, channel), token=token, table="", done="", yes=True)


@post("/notices/yes/{token:str}", status_code=200)
async def yes(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Confirms the mail address."""
    v = await request_context(request)
    channel = await to_thread(channel_of_link, v.house, token, "yes")
    await to_thread(channels.confirm_channel, v.house.store, channel.id)
    return v.page("unsubscribe.html", way=channel_view(v, channel), token=token, table="", done="yes", yes=True)


@get("/feed/{token:str}")
async def feed(request: AnyRequest, token: FromPath[str]) -> Response[bytes]:
    """Returns the guest's turns as an Atom feed."""
    v = await request_context(request)
    channel = await to_thread(channel_of_link, v.house, token, "feed")
    return Response(await to_thread(render_feed, v, channel), media_type=atom.MEDIA_TYPE, headers=NO_STORE)


def render_feed(v: RequestContext, channel: Channel) -> bytes:
    lang = channel.lang
    t = translator(lang)
    told = AtomFeed(f"feed:{channel.id}", f"{v.house.profile.name} · " + t("Notifications"), v.house.profile.name, lang)
    for table_id, seat, turn in waiting_tables_of(v.house.store, channel.guest)[:FEED_ENTRIES]:
        now = v.house.tables.find(table_id).moment
        if not now.clocks or not now.clocks[seat].since:
            continue
        told.add_entry(
            f"turn:{table_id}:{seat}:{turn}",
            notification_title(now, lang),
            v.house.store.downtime.wall_seconds(seat_clocks.waiting_since(now.clocks[seat], now.row.lines, seat)),
            link=f"{v.origin}/t/{table_id}",
            summary=notification_text(now, seat, lang),
        )
    return told.render()


# -- while a page is open ---------------------------------------------------------------------------------------------
@get("/notices/waiting")
async def waiting(request: AnyRequest) -> Response[dict[str, Any]]:
    """Returns the tables that wait for the guest, for the title and the icon of open pages (turn_badge.js)."""
    v = await request_context(request)
    found = await to_thread(waiting_tables_of, v.house.store, v.guest.id) if v.guest else []
    t = translator(v.lang)
    told = [{"id": table.id, "turn": f"{table.id} {table.seat} {table.turn}"} for table in found]
    said = {"tables": told, "title": t("Your turn"), "text": t("The table waits for you.")}
    return Response(said, media_type=MediaType.JSON, headers=NO_STORE)


@get("/icons/count/{name:str}")
async def counting_icon(name: FromPath[str]) -> Response[str]:
    """Returns the icon with the number of waiting tables: 3.svg."""
    number = name.removesuffix(".svg")
    if not (
        number.isascii() and number.isdigit() and name.endswith(".svg") and 1 <= int(number[:3]) <= MAX_BADGE_COUNT
    ):
        raise NotFound(t("There is nothing at this address."))
    fire = (STATIC / "favicon.svg").read_text("utf-8")
    mark = (
        '<circle cx="17" cy="17" r="6.5" fill="#a8410f" stroke="#fff8ee"/><text x="17" y="20.600" text-anchor="middle"'
        f' font-family="sans-serif" font-weight="700" font-size="10" fill="#fff8ee">{int(number)}</text></svg>'
    )
    drawn = mark.join(fire.rsplit("</svg>", 1))
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})


ROUTES = [show_notifications, nights, add, remove, wish, stop_page, stop, yes_page, yes, feed, waiting, counting_icon]
