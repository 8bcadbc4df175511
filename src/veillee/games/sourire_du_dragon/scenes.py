"""Scenes of Le Sourire du Dragon: for each kind of event which pieces move, what is shown large, and how long it stays."""

from __future__ import annotations

from typing import Final

from veillee.games.scene import Scene, Scenes
from veillee.games.sourire_du_dragon import rules as sd
from veillee.kernel.log import END

HERO: Final = "hero-{seat}"
LOT: Final = (HERO, "cards-{seat}", "state-{seat}")  # where a hero is, what it has, whether it is held up
WALK: Final = Scene("glide", piece=HERO, start="square-{was}", to="square-{square}", changes=LOT, rest="move")
MOVED: Final = Scene("glide", piece=HERO, start="square-{was}", to="square-{square}", changes=LOT, rest="result")
ABOUT: Final = Scene(piece=HERO, changes=LOT, rest="move")
MATTERS: Final = Scene(piece=HERO, changes=LOT, rest="result")
TRIAL: Final = Scene(
    piece=HERO, changes=LOT, beat="trial-{seat}", rest="look"
)  # what came of a die is told with the die

SCENES: Final[Scenes] = {
    sd.ORDER: Scene("show", draw="die", sound="dice", beat="order", rest="look"),
    sd.CHOSEN: Scene(piece=HERO, changes=(*LOT, "player-{seat}"), rest="move"),
    sd.ASIDE: Scene(changes=("pile",)),
    sd.FIRST: ABOUT,
    sd.MISSED: Scene(piece=HERO, changes=(*LOT, "pile", "dice"), rest="move"),  # and the next turn begins
    sd.LOSES_A_TURN: ABOUT,
    sd.ANNOUNCED: Scene(piece=HERO, changes=("pile",), beat="roll-{seat}"),
    sd.DICE: Scene("show", draw="dice", sound="dice", piece=HERO, beat="roll-{seat}", rest="note", changes=("dice",)),
    sd.DIE: Scene("show", draw="test", sound="dice", piece=HERO, beat="trial-{seat}", rest="look"),
    sd.HAT_ROLLED: Scene("show", draw="hat", sound="dice", piece=HERO, rest="result"),
    sd.WALKED: WALK,
    sd.CARRIED: MOVED,
    sd.SENT_BACK: MOVED,
    sd.SWEPT: MOVED,
    sd.STAYED: ABOUT,
    sd.NOT_CARRIED: ABOUT,
    sd.UNI_CARRIES: ABOUT,
    sd.OVERCAME: TRIAL,
    sd.BLOCKED: TRIAL,
    sd.NO_DIE_NEEDED: MATTERS,
    sd.WON: MATTERS,
    sd.DREW: Scene("show", draw="card", piece=HERO, start="pile", rest="result", changes=("pile",)),
    sd.KEPT: Scene("fly", draw="picture", start="pile", to="cards-{seat}", rest="move"),
    sd.USED: Scene("show", draw="card", piece=HERO, start="cards-{seat}", changes=(*LOT, "pile"), rest="result"),
    sd.GAVE_BACK: Scene("fly", draw="picture", start="cards-{seat}", to="cards-{owner}", rest="result"),
    sd.BEAT: TRIAL,
    sd.LOST: TRIAL,
    sd.HELD: TRIAL,
    sd.REFILLED: Scene(changes=("pile",)),
    sd.OFFERED: MATTERS,
    sd.AGREED: Scene("show", draw="trade", piece=HERO, changes=("cards-{seat}", "cards-{partner}"), rest="result"),
    sd.REFUSED: MATTERS,
    sd.ATTACKED: ABOUT,
    sd.BRAWL_DIE: Scene("show", draw="brawl", sound="dice", piece=HERO, beat="brawl", rest="result"),
    sd.TIED: Scene(beat="brawl", rest="result"),
    sd.BRAWL_WON: Scene(piece=HERO, beat="brawl", rest="result"),
    sd.SPARED: ABOUT,
    sd.TOOK: Scene("fly", draw="picture", start="cards-{loser}", to="cards-{seat}", rest="result"),
    END: Scene(rest="result"),
}
