"""Tables in a list: the players, whose turn it is and since when, the result, and what can be done with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from babel.dates import format_timedelta

from veillee.games.box import Box
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.shields import shield_or_default
from veillee.house.house import House
from veillee.house.results.results import Result
from veillee.house.tables.listings import TableSummary
from veillee.web.rendering.level_names import level_name
from veillee.web.rendering.presence_panel import describe_time_control
from veillee.web.rendering.seat_names import seat_names
from veillee.web.rendering.templates import translator

MOMENT = timedelta(minutes=1)


@dataclass(frozen=True)
class TableLine:
    """One table, in the reader's language."""

    id: str
    box: Box
    colour: str  # of the reader's seat
    people: str
    shields: list[str]  # of the others
    turn: Literal["you", "other", "waiting", "over"]
    state: str  # "Your turn", "waiting for Ada", "You won"
    since: str  # "for 5 minutes", "2 days ago"
    mine: bool  # no other guest sits there: it may be deleted
    away: bool  # the reader has archived it
    pace: str  # empty without time control


def my_lines(house: House, guest: Guest, lang: str) -> list[TableLine]:
    """Returns the guest's tables: first where it is their turn, then running ones, waiting ones, finished ones."""
    glances = house.tables.for_guest(guest)
    results, away = house.results.load(glances), house.archive.hidden_tables(guest)
    lines = [line(glance, guest, lang, results.get(glance.id), away=glance.id in away) for glance in glances]
    order = ("you", "other", "waiting", "over")
    return sorted(lines, key=lambda one: order.index(one.turn))  # among equals the latest change first


def line(glance: TableSummary, guest: Guest, lang: str, result: Result | None, *, away: bool) -> TableLine:
    t = translator(lang)
    mine = glance.seats_of(guest)
    turn: Literal["you", "other", "waiting", "over"]
    if glance.status == "over":
        turn, state = "over", result_text(glance, mine, result, lang)
    elif glance.status == "waiting":
        free = sum(seat.kind == "open" for seat in glance.seats)
        by_link = any(seat.kind == "link" for seat in glance.seats)
        turn = "waiting"
        state = t("waiting for your friend’s link") if by_link else t.tn("{n} empty chair", "{n} empty chairs", free)
    elif set(glance.asked) & set(mine):
        turn, state = "you", t("Your turn")
    else:
        asked = [seat_names(glance.seats, lang)[seat] for seat in glance.asked]
        turn, state = "other", t("waiting for {name}", name=", ".join(asked)) if asked else ""
    return TableLine(
        glance.id,
        glance.box,
        glance.box.colours[mine[0]],
        companions(glance, lang),
        [shield_or_default(seat.shield, seat.guest) for seat in glance.seats if seat.guest not in ("", guest.id)],
        turn,
        state,
        since(glance.touched, lang, over=turn == "over"),
        all(seat.guest in ("", guest.id) for seat in glance.seats),
        away,
        describe_time_control(glance.pace, lang) if glance.pace.kind else "",
    )


def companions(glance: TableSummary, lang: str) -> str:
    """Returns the people by name, the bots by level."""
    t = translator(lang)
    names = seat_names(glance.seats, lang)
    told = [name for name, seat in zip(names, glance.seats, strict=True) if seat.kind in ("person", "link")]
    bots = Counter(seat.level for seat in glance.seats if seat.kind == "bot")
    told += [
        t.tn("{n} bot ({level})", "{n} bots ({level})", n, level=level_name(t, level)) for level, n in bots.items()
    ]
    return ", ".join(told)


def result_text(glance: TableSummary, mine: Sequence[int], result: Result | None, lang: str) -> str:
    t = translator(lang)
    if result is None:
        return t("finished")
    if len(mine) == 1 and mine[0] in result.winners:
        return t("You won") if len(result.winners) == 1 else t("You won, with others")
    names = seat_names(glance.seats, lang)
    won = t("{names} won", names=", ".join(names[seat] for seat in result.winners)) if result.winners else ""
    if len(mine) != 1:
        return won or t("finished")
    place = t("place {place} of {of}", place=result.places[mine[0]], of=len(glance.seats))
    return f"{place} · {won}" if won else place


def since(then: datetime, lang: str, *, over: bool) -> str:
    """Returns how long ago it was, in words."""
    t, gone = translator(lang), datetime.now(UTC) - then
    if gone < MOMENT:
        return t("just now")
    time = format_timedelta(gone, granularity="minute", locale=lang)
    return t("{time} ago", time=time) if over else t("for {time}", time=time)
