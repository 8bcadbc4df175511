"""TI-1 Setup."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.takara_island.content import TILES
from veillee.games.takara_island.rules.answers import SITE_TILES, SITES
from veillee.games.takara_island.rules.events import FIRST
from veillee.games.takara_island.rules.island import (
    COVERED_ROCKFALLS,
    MIMIC_REMOVED,
    NO_SPECIALIST,
    NOTHING_SEEN,
    PLACES,
    PLAYING,
    Site,
    Takara,
    Team,
)
from veillee.games.takara_island.rules.tiles import IMITATOR, LEVEL_TILES, STONE
from veillee.games.takara_island.rules.turn import Turn
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, Log
from veillee.kernel.state import Phase

ADVENTURERS: Final = 2
TOKENS_PER_PLAYER: Final = 3
NO_STONE: Final = -1  # no place in this site


def all_of(level: str) -> vec[i64]:
    """The tiles of a level but for the stones, which are laid apart."""
    return vec[i64](
        [i for i, tile in enumerate(TILES) if tile.level == level and i != STONE for _ in range(tile.count)]
    )


ALL_DEEP: Final = all_of("deep")
ALL_INTERMEDIATE: Final = all_of("intermediate")
ALL_SHALLOW: Final = all_of("shallow")
ALL_TREASURES: Final = all_of("treasure")
NO_DISCARDS: Final = vec[i64]([0] * len(TILES))
NOWHERE: Final = vec[i64]([0] * PLACES)
AT_THE_PORT: Final = vec[i64]([NO_SEAT] * (IMITATOR + 1))


def new_game(players: i64, rng: Rng, options: dict[str, str], log: Log | None = None) -> Takara:
    """A game about to be asked its first question."""
    g = Takara(
        sites=vec[Site]([Site(vec[i64](), 0, 0, 0, 0) for _ in range(SITES)]),
        teams=vec[Team]([new_team() for _ in range(players)]),
        chests=ALL_TREASURES[:],
        discards=NO_DISCARDS[:],
        tokens=TOKENS_PER_PLAYER * players,  # TI-1.5
        holder=AT_THE_PORT[:],  # TI-1.6
        hired=NO_SPECIALIST,
        active=0,
        at=NOWHERE[:],
        sword=0,
        traded=0,
        dice=vec[i64](),
        stone_sites=0,
        turns=0,
        ending=PLAYING,
        by_heart=1 if options.get("memory") == "by-heart" else 0,
    )
    if options.get("rockfalls", "top") == "all":
        g.readings |= COVERED_ROCKFALLS
    if options.get("mimic", "back") == "removed":
        g.readings |= MIMIC_REMOVED
    g.begin(Setup(), rng, log)
    return g


def new_team() -> Team:
    """TI-1.4 2 adventurers and 0 Karas; one recruit waits on the Beach."""
    return Team(karas=0, tokens=0, ready=ADVENTURERS, hurt=0, rest=0, recruit=1, won=vec[i64](), seen=NOTHING_SEEN[:])


@mypyc_attr(acyclic=True)
class Setup(Phase):
    """TI-1.2 The sites are laid, TI-1.3 the chest tiles shuffled. TI-1.7 First player at random; clockwise."""

    def run(self, g: Takara, rng: Rng) -> None:
        lay_sites(g, rng)
        rng.shuffle(g.chests)
        first = rng.below(len(g.teams))
        g.active = first
        g.note("TI-1.7", FIRST, first)
        g.push(Turn(first))


def lay_sites(g: Takara, rng: Rng) -> None:
    """TI-1.2 Six piles of nine: 3 deep, 3 intermediate, 3 shallow on top; the stones in two different sites."""
    deep = ALL_DEEP[:]
    intermediate = ALL_INTERMEDIATE[:]
    shallow = ALL_SHALLOW[:]
    rng.shuffle(deep)
    rng.shuffle(intermediate)
    rng.shuffle(shallow)
    one = rng.below(SITES)
    other = rng.below(SITES - 1)
    if other >= one:
        other += 1
    for s in range(SITES):
        stone = rng.below(LEVEL_TILES) if s in (one, other) else NO_STONE
        tiles = vec[i64](capacity=SITE_TILES)
        for place in range(LEVEL_TILES):
            if place == stone:
                tile: i64 = STONE
            else:
                deep, tile = pop(deep)
            tiles = append(tiles, tile)
        intermediate, tiles = deal(intermediate, tiles)
        shallow, tiles = deal(shallow, tiles)
        g.sites[s].tiles = tiles


def deal(level: vec[i64], tiles: vec[i64]) -> tuple[vec[i64], vec[i64]]:
    """Three tiles of a level on top of a site."""
    for _tile in range(LEVEL_TILES):
        level, tile = pop(level)
        tiles = append(tiles, tile)
    return level, tiles
