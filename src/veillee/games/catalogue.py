"""The shelf: every box that can be played."""

from __future__ import annotations

from veillee.games.box import Box
from veillee.games.ghost_knights import BOX as GHOST_KNIGHTS
from veillee.games.paper_tales import BOX as PAPER_TALES
from veillee.games.sourire_du_dragon import BOX as SOURIRE_DU_DRAGON
from veillee.games.takara_island import BOX as TAKARA_ISLAND
from veillee.games.tales_of_glory import BOX as TALES_OF_GLORY

BOXES: dict[str, Box] = {
    box.id: box for box in (GHOST_KNIGHTS, PAPER_TALES, TAKARA_ISLAND, TALES_OF_GLORY, SOURIRE_DU_DRAGON)
}


def find(name: str) -> Box | None:
    """The box of that id, or of its two-letter code."""
    return BOXES.get(name) or next((box for box in BOXES.values() if box.code == name), None)
