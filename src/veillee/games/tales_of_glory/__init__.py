"""Tales of Glory, by Romain Chastan."""

from pathlib import Path

from veillee.games.box import Box, Option, learned, practised
from veillee.games.tales_of_glory import words
from veillee.games.tales_of_glory.bot import Storyteller
from veillee.games.tales_of_glory.content import KIND
from veillee.games.tales_of_glory.planes import PLANES
from veillee.games.tales_of_glory.printing import faces
from veillee.games.tales_of_glory.rules import TalesOfGlory, new_game
from veillee.games.tales_of_glory.scenes import SCENES
from veillee.games.tales_of_glory.terminal import describe, draw
from veillee.games.tales_of_glory.view import view
from veillee.kernel.state import VERSION

BOX = Box(
    id="tales-of-glory",
    code="tg",
    kernel=VERSION,
    version=1,
    title={"fr": "Tales of Glory", "en": "Tales of Glory"},
    pitch={
        "fr": "Dix tours pour bâtir votre aventure, tuile après tuile, et entrer dans la légende.",
        "en": "Ten rounds to build your adventure, tile by tile, and become a legend.",
    },
    goal={
        "fr": "Le plus de Prestige après dix tours gagne : une tuile par tour, bien placée.",
        "en": "Most Prestige after ten rounds wins: one tile a round, well placed.",
    },
    authors="Romain Chastan",
    published="Ankama, 2018",
    players=range(2, 6),
    minutes=(30, 45),
    age=10,
    folder=Path(__file__).parent,
    new=new_game,
    state=TalesOfGlory,
    view=view,
    speech=words,
    scenes=SCENES,
    together=words.together,
    advisor=Storyteller(learned(Path(__file__).parent), practised(Path(__file__).parent)),
    new_adept=lambda: Storyteller(learned(Path(__file__).parent), practised(Path(__file__).parent)),
    former=Storyteller(learned(Path(__file__).parent, "weights-1.toml")),
    planes=PLANES,
    draw=draw,
    describe=describe,
    gives_up=words.gives_up,
    colours=("red", "blue", "green", "yellow", "purple"),
    options=(
        Option(
            "quests",
            {"fr": "Quêtes", "en": "Quests"},
            {"no": {"fr": "sans", "en": "without"}, "yes": {"fr": "avec", "en": "with"}},
            {
                "fr": "Deux quêtes secrètes chacun : chères, mais glorieuses. Quand on connaît déjà le jeu.",
                "en": "Two secret quests each: dear, but glorious. Best once you know the game.",
            },
        ),
        Option(
            "play",
            {"fr": "Jouer les tuiles", "en": "Playing the tiles"},
            {
                "in-turn": {"fr": "chacun son tour", "en": "in turn"},
                "together": {"fr": "tous en même temps", "en": "all at the same time"},
            },
            {
                "fr": "En même temps, personne n’attend ; à tour de rôle, on voit ce que font les autres.",
                "en": "At the same time nobody waits; in turn you see what the others do.",
            },
        ),
        Option(
            "gains",
            {"fr": "Gains du tour", "en": "Gains of a turn"},
            {
                "each": {"fr": "après chaque tuile", "en": "after each tile"},
                "paid-first": {"fr": "tout payer et placer d’abord", "en": "pay and place everything first"},
            },
            {
                "fr": "Avec les quêtes : le gain d’une tuile peut-il payer la suivante ? (TG-6.2)",
                "en": "With quests: may the gain of one tile pay for the next? (TG-6.2)",
            },
        ),
    ),
    contents=KIND,
    faces=faces,
    reconstruction={
        "fr": "Les tuiles imprimées n’ont jamais été publiées : les coûts, les côtés, les gains et les coffres des 74 "
        "tuiles sont notre propre création, équilibrée par la mesure. Si vous avez la boîte, jouez avec les siennes.",
        "en": "The printed tiles were never published: the costs, sides, gains and chests of the 74 tiles are our own "
        "design, balanced by measurement. If you own the box, you can play with yours.",
    },
)
