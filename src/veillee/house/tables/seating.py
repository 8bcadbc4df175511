"""Changes of who sits where: each function returns a table's next row.

Checks whether the guest may do it; writes nothing (table.py does).
"""

from __future__ import annotations

from dataclasses import replace

from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import make_distinct
from veillee.house.accounts.shields import default_shield, shield_or_default
from veillee.house.errors import BadRequest, NotNow, NotYours, t
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.seat_clocks import HouseEvent, HouseEventKind, SeatClock
from veillee.house.tables.moment import Moment
from veillee.house.tables.repository import TableRow
from veillee.house.tables.seats import SUBSTITUTE_LEVEL, Seat, check_rated_level, find_own_seat, pick_bot_name
from veillee.match import seeds

OPENING_SECONDS = 6.0  # that the pages have to open what they have sealed for the shuffle
SHUFFLING = t("Everybody is here and the shuffle is being made: the game begins in a moment.")


def check_owner(seat: Seat, guest: Guest) -> None:
    """Checks that the seat is the guest's. Raises NotYours."""
    if seat.guest != guest.id:
        raise NotYours(t("This is not your seat."))


def with_seat(row: TableRow, seat: int, taken: Seat, word: str = "") -> TableRow:
    """Returns the row with another occupant, or none, on the seat."""
    seats = row.seats[:seat] + (taken,) + row.seats[seat + 1 :]
    return replace(row, seats=seats, luck=row.luck[:seat] + (word,) + row.luck[seat + 1 :])


# -- while the table waits ----------------------------------------------------------------------------------------------
def take_seat(
    row: TableRow, seat: int, guest: Guest, name: str, word: str, keeper: Seat | None, sealed: str = ""
) -> TableRow:
    """Seats the guest on an open seat; a second seat is for a friend at the same screen. keeper: the player it is
    reserved for. sealed: hash of what the guest's page adds to the shuffle. Raises NotNow, NotYours, BadRequest."""
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
    called = make_distinct(name, [s.name for s in row.seats])
    arms = default_shield(guest.id + called) if friend else shield_or_default(guest.shield, guest.id)
    row = with_seat(row, seat, Seat("person", called, guest.id, SUBSTITUTE_LEVEL, shield=arms), word)
    return seal(row, seat, guest, sealed) if sealed and not friend else row


def give_back_seat(row: TableRow, seat: int, guest: Guest) -> TableRow:
    """Frees the guest's seat. Raises NotYours, NotNow."""
    check_owner(row.seats[seat], guest)
    if row.status != "waiting":
        raise NotNow(t("The game has begun: you can leave your seat to a bot."))
    if row.opens_until is not None:
        raise NotNow(SHUFFLING)
    return with_seat(row, seat, Seat("open"))


def with_bot(row: TableRow, seat: int, guest: Guest, level: str) -> TableRow:
    """Puts a bot on an open seat, on behalf of a guest who sits here. Raises NotYours, NotNow, BadRequest."""
    if guest.id not in [present.guest for present in row.seats]:
        raise NotYours(t("Only players at the table can invite a bot."))
    if row.rated:
        check_rated_level(level)
    if row.seats[seat].kind != "open":
        raise NotNow(t("Somebody sits on that seat already."))
    name = pick_bot_name(row.id, [present.name for present in row.seats])
    return with_seat(row, seat, Seat("bot", name, level=level))


# -- contributions to the shuffle (match/seeds.py, ADR 5) ---------------------------------------------------------------
def seal(row: TableRow, seat: int, guest: Guest, sealed: str) -> TableRow:
    """Keeps the hash of what the guest's page adds to the shuffle; a later one replaces it until all seats are taken.
    Raises NotYours, NotNow, BadRequest."""
    present = row.seats[seat]
    check_owner(present, guest)
    if row.status != "waiting" or row.opens_until is not None or any(one.kind == "link" for one in row.seats):
        raise NotNow(SHUFFLING)
    if sealed == present.sealed:
        return row
    if any(other.sealed == sealed for other in row.seats):
        raise BadRequest(t("Another seat has sealed the same."))
    return with_seat(row, seat, replace(present, sealed=sealed), row.luck[seat])


def open_seal(row: TableRow, seat: int, guest: Guest, contribution: str) -> TableRow:
    """Keeps what the guest's page adds to the shuffle, once all seats are taken. Raises NotYours, NotNow,
    BadRequest."""
    present = row.seats[seat]
    check_owner(present, guest)
    if present.opened and present.opened == contribution:
        return row  # sent twice
    if row.opens_until is None:
        raise NotNow(t("Nothing is opened now: this happens once, when the last seat is taken."))
    if not seeds.is_contribution(contribution) or seeds.seal(contribution) != present.sealed:
        raise BadRequest(t("This is not what was sealed when you sat down."))
    return with_seat(row, seat, replace(present, opened=contribution), row.luck[seat])


def advance_opening(row: TableRow, at: float) -> TableRow:
    """Returns the row of a table that waits after a change or a deadline: when the last seat is taken, the pages are
    given OPENING_SECONDS to open what they have sealed. A table with one person has nobody to convince, and begins at
    once."""
    if any(seat.kind in ("open", "link") for seat in row.seats):  # by link, each side opens what it adds by itself
        return row
    if row.opens_until is None:
        people = {seat.guest for seat in row.seats if seat.guest}
        if not any(seat.sealed for seat in row.seats):
            return row
        if len(people) < 2:
            return replace(row, seats=tuple([replace(seat, sealed="") for seat in row.seats]))
        return replace(row, opens_until=at + OPENING_SECONDS)
    withheld = [number for number, seat in enumerate(row.seats) if seat.sealed and not seat.opened]
    if withheld and at < row.opens_until:
        return row
    lines = [HouseEvent("withheld", number, 0, 0, at) for number in withheld]
    return replace(row, opens_until=None, lines=(*row.lines, *lines))


# -- during the game, with an entry in the chronicle -------------------------------------------------------------------
def set_away(now: Moment, seat: int, guest: Guest, what: HouseEventKind, at: float) -> TableRow:
    """Leaves the guest's seat to a bot, or takes it back. Raises NotYours, NotNow."""
    row, away = now.row, what != "back"
    present = row.seats[seat]
    check_owner(present, guest)
    if row.status == "waiting":
        raise NotNow(t("The table is still waiting for somebody to sit down."))
    if row.status == "over":
        raise NotNow(t("The game is over."))
    if row.is_played_alone and away:
        raise NotNow(t("Everyone plays this deal without help: the table waits until you come back."))
    if seat_clocks.is_round_over(row.lines):
        raise NotNow(t("The time of this round is over: bots play the game to its end."))
    return row if present.away == away else _house_event_of(now, seat, away=away, what=what, at=at)


def let_substitute_play(now: Moment, seat: int, turn: int, why: HouseEventKind, at: float) -> TableRow:
    """Lets a bot play for the player until they return, unless they have answered that turn meanwhile."""
    present, hour = now.row.seats[seat], now.clocks[seat] if now.clocks else SeatClock()
    if present.kind != "person" or present.away or hour.turn != turn or not hour.since:
        return now.row
    return _house_event_of(now, seat, away=True, what=why, at=at)


def let_bots_finish(now: Moment, at: float) -> TableRow:
    """Lets bots play for all players to the end of the game: the time of its round is over."""
    if now.status != "playing" or seat_clocks.is_round_over(now.row.lines):
        return now.row
    row = now.row
    for number, seat in enumerate(row.seats):
        if seat.kind == "person":
            line = HouseEvent("round_over", number, now.requests, now.stops[-1], at)
            row = with_seat(row, number, replace(seat, away=True), row.luck[number])
            row = replace(row, lines=(*row.lines, line))
    return row


def _house_event_of(now: Moment, seat: int, *, away: bool, what: HouseEventKind, at: float) -> TableRow:
    row = now.row
    line = HouseEvent(what, seat, now.requests, now.stops[-1], at)
    changed = with_seat(row, seat, replace(row.seats[seat], away=away), row.luck[seat])
    return replace(changed, lines=(*row.lines, line))


# -- names and shields -------------------------------------------------------------------------------------------------
def with_new_name(row: TableRow, guest: Guest, name: str) -> TableRow:
    """Renames the guest's own seat; `guest` still has the old name. A finished game keeps its names."""
    seat = find_own_seat(row.seats, guest)
    if seat is None or row.status == "over":
        return row
    present = row.seats[seat]
    shown = make_distinct(name, [other.name for other in row.seats if other is not present])
    return row if shown == present.name else with_seat(row, seat, replace(present, name=shown), row.luck[seat])


def with_shield(row: TableRow, guest: Guest, shield: str) -> TableRow:
    """Changes the shield of the guest's own seat. A finished game keeps its shields."""
    seat = find_own_seat(row.seats, guest)
    if seat is None or row.status == "over" or row.seats[seat].shield == shield:
        return row
    return with_seat(row, seat, replace(row.seats[seat], shield=shield), row.luck[seat])


# -- deleted guests (house/accounts/personal_data.py) ------------------------------------------------------------------
def without_guest(row: TableRow, guest: str) -> TableRow:
    """Removes the guest from the table: frees the seat, replaces a player by a bot, or anonymises a finished game."""
    for number, seat in enumerate(row.seats):
        if seat.guest != guest:
            continue
        word = row.luck[number]
        if row.status == "waiting" and row.opens_until is None:
            empty, word = Seat("open"), ""
        elif row.status != "over":
            name = pick_bot_name(row.id, [other.name for other in row.seats])
            level = seat.level or SUBSTITUTE_LEVEL
            empty = Seat("bot", name, level=level, sealed=seat.sealed, opened=seat.opened)
        else:
            empty = replace(seat, name="", guest="", shield="")
        row = with_seat(row, number, empty, word)
    return row
