"""The pace of a new table, as a form asks for it; and in lists, as it is told there."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.house.errors import BadRequest
from veillee.house.tables.clocks.time_control import HOUR, MINUTE, NO_HURRY, Pace
from veillee.house.tables.listings import Glance
from veillee.web.rendering.presence_panel import said
from veillee.web.rendering.templates import t


def wanted(fields: Sequence[tuple[str, str]]) -> Pace:
    """Raises BadRequest."""
    found = dict(fields)
    kind = found.get("pace", "")
    if kind == "evening":
        reserve, each = number(found, "minutes") * MINUTE, number(found, "seconds")
    else:
        reserve, each = 0, number(found, "hours") * HOUR if kind == "post" else 0
    return Pace.agreed(kind, reserve, each, found.get("then") or "bot")


def number(fields: dict[str, str], name: str) -> int:
    text = fields.get(name, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise BadRequest(t("The pace of the table is written in whole numbers."))
    return int(text)


def short(glance: Glance, lang: str) -> str:
    """For a list; empty where nobody is in a hurry."""
    return said(glance.pace, lang) if glance.pace != NO_HURRY else ""
