"""Guests and seats."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from veillee.bots.levels import MEASURE, OFFERED, strength_of
from veillee.house.accounts.name_safety import mixed, skeleton, visible
from veillee.house.errors import BadRequest, t

LONGEST_NAME = 30
LONGEST_LUCK = 60
UNRATED = t(
    "A bot that is made to measure sits at no rated table: who is as strong as everybody has no place on the scale."
)
SUBSTITUTE = "regular"  # the level of the bot that plays for somebody who has left
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs by their kind, and nothing on the screen

# Bots have names too: one says "Capucine plays", not "bot 2 plays".
BOT_NAMES = ("Aliénor", "Barnabé", "Capucine", "Désiré", "Eulalie", "Firmin", "Guenièvre", "Hippolyte")


@dataclass(frozen=True)
class Guest:
    """Somebody with a cookie. `token` is only known when it has just been made: the store keeps its hash."""

    id: str
    name: str
    token: str = ""
    chosen: bool = True  # their own choice; else a newcomer's name, and they are asked on sitting down with others
    shield: str = ""  # that they have made (shields.py)


@dataclass(frozen=True)
class SeatPlan:
    """Who is to sit on one seat of a new table.

    me: the guest who makes the table; hotseat: a person at the same screen; bot: of a level (bots.levels.OFFERED), or
    made to measure (measures.py); open: whoever follows the invitation. An empty name is filled in.
    """

    kind: Literal["me", "bot", "open", "hotseat"]
    name: str = ""
    level: str = "regular"


@dataclass(frozen=True)
class Seat:
    """One seat of a table, as everybody may see it (`guest` is an id, no secret)."""

    kind: Literal["person", "bot", "open"]
    name: str = ""
    guest: str = ""  # who sits here; empty for bots and open seats
    level: str = ""  # of the bot; of the one that takes over while `away`
    away: bool = False  # the person has left: a bot plays until they come back
    shield: str = ""  # of the person (shields.py)

    @property
    def by_bot(self) -> bool:
        """Does a bot answer for this seat now?"""
        return self.kind == "bot" or self.away


def clean_name(name: str) -> str:
    """A name as it may stand on the screen: one line, nothing invisible, not too long. Raises BadRequest."""
    shown = visible(name)
    if not any(_drawn(c) for c in shown):
        raise BadRequest(t("A name is needed: one letter is enough."))
    if mixed(shown):
        raise BadRequest(t("A name is written in one alphabet: letters of several can look the same."))
    if len(shown) > LONGEST_NAME:
        raise BadRequest(t("A name has at most {most} letters.", most=LONGEST_NAME))
    return shown


def clean_luck(word: str) -> str:
    """A word of luck, or none. Raises BadRequest."""
    shown = visible(word)
    if len(shown) > LONGEST_LUCK:
        raise BadRequest(t("A word of luck has at most {most} letters.", most=LONGEST_LUCK))
    return shown


def check_level(level: str) -> str:
    """Of a bot that sits down: one that is made to measure has been measured (measures.py). Raises BadRequest."""
    if level not in OFFERED and strength_of(level) is None:
        known = ", ".join((*OFFERED, MEASURE))
        raise BadRequest(t("There is no level {level}: the levels are {levels}.", level=level[:40], levels=known))
    return level


def is_made(level: str) -> bool:
    """Is it a bot to measure (measures.py), made or to be made?"""
    return level == MEASURE or strength_of(level) is not None


def distinct(name: str, taken: Collection[str]) -> str:
    """The name, with a number if somebody at the table has it already, or one that looks the same."""
    alike = {skeleton(other) for other in taken}
    number, told = 2, name
    while skeleton(told) in alike:
        number, told = number + 1, f"{name} {number}"
    return told


def own_seat(seats: Sequence[Seat], guest: Guest) -> int | None:
    """Where the guest sits in person: around one screen the other seats are their friends', who have names of their own."""
    mine = [number for number, seat in enumerate(seats) if seat.guest == guest.id]
    if len(mine) < 2:
        return mine[0] if mine else None
    named = [number for number in mine if seats[number].name == guest.name]
    numbered = [number for number in mine if re.fullmatch(re.escape(guest.name) + r" \d+", seats[number].name)]
    return next(iter(named + numbered), None)


def name_for_bot(table_id: str, taken: Collection[str]) -> str:
    """Not the same company at every table."""
    first = sum(table_id.encode()) % len(BOT_NAMES)
    names = BOT_NAMES[first:] + BOT_NAMES[:first]
    return next((name for name in names if name not in taken), distinct(names[0], taken))


def _drawn(c: str) -> bool:
    """Does it put something on the screen by itself? Marks, joiners and letters that are blank do not."""
    return unicodedata.category(c)[0] in "LNPS" and c not in BLANKS
