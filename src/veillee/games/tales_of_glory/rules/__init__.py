"""Tales of Glory (2-5 players): the rules, paragraph by paragraph, under their numbers.

To the rest of the house they are one thing, whichever of these files a name comes from.
"""

# ruff: noqa: F403
from veillee.games.tales_of_glory.rules.adventurer import *
from veillee.games.tales_of_glory.rules.components import *
from veillee.games.tales_of_glory.rules.play import *
from veillee.games.tales_of_glory.rules.rounds import *
from veillee.games.tales_of_glory.rules.table import *
from veillee.games.tales_of_glory.rules.tiles import *
