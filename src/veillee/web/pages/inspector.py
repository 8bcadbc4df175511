"""Inspector for authors of games: a match step by step with all its secrets, in `veillee serve --dev` only.

It is a form that holds the whole state (the step, the forced chance, the answers tried): nothing is stored, and no table
is changed. Its routes are DEV_ROUTES, which only a server in development has (serving/server.py); they answer this
machine alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.house.errors import outcome
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import BadSave, VeilleeError
from veillee.match.inspection import Chance, Inspection, inspect
from veillee.match.match import Match
from veillee.match.saves import load
from veillee.web.http.forms import Fields, field, parse_number, read_form
from veillee.web.http.request import AnyRequest, RequestContext, request_context, table_of
from veillee.web.http.this_machine import check_this_machine
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.seat_names import names_at
from veillee.web.rendering.templates import t

MAX_TRIED = 200  # answers
ACTION_DIGITS = 5


@dataclass(frozen=True)
class Wish:
    """What the form asks for."""

    line: str  # a pasted record; empty for a table
    step: int | None
    draws: str
    seed: str
    tried: tuple[tuple[int, int], ...]
    seen: tuple[int, ...]  # the seats whose views are shown, NO_SEAT for a spectator; empty: those that are asked

    @classmethod
    def of(cls, fields: Fields) -> Wish:
        """Reads the fields. A button that jumps (`to`) leaves the branch; `give` tries one more answer."""
        jump = parse_number(field(fields, "to"))
        tried = [] if jump is not None or field(fields, "back") else _answers(field(fields, "tried"))
        tried += _answers(field(fields, "give"))
        seen = [number - 1 for value in _all(fields, "see") if (number := parse_number(value)) is not None]
        step = jump if jump is not None else parse_number(field(fields, "n"))
        draws, seed = field(fields, "draws")[:1000], field(fields, "seed")[:40]
        return cls(
            field(fields, "line").strip(), step, draws, seed, tuple(tried[:MAX_TRIED]), tuple(dict.fromkeys(seen))
        )


def _all(fields: Fields, name: str) -> list[str]:
    return [value for key, value in fields if key == name]


def _answers(text: str) -> list[tuple[int, int]]:
    """Parses `0.12 1.3`: seats and answers. What is none is left out."""
    pairs = [word.partition(".") for word in text.split()]
    numbers = [(parse_number(seat, 1), parse_number(action, ACTION_DIGITS)) for seat, _, action in pairs]
    return [(seat, action) for seat, action in numbers if seat is not None and action is not None]


@get("/dev/t/{table_id:str}")
async def inspect_table(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    check_this_machine(request)
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    match, names = table.match, names_at(table.moment, v.lang)
    return await to_thread(_page, v, match, Wish.of(list(request.query_params.multi_items())), names, table.id)


@get("/dev/record")
async def paste_record(request: AnyRequest) -> Response[str]:
    check_this_machine(request)
    return (await request_context(request)).page("inspector.html", i=None, wish=Wish.of([]), oops="", table_id="")


@post("/dev/record", status_code=200)
async def inspect_record(request: AnyRequest) -> Response[str]:
    check_this_machine(request)
    v, wish = await request_context(request), Wish.of(await read_form(request))

    def build() -> Response[str]:
        try:
            match = parse_record(wish.line)
        except BadSave as error:
            status, oops = outcome(error).status, error.say(v.lang)
            return v.page("inspector.html", status=status, i=None, wish=wish, oops=oops, table_id="")
        return _page(v, match, wish, [f"{seat + 1}" for seat in range(match.seats)], "")

    return await to_thread(build)


def parse_record(line: str) -> Match:
    """Returns the match of a record or a save: a line of `veillee export`, the file of a finished game. Raises BadSave."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise BadSave(t("This is no line of JSON.")) from None
    return load(data)


def _page(v: RequestContext, match: Match, wish: Wish, names: list[str], table_id: str) -> Response[str]:
    """Renders the inspector. An answer that is refused, or a chance that cannot be read, leaves the match at its step."""
    wrong: VeilleeError | None = None
    try:
        chance = Chance.parse(wish.draws, wish.seed)
        i = inspect(match, wish.step, wish.tried, chance)
    except VeilleeError as error:
        wrong, chance, i = error, None, inspect(match, wish.step)
    return v.page(
        "inspector.html",
        match.box,
        outcome(wrong).status if wrong else 200,
        i=i,
        wish=wish,
        oops=wrong.say(v.lang) if wrong else "",
        table_id=table_id,
        names=names,
        is_branch=bool(i.tried or chance),
        **_shown(i, wish, v.lang, names),
    )


def _shown(i: Inspection, wish: Wish, lang: str, names: list[str]) -> dict[str, Any]:
    asked = i.match.to_act
    seen = [seat for seat in wish.seen if NO_SEAT <= seat < i.match.seats] or [*asked, NO_SEAT]
    events = i.events(lang, names)
    answers = {seat: i.answers(seat, lang) for seat in asked}
    return {
        "asked": [(seat, i.match.question(seat, lang), answers[seat]) for seat in asked],
        "events": events[::-1],
        "views": i.views(seen),
        "position": i.match.state.dump(),
    }


DEV_ROUTES = [inspect_table, paste_record, inspect_record]
