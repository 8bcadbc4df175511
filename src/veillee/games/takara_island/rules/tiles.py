"""TI-1.1 The galleries, TI-1.3 the treasures of the chests, TI-1.6 the specialists: numbered as in content.toml."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.takara_island.content import KINDS, SPECIALISTS, TILES

KARAS_2: Final = 0
ROCKFALL_1: Final = 1
XP_1: Final = 2
XP_1_INJURY: Final = 3
BAT_A: Final = 4
BAT_B: Final = 5
KARAS_4: Final = 6
XP_2: Final = 7
XP_2_INJURY: Final = 8
GOBLIN_A: Final = 9
GOBLIN_B: Final = 10
GOBLIN_C: Final = 11
CHEST_2: Final = 12
ROCKFALL_2: Final = 13
XP_4_INJURY: Final = 14
XP_4: Final = 15
KARAS_6: Final = 16
CHEST_3: Final = 17
SKELETON_A: Final = 18
SKELETON_B: Final = 19
DRAKE: Final = 20
STONE: Final = 21
TABLET: Final = 22
IDOL: Final = 23
GOLD_BAG: Final = 24
SKULL: Final = 25
MAP: Final = 26
MIMIC: Final = 27
NO_TILE: Final = -1

KARAS_TILE: Final = 0  # the kinds of tiles
XP_TILE: Final = 1
ROCKFALL_TILE: Final = 2
MONSTER_TILE: Final = 3
CHEST_TILE: Final = 4
STONE_TILE: Final = 5
TREASURE_TILE: Final = 6
KIND: Final = vec[i64]([KINDS.index(tile.kind) for tile in TILES])
KARAS: Final = vec[i64]([tile.karas for tile in TILES])
XP: Final = vec[i64]([tile.xp for tile in TILES])
LIVES: Final = vec[i64]([tile.lives for tile in TILES])
INJURY: Final = vec[i64]([int(tile.injury) for tile in TILES])
COUNT: Final = vec[i64]([tile.count for tile in TILES])
MIMIC_LIVES: Final = 2

LEVELS: Final = 3
DEEP: Final = 0  # levels, from the bottom upwards
INTERMEDIATE: Final = 1
SHALLOW: Final = 2
LEVEL_TILES: Final = 3  # of each level in a site

MINER: Final = 0
ARCHAEOLOGIST: Final = 1
DIVINER: Final = 2
IMITATOR: Final = 3
PRICE: Final = vec[i64]([specialist.price for specialist in SPECIALISTS])
