"""Table page: rendering, answers, stream, seats and record."""

from __future__ import annotations

import asyncio
from asyncio import to_thread
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Stream

from veillee.games.scene import SPEEDS
from veillee.house.accounts.people import SUBSTITUTE_LEVEL, Guest
from veillee.house.community.chat import GESTURES, MAX_MESSAGE_LENGTH
from veillee.house.community.presence import is_tracked
from veillee.house.errors import BadRequest, NoAdvice, NotFound, NotYours, outcome
from veillee.house.tables.moment import Moment, SeenState
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import VeilleeError
from veillee.match.hints import Hint
from veillee.web.http.error_pages import is_live, log_error, on_error, visitor_sentence
from veillee.web.http.request import AnyRequest, RequestContext, read_form, request_context, table_of
from veillee.web.http.same_origin import rate_limit
from veillee.web.live import answer_form
from veillee.web.live.stream_state import StreamState, sse
from veillee.web.live.streams import loop_waker, open_stream
from veillee.web.live.submit_answer import submit_answer
from veillee.web.pages import chat as chat_page
from veillee.web.pages import link_previews
from veillee.web.pages.lobby import lobby_values
from veillee.web.rendering.beats import PACE, render_beats
from veillee.web.rendering.presence_panel import PresenceStream, company
from veillee.web.rendering.table_parts import Audience, advice_part, audience, has_board, parts_of, replay_parts
from veillee.web.rendering.templates import board_folder, html, markup, render, t

WAIT_FOR_BOTS_SECONDS = 3.0  # seconds that a page without JavaScript waits for the bots before it is shown
HEARTBEAT = 15.0
MAX_MISSED_EVENTS = 60  # events: a returning player is shown at most the latest of so many
HINT_TIMEOUT_SECONDS = 30.0  # seconds to wait for a hint at most: the expert may have others queued


@dataclass(frozen=True)
class Confirmation:
    """Confirmation of an answer that gives something up: what, and the form that submits it all the same."""

    lost: list[str]
    fields: list[tuple[str, str]]
    stamp: str
    back: str  # address of the unchanged table


def number(text: str | None) -> int | None:
    """Parses a seat or moment of an address; None if it is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else None


async def table_page(
    v: RequestContext,
    table: Table,
    wanted: int | None,
    error: VeilleeError | None = None,
    hint: Hint | None = None,
    stamp: str = "",
    sure: Confirmation | None = None,
    left: str = "",
    said: VeilleeError | None = None,
) -> Response[str]:
    """Renders the whole page. `error`: what was refused. `hint`: advice, shown while `stamp` is the seat's. `sure`: a
    confirmation question. `left`: the view that a returning player saw last; then the page shows that, and the stream
    sends what has happened since. `said`: an error about a chat message."""
    wrong = error or said

    def build() -> Response[str]:
        now = table.moment  # board, stamp and name belong together
        who = audience(now, v.guest, wanted)
        waiting = now.status == "waiting"
        since = back_then(now, who, left)
        if since is not None:
            name, then = since
            parts = replay_parts(now, table.history.after(then.answers), who, v.lang, log=True)
        else:
            name = now.shown_version(who.mine)
            fresh = hint if who.seat >= 0 and now.stamp(who.seat) == stamp else None
            parts = parts_of(now, who, v.lang, v.guest, v.origin, fresh)
        parts["company"] = company(v.house, now, v.guest, v.lang)
        return v.page(
            "table/page.html",
            table.box,
            outcome(wrong).status if wrong else 200,
            **frame(table),
            talk=chat_page.panel(v, now, said.say(v.lang) if said else ""),
            preview=link_previews.of_table(now, v.lang),
            **(lobby_values(v, now, who.mine) if waiting else {}),
            p=markup(parts),
            pace=PACE,
            speed=v.speed,
            sound=v.sound,
            shown=name,
            away=since is not None,
            news=markup(news(now, who, v.lang)),
            wanted=wanted if who.several else None,
            oops=error.say(v.lang) if error else "",
            oops_rule=error.rule if error else "",
            waiting=waiting,
            onlooker=not who.mine and not waiting,
            sure=sure,
            replay=False,
            over=now.status == "over",
            turn="you" if not waiting and who.seat >= 0 and who.seat in now.match.to_act else "other",
            can_leave=now.status == "playing" and who.seat >= 0 and not now.seats[who.seat].away and not now.row.deal,
        )

    return await to_thread(build)


def back_then(now: Moment, who: Audience, left: str) -> tuple[str, SeenState] | None:
    """Returns the view that a returning player saw last, with its name; None if nothing is new to them, and always on a
    shared screen."""
    name = now.resume_point(left, who.seat, MAX_MISSED_EVENTS) if now.game is not None and not who.several else ""
    then = now.seen_state(name, who.seat) if name else None
    return (name, then) if then is not None else None


def news(now: Moment, who: Audience, lang: str) -> dict[str, str]:
    """Returns what has happened since the question that the seat answered last, as text for pages without animation."""
    if now.game is None or who.seat == NO_SEAT:
        return {}
    text = render_beats(now, now.game, who.seat, lang, now.before_answer(who.seat), plain=True)
    return {"list": text} if text else {}


def frame(table: Table) -> dict[str, Any]:
    """Returns what the page needs besides its parts."""
    folder = board_folder(table.box)
    own = has_board(table.box)
    return {
        "table_id": table.id,
        "commitment": table.commitment,
        "talk_gestures": GESTURES,
        "talk_longest": MAX_MESSAGE_LENGTH,
        "guided": bool(table.moment.row.guide),
        "deal": table.moment.row.deal,
        "branch": table.moment.row.branch,
        "still_dealt": table.is_deal_of_today,
        "own_board": own,
        "sheets": sorted(file.name for file in folder.glob("*.css") if file.name != "palette.css") if own else [],
        "script": own and (folder / "board.js").exists(),
    }


@get("/t/{table_id:str}")
async def show(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    record_visit(v, table)
    left = "" if "now" in request.query_params else request.cookies.get("at", "")
    return await table_page(v, table, number(request.query_params.get("as")), left=left)


def record_visit(v: RequestContext, table: Table) -> None:
    """Marks the guest as present, if they play at this table."""
    if v.guest is not None and is_tracked(table) and table.seats_of(v.guest):
        v.house.presence.record_visit(v.guest.id, table.id)


# -- answers ----------------------------------------------------------------------------------------------------------
def field(fields: list[tuple[str, str]], name: str) -> str:
    return next((value for key, value in fields if key == name), "")


@post("/t/{table_id:str}/act", status_code=200)
async def act(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Submits one answer, or several in a row."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = await read_form(request)
    seat = number(field(fields, "seat"))
    stamp = field(fields, "stamp")

    now = table.moment
    try:
        guest, place = require_seat(v, table, seat)
        answers = answer_form.resolve(now.match, place, answer_form.parse_form(fields))
    except VeilleeError as error:
        return await refusal_page(v, table, seat, error)
    # Asks for confirmation if something is given up, once. A stale question is refused anyway.
    asked_back = field(fields, "sure") != stamp == now.stamp(place)
    lost = now.match.given_up(place, answers, v.lang) if asked_back else []
    if not lost:
        return await respond_after(v, table, seat, submit_answer(table, guest, place, stamp, answers))
    kept = [(name, value) for name, value in fields if name in ("seat", "stamp") or answer_form.is_answer(name)]
    sure = Confirmation(lost, kept, stamp, address(v, table, seat))
    if is_live(request):
        return html(await to_thread(render, v.lang, "table/confirm.html", table.box, table_id=table.id, sure=sure))
    return await table_page(v, table, seat, sure=sure)


@post("/t/{table_id:str}/undo", status_code=200)
async def undo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = await read_form(request)
    seat = number(field(fields, "seat"))

    def take_back() -> None:
        guest, place = require_seat(v, table, seat)
        table.undo(guest, place, field(fields, "stamp"))

    return await respond_after(v, table, seat, to_thread(take_back))


@post("/t/{table_id:str}/hint", status_code=200)
async def hint(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Returns the expert's hint, to the player who asks only."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = await read_form(request)
    seat, stamp = number(field(fields, "seat")), field(fields, "stamp")
    try:
        guest, place = await to_thread(require_seat, v, table, seat)
        advice = await wait_for_hint(table, guest, place, stamp)
    except VeilleeError as error:
        return await refusal_page(v, table, seat, error)
    if is_live(request):
        return html(await to_thread(advice_part, stamp, table.box, advice, v.lang))
    return await table_page(v, table, seat, hint=advice, stamp=stamp)


async def wait_for_hint(table: Table, guest: Guest, seat: int, stamp: str) -> Hint:
    """Returns the expert's hint; no thread is blocked meanwhile. Raises NoAdvice after 30 s."""
    future = await to_thread(table.hint, guest, seat, stamp)
    try:
        async with asyncio.timeout(HINT_TIMEOUT_SECONDS):
            return await asyncio.wrap_future(future)
    except TimeoutError:
        raise NoAdvice from None


def require_seat(v: RequestContext, table: Table, seat: int | None) -> tuple[Guest, int]:
    """Returns the guest and their seat. Raises NotYours for a spectator."""
    if v.guest is None or seat is None or seat not in table.seats_of(v.guest):
        raise NotYours(t("This seat is not yours: you are watching."))
    return v.guest, seat


async def respond_after(v: RequestContext, table: Table, seat: int | None, doing: Awaitable[None]) -> Response[Any]:
    """Awaits the change, then shows the current board, also where it was refused."""
    try:
        await doing
    except VeilleeError as error:
        return await refusal_page(v, table, seat, error)
    if is_live(v.request):
        return Response(None, status_code=204)
    await wait_for_bots(table, v.guest)
    return v.redirect(address(v, table, seat))


def address(v: RequestContext, table: Table, seat: int | None) -> str:
    """Returns the address of the question; on a shared screen, with its seat."""
    again = f"?as={seat}" if len(table.seats_of(v.guest)) > 1 else ""
    return f"/t/{table.id}{again}#prompt"


async def refusal_page(v: RequestContext, table: Table, seat: int | None, error: VeilleeError) -> Response[Any]:
    """Returns the error sentence; with the current board, for pages without a stream."""
    if is_live(v.request):
        return v.set_cookies(on_error(v.request, error))
    log_error(v.request, error, outcome(error).status)
    return await table_page(v, table, seat, visitor_sentence(error))


async def wait_for_bots(table: Table, guest: Guest | None) -> None:
    """Waits up to 3 s for the bots, so that a page without JavaScript mostly shows a board with something to do."""
    changed, _, stop = listen(table)
    mine = table.seats_of(guest)
    try:
        async with asyncio.timeout(WAIT_FOR_BOTS_SECONDS):
            while table.status == "playing" and not set(mine) & set(table.match.to_act):
                await changed.wait()
                changed.clear()
    except TimeoutError:
        pass
    finally:
        stop()


# -- the stream ---------------------------------------------------------------------------------------------------------
def listen(table: Table) -> tuple[asyncio.Event, Callable[[], None], Callable[[], None]]:
    """Returns an event that is set at every change (a slow reader skips to the newest board), a function that sets it,
    and one that stops."""
    changed = asyncio.Event()
    wake = partial(loop_waker().wake, changed)
    return changed, wake, table.subscribe(wake)


async def events(
    v: RequestContext,
    table: Table,
    wanted: int | None,
    have: str,
    last_said: str | None = None,
    seen: str | None = None,
) -> AsyncIterator[bytes]:
    """Yields one message per change: what happened since, in order, then the parts that differ after it. `have`: the
    view that the page shows (Moment.name). `last_said`: the last chat message that it has; None: it wants none. `seen`:
    1 if the page is visible; None: it wants no presence panel.

    A change that is hidden from the reader sends nothing: no message, no number, and no heartbeat, which runs on its
    own clock from the first byte on.
    """
    changed, wake, stop = listen(table)
    leave = table.watch(SPEEDS[v.speed])
    heard, fall_silent = chat_page.NO_CHAT
    loop = asyncio.get_running_loop()
    sent = StreamState(have)
    beside = PresenceStream(v.house, table, v.guest, v.lang, changed, seen=seen == "1") if seen is not None else None
    alive = False  # a heartbeat is due

    def beat() -> None:
        nonlocal alive
        alive = True
        changed.set()

    with open_stream(changed, v.guest.id if v.guest else "") as stream:
        heart = loop.call_later(HEARTBEAT, beat)
        try:
            yield b"retry: 1500\n\n"  # goes out at once, with the response headers
            heard, fall_silent = await chat_page.open_chat_stream(v, table, last_said, wake)
            now = table.moment  # board, stamp and name belong together
            waiting = now.status == "waiting"
            if have == now.shown_version(now.seats_of(v.guest)):
                sent.next_update(v, now, wanted)  # the page has them
            while not stream.is_over:
                changed.clear()
                if stream.must_recheck and not await v.is_still_here():
                    return  # signed out
                stream.must_recheck = False
                now = table.moment
                if table.is_deleted or (waiting and now.status != "waiting"):
                    yield b"event: go\ndata: .\n\n"  # the match has begun, or the table is gone: the page must reload
                    return
                shown = now.shown_version(now.seats_of(v.guest)) != sent.name or not sent.shown.parts
                if shown:
                    if (told := sent.next_update(v, now, wanted)).message:
                        yield told.message
                    del told  # frees memory while the stream waits
                if heard is not None and (said := heard.next_update(now)):
                    yield said
                if beside is not None and (shown or beside.stirred) and (text := await beside.next_update(now)):
                    yield sse(sent.name, [text])
                await changed.wait()
                if alive:
                    alive, heart = False, loop.call_at(heart.when() + HEARTBEAT, beat)
                    yield b": still here\n\n"
        finally:
            heart.cancel()
            if beside is not None:
                beside.end()
            stop()
            leave()
            fall_silent()


@get("/t/{table_id:str}/stream")
async def stream(request: AnyRequest, table_id: FromPath[str]) -> Stream:
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    have = request.headers.get("last-event-id") or request.query_params.get("at") or ""
    return Stream(
        events(
            v,
            table,
            number(request.query_params.get("as")),
            have,
            request.query_params.get("talk"),
            request.query_params.get("seen"),
        ),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


# -- seats --------------------------------------------------------------------------------------------------------------
@post("/t/{table_id:str}/{deed:str}", status_code=200)
async def seats(request: AnyRequest, table_id: FromPath[str], deed: FromPath[str]) -> Response[Any]:
    """Changes seats (sit down, stand up, seat a bot, leave, come back, agree to a substitute), or opens a rematch."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = await read_form(request)
    name = field(fields, "name")
    if deed == "rematch":
        rate_limit(request, "tables")
        other = await to_thread(v.house.rematch, await v.get_or_create_guest(), table)
        return v.redirect(f"/t/{other.id}")
    seat = number(field(fields, "seat"))
    if deed not in ("sit", "stand", "bot", "leave", "back", "agree") or seat is None:
        raise NotFound(t("This table has no such door."))
    newly = deed == "sit" and not table.seats_of(
        v.guest
    )  # a guest who sits here already seats a friend, under another name
    try:
        guest = await (v.get_or_create_named_guest(name) if newly else v.get_or_create_guest())
    except BadRequest as error:
        return await refusal_page(v, table, seat, error)

    def do() -> None:
        if deed == "sit":
            table.sit(guest, seat, "" if newly else name, field(fields, "luck"))
        elif deed == "stand":
            table.stand(guest, seat)
        elif deed == "bot":
            v.house.seat_bot(guest, table, seat, field(fields, "level") or SUBSTITUTE_LEVEL)
        elif deed == "leave":
            table.leave(guest, seat)
        elif deed == "agree":
            v.house.presence.record_visit(guest.id, table.id)
            v.house.substitutes.vote(guest, table, seat)
        else:
            table.come_back(guest, seat)

    try:
        await to_thread(do)
    except VeilleeError as error:
        return await refusal_page(v, table, seat, error)
    if is_live(request):
        return v.set_cookies(Response(None, status_code=204))
    return v.redirect(f"/t/{table.id}")


# -- the record -----------------------------------------------------------------------------------------------------------
@get("/t/{table_id:str}/record.json")
async def record(request: AnyRequest, table_id: FromPath[str]) -> Response[bytes]:
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    data = msgspec.json.format(msgspec.json.encode(await to_thread(table.record)), indent=1)
    name = f"veillee-{table.box.id}-{table.id}.json"
    return Response(
        data,
        media_type=MediaType.JSON,
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


ROUTES = [show, act, undo, hint, stream, seats, record]
