"""Liar's Dice, which nobody invented."""

from pathlib import Path

from liars_dice import words
from liars_dice.bot import Bluffer
from liars_dice.rules import LiarsDice, new_game
from liars_dice.terminal import draw
from liars_dice.view import view
from veillee.games.box import Box

BOX = Box(
    id="liars-dice",
    code="ld",
    kernel=2,  # of Veillée, for which the rules were written
    version=1,
    title={"fr": "Le Dé menteur", "en": "Liar's Dice"},
    pitch={
        "fr": "Cinq dés sous un gobelet, et votre parole : qui vous croira ?",
        "en": "Five dice under a cup, and your word for them: who will believe you?",
    },
    authors="trad.",
    published="",
    players=range(2, 7),
    minutes=(10, 20),
    age=8,
    folder=Path(__file__).parent,
    new=new_game,
    state=LiarsDice,
    view=view,
    speech=words,
    advisor=Bluffer(),
    draw=draw,
    colours=("white", "blue", "green", "yellow", "red", "purple"),
)
