"""Numbers of the answers. A choice has the same number in every position."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.takara_island.rules.tiles import IMITATOR

SITES: Final = 6
SITE_TILES: Final = 9
DIVINED: Final = 3  # tiles that the Diviner looks at
ADVENTURERS_AT_MOST: Final = 3

STOP: Final = 0
OBSERVE: Final = 1  # + site
WORK: Final = 7  # + site: dig, destroy the rockfall or fight the monster on top
DEN: Final = 13
SELL: Final = 14  # + 0, 1, 2: a tile of 1, 2 or 4 XP
BUY: Final = 17
HIRE: Final = 18  # + Miner, Archaeologist or Diviner
NO_SWORD: Final = 21
RENT: Final = 22
GO_ON: Final = 23
TURN_UP: Final = 24
SITE: Final = 25  # + site
DEPTH: Final = 31  # + tiles above the Diviner's first
TAKE_KARAS: Final = 38
KEEP_MAP: Final = 39
NO_RECRUIT: Final = 40
RECRUIT: Final = 41
CARE: Final = 42  # + adventurers
IMITATE: Final = 46  # hire the Imitator without saying whom it copies: never taken, it is named to say why not
ANSWERS: Final = 47

SOLD: Final = vec[i64]([1, 2, 4])  # XP

# What each question offers.
SWORD_OR_NOT: Final = vec[i64]([NO_SWORD, RENT])
# TI-2.1, TI-10.1, TI-8.6: the Sword, the recruit and the Imitator are named among the acts only to say why not.
ACTS: Final = vec[i64](list(range(STOP, HIRE + 3)) + [RENT, RECRUIT, IMITATE])
LOOKING: Final = vec[i64]([GO_ON, TURN_UP])
TARGETS: Final = vec[i64]([SITE + s for s in range(SITES)])
DEPTHS: Final = vec[vec[i64]](
    [vec[i64]([DEPTH + d for d in range(max(1, n - DIVINED + 1))]) for n in range(SITE_TILES + 1)]
)
MAP_CHOICE: Final = vec[i64]([TAKE_KARAS, KEEP_MAP])
RECRUIT_OR_NOT: Final = vec[i64]([NO_RECRUIT, RECRUIT])
CARES: Final = vec[i64]([CARE + n for n in range(ADVENTURERS_AT_MOST + 1)])

VERBS: Final = {
    STOP: "stop",
    DEN: "den",
    BUY: "buy",
    NO_SWORD: "no_sword",
    RENT: "rent",
    GO_ON: "go_on",
    TURN_UP: "turn_up",
    TAKE_KARAS: "take_karas",
    KEEP_MAP: "keep_map",
    NO_RECRUIT: "no_recruit",
    RECRUIT: "recruit",
}


def spoken(action: i64) -> tuple[str, dict[str, int]]:
    """An answer as (verb, named arguments)."""
    if OBSERVE <= action < WORK:
        return "observe", {"site": action - OBSERVE}
    if WORK <= action < DEN:
        return "work", {"site": action - WORK}
    if SELL <= action < BUY:
        return "sell", {"xp": SOLD[action - SELL]}
    if HIRE <= action < NO_SWORD:
        return "hire", {"specialist": action - HIRE}
    if action == IMITATE:
        return "hire", {"specialist": IMITATOR}
    if SITE <= action < DEPTH:
        return "site", {"site": action - SITE}
    if DEPTH <= action < TAKE_KARAS:
        return "depth", {"above": action - DEPTH}
    if CARE <= action < IMITATE:
        return "care", {"adventurers": action - CARE}
    return VERBS[action], {}
