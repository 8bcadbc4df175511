"""Scenes of Paper Tales: for each kind of event which pieces move, what is shown large, and how long it stays.

A kingdom's deployment is one beat, and so are its income and its construction: what it does, with what it pays.
"""

from __future__ import annotations

from typing import Final

from veillee.games.paper_tales import rules as pt
from veillee.games.scene import SAY, Scene, Scenes
from veillee.kernel.log import END

DEPLOYS: Final = "deploys-{seat}"
BUILDS: Final = "builds-{seat}"


def gold(beat: str, rest: str) -> Scene:
    return Scene("gain", start="realm-{seat}", count="gold-{seat}", by="{coins}", beat=beat, rest=rest)


def legend(beat: str, rest: str) -> Scene:
    return Scene("gain", start="realm-{seat}", count="legend-{seat}", by="{points}", beat=beat, rest=rest)


SCENES: Final[Scenes] = {
    pt.TURN: Scene(rest="look"),
    pt.RESHUFFLE: SAY,
    # Recruitment: events of the own seat, while the player is choosing.
    pt.DEAL: SAY,
    pt.RECEIVED: SAY,
    pt.KEPT: Scene(rest="none"),
    pt.KEPT_LAST: SAY,
    pt.TOSSED: Scene(rest="none"),
    # Deployment
    pt.DISMISSED: Scene("fly", draw="unit", start="realm-{seat}", to="discards", beat=DEPLOYS, rest="result"),
    pt.MOVED: Scene(beat=DEPLOYS, rest="result"),
    pt.DEPLOYED: Scene("fly", draw="unit", start="hand-{seat}", to="row-{seat}-{row}", beat=DEPLOYS, rest="result"),
    (pt.GOLD, "PT-2.2.2"): gold(DEPLOYS, "result"),
    pt.LEFTOVERS: Scene(beat=DEPLOYS),
    pt.SHAPE: Scene("show", draw="card", start="pile", to="realm-{seat}", rest="result"),
    pt.SHAPE_REFUSED: Scene("show", draw="card", start="pile", to="discards", rest="result"),
    pt.RAISED: Scene("show", draw="house", to="realm-{seat}", rest="result"),
    pt.AGED: Scene(beat="ages", rest="look"),
    # War and income
    pt.FOUGHT: Scene("show", draw="war", rest="result"),
    (pt.LEGEND, "PT-2.3.2"): legend("wars", "result"),
    (pt.LEGEND, "PT-2.3.3"): legend("wars", "result"),
    (pt.LEGEND, "PT-2.3.4"): legend("effects-{seat}", "result"),
    (pt.GOLD, "PT-2.3.4"): gold("effects-{seat}", "result"),
    (pt.GOLD, "PT-2.4.1"): gold("income-{seat}", "result"),
    # Construction
    pt.CANNOT_BUILD: SAY,
    pt.BUILT_NOTHING: SAY,
    pt.BUILT: Scene("show", draw="house", to="realm-{seat}", beat=BUILDS, rest="result"),
    pt.GOLD: gold(BUILDS, "move"),
    # Ageing, and the end
    pt.HEALED: Scene(rest="look"),
    pt.LET_DIE: SAY,
    pt.DIED: Scene("fly", draw="unit", start="realm-{seat}", to="discards", beat="dies-{seat}", rest="look"),
    (pt.GOLD, "PT-2.6.1"): gold("dies-{seat}", "look"),
    (pt.LEGEND, "PT-2.6.1"): legend("dies-{seat}", "look"),
    pt.GREW_OLD: Scene(rest="move"),
    pt.LEGEND: legend("end-{seat}", "result"),
    END: Scene(rest="result"),
}
