"""PT-1, PT-5, PT-6 What is in the box: cards, buildings, figures of the rulebook; and the numbers of the answers."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.paper_tales import content

# PT-5 The kinds of units, in the order of content.toml: the cheapest first.
MONKEY: Final = 0
ADVENTURER: Final = 1
BLACKSMITH: Final = 2
CERBERUS: Final = 3
COOK: Final = 4
FARMER: Final = 5
HUNTER: Final = 6
MILITIAMAN: Final = 7
HEALER: Final = 8
SCULPTOR: Final = 9
SHAPESHIFTER: Final = 10
TIME_MASTER: Final = 11
VETERAN: Final = 12
WOOD_MERCHANT: Final = 13
WOODCUTTER: Final = 14
ARCHER: Final = 15
CAVE_SPIRIT: Final = 16
FOREST_CHILD: Final = 17
GIANT_SNAKE: Final = 18
GRAND_ARCHITECT: Final = 19
KNIGHT: Final = 20
MINER: Final = 21
NECROMANCER: Final = 22
PEDDLER: Final = 23
ROGUE: Final = 24
TREEFOLK: Final = 25
COLOSSUS: Final = 26
COMMANDER: Final = 27
DEMON: Final = 28
GOLEM: Final = 29
LANDLORD: Final = 30
MANTICORE: Final = 31
MASTER_ALCHEMIST: Final = 32
OGRE: Final = 33
PALM_READER: Final = 34
RELIC: Final = 35
SALAMANDER: Final = 36
DRAGON: Final = 37
FOREST_SPIRIT: Final = 38
LEVIATHAN: Final = 39
STRATEGIST: Final = 40
KRAKEN: Final = 41
KINDS: Final = 42
CARDS: Final = 81
NO_CARD: Final = -1

# PT-6 The buildings.
BARRACKS: Final = 0
MINE: Final = 1
TAVERN: Final = 2
TEMPLE: Final = 3
TOWN: Final = 4
BUILDINGS: Final = 5

# By kind of unit.
COST: Final = vec[i64](content.COST)
STRENGTH: Final = vec[i64](content.STRENGTH)
WOOD: Final = vec[i64](content.WOOD)
FOOD: Final = vec[i64](content.FOOD)
CRYSTAL: Final = vec[i64](content.CRYSTAL)

KIND: Final = vec[i64](content.KIND)  # of each card
DECK: Final = vec[i64](range(CARDS))

# By building, what each level takes.
NEEDS_WOOD: Final = vec[vec[i64]]([vec[i64](level) for level in content.NEEDS_WOOD])
NEEDS_FOOD: Final = vec[vec[i64]]([vec[i64](level) for level in content.NEEDS_FOOD])
NEEDS_CRYSTAL: Final = vec[vec[i64]]([vec[i64](level) for level in content.NEEDS_CRYSTAL])
OR_GOLD: Final = vec[vec[i64]]([vec[i64](level) for level in content.OR_GOLD])

MOST_PLAYERS: Final = 5
TURNS: Final = 4
GOLD_AT_START: Final = 3
DEALT: Final = 5
DEALT_TO_TWO: Final = 9
PASSES: Final = 4  # after the fourth, one card is left and is kept
PICKS: Final = 5  # of each player in a draft
FRONT_SPOTS: Final = 2
BACK_SPOTS: Final = 2
MOST_UNITS: Final = 5
MOST_PLANNED: Final = 11  # five old units, five cards kept and one saved
WAR_WON: Final = 3
MORE_THAN_TWICE: Final = 1  # PT-2.3.3 a reading (ADR 35), a bit of State.readings: exactly twice is one war won
BASE_INCOME: Final = 2
LAND: Final = 2
OUT_OF_REACH: Final = 99  # a price that no kingdom can pay
SHAPES_UP_TO: Final = 3  # the costliest unit that the Shapeshifter turns into

# The phases of a turn, in the ledgers.
DEPLOYMENT: Final = 2
WAR: Final = 3
INCOME: Final = 4
CONSTRUCTION: Final = 5
AGEING: Final = 6
THE_END: Final = 7

# Rows, and what a deployment does with a card: the answers in this order (equal cards never go back in it).
FRONT: Final = 0
BACK: Final = 1
SAVED: Final = 2
GONE: Final = 3

# Where points and gold come from, in the log and the report: a kind of unit, a building, or one of these.
FROM_BUILDING: Final = 42  # + building
FROM_WAR: Final = 47
FROM_BASE: Final = 48
FROM_FLOOR: Final = 49  # PT-1.1 what a loss did not take, because points never fall below 0
LEDGER_ROW: Final = 4  # a ledger is rows of: phase, source, legend points, gold

# Actions. A choice has the same number in every position.
KEEP: Final = 0  # + kind
TOSS: Final = 42  # + kind
DEPLOY: Final = 84  # + FRONT, BACK, SAVED, GONE
AGE: Final = 88  # + place in the kingdom
HEAL: Final = 93  # + place in the kingdom
NO_HEAL: Final = 98
BUILD: Final = 99  # + building
BUILD_HIGH: Final = 104  # + building, straight to level 2
UPGRADE: Final = 109  # + building
NO_BUILDING: Final = 114
UNDECIDED: Final = -1

DEPLOY_OLD: Final = vec[i64]([DEPLOY + FRONT, DEPLOY + BACK, DEPLOY + GONE])
DEPLOY_NEW: Final = vec[i64]([DEPLOY + FRONT, DEPLOY + BACK, DEPLOY + SAVED, DEPLOY + GONE])
AGES: Final = vec[i64]([AGE + place for place in range(MOST_UNITS)])
HEALS: Final = vec[i64]([HEAL + place for place in range(MOST_UNITS)])
CONSTRUCTIONS: Final = vec[i64]([NO_BUILDING] + list(range(BUILD, NO_BUILDING)))


def sort_cards(cards: vec[i64]) -> None:
    """The cheapest first: cards are numbered so. There are few of them."""
    for i in range(1, len(cards)):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
