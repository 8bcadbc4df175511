"""The shelf: every box that can be played."""

from __future__ import annotations

from veillee.games.box import Box
from veillee.games.ghost_knights import BOX as GHOST_KNIGHTS

BOXES: dict[str, Box] = {box.id: box for box in (GHOST_KNIGHTS,)}


def find(name: str) -> Box | None:
    """The box of that id, or of its two-letter code."""
    return BOXES.get(name) or next((box for box in BOXES.values() if box.code == name), None)
