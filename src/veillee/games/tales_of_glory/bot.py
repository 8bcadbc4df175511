"""What Tales of Glory tells the search about good play."""

from __future__ import annotations

from typing import Final

from veillee.games.tales_of_glory.rules import (
    A_COIN,
    A_POTION,
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
    NO_TILE,
    NO_TYPE,
    NOTHING,
    ONCE,
    OPEN,
    OPPOSITE,
    OWN,
    PER_MAJORITY,
    PER_SURROUNDED,
    PLACE,
    PLAY,
    POTIONS,
    PRESTIGE,
    PUT,
    QUEST,
    ROUNDS,
    SIDES,
    SOURCES,
    TAKE,
    TOWARDS,
    TYPES,
    Adventurer,
    Placing,
    Selection,
    TalesOfGlory,
    bits,
)
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng

SLIPS: Final = 12  # one choice in so many is anything at all
NOISE: Final = 0.35  # Prestige: how far the estimate of a choice wavers
A_KEY: Final = 2.4  # what a key is worth while chests are closed
FUTURE: Final = 0.28  # tiles of one type that a round still to come will bring, on average
GREED: Final = 0.5  # of what is expected of a Place's open connectors and a closed chest, how much is counted


class Storyteller(Advisor):
    """Weighs each tile in Prestige: what it gives, costs and makes possible, now and in the rounds that are left."""

    def choose(self, g: TalesOfGlory, seat: int, legal: list[int], rng: Rng) -> int:
        count = len(legal)
        if count == 1:
            return legal[0]
        if rng.below(SLIPS) == 0:
            return legal[rng.below(count)]
        first = legal[0]
        a = g.adventurers[seat]
        if first < PLAY:
            base = 0 if first < TAKE else TAKE
            return base + best_slot(g, a, legal, base, rng)
        if first >= PUT:
            return self.best_place(g, a, seat, legal, rng)
        if first >= OPEN:
            return best_chest(g, a, legal, rng)
        if first >= DROP:
            return worst_quest(g, a, legal, rng)
        return best_play(g, a, legal, rng)

    def best_place(self, g: TalesOfGlory, a: Adventurer, seat: int, legal: list[int], rng: Rng) -> int:
        step = g.asked(seat)
        if not isinstance(step, Placing):
            return legal[0]
        best = legal[0]
        most = -1000.0
        for action in legal:
            value = place_value(g, a, step.tile, action - PUT) + NOISE * rng.next()
            if value > most:
                most = value
                best = action
        return best

    def quiet(self, g: TalesOfGlory) -> bool:
        """At the beginning of a round."""
        return isinstance(g.question, Selection)

    def phase(self, g: TalesOfGlory) -> int:
        return g.round - 1

    def features(self, g: TalesOfGlory, seat: int) -> list[float]:
        """Prestige, the means to get more, and what the end will bring."""
        a = g.adventurers[seat]
        promised = 0.0
        awaited = 0.0
        for cell, tile in a.ground.items():
            promised += end_value(g, a, tile * SOURCES)
            if g.tiles.types[tile] == PLACE:
                awaited += waiting_value(g, a, cell, tile)
        openings = 0
        for rim in a.rim.values():
            if rim & 15 != 0:
                openings += 1
        leads = 0
        for kind in (COMBAT, MAGIC, POTIONS, COINS):
            mine = a.has(kind)
            best = 1
            for other in g.adventurers:
                best = max(best, other.has(kind))
            if mine == best:
                leads += 1
        return [
            a.prestige / 20.0,
            promised / 10.0,
            a.coins / 5.0,
            a.potions / 5.0,
            a.combat / 3.0,
            a.magic / 3.0,
            len(a.shut) / 3.0,
            openings / 5.0,
            leads / 2.0,
            1.0 if g.first == seat else 0.0,
            awaited / 5.0,
        ]


def left(g: TalesOfGlory) -> int:
    """Rounds that come after this one."""
    return ROUNDS - g.round


def coin_value(g: TalesOfGlory) -> float:
    """Coins and potions buy Prestige as long as there is something to buy; at the end only a majority."""
    rounds = left(g)
    return 0.25 + 0.1 * rounds if rounds < 7 else 0.95


def skill_value(g: TalesOfGlory) -> float:
    """A point of combat or magic saves a potion for each tile that asks for it."""
    return 0.6 + 0.3 * left(g)


def kind_value(g: TalesOfGlory, a: Adventurer, kind: int) -> float:
    if kind == PRESTIGE:
        return 1.0
    if kind in (COINS, POTIONS):
        return coin_value(g)
    if kind == KEY:
        return A_KEY if a.shut else 0.0
    if kind in (COMBAT, MAGIC):
        return skill_value(g)
    return 0.5  # the first-player token


def expected_times(g: TalesOfGlory, a: Adventurer, per: int, tile_type: int) -> float:
    """How many there will be at the end."""
    rounds = left(g)
    if per < TYPES:
        return a.types[per] + (1 if per == tile_type else 0) + FUTURE * rounds
    if per == PER_MAJORITY:
        return 1.3
    if per == PER_SURROUNDED:
        return a.times(per) + 0.1 * rounds
    return a.times(per) + 0.2 * rounds


def gains_value(g: TalesOfGlory, a: Adventurer, source: int, tile_type: int) -> float:
    """What a printed gain is worth to this player, in Prestige."""
    value = 0.0
    for gain in g.tiles.gains[source]:
        times = 1.0
        if gain.per != ONCE:
            if gain.at_end:
                times = expected_times(g, a, gain.per, tile_type)
            else:
                times = float(a.times(gain.per))
                if gain.per == tile_type:
                    times += 1.0
        for i in range(len(gain.kinds)):
            value += times * gain.amounts[i] * kind_value(g, a, gain.kinds[i])
    return value


def end_value(g: TalesOfGlory, a: Adventurer, source: int) -> float:
    value = 0.0
    for gain in g.tiles.gains[source]:
        if gain.at_end:
            value += gain.amounts[0] * expected_times(g, a, gain.per, NO_TYPE)
    return value


def cost_value(g: TalesOfGlory, a: Adventurer, tile: int, wild: bool) -> float:
    """What is spent on the tile; 1000 if it cannot be paid."""
    tiles = g.tiles
    coins = a.coins - tiles.coins[tile]
    potions = a.potions - tiles.potions[tile] - a.missing(tiles, tile)
    if coins < 0 or potions < 0 or (wild and coins + potions == 0):
        return 1000.0
    spent = a.coins + a.potions - coins - potions
    if wild:
        spent += 1
    return spent * coin_value(g)


def tile_value(g: TalesOfGlory, a: Adventurer, tile: int, wild: bool) -> float:
    """What playing the tile is worth; what discarding it is worth where that is more."""
    thrown = 2.0 * coin_value(g) + (A_KEY if a.shut else 0.0) - 1.0
    tiles = g.tiles
    cost = cost_value(g, a, tile, wild)
    if cost > 500.0 or not a.has_room(tiles.sides[tile]):
        return thrown
    tile_type = tiles.types[tile]
    value = gains_value(g, a, tile * SOURCES + OWN, tile_type) - cost
    rounds = left(g)
    more = min(4, rounds)
    value += 0.12 * more * bits(tiles.sides[tile])
    value += 0.35 * bits(tiles.halves[tile])
    for chest in range(tiles.chests[tile]):
        value += GREED * (0.2 + 0.1 * more) * gains_value(g, a, tile * SOURCES + CHEST + chest, NO_TYPE)
    if tile_type == PLACE:
        for side in range(SIDES):
            if (tiles.sides[tile] >> side) & 1 == 1:
                value += reached(g, tile, side) * gains_value(g, a, tile * SOURCES + CONNECTOR + side, NO_TYPE)
    return max(thrown, value)


def reached(g: TalesOfGlory, tile: int, side: int) -> float:
    """How much of a Place's connector is counted: how often it gives its gain by the end, less for coming late.

    In games of these bots a connector for anything gave its gain 9 times in 10 if the Place was played early and 6 in
    10 if late, one that asks for a type 5 and 3 times in 10.
    """
    rounds = min(7, left(g))
    if g.tiles.conditions[tile * SIDES + side] == NO_TYPE:
        return 0.55 + 0.03 * rounds
    return 0.24 + 0.027 * rounds


def waiting_value(g: TalesOfGlory, a: Adventurer, cell: int, tile: int) -> float:
    """What the connectors of a Place that have no neighbour yet may still bring."""
    value = 0.0
    for side in range(SIDES):
        if (g.tiles.sides[tile] >> side) & 1 == 1 and cell + TOWARDS[side] not in a.ground:
            value += reached(g, tile, side) * gains_value(g, a, tile * SOURCES + CONNECTOR + side, NO_TYPE)
    return value


def best_slot(g: TalesOfGlory, a: Adventurer, legal: list[int], base: int, rng: Rng) -> int:
    best = legal[0] - base
    most = -1000.0
    for action in legal:
        slot = action - base
        value = tile_value(g, a, g.slots[slot], g.is_wild(slot)) + 2.0 * NOISE * rng.next()
        if value > most:
            most = value
            best = slot
    return best


def place_value(g: TalesOfGlory, a: Adventurer, tile: int, cell: int) -> float:
    """Keys and Place gains at once, and connectors left open for later."""
    tiles = g.tiles
    value = 0.0
    sides = tiles.sides[tile]
    ground = a.ground
    for side in range(SIDES):
        beside = cell + TOWARDS[side]
        other = ground.get(beside, NO_TILE)
        connected = (sides >> side) & 1 == 1
        if other == NO_TILE:
            if connected:
                value += 0.3 if a.rim.get(beside, 0) == 0 else 0.1
            elif a.rim.get(beside, 0) & 15 != 0:
                value -= 0.3  # it closes a cell that was open
        elif connected:
            back = OPPOSITE[side]
            if (tiles.halves[tile] >> side) & 1 == 1:
                value += key_value(g, a, tile, other) if (tiles.halves[other] >> back) & 1 == 1 else -0.3
            value += connector_value(g, a, tile, side, other) + connector_value(g, a, other, back, tile)
    return value


def connector_value(g: TalesOfGlory, a: Adventurer, tile: int, side: int, neighbour: int) -> float:
    """What a Place's connector gives, less what another neighbour might have got from it later."""
    tiles = g.tiles
    source = tile * SOURCES + CONNECTOR + side
    if not tiles.gains[source]:
        return 0.0
    wanted = tiles.conditions[tile * SIDES + side]
    value = gains_value(g, a, source, NO_TYPE)
    return value if wanted == NO_TYPE or wanted == tiles.types[neighbour] else -0.3 * value


def key_value(g: TalesOfGlory, a: Adventurer, tile: int, other: int) -> float:
    """The best chest within reach of a connection's key, the new tile's own included."""
    best = 0.0
    for chest in a.shut:
        if chest // 2 in (other, a.hero):
            best = max(best, gains_value(g, a, chest // 2 * SOURCES + CHEST + chest % 2, NO_TYPE))
    for chest in range(g.tiles.chests[tile]):
        best = max(best, gains_value(g, a, tile * SOURCES + CHEST + chest, NO_TYPE))
    return best


def best_chest(g: TalesOfGlory, a: Adventurer, legal: list[int], rng: Rng) -> int:
    best = legal[0]
    most = -1000.0
    for action in legal:
        chest = action - OPEN
        value = gains_value(g, a, chest // 2 * SOURCES + CHEST + chest % 2, NO_TYPE) + NOISE * rng.next()
        if value > most:
            most = value
            best = action
    return best


def worst_quest(g: TalesOfGlory, a: Adventurer, legal: list[int], rng: Rng) -> int:
    worst = legal[0]
    least = 1000.0
    for action in legal:
        quest = action - DROP + FIRST_QUEST
        value = gains_value(g, a, quest * SOURCES + OWN, NO_TYPE) + 4.0 * NOISE * rng.next()
        if value < least:
            least = value
            worst = action
    return worst


def best_play(g: TalesOfGlory, a: Adventurer, legal: list[int], rng: Rng) -> int:
    """Play the tile if that is worth more than to discard it; a quest as soon as it is worth its price."""
    best = DONE
    most = -1000.0
    for action in legal:
        if action >= QUEST:
            quest = action - QUEST + FIRST_QUEST
            value = gains_value(g, a, quest * SOURCES + OWN, NO_TYPE) - cost_value(g, a, quest, wild=False)
            value -= 1.2 * left(g)  # Multipliers grow, and coins are wanted for other tiles.
        elif action == DISCARD:
            value = 2.0 * coin_value(g) + (A_KEY if a.shut else 0.0) - 1.0
        elif action == DONE:
            value = 0.0
        else:
            value = tile_value(g, a, a.taken, wild=action != PLAY + NOTHING) + 0.3
            if (action == PLAY + A_COIN and a.coins < a.potions) or (action == PLAY + A_POTION and a.potions < a.coins):
                value -= 0.3
        value += NOISE * rng.next()
        if value > most:
            most = value
            best = action
    return best
