"""A box on the shelf: all that the rest of the house may ask of a game."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from veillee.games.scene import Scenes
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.log import Event, Log
from veillee.kernel.plain import package_of
from veillee.kernel.planes import Planes
from veillee.kernel.state import State, load
from veillee.words import Words, words

if TYPE_CHECKING:
    from veillee.games.content import ContentKind

Names = dict[str, str]  # {"fr": …, "en": …}
Options = dict[str, str]  # option id -> value id
Together = Callable[[Sequence[Event], Sequence[str], Words], str]
HABITS = "habits.toml"  # beside a game's bot.py
New = Callable[[int, Rng, Options, Log | None], State]  # a game about to be asked its first question


@dataclass(frozen=True)
class Option:
    """Something that a table agrees on before it plays. The first value is the default."""

    id: str
    title: Names
    values: dict[str, Names]
    about: Names


@dataclass(frozen=True)
class Line:
    """One line of a final account: so many points, for this reason, by this rule."""

    rule: str
    text: str
    points: int


class Wordless(LookupError):
    """A kind of event that a game's words do not know: a fault of the game, found by the conformance suite."""

    def __init__(self, e: Event) -> None:
        super().__init__(f"There are no words for {e.kind!r} ({e.rule}).")


class Speech(Protocol):
    """A game's words.py."""

    def label(self, g: Any, seat: int, action: int, t: Words) -> str:
        """A choice, as a person would say it: "Play a blue card"."""

    def question(self, g: Any, seat: int, t: Words) -> tuple[str, str]:
        """What the seat is asked now, and the rule that asks."""

    def why(self, g: Any, seat: int, action: int, rule: str, t: Words) -> str:
        """Why the rule forbids the choice, without the rule's number: "The blue reserve is empty." """

    def event(self, e: Event, names: Sequence[str], t: Words) -> str:
        """A line of the log; an empty string for what needs no line."""

    def account(self, g: Any, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
        """The final score of each seat, line by line; the lines of a seat add up to its score."""


def keeps_everything(_g: Any, _seat: int, _action: int, _t: Words) -> str:
    return ""


@dataclass(frozen=True, eq=False, repr=False)  # a box is itself: it may be a key of caches
class Box:
    """A game on the shelf: what it is called and for whom, and where everything of it is. One of veillee.boxes()."""

    id: str  # as in addresses and commands: "ghost-knights"
    code: str  # as in rule ids and style sheets: "gk"
    kernel: int  # the version of the kernel that it was made for (kernel/state.py)
    version: int  # of the rules: a table is played to its end under the version it began with
    title: Names
    pitch: Names
    authors: str
    published: str  # who published the real box, and when it is known; empty: there is none to buy
    players: range
    minutes: tuple[int, int]
    age: int
    folder: Path
    new: New
    state: type[State]
    view: Callable[[Any, int], dict[str, Any]]
    speech: Speech
    advisor: Advisor
    draw: Callable[[dict[str, Any], Sequence[str], Words], str]  # the board as text (rich markup), from a view
    colours: tuple[str, ...]  # of the seats, in order: names that the style sheets know
    options: tuple[Option, ...] = ()
    reconstruction: Names = field(default_factory=dict)  # what of it is our own design, said openly
    contents: ContentKind | None = None  # what an owner may put in its place (games/content.py)
    scenes: Scenes = field(default_factory=dict)  # how its events are shown; one that has none is said
    together: Together | None = None  # several events of one beat in one sentence; empty: each is said
    earlier: Mapping[int, New] = field(default_factory=dict)  # by version: how a game of older rules begins (ADR 12)
    planes: Planes | None = None  # how a position is written as numbers for programs that learn (kernel/planes.py)
    # What an answer throws away unused that one could have kept, as a sentence: a card, a tile, a turn. A person is asked
    # about it before it is done. Only what the seat knows; an empty string: nothing, or nothing that is not the point of it.
    gives_up: Callable[[Any, int, int, Words], str] = keeps_everything
    former: Advisor | None = None  # as it judged before it learned anew: "expert-1" of the arena (ADR 25)
    adept: Advisor | None = None  # whose hints practised levels heed, where it is another's than the advisor's (ADR 33)

    def __repr__(self) -> str:
        return f"<{self.id}: {self.title['fr']}, {self.players[0]}–{self.players[-1]}>"

    @property
    def usual(self) -> int:
        """How many sit down where nobody says otherwise: three, or as near to it as the box is made for."""
        return max(self.players[0], min(3, self.players[-1]))

    @property
    def versions(self) -> tuple[int, ...]:
        """Every version of the rules that can be played here, the present one last."""
        return (*self.earlier, self.version)

    def start(self, version: int, seats: int, rng: Rng, options: Options, log: Log | None) -> State:
        """A new game by one of these versions."""
        new = self.new if version == self.version else self.earlier[version]
        return new(seats, rng, options, log)

    @property
    def agreements(self) -> tuple[Option, ...]:
        """All that a table agrees on before it plays: with which content too, where an owner has brought some."""
        return (*self.options, self.contents.option) if self.contents and self.contents.own else self.options

    @property
    def package(self) -> str:
        """Where its modules are: "veillee.games.ghost_knights"."""
        return package_of(self.state)

    def load(self, data: dict[str, Any]) -> State:
        """The position that dump() wrote."""
        return load(self.state, data)

    def words(self, lang: str) -> Words:
        return _words(self, lang)


@cache
def _words(box: Box, lang: str) -> Words:
    return words(box.folder / "locale", lang)


def practised(folder: Path) -> list[float]:
    """The habits that lab/policy_learning.py wrote beside a game's bot.py; none before it did."""
    path = folder / HABITS
    if not path.exists():
        return []
    habits: list[float] = tomllib.loads(path.read_text(encoding="utf-8"))["habits"]
    return habits


def learned(folder: Path, name: str = "weights.toml") -> list[list[float]]:
    """The weights that lab/value_learning.py wrote beside a game's bot.py; none before it did."""
    path = folder / name
    if not path.exists():
        return []
    weights: list[list[float]] = tomllib.loads(path.read_text(encoding="utf-8"))["weights"]
    return weights
