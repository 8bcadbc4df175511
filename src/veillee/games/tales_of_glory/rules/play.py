"""TG-3 Play a tile: pay, place, gain, open chests. TG-6.2 A quest is played like any tile."""

from __future__ import annotations

from librt.vecs import append, remove, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.tales_of_glory.rules.adventurer import CELL, THERE, Adventurer, fits
from veillee.games.tales_of_glory.rules.components import (
    A_COIN,
    A_POTION,
    ALL_PAID,
    AT_END,
    BOTH,
    CHEST,
    CIVILISED,
    COINS,
    CONNECTOR,
    DISCARD,
    DISCARDED,
    DONE,
    FIRST_HERO,
    FIRST_QUEST,
    GAINED,
    KEY,
    KEY_LOST,
    MOST_CHESTS,
    NO_TILE,
    NO_TYPE,
    NOTHING,
    NOW,
    OPEN,
    OPENED,
    OPPOSITE,
    PAID,
    PAID_FIRST,
    PLACE,
    PLACED,
    PLAY,
    POTIONS,
    PUT,
    QUEST,
    QUEST_SHOWN,
    ROUNDS,
    SET,
    SIDES,
    SOURCES,
    TOKEN,
    TOKEN_GAINED,
    TOLL,
    TOWARDS,
    WILDERNESS,
)
from veillee.games.tales_of_glory.rules.table import TalesOfGlory
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import ALLOWED, Moves, Step


# -- TG-3.1 Pay, TG-6.2 Quests ----------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class PlayTile(Step):
    """TG-3.1 Pay for the tile, with the wild lands, or discard it; TG-6.2 a quest may come before."""

    def options(self, g: TalesOfGlory, seat: i64) -> vec[i64]:
        a = g.adventurers[seat]
        return with_quests(WILDERNESS if g.is_wild(a.slot) else CIVILISED, a)

    def forbids(self, g: TalesOfGlory, seat: i64, action: i64) -> str:
        a = g.adventurers[seat]
        if action == DISCARD:
            return ALLOWED
        if action >= QUEST:
            return unplayable(g, a, action - QUEST + FIRST_QUEST, NOTHING)
        return unplayable(g, a, a.taken, action - PLAY)

    def allow(self, g: TalesOfGlory, seat: i64, moves: Moves) -> None:
        """What the guard allows; whether the tile has room is looked at once."""
        a = g.adventurers[seat]
        if a.has_room(g.tiles.sides[a.taken]):
            if g.is_wild(a.slot):
                if not a.unpayable(g.tiles, a.taken, A_COIN):
                    moves.add(PLAY + A_COIN)
                if not a.unpayable(g.tiles, a.taken, A_POTION):
                    moves.add(PLAY + A_POTION)
            elif not a.unpayable(g.tiles, a.taken, NOTHING):
                moves.add(PLAY + NOTHING)
        moves.add(DISCARD)
        allow_quests(g, a, moves)

    def answer(self, g: TalesOfGlory, seat: i64, action: i64, rng: Rng) -> None:
        a = g.adventurers[seat]
        if action >= QUEST:
            g.push(self)
            play_quest(g, seat, action - QUEST + FIRST_QUEST)
            return
        tile = a.taken
        a.taken = NO_TILE
        if action == DISCARD:
            throw_away(g, seat, tile)
            return
        g.push(LastQuests(seat))
        pay(g, seat, tile, action - PLAY)
        g.push(Placing(seat, tile))


class LastQuests(Step):
    """TG-6.2 Quests may also be played after the taken tile. Asked whenever quests are in hand."""

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        if len(g.adventurers[self.seat].hand) > 0:
            g.ask(self)

    def options(self, g: TalesOfGlory, seat: i64) -> vec[i64]:
        return with_quests(vec[i64]([DONE]), g.adventurers[seat])

    def forbids(self, g: TalesOfGlory, seat: i64, action: i64) -> str:
        if action == DONE:
            return ALLOWED
        return unplayable(g, g.adventurers[seat], action - QUEST + FIRST_QUEST, NOTHING)

    def allow(self, g: TalesOfGlory, seat: i64, moves: Moves) -> None:
        moves.add(DONE)
        allow_quests(g, g.adventurers[seat], moves)

    def answer(self, g: TalesOfGlory, seat: i64, action: i64, rng: Rng) -> None:
        if action != DONE:
            g.push(self)
            play_quest(g, seat, action - QUEST + FIRST_QUEST)
        elif g.readings & PAID_FIRST != 0:  # what is gained now may begin with a question
            g.note("TG-6.2", ALL_PAID, seat)


def with_quests(answers: vec[i64], a: Adventurer) -> vec[i64]:
    """These answers, and each quest in hand."""
    answers = answers[:]
    for quest in a.hand:
        answers = append(answers, QUEST + quest - FIRST_QUEST)
    return answers


def allow_quests(g: TalesOfGlory, a: Adventurer, moves: Moves) -> None:
    for quest in a.hand:
        if not unplayable(g, a, quest, NOTHING):
            moves.add(QUEST + quest - FIRST_QUEST)


def unplayable(g: TalesOfGlory, a: Adventurer, tile: i64, extra: i64) -> str:
    """TG-3.2.4 looked at before paying; then TG-3.1."""
    if not a.has_room(g.tiles.sides[tile]):
        return "TG-3.2.4"
    return a.unpayable(g.tiles, tile, extra)


def pay(g: TalesOfGlory, seat: i64, tile: i64, extra: i64) -> None:
    """TG-3.1.1, TG-3.1.2, TG-3.1.3 Coins and potions are spent; combat and magic are not."""
    a = g.adventurers[seat]
    coins = g.tiles.coins[tile]
    potions = g.tiles.potions[tile] + a.missing(g.tiles, tile)
    if extra == A_COIN:
        coins += TOLL
    elif extra == A_POTION:
        potions += TOLL
    a.coins -= coins
    a.potions -= potions
    g.note("TG-3.1.1", PAID, seat, g.named(tile), coins, potions)


def throw_away(g: TalesOfGlory, seat: i64, tile: i64) -> None:
    """TG-3.1.4 Discard instead: 1 coin, 1 potion and a key for any chest of your zone. TG-6.2 When everything is paid
    before any gain, quests come first."""
    g.discard(tile)
    g.note("TG-3.1.4", DISCARDED, seat, g.named(tile))
    if g.readings & PAID_FIRST != 0:
        g.push(Compensation(seat, tile))
        g.push(LastQuests(seat))
    else:
        g.push(LastQuests(seat))
        compensate(g, seat)


def compensate(g: TalesOfGlory, seat: i64) -> None:
    a = g.adventurers[seat]
    a.coins += 1
    a.potions += 1
    g.push(AnyKey(seat))


class Compensation(Step):
    """TG-3.1.4 What a discarded tile gives, where all tiles are paid and placed before any gain (TG-6.2)."""

    def __init__(self, seat: i64, tile: i64) -> None:
        super().__init__(seat)
        self.tile = tile  # the discarded one

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        """Told now: the quests came between."""
        source = g.tiles.number * SET * SOURCES + self.tile * SOURCES
        g.note("TG-3.1.4", GAINED, self.seat, COINS, 1, source)
        g.note("TG-3.1.4", GAINED, self.seat, POTIONS, 1, source)
        compensate(g, self.seat)


class Rewards(Step):
    """TG-6.2 Where all tiles are paid and placed before any gain: the gains of the tiles placed since, in their order."""

    def __init__(self, seat: i64, since: i64) -> None:
        super().__init__(seat)
        self.since = since  # the number of tiles in the zone before

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        place = len(g.adventurers[self.seat].ground) - 1
        while place >= self.since:  # The last of the agenda comes first.
            push_rewards(g, self.seat, place)
            place -= 1


def push_turn(g: TalesOfGlory, seat: i64) -> None:
    """TG-3.0 The steps of one seat's turn to play, on top of the agenda."""
    if g.readings & PAID_FIRST != 0:
        g.push(Rewards(seat, len(g.adventurers[seat].ground)))
    g.push(PlayTile(seat))


def play_quest(g: TalesOfGlory, seat: i64, quest: i64) -> None:
    """TG-6.2 Paid, placed and gained like any tile, with no wild-lands cost."""
    a = g.adventurers[seat]
    a.hand = remove(a.hand, quest)
    if g.together:  # The others see it at once, so it cannot be taken back.
        g.reveal("TG-6.2", QUEST_SHOWN, seat, g.named(quest))
    else:
        g.show("TG-6.2", QUEST_SHOWN, seat, g.named(quest))
    pay(g, seat, quest, NOTHING)
    g.push(Placing(seat, quest))


# -- TG-3.2 Place -----------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Placing(Step):
    """TG-3.2.2, TG-3.2.3 A cell where connectors meet connectors, and at least one does."""

    def __init__(self, seat: i64, tile: i64) -> None:
        super().__init__(seat)
        self.tile = tile

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        """Not asked where there is one such cell only."""
        sides = g.tiles.sides[self.tile]
        cells: i64 = 0
        only: i64 = 0
        for entry in g.adventurers[self.seat].rim:
            if fits(sides, entry):
                cells += 1
                only = entry >> CELL
        if cells == 1:
            place(g, self.seat, self.tile, only)
        else:
            g.ask(self)

    def options(self, g: TalesOfGlory, seat: i64) -> vec[i64]:
        return vec[i64]([PUT + (entry >> CELL) for entry in g.adventurers[seat].rim])

    def forbids(self, g: TalesOfGlory, seat: i64, action: i64) -> str:
        return g.adventurers[seat].clash(g.tiles.sides[self.tile], action - PUT)

    def allow(self, g: TalesOfGlory, seat: i64, moves: Moves) -> None:
        sides = g.tiles.sides[self.tile]
        for entry in g.adventurers[seat].rim:
            if fits(sides, entry):
                moves.add(PUT + (entry >> CELL))

    def answer(self, g: TalesOfGlory, seat: i64, action: i64, rng: Rng) -> None:
        place(g, seat, self.tile, action - PUT)


def place(g: TalesOfGlory, seat: i64, tile: i64, cell: i64) -> None:
    """TG-3.2, TG-3.3.0 The tile is placed; then its keys, its own gain, the gains of Place connectors."""
    g.note("TG-3.2.2", PLACED, seat, g.named(tile), cell)
    a = g.adventurers[seat]
    a.settle(g.tiles, tile, cell)
    if g.readings & PAID_FIRST == 0:
        push_rewards(g, seat, len(a.ground) - 1)


def push_rewards(g: TalesOfGlory, seat: i64, last: i64) -> None:
    """TG-3.3.0 What the tile at this place of the zone brings, connected with the tiles that were there before it."""
    a = g.adventurers[seat]
    tiles = g.tiles
    cell = a.ground[last] >> CELL
    tile = a.ground[last] & THERE
    sides = tiles.sides[tile]
    for side in range(SIDES - 1, -1, -1):  # The last of the agenda comes first.
        if (sides >> side) & 1 == 1:
            other = a.tile_before(last, cell + TOWARDS[side])
            if other != NO_TILE:
                push_connector(g, seat, other, OPPOSITE[side], tile)
                push_connector(g, seat, tile, side, other)
    if len(tiles.gains[tile * SOURCES]) > 0:
        g.push(Gaining(seat, tile * SOURCES, 0, NOW))
    halves = tiles.halves[tile] & sides
    for side in range(SIDES - 1, -1, -1):
        if (halves >> side) & 1 == 1:
            other = a.tile_before(last, cell + TOWARDS[side])
            if other != NO_TILE and (tiles.halves[other] >> OPPOSITE[side]) & 1 == 1:
                g.push(ConnectionKey(seat, tile, other))


def push_connector(g: TalesOfGlory, seat: i64, tile: i64, side: i64, neighbour: i64) -> None:
    """TG-3.3.3 A Place's connector gives its gain if the neighbour is of the wanted type."""
    tiles = g.tiles
    source = tile * SOURCES + CONNECTOR + side
    if tiles.types[tile] == PLACE and len(tiles.gains[source]) > 0:
        wanted = tiles.conditions[tile * SIDES + side]
        if wanted == NO_TYPE or wanted == tiles.types[neighbour]:
            g.push(Gaining(seat, source, 0, NOW))


# -- TG-3.3 Gain ------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Gaining(Step):
    """TG-3.3 The gain of a tile, of a chest or of a Place's connector, from its `index`-th part on."""

    def __init__(self, seat: i64, source: i64, index: i64, when: i64) -> None:
        super().__init__(seat)
        self.source = source
        self.index = index
        self.when = when

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        gain(g, self.seat, self.source, self.index, self.when)


def gain(g: TalesOfGlory, seat: i64, source: i64, index: i64, when: i64) -> None:
    """TG-3.3.1 Printed gains in their order, from `index` on; a key interrupts what comes after it."""
    a = g.adventurers[seat]
    gains = g.tiles.gains[source]
    while index < len(gains):
        gain = gains[index]
        index += 1
        if when != BOTH and gain.at_end != (when == AT_END):
            continue
        times = a.times(gain.per)
        if times == 0:
            continue
        keys: i64 = 0
        for i in range(len(gain.kinds)):
            kind = gain.kinds[i]
            amount = gain.amounts[i] * times
            if kind == KEY:
                keys += amount
            elif kind == TOKEN:
                gain_token(g, seat)
            else:
                a.receive(kind, amount)
                if g.log is not None:
                    note_gain(g, seat, source, kind, amount, when)
        if keys > 0:
            if index < len(gains):
                g.push(Gaining(seat, source, index, when))
            for _key in range(min(keys, MOST_CHESTS)):  # No player can place more.
                g.push(AnyKey(seat))
            return


def note_gain(g: TalesOfGlory, seat: i64, source: i64, kind: i64, amount: i64, when: i64) -> None:
    where = source % SOURCES
    if when == AT_END:
        rule = "TG-5.2"
    elif where >= CONNECTOR:
        rule = "TG-3.3.3"
    elif where >= CHEST:
        rule = "TG-3.4.1"
    elif source >= FIRST_HERO * SOURCES:
        rule = "TG-1.5"
    else:
        rule = "TG-3.3.1"
    g.note(rule, GAINED, seat, kind, amount, g.tiles.number * SET * SOURCES + source)


def gain_token(g: TalesOfGlory, seat: i64) -> None:
    """TG-4.3 The token is for the next round, which round 10 does not have; the later in turn order keeps it."""
    before = g.token
    if before == NO_SEAT or g.place_in_turn(seat) > g.place_in_turn(before):
        g.token = seat
    g.note("TG-4.3", TOKEN_GAINED, seat, g.token if g.round < ROUNDS else NO_SEAT, before)


# -- TG-3.4 Keys and chests -------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class AnyKey(Step):
    """TG-3.4.1 A key is used at once on a closed chest: asked where there are several, lost where there is none."""

    def reaches(self, a: Adventurer, chest: i64) -> bool:
        """TG-3.4.3 A key from a gain or a discard opens any chest of the zone."""
        return True

    def run(self, g: TalesOfGlory, rng: Rng) -> None:
        a = g.adventurers[self.seat]
        chests: i64 = 0
        only: i64 = 0
        for chest in a.shut:
            if self.reaches(a, chest):
                chests += 1
                only = chest
        if chests > 1:
            g.ask(self)
        elif chests == 1:
            unlock(g, self.seat, only)
        else:
            g.note("TG-3.4.1", KEY_LOST, self.seat)

    def options(self, g: TalesOfGlory, seat: i64) -> vec[i64]:
        return vec[i64]([OPEN + chest for chest in g.adventurers[seat].shut])

    def allow(self, g: TalesOfGlory, seat: i64, moves: Moves) -> None:
        a = g.adventurers[seat]
        for chest in a.shut:
            if self.reaches(a, chest):
                moves.add(OPEN + chest)

    def answer(self, g: TalesOfGlory, seat: i64, action: i64, rng: Rng) -> None:
        unlock(g, seat, action - OPEN)


@mypyc_attr(acyclic=True, free_list_len=1)
class ConnectionKey(AnyKey):
    """TG-3.4.2 A key from a connection opens a chest on one of the two connected tiles, or on the hero."""

    def __init__(self, seat: i64, tile: i64, other: i64) -> None:
        super().__init__(seat)
        self.tile = tile
        self.other = other

    def reaches(self, a: Adventurer, chest: i64) -> bool:
        tile = chest >> 1
        return tile in (self.tile, self.other, a.hero)

    def forbids(self, g: TalesOfGlory, seat: i64, action: i64) -> str:
        return ALLOWED if self.reaches(g.adventurers[seat], action - OPEN) else "TG-3.4.2"


def unlock(g: TalesOfGlory, seat: i64, chest: i64) -> None:
    """TG-3.4.1 The key is on the chest, then its content is gained."""
    a = g.adventurers[seat]
    a.shut = remove(a.shut, chest)
    a.open = append(a.open, chest)
    tile = chest >> 1
    which = chest & 1
    g.note("TG-3.4.1", OPENED, seat, g.named(tile), which)
    gain(g, seat, tile * SOURCES + CHEST + which, 0, BOTH if g.ending else NOW)
