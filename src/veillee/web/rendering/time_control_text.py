"""Time controls, formatted for lists."""

from __future__ import annotations

from veillee.house.tables.clocks.time_control import UNTIMED
from veillee.house.tables.listings import TableSummary
from veillee.web.rendering.presence_panel import describe_time_control


def short(glance: TableSummary, lang: str) -> str:
    """Returns the time control for a list; empty if there is none."""
    return describe_time_control(glance.pace, lang) if glance.pace != UNTIMED else ""
