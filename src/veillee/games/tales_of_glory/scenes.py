"""Scenes of Tales of Glory: for each kind of event which pieces move, what is shown large, and how long it stays.

A tile is one beat: that it is laid, and everything that it gives. got-RESOURCE-SEAT counts what a seat has.
"""

from __future__ import annotations

from typing import Final

from veillee.games.scene import SAY, Scene, Scenes
from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.log import END

GAINS: Final = "gains-{seat}"

SCENES: Final[Scenes] = {
    # Before the first round
    tg.HERO_DEALT: SAY,
    tg.QUEST_DEALT: SAY,
    tg.QUEST_DROPPED: Scene(rest="none"),
    # A round begins
    tg.ROUND: Scene(rest="look"),
    tg.FIRST: Scene(rest="move"),
    tg.SLOT_CLEARED: Scene(beat="cleared", rest="note"),
    tg.OFFERED: Scene("fly", draw="tile", start="piles", to="slot-{slot}", beat="offer", rest="look"),
    # Tiles are selected and taken
    tg.SELECTED: Scene(rest="none"),
    tg.REVEALED: Scene("fly", draw="crest", start="team-{seat}", to="slot-{slot}", beat="revealed", rest="result"),
    tg.TAKEN: Scene("fly", draw="tile", start="slot-{slot}", to="team-{seat}", beat="taken", rest="result"),
    # One tile after the other is played
    tg.PAID: Scene("gain", start="team-{seat}", count="got-0-{seat}", by="-{coins}", rest="move"),
    tg.PLACED: Scene("show", draw="tile", start="team-{seat}", beat=GAINS, rest="result"),
    tg.DISCARDED: Scene("show", draw="tile", start="team-{seat}", beat=GAINS, rest="result"),
    tg.QUEST_SHOWN: Scene("show", draw="tile", start="team-{seat}", rest="result"),
    tg.GAINED: Scene(
        "gain", start="team-{seat}", count="got-{resource}-{seat}", by="{amount}", beat=GAINS, rest="result"
    ),
    tg.OPENED: Scene(beat=GAINS, rest="result"),
    tg.ALL_PAID: Scene(rest="move"),
    tg.KEY_LOST: Scene(beat=GAINS, rest="result"),
    tg.TOKEN_GAINED: Scene(beat=GAINS, rest="result"),
    # The end
    tg.MAJORITY_WON: Scene(
        "gain", start="team-{seat}", count="got-2-{seat}", by="{points}", beat="most-{resource}", rest="result"
    ),
    END: Scene(rest="result"),
}
