"""Own bots: what a bot of somebody's own is, and what it is handed.

A bot is a small class. It is told what its seat may know, as plain data, and nothing else:

    class Bot:
        def choose(self, view, choices, clock):
            return choices[0]

`view` is match.view(seat) as JSON has it, `choices` is a list of Offer, `clock.left` the seconds that it still has. It
answers with one of the choices, or with its id. Two more things are asked for only if they are there: a constructor
that takes `seed` (for chance of its own: the same games, the same seeds), and `told(events)`, which is called before
each question with what happened since, and once after the end. A new object is made for every game.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from time import monotonic
from typing import Any, Protocol, runtime_checkable

LONGEST = 200  # letters of what a bot said, in a sentence about it


@dataclass(frozen=True)
class Offer:
    """One of the choices: the same over Python, over HTTP and in a bot's hands."""

    id: int
    verb: str
    args: Mapping[str, int]
    label: str


class Clock:
    """How long a bot may think about this answer. It runs from the moment that it is asked."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until the answer is too late; never less than 0."""
        return max(0.0, self._end - monotonic())


@runtime_checkable
class Bot(Protocol):
    """What every own bot has. Nobody needs to inherit from it."""

    def choose(self, view: dict[str, Any], choices: list[Offer], clock: Clock, /) -> Offer | int:
        """One of the choices, or its id."""
        ...


def is_own(name: str) -> bool:
    """Is it the name of an own bot (package.module:Bot), and not of a level?"""
    return ":" in name


def find(name: str) -> Callable[..., Any]:
    """What makes bots of that name. Raises whatever is wrong with its module; LookupError if it makes none."""
    module, _, attribute = name.partition(":")
    found: Any = import_module(module)
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise LookupError(f"{module} has no {attribute!r}")
        found = getattr(found, part)
    if not callable(found) or (isinstance(found, type) and not hasattr(found, "choose")):
        raise LookupError(f"{attribute!r} of {module} has no method choose(view, choices, clock)")
    maker: Callable[..., Any] = found
    return maker


def make(maker: Callable[..., Any], seed: int) -> Bot:
    """A bot for one game; it is handed a seed if it asks for one."""
    takes = inspect.signature(maker).parameters
    bot = maker(seed=seed) if "seed" in takes else maker()
    if not isinstance(bot, Bot):
        raise TypeError(f"{type(bot).__name__} has no method choose(view, choices, clock)")
    return bot


def ask(bot: Bot, question: Mapping[str, Any]) -> Any:
    """Put a question to a bot: what happened first, then what to choose. What it answers may be anything.

    A question without choices is the end: there is only something to tell.
    """
    if callable(told := getattr(bot, "told", None)):
        told(list(question["events"]))
    if "choices" not in question:
        return None
    offers = [Offer(**choice) for choice in question["choices"]]
    answer = bot.choose(question["view"], offers, Clock(question["seconds"]))
    return answer.id if isinstance(answer, Offer) else answer


def is_id(answer: Any, question: Mapping[str, Any]) -> bool:
    """Is it the id of one of the choices? (True is no 1.)"""
    return type(answer) is int and any(answer == choice["id"] for choice in question["choices"])


def shortly(thing: object) -> str:
    """What a bot said, short enough for a sentence; whatever it is made of."""
    try:
        text = repr(thing)
    except Exception:  # noqa: BLE001  its own repr may be wrong, too
        text = f"<{type(thing).__name__}>"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def complaint(error: BaseException, skip: Sequence[str] = (__file__,)) -> str:
    """What was raised, and where in the bot's own file: "ZeroDivisionError: division by zero (mybot.py, line 12)"."""
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    step, where = error.__traceback__, ""
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file not in skip and not file.startswith("<"):
            where = f" ({file.replace(chr(92), '/').rsplit('/', 1)[-1]}, line {step.tb_lineno})"
        step = step.tb_next
    return (said if len(said) <= LONGEST else said[: LONGEST - 1] + "…") + where
