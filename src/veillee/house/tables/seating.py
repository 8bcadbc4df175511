"""Who sits where, after somebody has come or gone: the row of a table, made of the one before.

What somebody may do is checked here; nothing is written (table.py does that).
"""

from __future__ import annotations

from dataclasses import replace

from veillee.house.accounts.people import (
    SUBSTITUTE,
    UNRATED,
    Guest,
    Seat,
    distinct,
    is_made,
    name_for_bot,
    own_seat,
)
from veillee.house.accounts.shields import given, worn
from veillee.house.errors import NotNow, NotYours, t
from veillee.house.storage.table_rows import Row
from veillee.house.tables.clocks.seat_clocks import Hour, Line, What
from veillee.house.tables.moment import Moment


def check_owner(seat: Seat, guest: Guest) -> None:
    """Raises NotYours."""
    if seat.guest != guest.id:
        raise NotYours(t("This is not your seat."))


def placed(row: Row, seat: int, taken: Seat, word: str = "") -> Row:
    """With somebody else, or nobody, on the seat."""
    seats = row.seats[:seat] + (taken,) + row.seats[seat + 1 :]
    return replace(row, seats=seats, luck=row.luck[:seat] + (word,) + row.luck[seat + 1 :])


# -- while the table waits ----------------------------------------------------------------------------------------------
def sat(row: Row, seat: int, guest: Guest, name: str, word: str, keeper: Seat | None) -> Row:
    """The guest takes an open seat, a second one too: a friend at the same screen. keeper: for whom it is kept."""
    present = row.seats[seat]
    if present.guest == guest.id:
        return row  # a double click
    if present.kind != "open":
        raise NotNow(t("Somebody sits on that seat already."))
    friend = any(other.guest == guest.id for other in row.seats)  # at the same screen
    if friend and (row.public or row.rated):
        raise NotNow(t("At a table for everybody, or a rated one, you take one seat."))
    if keeper is not None and keeper.guest != guest.id:
        raise NotYours(t("This seat is kept for {name}, who played before.", name=keeper.name))
    called = distinct(name, [s.name for s in row.seats])
    arms = given(guest.id + called) if friend else worn(guest.shield, guest.id)
    return placed(row, seat, Seat("person", called, guest.id, SUBSTITUTE, shield=arms), word)


def stood(row: Row, seat: int, guest: Guest) -> Row:
    """The guest gives the seat back."""
    check_owner(row.seats[seat], guest)
    if row.status != "waiting":
        raise NotNow(t("The game has begun: you can leave your seat to a bot."))
    return placed(row, seat, Seat("open"))


def with_bot(row: Row, seat: int, guest: Guest, level: str) -> Row:
    """Somebody who sits here puts a bot on an open seat."""
    if guest.id not in [present.guest for present in row.seats]:
        raise NotYours(t("Only those who sit at the table can invite a bot."))
    if row.rated and is_made(level):
        raise NotNow(UNRATED)
    if row.seats[seat].kind != "open":
        raise NotNow(t("Somebody sits on that seat already."))
    name = name_for_bot(row.id, [present.name for present in row.seats])
    return placed(row, seat, Seat("bot", name, level=level))


# -- while it is played, with a line more in the chronicle -----------------------------------------------------------------
def set_away(now: Moment, seat: int, guest: Guest, what: What, at: float) -> Row:
    """The guest leaves the seat to a bot, or is back."""
    row, away = now.row, what != "back"
    present = row.seats[seat]
    check_owner(present, guest)
    if row.status == "waiting":
        raise NotNow(t("The table is still waiting for somebody to sit down."))
    if row.status == "over":
        raise NotNow(t("The game is over."))
    if row.deal and away:
        raise NotNow(t("You play the deal of the day yourself: the table waits until you come back."))
    return row if present.away == away else _noted(now, seat, away=away, what=what, at=at)


def stood_in(now: Moment, seat: int, turn: int, why: What, at: float) -> Row:
    """A bot plays for somebody until they return, if they have not answered that turn meanwhile."""
    present, hour = now.row.seats[seat], now.hours[seat] if now.hours else Hour()
    if present.kind != "person" or present.away or hour.turn != turn or not hour.since:
        return now.row
    return _noted(now, seat, away=True, what=why, at=at)


def _noted(now: Moment, seat: int, *, away: bool, what: What, at: float) -> Row:
    row = now.row
    line = Line(what, seat, now.requests, now.stops[-1], at)
    changed = placed(row, seat, replace(row.seats[seat], away=away), row.luck[seat])
    return replace(changed, lines=(*row.lines, line))


# -- how a guest is shown, until it is over --------------------------------------------------------------------------------
def renamed(row: Row, guest: Guest, name: str) -> Row:
    """The guest's own seat under a new name; `guest` has the old one still. A finished game keeps its names."""
    seat = own_seat(row.seats, guest)
    if seat is None or row.status == "over":
        return row
    present = row.seats[seat]
    shown = distinct(name, [other.name for other in row.seats if other is not present])
    return row if shown == present.name else placed(row, seat, replace(present, name=shown), row.luck[seat])


def with_shield(row: Row, guest: Guest, shield: str) -> Row:
    """The guest's own seat under another shield. A finished game keeps its shields."""
    seat = own_seat(row.seats, guest)
    if seat is None or row.status == "over" or row.seats[seat].shield == shield:
        return row
    return placed(row, seat, replace(row.seats[seat], shield=shield), row.luck[seat])


# -- gone for good (leaving.py) -----------------------------------------------------------------------------------------
def departed(row: Row, guest: str) -> Row:
    """The table without the guest: the others can go on."""
    for number, seat in enumerate(row.seats):
        if seat.guest != guest:
            continue
        word = row.luck[number]
        if row.status == "waiting":
            empty, word = Seat("open"), ""
        elif row.status == "playing":
            name = name_for_bot(row.id, [other.name for other in row.seats])
            empty = Seat("bot", name, level=seat.level or SUBSTITUTE)
        else:
            empty = replace(seat, name="", guest="", shield="")
        row = placed(row, number, empty, word)
    return row
