"""Table page: rendering, answers, hint, stream and record."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Stream

from veillee.house.accounts.guest import Guest
from veillee.house.community.chat import GESTURES, MAX_MESSAGE_LENGTH
from veillee.house.community.presence import is_tracked
from veillee.house.community.private_notes import MAX_NOTE_LENGTH
from veillee.house.errors import NotYours, TooMany, outcome
from veillee.house.tables.by_link import link_state
from veillee.house.tables.moment import Moment, SeenState
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.errors import VeilleeError
from veillee.match.hints import Hint
from veillee.web.http.error_pages import is_live, log_error, on_error, visitor_sentence
from veillee.web.http.forms import field, parse_number, read_form
from veillee.web.http.request import AnyRequest, RequestContext, request_context, table_of
from veillee.web.http.work_in_flight import become_stream, begin_hint, end_work
from veillee.web.http.work_pools import to_thread
from veillee.web.live.hints import wait_for_hint
from veillee.web.live.submit_answer import is_answer, parse_form, resolve, submit_answer
from veillee.web.live.table_stream import listen, table_events
from veillee.web.pages import link_previews
from veillee.web.pages.chat_panel import chat_panel
from veillee.web.pages.lobby import lobby_values, screen_values
from veillee.web.pages.table_link import is_unanswered, link_values
from veillee.web.rendering.beats import PACE, render_beats
from veillee.web.rendering.presence_panel import company
from veillee.web.rendering.table_parts import (
    Audience,
    advice_part,
    audience,
    deal_address,
    has_board,
    parts_of,
    replay_parts,
)
from veillee.web.rendering.templates import STANDALONE, board_folder, html, markup, render, t

PAGE_WAIT_SECONDS = 3.0  # seconds that a page without JavaScript waits for bots or the shuffle before it is shown
MAX_MISSED_EVENTS = 60  # events: a returning player is shown at most the latest of so many


@dataclass(frozen=True)
class Confirmation:
    """Confirmation of an answer that gives something up: what, and the form that submits it all the same."""

    lost: list[str]
    fields: list[tuple[str, str]]
    stamp: str
    back: str  # address of the unchanged table


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
    is_screen: bool = False,
) -> Response[str]:
    """Renders the whole page. `error`: what was refused. `hint`: advice, shown while `stamp` is the seat's. `sure`: a
    confirmation question. `left`: the view that a returning player saw last; then the page shows that, and the stream
    sends what has happened since. `said`: an error about a chat message. `is_screen`: for a big screen (pages/screen.py)."""
    wrong = error or said
    by_link = await link_values(v, table) if STANDALONE.is_on and is_unanswered(table.moment, v.guest) else {}

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
            talk=None if is_screen else chat_panel(v, now, said.say(v.lang) if said else ""),
            screen=screen_values(v, now) if is_screen else None,
            preview=link_previews.of_table(now, v.lang),
            **(lobby_values(v, now, who.mine) if waiting else {}),
            **by_link,
            by_link=bool(by_link),
            p=markup(parts),
            pace=PACE,
            speed=v.speed,
            shown=name,
            away=since is not None,
            news=markup(news(now, who, v.lang)),
            wanted=wanted if who.several else None,
            oops=error.say(v.lang) if error else "",
            oops_rule=error.rule if error else "",
            own_notes=own_notes(v, now, who),
            longest_note=MAX_NOTE_LENGTH,
            goal=goal(now, who.seat, v.lang),
            waiting=waiting,
            onlooker=not who.mine and not waiting,
            sure=sure,
            replay=False,
            over=now.status == "over",
            turn="you" if not waiting and who.seat >= 0 and who.seat in now.match.to_act else "other",
            can_leave=now.status == "playing"
            and who.seat >= 0
            and not now.seats[who.seat].away
            and not now.row.is_played_alone,
        )

    return await to_thread(build)


def own_notes(v: RequestContext, now: Moment, who: Audience) -> str | None:
    """Returns the reader's private notes; None where there are none to write: for spectators, before the match, and on a
    screen that several share."""
    if v.guest is None or now.status == "waiting" or not who.mine or who.several:
        return None
    return v.house.private_notes.load(v.guest, now.id)


def goal(now: Moment, seat: int, lang: str) -> str:
    """Returns how one wins, for a player at their first question; a guide says it in its own words."""
    if now.game is None or now.status != "playing" or seat == NO_SEAT or now.row.guide:
        return ""
    return now.box.goal.get(lang, "") if all(who != seat for who, _ in now.match.answers) else ""


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


def shuffle_values(now: Moment) -> dict[str, list[str]]:
    """Returns whose pages added something to the shuffle and whose did not, if any page had sealed something."""
    if now.game is None or not now.game.contributions or now.row.branch:
        return {"contributors": [], "withheld": []}
    opened = [number for number, seat in enumerate(now.seats) if seat.opened]
    theirs = {now.seats[number].guest for number in opened}
    others = [
        number
        for number, seat in enumerate(now.seats)
        if number not in opened and (seat.sealed or (seat.guest and seat.guest not in theirs))
    ]
    return {
        "contributors": [now.names[number] for number in opened],
        "withheld": [now.names[number] for number in others],
    }


def frame(table: Table) -> dict[str, Any]:
    """Returns what the page needs besides its parts."""
    folder = board_folder(table.box)
    own = has_board(table.box)
    return {
        **shuffle_values(table.moment),
        "table_id": table.id,
        "commitment": table.commitment,
        "talk_gestures": GESTURES,
        "talk_longest": MAX_MESSAGE_LENGTH,
        "guided": bool(table.moment.row.guide),
        "deal": deal_address(table.moment.row),
        "in_championship": table.moment.row.sealed_until is not None,
        "branch": table.moment.row.branch,
        "still_dealt": table.is_sealed,
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
    return await table_page(v, table, parse_number(request.query_params.get("as")), left=left)


def record_visit(v: RequestContext, table: Table) -> None:
    """Marks the guest as present, if they play at this table."""
    if v.guest is not None and is_tracked(table) and table.seats_of(v.guest):
        v.house.presence.record_visit(v.guest.id, table.id)


# -- answers ----------------------------------------------------------------------------------------------------------
@post("/t/{table_id:str}/act", status_code=200)
async def act(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Submits one answer, or several in a row."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = await read_form(request)
    seat = parse_number(field(fields, "seat"))
    stamp = field(fields, "stamp")

    now = table.moment
    try:
        guest, place = require_seat(v, table, seat)
        answers = resolve(now.match, place, parse_form(fields))
    except VeilleeError as error:
        return await refusal_page(v, table, seat, error)
    # Asks for confirmation if something is given up, once. A stale question is refused anyway.
    asked_back = v.settings.confirm and field(fields, "sure") != stamp == now.stamp(place)
    lost = now.match.given_up(place, answers, v.lang) if asked_back else []
    if not lost:
        end_work(request.scope)  # the answer is played at once: what follows waits for the disk
        return await respond_after(v, table, seat, submit_answer(table, guest, place, stamp, answers))
    kept = [(name, value) for name, value in fields if name in ("seat", "stamp") or is_answer(name)]
    sure = Confirmation(lost, kept, stamp, address(v, table, seat))
    if is_live(request):
        return html(await to_thread(render, v.lang, "table/confirm.html", table.box, table_id=table.id, sure=sure))
    return await table_page(v, table, seat, sure=sure)


@post("/t/{table_id:str}/draft", status_code=200)
async def draft(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Returns what a draft of answers would be worth, from what its seat knows; changes nothing. 204: nothing is said of
    it, as it is no draft for the present question."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = await read_form(request)
    _, place = require_seat(v, table, parse_number(field(fields, "seat")))
    now, answers = table.moment, [actions[0] for _, actions in parse_form(fields)]
    worth = None
    if now.status == "playing" and field(fields, "stamp") == now.stamp(place) and now.box.preview is not None:
        worth = now.box.preview(now.match.seen_by(place), place, answers)
    if worth is None:
        return Response(None, status_code=204)
    return Response(worth, media_type=MediaType.JSON, headers={"Cache-Control": "no-store"})


@post("/t/{table_id:str}/undo", status_code=200)
async def undo(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = await read_form(request)
    seat = parse_number(field(fields, "seat"))

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
    seat, stamp = parse_number(field(fields, "seat")), field(fields, "stamp")
    await begin_hint(request.scope)
    try:
        guest, place = await to_thread(require_seat, v, table, seat)
        advice = await wait_for_hint(table, guest, place, stamp)
    except VeilleeError as error:
        return await refusal_page(v, table, seat, error)
    if is_live(request):
        return html(await to_thread(advice_part, stamp, table.box, advice, v.lang))
    return await table_page(v, table, seat, hint=advice, stamp=stamp)


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
    await wait_for_bots(v, table)
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


async def wait_for_bots(v: RequestContext, table: Table) -> None:
    """Waits up to 3 s for the bots, so that a page without JavaScript mostly shows a board with something to do."""
    mine = table.seats_of(v.guest)

    def is_waiting(now: Moment) -> bool:
        return now.status == "playing" and not set(mine) & set(now.match.to_act) and not link_state(now)

    await wait_while(v, table, is_waiting)


async def wait_for_shuffle(v: RequestContext, table: Table) -> None:
    """Waits up to 3 s until the other pages have opened what they sealed, for a guest whose page has sealed nothing."""
    if not any(table.seats[seat].sealed for seat in table.seats_of(v.guest)):
        await wait_while(v, table, lambda now: now.row.opens_until is not None)


async def wait_while(v: RequestContext, table: Table, is_waiting: Callable[[Moment], bool]) -> None:
    """Waits while that is so, at most PAGE_WAIT_SECONDS; not if the guest has too many streams open."""
    if not is_waiting(table.moment):
        return
    try:
        become_stream(v.request.scope)
    except TooMany:
        return
    end_work(v.request.scope)
    changed, _, stop = listen(table)
    try:
        async with asyncio.timeout(PAGE_WAIT_SECONDS):
            while is_waiting(table.moment):
                await changed.wait()
                changed.clear()
    except TimeoutError:
        pass
    finally:
        stop()


# -- the stream ---------------------------------------------------------------------------------------------------------
@get("/t/{table_id:str}/stream")
async def stream(request: AnyRequest, table_id: FromPath[str]) -> Stream:
    become_stream(request.scope)
    v = await request_context(request)
    wanted, talk = parse_number(request.query_params.get("as")), request.query_params.get("talk")
    return stream_response(v, await table_of(v.house, table_id), wanted, talk)


def stream_response(v: RequestContext, table: Table, wanted: int | None, talk: str | None) -> Stream:
    query = v.request.query_params
    have = v.request.headers.get("last-event-id") or query.get("at") or ""
    return Stream(
        table_events(
            v,
            table,
            wanted,
            have,
            talk,
            query.get("seen"),
            is_hasty="hasty" in query,
            shows_lobby="lobby" in query,
        ),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


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


ROUTES = [show, act, draft, undo, hint, stream, record]
