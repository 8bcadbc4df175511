"""Tales of Glory (2-5 players): the rules, paragraph by paragraph, under their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import mypyc_attr

from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, Log
from veillee.kernel.state import ALLOWED, NOBODY, State, Step

# TG-1.1 The tiles of every set have the same numbers: Ages, then quests, then heroes.
AGE_TILES: Final = 53
QUESTS: Final = 16
HEROES: Final = 5
FIRST_QUEST: Final = AGE_TILES
FIRST_HERO: Final = AGE_TILES + QUESTS
TILES: Final = AGE_TILES + QUESTS + HEROES
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

# Where a gain is printed: tile * SOURCES + one of these.
OWN: Final = 0
CHEST: Final = 1  # + which of its two chests
CONNECTOR: Final = 4  # + side
SOURCES: Final = 8

# Which gains are taken: TG-3.3.2 those of now, TG-5.2 those of the end, all those of a chest that is opened at the end.
NOW: Final = 0
END: Final = 1
BOTH: Final = 2

# Sides, clockwise from the top, and the field of cells: the hero is in the middle, a zone has at most 12 more tiles.
SIDES: Final = 4
SPAN: Final = 27
CELLS: Final = SPAN * SPAN
HOME: Final = CELLS // 2
TOWARDS: Final = [-SPAN, 1, SPAN, -1]
OPPOSITE: Final = [2, 3, 0, 1]
BAR: Final = 4  # in a rim: the four bits of sides that must have a connector, then those that must not

# The central board.
SLOTS: Final = [0, 0, 6, 6, 8, 8]  # TG-1.2 by number of players
WILD: Final = [0, 0, 3, 3, 4, 4]  # the first slot of the wild lands, counted from 0
THROWN: Final = [0, 0, 3, 2, 1, 0]  # TG-1.3 discarded each round
DRAWN: Final = 5
ASIDE: Final = 2  # TG-1.4
ROUNDS: Final = 10
MAJORITIES: Final = [COMBAT, MAGIC, POTIONS, COINS]
MAJORITY: Final = 4
DEALT: Final = 3

# Actions. A choice has the same number whatever the position.
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

SELECTS: Final = [[SELECT + slot for slot in range(n)] for n in range(9)]
TAKES: Final = [[TAKE + slot for slot in range(n)] for n in range(9)]
CIVILISED: Final = [PLAY + NOTHING, DISCARD]
WILDERNESS: Final = [PLAY + A_COIN, PLAY + A_POTION, DISCARD]
EVERYONE_ASKED: Final[list[tuple[int, ...]]] = [tuple(range(n)) for n in range(6)]


@mypyc_attr(acyclic=True)
class Gain:
    """TG-3.3.1 One gain: one or two resources, multiplied by one thing or not, now or at the end."""

    kinds: list[int]
    amounts: list[int]
    per: int
    at_end: bool


@mypyc_attr(acyclic=True)
class TileSet:
    """The tiles of one content file, as the rules read them: every list by tile number."""

    name: str  # as in a table's options
    number: int
    types: list[int]
    ages: list[list[int]]  # the three piles
    age: list[int]  # which of them a tile belongs to, from 0
    coins: list[int]  # costs
    potions: list[int]
    combat: list[int]
    magic: list[int]
    sides: list[int]  # which sides have a connector: the sum of 1 << side
    halves: list[int]  # which hold half a key
    chests: list[int]  # how many
    conditions: list[int]  # by tile * SIDES + side: the neighbour that a Place's connector wants
    gains: list[list[Gain]]  # by tile * SOURCES + where it is printed


SETS: Final[dict[str, TileSet]] = {}  # filled by content.py
BY_NUMBER: Final[list[TileSet]] = []


@mypyc_attr(acyclic=True)
class Adventurer:
    """One player's things."""

    hero: int
    coins: int
    potions: int
    prestige: int
    combat: int
    magic: int
    types: list[int]  # how many tiles of each type
    ground: dict[int, int]  # cell -> tile, in the order of placement
    rim: dict[int, int]  # empty cell beside a tile -> sides that must have a connector + those that must not << BAR
    shut: list[int]  # closed chests, as 2 * tile + chest
    open: list[int]  # each with its key
    hand: list[int]  # quests, as tiles
    dropped: int  # TG-6.1 the quest that went out of the game
    selected: int  # slot
    taken: int  # tile
    slot: int  # it was taken from
    majorities: int  # the sum of 1 << place in MAJORITIES

    def clone(self) -> Adventurer:
        a = Adventurer()
        a.hero = self.hero
        a.coins = self.coins
        a.potions = self.potions
        a.prestige = self.prestige
        a.combat = self.combat
        a.magic = self.magic
        a.types = self.types[:]
        a.ground = self.ground.copy()
        a.rim = self.rim.copy()
        a.shut = self.shut[:]
        a.open = self.open[:]
        a.hand = self.hand[:]
        a.dropped = self.dropped
        a.selected = self.selected
        a.taken = self.taken
        a.slot = self.slot
        a.majorities = self.majorities
        return a

    def has(self, kind: int) -> int:
        if kind == COINS:
            return self.coins
        if kind == POTIONS:
            return self.potions
        if kind == COMBAT:
            return self.combat
        if kind == MAGIC:
            return self.magic
        return self.prestige

    def receive(self, kind: int, amount: int) -> None:
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

    def times(self, per: int) -> int:
        """TG-3.3.1, TG-7.1 How many such things there are at this moment."""
        if per == ONCE:
            return 1
        if per < TYPES:
            return self.types[per]
        if per == PER_KEY:
            return len(self.open)
        if per == PER_COMBAT:
            return self.combat
        if per == PER_MAGIC:
            return self.magic
        if per == PER_MAJORITY:
            return bits(self.majorities)
        if per == PER_3_COINS:
            return self.coins // 3
        if per == PER_3_POTIONS:
            return self.potions // 3
        if per == PER_CLOSED:
            return len(self.shut)
        return self.surrounded()

    def surrounded(self) -> int:
        """Tiles with four neighbours."""
        ground = self.ground
        n = 0
        for cell in ground:
            if cell - SPAN in ground and cell + 1 in ground and cell + SPAN in ground and cell - 1 in ground:
                n += 1
        return n

    def missing(self, tiles: TileSet, tile: int) -> int:
        """TG-3.1.3 Combat and magic that a tile asks for and the banner lacks."""
        n = 0
        if tiles.combat[tile] > self.combat:
            n += tiles.combat[tile] - self.combat
        if tiles.magic[tile] > self.magic:
            n += tiles.magic[tile] - self.magic
        return n

    def unpayable(self, tiles: TileSet, tile: int, extra: int) -> str:
        """TG-3.1 The rule against paying for the tile, wild lands included, or ALLOWED."""
        coins = self.coins - tiles.coins[tile]
        potions = self.potions - tiles.potions[tile]
        if coins < 0 or potions < 0:
            return "TG-3.1.1"
        potions -= self.missing(tiles, tile)
        if potions < 0:
            return "TG-3.1.3"
        if (extra == A_COIN and coins == 0) or (extra == A_POTION and potions == 0):
            return "TG-3.1.2"
        return ALLOWED

    def has_room(self, sides: int) -> bool:
        """TG-3.2.4 Is there a legal place for a tile with these connectors?"""
        for rim in self.rim.values():
            need = rim & 15
            if need != 0 and sides & (need | (rim >> BAR)) == need:
                return True
        return False

    def clash(self, sides: int, cell: int) -> str:
        """TG-3.2 The rule against a tile with these connectors at this cell, or ALLOWED."""
        rim = self.rim[cell]
        need = rim & 15
        if sides & (need | (rim >> BAR)) != need:
            return "TG-3.2.3"
        return ALLOWED if need != 0 else "TG-3.2.2"

    def settle(self, tiles: TileSet, tile: int, cell: int) -> None:
        """The tile lies there: its type counts, its chests are closed, the rim grows around it."""
        self.types[tiles.types[tile]] += 1
        for chest in range(tiles.chests[tile]):
            self.shut.append(2 * tile + chest)
        ground = self.ground
        rim = self.rim
        ground[cell] = tile
        if cell in rim:
            del rim[cell]
        sides = tiles.sides[tile]
        for side in range(SIDES):
            beside = cell + TOWARDS[side]
            if beside not in ground:
                bit = 1 << OPPOSITE[side]
                if (sides >> side) & 1 == 0:
                    bit <<= BAR
                rim[beside] = rim.get(beside, 0) | bit


class TalesOfGlory(State):
    """TG-1 What is on the table."""

    tiles: TileSet
    adventurers: list[Adventurer]
    slots: list[int]  # the central board: a tile or NO_TILE
    pile: list[int]  # the next tile is the last of the list; Age 3 lies below Age 2 below Age 1
    aside: list[int]  # TG-1.4 two of Age 1, face down
    discards: list[int]  # in the order of their numbers
    undealt: list[int]  # quests that nobody was dealt
    round: int  # from 1
    first: int  # who has the first-player token
    token: int  # TG-4.3 who gained it in play for the next round, or NO_SEAT
    with_quests: bool
    together: bool
    ending: bool
    threads: list[list[Step]]  # TG-3.0 all play at the same time: each seat's own agenda, its question on top

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def left_of(self, seat: int) -> int:
        return (seat + 1) % len(self.adventurers)

    def place_in_turn(self, seat: int) -> int:
        """0 for the first player, 1 for the next clockwise …"""
        players = len(self.adventurers)
        return (seat - self.first + players) % players

    def is_wild(self, slot: int) -> bool:
        """TG-1.2"""
        return slot >= WILD[len(self.adventurers)]

    def named(self, tile: int) -> int:
        """The tile, as the log knows it."""
        return self.tiles.number * SET + tile

    def asked(self, seat: int) -> Step:
        """The question that this seat is asked."""
        question = self.question
        if isinstance(question, Together):
            return self.threads[seat][-1]
        return question

    def take(self, rule: str, seat: int, slot: int) -> None:
        a = self.adventurers[seat]
        a.taken = self.slots[slot]
        a.slot = slot
        self.slots[slot] = NO_TILE
        self.note(rule, "take", seat, self.named(a.taken), slot)

    def discard(self, tile: int) -> None:
        self.discards.append(tile)
        self.discards.sort()

    def pay(self, seat: int, tile: int, extra: int) -> None:
        """TG-3.1.1, TG-3.1.2, TG-3.1.3 Coins and potions are spent; combat and magic are not."""
        a = self.adventurers[seat]
        coins = self.tiles.coins[tile]
        potions = self.tiles.potions[tile] + a.missing(self.tiles, tile)
        if extra == A_COIN:
            coins += 1
        elif extra == A_POTION:
            potions += 1
        a.coins -= coins
        a.potions -= potions
        self.note("TG-3.1.1", "pay", seat, self.named(tile), coins, potions)

    def place(self, seat: int, tile: int, cell: int) -> None:
        """TG-3.2, TG-3.3.0 The tile is placed; then its keys, its own gain, the gains of Place connectors."""
        self.note("TG-3.2.2", "place", seat, self.named(tile), cell)
        a = self.adventurers[seat]
        tiles = self.tiles
        a.settle(tiles, tile, cell)
        ground = a.ground
        sides = tiles.sides[tile]
        for side in range(SIDES - 1, -1, -1):  # The last of the agenda comes first.
            if (sides >> side) & 1 == 1:
                other = ground.get(cell + TOWARDS[side], NO_TILE)
                if other != NO_TILE:
                    self.push_connector(seat, other, OPPOSITE[side], tile)
                    self.push_connector(seat, tile, side, other)
        if tiles.gains[tile * SOURCES]:
            self.push(Gaining(seat, tile * SOURCES, 0, NOW))
        halves = tiles.halves[tile] & sides
        if halves != 0:
            for side in range(SIDES - 1, -1, -1):
                if (halves >> side) & 1 == 1:
                    other = ground.get(cell + TOWARDS[side], NO_TILE)
                    if other != NO_TILE and (tiles.halves[other] >> OPPOSITE[side]) & 1 == 1:
                        self.push(ConnectionKey(seat, tile, other))

    def push_connector(self, seat: int, tile: int, side: int, neighbour: int) -> None:
        """TG-3.3.3 A Place's connector gives its gain if the neighbour is of the wanted type."""
        tiles = self.tiles
        if tiles.types[tile] == PLACE and tiles.gains[tile * SOURCES + CONNECTOR + side]:
            wanted = tiles.conditions[tile * SIDES + side]
            if wanted == NO_TYPE or wanted == tiles.types[neighbour]:
                self.push(Gaining(seat, tile * SOURCES + CONNECTOR + side, 0, NOW))

    def gain(self, seat: int, source: int, index: int, when: int) -> None:
        """TG-3.3.1 Printed gains in their order, from `index` on; a key interrupts what comes after it."""
        a = self.adventurers[seat]
        gains = self.tiles.gains[source]
        while index < len(gains):
            gain = gains[index]
            index += 1
            if when != BOTH and gain.at_end != (when == END):
                continue
            times = a.times(gain.per)
            if times == 0:
                continue
            keys = 0
            for i in range(len(gain.kinds)):
                kind = gain.kinds[i]
                amount = gain.amounts[i] * times
                if kind == KEY:
                    keys += amount
                elif kind == TOKEN:
                    self.gain_token(seat)
                else:
                    a.receive(kind, amount)
                    if self.log is not None:
                        self.note_gain(seat, source, kind, amount, when == END)
            if keys > 0:
                if index < len(gains):
                    self.push(Gaining(seat, source, index, when))
                for _ in range(keys):
                    self.push(AnyKey(seat))
                return

    def note_gain(self, seat: int, source: int, kind: int, amount: int, at_end: bool) -> None:
        where = source % SOURCES
        if at_end:
            rule = "TG-5.2"
        elif where >= CONNECTOR:
            rule = "TG-3.3.3"
        elif where >= CHEST:
            rule = "TG-3.4.1"
        elif source >= FIRST_HERO * SOURCES:
            rule = "TG-1.5"
        else:
            rule = "TG-3.3.1"
        self.note(rule, "gain", seat, kind, amount, self.tiles.number * SET * SOURCES + source)

    def gain_token(self, seat: int) -> None:
        """TG-4.3 The token is for the next round; the later in turn order keeps it."""
        self.note("TG-4.3", "token", seat)
        if self.token == NO_SEAT or self.place_in_turn(seat) > self.place_in_turn(self.token):
            self.token = seat

    def unlock(self, seat: int, chest: int) -> None:
        """TG-3.4.1 The key is on the chest, then its content is gained."""
        a = self.adventurers[seat]
        a.shut.remove(chest)
        a.open.append(chest)
        tile = chest // 2
        self.note("TG-3.4.1", "open", seat, self.named(tile), chest % 2)
        self.gain(seat, tile * SOURCES + CHEST + chest % 2, 0, BOTH if self.ending else NOW)

    def use_key(self, seat: int, step: Step, chests: list[int]) -> None:
        """TG-3.4.1 At once on a closed chest: asked where there are several, lost where there is none."""
        if len(chests) > 1:
            self.ask(step, (seat,))
        elif len(chests) == 1:
            self.unlock(seat, chests[0])
        else:
            self.note("TG-3.4.1", "lost key", seat)

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> TalesOfGlory:
        g = TalesOfGlory()
        g.copy_flow(self)
        g.tiles = self.tiles
        g.adventurers = [a.clone() for a in self.adventurers]
        g.slots = self.slots[:]
        g.pile = self.pile[:]
        g.aside = self.aside[:]
        g.discards = self.discards[:]
        g.undealt = self.undealt[:]
        g.round = self.round
        g.first = self.first
        g.token = self.token
        g.with_quests = self.with_quests
        g.together = self.together
        g.ending = self.ending
        g.threads = [thread[:] for thread in self.threads]
        return g

    def determinize(self, seat: int, rng: Rng) -> None:
        """TG-9.1 Resample the piles, the tiles laid aside, the others' quests and their secret selections."""
        self.reshuffle_piles(rng)
        if self.with_quests:
            self.redeal_quests(seat, rng)
        if isinstance(self.question, Selection):
            for other, a in enumerate(self.adventurers):
                if other != seat and other not in self.to_act:
                    a.selected = rng.below(len(self.slots))

    def reshuffle_piles(self, rng: Rng) -> None:
        """Each Age by itself; the tiles laid aside are of Age 1 and as unknown as the pile."""
        age = self.tiles.age
        unseen: list[list[int]] = [[], [], []]
        for tile in self.aside:
            unseen[age[tile]].append(tile)
        for tile in self.pile:
            unseen[age[tile]].append(tile)
        for tiles in unseen:
            rng.shuffle(tiles)
        for i in range(len(self.aside)):
            self.aside[i] = unseen[age[self.aside[i]]].pop()
        for i in range(len(self.pile)):
            self.pile[i] = unseen[age[self.pile[i]]].pop()

    def redeal_quests(self, seat: int, rng: Rng) -> None:
        unseen = self.undealt[:]
        for other, a in enumerate(self.adventurers):
            if other != seat:
                unseen += a.hand
                if a.dropped != NO_TILE:
                    unseen.append(a.dropped)
        rng.shuffle(unseen)
        for other, a in enumerate(self.adventurers):
            if other != seat:
                a.hand = [unseen.pop() for _ in range(len(a.hand))]
                a.hand.sort()
                if a.dropped != NO_TILE:
                    a.dropped = unseen.pop()
        unseen.sort()
        self.undealt = unseen

    def seats(self) -> int:
        return len(self.adventurers)

    def score(self, seat: int) -> int:
        return self.adventurers[seat].prestige

    def standing(self, seat: int) -> list[int]:
        """TG-5.3 Most Prestige; then combat, magic, potions, coins; then a shared victory."""
        a = self.adventurers[seat]
        return [a.prestige, a.combat, a.magic, a.potions, a.coins]

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
        """Slots, quests and chests count from 1, as people do; cells from the hero, to the right and down."""
        if action < TAKE:
            return "select", {"slot": action - SELECT + 1}
        if action < PLAY:
            return "take", {"slot": action - TAKE + 1}
        if action < DISCARD:
            return "play", {"extra": action - PLAY}
        if action == DISCARD:
            return "discard", {}
        if action == DONE:
            return "done", {}
        if action < DROP:
            return "quest", {"quest": action - QUEST + 1}
        if action < OPEN:
            return "drop", {"quest": action - DROP + 1}
        if action < PUT:
            return "open", {"tile": (action - OPEN) // 2, "chest": (action - OPEN) % 2 + 1}
        x, y = offset(action - PUT)
        return "place", {"x": x, "y": y}

    def dump(self) -> dict[str, Any]:
        return {
            "flow": self.dump_flow(),
            "tiles": self.tiles.name,
            "adventurers": [dump_adventurer(a) for a in self.adventurers],
            "slots": self.slots[:],
            "pile": self.pile[:],
            "aside": self.aside[:],
            "discards": self.discards[:],
            "undealt": self.undealt[:],
            "round": self.round,
            "first": self.first,
            "token": self.token,
            "with_quests": self.with_quests,
            "together": self.together,
            "ending": self.ending,
            "threads": [[[type(step).__name__, *step.args()] for step in thread] for thread in self.threads],
        }


def offset(cell: int) -> tuple[int, int]:
    """How far a cell is from the hero: to the right, and down."""
    return cell % SPAN - HOME % SPAN, cell // SPAN - HOME // SPAN


def bits(n: int) -> int:
    count = 0
    while n > 0:
        count += n & 1
        n >>= 1
    return count


# -- TG-2 Obtain a tile -----------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Selection(Step):
    """TG-2.1 Everyone chooses a slot secretly, at the same time; choices are revealed together."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.ask(self, EVERYONE_ASKED[len(g.adventurers)])

    def options(self, g: TalesOfGlory, seat: int) -> list[int]:
        return SELECTS[len(g.slots)]

    def legal(self, g: TalesOfGlory, seat: int) -> list[int]:
        return SELECTS[len(g.slots)]

    def answer(self, g: TalesOfGlory, seat: int, action: int, rng: Rng) -> None:
        g.adventurers[seat].selected = action - SELECT
        g.note("TG-2.1", "select", seat, action - SELECT, to=1 << seat)
        if not g.to_act:
            for chooser, a in enumerate(g.adventurers):
                g.reveal("TG-2.1", "selected", chooser, a.selected)
            take_tiles(g)


def take_tiles(g: TalesOfGlory) -> None:
    """TG-2.2 From the first player, clockwise, each takes the tile of their slot if it is still there."""
    g.push(TokenMoves(g.first))
    late: list[int] = []
    seat = g.first
    for _ in range(len(g.adventurers)):
        slot = g.adventurers[seat].selected
        if g.slots[slot] != NO_TILE:
            g.take("TG-2.2", seat, slot)
        else:
            late.append(seat)
        g.adventurers[seat].selected = -1
        seat = g.left_of(seat)
    for seat in reversed(late):
        g.push(CatchUp(seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class CatchUp(Step):
    """TG-2.3 Those who could not take one choose, in the same order, any tile left."""

    def options(self, g: TalesOfGlory, seat: int) -> list[int]:
        return TAKES[len(g.slots)]

    def forbids(self, g: TalesOfGlory, seat: int, action: int) -> str:
        return ALLOWED if g.slots[action - TAKE] != NO_TILE else "TG-2.3"

    def legal(self, g: TalesOfGlory, seat: int) -> list[int]:
        return [TAKE + slot for slot in range(len(g.slots)) if g.slots[slot] != NO_TILE]

    def answer(self, g: TalesOfGlory, seat: int, action: int, rng: Rng) -> None:
        g.take("TG-2.3", seat, action - TAKE)


@mypyc_attr(acyclic=True, free_list_len=1)
class TokenMoves(Step):
    """TG-2.4 The token goes to the one who took from the lowest slot; if that is the holder, to the second lowest."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        lowest = len(g.slots)
        holder = g.first
        for seat, a in enumerate(g.adventurers):
            if seat != g.first and a.slot < lowest:
                lowest = a.slot
                holder = seat
        g.first = holder
        g.note("TG-2.4", "first", holder)
        play_tiles(g)


# -- TG-3 Play the tile -----------------------------------------------------------------------------------
def play_tiles(g: TalesOfGlory) -> None:
    """TG-3.0 In order from the (new) first player, clockwise; or all at the same time."""
    g.push(NextRound(g.first))
    if g.together:
        g.push(Together(g.first))
        return
    seat = g.first
    for _ in range(len(g.adventurers)):
        seat = (seat - 1 + len(g.adventurers)) % len(g.adventurers)
        g.push(PlayTile(seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class Together(Step):
    """TG-3.0 All play their tiles at the same time: each seat goes through its own steps at its own pace."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.threads = [[PlayTile(seat)] for seat in range(len(g.adventurers))]
        g.ask(self, EVERYONE_ASKED[len(g.adventurers)])

    def options(self, g: TalesOfGlory, seat: int) -> list[int]:
        return g.threads[seat][-1].options(g, seat)

    def forbids(self, g: TalesOfGlory, seat: int, action: int) -> str:
        return g.threads[seat][-1].forbids(g, seat, action)

    def legal(self, g: TalesOfGlory, seat: int) -> list[int]:
        return g.threads[seat][-1].legal(g, seat)

    def answer(self, g: TalesOfGlory, seat: int, action: int, rng: Rng) -> None:
        common = g.agenda
        waiting = g.to_act
        own = g.threads[seat]
        question = own.pop()
        g.agenda = own
        g.to_act = NOBODY
        question.answer(g, seat, action, rng)
        g.proceed(rng)
        asked = len(g.to_act) > 0
        if asked:
            own.append(g.question)
        g.agenda = common
        g.question = self
        g.to_act = waiting
        if asked:
            g.ask_again(seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class PlayTile(Step):
    """TG-3.1 Pay for the tile, with the wild lands, or discard it; TG-6.2 a quest may come before."""

    def options(self, g: TalesOfGlory, seat: int) -> list[int]:
        a = g.adventurers[seat]
        ways = WILDERNESS if g.is_wild(a.slot) else CIVILISED
        if not a.hand:
            return ways
        return ways + [QUEST + quest - FIRST_QUEST for quest in a.hand]

    def forbids(self, g: TalesOfGlory, seat: int, action: int) -> str:
        a = g.adventurers[seat]
        if action == DISCARD:
            return ALLOWED
        if action >= QUEST:
            return unplayable(g, a, action - QUEST + FIRST_QUEST, NOTHING)
        return unplayable(g, a, a.taken, action - PLAY)

    def legal(self, g: TalesOfGlory, seat: int) -> list[int]:
        a = g.adventurers[seat]
        legal: list[int] = []
        if a.has_room(g.tiles.sides[a.taken]):
            if g.is_wild(a.slot):
                if not a.unpayable(g.tiles, a.taken, A_COIN):
                    legal.append(PLAY + A_COIN)
                if not a.unpayable(g.tiles, a.taken, A_POTION):
                    legal.append(PLAY + A_POTION)
            elif not a.unpayable(g.tiles, a.taken, NOTHING):
                legal.append(PLAY + NOTHING)
        legal.append(DISCARD)
        for quest in a.hand:
            if not unplayable(g, a, quest, NOTHING):
                legal.append(QUEST + quest - FIRST_QUEST)
        return legal

    def answer(self, g: TalesOfGlory, seat: int, action: int, rng: Rng) -> None:
        a = g.adventurers[seat]
        if action >= QUEST:
            g.push(self)
            play_quest(g, seat, action - QUEST + FIRST_QUEST)
            return
        g.push(LastQuests(seat))
        tile = a.taken
        a.taken = NO_TILE
        if action == DISCARD:
            throw_away(g, seat, tile)
            return
        g.pay(seat, tile, action - PLAY)
        g.push(Placing(seat, tile))


def unplayable(g: TalesOfGlory, a: Adventurer, tile: int, extra: int) -> str:
    """TG-3.2.4 looked at before paying; then TG-3.1."""
    if not a.has_room(g.tiles.sides[tile]):
        return "TG-3.2.4"
    return a.unpayable(g.tiles, tile, extra)


def throw_away(g: TalesOfGlory, seat: int, tile: int) -> None:
    """TG-3.1.4 Discard instead: 1 coin, 1 potion and a key for any chest of your zone."""
    a = g.adventurers[seat]
    g.discard(tile)
    g.note("TG-3.1.4", "discard", seat, g.named(tile))
    a.coins += 1
    a.potions += 1
    g.push(AnyKey(seat))


def play_quest(g: TalesOfGlory, seat: int, quest: int) -> None:
    """TG-6.2 Paid, placed and gained like any tile, with no wild-lands cost."""
    g.adventurers[seat].hand.remove(quest)
    if g.together:  # The others see it at once, so it cannot be taken back.
        g.reveal("TG-6.2", "quest", seat, g.named(quest))
    else:
        g.show("TG-6.2", "quest", seat, g.named(quest))
    g.pay(seat, quest, NOTHING)
    g.push(Placing(seat, quest))


@mypyc_attr(acyclic=True, free_list_len=1)
class LastQuests(Step):
    """TG-6.2 Quests may also be played after the taken tile. Asked whenever quests are in hand."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        if g.adventurers[self.seat].hand:
            g.ask(self, (self.seat,))

    def options(self, g: TalesOfGlory, seat: int) -> list[int]:
        return [DONE] + [QUEST + quest - FIRST_QUEST for quest in g.adventurers[seat].hand]

    def forbids(self, g: TalesOfGlory, seat: int, action: int) -> str:
        if action == DONE:
            return ALLOWED
        return unplayable(g, g.adventurers[seat], action - QUEST + FIRST_QUEST, NOTHING)

    def answer(self, g: TalesOfGlory, seat: int, action: int, rng: Rng) -> None:
        if action != DONE:
            g.push(self)
            play_quest(g, seat, action - QUEST + FIRST_QUEST)


@mypyc_attr(acyclic=True, free_list_len=1)
class Placing(Step):
    """TG-3.2.2, TG-3.2.3 A cell where connectors meet connectors, and at least one does."""

    def __init__(self, seat: int, tile: int) -> None:
        super().__init__(seat)
        self.tile = tile

    def args(self) -> list[int]:
        return [self.seat, self.tile]

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        legal = self.legal(g, self.seat)
        if len(legal) == 1:
            g.place(self.seat, self.tile, legal[0] - PUT)
        else:
            g.ask(self, (self.seat,))

    def options(self, g: TalesOfGlory, seat: int) -> list[int]:
        return [PUT + cell for cell in g.adventurers[seat].rim]

    def forbids(self, g: TalesOfGlory, seat: int, action: int) -> str:
        return g.adventurers[seat].clash(g.tiles.sides[self.tile], action - PUT)

    def legal(self, g: TalesOfGlory, seat: int) -> list[int]:
        sides = g.tiles.sides[self.tile]
        legal: list[int] = []
        for cell, rim in g.adventurers[seat].rim.items():
            need = rim & 15
            if need != 0 and sides & (need | (rim >> BAR)) == need:
                legal.append(PUT + cell)
        return legal

    def answer(self, g: TalesOfGlory, seat: int, action: int, rng: Rng) -> None:
        g.place(seat, self.tile, action - PUT)


@mypyc_attr(acyclic=True, free_list_len=1)
class Gaining(Step):
    """TG-3.3 The gain of a tile, of a chest or of a Place's connector, from its `index`-th part on."""

    def __init__(self, seat: int, source: int, index: int, when: int) -> None:
        super().__init__(seat)
        self.source = source
        self.index = index
        self.when = when

    def args(self) -> list[int]:
        return [self.seat, self.source, self.index, self.when]

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.gain(self.seat, self.source, self.index, self.when)


@mypyc_attr(acyclic=True, free_list_len=1)
class ConnectionKey(Step):
    """TG-3.4.2 A key from a connection opens a chest on one of the two connected tiles, or on the hero."""

    def __init__(self, seat: int, tile: int, other: int) -> None:
        super().__init__(seat)
        self.tile = tile
        self.other = other

    def args(self) -> list[int]:
        return [self.seat, self.tile, self.other]

    def within_reach(self, a: Adventurer) -> list[int]:
        chests: list[int] = []
        for chest in a.shut:
            tile = chest // 2
            if tile in (self.tile, self.other, a.hero):
                chests.append(chest)
        return chests

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.use_key(self.seat, self, self.within_reach(g.adventurers[self.seat]))

    def options(self, g: TalesOfGlory, seat: int) -> list[int]:
        return [OPEN + chest for chest in g.adventurers[seat].shut]

    def forbids(self, g: TalesOfGlory, seat: int, action: int) -> str:
        tile = (action - OPEN) // 2
        if tile in (self.tile, self.other, g.adventurers[seat].hero):
            return ALLOWED
        return "TG-3.4.2"

    def legal(self, g: TalesOfGlory, seat: int) -> list[int]:
        return [OPEN + chest for chest in self.within_reach(g.adventurers[seat])]

    def answer(self, g: TalesOfGlory, seat: int, action: int, rng: Rng) -> None:
        g.unlock(seat, action - OPEN)


@mypyc_attr(acyclic=True, free_list_len=1)
class AnyKey(Step):
    """TG-3.4.3 A key from a gain or a discard opens any chest of the zone."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.use_key(self.seat, self, g.adventurers[self.seat].shut)

    def options(self, g: TalesOfGlory, seat: int) -> list[int]:
        return [OPEN + chest for chest in g.adventurers[seat].shut]

    def legal(self, g: TalesOfGlory, seat: int) -> list[int]:
        return [OPEN + chest for chest in g.adventurers[seat].shut]

    def answer(self, g: TalesOfGlory, seat: int, action: int, rng: Rng) -> None:
        g.unlock(seat, action - OPEN)


# -- TG-4 Next round --------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class NextRound(Step):
    """TG-4.1 Discard the lowest-numbered remaining tiles; TG-4.2 slide the rest; TG-4.3 draw. Not after round 10."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.threads = []
        if g.round == ROUNDS:
            g.push(Majorities(g.first))
            return
        left = [tile for tile in g.slots if tile != NO_TILE]
        thrown = THROWN[len(g.adventurers)]
        for tile in left[:thrown]:
            g.discard(tile)
            g.note("TG-4.1", "thrown", NO_SEAT, g.named(tile))
        kept = left[thrown:]
        if g.token != NO_SEAT:
            g.first = g.token
            g.token = NO_SEAT
        g.round += 1
        g.note("TG-4.2", "round", g.first, g.round)
        g.slots = kept + draw_tiles(g, len(g.slots) - len(kept), rng)
        for slot in range(len(kept), len(g.slots)):
            g.reveal("TG-4.3", "offer", NO_SEAT, g.named(g.slots[slot]), slot)
        g.push(Selection(g.first))


def draw_tiles(g: TalesOfGlory, n: int, rng: Rng) -> list[int]:
    """The next tiles, in any order: two Ages may meet."""
    drawn = [g.pile.pop() for _ in range(n)]
    rng.shuffle(drawn)
    return drawn


# -- TG-5 End ---------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Majorities(Step):
    """TG-5.1 Four majorities, 4 Prestige each: all tied players get it, at least 1 is needed."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        for place in range(len(MAJORITIES)):
            kind = MAJORITIES[place]
            most = 0
            for a in g.adventurers:
                most = max(most, a.has(kind))
            for seat, a in enumerate(g.adventurers):
                if most > 0 and a.has(kind) == most:
                    a.majorities |= 1 << place
                    a.prestige += MAJORITY
                    g.note("TG-5.1", "majority", seat, kind, MAJORITY)
        g.ending = True
        g.push(Finish(g.first))
        push_end_gains(g)


def push_end_gains(g: TalesOfGlory) -> None:
    """TG-5.2 The "end of game" gains, those of open chests too: seat by seat, in the order of placement."""
    for seat in range(len(g.adventurers) - 1, -1, -1):
        a = g.adventurers[seat]
        due: list[int] = []
        for tile in a.ground.values():
            due.append(tile * SOURCES)
            for chest in range(g.tiles.chests[tile]):
                if 2 * tile + chest in a.open:
                    due.append(tile * SOURCES + CHEST + chest)
        for source in reversed(due):
            for gain in g.tiles.gains[source]:
                if gain.at_end:
                    g.push(Gaining(seat, source, 0, END))
                    break


@mypyc_attr(acyclic=True, free_list_len=1)
class Finish(Step):
    """TG-5.3 Most Prestige wins."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.end_game("TG-5.3")


# -- TG-6 Quests ------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class DropQuest(Step):
    """TG-6.1 Of three quests, one goes out of the game unseen."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        g.ask(self, EVERYONE_ASKED[len(g.adventurers)])

    def options(self, g: TalesOfGlory, seat: int) -> list[int]:
        return [DROP + quest - FIRST_QUEST for quest in g.adventurers[seat].hand]

    def legal(self, g: TalesOfGlory, seat: int) -> list[int]:
        return self.options(g, seat)

    def answer(self, g: TalesOfGlory, seat: int, action: int, rng: Rng) -> None:
        quest = action - DROP + FIRST_QUEST
        a = g.adventurers[seat]
        a.hand.remove(quest)
        a.dropped = quest
        g.note("TG-6.1", "drop", seat, g.named(quest), to=1 << seat)


# -- TG-1 Setup -------------------------------------------------------------------------------------------
def new_game(players: int, rng: Rng, options: dict[str, str], log: Log | None = None) -> TalesOfGlory:
    """A game about to be asked its first question."""
    g = TalesOfGlory()
    g.start_flow()
    g.log = log
    g.tiles = SETS[options["tiles"]] if "tiles" in options else BY_NUMBER[0]
    g.with_quests = options.get("quests", "no") == "yes"
    g.together = options.get("play", "in-turn") == "together"
    g.discards = []
    g.undealt = []
    g.aside = []
    g.threads = []
    g.round = 1
    g.token = NO_SEAT
    g.ending = False
    g.adventurers = []
    deal_heroes(g, players, rng)
    g.first = rng.below(players)
    g.note("TG-1.6", "first", g.first)
    build_piles(g, rng)
    g.slots = draw_tiles(g, SLOTS[players], rng)
    for slot in range(SLOTS[players]):
        g.reveal("TG-1.6", "offer", NO_SEAT, g.named(g.slots[slot]), slot)
    g.push(Selection(g.first))
    if g.with_quests:
        deal_quests(g, rng)
    g.proceed(rng)
    g.log = None
    return g


def deal_heroes(g: TalesOfGlory, players: int, rng: Rng) -> None:
    """TG-1.5 A random hero each, first tile of the zone, with its starting gain; chests stay closed."""
    heroes = [FIRST_HERO + n for n in range(HEROES)]
    rng.shuffle(heroes)
    for seat in range(players):
        a = new_adventurer(heroes[seat])
        g.adventurers.append(a)
        a.settle(g.tiles, a.hero, HOME)
        g.note("TG-1.5", "hero", seat, g.named(a.hero))
        g.gain(seat, a.hero * SOURCES, 0, NOW)


def new_adventurer(hero: int) -> Adventurer:
    a = Adventurer()
    a.hero = hero
    a.coins = 0
    a.potions = 0
    a.prestige = 0
    a.combat = 0
    a.magic = 0
    a.types = [0] * TYPES
    a.ground = {}
    a.rim = {}
    a.shut = []
    a.open = []
    a.hand = []
    a.dropped = NO_TILE
    a.selected = -1
    a.taken = NO_TILE
    a.slot = -1
    a.majorities = 0
    return a


def build_piles(g: TalesOfGlory, rng: Rng) -> None:
    """TG-1.1, TG-1.4 Three piles, one on the other; with 2-3 players two of Age 1 are laid aside, unseen."""
    ages = [age[:] for age in g.tiles.ages]
    for age in ages:
        rng.shuffle(age)
    if len(g.adventurers) < 4:
        g.aside = [ages[0].pop() for _ in range(ASIDE)]
    g.pile = ages[2] + ages[1] + ages[0]


def deal_quests(g: TalesOfGlory, rng: Rng) -> None:
    """TG-6.1 Three quests each, secretly, after heroes and first slots are seen."""
    quests = [FIRST_QUEST + n for n in range(QUESTS)]
    rng.shuffle(quests)
    for seat, a in enumerate(g.adventurers):
        a.hand = [quests.pop() for _ in range(DEALT)]
        a.hand.sort()
        for quest in a.hand:
            g.reveal("TG-6.1", "dealt", seat, g.named(quest), to=1 << seat)
    quests.sort()
    g.undealt = quests
    g.push(DropQuest(g.first))


STEPS: Final[dict[str, Callable[..., Step]]] = {
    "Selection": Selection,
    "CatchUp": CatchUp,
    "TokenMoves": TokenMoves,
    "Together": Together,
    "PlayTile": PlayTile,
    "LastQuests": LastQuests,
    "Placing": Placing,
    "Gaining": Gaining,
    "ConnectionKey": ConnectionKey,
    "AnyKey": AnyKey,
    "NextRound": NextRound,
    "Majorities": Majorities,
    "Finish": Finish,
    "DropQuest": DropQuest,
}


def dump_adventurer(a: Adventurer) -> dict[str, Any]:
    return {
        "hero": a.hero,
        "has": [a.coins, a.potions, a.prestige, a.combat, a.magic],
        "types": a.types[:],
        "ground": [[cell, tile] for cell, tile in a.ground.items()],
        "rim": [[cell, rim] for cell, rim in a.rim.items()],
        "shut": a.shut[:],
        "open": a.open[:],
        "hand": a.hand[:],
        "dropped": a.dropped,
        "selected": a.selected,
        "taken": a.taken,
        "slot": a.slot,
        "majorities": a.majorities,
    }


def load_adventurer(data: dict[str, Any]) -> Adventurer:
    a = new_adventurer(data["hero"])
    a.coins, a.potions, a.prestige, a.combat, a.magic = data["has"]
    a.types = list(data["types"])
    for cell, tile in data["ground"]:
        a.ground[cell] = tile
    for cell, rim in data["rim"]:
        a.rim[cell] = rim
    a.shut = list(data["shut"])
    a.open = list(data["open"])
    a.hand = list(data["hand"])
    a.dropped = data["dropped"]
    a.selected = data["selected"]
    a.taken = data["taken"]
    a.slot = data["slot"]
    a.majorities = data["majorities"]
    return a


def load(data: dict[str, Any]) -> TalesOfGlory:
    """The state that dump() wrote, with the set of tiles that it was played with."""
    if data["tiles"] not in SETS:
        raise ValueError(f"This game is played with the tile set {data['tiles']!r}, which is not loaded here.")
    g = TalesOfGlory()
    g.load_flow(data["flow"], STEPS)
    g.tiles = SETS[data["tiles"]]
    g.adventurers = [load_adventurer(a) for a in data["adventurers"]]
    g.slots = list(data["slots"])
    g.pile = list(data["pile"])
    g.aside = list(data["aside"])
    g.discards = list(data["discards"])
    g.undealt = list(data["undealt"])
    g.round = data["round"]
    g.first = data["first"]
    g.token = data["token"]
    g.with_quests = data["with_quests"]
    g.together = data["together"]
    g.ending = data["ending"]
    g.threads = [[STEPS[step[0]](*step[1:]) for step in thread] for thread in data["threads"]]
    return g
