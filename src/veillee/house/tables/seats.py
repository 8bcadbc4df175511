"""Seats as values: who sits there, what was planned, which levels and names bots may have."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from veillee.bots.levels import MEASURE, OFFERED, strength_of
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import MAX_RAW_FACTOR, keep_visible_characters, make_distinct
from veillee.house.errors import BadRequest, t
from veillee.match import seeds

LONGEST_LUCK = 60
UNRATED = t(
    "A bot made to measure does not play at rated tables: a bot that adapts to everyone has no place on the scale."
)
UNRATED_MASTER = t("A master does not play at rated tables yet: its place on the scale has not been measured.")
AWAITED = "awaited"  # in place of a level: a friend by link who has not replied, or whose browser has the seed
SUBSTITUTE_LEVEL = "regular"  # level of the bot that replaces a player who has left

# Bots have names, so that texts can say "Capucine plays", not "bot 2 plays".
BOT_NAMES = ("Aliénor", "Barnabé", "Capucine", "Désiré", "Eulalie", "Firmin", "Guenièvre", "Hippolyte")


@dataclass(frozen=True)
class SeatPlan:
    """The planned occupant of one seat of a new table.

    me: the guest who creates the table; hotseat: a person at the same screen; bot: of a level (bots.levels.OFFERED), or
    adaptive (house/analysis/strength.py); open: a guest who follows the invitation; link: a friend in another browser
    (by_link.py); guest: one whom the house seats, with a bot of `level` as a substitute. An empty name is filled in.
    """

    kind: Literal["me", "bot", "open", "hotseat", "link", "guest"]
    name: str = ""
    level: str = "regular"
    guest: Guest | None = None


@dataclass(frozen=True)
class Seat:
    """One seat of a table, as it is public (`guest` is an id, not a secret)."""

    kind: Literal["person", "bot", "open", "link"]  # link: a friend in another browser, whom no guest here is
    name: str = ""
    guest: str = ""  # id of the guest who sits here; empty for bots and open seats
    # Of the bot, or of the bot that takes over while `away`. Of a friend by link: AWAITED, then nothing, then how many
    # answers both browsers have, which can no longer be undone.
    level: str = ""
    away: bool = False  # the player has left: a bot plays until they return
    shield: str = ""  # of the player (shields.py)
    sealed: str = ""  # hash of what the player's page adds to the shuffle (match/seeds.py); empty: nothing
    opened: str = ""  # what it has added, in hexadecimal; hidden from others until the match begins

    @property
    def is_played_by_bot(self) -> bool:
        """Whether a bot answers for this seat now."""
        return self.kind == "bot" or self.away

    @property
    def is_awaited(self) -> bool:
        """Whether the match cannot begin before a link from the friend's browser has come."""
        return self.kind == "link" and self.level == AWAITED


def check_level(level: str) -> str:
    """Checks the level of a bot that sits down; an adaptive one must have been resolved to a strength. Raises
    BadRequest.
    """
    if level not in OFFERED and strength_of(level) is None:
        known = ", ".join((*OFFERED, MEASURE))
        raise BadRequest(t("There is no level {level}: the levels are {levels}.", level=level[:40], levels=known))
    return level


def is_adaptive_level(level: str) -> bool:
    """Returns whether the level adapts to a guest's strength (house/analysis/strength.py), resolved or not."""
    return level == MEASURE or strength_of(level) is not None


def check_rated_level(level: str) -> None:
    """Checks the level of a bot at a rated table: it needs a measured place on the scale of ratings. Raises
    BadRequest."""
    if is_adaptive_level(level):
        raise BadRequest(UNRATED)
    if level == "master":
        raise BadRequest(UNRATED_MASTER)


def clean_luck(word: str) -> str:
    """Returns a cleaned word of luck, or an empty one. Raises BadRequest."""
    shown = keep_visible_characters(word[: MAX_RAW_FACTOR * LONGEST_LUCK])
    if len(shown) > LONGEST_LUCK or len(word) > MAX_RAW_FACTOR * LONGEST_LUCK:
        raise BadRequest(t("A word of luck has at most {most} letters.", most=LONGEST_LUCK))
    return shown


def check_seal(sealed: str) -> str:
    """Checks the hash of a contribution to the shuffle, or an empty one. Raises BadRequest."""
    if sealed and not seeds.is_seal(sealed):
        raise BadRequest(t("A seal is a SHA-256 hash of 64 hexadecimal digits."))
    return sealed


def find_own_seat(seats: Sequence[Seat], guest: Guest) -> int | None:
    """Returns the guest's own seat: at a hot-seat table the guest's other seats are for friends, with other names."""
    mine = [number for number, seat in enumerate(seats) if seat.guest == guest.id]
    if len(mine) < 2:
        return mine[0] if mine else None
    named = [number for number in mine if seats[number].name == guest.name]
    numbered = [number for number in mine if re.fullmatch(re.escape(guest.name) + r" \d+", seats[number].name)]
    return next(iter(named + numbered), None)


def pick_bot_name(table_id: str, taken: Collection[str]) -> str:
    """Returns a name for a bot; it depends on the table id, so that tables differ."""
    first = sum(table_id.encode()) % len(BOT_NAMES)
    names = BOT_NAMES[first:] + BOT_NAMES[:first]
    return next((name for name in names if name not in taken), make_distinct(names[0], taken))
