"""JSON API: views and choices of the same tables, for programs. Described in /api/schema/openapi.json.

A program sends its guest token as `Authorization: Bearer …`; a page of this site may use its cookie. Errors have the
status of their kind (house/errors.py) and the body {"sentence": …, "rule": …}.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated, Any

from litestar import Controller, Response, Router, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import SecurityRequirement
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from veillee.games.box import Box
from veillee.games.content import Content
from veillee.house.accounts.guest import Guest
from veillee.house.errors import OUTCOMES, BadRequest, NotFound, NotInvited, NotSignedIn, NotYours
from veillee.house.house import House
from veillee.house.tables.clocks.time_control import TimeControl
from veillee.house.tables.moment import Moment
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.autoplay import plain
from veillee.match.hints import Hint
from veillee.match.owner_content import content_of
from veillee.web.api.models import (
    Answers,
    ChanceInfo,
    ChoiceInfo,
    ContentInfo,
    GameInfo,
    GuestInfo,
    HintInfo,
    LogLine,
    NewGuest,
    NewTable,
    Opened,
    PaceInfo,
    Position,
    Refusal,
    RefusedInfo,
    Sealed,
    SeatInfo,
    SitDown,
    Stamp,
    TableInfo,
)
from veillee.web.api.stream import position_events
from veillee.web.http.forms import parse_number
from veillee.web.http.preferences import device_of, guest_token, read_preferences
from veillee.web.http.request import BY_INVITATION, AnyRequest, guest_of, is_still_here, table_of
from veillee.web.http.same_origin import for_programs, rate_limit
from veillee.web.http.work_in_flight import become_stream, begin_hint, end_work
from veillee.web.http.work_pools import to_thread
from veillee.web.live.hints import wait_for_hint
from veillee.web.live.streams import open_stream
from veillee.web.live.submit_answer import submit_answer
from veillee.web.live.table_stream import listen
from veillee.web.logs import security
from veillee.web.rendering.beats import lines
from veillee.web.rendering.seat_names import names_at
from veillee.web.rendering.table_parts import question_of, view_of
from veillee.web.rendering.templates import t


def house_of(request: AnyRequest) -> House:
    house: House = request.app.state.house
    return house


def token_of(request: AnyRequest) -> str:
    header = request.headers.get("authorization")
    if header is None:
        return guest_token(request)
    kind, _, token = header.partition(
        " "
    )  # never the cookie: such a request passes the CSRF check (web/http/same_origin.py)
    return token.strip() if kind.lower() == "bearer" else ""


async def caller(request: AnyRequest) -> Guest | None:
    return await guest_of(house_of(request), token_of(request))


async def require_guest(request: AnyRequest) -> Guest:
    guest = await caller(request)
    if guest is None:
        raise NotSignedIn(t("Say who you are: send your guest token as a bearer token."))
    return guest


def content_info(box: Box, content: Content, lang: str) -> ContentInfo:
    assert box.contents is not None
    return ContentInfo(box.contents.option.id, content.id, content.names[lang])


def table_info(table: Table, guest: Guest | None, lang: str) -> TableInfo:
    now = table.moment  # seats and revision belong together
    mine = now.seats_of(guest)
    return TableInfo(
        now.id,
        now.box.id,
        now.status,
        now.rev(mine),
        now.commitment,
        now.hints,
        now.row.rated,
        [
            SeatInfo(seat.kind, name, seat.level, seat.away, seat.sealed, seat.opened if now.game is not None else "")
            for seat, name in zip(now.seats, names_at(now, lang), strict=True)
        ],
        mine,
        table.options,
        content_info(now.box, brought, lang) if (brought := content_of(now.box, table.options)) is not None else None,
        PaceInfo(now.row.pace.kind, now.row.pace.reserve, now.row.pace.each, now.row.pace.then),
        now.row.opens_until is not None,
    )


def position(now: Moment, seat: int, lang: str, heard: int = 0) -> Position:
    match = now.match
    question = question_of(now, match, seat, lang)
    offers = question.choices.values()
    news = lines(now, match, seat, lang, heard)
    return Position(
        seat,
        now.stamp(seat) if seat != NO_SEAT else "",
        question.question,
        question.rule,
        view_of(now, match, seat),
        [ChoiceInfo(o.id, o.verb, o.args, o.label) for o in offers if o.allowed],
        [RefusedInfo(o.id, o.verb, o.args, o.label, o.why, o.rule) for o in offers if not o.allowed],
        seat != NO_SEAT and match.can_undo(seat),
        match.heard(seat),
        [plain(event) for event, _ in news],
        [LogLine(event.rule, text) for event, text in news if text],
    )


def hint_info(hint: Hint, lang: str) -> HintInfo:
    chances = [ChanceInfo(c.choice.id, c.choice.label(lang), c.wins, c.games) for c in hint.chances]
    return HintInfo(hint.choice.id, hint.choice.label(lang), hint.reason(lang), chances)


def game_info(box: Box, lang: str) -> GameInfo:
    return GameInfo(
        box.id,
        box.title[lang],
        box.pitch[lang],
        box.authors,
        (box.players[0], box.players[-1]),
        box.minutes,
        {option.id: list(option.values) for option in box.agreements},
        [content_info(box, content, lang) for content in box.contents.own] if box.contents is not None else [],
    )


MAX_SEATS = 20  # of a table: no game has more
MAX_LONG_POLL_SECONDS = 25  # seconds that a program may wait for its turn: proxies close connections after 30
Heard = Annotated[int, QueryParameter(ge=0, le=10**9)]
Wait = Annotated[int, QueryParameter(ge=0, le=MAX_LONG_POLL_SECONDS)]

ANYBODY: list[SecurityRequirement] = [{}]  # a token is optional

# Every status of house/errors.py, and those of malformed requests: what a program must be ready for.
REFUSED_STATUSES = sorted({400, 405, 413, *(outcome.status for outcome in OUTCOMES.values())})
REFUSALS = {
    status: ResponseSpec(Refusal, generate_examples=False, description=HTTPStatus(status).phrase)
    for status in REFUSED_STATUSES
}
ANSWERED = ResponseSpec(None, generate_examples=False, description="Answered: who follows the stream is told there")


class TablesApi(Controller):
    path = "/"
    tags = ("Tables",)

    @get("/games", security=ANYBODY, responses=REFUSALS)
    async def games(self, request: AnyRequest) -> list[GameInfo]:
        """Lists the games."""
        lang = read_preferences(request).lang
        return [game_info(box, lang) for box in house_of(request).profile.shelf().values()]

    @post("/guests", security=ANYBODY, responses=REFUSALS)
    async def new_guest(self, request: AnyRequest, data: JSONBody[NewGuest]) -> GuestInfo:
        """Creates a guest. Keep the token: it is returned only here."""
        rate_limit(request, "guests")
        house, device = house_of(request), device_of(request)
        if data.invitation:
            guest = await to_thread(house.guests.new_invited, data.invitation, data.name, device)
        elif house.profile.is_invitation_only:
            raise NotInvited(BY_INVITATION)
        else:
            guest = await to_thread(house.guests.new, data.name, device)
        security(request.scope, "A new guest", guest=guest.id)
        return GuestInfo(guest.id, guest.name, guest.token)

    @post("/tables", responses=REFUSALS)
    async def new_table(self, request: AnyRequest, data: JSONBody[NewTable]) -> TableInfo:
        """Creates a table with one seat for each entry of `seats`. It starts at once if no seat is open."""
        guest = await require_guest(request)
        rate_limit(request, "tables")
        if len(data.seats) > MAX_SEATS:
            raise BadRequest(t("That is too much to read."))
        plans = [SeatPlan(seat.kind, seat.name, seat.level) for seat in data.seats]
        table = await to_thread(
            house_of(request).tables.create,
            guest,
            data.game,
            plans,
            data.options,
            data.luck[:100],
            public=data.public,
            hints=data.hints and not data.rated,
            rated=data.rated,
            pace=TimeControl.validated(data.pace.kind, data.pace.reserve, data.pace.each, data.pace.then),
        )
        return table_info(table, guest, read_preferences(request).lang)

    @get("/tables/{table_id:str}", security=ANYBODY, responses=REFUSALS)
    async def table(self, request: AnyRequest, table_id: FromPath[str]) -> TableInfo:
        """Returns the seats and the state of a table. The revision grows with every change that you can see."""
        table = await table_of(house_of(request), table_id)
        return table_info(table, await caller(request), read_preferences(request).lang)

    @post("/tables/{table_id:str}/seats/{seat:int}", status_code=200, responses=REFUSALS)
    async def sit(
        self, request: AnyRequest, table_id: FromPath[str], seat: FromPath[int], data: JSONBody[SitDown | None] = None
    ) -> TableInfo:
        """Takes an open seat. The body is optional."""
        guest = await require_guest(request)
        table = await table_of(house_of(request), table_id)
        added = data or SitDown()
        await to_thread(table.sit, guest, seat, luck=added.luck[:100], sealed=added.sealed)
        return table_info(table, guest, read_preferences(request).lang)

    @post("/tables/{table_id:str}/seats/{seat:int}/seal", status_code=200, responses=REFUSALS)
    async def seal(
        self, request: AnyRequest, table_id: FromPath[str], seat: FromPath[int], data: JSONBody[Sealed]
    ) -> TableInfo:
        """Seals what your seat adds to the shuffle, while the table has an open seat: for the guest who created it."""
        guest = await require_guest(request)
        table = await table_of(house_of(request), table_id)
        require_own_seat(table, guest, seat)
        await to_thread(table.seal, guest, seat, data.sealed)
        return table_info(table, guest, read_preferences(request).lang)

    @post("/tables/{table_id:str}/seats/{seat:int}/open", status_code=200, responses=REFUSALS)
    async def open_seal(
        self, request: AnyRequest, table_id: FromPath[str], seat: FromPath[int], data: JSONBody[Opened]
    ) -> TableInfo:
        """Opens what your seat has sealed, once `opening` of the table is true: within a few seconds, or the match
        begins without it and says so."""
        guest = await require_guest(request)
        table = await table_of(house_of(request), table_id)
        require_own_seat(table, guest, seat)
        await to_thread(table.open_seal, guest, seat, data.contribution)
        return table_info(table, guest, read_preferences(request).lang)

    @get("/tables/{table_id:str}/watch", security=ANYBODY, responses=REFUSALS)
    async def watch(self, request: AnyRequest, table_id: FromPath[str], heard: Heard = 0) -> Position:
        """Returns the position as a spectator sees it."""
        table = await table_of(house_of(request), table_id)
        return position(table.moment, NO_SEAT, read_preferences(request).lang, heard)

    @get("/tables/{table_id:str}/seats/{seat:int}", responses=REFUSALS)
    async def seat(
        self, request: AnyRequest, table_id: FromPath[str], seat: FromPath[int], heard: Heard = 0
    ) -> Position:
        """Returns the position as your own seat sees it, with its choices."""
        guest = await require_guest(request)
        table = await table_of(house_of(request), table_id)
        require_own_seat(table, guest, seat)
        return position(table.moment, seat, read_preferences(request).lang, heard)

    @get("/tables/{table_id:str}/seats/{seat:int}/turn", responses=REFUSALS)
    async def turn(
        self,
        request: AnyRequest,
        table_id: FromPath[str],
        seat: FromPath[int],
        heard: Heard = 0,
        wait: Wait = MAX_LONG_POLL_SECONDS,
    ) -> Position:
        """Returns the same as soon as your seat is asked something or the game is over: at the latest after `wait`
        seconds. 409: the table still has an open seat."""
        become_stream(request.scope)
        guest = await require_guest(request)
        table = await table_of(house_of(request), table_id)
        require_own_seat(table, guest, seat)
        end_work(request.scope)
        await wait_until_asked(table, guest, seat, wait)
        require_own_seat(table, await require_guest(request), seat)  # it may have changed while waiting
        return position(table.moment, seat, read_preferences(request).lang, heard)

    @get("/tables/{table_id:str}/seats/{seat:int}/stream", include_in_schema=False, responses=REFUSALS)
    async def stream(
        self, request: AnyRequest, table_id: FromPath[str], seat: FromPath[int], heard: Heard = 0
    ) -> Stream:
        """Streams the same at every change (text/event-stream): a message `position` has the position as JSON, its
        id is `heard`. A client that reconnects with Last-Event-ID gets what came after it. No schema describes a
        stream."""
        become_stream(request.scope)
        guest = await require_guest(request)
        table = await table_of(house_of(request), table_id)
        require_own_seat(table, guest, seat)
        last = parse_number(request.headers.get("last-event-id"))
        lang, token = read_preferences(request).lang, token_of(request)
        return Stream(
            position_events(
                table,
                guest,
                seat,
                heard if last is None else last,
                lambda now, heard: position(now, seat, lang, heard),
                lambda: is_still_here(request, token),
            ),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    @post("/tables/{table_id:str}/seats/{seat:int}/answers", status_code=200, responses={204: ANSWERED, **REFUSALS})
    async def answer(
        self,
        request: AnyRequest,
        table_id: FromPath[str],
        seat: FromPath[int],
        data: JSONBody[Answers],
        heard: Heard = 0,
    ) -> Response[Position]:
        """Submits answers. 409: the table has moved on; 422: a rule forbids it, and which. A client that follows the
        seat's stream gets the result there, and may ask for no body here: `Prefer: return=minimal` (204)."""
        guest = await require_guest(request)
        table = await table_of(house_of(request), table_id)
        require_own_seat(table, guest, seat)
        end_work(request.scope)  # the answer is played at once: what follows waits for the disk
        await submit_answer(table, guest, seat, data.stamp, data.answers)
        if request.headers.get("prefer") == "return=minimal":
            nothing: Any = None
            return Response(nothing, status_code=204, headers={"Preference-Applied": "return=minimal"})
        return Response(position(table.moment, seat, read_preferences(request).lang, heard))

    @post("/tables/{table_id:str}/seats/{seat:int}/undo", status_code=200, responses=REFUSALS)
    async def undo(
        self, request: AnyRequest, table_id: FromPath[str], seat: FromPath[int], data: JSONBody[Stamp]
    ) -> Position:
        """Takes back your last answer."""
        guest = await require_guest(request)
        table = await table_of(house_of(request), table_id)
        require_own_seat(table, guest, seat)
        await to_thread(table.undo, guest, seat, data.stamp)
        return position(table.moment, seat, read_preferences(request).lang)

    @post("/tables/{table_id:str}/seats/{seat:int}/hint", status_code=200, responses=REFUSALS)
    async def hint(
        self, request: AnyRequest, table_id: FromPath[str], seat: FromPath[int], data: JSONBody[Stamp]
    ) -> HintInfo:
        """Returns what an expert bot would do. Changes nothing, and no other seat is told. 409: the table does not
        allow it."""
        guest = await require_guest(request)
        table = await table_of(house_of(request), table_id)
        require_own_seat(table, guest, seat)
        await begin_hint(request.scope)
        return hint_info(await wait_for_hint(table, guest, seat, data.stamp), read_preferences(request).lang)

    @get("/tables/{table_id:str}/record", security=ANYBODY, responses=REFUSALS)
    async def record(self, request: AnyRequest, table_id: FromPath[str]) -> dict[str, Any]:
        """Returns the finished game with its revealed seed, for `veillee verify`."""
        table = await table_of(house_of(request), table_id)
        return await to_thread(table.record)


async def wait_until_asked(table: Table, guest: Guest, seat: int, wait: int) -> None:
    """Waits until the seat has something to answer, at most so many seconds. Ends early if the server closes or the
    guest may have been signed out."""
    changed, _, stop = listen(table)
    try:
        with open_stream(changed, guest.id) as stream:
            async with asyncio.timeout(wait):
                while not (stream.is_over or stream.must_recheck or table.is_deleted):
                    changed.clear()
                    now = table.moment
                    if now.status not in ("waiting", "playing") or (now.game and seat in now.match.to_act):
                        return
                    await changed.wait()
    except TimeoutError:
        pass
    finally:
        stop()


def require_own_seat(table: Table, guest: Guest, seat: int) -> None:
    """Checks that this seat is the guest's. Raises NotHere, NotYours."""
    if not 0 <= seat < len(table.seats):
        raise NotFound(t("There is nothing at this address."))
    if seat not in table.seats_of(guest):
        raise NotYours(t("This seat is not yours."))


BEARER: list[SecurityRequirement] = [{"guest": []}]
api = Router("/api", route_handlers=[TablesApi], security=BEARER, after_request=for_programs)
ROUTES = [api]
