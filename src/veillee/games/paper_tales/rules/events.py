"""What can happen, in the log. A unit is told by its kind, a `place` is that in its kingdom before it moved."""

from __future__ import annotations

from typing import Final

from veillee.kernel.log import kind

TURN: Final = kind("turn", "turn")
RESHUFFLE: Final = kind("reshuffle", "cards")  # so many discards, face up and face down, to the draw pile

# PT-2.1 Recruitment
DEAL: Final = kind("dealt", "cards")  # from the draw pile to the seat's packet
RECEIVED: Final = kind("receive", "giver", "cards")  # the giver's packet
KEPT: Final = kind("keep", "unit")  # from the packet to the kept cards
KEPT_LAST: Final = kind("keep last", "unit")
TOSSED: Final = kind("toss", "unit")  # from the packet to the discards, face down

# PT-2.2 Deployment
DISMISSED: Final = kind("dismiss", "unit", "age", "place")  # from the kingdom to the discards
MOVED: Final = kind("move", "unit", "row", "place")  # to the other row
DEPLOYED: Final = kind("deploy", "unit", "row", "cost")  # from the hand to the row
LEFTOVERS: Final = kind("leftovers", "saved", "discarded")  # so many cards from the hand, face down
SHAPE: Final = kind("shape", "unit", "place")  # from the draw pile to the Shapeshifter's place
SHAPE_REFUSED: Final = kind("shape refused", "unit")  # from the draw pile to the discards
RAISED: Final = kind("raise", "building")
AGED: Final = kind("age", "unit", "tokens", "place")  # so many tokens to the unit

# PT-2.3 War, PT-2.4 Income, PT-2.5 Construction
FOUGHT: Final = kind("war", "other", "mine", "theirs")  # with these strengths
GOLD: Final = kind("gold", "coins", "source")  # less than 0: paid
LEGEND: Final = kind("legend", "points", "source")  # less than 0: lost
CANNOT_BUILD: Final = kind("cannot build")
BUILT: Final = kind("build", "building", "level", "price")
BUILT_NOTHING: Final = kind("no building")

# PT-2.6 Ageing
HEALED: Final = kind("heal", "unit", "place")
LET_DIE: Final = kind("let die")
DIED: Final = kind("dies", "unit", "age", "place")  # from the kingdom to the discards
GREW_OLD: Final = kind("aged")  # a token to every unit that lives
