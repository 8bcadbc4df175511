"""My Game: the box."""

from pathlib import Path

from my_game import words
from my_game.bot import BOT
from my_game.rules import MyGame, new_game
from my_game.terminal import draw
from my_game.view import view
from veillee.games.box import Box

BOX = Box(
    id="my-game",
    code="mg",
    kernel=2,  # of Veillée, for which the rules were written
    version=1,
    title={"fr": "My Game", "en": "My Game"},
    pitch={
        "fr": "Piocher encore, ou poser déjà : qui fera la plus longue montée ?",
        "en": "Draw once more, or lay a card now: whose row will be the longest?",
    },
    authors="N. N.",
    published="",
    players=range(2, 5),
    minutes=(5, 10),
    age=8,
    folder=Path(__file__).parent,
    new=new_game,
    state=MyGame,
    view=view,
    speech=words,
    advisor=BOT,
    draw=draw,
    colours=("blue", "red", "green", "yellow"),
)
