"""Custom bots: the interface of a bot written by a user, and what it receives.

A bot is a small class. It receives what its seat may know, as plain data, and nothing else:

    class Bot:
        def choose(self, view, choices, clock):
            return choices[0]

`view` is match.view(seat) as JSON types, `choices` a list of Offer, `clock.left` the seconds that remain. It returns
one of the choices, or its id. Two more things are optional: a constructor that takes `seed` (for chance of its own: the
same games get the same seeds), and `told(events)`, which is called before each question with the events since the last
one, and once after the end. A new object is created for every game.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from time import monotonic
from typing import Any, Protocol, runtime_checkable

MAX_QUOTED_CHARACTERS = 200  # characters of a bot's output quoted in a message


@dataclass(frozen=True)
class Offer:
    """One of the choices: the same in Python, over HTTP and for a custom bot."""

    id: int
    verb: str
    args: Mapping[str, int]
    label: str


class Clock:
    """The time limit of one answer. It starts when the bot is asked."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until the answer is too late; never less than 0."""
        return max(0.0, self._end - monotonic())


@runtime_checkable
class Bot(Protocol):
    """The protocol of a custom bot. A bot need not inherit from it."""

    def choose(self, view: dict[str, Any], choices: list[Offer], clock: Clock, /) -> Offer | int:
        """Returns one of the choices, or its id."""
        ...


def is_own(name: str) -> bool:
    """Returns whether it is the name of a custom bot (package.module:Bot), and not of a level."""
    return ":" in name


def find(name: str) -> Callable[..., Any]:
    """Imports the class or factory of that name. Raises any error of its module; LookupError if it makes no bots."""
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
    """Creates a bot for one game; passes a seed if the constructor takes one."""
    takes = inspect.signature(maker).parameters
    bot = maker(seed=seed) if "seed" in takes else maker()
    if not isinstance(bot, Bot):
        raise TypeError(f"{type(bot).__name__} has no method choose(view, choices, clock)")
    return bot


def ask(bot: Bot, question: Mapping[str, Any]) -> Any:
    """Asks a bot: calls told() with the events, then choose(). Returns its answer unchecked.

    A question without choices is the end of the game: only the events are passed.
    """
    if callable(told := getattr(bot, "told", None)):
        told(list(question["events"]))
    if "choices" not in question:
        return None
    offers = [Offer(**choice) for choice in question["choices"]]
    answer = bot.choose(question["view"], offers, Clock(question["seconds"]))
    return answer.id if isinstance(answer, Offer) else answer


def is_id(answer: Any, question: Mapping[str, Any]) -> bool:
    """Returns whether the answer is the id of one of the choices. (True does not count as 1.)"""
    return type(answer) is int and any(answer == choice["id"] for choice in question["choices"])


def short_repr(thing: object) -> str:
    """Returns a repr short enough for a message, for any object."""
    try:
        text = repr(thing)
    except Exception:  # noqa: BLE001  its repr may raise, too
        text = f"<{type(thing).__name__}>"
    return text if len(text) <= MAX_QUOTED_CHARACTERS else text[: MAX_QUOTED_CHARACTERS - 1] + "…"


def describe_exception(error: BaseException, skip: Sequence[str] = (__file__,)) -> str:
    """Describes an exception and its place in the bot's file: "ZeroDivisionError: division by zero (mybot.py, line
    12)".
    """
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    step, where = error.__traceback__, ""
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file not in skip and not file.startswith("<"):
            where = f" ({file.replace(chr(92), '/').rsplit('/', 1)[-1]}, line {step.tb_lineno})"
        step = step.tb_next
    return (said if len(said) <= MAX_QUOTED_CHARACTERS else said[: MAX_QUOTED_CHARACTERS - 1] + "…") + where
