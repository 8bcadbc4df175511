"""What can happen, and which thing goes from where to where."""

from __future__ import annotations

from typing import Final

from veillee.kernel.log import kind

FIRST: Final = kind("first")
SWORD_RENTED: Final = kind("sword")  # from the Forge to the team, for a turn
STOPPED: Final = kind("stop", "unused")  # adventurers

# TI-3, TI-8 Looks. `place` counts from the bottom of a site, `above` says how many tiles lie over it.
OBSERVES: Final = kind("observe", "site")  # an adventurer goes there
LOOKED: Final = kind("look", "tile", "site", "above")  # private
GLANCED: Final = kind("glance", "tile", "site", "above")  # private, by heart
ROCKFALL_MET: Final = kind("rockfall", "tile", "site", "place")  # turned up, in place
MONSTER_SHOWN: Final = kind("monster", "tile", "site", "place")  # turned up, in place
OBSERVED_ALL: Final = kind("observed", "site", "looked")  # so many tiles
PEEKS: Final = kind("peek", "site", "above", "tiles")  # a specialist at so many tiles, the first below `above` others
PEEKED: Final = kind("peeked", "site")

# TI-4, TI-5, TI-9 Work: an adventurer goes to the site.
DUG: Final = kind("dig", "tile", "site", "place")  # turned up; it stays, or goes to the team or to the discards
DESTROYED: Final = kind("destroy", "tile", "site", "karas")  # by two adventurers; the rockfall to the discards
FIGHT: Final = kind("fight", "monster", "site", "wounds")
DIE: Final = kind("die", "sword")  # 1 for a sword, 0 for a hospital
REPELLED: Final = kind("repelled", "monster", "site", "wounds")  # the adventurer from the site to the hospital
BEATEN: Final = kind("beaten", "monster", "site")  # the monster from the site to the team

# TI-11 Chests. `place` is the site of the adventurer who opens it; the Port: a Miner does.
OPENED: Final = kind("chest", "tile", "place")  # from the chests to the team or to the discards
MIMIC_BEATEN: Final = kind("mimic beaten")
MIMIC_GONE: Final = kind("mimic gone")  # to the discards
MIMIC_BACK: Final = kind("mimic escapes", "place")  # the adventurer from there to the hospital, if there is one
MAP_READ: Final = kind("map", "kept")  # 1, or 0: from the team to the discards

# TI-6, TI-7, TI-8 The other places: an adventurer goes there.
GAMBLED: Final = kind("den")
TILE_SOLD: Final = kind("sell", "tile", "karas")  # from the team to the discards
TOKEN_BOUGHT: Final = kind("buy")  # from the stock to the team
HIRED: Final = kind("hire", "specialist", "price")  # from the Port to the team
IMITATED: Final = kind("imitate", "specialist", "price", "holder")  # the Imitator from the Port to the team
MINER_SENT: Final = kind("mine", "site")
MINER_DUG: Final = kind("mined", "tile", "site", "place")  # as DUG
LEFT: Final = kind("leaves", "specialist")  # from the team to the Port

# TI-10 Recruit and end the day: adventurers.
RECRUITED: Final = kind("recruit")  # from the Beach to the camp
CARED: Final = kind("care", "adventurers")  # from the hospital to the camp
RESTED: Final = kind("rested", "adventurers")  # from the recovery room to the camp
RESTING: Final = kind("rest", "adventurers")  # from the hospital to the recovery room

# TI-12 End.
STONE_LOST: Final = kind("stone lost")  # from the team to the discards
BOTH_STONES: Final = kind("both stones")
TITLED: Final = kind("title", "title", "xp")
