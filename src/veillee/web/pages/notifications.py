"""Notification settings of a guest: channels, quiet hours, unsubscribing, and the Atom feed."""

from __future__ import annotations

from asyncio import to_thread
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from litestar import MediaType, Response, get, post
from litestar.params import FromPath

from veillee.house.accounts.quiet_hours import QuietHours, zones
from veillee.house.errors import BadRequest, NotFound, outcome
from veillee.house.house import House
from veillee.house.notifications import channels, outbox
from veillee.house.notifications.channels import ALL_TABLES, Channel
from veillee.house.notifications.outbox import CONFIRM
from veillee.house.notifications.turn_watcher import waiting_for
from veillee.house.storage import secret_keys
from veillee.house.tables.clocks import seat_clocks
from veillee.match.errors import VeilleeError
from veillee.web.http.request import AnyRequest, RequestContext, form, visit
from veillee.web.http.same_origin import spend
from veillee.web.notifications.delivery import text_of, title_of
from veillee.web.notifications.transports import Transports, has_apprise, has_push, public_key
from veillee.web.rendering.table_list import my_lines
from veillee.web.rendering.templates import STATIC, house_words, t

ATOM = "http://www.w3.org/2005/Atom"
FEED_ENTRIES = 20  # turns in a feed
MAX_BADGE_COUNT = 9  # highest number on an icon
NO_STORE = {"Cache-Control": "no-store"}


@dataclass(frozen=True)
class ChannelView:
    """A channel, as its owner sees it."""

    id: str
    kind: str
    shown: str
    ready: bool


def carriers(v: RequestContext) -> Transports:
    found: Transports = v.request.app.state.carriers
    return found


@get("/notices")
async def notices(request: AnyRequest) -> Response[str]:
    return await page(await visit(request))


async def page(v: RequestContext, error: VeilleeError | None = None, said: str = "") -> Response[str]:
    return await to_thread(_page, v, error, said)


def _page(v: RequestContext, error: VeilleeError | None, said: str) -> Response[str]:
    store, guest, post = v.house.store, v.guest, carriers(v).post
    nights = v.house.sleepers.of(guest.id) if guest else QuietHours()
    mine = channels.of(store, guest.id) if guest else []
    wanted = channels.wanted(store, [guest.id]) if guest else {}
    lines = [line for line in my_lines(v.house, guest, v.lang) if line.turn in ("you", "other")] if guest else []
    feed = next((one for one in mine if one.kind == "feed"), None)
    sleeps = nights.begin != nights.end
    return v.page(
        "notices.html",
        status=outcome(error).status if error else 200,
        guest=guest,
        nights=nights,
        begin=hour(nights.begin) if sleeps else "",
        end=hour(nights.end) if sleeps else "",
        zones=sorted(zones()),
        ways=[way(one) for one in mine if one.kind != "feed"],
        everywhere=channels.wants(wanted, guest.id, ALL_TABLES) if guest else True,
        tables=[(line, channels.wants(wanted, guest.id, line.id)) for line in lines if guest and not line.mine],
        feed=f"{v.origin}/feed/{feed.id}.{secret_keys.sealed(store, f'feed {feed.id}')}" if feed else "",
        push_key=public_key(store),
        has_push=has_push(),
        mails=bool(post.smtp),
        services=post.apprise if has_apprise() else (),
        oops=error.say(v.lang) if error else "",
        said=said,
    )


def way(channel: Channel) -> ChannelView:
    """Returns the channel with a shortened address: the full one may hold a secret."""
    shown = channel.address
    if channel.kind != "mail":
        parts = urlsplit(shown if channel.kind != "push" else shown.partition('"endpoint": "')[2])
        shown = f"{parts.scheme}://{parts.netloc}/…" if channel.kind != "push" else parts.netloc
    return ChannelView(channel.id, channel.kind, shown, channel.ready)


def hour(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


@post("/notices/nights", status_code=200)
async def nights(request: AnyRequest) -> Response[Any]:
    """Sets quiet hours and holidays."""
    v = await visit(request)
    found = dict(await form(request))
    names = ("zone", "begin", "end", "leave", "back")
    try:
        wanted = QuietHours.chosen(*[found.get(name, "") for name in names])
    except BadRequest as error:
        return await page(v, error)
    guest = await v.sure_guest()
    await to_thread(v.house.sleepers.set, guest.id, wanted)
    return v.go("/notices#h-nights")


@post("/notices/add", status_code=200)
async def add(request: AnyRequest) -> Response[Any]:
    """Adds a notification channel."""
    v = await visit(request)
    found = dict(await form(request))
    kind, address, store, sender = found.get("kind", ""), found.get("address", ""), v.house.store, carriers(v)
    spend(request, "tables")  # each may make the server send a message

    def do(guest: str) -> str:
        if kind == "push":
            channels.add(store, guest, "push", sender.push_address(address), v.lang)
        elif kind == "webhook":
            channels.add(store, guest, "webhook", sender.webhook_address(address), v.lang)
        elif kind == "apprise":
            channels.add(store, guest, "apprise", sender.apprise_address(address), v.lang)
        elif kind == "feed":
            for old in [one for one in channels.of(store, guest) if one.kind == "feed"]:
                channels.remove(store, old.id)
            channels.add(store, guest, "feed", "", v.lang, ready=False)
        elif kind == "mail":
            channel = channels.add(store, guest, "mail", sender.mail_address(address), v.lang, ready=False)
            if not channel.ready:
                outbox.put(store, "", CONFIRM, 0, [channel])
                words = t("A letter is on its way to {address}: say yes there.", address=channel.address)
                return words.say(v.lang)
        else:
            raise NotFound(t("There is nothing at this address."))
        return ""

    try:
        said = await to_thread(do, (await v.sure_guest()).id)
    except BadRequest as error:
        return await page(v, error)
    return v.remember(await page(v, said=said)) if said else v.go("/notices")


@post("/notices/remove", status_code=200)
async def remove(request: AnyRequest) -> Response[Any]:
    v = await visit(request)
    wanted = dict(await form(request)).get("channel", "")
    for channel in await to_thread(channels.of, v.house.store, v.guest.id) if v.guest else []:
        if channel.id == wanted:
            await to_thread(channels.remove, v.house.store, channel.id)
    return v.go("/notices")


@post("/notices/wish", status_code=200)
async def wish(request: AnyRequest) -> Response[Any]:
    """Turns notifications on or off: for one table, or for all without a setting of their own."""
    v = await visit(request)
    found = dict(await form(request))
    guest, table = await v.sure_guest(), found.get("table", ALL_TABLES)
    if table != ALL_TABLES:
        await to_thread(v.house.table, table)  # raises NoTable
    await to_thread(lambda: channels.wish(v.house.store, guest.id, table, want=found.get("want") == "yes"))
    return v.go("/notices#h-where")


# -- without signing in -----------------------------------------------------------------------------------------------
def sealed(house: House, token: str, what: str) -> Channel:
    """Returns the channel of a token that only this server can have made (HMAC). Raises NotHere."""
    channel, _, mark = token.partition(".")
    found = channels.find(house.store, channel)
    if not secret_keys.is_sealed(house.store, f"{what} {channel}", mark) or found is None:
        raise NotFound(t("There is nothing at this address, or no longer."))
    return found


@get("/notices/stop/{token:str}")
async def stop_page(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Shows a confirmation button: a GET request must not change anything, as mail scanners follow links too."""
    v = await visit(request)
    channel = await to_thread(sealed, v.house, token, "stop")
    table = request.query_params.get("table", "")
    return v.page("stop.html", way=way(channel), token=token, table=table, done="", yes=False)


@post("/notices/stop/{token:str}", status_code=200)
async def stop(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Turns notifications off, for one table or for all. A mail program that unsubscribes by itself (RFC 8058) means
    all."""
    v = await visit(request)
    channel = await to_thread(sealed, v.house, token, "stop")
    found = dict(await form(request))
    table = found.get("table", "")
    if table and found.get("what") == "table":
        await to_thread(lambda: channels.wish(v.house.store, channel.guest, table[:20], want=False))
        done = "table"
    else:
        await to_thread(channels.remove, v.house.store, channel.id)
        done = "all"
    return v.page("stop.html", way=way(channel), token=token, table=table, done=done, yes=False)


@get("/notices/yes/{token:str}")
async def yes_page(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    v = await visit(request)
    channel = await to_thread(sealed, v.house, token, "yes")
    return v.page("stop.html", way=way(channel), token=token, table="", done="", yes=True)


@post("/notices/yes/{token:str}", status_code=200)
async def yes(request: AnyRequest, token: FromPath[str]) -> Response[str]:
    """Confirms the mail address."""
    v = await visit(request)
    channel = await to_thread(sealed, v.house, token, "yes")
    await to_thread(channels.confirm, v.house.store, channel.id)
    return v.page("stop.html", way=way(channel), token=token, table="", done="yes", yes=True)


@get("/feed/{token:str}")
async def feed(request: AnyRequest, token: FromPath[str]) -> Response[bytes]:
    """Returns the guest's turns as an Atom feed."""
    v = await visit(request)
    channel = await to_thread(sealed, v.house, token, "feed")
    return Response(await to_thread(fed, v, channel), media_type="application/atom+xml", headers=NO_STORE)


def fed(v: RequestContext, channel: Channel) -> bytes:
    lang = channel.lang
    t = house_words(lang)
    root = ET.Element("feed", {"xmlns": ATOM, "xml:lang": lang})

    def add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
        child = ET.SubElement(parent, name, attributes)
        child.text = text or None
        return child

    add(root, "id", f"urn:veillee:feed:{channel.id}")
    add(root, "title", "Veillée · " + t("My turns"))
    newest = 0.0
    for table_id, seat, _ in waiting_for(v.house.store, channel.guest)[:FEED_ENTRIES]:
        now = v.house.table(table_id).now
        if not now.hours or not now.hours[seat].since:
            continue
        asked = v.house.store.closings.wall(seat_clocks.asked_since(now.hours[seat], now.row.lines, seat))
        newest = max(newest, asked)
        entry = add(root, "entry")
        add(entry, "id", f"urn:veillee:turn:{table_id}:{seat}:{now.hours[seat].turn}")
        add(entry, "title", title_of(now, lang))
        add(entry, "updated", datetime.fromtimestamp(asked, UTC).isoformat())
        add(entry, "link", href=f"{v.origin}/t/{table_id}")
        add(entry, "summary", text_of(now, seat, lang))
    add(root, "updated", datetime.fromtimestamp(newest, UTC).isoformat())
    add(add(root, "author"), "name", "Veillée")
    return bytes(ET.tostring(root, "utf-8", xml_declaration=True))


# -- while a page is open ---------------------------------------------------------------------------------------------
@get("/notices/waiting")
async def waiting(request: AnyRequest) -> Response[dict[str, Any]]:
    """Returns the tables that wait for the guest, for the title and the icon of open pages (turns.js)."""
    v = await visit(request)
    found = await to_thread(waiting_for, v.house.store, v.guest.id) if v.guest else []
    t = house_words(v.lang)
    told = [{"id": table, "turn": f"{table} {requests}"} for table, _, requests in found]
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
