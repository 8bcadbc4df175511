"""Chat messages, rendered once for the readers who see the same."""

from __future__ import annotations

from datetime import UTC, datetime

from markupsafe import Markup

from veillee.games.box import Box
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.shields import shield_or_default
from veillee.house.community.chat import Message, TableAudience
from veillee.house.tables.moment import Moment
from veillee.kernel.log import NO_SEAT
from veillee.web.rendering.seat_names import former_guest
from veillee.web.rendering.templates import environment


def audience_of(now: Moment) -> TableAudience:
    return TableAudience(now.id, now.status, now.seats)


def render_message(
    one: Message, box: Box, table_id: str, guest: Guest | None, lang: str, *, alone: bool = False
) -> Markup:
    """Renders one message, cached for readers who see the same (web/rendering/part_cache.py). `alone`: on the page
    about it."""
    when = datetime.fromtimestamp(one.when, UTC)
    values = {
        "table_id": table_id,
        "number": one.number,
        "colour": box.colours[one.seat] if one.seat != NO_SEAT else "",
        "name": one.name or former_guest(lang),
        "shield": shield_or_default(one.shield, one.guest),
        "words": one.words,
        "gesture": one.gesture,
        "when": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "clock": when.strftime("%H:%M UTC"),
        "mine": alone or (guest is not None and one.guest == guest.id),
    }
    return Markup(environment(lang, box).sheet("table/chat_message.html").draw(values))  # noqa: S704 - escaped by its template
