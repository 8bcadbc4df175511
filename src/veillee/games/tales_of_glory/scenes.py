"""Scenes of Tales of Glory: for each kind of event which pieces move, what is shown large, and how long it stays.

A tile is one beat: that it is laid, and everything that it gives. got-RESOURCE-SEAT counts what a seat has.
"""

from __future__ import annotations

from typing import Final

from veillee.games.scene import SAY, Scene, Scenes
from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.log import END

GAINS: Final = "gains-{seat}"
OFFER: Final = ("offer", "piles")
PLAYED: Final = ("adventure-{seat}", "taken-{seat}", "quests-{seat}", "team-{seat}", "majorities")
PRESTIGE: Final = "got-2-{seat}"

SCENES: Final[Scenes] = {
    # Before the first round
    tg.HERO_DEALT: SAY,
    tg.QUEST_DEALT: SAY,
    tg.QUEST_DROPPED: Scene(changes=("quests-{seat}", "team-{seat}"), rest="none"),
    # A round begins
    # The tiles that are left move up.
    tg.ROUND: Scene(changes=(*OFFER, *(f"slot-{slot}" for slot in range(tg.MOST_SLOTS))), rest="look"),
    tg.FIRST: Scene(changes=tuple(f"first-{seat}" for seat in range(5)), rest="move"),
    tg.SLOT_CLEARED: Scene(changes=(*OFFER, "slot-{slot}"), beat="cleared", rest="note"),
    tg.OFFERED: Scene(
        "fly", draw="tile", start="piles", to="slot-{slot}", changes=(*OFFER, "slot-{slot}"), beat="offer", rest="look"
    ),
    # Tiles are selected and taken
    tg.SELECTED: Scene(rest="none"),
    tg.REVEALED: Scene("fly", draw="crest", start="team-{seat}", to="slot-{slot}", beat="revealed", rest="look"),
    tg.TAKEN: Scene(
        "fly",
        draw="tile",
        start="slot-{slot}",
        to="team-{seat}",
        changes=(*OFFER, "slot-{slot}", "taken-{seat}"),
        beat="taken",
        rest="look",
    ),
    # One tile after the other is played
    tg.PAID: Scene(
        "gain", start="team-{seat}", count="got-0-{seat}", by="-{coins}", changes=(*PLAYED, "got-1-{seat}"), rest="move"
    ),
    tg.PLACED: Scene("show", draw="tile", start="team-{seat}", changes=PLAYED, beat=GAINS, rest="look"),
    tg.DISCARDED: Scene(
        "show",
        draw="tile",
        start="team-{seat}",
        changes=(*PLAYED, "got-0-{seat}", "got-1-{seat}"),
        beat=GAINS,
        rest="look",
    ),
    tg.QUEST_SHOWN: Scene("show", draw="tile", start="team-{seat}", changes=(*PLAYED, PRESTIGE), rest="result"),
    tg.GAINED: Scene(
        "gain",
        start="team-{seat}",
        count="got-{resource}-{seat}",
        by="{amount}",
        changes=PLAYED,
        beat=GAINS,
        rest="look",
    ),
    tg.OPENED: Scene(changes=PLAYED, beat=GAINS, rest="look"),
    tg.ALL_PAID: Scene(rest="move"),
    tg.KEY_LOST: Scene(changes=PLAYED, beat=GAINS, rest="look"),
    tg.TOKEN_GAINED: Scene(changes=PLAYED, beat=GAINS, rest="look"),
    # The end
    tg.MAJORITY_WON: Scene(
        "gain", start="team-{seat}", count="got-2-{seat}", by="{points}", beat="most-{resource}", rest="result"
    ),
    END: Scene(rest="result"),
}
