"""Time controls: parsed from the form for a new table, and formatted for lists."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.house.errors import BadRequest
from veillee.house.tables.clocks.time_control import HOUR, MINUTE, UNTIMED, TimeControl
from veillee.house.tables.listings import TableSummary
from veillee.web.rendering.presence_panel import describe_time_control
from veillee.web.rendering.templates import t


def time_control_from_form(fields: Sequence[tuple[str, str]]) -> TimeControl:
    """Parses the time control of a form. Raises BadRequest."""
    found = dict(fields)
    kind = found.get("pace", "")
    if kind == "evening":
        reserve, each = number(found, "minutes") * MINUTE, number(found, "seconds")
    else:
        reserve, each = 0, number(found, "hours") * HOUR if kind == "post" else 0
    return TimeControl.validated(kind, reserve, each, found.get("then") or "bot")


def number(fields: dict[str, str], name: str) -> int:
    text = fields.get(name, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise BadRequest(t("The pace of the table is written in whole numbers."))
    return int(text)


def short(glance: TableSummary, lang: str) -> str:
    """Returns the time control for a list; empty if there is none."""
    return describe_time_control(glance.pace, lang) if glance.pace != UNTIMED else ""
