"""Scenes of Takara Island: for each kind of event which pieces move, what is shown large, and how long it stays."""

from __future__ import annotations

from typing import Final

from veillee.games.scene import Scene, Scenes
from veillee.games.takara_island import rules as ti
from veillee.kernel.log import END

SILENT: Final = Scene(rest="none")
PURSE: Final = ("team-{seat}", "xp-{seat}")  # Karas are worth XP
TEAM: Final = (*PURSE, "karas-{seat}")
FOUND: Final = (*TEAM, "won-{seat}", "left")  # what a tile may bring; one that is in sight is not to come
SITE: Final = ("site-{site}", "hospital", "camp")  # with the adventurer who works there, and may be injured
CHEST: Final = (*FOUND, "chests", "hospital", "dice", *(f"site-{site}" for site in range(ti.SITES)))
ALL_SITES: Final = tuple(f"site-{site}" for site in range(ti.SITES))  # the tiles that are left are turned up
TURNED_UP: Final = Scene("show", draw="tile", start="site-{site}", changes=(*SITE, *FOUND), rest="look")
FOUGHT: Final = Scene(changes=(*SITE, *FOUND, "dice"), rest="result")  # what came of the dice
MIMIC: Final = Scene(changes=CHEST, rest="result")


def sent(to: str, rest: str = "move") -> Scene:
    """An adventurer leaves the camp."""
    return Scene("fly", draw="adventurer", start="camp", to=to, changes=PURSE, rest=rest)


SCENES: Final[Scenes] = {
    ti.FIRST: Scene(rest="move"),
    ti.SWORD_RENTED: Scene(
        "fly",
        draw="sword",
        start="forge",
        to="team-{seat}",
        count="karas-{seat}",
        by=f"-{ti.SWORD_PRICE}",
        changes=("forge", *PURSE),
        rest="move",
    ),
    ti.STOPPED: Scene(rest="move"),
    # A tile that is looked at is shown to its observer on the board; by heart, it is not shown twice.
    ti.OBSERVES: sent("site-{site}"),
    ti.LOOKED: Scene(
        "show", draw="seen", start="site-{site}", changes=("site-{site}", "left"), beat="look", rest="note"
    ),
    ti.GLANCED: SILENT,
    ti.ROCKFALL_MET: TURNED_UP,
    ti.MONSTER_SHOWN: TURNED_UP,
    ti.OBSERVED_ALL: SILENT,
    ti.PEEKS: Scene(rest="move"),
    ti.PEEKED: SILENT,
    # Digging and fighting
    ti.DUG: TURNED_UP,
    ti.MINER_SENT: Scene(rest="move"),
    ti.MINER_DUG: TURNED_UP,
    ti.DESTROYED: Scene(
        "gain",
        start="site-{site}",
        count="karas-{seat}",
        by="{karas}",
        changes=(*SITE, *PURSE, "left"),
        rest="move",
    ),
    ti.FIGHT: Scene("show", draw="monster", start="site-{site}", changes=SITE, beat="fight", rest="move"),
    ti.DIE: Scene(
        "show", draw="die", sound="dice", changes=("dice",), beat="fight", is_next=True, strikes="{sword}", rest="move"
    ),
    ti.REPELLED: FOUGHT,
    ti.BEATEN: FOUGHT,
    ti.OPENED: Scene("show", draw="tile", start="chests", changes=CHEST, beat="fight", rest="look"),
    ti.MIMIC_BEATEN: MIMIC,
    ti.MIMIC_BACK: MIMIC,
    ti.MIMIC_GONE: MIMIC,
    ti.MAP_READ: Scene(changes=FOUND, rest="look"),
    # Places
    ti.GAMBLED: Scene(
        "fly",
        draw="adventurer",
        start="camp",
        to="den",
        count="karas-{seat}",
        by=str(ti.DEN_REWARD),
        changes=PURSE,
        rest="move",
    ),
    ti.TILE_SOLD: Scene(
        "gain",
        start="counter",
        count="karas-{seat}",
        by="{karas}",
        changes=("counter", "camp", *PURSE, "won-{seat}", "left"),
        rest="move",
    ),
    ti.TOKEN_BOUGHT: Scene(
        "fly",
        draw="token",
        start="counter",
        to="team-{seat}",
        count="karas-{seat}",
        by=f"-{ti.KARAS_PER_XP}",
        changes=("counter", "camp", *PURSE, "chests"),
        rest="move",
    ),
    ti.HIRED: Scene(
        "fly",
        draw="specialist",
        start="port",
        to="team-{seat}",
        count="karas-{seat}",
        by="-{price}",
        changes=("port", "camp", *PURSE),
        rest="look",
    ),
    ti.IMITATED: Scene(
        "fly",
        draw="imitator",
        start="port",
        to="team-{seat}",
        count="karas-{seat}",
        by="-{price}",
        changes=("port", "camp", *PURSE),
        rest="look",
    ),
    ti.LEFT: Scene("fly", draw="specialist", start="team-{seat}", to="port", changes=(*PURSE, "port"), rest="none"),
    # The evening
    ti.RECRUITED: Scene(
        "fly",
        draw="adventurer",
        start="beach",
        to="team-{seat}",
        count="karas-{seat}",
        by=f"-{ti.RECRUIT_PRICE}",
        changes=(*PURSE, "beach"),
        rest="move",
    ),
    ti.CARED: Scene(
        "fly",
        draw="adventurer",
        start="hospital",
        to="team-{seat}",
        changes=(*TEAM, "hospital"),
        rest="move",
    ),
    ti.RESTED: Scene(changes=(*TEAM, "hospital")),
    ti.RESTING: Scene(changes=(*TEAM, "hospital")),
    # The end
    ti.STONE_LOST: Scene(changes=FOUND, rest="result"),
    ti.BOTH_STONES: Scene(changes=FOUND, rest="result"),
    ti.TITLED: Scene(sets={"xp-{seat}": "{xp}"}, changes=("won-{seat}",), rest="result"),
    END: Scene(changes=(*ALL_SITES, "left"), rest="result"),
}
