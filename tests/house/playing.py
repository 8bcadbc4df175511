"""Helpers of several tests of tables."""

from __future__ import annotations

import json
from random import Random

from veillee.house.accounts.guest import Guest
from veillee.house.tables.seats import SeatPlan
from veillee.house.tables.table import Table
from veillee.kernel.log import NO_SEAT

ME = SeatPlan("me")
BOT = SeatPlan("bot")
OPEN = SeatPlan("open")
HOTSEAT = SeatPlan("hotseat")


def photograph(table: Table) -> str:
    """Everything that anybody can see of a table, and what the forms carry."""
    now = table.moment
    seats = range(NO_SEAT, now.match.seats)
    shown = [[now.match.view(seat), now.match.log(seat, "fr", now.names)] for seat in seats]
    mine = [[now.stamp(s), now.match.question(s), now.match.can_undo(s)] for s in range(now.match.seats)]
    revs = [now.rev(), *(now.rev([seat]) for seat in range(now.match.seats))]
    return json.dumps([revs, now.status, [str(seat) for seat in now.seats], shown, mine, now.match.save()])


def answer(table: Table, guest: Guest, seat: int, action: int | None = None) -> None:
    """The given choice, or the first that is allowed, from the present board."""
    now = table.moment
    choice = now.match.choices(seat)[0].id if action is None else action
    table.answer(guest, seat, now.stamp(seat), [choice])


def play_on(table: Table, guests: list[Guest], answers: int = 100_000, seed: int = 1) -> None:
    """Let the guests answer at random, so many times or to the end."""
    chance = Random(seed)
    while table.status == "playing" and answers:
        now, answers = table.moment, answers - 1
        seat, guest = next((s, g) for g in guests for s in now.seats_of(g) if s in now.match.to_act)
        table.answer(guest, seat, now.stamp(seat), [chance.choice(now.match.choices(seat)).id])
