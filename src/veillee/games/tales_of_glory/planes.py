"""TG-9.1 A position of Tales of Glory as numbers for one seat: of selections and quests, its own."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64

from veillee.games.tales_of_glory.rules.adventurer import CELL, THERE, Adventurer
from veillee.games.tales_of_glory.rules.components import (
    CELLS,
    FIRST_QUEST,
    HOME,
    MOST_SLOTS,
    NO_TILE,
    QUESTS,
    ROUNDS,
    SPAN,
    TILES,
    TYPES,
)
from veillee.games.tales_of_glory.rules.play import AnyKey, ConnectionKey, LastQuests, Placing, PlayTile
from veillee.games.tales_of_glory.rules.rounds import CatchUp, DropQuest, Selection
from veillee.games.tales_of_glory.rules.table import TalesOfGlory
from veillee.kernel.planes import Planes, Sheet, relative
from veillee.kernel.state import Step

MOST: Final = 99  # of anything on a banner
MOST_PRESTIGE: Final = 300
MOST_PLACED: Final = 13  # tiles in a zone, the hero's own included
MIDDLE: Final = SPAN // 2
QUESTIONS: Final = 8
FEW: Final = 31
RIGHT: Final = vec[i64]([cell % SPAN - MIDDLE for cell in range(CELLS)])  # how far each cell is from the hero
DOWN: Final = vec[i64]([cell // SPAN - MIDDLE for cell in range(CELLS)])


def number_of(question: Step) -> i64:
    """What is asked: 1 to QUESTIONS; 0 for what is none of these."""
    if isinstance(question, Selection):
        return 1
    if isinstance(question, CatchUp):
        return 2
    if isinstance(question, PlayTile):
        return 3
    if isinstance(question, Placing):
        return 4
    if isinstance(question, ConnectionKey):
        return 5
    if isinstance(question, AnyKey):
        return 6
    if isinstance(question, LastQuests):
        return 7
    if isinstance(question, DropQuest):
        return 8
    return 0


class GloryPlanes(Planes):
    def write(self, g: TalesOfGlory, seat: i64, sheet: Sheet) -> None:
        seats = len(g.adventurers)
        me = g.adventurers[seat]
        self.central_board(g, sheet)
        quests: i64 = 0
        for quest in me.hand:
            quests |= 1 << (quest - FIRST_QUEST)
        sheet.plane("your quests", 1)
        sheet.bits(quests, QUESTS)
        sheet.plane("the quest that you dropped", 1)
        sheet.one_of(me.dropped - FIRST_QUEST if me.dropped != NO_TILE else -1, QUESTS)
        sheet.plane("the slot that you selected", 1)
        sheet.one_of(me.selected, MOST_SLOTS)
        for turn in range(seats):
            other = seat + turn if seat + turn < seats else seat + turn - seats
            self.adventurer(g, other, sheet)
        sheet.plane("who is first, and who has gained the token for the next round", 1)
        sheet.one_of(relative(g.first, seat, seats), seats)
        sheet.one_of(relative(g.token, seat, seats), seats)
        sheet.plane("round", ROUNDS)
        sheet.put(g.round)
        sheet.plane("tiles left of each age, and laid aside", TILES)
        left = len(g.pile)
        third = min(left, len(g.tiles.ages[2]))  # they lie on each other: Age 3 at the bottom, Age 1 on top
        second = min(left - third, len(g.tiles.ages[1]))
        sheet.put(left - third - second)
        sheet.put(second)
        sheet.put(third)
        sheet.put(len(g.aside))
        sheet.plane("tiles discarded", 1)
        sheet.count(g.discards, TILES)
        placing: i64 = NO_TILE
        asks: i64 = 0
        if g.asks(seat):
            question = g.asked(seat)
            asks = number_of(question)
            if isinstance(question, (Placing, ConnectionKey)):
                placing = question.tile
        sheet.plane("your question: select, catch up, play, place, key of a connection, key, quests, drop a quest", 1)
        sheet.one_of(asks - 1, QUESTIONS)
        sheet.names("the tile that it is about, its number and 1 more", TILES)
        sheet.put(placing + 1)

    def central_board(self, g: TalesOfGlory, sheet: Sheet) -> None:
        tiles = g.tiles
        slots = g.slots
        sheet.names("the slots: each one's tile, its number and 1 more", TILES)
        start = sheet.at
        sheet.nothing(MOST_SLOTS)
        sheet.plane("the slots: what each tile costs and asks for: coins, potions, combat, magic; its type", MOST)
        place = sheet.at
        sheet.nothing(MOST_SLOTS * 5)
        numbers = sheet.numbers
        for tile in slots:
            if tile != NO_TILE:
                numbers[start] = i16(tile + 1)
                numbers[place] = i16(tiles.coins[tile])
                numbers[place + 1] = i16(tiles.potions[tile])
                numbers[place + 2] = i16(tiles.combat[tile])
                numbers[place + 3] = i16(tiles.magic[tile])
                numbers[place + 4] = i16(tiles.types[tile])
            start += 1
            place += 5

    def adventurer(self, g: TalesOfGlory, seat: i64, sheet: Sheet) -> None:
        a = g.adventurers[seat]
        sheet.plane("an adventurer: coins, potions, combat, magic", MOST)
        sheet.put(a.coins)
        sheet.put(a.potions)
        sheet.put(a.combat)
        sheet.put(a.magic)
        sheet.plane("an adventurer: prestige", MOST_PRESTIGE)
        sheet.put(a.prestige)
        sheet.plane("an adventurer: tiles of each type", MOST)
        sheet.counts(a.types, TYPES)
        sheet.plane("an adventurer: chests closed and open, quests in hand", MOST)
        sheet.put(len(a.shut))
        sheet.put(len(a.open))
        sheet.put(len(a.hand))
        sheet.plane("an adventurer: majorities", 1)
        sheet.bits(a.majorities, 4)
        sheet.plane("an adventurer: what is asked", QUESTIONS)
        sheet.put(number_of(g.asked(seat)) if g.asks(seat) else 0)
        sheet.names("an adventurer: the tile taken, its number and 1 more", TILES)
        sheet.put(a.taken + 1)
        sheet.names("an adventurer: the slot it was taken from, and 1 more", MOST_SLOTS)
        sheet.put(a.slot + 1 if a.taken != NO_TILE else 0)
        self.zone(a, sheet)

    def zone(self, a: Adventurer, sheet: Sheet) -> None:
        start = sheet.at
        sheet.names("a zone: its tiles in the order of placement, their numbers and 1 more", TILES)
        sheet.nothing(MOST_PLACED)
        sheet.plane("a zone: how far each is from the hero to the right", MIDDLE, -MIDDLE)
        sheet.nothing(MOST_PLACED)
        sheet.plane("a zone: and down", MIDDLE, -MIDDLE)
        sheet.nothing(MOST_PLACED)
        sheet.plane("a zone: open chests of each, the first 1, the second 2", 3)
        sheet.nothing(MOST_PLACED)
        numbers = sheet.numbers
        some: i64 = 0  # tiles that may have an open chest: the sum of 1 << the last bits of their numbers
        for chest in a.open:
            some |= 1 << ((chest >> 1) & FEW)
        place = start
        for entry in a.ground:
            tile = entry & THERE
            cell = entry >> CELL
            numbers[place] = i16(tile + 1)
            numbers[place + MOST_PLACED] = i16(RIGHT[cell])
            numbers[place + 2 * MOST_PLACED] = i16(DOWN[cell])
            if (some >> (tile & FEW)) & 1 == 1:
                for chest in a.open:
                    if chest >> 1 == tile:
                        numbers[place + 3 * MOST_PLACED] += i16((chest & 1) + 1)
            place += 1


assert HOME == MIDDLE * SPAN + MIDDLE
PLANES = GloryPlanes()
