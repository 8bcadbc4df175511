"""Scenes of Takara Island: for each kind of event which pieces move, what is shown large, and how long it stays."""

from __future__ import annotations

from typing import Final

from veillee.games.scene import SAY, Scene, Scenes
from veillee.games.takara_island import rules as ti
from veillee.kernel.log import END

SILENT: Final = Scene(rest="none")
TURNED_UP: Final = Scene("show", draw="tile", start="site-{site}", rest="result")
FIGHT: Final = Scene(beat="fight", rest="result")  # the monster, the dice and what came of it


def sent(to: str, rest: str = "move") -> Scene:
    """An adventurer leaves the camp."""
    return Scene("fly", draw="adventurer", start="camp", to=to, rest=rest)


SCENES: Final[Scenes] = {
    ti.FIRST: Scene(rest="move"),
    ti.SWORD_RENTED: Scene("fly", draw="sword", start="forge", to="team-{seat}", rest="move"),
    ti.STOPPED: Scene(rest="move"),
    # A tile that is looked at is shown to its observer on the board; by heart, it is not shown twice.
    ti.OBSERVES: sent("site-{site}"),
    ti.LOOKED: Scene("show", draw="seen", start="site-{site}", beat="look", rest="note"),
    ti.GLANCED: SILENT,
    ti.ROCKFALL_MET: TURNED_UP,
    ti.MONSTER_SHOWN: TURNED_UP,
    ti.OBSERVED_ALL: SAY,
    ti.PEEKS: Scene(rest="move"),
    ti.PEEKED: SILENT,
    # Digging and fighting
    ti.DUG: TURNED_UP,
    ti.MINER_SENT: Scene(rest="move"),
    ti.MINER_DUG: TURNED_UP,
    ti.DESTROYED: Scene("gain", start="site-{site}", count="karas-{seat}", by="{karas}", rest="result"),
    ti.FIGHT: Scene("show", draw="monster", start="site-{site}", beat="fight", rest="result"),
    ti.DIE: Scene("show", draw="die", sound="dice", beat="fight", rest="result"),
    ti.REPELLED: FIGHT,
    ti.BEATEN: FIGHT,
    ti.OPENED: Scene("show", draw="tile", start="chests", rest="result"),
    ti.MIMIC_BEATEN: Scene(rest="result"),
    ti.MIMIC_BACK: Scene(rest="result"),
    ti.MIMIC_GONE: Scene(rest="result"),
    ti.MAP_READ: Scene(rest="look"),
    # Places
    ti.GAMBLED: sent("den"),
    ti.TILE_SOLD: Scene("gain", start="counter", count="karas-{seat}", by="{karas}", rest="move"),
    ti.TOKEN_BOUGHT: Scene("fly", draw="token", start="counter", to="team-{seat}", rest="move"),
    ti.HIRED: Scene("fly", draw="specialist", start="port", to="team-{seat}", rest="look"),
    ti.IMITATED: Scene("fly", draw="imitator", start="port", to="team-{seat}", rest="look"),
    ti.LEFT: Scene("fly", draw="specialist", start="team-{seat}", to="port", rest="none"),
    # The evening
    ti.RECRUITED: Scene("fly", draw="adventurer", start="beach", to="team-{seat}", rest="move"),
    ti.CARED: Scene("fly", draw="adventurer", start="hospital", to="team-{seat}", rest="move"),
    ti.RESTED: SAY,
    ti.RESTING: SAY,
    # The end
    ti.STONE_LOST: Scene(rest="result"),
    ti.BOTH_STONES: Scene(rest="result"),
    ti.TITLED: Scene("gain", start="team-{seat}", count="xp-{seat}", by="{xp}", rest="result"),
    END: Scene(rest="result"),
}
