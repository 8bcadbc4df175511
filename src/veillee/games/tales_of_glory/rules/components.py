"""TG-1 What is in the box: the numbers of things, of answers and of what can happen."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from veillee.kernel.log import kind

# TG-1.1 The tiles of every set have the same numbers: Ages, then quests, then heroes.
AGE_TILES: Final = 53
QUESTS: Final = 16
HEROES: Final = 5
FIRST_QUEST: Final = AGE_TILES
FIRST_HERO: Final = AGE_TILES + QUESTS
TILES: Final = AGE_TILES + QUESTS + HEROES
AGES: Final = 3
NO_TILE: Final = -1
SET: Final = 128  # in the log a tile is its set's number * SET + its own

# Types, as tiles have them and Place connectors ask for them.
NO_TYPE: Final = 0  # heroes and quests; as a condition: any neighbour
PLACE: Final = 1
MONSTER: Final = 2
TREASURE: Final = 3
CHARACTER: Final = 4
TYPES: Final = 5

# TG-7.1 What a gain gives …
COINS: Final = 0
POTIONS: Final = 1
PRESTIGE: Final = 2
COMBAT: Final = 3
MAGIC: Final = 4
KEY: Final = 5
TOKEN: Final = 6
KINDS: Final = 7

# … and what it is multiplied by; 1 to 4 are the types.
ONCE: Final = 0
PER_KEY: Final = 5
PER_COMBAT: Final = 6
PER_MAGIC: Final = 7
PER_MAJORITY: Final = 8
PER_3_COINS: Final = 9
PER_3_POTIONS: Final = 10
PER_SURROUNDED: Final = 11
PER_CLOSED: Final = 12
PERS: Final = 13
A_STACK: Final = 3  # coins or potions that count as one

# Where a gain is printed: tile * SOURCES + one of these.
OWN: Final = 0
CHEST: Final = 1  # + which of its two chests
CONNECTOR: Final = 4  # + side
SOURCES: Final = 8

# Which gains are taken: TG-3.3.2 those of now, TG-5.2 those of the end, all those of a chest that is opened at the end.
NOW: Final = 0
AT_END: Final = 1
BOTH: Final = 2

# Sides, clockwise from the top, and the field of cells: the hero is in the middle, a zone has at most 12 more tiles.
SIDES: Final = 4
ALL_SIDES: Final = 15  # the sum of 1 << side
SPAN: Final = 27
CELLS: Final = SPAN * SPAN
HOME: Final = CELLS // 2
TOWARDS: Final = vec[i64]([-SPAN, 1, SPAN, -1])
OPPOSITE: Final = vec[i64]([2, 3, 0, 1])
MOST_CHESTS: Final = 26  # in a zone: two on each tile
BAR: Final = 4  # in a rim: the four bits of sides that must have a connector, then those that must not

# The central board.
SLOTS: Final = vec[i64]([0, 0, 6, 6, 8, 8])  # TG-1.2 by number of players
WILD: Final = vec[i64]([0, 0, 3, 3, 4, 4])  # the first slot of the wild lands, counted from 0
TOLL: Final = 1  # TG-3.1.2 coins or potions
THROWN: Final = vec[i64]([0, 0, 3, 2, 1, 0])  # TG-1.3 discarded each round
MOST_SLOTS: Final = 8
NO_SLOT: Final = -1
ASIDE: Final = 2  # TG-1.4
ROUNDS: Final = 10
MAJORITIES: Final = vec[i64]([COMBAT, MAGIC, POTIONS, COINS])
MAJORITY: Final = 4  # TG-5.1 Prestige
HAND: Final = 3  # TG-6.1 quests
PAID_FIRST: Final = (
    1  # TG-6.2 a reading (ADR 35), a bit of State.readings: all tiles are paid and placed before any gain
)

# What can happen. A tile moves from where it was to where the line says.
HERO_DEALT: Final = kind("hero", "tile")  # to the middle of the zone
FIRST: Final = kind("first")
OFFERED: Final = kind("offer", "tile", "slot")  # from the piles to the slot
QUEST_DEALT: Final = kind("dealt", "tile")  # to the hand
QUEST_DROPPED: Final = kind("drop", "tile")  # from the hand, out of the game
SELECTED: Final = kind("select", "slot")  # in secret
REVEALED: Final = kind("selected", "slot")
TAKEN: Final = kind("take", "tile", "slot")  # from the slot to the seat
QUEST_SHOWN: Final = kind("quest", "tile")  # from the hand to the table
PAID: Final = kind("pay", "tile", "coins", "potions")
ALL_PAID: Final = kind("all paid")  # TG-6.2 where all tiles are paid and placed before any gain
PLACED: Final = kind("place", "tile", "cell")  # from the table to the zone
DISCARDED: Final = kind("discard", "tile")  # from the table to the discards
GAINED: Final = kind("gain", "resource", "amount", "source")  # the source as in the log: its tile * SOURCES + where
TOKEN_GAINED: Final = kind("token", "keeper", "before")  # who has gained it now and until now, or NO_SEAT
OPENED: Final = kind("open", "tile", "chest")
KEY_LOST: Final = kind("lost key")
SLOT_CLEARED: Final = kind("thrown", "tile", "slot")  # from the slot to the discards
ROUND: Final = kind("round", "number")
MAJORITY_WON: Final = kind("majority", "resource", "points")

# Actions. A choice has the same number in every position.
SELECT: Final = 0  # + slot
TAKE: Final = 8  # + slot
PLAY: Final = 16  # + how the wild lands are paid
DISCARD: Final = 19
DONE: Final = 20
QUEST: Final = 21  # + number of the quest
DROP: Final = 37  # + number of the quest
OPEN: Final = 53  # + 2 * tile + chest
PUT: Final = 201  # + cell

NOTHING: Final = 0  # the ways to pay for the wild lands
A_COIN: Final = 1
A_POTION: Final = 2

SELECTS: Final = vec[vec[i64]]([vec[i64]([SELECT + slot for slot in range(n)]) for n in range(MOST_SLOTS + 1)])
TAKES: Final = vec[vec[i64]]([vec[i64]([TAKE + slot for slot in range(n)]) for n in range(MOST_SLOTS + 1)])
CIVILISED: Final = vec[i64]([PLAY + NOTHING, DISCARD])
WILDERNESS: Final = vec[i64]([PLAY + A_COIN, PLAY + A_POTION, DISCARD])


def offset(cell: i64) -> tuple[i64, i64]:
    """How far a cell is from the hero: to the right, and down."""
    return cell % SPAN - HOME % SPAN, cell // SPAN - HOME // SPAN


def bits(n: i64) -> i64:
    count: i64 = 0
    while n > 0:
        count += n & 1
        n >>= 1
    return count
