"""Takara Island, by Takahiro and Sayaka Amioka."""

from pathlib import Path

from veillee.games.box import Box, Option, learned
from veillee.games.takara_island import words
from veillee.games.takara_island.bot import PRACTISED_KNACK, PRACTISED_REACH, Digger
from veillee.games.takara_island.planes import PLANES
from veillee.games.takara_island.rules import Takara, new_game
from veillee.games.takara_island.scenes import SCENES
from veillee.games.takara_island.terminal import describe, draw
from veillee.games.takara_island.view import turned_up, view
from veillee.kernel.state import VERSION

HERE = Path(__file__).parent

BOX = Box(
    id="takara-island",
    code="ti",
    kernel=VERSION,
    version=1,
    title={"fr": "Takara Island", "en": "Takara Island"},
    pitch={
        "fr": "Six sites à fouiller, deux Pierres de Légende enfouies au fond : regardez, creusez, tentez votre chance.",
        "en": "Six sites to dig, two Legend Stones far below: look, dig, and push your luck.",
    },
    goal={
        "fr": "Réunissez les deux Pierres de Légende, ou gagnez le plus d’XP.",
        "en": "Bring both Legend Stones together, or earn the most XP.",
    },
    authors="Takahiro Amioka, Sayaka Amioka",
    published="Takara Island (Ferti)",
    players=range(2, 5),
    minutes=(30, 60),
    age=10,
    folder=HERE,
    new=new_game,
    state=Takara,
    view=view,
    turned_up=turned_up,
    speech=words,
    scenes=SCENES,
    together=words.together,
    advisor=Digger(learned(HERE)),
    adept=Digger(learned(HERE), None, PRACTISED_KNACK, PRACTISED_REACH),
    new_adept=lambda: Digger(learned(HERE), None, PRACTISED_KNACK, PRACTISED_REACH),
    planes=PLANES,
    draw=draw,
    describe=describe,
    gives_up=words.gives_up,
    colours=("red", "blue", "green", "yellow"),
    options=(
        Option(
            id="memory",
            title={"fr": "Mémoire", "en": "Memory"},
            values={
                "notebook": {"fr": "Carnet", "en": "Notebook"},
                "by-heart": {"fr": "Par cœur", "en": "By heart"},
            },
            about={
                "fr": "Carnet : le plateau vous montre ce que vous avez vu. Par cœur : seulement pendant que vous regardez.",
                "en": "Notebook: the board shows you what you have seen. By heart: only while you look.",
            },
        ),
        Option(
            id="rockfalls",
            title={"fr": "Éboulements visibles", "en": "Visible rockfalls"},
            values={
                "top": {"fr": "ceux du dessus des piles", "en": "those on top of their piles"},
                "all": {"fr": "aussi ceux qui sont recouverts", "en": "covered ones too"},
            },
            about={
                "fr": "Lesquels comptent quand on en détruit un ? (TI-5.1)",
                "en": "Which of them count when one is destroyed? (TI-5.1)",
            },
        ),
        Option(
            id="mimic",
            title={"fr": "Un Mimic manqué", "en": "A Mimic that is not beaten"},
            values={
                "back": {
                    "fr": "retourne parmi les coffres et blesse",
                    "en": "goes back among the chests and injures",
                },
                "removed": {"fr": "quitte la partie sans blesser", "en": "leaves the game and hurts nobody"},
            },
            about={
                "fr": "Que devient le Mimic quand l’attaque échoue ? (TI-11.2)",
                "en": "What becomes of the Mimic when the attack fails? (TI-11.2)",
            },
        ),
    ),
)
