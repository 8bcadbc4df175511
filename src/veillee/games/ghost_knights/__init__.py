"""Les Chevaliers fantômes, by Richard Borg."""

from pathlib import Path

from veillee.games.box import Box, Option, learned, practised
from veillee.games.ghost_knights import words
from veillee.games.ghost_knights.bot import Knightly
from veillee.games.ghost_knights.planes import PLANES
from veillee.games.ghost_knights.rules import GhostKnights, new_game
from veillee.games.ghost_knights.scenes import SCENES
from veillee.games.ghost_knights.terminal import describe, draw
from veillee.games.ghost_knights.view import view
from veillee.kernel.state import VERSION

HERE = Path(__file__).parent

LAP = Option(
    id="lap",
    title={"fr": "Un tour d’avance", "en": "A full lap ahead"},
    values={
        "passed": {"fr": "plus de 30 points d’écart", "en": "more than 30 points ahead"},
        "level": {"fr": "30 points tout juste suffisent", "en": "exactly 30 points are enough"},
    },
    about={
        "fr": "Quand une figurine en double-t-elle une autre, ce qui met fin à la partie ? (GK-6.2)",
        "en": "When does a figure lap another, which ends the game? (GK-6.2)",
    },
)

BOX = Box(
    id="ghost-knights",
    code="gk",
    kernel=VERSION,
    version=1,
    title={"fr": "Les Chevaliers fantômes", "en": "Ghost Knights"},
    pitch={
        "fr": "Postez vos gardes aux dolmens avant chaque tournoi : la gloire survit à la mort.",
        "en": "Post your guards at the dolmens before each tournament: glory outlives death.",
    },
    goal={
        "fr": "Le plus de gloire après quatre tournois gagne : postez vos gardes aux dolmens.",
        "en": "Most glory after four tournaments wins: post your guards at the dolmens.",
    },
    authors="Richard Borg",
    published="Stonehenge (Titanic Games, 2007)",
    players=range(4, 6),
    minutes=(30, 45),
    age=10,
    folder=HERE,
    new=new_game,
    state=GhostKnights,
    view=view,
    speech=words,
    scenes=SCENES,
    together=words.together,
    gives_up=words.gives_up,
    advisor=Knightly(learned(HERE), practised(HERE)),
    new_adept=lambda: Knightly(learned(HERE), practised(HERE)),
    planes=PLANES,
    draw=draw,
    describe=describe,
    colours=("white", "blue", "green", "yellow", "red"),
    options=(LAP,),
)
