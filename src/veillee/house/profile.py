"""What an operator chooses for a house: its name, its imprint, its boxes, and who may become a guest."""

from __future__ import annotations

from dataclasses import dataclass

from veillee.games.box import Box
from veillee.games.catalogue import BOXES

DEFAULT_NAME = "Veillée"


@dataclass(frozen=True)
class Profile:
    """The operator's choices."""

    name: str = DEFAULT_NAME
    imprint: str = ""  # text, or the address of a page
    boxes: tuple[str, ...] = ()  # ids of the boxes on the shelf; empty: all that are installed
    is_invitation_only: bool = False  # visitors become guests only through an invitation
    house_circle: str = ""  # id of the circle that new guests of such a house belong to

    def has_box(self, box_id: str) -> bool:
        """Returns whether new tables of this box may be created. Tables that exist go on without it."""
        return not self.boxes or box_id in self.boxes

    def shelf(self) -> dict[str, Box]:
        """Returns the boxes on the shelf, in the operator's order."""
        return {box_id: BOXES[box_id] for box_id in self.boxes or BOXES if box_id in BOXES}

    @property
    def has_imprint_page(self) -> bool:
        """Whether the imprint is the address of a page."""
        return self.imprint.startswith(("https://", "http://")) and len(self.imprint.split()) == 1
