"""What can happen. `set` is the set of squares and cards that the other figures count in (rules/course.py)."""

from __future__ import annotations

from typing import Final

from veillee.kernel.log import kind

# SD-1, SD-2 The setup and the dice of a turn.
ORDER: Final = kind("order", "die")
CHOSEN: Final = kind("character", "character", "set")
ASIDE: Final = kind("aside", "objects")  # so many, from the pile out of the game
FIRST: Final = kind("first")
MISSED: Final = kind("missed", "left")  # a turn; so many are still to be missed
LOSES_A_TURN: Final = kind("lose a turn")
ANNOUNCED: Final = kind("announce", "high_moves")
DICE: Final = kind("dice", "a", "b", "c")
DIE: Final = kind("die", "die", "total", "need")
HAT_ROLLED: Final = kind("hat", "die", "magic")

# SD-2, SD-3 A hero goes from one square to another, or not.
WALKED: Final = kind("walk", "was", "square", "set")
CARRIED: Final = kind("carried", "was", "square", "set")
SENT_BACK: Final = kind("back", "was", "square", "set")
SWEPT: Final = kind("through", "was", "square", "set")  # from the Whirlpool to the Castle of Shadows
STAYED: Final = kind("stays", "square", "steps")
NOT_CARRIED: Final = kind("not carried", "square")
UNI_CARRIES: Final = kind("uni")
OVERCAME: Final = kind("overcome", "square", "set")
BLOCKED: Final = kind("blocked", "square", "set")
NO_DIE_NEEDED: Final = kind("pass", "square", "card", "set")
WON: Final = kind("win")

# SD-4 Cards.
DREW: Final = kind("card", "card", "set")  # from the pile, for all to see
KEPT: Final = kind("keep", "card", "set")  # to the hero's cards
USED: Final = kind("use", "card", "set")  # from the hero's cards to the discards
GAVE_BACK: Final = kind("give", "owner", "card", "set")  # from the hero's cards to the owner's
BEAT: Final = kind("beaten", "card", "set")
LOST: Final = kind("defeat", "card", "set")
HELD: Final = kind("holds", "card")
REFILLED: Final = kind("refill", "cards")  # so many, from the discards to the pile

# SD-6, SD-7 Brawls and trades.
OFFERED: Final = kind("offer", "partner", "give", "want", "set")
AGREED: Final = kind("accept", "partner", "give", "want", "set")  # `give` from the partner to the seat, `want` back
REFUSED: Final = kind("refuse", "partner")
ATTACKED: Final = kind("brawl", "target")
BRAWL_DIE: Final = kind("brawl die", "die", "total")
TIED: Final = kind("tie", "target")
BRAWL_WON: Final = kind("brawl won", "loser")
SPARED: Final = kind("spare", "loser")
TOOK: Final = kind("take", "loser", "card", "set")  # from the loser's cards to the winner's
