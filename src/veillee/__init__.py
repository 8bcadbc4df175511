"""Veillée: board games, faithful to the letter, as a Python package.

    import veillee

    match = veillee.play("takara-island", bots=["expert", "regular", "novice"], seed=7)
    print(match.ranking, match.scores)

or answer yourself, question by question:

    match = veillee.new("takara-island", seats=3, seed=7)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.hint(seat).choice)

boxes()     the games on the shelf
new(), load(), verify()     a match: begin one, read a saved one, check a finished one
play()      a match that bots play to its end: levels of ours, and bots of your own (Bot, Offer, Clock)
simulate()  many games at once, for NumPy: what may be known and answered as arrays (the extra `lab`)
read_games()  the games of a file that `veillee export` wrote, each played again and found the same
analyse()   what was luck and what was skill
bring()     play with what is printed in your own box

Whatever is refused raises a VeilleeError, whose say("fr") or say("en") is a sentence.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from veillee import engine
from veillee.deprecation import Former, former_names

engine.use()  # before any module is imported that may be compiled

if TYPE_CHECKING:
    from veillee.games.box import Box
    from veillee.games.catalogue import boxes
    from veillee.lab.datasets import read_games
    from veillee.lab.simulate import simulate
    from veillee.match.analysis import analyse
    from veillee.match.autoplay import BotFault, play
    from veillee.match.custom_bot import Bot, Clock, Offer
    from veillee.match.errors import BadContent, BadSave, Forbidden, Unknown, VeilleeError
    from veillee.match.match import Choice, Match
    from veillee.match.owner_content import bring
    from veillee.match.saves import load
    from veillee.match.setup import new
    from veillee.match.verify import Verdict, verify

__version__ = "0.1.0"

__all__ = [
    "BadContent",
    "BadSave",
    "Bot",
    "BotFault",
    "Box",
    "Choice",
    "Clock",
    "Forbidden",
    "Match",
    "Offer",
    "Unknown",
    "VeilleeError",
    "Verdict",
    "analyse",
    "boxes",
    "bring",
    "load",
    "new",
    "play",
    "read_games",
    "simulate",
    "verify",
]

# The module of each name. Imported on first access: a process that only hosts a bot, or prints a version, needs none.
_HOMES = {
    "veillee.games.box": ("Box",),
    "veillee.games.catalogue": ("boxes",),
    "veillee.lab.datasets": ("read_games",),
    "veillee.lab.simulate": ("simulate",),
    "veillee.match.analysis": ("analyse",),
    "veillee.match.autoplay": ("BotFault", "play"),
    "veillee.match.owner_content": ("bring",),
    "veillee.match.errors": ("BadContent", "BadSave", "Forbidden", "Unknown", "VeilleeError"),
    "veillee.match.match": ("Choice", "Match"),
    "veillee.match.saves": ("load",),
    "veillee.match.setup": ("new",),
    "veillee.match.custom_bot": ("Bot", "Clock", "Offer"),
    "veillee.match.verify": ("Verdict", "verify"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_FORMER: dict[str, Former] = {}  # names that were in __all__ before (docs/api.md)
_find_former = former_names(__name__, _FORMER, stacklevel=3)


def __getattr__(name: str) -> Any:
    if name == "games":  # the package; calling it is the former boxes()
        return import_module("veillee.games")
    if name not in _HOME:
        return _find_former(name)
    found = getattr(import_module(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
