"""Analysis page of a finished game (luck, skill and turning points), and playing on from one of its moments."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from veillee.bots.evaluation import Decision
from veillee.house.analysis.queue import Analysis
from veillee.house.errors import NotNow
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT
from veillee.match.analysis import Account, Finding, turns
from veillee.match.errors import VeilleeError
from veillee.web.http.error_pages import is_live
from veillee.web.http.forms import field, parse_number, read_form
from veillee.web.http.request import AnyRequest, RequestContext, request_context, table_of
from veillee.web.http.same_origin import client_key, rate_limit
from veillee.web.http.work_pools import to_thread
from veillee.web.rendering.seat_names import names_at
from veillee.web.rendering.templates import html, render, t, translator

WIDTH, HEIGHT = 720, 220  # of the chart, in SVG units
BAR = 150  # length of a bar of luck or skill, on either side of zero


@dataclass(frozen=True)
class SeatAccount:
    """A seat's account of luck and skill: as a sentence, and as bars."""

    name: str
    colour: str
    start: int  # per cent
    end: int
    parts: tuple[tuple[str, int], ...]  # luck, own choices, the others' choices: label, per cent
    line: str  # points of its line in the chart
    sentence: str


@dataclass(frozen=True)
class SentenceAt:
    """A moment to look at, as a sentence. `at`: its number in the replay."""

    at: int
    text: str


@dataclass(frozen=True)
class Thought:
    """What a seat could have answered, as an expert judges it who knows what the seat knew, the best first: label,
    chance to win after it in per cent, whether it was chosen. `more`: why."""

    options: tuple[tuple[str, int, bool], ...]
    more: str


@get("/t/{table_id:str}/analysis")
async def show(request: AnyRequest, table_id: FromPath[str]) -> Response[str]:
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    return await line(v, table) if is_live(request) else await page(v, table)


@post("/t/{table_id:str}/analysis", status_code=200)
async def ask(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Queues the analysis of the game, once for all viewers. The answers of the first player to ask are analysed
    first."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    with suppress(VeilleeError) if is_live(request) else nullcontext():  # a result without that line is whole, too
        if (await to_thread(v.house.analyses.find, table.id)).state in ("none", "failed"):
            rate_limit(request, "tables")
            mine = table.seats_of(v.guest)
            first, address = mine[0] if mine else None, client_key(request)[0]
            await to_thread(v.house.analyses.enqueue, table.id, table.match, first, address=address)
    return await line(v, table) if is_live(request) else v.redirect(f"/t/{table.id}/analysis")


@post("/t/{table_id:str}/play-on", status_code=200)
async def play_on(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Opens a table for the guest that goes on from this moment, against bots."""
    v = await request_context(request)
    table = await table_of(v.house, table_id)
    fields = await read_form(request)
    at, seat = parse_number(field(fields, "at")), parse_number(field(fields, "seat"))
    rate_limit(request, "tables")
    guest = await v.get_or_create_guest()
    mine = table.seats_of(guest)
    chosen = seat if seat is not None else mine[0] if mine else 0
    opened = await to_thread(v.house.tables.play_on, guest, table, -1 if at is None else at, chosen)
    return v.redirect(f"/t/{opened.id}")


async def line(v: RequestContext, table: Table) -> Response[str]:
    """Returns luck and skill of the reader's seat, or of the winner's, in one line; or how far the analysis has come."""

    def build() -> str:
        now = table.moment
        found = v.house.analyses.find(table.id) if now.status == "over" else Analysis()
        values: dict[str, Any] = {"sentence": ""}
        if found.state == "done":
            seat = (table.seats_of(v.guest) or now.match.ranking[0])[0]
            values["sentence"] = analysis_context(found, table, v)["shares"][seat].sentence
        percent = 100 * found.completed // max(1, found.total)
        return render(
            v.lang, "table/luck.html", table.box, table_id=table.id, state=found.state, percent=percent, **values
        )

    return html(await to_thread(build))


async def page(v: RequestContext, table: Table) -> Response[str]:
    def build() -> Response[str]:
        now = table.moment
        if now.status != "over":
            raise NotNow(t("A game is analysed once it is over."))
        found = v.house.analyses.find(table.id)
        dealt = table.is_sealed
        return v.page(
            "analysis.html", table.box, table_id=table.id, still_dealt=dealt, **analysis_context(found, table, v)
        )

    return await to_thread(build)


def analysis_context(found: Analysis, table: Table, v: RequestContext) -> dict[str, Any]:
    values: dict[str, Any] = {"state": found.state, "done": found.completed, "total": found.total}
    if not found.rows:
        return values
    called, every = names_at(table.moment, v.lang), found.findings(table.match)
    findings = [one for place, one in enumerate(every) if one.number == place]  # without a gap from the first on
    account = Account(len(called))
    for one in findings:
        account.add(one)
    mine = table.seats_of(v.guest)
    return values | {
        "width": WIDTH,
        "height": HEIGHT,
        "bar": BAR,
        "shares": [seat_account(seat, account, findings, called, table, v.lang) for seat in range(len(called))],
        "turns": [SentenceAt(one.number, one.sentences(v.lang, called)) for one in turns(findings[1:])],
        "lessons": lessons(every, mine, v.lang, called),
        "chances": [(one.number, [round(100 * chance) for chance in one.chances]) for one in findings],
        "step": WIDTH / max(1, found.total - 1),
        "names": called,
    }


def seat_account(
    seat: int, account: Account, findings: Sequence[Finding], called: Sequence[str], table: Table, lang: str
) -> SeatAccount:
    t = translator(lang)
    last = max(1, len(table.match.answers))
    line = " ".join(f"{one.number * WIDTH / last:.1f},{HEIGHT * (1 - one.chances[seat]):.1f}" for one in findings)
    start, end = (round(100 * row[seat]) for row in (account.start, account.end))
    luck, own, others = round_to_sum([row[seat] for row in (account.luck, account.own, account.others)], end - start)
    parts = ((t("luck"), luck), (t("own choices"), own), (t("the others’ choices"), others))
    said = t(
        "{name} went from {start} % to {end} %: luck {luck}, own choices {own}, the others’ choices {others}.",
        name=called[seat],
        start=start,
        end=end,
        luck=signed_percent(luck),
        own=signed_percent(own),
        others=signed_percent(others),
    )
    return SeatAccount(called[seat], table.box.colours[seat], start, end, parts, line, said)


def round_to_sum(parts: Sequence[float], total: int) -> list[int]:
    """Rounds the parts to whole per cents that add up to the total, each as near as possible to its value."""
    found = [round(100 * part) for part in parts]
    while gap := total - sum(found):
        step = 1 if gap > 0 else -1
        found[max(range(len(parts)), key=lambda n: step * (100 * parts[n] - found[n]))] += step
    return found


def signed_percent(per_cent: int) -> str:
    return f"{per_cent:+d}".replace("-", "−")


def lessons(findings: Sequence[Finding], seats: Sequence[int], lang: str, called: Sequence[str]) -> list[SentenceAt]:
    """Returns the answers of the reader's seats, of which there may be several, where another one was clearly better by
    what was known there."""
    return [
        SentenceAt(one.number - 1, lesson(one, one.decision, lang, called, alone=len(seats) == 1))
        for one in findings
        if one.seat in seats and one.decision is not None and one.decision.mistake
    ]


def lesson(found: Finding, decision: Decision, lang: str, called: Sequence[str], *, alone: bool) -> str:
    """Returns what was chosen, what was better, and why. alone: the reader has one seat, which is addressed as
    "you"."""
    t = translator(lang)
    figures = {
        "choice": found.label(decision.taken, lang),
        "taken": round(100 * decision.chosen.wins),
        "best": found.label(decision.best.action, lang),
        "wins": round(100 * decision.best.wins),
    }
    if alone:
        said = t(
            "You chose “{choice}”: {taken} % to win. With what you knew, “{best}” was better: {wins} %.", **figures
        )
    else:
        said = t(
            "{who} chose “{choice}”: {taken} % to win. By what was known there, “{best}” was better: {wins} %.",
            who=called[found.seat],
            **figures,
        )
    return f"{said} {found.why(lang, called)}".rstrip()


def thoughts(found: Analysis, table: Table, seat: int, lang: str) -> dict[int, Thought]:
    """Returns the thoughts for the replay, by the moment at which the seat was asked."""
    if found.state != "done" or seat == NO_SEAT:
        return {}
    every, called = found.findings(table.match), names_at(table.moment, lang)
    return {
        one.number - 1: make_thought(one, one.decision, lang, called)
        for one in every
        if one.seat == seat and one.decision is not None
    }


def make_thought(found: Finding, decision: Decision, lang: str, called: Sequence[str]) -> Thought:
    t = translator(lang)
    return Thought(
        tuple(
            (found.label(option.action, lang), round(100 * option.wins), option.action == decision.taken)
            for option in decision.options
        ),
        t("Thinking longer leads to the same choice.") if decision.vindicated else found.why(lang, called),
    )


ROUTES = [show, ask, play_on]
