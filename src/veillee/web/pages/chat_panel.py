"""The chat panel beside the chronicle of a table's page."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from veillee.house.community.chat import Rule, host_of, visible_messages
from veillee.house.tables.moment import Moment
from veillee.web.http.forms import parse_number
from veillee.web.http.request import RequestContext
from veillee.web.rendering.chat_messages import audience_of, render_message

LAST_READ_COOKIE = "heard"  # of a table's page: number of the message read last


@dataclass(frozen=True)
class ChatPanel:
    """What the page shows of a table's chat."""

    lines: Markup
    rule: Rule
    host: bool  # the reader may set the chat rule
    hidden: bool  # the reader plays in a running match: what spectators say is hidden
    muted: bool  # the reader has muted this table
    muted_all: bool  # or all tables
    unread: int
    newest: int  # the number of the last message
    open: bool
    oops: str


def chat_panel(v: RequestContext, now: Moment, oops: str = "") -> ChatPanel | None:
    """Returns the panel for the reader; None if there is no other guest to talk to."""
    talk, guest = v.house.chat, v.guest
    muted = talk.muted(guest)
    said = visible_messages(talk.load_latest(now.id), audience_of(now), guest, muted)
    opened = bool(oops) or "talk" in v.request.query_params
    before, mine = parse_number(v.request.cookies.get(LAST_READ_COOKIE)) or 0, guest.id if guest else ""
    if not (said or opened or now.status == "waiting" or any(seat.guest not in ("", mine) for seat in now.seats)):
        return None
    newest = said[-1].number if said else 0
    return ChatPanel(
        Markup("").join([render_message(one, now.box, now.id, guest, v.lang) for one in said]),
        talk.load_rule(now.id, now.box),
        guest is not None and host_of(now.seats) == guest.id,
        now.status == "playing" and bool(now.seats_of(guest)),
        muted.is_muted_at(now.id),
        muted.is_everything_muted,
        0 if opened else sum(one.number > before and one.guest != mine for one in said),
        newest,
        opened,
        oops,
    )
