"""Scenes of Le Sourire du Dragon: for each kind of event which pieces move, what is shown large, and how long it stays."""

from __future__ import annotations

from typing import Final

from veillee.games.scene import SAY, Scene, Scenes
from veillee.games.sourire_du_dragon import rules as sd
from veillee.kernel.log import END

HERO: Final = "hero-{seat}"
WALK: Final = Scene("glide", piece=HERO, start="square-{was}", to="square-{square}", rest="move")
MOVED: Final = Scene("glide", piece=HERO, start="square-{was}", to="square-{square}", rest="result")
ABOUT: Final = Scene(piece=HERO, rest="move")
MATTERS: Final = Scene(piece=HERO, rest="result")
TRIAL: Final = Scene(piece=HERO, beat="trial-{seat}", rest="result")  # what came of a die is told with the die

SCENES: Final[Scenes] = {
    sd.ORDER: Scene("show", draw="die", sound="dice", beat="order", rest="look"),
    sd.CHOSEN: ABOUT,
    sd.ASIDE: SAY,
    sd.FIRST: ABOUT,
    sd.MISSED: ABOUT,
    sd.LOSES_A_TURN: ABOUT,
    sd.ANNOUNCED: Scene(piece=HERO, beat="roll-{seat}"),
    sd.DICE: Scene("show", draw="dice", sound="dice", piece=HERO, beat="roll-{seat}", rest="look", then="dice"),
    sd.DIE: Scene("show", draw="test", sound="dice", piece=HERO, beat="trial-{seat}", rest="result"),
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
    sd.DREW: Scene("show", draw="card", piece=HERO, start="pile", rest="result", then="card"),
    sd.KEPT: Scene("fly", draw="picture", start="pile", to="cards-{seat}", rest="move"),
    sd.USED: Scene("show", draw="card", piece=HERO, start="cards-{seat}", rest="result"),
    sd.GAVE_BACK: Scene("fly", draw="picture", start="cards-{seat}", to="cards-{owner}", rest="result"),
    sd.BEAT: TRIAL,
    sd.LOST: TRIAL,
    sd.HELD: TRIAL,
    sd.REFILLED: SAY,
    sd.OFFERED: MATTERS,
    sd.AGREED: Scene("show", draw="trade", piece=HERO, rest="result"),
    sd.REFUSED: MATTERS,
    sd.ATTACKED: ABOUT,
    sd.BRAWL_DIE: Scene("show", draw="brawl", sound="dice", piece=HERO, beat="brawl", rest="result"),
    sd.TIED: Scene(beat="brawl", rest="result"),
    sd.BRAWL_WON: Scene(piece=HERO, beat="brawl", rest="result"),
    sd.SPARED: ABOUT,
    sd.TOOK: Scene("fly", draw="picture", start="cards-{loser}", to="cards-{seat}", rest="result"),
    END: Scene(rest="result"),
}
