"""Scenes of Ghost Knights: for each kind of event which pieces move, what is shown large, and how long it stays."""

from __future__ import annotations

from typing import Final

from veillee.games.ghost_knights import rules as gk
from veillee.games.scene import Scene, Scenes
from veillee.kernel.log import END

SCORED: Final = Scene(
    "gain",
    start="dolmen-{dolmen}",
    count="glory-{seat}",
    by="{points}",
    changes=("knight-{seat}",),
    beat="dolmen-{dolmen}",
    rest="result",
)

SCENES: Final[Scenes] = {
    gk.FIRST: Scene(piece="knight-{seat}", rest="move"),
    gk.DRAWN: Scene("fly", draw="back", start="pile", to="hand-{seat}", changes=("deck",), rest="none"),
    gk.DREW: Scene("show", draw="card", start="pile", to="hand", changes=("hand",), rest="move"),
    gk.DOLMEN: Scene("show", draw="dolmen", start="pile", changes=("pile", "deck"), rest="result"),
    gk.PLAYED: Scene("fly", draw="card", start="hand-{seat}", to="discards", beat="play", rest="none"),
    gk.POSTED: Scene("fly", draw="guard", start="reserve-{owner}", to="dolmen-{dolmen}", beat="post", rest="move"),
    gk.TAKEN: Scene("fly", draw="guard", start="dolmen-{dolmen}", to="reserve-{owner}", rest="move"),
    gk.SWORD: Scene("fly", draw="sword", start="swords-{seat}", to="altar-{seat}", beat="swords", rest="move"),
    (gk.SWORD, "GK-2.3"): Scene(
        "fly", draw="sword", start="swords-{seat}", to="altar-{seat}", beat="post", rest="move"
    ),
    gk.SWORD_USED: Scene(
        "fly", draw="sword", start="altar-{seat}", to="discards", changes=("swords-{seat}",), beat="play", rest="none"
    ),
    gk.PASSED: Scene(piece="knight-{seat}", rest="move"),
    gk.GLORY: Scene(
        "gain", count="glory-{seat}", by="{points}", changes=("knight-{seat}",), beat="post", rest="move"
    ),  # with the guard it is for
    (gk.GLORY, "GK-5.1"): SCORED,
    (gk.GLORY, "GK-5.2"): SCORED,
    (gk.GLORY, "GK-5.3"): SCORED,
    (gk.GLORY, "GK-5.4"): Scene(
        "gain", piece="knight-{seat}", count="glory-{seat}", by="{points}", changes=("knight-{seat}",), rest="result"
    ),
    END: Scene(rest="result"),
}
