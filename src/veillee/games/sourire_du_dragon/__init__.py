"""Le Sourire du Dragon, by François Marcela-Froideval."""

from pathlib import Path

from veillee.games.box import Box, Option, learned
from veillee.games.sourire_du_dragon import words
from veillee.games.sourire_du_dragon.bot import Dragonish
from veillee.games.sourire_du_dragon.content import KIND
from veillee.games.sourire_du_dragon.planes import PLANES
from veillee.games.sourire_du_dragon.printing import faces
from veillee.games.sourire_du_dragon.rules import RULES, SourireDuDragon, new_game, new_game_1, new_game_2
from veillee.games.sourire_du_dragon.scenes import SCENES
from veillee.games.sourire_du_dragon.terminal import describe, draw
from veillee.games.sourire_du_dragon.view import view
from veillee.kernel.state import VERSION

OBJECTS = Option(
    id="objects",
    title={"fr": "Objets magiques", "en": "Magic objects"},
    values={
        "all": {"fr": "Les six", "en": "All six"},
        "characters": {"fr": "Seulement ceux des personnages en jeu", "en": "Only those of the characters in play"},
    },
    about={
        "fr": "Moins d’objets dans la pioche : une partie plus difficile (SD-8.1).",
        "en": "Fewer objects in the pile: a harder game (SD-8.1).",
    },
)

HAT = Option(
    id="hat",
    title={"fr": "Le Chapeau du Magicien", "en": "The Magician's Hat"},
    values={
        "letter": {
            "fr": "À la lettre : il doit lancer le dé, avant de savoir",
            "en": "To the letter: he must roll, before he knows",
        },
        "gentle": {
            "fr": "Chapeau clément : il décide après avoir vu les dés",
            "en": "Gentle hat: he decides after seeing the dice",
        },
    },
    about={
        "fr": "Le Magicien doit-il lancer le dé de son Chapeau à chaque épreuve ? (SD-5.6)",
        "en": "Must the Magician roll for his Hat at every test? (SD-5.6)",
    },
    since=3,
)

BOX = Box(
    id="sourire-du-dragon",
    code="sd",
    kernel=VERSION,
    version=RULES,
    title={"fr": "Le Sourire du Dragon", "en": "The Dragon's Smile"},
    pitch={
        "fr": "Six jeunes héros perdus dans un autre monde courent vers le Vortex qui ramène à la maison.",
        "en": "Six young heroes lost in another world race for the Vortex that leads home.",
    },
    goal={
        "fr": "Le premier rentré par le Vortex gagne : lancez les dés et tenez tête aux monstres.",
        "en": "First home through the Vortex wins: roll the dice and stand up to the monsters.",
    },
    authors="François Marcela-Froideval",
    published="Transcom, 1984",
    players=range(2, 7),
    minutes=(20, 40),
    age=6,
    folder=Path(__file__).parent,
    new=new_game,
    state=SourireDuDragon,
    view=view,
    speech=words,
    scenes=SCENES,
    advisor=Dragonish(learned(Path(__file__).parent)),
    new_adept=lambda: Dragonish(learned(Path(__file__).parent)),
    planes=PLANES,
    draw=draw,
    describe=describe,
    gives_up=words.gives_up,
    colours=("red", "blue", "green", "yellow", "purple", "orange"),
    options=(OBJECTS, HAT),
    contents=KIND,
    faces=faces,
    reconstruction={
        "fr": (
            "Les cases du plateau et la plupart des cartes n’ont jamais été publiées : elles sont de nous, mesurées sur "
            "des milliers de parties, et remplaçables par celles de votre boîte."
        ),
        "en": (
            "The squares of the board and most cards were never published: they are ours, measured over thousands of "
            "games, and replaceable by those of your own box."
        ),
    },
    earlier={1: new_game_1, 2: new_game_2},
)
