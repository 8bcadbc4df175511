"""Paper Tales (2-5 players): the rules, paragraph by paragraph, under their numbers.

pieces.py is the box, kingdom.py the things of one player, table.py those of all, knowledge.py what each seat may know of them;
turn.py begins, repeats and ends the game, and the phases of a turn are recruitment.py, deployment.py with the
effects.py of what is revealed, war.py with the income, construction.py and ageing.py. events.py is what the log tells.
"""

# ruff: noqa: F403

from veillee.games.paper_tales.rules.ageing import *
from veillee.games.paper_tales.rules.construction import *
from veillee.games.paper_tales.rules.deployment import *
from veillee.games.paper_tales.rules.effects import *
from veillee.games.paper_tales.rules.events import *
from veillee.games.paper_tales.rules.kingdom import *
from veillee.games.paper_tales.rules.pieces import *
from veillee.games.paper_tales.rules.recruitment import *
from veillee.games.paper_tales.rules.table import *
from veillee.games.paper_tales.rules.turn import *
from veillee.games.paper_tales.rules.war import *
