"""How well a bot plays, and how well its reader does, in words."""

from __future__ import annotations

from dataclasses import dataclass

from veillee.bots.levels import MARKS, MEASURE, strength_of
from veillee.bots.strength_scale import marks
from veillee.games.box import Box
from veillee.house.accounts.people import Guest
from veillee.house.analysis.strength import Measure, measure_of
from veillee.house.storage.store import Store
from veillee.words import Words

ALIKE = 0.05  # a strength that is no further from a level's is said to be like it


def level_names(t: Words) -> dict[str, str]:
    """The levels that people may sit down with."""
    return {"novice": t("novice"), "regular": t("regular"), "expert": t("expert")}


def level_name(t: Words, level: str) -> str:
    if level == MEASURE:
        return t("made to measure")
    if (strength := strength_of(level)) is not None:
        return t("made to measure: {strength}", strength=strength_name(t, strength))
    return level_names(t).get(level, level)


def strength_name(t: Words, strength: float) -> str:
    """Where it lies between the levels. Everybody at the table may read it."""
    if strength < MARKS["novice"] - ALIKE:
        return t("gentler than a novice")
    if strength <= MARKS["novice"] + ALIKE:
        return t("like a novice")
    if strength < MARKS["regular"] - ALIKE:
        return t("between novice and regular")
    if strength <= MARKS["regular"] + ALIKE:
        return t("like a regular")
    if strength < MARKS["expert"] - ALIKE:
        return t("between regular and expert")
    return t("like an expert")


@dataclass(frozen=True)
class Scale:
    """A guest's own strength in a box, in words. `strength` is empty as long as it is not known."""

    measure: Measure
    strength: str


def scale_of(store: Store, guest: Guest | None, box: Box, t: Words) -> Scale | None:
    """None: this box has not been measured, and no bot can be made to measure."""
    if not marks(box):
        return None
    measure = measure_of(store, guest.id, box) if guest else Measure(box)
    known = measure.strength
    return Scale(measure, strength_name(t, known) if known is not None else "")
