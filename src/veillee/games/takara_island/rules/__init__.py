"""Takara Island (2-4 players): the rules, paragraph by paragraph, under their numbers.

tiles, answers and events are the words of the game; island has what lies on the table; then the paragraphs: setup
(TI-1), turn (TI-2, TI-6, TI-7, TI-10), observe (TI-3), digging (TI-4, TI-5, TI-9), chests (TI-11), specialists (TI-8).
"""

# ruff: noqa: F403 (callers need not know how the rules are divided into modules)

from veillee.games.takara_island.rules.answers import *
from veillee.games.takara_island.rules.chests import *
from veillee.games.takara_island.rules.digging import *
from veillee.games.takara_island.rules.events import *
from veillee.games.takara_island.rules.island import *
from veillee.games.takara_island.rules.observe import *
from veillee.games.takara_island.rules.setup import *
from veillee.games.takara_island.rules.specialists import *
from veillee.games.takara_island.rules.tiles import *
from veillee.games.takara_island.rules.turn import *
