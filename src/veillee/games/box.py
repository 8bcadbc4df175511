"""Box: everything that the other packages may ask of a game."""

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
    from veillee.games.print_faces import Printer

Names = dict[str, str]  # {"fr": …, "en": …}
Options = dict[str, str]  # option id -> value id
Together = Callable[[Sequence[Event], Sequence[str], Words], str]
HABITS = "habits.toml"  # beside a game's bot.py
New = Callable[[int, Rng, Options, Log | None], State]  # returns a game at its first question


@dataclass(frozen=True)
class Option:
    """An option that a table agrees on before it plays. The first value is the default.

    A match of a rules version before `since` does not have it. A record of a later version that does not name it was
    played before it was offered: the default is meant (ADR 35).
    """

    id: str
    title: Names
    values: dict[str, Names]
    about: Names
    since: int = 1


@dataclass(frozen=True)
class Line:
    """A line of a final account: so many points, for this reason, by this rule."""

    rule: str
    text: str
    points: int


class Wordless(LookupError):
    """Raised for a kind of event that a game's words do not know: a fault of the game, found by the conformance
    suite."""

    def __init__(self, e: Event) -> None:
        super().__init__(f"There are no words for {e.kind!r} ({e.rule}).")


class Speech(Protocol):
    """Interface of a game's words.py."""

    def label(self, g: Any, seat: int, action: int, t: Words) -> str:
        """Returns a choice, as a person would say it: "Play a blue card"."""

    def question(self, g: Any, seat: int, t: Words) -> tuple[str, str]:
        """Returns what the seat is asked now, and the rule that asks."""

    def why(self, g: Any, seat: int, action: int, rule: str, t: Words) -> str:
        """Returns why the rule forbids the choice, without the rule's number: "The blue reserve is empty."."""

    def event(self, e: Event, names: Sequence[str], t: Words) -> str:
        """Returns a line of the log; an empty string for an event that needs no line."""

    def account(self, g: Any, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
        """Returns the final score of each seat, line by line; the lines of a seat add up to its score."""


def keeps_everything(_g: Any, _seat: int, _action: int, _t: Words) -> str:
    return ""


@dataclass(frozen=True, eq=False, repr=False)  # compared by identity: it may be a key of caches
class Box:
    """A game: its metadata, and references to all its parts. One of veillee.boxes()."""

    id: str  # as in addresses and commands: "ghost-knights"
    code: str  # as in rule ids and style sheets: "gk"
    kernel: int  # the version of the kernel that it was made for (kernel/state.py)
    version: int  # of the rules: a table is played to its end under the version it began with
    title: Names
    pitch: Names
    authors: str
    published: str  # publisher of the real box, with the year if known; empty: there is none to buy
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
    reconstruction: Names = field(default_factory=dict)  # which parts are our own design
    contents: ContentKind | None = None  # what an owner may replace (games/content.py)
    # A view in plain lines, for programs and screen readers (match/compact_text.py); None: the text board is used.
    describe: Callable[[dict[str, Any], Sequence[str], Words], list[str]] | None = None
    faces: Printer | None = None  # what its contents look like on paper (games/print_faces.py)
    scenes: Scenes = field(default_factory=dict)  # how its events are shown; an event without a scene is said
    together: Together | None = None  # several events of one beat in one sentence; if that is empty, each is said
    earlier: Mapping[int, New] = field(default_factory=dict)  # by version: how a game of older rules begins (ADR 12)
    planes: Planes | None = None  # encoding of a position for learning programs (kernel/planes.py)
    # What an answer throws away unused that could have been kept, as a sentence: a card, a tile, a turn. A person must
    # confirm such an answer. Uses only what the seat knows; an empty string: nothing, or nothing beyond the point of
    # the answer.
    gives_up: Callable[[Any, int, int, Words], str] = keeps_everything
    former: Advisor | None = None  # the former advisor: "expert-1" of the arena (ADR 25)
    adept: Advisor | None = None  # advisor of practised levels, if it differs from `advisor` (ADR 33)
    new_adept: Callable[[], Advisor] | None = None  # makes another of these, to which a network is added (ADR 38)
    goal: Names = field(default_factory=dict)  # how one wins, in one line: shown with the first question
    # The parts of a view in which a board turns up what was hidden once the game is over, in place of the same parts of
    # `view`.
    turned_up: Callable[[Any], dict[str, Any]] | None = None
    # What a draft of answers of a seat would be worth, as plain data for the board's script; uses only what the seat
    # knows. None: it is no draft of an answer to the present question.
    preview: Callable[[Any, int, Sequence[int]], dict[str, Any] | None] | None = None

    def __repr__(self) -> str:
        return f"<{self.id}: {self.title['fr']}, {self.players[0]}–{self.players[-1]}>"

    @property
    def usual(self) -> int:
        """The default number of players: three, or the nearest number the box allows."""
        return max(self.players[0], min(3, self.players[-1]))

    @property
    def versions(self) -> tuple[int, ...]:
        """Every playable version of the rules, the present one last."""
        return (*self.earlier, self.version)

    def start(self, version: int, seats: int, rng: Rng, options: Options, log: Log | None) -> State:
        """Starts a new game by one of these versions."""
        new = self.new if version == self.version else self.earlier[version]
        return new(seats, rng, options, log)

    @property
    def agreements(self) -> tuple[Option, ...]:
        """All options of a table, including the content if an owner has brought some."""
        return (*self.options, self.contents.option) if self.contents and self.contents.own else self.options

    @property
    def package(self) -> str:
        """Its Python package: "veillee.games.ghost_knights"."""
        return package_of(self.state)

    def load(self, data: dict[str, Any]) -> State:
        """Returns the position that dump() wrote."""
        return load(self.state, data)

    def words(self, lang: str) -> Words:
        return _words(self, lang)


@cache
def _words(box: Box, lang: str) -> Words:
    return words(box.folder / "locale", lang)


def practised(folder: Path) -> list[float]:
    """Returns the habits that lab/policy_learning.py wrote beside a game's bot.py; empty if there are none."""
    path = folder / HABITS
    if not path.exists():
        return []
    habits: list[float] = tomllib.loads(path.read_text(encoding="utf-8"))["habits"]
    return habits


def learned(folder: Path, name: str = "weights.toml") -> list[list[float]]:
    """Returns the weights that lab/value_learning.py wrote beside a game's bot.py; empty if there are none."""
    path = folder / name
    if not path.exists():
        return []
    weights: list[list[float]] = tomllib.loads(path.read_text(encoding="utf-8"))["weights"]
    return weights
