"""Environment of a server without effective rate limits, for load tests (web/http/rate_limits.py)."""

from __future__ import annotations

from dataclasses import fields

from veillee.web.http.rate_limits import Limits, Rate

UNLIMITED = {
    f"VEILLEE_LIMITS_{field.name.upper()}": "999999, 999999/second" if isinstance(field.default, Rate) else "999999"
    for field in fields(Limits)
}
