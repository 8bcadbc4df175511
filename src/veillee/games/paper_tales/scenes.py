"""Scenes of Paper Tales: for each kind of event which pieces move, what is shown large, and how long it stays.

A kingdom's deployment is one beat, and so is its construction: what it does, with what it pays. So is the income of all.
"""

from __future__ import annotations

from typing import Final

from veillee.games.paper_tales import rules as pt
from veillee.games.scene import Scene, Scenes
from veillee.kernel.log import END

DEPLOYS: Final = "deploys-{seat}"
BUILDS: Final = "builds-{seat}"
REALM: Final = ("realm-{seat}", "strength-{seat}")  # its units and buildings, with all that they make
REALMS: Final = tuple(f"{what}-{seat}" for what in ("realm", "strength") for seat in range(5))
REVEALED: Final = (*REALM, "hand-{seat}", "report")


def gold(beat: str, rest: str, step: str = "") -> Scene:
    return Scene(
        "gain",
        start="realm-{seat}",
        count="gold-{seat}",
        by="{coins}",
        step=step,
        changes=("report",),
        beat=beat,
        rest=rest,
    )


def legend(beat: str, rest: str, step: str = "") -> Scene:
    return Scene(
        "gain",
        start="realm-{seat}",
        count="legend-{seat}",
        by="{points}",
        step=step,
        changes=("report",),
        beat=beat,
        rest=rest,
    )


SCENES: Final[Scenes] = {
    pt.TURN: Scene(step="recruitment", changes=("turn", "discards"), rest="look"),
    pt.RESHUFFLE: Scene(changes=("discards",)),
    # Recruitment: events of the own seat, while the player is choosing.
    pt.DEAL: Scene(changes=("hand-{seat}", "discards")),
    pt.RECEIVED: Scene(changes=("hand-{seat}",)),
    pt.KEPT: Scene(rest="none"),
    pt.KEPT_LAST: Scene(changes=("hand-{seat}",)),
    pt.TOSSED: Scene(rest="none"),
    # Deployment
    pt.DISMISSED: Scene(
        "fly",
        draw="unit",
        start="realm-{seat}",
        to="discards",
        changes=(*REVEALED, "discards"),
        beat=DEPLOYS,
        rest="result",
    ),
    pt.MOVED: Scene(changes=REVEALED, beat=DEPLOYS, rest="result"),
    pt.DEPLOYED: Scene(
        "fly",
        draw="unit",
        start="hand-{seat}",
        to="row-{seat}-{row}",
        step="deployment",
        changes=REVEALED,
        beat=DEPLOYS,
        rest="result",
    ),
    (pt.GOLD, "PT-2.2.2"): gold(DEPLOYS, "result"),
    pt.LEFTOVERS: Scene(changes=(*REVEALED, "discards"), beat=DEPLOYS),
    pt.SHAPE: Scene("show", draw="card", start="pile", to="realm-{seat}", changes=(*REALM, "discards"), rest="result"),
    pt.SHAPE_REFUSED: Scene("show", draw="card", start="pile", to="discards", changes=("discards",), rest="result"),
    pt.RAISED: Scene("show", draw="house", to="realm-{seat}", changes=REALM, rest="result"),
    pt.AGED: Scene(changes=REALM, beat="ages", rest="look"),
    # War and income
    pt.FOUGHT: Scene(
        "show",
        draw="war",
        sound="war",
        sets={"strength-{seat}": "{mine}", "strength-{other}": "{theirs}"},
        step="war",
        changes=("report",),
        rest="result",
    ),
    (pt.LEGEND, "PT-2.3.2"): legend("wars", "result", "war"),
    (pt.LEGEND, "PT-2.3.3"): legend("wars", "result", "war"),
    (pt.LEGEND, "PT-2.3.4"): legend("effects-{seat}", "result", "war"),
    (pt.GOLD, "PT-2.3.4"): gold("effects-{seat}", "result", "war"),
    (pt.GOLD, "PT-2.4.1"): gold("income", "result", "income"),
    # Construction
    pt.CANNOT_BUILD: Scene(step="construction"),
    pt.BUILT_NOTHING: Scene(step="construction"),
    pt.BUILT: Scene(
        "show", draw="house", to="realm-{seat}", step="construction", changes=REALM, beat=BUILDS, rest="look"
    ),
    pt.GOLD: gold(BUILDS, "move", "construction"),
    # Ageing, and the end
    pt.HEALED: Scene(step="ageing", changes=REALM, rest="look"),
    pt.LET_DIE: Scene(step="ageing"),
    pt.DIED: Scene(
        "fly",
        draw="unit",
        start="realm-{seat}",
        to="discards",
        step="ageing",
        changes=(*REALM, "discards", "report"),
        beat="dies-{seat}",
        rest="look",
    ),
    (pt.GOLD, "PT-2.6.1"): gold("dies-{seat}", "look", "ageing"),
    (pt.LEGEND, "PT-2.6.1"): legend("dies-{seat}", "look", "ageing"),
    pt.GREW_OLD: Scene(step="ageing", changes=REALMS, rest="move"),
    pt.LEGEND: legend("end-{seat}", "result"),
    END: Scene(rest="result"),
}
