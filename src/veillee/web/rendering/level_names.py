"""Names of bot levels, and of a player's strength."""

from __future__ import annotations

from dataclasses import dataclass

from veillee.bots.levels import MEASURE, STRENGTH_MARKS, strength_of
from veillee.bots.strength_scale import marks
from veillee.games.box import Box
from veillee.house.accounts.guest import Guest
from veillee.house.analysis.strength import GuestStrength, load_strength
from veillee.house.storage.store import Store
from veillee.words import Words

ALIKE = 0.05  # a strength this close to a level's is called like it


def level_names(t: Words) -> dict[str, str]:
    return {"novice": t("novice"), "regular": t("regular"), "expert": t("expert"), "master": t("master")}


def level_choices(t: Words) -> dict[str, str]:
    """Returns the levels that players may choose, each with what they should know before."""
    return {**level_names(t), "master": t("master (thinks for about a second)")}


def level_name(t: Words, level: str) -> str:
    if level == MEASURE:
        return t("made to measure")
    if (strength := strength_of(level)) is not None:
        return t("made to measure: {strength}", strength=strength_name(t, strength))
    return level_names(t).get(level, level)


def strength_name(t: Words, strength: float) -> str:
    """Returns where a strength lies between the levels. The whole table may read it."""
    if strength < STRENGTH_MARKS["novice"] - ALIKE:
        return t("gentler than a novice")
    if strength <= STRENGTH_MARKS["novice"] + ALIKE:
        return t("like a novice")
    if strength < STRENGTH_MARKS["regular"] - ALIKE:
        return t("between novice and regular")
    if strength <= STRENGTH_MARKS["regular"] + ALIKE:
        return t("like a regular")
    if strength < STRENGTH_MARKS["expert"] - ALIKE:
        return t("between regular and expert")
    return t("like an expert")


@dataclass(frozen=True)
class StrengthText:
    """A guest's strength in a box, in words. `strength` is empty while it is unknown."""

    measure: GuestStrength
    strength: str


def scale_of(store: Store, guest: Guest | None, box: Box, t: Words) -> StrengthText | None:
    """Returns the guest's scale; None: this box has no strength scale, so no bot can be made to measure."""
    if not marks(box):
        return None
    measure = load_strength(store, guest.id, box) if guest else GuestStrength(box)
    known = measure.strength
    return StrengthText(measure, strength_name(t, known) if known is not None else "")
