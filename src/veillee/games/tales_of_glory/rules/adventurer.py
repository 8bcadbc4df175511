"""One player's things: the banner, the zone of tiles, the chests, the quests in hand."""

from __future__ import annotations

from typing import Any, ClassVar, Final, final

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.tales_of_glory.rules.components import (
    A_COIN,
    A_POTION,
    A_STACK,
    ALL_SIDES,
    BAR,
    COINS,
    COMBAT,
    MAGIC,
    NO_SLOT,
    NO_TILE,
    ONCE,
    OPPOSITE,
    PER_3_COINS,
    PER_3_POTIONS,
    PER_CLOSED,
    PER_COMBAT,
    PER_KEY,
    PER_MAGIC,
    PER_MAJORITY,
    POTIONS,
    PRESTIGE,
    SIDES,
    TOLL,
    TOWARDS,
    TYPES,
    bits,
)
from veillee.games.tales_of_glory.rules.tiles import TileSet
from veillee.kernel.counts import at, one
from veillee.kernel.plain import counts, pairs
from veillee.kernel.state import ALLOWED, Thing

# A zone has few tiles: they are a row, and the empty cells around them another, to be looked through and quickly copied.
# An entry is (cell << CELL) + what is there.
CELL: Final = 8
THERE: Final = 255


@final
@mypyc_attr(acyclic=True)
class Adventurer(Thing):
    """One player's things."""

    shape: ClassVar[dict[str, Any]] = {"types": counts(TYPES), "ground": pairs(CELL), "rim": pairs(CELL)}

    def __init__(
        self,
        hero: i64,
        coins: i64,
        potions: i64,
        prestige: i64,
        combat: i64,
        magic: i64,
        types: i64,
        ground: vec[i64],
        rim: vec[i64],
        shut: vec[i64],
        open: vec[i64],  # noqa: A002 (as it is written down)
        hand: vec[i64],
        dropped: i64,
        selected: i64,
        taken: i64,
        slot: i64,
        majorities: i64,
    ) -> None:
        self.hero = hero
        self.coins = coins
        self.potions = potions
        self.prestige = prestige
        self.combat = combat
        self.magic = magic
        self.types = types  # how many tiles of each type
        self.ground = ground  # the tiles of the zone and their cells, in the order of placement
        self.rim = rim  # each empty cell beside a tile: sides that must have a connector + those that must not << BAR
        self.shut = shut  # closed chests, as 2 * tile + chest
        self.open = open  # each with its key
        self.hand = hand  # quests, as tiles
        self.dropped = dropped  # TG-6.1 the quest that went out of the game
        self.selected = selected  # slot
        self.taken = taken  # tile
        self.slot = slot  # it was taken from
        self.majorities = majorities  # the sum of 1 << place in MAJORITIES

    def clone(self) -> Adventurer:
        return Adventurer(
            self.hero,
            self.coins,
            self.potions,
            self.prestige,
            self.combat,
            self.magic,
            self.types,
            self.ground[:],
            self.rim[:],
            self.shut[:],
            self.open[:],
            self.hand[:],
            self.dropped,
            self.selected,
            self.taken,
            self.slot,
            self.majorities,
        )

    # -- the banner ---------------------------------------------------------------------------------------
    def has(self, kind: i64) -> i64:
        if kind == COINS:
            return self.coins
        if kind == POTIONS:
            return self.potions
        if kind == COMBAT:
            return self.combat
        if kind == MAGIC:
            return self.magic
        return self.prestige

    def receive(self, kind: i64, amount: i64) -> None:
        if kind == PRESTIGE:
            self.prestige += amount
        elif kind == COINS:
            self.coins += amount
        elif kind == POTIONS:
            self.potions += amount
        elif kind == COMBAT:
            self.combat += amount
        else:
            self.magic += amount

    def times(self, per: i64) -> i64:
        """TG-3.3.1, TG-7.1 How many such things there are at this moment."""
        if per == ONCE:
            return 1
        if per < TYPES:
            return at(self.types, per)
        if per == PER_KEY:
            return len(self.open)
        if per == PER_COMBAT:
            return self.combat
        if per == PER_MAGIC:
            return self.magic
        if per == PER_MAJORITY:
            return bits(self.majorities)
        if per == PER_3_COINS:
            return self.coins // A_STACK
        if per == PER_3_POTIONS:
            return self.potions // A_STACK
        if per == PER_CLOSED:
            return len(self.shut)
        return self.surrounded()

    def missing(self, tiles: TileSet, tile: i64) -> i64:
        """TG-3.1.3 Combat and magic that a tile asks for and the banner lacks."""
        combat = tiles.combat[tile] - self.combat
        magic = tiles.magic[tile] - self.magic
        return max(0, combat) + max(0, magic)

    def unpayable(self, tiles: TileSet, tile: i64, extra: i64) -> str:
        """TG-3.1 The rule against paying for the tile, wild lands included, or ALLOWED."""
        coins = self.coins - tiles.coins[tile]
        potions = self.potions - tiles.potions[tile]
        if coins < 0 or potions < 0:
            return "TG-3.1.1"
        potions -= self.missing(tiles, tile)
        if potions < 0:
            return "TG-3.1.3"
        if (extra == A_COIN and coins < TOLL) or (extra == A_POTION and potions < TOLL):
            return "TG-3.1.2"
        return ALLOWED

    # -- the zone -----------------------------------------------------------------------------------------
    def tile_at(self, cell: i64) -> i64:
        """The tile that lies there, or NO_TILE."""
        for entry in self.ground:
            if entry >> CELL == cell:
                return entry & THERE
        return NO_TILE

    def tile_before(self, last: i64, cell: i64) -> i64:
        """The tile that lies there, if it was placed before the `last`-th; else NO_TILE."""
        for place in range(last):
            if self.ground[place] >> CELL == cell:
                return self.ground[place] & THERE
        return NO_TILE

    def rim_at(self, cell: i64) -> i64:
        """What the neighbours of an empty cell ask of a tile there; 0 if it has none."""
        for entry in self.rim:
            if entry >> CELL == cell:
                return entry & THERE
        return 0

    def surrounded(self) -> i64:
        """Tiles with four neighbours."""
        n: i64 = 0
        for entry in self.ground:
            neighbours: i64 = 0
            for side in range(SIDES):
                if self.tile_at((entry >> CELL) + TOWARDS[side]) != NO_TILE:
                    neighbours += 1
            if neighbours == SIDES:
                n += 1
        return n

    def has_room(self, sides: i64) -> bool:
        """TG-3.2.4 Is there a legal place for a tile with these connectors?"""
        return any(fits(sides, entry) for entry in self.rim)

    def clash(self, sides: i64, cell: i64) -> str:
        """TG-3.2 The rule against a tile with these connectors at this cell, or ALLOWED."""
        rim = self.rim_at(cell)
        need = rim & ALL_SIDES
        if sides & (need | (rim >> BAR)) != need:
            return "TG-3.2.3"
        return ALLOWED if need != 0 else "TG-3.2.2"

    def settle(self, tiles: TileSet, tile: i64, cell: i64) -> None:
        """The tile lies there: its type counts, its chests are closed, the rim grows around it."""
        self.types += one(tiles.types[tile])
        for chest in range(tiles.chests[tile]):
            self.shut = append(self.shut, 2 * tile + chest)
        self.ground = append(self.ground, (cell << CELL) + tile)
        for place in range(len(self.rim)):
            if self.rim[place] >> CELL == cell:
                self.rim, _ = pop(self.rim, place)
                break
        sides = tiles.sides[tile]
        for side in range(SIDES):
            beside = cell + TOWARDS[side]
            if self.tile_at(beside) == NO_TILE:
                bit: i64 = 1 << OPPOSITE[side]
                self.border(beside, bit if (sides >> side) & 1 == 1 else bit << BAR)

    def border(self, cell: i64, asked: i64) -> None:
        """A neighbour of the empty cell asks this of a tile there."""
        rim = self.rim
        for place in range(len(rim)):
            if rim[place] >> CELL == cell:
                rim[place] |= asked
                return
        self.rim = append(rim, (cell << CELL) + asked)

    def has_laid(self, tile: i64) -> bool:
        """Is the tile in the zone?"""
        return any(entry & THERE == tile for entry in self.ground)

    # -- for readers in no hurry --------------------------------------------------------------------------
    def zone(self) -> dict[int, int]:
        """The tile of each cell, in the order of placement."""
        return {int(entry >> CELL): int(entry & THERE) for entry in self.ground}

    def edge(self) -> list[int]:
        """The empty cells beside a tile."""
        return [int(entry >> CELL) for entry in self.rim]


def fits(sides: i64, rim: i64) -> bool:
    """TG-3.2.2, TG-3.2.3 Connectors meet connectors, and at least one does. (What is above the bits of sides is cut.)"""
    need = rim & ALL_SIDES
    return need != 0 and sides & (need | (rim >> BAR)) == need


def new_adventurer(hero: i64) -> Adventurer:
    """With a hero who is not yet in the zone."""
    ground, rim, shut, open_, hand = vec[i64](), vec[i64](), vec[i64](), vec[i64](), vec[i64]()
    return Adventurer(hero, 0, 0, 0, 0, 0, 0, ground, rim, shut, open_, hand, NO_TILE, NO_SLOT, NO_TILE, NO_SLOT, 0)
