"""Le Sourire du Dragon (2-6 players): the rules, paragraph by paragraph, under their numbers.

course     SD-3, SD-4, SD-5  squares, cards and objects as numbers
events                       what can happen
position   SD-1              what is on the table, and the words that the paragraphs share
meetings   SD-6, SD-7        brawls and trades
turn       SD-2 to SD-5      a turn: the dice, the squares, the cards
setup      SD-1, SD-8        a new game
"""

# What the rest of the house knows as the rules of this game: all of it.
from veillee.games.sourire_du_dragon.rules.course import *  # noqa: F403
from veillee.games.sourire_du_dragon.rules.events import *  # noqa: F403
from veillee.games.sourire_du_dragon.rules.meetings import *  # noqa: F403
from veillee.games.sourire_du_dragon.rules.position import *  # noqa: F403
from veillee.games.sourire_du_dragon.rules.setup import *  # noqa: F403
from veillee.games.sourire_du_dragon.rules.turn import *  # noqa: F403
