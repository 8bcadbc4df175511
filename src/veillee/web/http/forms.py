"""Forms and the numbers in them."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qsl

from litestar.enums import RequestEncodingType

from veillee.house.errors import BadRequest
from veillee.house.tables.clocks.time_control import HOUR, MINUTE, TimeControl
from veillee.web.http.request import AnyRequest
from veillee.web.rendering.templates import t

MAX_FIELDS = 1000  # of a form: the longest of ours has a few dozen
MAX_DIGITS = 7  # of a number: no seat, moment or message has more

Fields = list[tuple[str, str]]


async def read_form(request: AnyRequest) -> Fields:
    """Returns the fields of a form, in order, without files and without NUL, which PostgreSQL cannot store. Raises
    BadRequest if it has too many. One that is too long was refused before (work_in_flight.py).

    URL-encoded forms are parsed here: Litestar caches the last thousand, each with as many fields as fit into it.
    """
    if request.content_type[0] == RequestEncodingType.URL_ENCODED:
        try:
            text = (await request.body()).decode("latin-1")
            fields = parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS)
        except ValueError:
            raise BadRequest(t("That is too much to read.")) from None
    else:
        data = await request.form()
        fields = [(name, value) for name, value in data.multi_items() if isinstance(value, str)]
    return [(name, value.replace("\0", "")) for name, value in fields]


def field(fields: Fields, name: str) -> str:
    """Returns the first field of that name; empty if there is none."""
    return next((value for key, value in fields if key == name), "")


def parse_number(text: str | None, max_digits: int = MAX_DIGITS) -> int | None:
    """Parses a number of a form, an address or a cookie; None if it is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= max_digits else None


def back_address(fields: Fields, otherwise: str) -> str:
    """Returns the page of this site that a form asks to return to, else `otherwise`."""
    address = field(fields, "back")
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else otherwise


def time_control_from_form(fields: Sequence[tuple[str, str]]) -> TimeControl:
    """Parses the time control of a form. Raises BadRequest."""
    found = dict(fields)
    kind = found.get("pace", "")
    if kind == "evening":
        reserve, each = _whole_number(found, "minutes") * MINUTE, _whole_number(found, "seconds")
    else:
        reserve, each = 0, _whole_number(found, "hours") * HOUR if kind == "post" else 0
    return TimeControl.validated(kind, reserve, each, found.get("then") or "bot")


def _whole_number(fields: dict[str, str], name: str) -> int:
    number = parse_number(fields.get(name, "").strip())
    if number is None:
        raise BadRequest(t("The pace of the table is written in whole numbers."))
    return number
