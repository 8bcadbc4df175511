"""Census of Tales of Glory: counts every tile; none is lost or duplicated during a game. Also checks each zone from scratch."""

from __future__ import annotations

from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.counts import spread

# TG-1.1, TG-1.3, TG-4.3 What is in the box and how it is used up, as printed: not what the engine believes.
AGE_TILES = 53
QUESTS = 16
HEROES = 5
ROUNDS = 10
NEW_TILES = 5  # in each round after the first


def census(g: tg.TalesOfGlory) -> dict[str, int]:
    """Where each of the 53 Age tiles and 16 quests is: every one is somewhere, once. The zones are lawful."""
    where = [0] * (AGE_TILES + QUESTS + HEROES)
    for tile in g.slots:
        if tile != tg.NO_TILE:
            where[tile] += 1
    for tile in [*g.pile, *g.aside, *g.discards, *g.undealt]:
        where[tile] += 1
    for a in g.adventurers:
        for tile in [*a.zone().values(), *a.hand]:
            where[tile] += 1
        for tile in (a.taken, a.dropped):
            if tile != tg.NO_TILE:
                where[tile] += 1
    for step in [g.question, *g.agenda, *(step for thread in g.threads for step in thread)]:
        if (
            isinstance(step, tg.Placing) and step.tile not in g.adventurers[step.seat].zone().values()
        ):  # paid, not placed
            where[step.tile] += 1
    ages, quests, heroes = where[:AGE_TILES], where[AGE_TILES:-HEROES], where[-HEROES:]
    assert ages == [1] * AGE_TILES, f"an Age tile is lost or made: {ages}"
    assert quests == [1 if g.with_quests else 0] * QUESTS, f"a quest is lost or made: {quests}"
    assert sorted(heroes, reverse=True) == [1] * len(g.adventurers) + [0] * (HEROES - len(g.adventurers)), heroes
    assert len(g.pile) == NEW_TILES * (ROUNDS - g.round)
    for a in g.adventurers:
        check_zone(g, a)
        check_chests(g, a)
    return {f"tile {tile}": n for tile, n in enumerate(where)}


def check_chests(g: tg.TalesOfGlory, a: tg.Adventurer) -> None:
    """TG-3.4.1 Each chest of the zone is closed, or open with its key."""
    printed = [2 * tile + chest for tile in a.zone().values() for chest in range(g.tiles.chests[tile])]
    assert sorted([*a.shut, *a.open]) == sorted(printed)


def check_zone(g: tg.TalesOfGlory, a: tg.Adventurer) -> None:
    """TG-3.2, written a second time: connectors face connectors, bare sides bare sides, and all hangs together."""
    steps = ((0, -1), (1, 0), (0, 1), (-1, 0))
    at = {tg.offset(cell): tile for cell, tile in a.zone().items()}
    assert len(at) == len(a.ground)
    assert at[0, 0] == a.hero
    reached, todo = {(0, 0)}, [(0, 0)]
    while todo:
        x, y = todo.pop()
        for side, (dx, dy) in enumerate(steps):
            beside = (x + dx, y + dy)
            if beside not in at:
                continue
            mine = (g.tiles.sides[at[x, y]] >> side) & 1
            theirs = (g.tiles.sides[at[beside]] >> (side + 2) % 4) & 1
            assert mine == theirs, f"{at[x, y]} and {at[beside]} clash"
            if mine and beside not in reached:
                reached.add(beside)
                todo.append(beside)
    assert reached == set(at), "a tile hangs on no connection"
    assert sum(spread(a.types, tg.TYPES)) == len(at)
    zone = a.zone()
    assert len(set(a.edge())) == len(a.edge())
    assert set(a.edge()) == {cell + towards for cell in zone for towards in tg.TOWARDS if cell + towards not in zone}


def pending(g: tg.TalesOfGlory, seat: int) -> list[int] | None:
    """What the seat has answered to a question that others still think about, in secret."""
    if not g.to_act or seat in g.to_act:
        return None
    if isinstance(g.question, tg.Selection):
        return [g.adventurers[seat].selected]
    if isinstance(g.question, tg.DropQuest):
        return [g.adventurers[seat].dropped]
    return None
