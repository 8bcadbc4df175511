"""Paper Tales, by Masato Uesugi."""

from pathlib import Path

from veillee.games.box import Box, Option, learned, practised
from veillee.games.paper_tales import words
from veillee.games.paper_tales.bot import Chronicler
from veillee.games.paper_tales.planes import PLANES
from veillee.games.paper_tales.rules import RULES, PaperTales, new_game, new_game_1
from veillee.games.paper_tales.scenes import SCENES
from veillee.games.paper_tales.terminal import describe, draw
from veillee.games.paper_tales.view import preview, view
from veillee.kernel.state import VERSION

DOUBLE = Option(
    id="double",
    title={"fr": "Deux victoires, à deux joueurs", "en": "Two wars won, with two players"},
    values={
        "twice": {"fr": "dès deux fois la force de l’autre", "en": "with at least twice the other’s strength"},
        "more": {"fr": "au-delà de deux fois sa force", "en": "with more than twice that strength"},
    },
    about={
        "fr": "À deux joueurs : quand une guerre vaut-elle deux victoires ? (PT-2.3.3)",
        "en": "With two players: when does a war count as two wars won? (PT-2.3.3)",
    },
    since=2,
)

BOX = Box(
    id="paper-tales",
    code="pt",
    kernel=VERSION,
    version=RULES,
    title={"fr": "Paper Tales", "en": "Paper Tales"},
    pitch={
        "fr": "Recrutez, guerroyez, bâtissez : quatre tours pour une légende, avant que vos héros ne vieillissent.",
        "en": "Recruit, wage war, build: four turns for a legend, before your heroes grow old.",
    },
    goal={
        "fr": "Le plus de points de légende après quatre tours gagne : recrutez, combattez, bâtissez.",
        "en": "Most legend points after four turns wins: recruit, fight, build.",
    },
    authors="Masato Uesugi",
    published="Catch Up Games (2017)",
    players=range(2, 6),
    minutes=(30, 40),
    age=12,
    folder=Path(__file__).parent,
    new=new_game,
    state=PaperTales,
    view=view,
    preview=preview,
    speech=words,
    scenes=SCENES,
    together=words.together,
    advisor=Chronicler(learned(Path(__file__).parent), practised(Path(__file__).parent)),
    new_adept=lambda: Chronicler(learned(Path(__file__).parent), practised(Path(__file__).parent)),
    planes=PLANES,
    draw=draw,
    describe=describe,
    gives_up=words.gives_up,
    colours=("red", "blue", "green", "yellow", "purple"),
    options=(DOUBLE,),
    earlier={1: new_game_1},
)
