"""Advisor of Tales of Glory: heuristics, evaluation and prior for the search."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.tales_of_glory.rules import (
    A_COIN,
    A_POTION,
    ALL_SIDES,
    CELL,
    CHEST,
    COINS,
    COMBAT,
    CONNECTOR,
    DISCARD,
    DONE,
    DROP,
    FIRST_QUEST,
    KEY,
    MAGIC,
    MAJORITIES,
    NO_TILE,
    NO_TYPE,
    NOTHING,
    ONCE,
    OPEN,
    OPPOSITE,
    OWN,
    PER_CLOSED,
    PER_MAJORITY,
    PER_SURROUNDED,
    PLACE,
    PLAY,
    POTIONS,
    PRESTIGE,
    PUT,
    QUEST,
    ROUNDS,
    SELECT,
    SET,
    SIDES,
    SOURCES,
    TAKE,
    THERE,
    TOWARDS,
    TYPES,
    Adventurer,
    Placing,
    Selection,
    TalesOfGlory,
    bits,
    most_of,
)
from veillee.kernel.advisor import Advisor, Signs
from veillee.kernel.chance import Rng
from veillee.kernel.counts import at
from veillee.kernel.state import Moves

SLIPS: Final = 12  # one choice in so many is anything at all
NOISE: Final = 0.35  # Prestige: how far the estimate of a choice wavers
A_KEY: Final = 2.4  # what a key is worth while chests are closed
FUTURE: Final = 0.28  # tiles of one type that a round still to come will bring, on average
GREED: Final = 0.5  # of what is expected of a Place's open connectors and a closed chest, how much is counted


# The signs of an answer, by what kind of answer it is; those of tiles thrice: early, in the middle and late in the game.
TILE_SIGNS: Final = 14
PUT_SIGNS: Final = 3 * TILE_SIGNS
PLAY_SIGNS: Final = PUT_SIGNS + 12
OTHER_SIGNS: Final = PLAY_SIGNS + 18
SIGHTS: Final = (1 << 40) - 87  # a prime: central boards that are not alike have other numbers


class Storyteller(Advisor):
    """Weighs each tile in Prestige: what it gives, costs and makes possible, now and in the rounds that are left."""

    def signs(self, g: TalesOfGlory, seat: i64, moves: Moves, place: i64, into: Signs) -> None:
        """What the tile or the cell is worth in Prestige, and what that does not tell: its type, its price, its connectors."""
        action = moves.at(place)
        a = g.adventurers[seat]
        third: i64 = 0 if g.round <= 3 else 1 if g.round <= 7 else 2
        if action < PLAY:
            slot = action - SELECT if action < TAKE else action - TAKE
            tile_signs(g, a, g.slots[slot], g.is_wild(slot), third * TILE_SIGNS, into)
        elif action >= PUT:
            step = g.asked(seat)
            if isinstance(step, Placing):
                put_signs(g, a, step.tile, action - PUT, PUT_SIGNS + 4 * third, into)
        elif action >= OPEN:
            into.add(OTHER_SIGNS, chest_value(g, a, action - OPEN))
        elif action >= DROP:
            quest = action - DROP + FIRST_QUEST
            into.add(OTHER_SIGNS + 1, gains_value(g, a, quest * SOURCES + OWN, NO_TYPE))
            into.add(OTHER_SIGNS + 2, int(g.tiles.coins[quest] + g.tiles.potions[quest]) / 3.0)
        else:
            first = PLAY_SIGNS + 6 * third
            kind: i64 = 0 if action >= QUEST else 1 if action == DISCARD else 2 if action == DONE else 3
            into.add(first + kind, 1.0)
            into.add(first + 4, play_value(g, a, action) / 3.0)
            if action in (PLAY + A_COIN, PLAY + A_POTION):
                spare = a.coins - a.potions if action == PLAY + A_COIN else a.potions - a.coins
                into.add(first + 5, int(spare) / 3.0)

    def choose(self, g: TalesOfGlory, seat: i64, moves: Moves, rng: Rng) -> i64:
        first = moves.at(0)
        if moves.count == 1:
            return first
        if rng.below(SLIPS) == 0:
            return moves.random(rng)
        a = g.adventurers[seat]
        if first < TAKE:
            return best_slot(g, a, moves, SELECT, rng)
        if first < PLAY:
            return best_slot(g, a, moves, TAKE, rng)
        if first >= PUT:
            return best_place(g, a, seat, moves, rng)
        if first >= OPEN:
            return best_chest(g, a, moves, rng)
        if first >= DROP:
            return worst_quest(g, a, moves, rng)
        return best_play(g, a, moves, rng)

    def sight(self, g: TalesOfGlory, seat: i64) -> i64:
        """The tiles on the central board: in another round a slot is another choice."""
        if not isinstance(g.question, Selection):
            return 0
        seen: i64 = 1
        for tile in g.slots:
            seen = (seen * SET + tile + 1) % SIGHTS
        return seen

    def quiet(self, g: TalesOfGlory) -> bool:
        """At the beginning of a round."""
        return isinstance(g.question, Selection)

    def phase(self, g: TalesOfGlory) -> i64:
        return g.round - 1

    def features(self, g: TalesOfGlory, seat: i64) -> vec[float]:
        """Prestige, the means to get more, and what the end will bring."""
        a = g.adventurers[seat]
        promised = 0.0
        awaited = 0.0
        for entry in a.ground:
            tile = entry & THERE
            promised += end_value(g, a, tile * SOURCES)
            if g.tiles.types[tile] == PLACE:
                awaited += waiting_value(g, a, entry >> CELL, tile)
        openings: i64 = 0
        for entry in a.rim:
            if entry & ALL_SIDES != 0:
                openings += 1
        leads: i64 = 0
        for kind in MAJORITIES:
            if a.has(kind) == max(1, most_of(g, kind)):
                leads += 1
        return vec[float](
            [
                int(a.prestige) / 20.0,
                promised / 10.0,
                int(a.coins) / 5.0,
                int(a.potions) / 5.0,
                int(a.combat) / 3.0,
                int(a.magic) / 3.0,
                int(a.times(PER_CLOSED)) / 3.0,
                int(openings) / 5.0,
                int(leads) / 2.0,
                1.0 if g.first == seat else 0.0,
                awaited / 5.0,
            ]
        )


def left(g: TalesOfGlory) -> int:
    """Rounds that come after this one."""
    return int(ROUNDS - g.round)


def coin_value(g: TalesOfGlory) -> float:
    """Coins and potions buy Prestige as long as there is something to buy; at the end only a majority."""
    rounds = left(g)
    return 0.25 + 0.1 * rounds if rounds < 7 else 0.95


def skill_value(g: TalesOfGlory) -> float:
    """A point of combat or magic saves a potion for each tile that asks for it."""
    return 0.6 + 0.3 * left(g)


def key_hope(a: Adventurer) -> float:
    """What a key is worth whose chest is not chosen yet."""
    return A_KEY if len(a.shut) > 0 else 0.0


def kind_value(g: TalesOfGlory, a: Adventurer, kind: i64) -> float:
    if kind == PRESTIGE:
        return 1.0
    if kind in (COINS, POTIONS):
        return coin_value(g)
    if kind == KEY:
        return key_hope(a)
    if kind in (COMBAT, MAGIC):
        return skill_value(g)
    return 0.5  # the first-player token


def expected_times(g: TalesOfGlory, a: Adventurer, per: i64, tile_type: i64) -> float:
    """How many there will be at the end."""
    if per < TYPES:
        return int(at(a.types, per) + (1 if per == tile_type else 0)) + FUTURE * left(g)
    if per == PER_MAJORITY:
        return 1.3
    return int(a.times(per)) + (0.1 if per == PER_SURROUNDED else 0.2) * left(g)


def gains_value(g: TalesOfGlory, a: Adventurer, source: i64, tile_type: i64) -> float:
    """What a printed gain is worth to this player, in Prestige."""
    value = 0.0
    for gain in g.tiles.gains[source]:
        times = 1.0
        if gain.per != ONCE:
            if gain.at_end:
                times = expected_times(g, a, gain.per, tile_type)
            else:
                times = float(int(a.times(gain.per) + (1 if gain.per == tile_type else 0)))
        for i in range(len(gain.kinds)):
            value += times * int(gain.amounts[i]) * kind_value(g, a, gain.kinds[i])
    return value


def end_value(g: TalesOfGlory, a: Adventurer, source: i64) -> float:
    value = 0.0
    for gain in g.tiles.gains[source]:
        if gain.at_end:
            value += int(gain.amounts[0]) * expected_times(g, a, gain.per, NO_TYPE)
    return value


def chest_value(g: TalesOfGlory, a: Adventurer, chest: i64) -> float:
    return gains_value(g, a, (chest >> 1) * SOURCES + CHEST + (chest & 1), NO_TYPE)


def cost_value(g: TalesOfGlory, a: Adventurer, tile: i64, wild: bool) -> float:
    """What is spent on the tile; 1000 if it cannot be paid."""
    tiles = g.tiles
    coins = tiles.coins[tile]
    potions = tiles.potions[tile] + a.missing(tiles, tile)
    if coins > a.coins or potions > a.potions or (wild and coins + potions == a.coins + a.potions):
        return 1000.0
    return int(coins + potions + (1 if wild else 0)) * coin_value(g)


def discard_value(g: TalesOfGlory, a: Adventurer) -> float:
    return 2.0 * coin_value(g) + key_hope(a) - 1.0


def tile_value(g: TalesOfGlory, a: Adventurer, tile: i64, wild: bool) -> float:
    """What playing the tile is worth; what discarding it is worth where that is more."""
    thrown = discard_value(g, a)
    tiles = g.tiles
    cost = cost_value(g, a, tile, wild)
    if cost > 500.0 or not a.has_room(tiles.sides[tile]):
        return thrown
    tile_type = tiles.types[tile]
    value = gains_value(g, a, tile * SOURCES + OWN, tile_type) - cost
    more = min(4, left(g))
    value += 0.12 * more * int(bits(tiles.sides[tile]))
    value += 0.35 * int(bits(tiles.halves[tile]))
    for chest in range(tiles.chests[tile]):
        value += GREED * (0.2 + 0.1 * more) * gains_value(g, a, tile * SOURCES + CHEST + chest, NO_TYPE)
    if tile_type == PLACE:
        for side in range(SIDES):
            if (tiles.sides[tile] >> side) & 1 == 1:
                value += reached(g, tile, side) * gains_value(g, a, tile * SOURCES + CONNECTOR + side, NO_TYPE)
    return max(thrown, value)


def reached(g: TalesOfGlory, tile: i64, side: i64) -> float:
    """How much of a Place's connector is counted: how often it gives its gain by the end, less for coming late.

    In games of these bots a connector for anything gave its gain 9 times in 10 if the Place was played early and 6 in
    10 if late, one that asks for a type 5 and 3 times in 10.
    """
    rounds = min(7, left(g))
    if g.tiles.conditions[tile * SIDES + side] == NO_TYPE:
        return 0.55 + 0.03 * rounds
    return 0.24 + 0.027 * rounds


def waiting_value(g: TalesOfGlory, a: Adventurer, cell: i64, tile: i64) -> float:
    """What the connectors of a Place that have no neighbour yet may still bring."""
    value = 0.0
    for side in range(SIDES):
        if (g.tiles.sides[tile] >> side) & 1 == 1 and a.tile_at(cell + TOWARDS[side]) == NO_TILE:
            value += reached(g, tile, side) * gains_value(g, a, tile * SOURCES + CONNECTOR + side, NO_TYPE)
    return value


def best_slot(g: TalesOfGlory, a: Adventurer, moves: Moves, base: i64, rng: Rng) -> i64:
    best = moves.at(0)
    most = -1000.0
    for place in range(moves.count):
        action = moves.at(place)
        slot = action - base
        value = tile_value(g, a, g.slots[slot], g.is_wild(slot)) + 2.0 * NOISE * rng.share()
        if value > most:
            most = value
            best = action
    return best


def tile_signs(g: TalesOfGlory, a: Adventurer, tile: i64, wild: bool, first: i64, into: Signs) -> None:
    """Of a tile that lies in a slot."""
    tiles = g.tiles
    value = tile_value(g, a, tile, wild)
    into.add(first, value / 3.0)
    if cost_value(g, a, tile, wild) > 500.0 or not a.has_room(tiles.sides[tile]):
        into.add(first + 1, 1.0)
        return
    into.add(first + 2 + tiles.types[tile], 1.0)
    into.add(first + 7, int(tiles.coins[tile]) / 3.0)
    into.add(first + 8, int(tiles.potions[tile] + a.missing(tiles, tile)) / 3.0)
    into.add(first + 9, int(bits(tiles.sides[tile])) / 3.0)
    into.add(first + 10, int(bits(tiles.halves[tile])) / 2.0)
    into.add(first + 11, float(int(tiles.chests[tile])))
    if wild:
        into.add(first + 12, 1.0)
    if value <= discard_value(g, a):
        into.add(first + 13, 1.0)


def put_signs(g: TalesOfGlory, a: Adventurer, tile: i64, cell: i64, first: i64, into: Signs) -> None:
    """Of a cell that a tile may be put on."""
    sides = g.tiles.sides[tile]
    joined: i64 = 0
    opened: i64 = 0
    for side in range(SIDES):
        if (sides >> side) & 1 == 1:
            beside = cell + TOWARDS[side]
            if a.tile_at(beside) != NO_TILE:
                joined += 1
            elif a.rim_at(beside) == 0:
                opened += 1
    into.add(first, place_value(g, a, tile, cell))
    into.add(first + 1, float(int(joined)))
    into.add(first + 2, float(int(opened)))


def best_place(g: TalesOfGlory, a: Adventurer, seat: i64, moves: Moves, rng: Rng) -> i64:
    best = moves.at(0)
    step = g.asked(seat)
    if not isinstance(step, Placing):
        return best
    most = -1000.0
    for place in range(moves.count):
        action = moves.at(place)
        value = place_value(g, a, step.tile, action - PUT) + NOISE * rng.share()
        if value > most:
            most = value
            best = action
    return best


def place_value(g: TalesOfGlory, a: Adventurer, tile: i64, cell: i64) -> float:
    """Keys and Place gains at once, and connectors left open for later."""
    tiles = g.tiles
    value = 0.0
    sides = tiles.sides[tile]
    for side in range(SIDES):
        beside = cell + TOWARDS[side]
        other = a.tile_at(beside)
        connected = (sides >> side) & 1 == 1
        if other == NO_TILE:
            if connected:
                value += 0.3 if a.rim_at(beside) == 0 else 0.1
            elif a.rim_at(beside) & ALL_SIDES != 0:
                value -= 0.3  # it closes a cell that was open
        elif connected:
            back = OPPOSITE[side]
            if (tiles.halves[tile] >> side) & 1 == 1:
                value += key_value(g, a, tile, other) if (tiles.halves[other] >> back) & 1 == 1 else -0.3
            value += connector_value(g, a, tile, side, other) + connector_value(g, a, other, back, tile)
    return value


def connector_value(g: TalesOfGlory, a: Adventurer, tile: i64, side: i64, neighbour: i64) -> float:
    """What a Place's connector gives, less what another neighbour might have got from it later."""
    tiles = g.tiles
    source = tile * SOURCES + CONNECTOR + side
    if len(tiles.gains[source]) == 0:
        return 0.0
    wanted = tiles.conditions[tile * SIDES + side]
    value = gains_value(g, a, source, NO_TYPE)
    return value if wanted == NO_TYPE or wanted == tiles.types[neighbour] else -0.3 * value


def key_value(g: TalesOfGlory, a: Adventurer, tile: i64, other: i64) -> float:
    """The best chest within reach of a connection's key, the new tile's own included."""
    best = 0.0
    for chest in a.shut:
        if chest >> 1 in (other, a.hero):
            best = max(best, chest_value(g, a, chest))
    for chest in range(g.tiles.chests[tile]):
        best = max(best, chest_value(g, a, 2 * tile + chest))
    return best


def best_chest(g: TalesOfGlory, a: Adventurer, moves: Moves, rng: Rng) -> i64:
    best = moves.at(0)
    most = -1000.0
    for place in range(moves.count):
        action = moves.at(place)
        value = chest_value(g, a, action - OPEN) + NOISE * rng.share()
        if value > most:
            most = value
            best = action
    return best


def worst_quest(g: TalesOfGlory, a: Adventurer, moves: Moves, rng: Rng) -> i64:
    worst = moves.at(0)
    least = 1000.0
    for place in range(moves.count):
        action = moves.at(place)
        quest = action - DROP + FIRST_QUEST
        value = gains_value(g, a, quest * SOURCES + OWN, NO_TYPE) + 4.0 * NOISE * rng.share()
        if value < least:
            least = value
            worst = action
    return worst


def best_play(g: TalesOfGlory, a: Adventurer, moves: Moves, rng: Rng) -> i64:
    """Play the tile if that is worth more than to discard it; a quest as soon as it is worth its price."""
    best: i64 = DONE
    most = -1000.0
    for place in range(moves.count):
        action = moves.at(place)
        value = play_value(g, a, action) + NOISE * rng.share()
        if value > most:
            most = value
            best = action
    return best


def play_value(g: TalesOfGlory, a: Adventurer, action: i64) -> float:
    if action >= QUEST:
        quest = action - QUEST + FIRST_QUEST
        value = gains_value(g, a, quest * SOURCES + OWN, NO_TYPE) - cost_value(g, a, quest, wild=False)
        return value - 1.2 * left(g)  # Multipliers grow, and coins are wanted for other tiles.
    if action == DISCARD:
        return discard_value(g, a)
    if action == DONE:
        return 0.0
    value = tile_value(g, a, a.taken, wild=action != PLAY + NOTHING)
    dear = (action == PLAY + A_COIN and a.coins < a.potions) or (action == PLAY + A_POTION and a.potions < a.coins)
    return value if dear else value + 0.3
