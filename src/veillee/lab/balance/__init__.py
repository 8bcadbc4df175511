"""Balance studies: many games between equal bots, recorded; criteria that hold or do not; a report with charts.

For every game the general statistics are computed from the kernel's contract (`generic_study.py`), and two ways of
playing it can be compared (`compare.py`). A game may also have a study of its own: here (named like the game's folder),
or for a game of another package beside its rules (`balance.py`). It defines what is played (`plans`), what is recorded
of a game (`watch`), the criteria (`judge`) and the report's chapters (`chapters`). Only the games are random, so the
same command and seed write the same report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from veillee.bots.planning import plan_as, resample_for_seat
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.state import State
from veillee.lab.arena import find, owner_content_option, t, understand
from veillee.lab.balance.statistics import Figure
from veillee.lab.checkpoint import with_checkpoint
from veillee.lab.executors import IN_THIS_PROCESS, open_executor
from veillee.match.errors import Unknown
from veillee.match.setup import complete
from veillee.words import Sayable, Sentence

QUICK_LEVEL = "quick"  # plays the advisor's first idea: the only bots that play thousands of games in a minute
NORMAL_QUANTILE_95 = 1.96  # of a 95 % interval
CHUNK = 8  # games per job

Record = dict[str, Any]  # data recorded of one game, JSON-ready
Text = str | Sentence  # of a report: English, and French where the pages of the house show it


def named(names: Mapping[str, str]) -> Sentence:
    """Returns a name of the content, in both languages."""
    return Sentence(Path(__file__).parent, "{name}", {"name": dict(names)})


def say(text: Text, lang: str) -> str:
    return text.say(lang) if isinstance(text, Sayable) else text


@dataclass(frozen=True)
class Plan:
    """Games of one kind: number of players, options, number of games."""

    name: str
    players: int
    games: int
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Criterion:
    """A value that must lie within bounds."""

    name: str
    plan: str
    value: float
    low: float
    high: float
    unit: str = ""  # "%" or nothing
    sure: float = 0.0  # half the width of the figure's 95 % interval, where it is a share

    @property
    def holds(self) -> bool:
        return self.low <= self.value <= self.high

    def said(self, figure: float) -> str:
        return f"{100 * figure:.1f} %" if self.unit == "%" else f"{figure:.1f}"


@dataclass(frozen=True)
class Chapter:
    """A part of the report: heading, text, list, chart, table."""

    title: Text
    text: Text = ""
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    picture: str = ""  # an SVG
    name: str = ""  # of the picture's file
    points: Sequence[str] = ()
    comparisons: Sequence[Comparison] = ()  # the rows as data
    mark: float | None = None  # an even share, where the rows are victories


@dataclass(frozen=True)
class Comparison:
    """A measure on both sides of a comparison."""

    name: Text
    is_share: bool
    first: Figure | None  # None: there was no case
    second: Figure | None
    difference: Figure | None  # None: on one side alone
    is_same: bool = False  # in every deal
    ruling: Text = ""


class Watcher(Protocol):
    """Records one game."""

    def see(self, state: Any) -> None:
        """Called before each question is answered."""

    def act(self, state: Any, seat: int, action: int) -> None:
        """Called before each answer is carried out."""

    def finish(self, state: Any) -> Record:
        """Returns the data to keep of the game."""


class Study(Protocol):
    """Interface of a game's study module."""

    def plans(self, games: int) -> list[Plan]: ...

    def watch(self, state: Any) -> Watcher: ...

    def judge(self, played: Mapping[str, Sequence[Record]]) -> list[Criterion]: ...

    def chapters(self, played: Mapping[str, Sequence[Record]]) -> list[Chapter]: ...


@runtime_checkable
class Cast(Protocol):
    """Additional interface of the study of a game with characters."""

    def characters(self, state: Any) -> list[int]:
        """Returns the character of each seat, once the game is over."""

    def character(self, which: int) -> Text:
        """Returns the character's name."""


@runtime_checkable
class Parts(Protocol):
    """Additional interface of the study of a game with tiles or cards that a seat uses or not."""

    def parts(self, record: Record) -> list[tuple[int, int]]:
        """Returns the seats and what they used, each pair once."""

    def part(self, which: int) -> Text:
        """Returns the name of a tile or card."""


@runtime_checkable
class Choices(Protocol):
    """Additional interface of a study that knows its game's choices in French."""

    choices: Sequence[Sentence]  # in English as in the code, with spaces: "play tile: discard"


def study_of(game: str) -> tuple[Box, Study]:
    """Returns the box and its study; a generic one if it has none."""
    from veillee.lab.balance.generic_study import Unstudied  # noqa: PLC0415  circular import

    box = find(game)
    own = box.package.removeprefix("veillee.games.")
    name = f"{__name__}.{own}" if own != box.package else f"{box.package}.balance"
    if find_spec(name) is None:
        return box, Unstudied(box)
    study: Study = import_module(name).STUDY
    return box, study


def plans_of(game: str, games: int, only: str = "") -> list[Plan]:
    """Returns all plans of the study, or the one of that name. Raises Unknown."""
    _, study = study_of(game)
    plans = study.plans(games)
    if not only:
        return plans
    chosen = [plan for plan in plans if plan.name == only]
    if not chosen:
        known = ", ".join(plan.name for plan in plans)
        raise Unknown(t("There is no plan {plan}: the plans are {known}.", plan=repr(only), known=known))
    return chosen


def play(game: str, plan: Plan, level: str, seed: int, numbers: Sequence[int]) -> list[Record]:
    """Plays games of a plan by number; every seat is a bot of the same level that knows only what its seat may."""
    from veillee.lab.balance.generic_study import Notes  # noqa: PLC0415

    box, study = study_of(game)
    records = []
    for number in numbers:
        rng = Rng(seed * 1_000_003 + number)
        thoughts = Rng(seed * 1_000_003 + number + 500_000)
        state = box.new(plan.players, rng, complete(box, plan.options), None)
        watchers: list[Watcher] = [Notes(study), study.watch(state)]
        while state.to_act:
            seat = state.to_act[0]
            for watcher in watchers:
                watcher.see(state)
            for action in answers(box, state, seat, level, thoughts):
                for watcher in watchers:
                    watcher.act(state, seat, action)
                state.apply(seat, action, rng)
        records.append({key: value for watcher in watchers for key, value in watcher.finish(state).items()})
    return records


def answers(box: Box, state: State, seat: int, level: str, thoughts: Rng) -> list[int]:
    """Returns the bot's answers, from what its seat knows."""
    world = state.clone()
    if level == QUICK_LEVEL:
        world.determinize(seat, thoughts)
        return [box.advisor.first_idea(world, seat, thoughts)]
    seed = thoughts.seed()
    position = box.load(resample_for_seat(state, seat, seed))
    return plan_as(box, position, seat, understand(level, box.id), seed, timed=False)


def run(
    game: str,
    games: int,
    level: str,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
    only: str = "",
    on: str = IN_THIS_PROCESS,
) -> dict[str, list[Record]]:
    """Plays the plans of a game's study in so many processes, or on a cluster; returns the records by plan name."""
    return play_all(game, plans_of(game, games, only), level, seed, workers, progress, on)


def play_all(
    game: str,
    plans: Sequence[Plan],
    level: str,
    seed: int,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
    on: str = IN_THIS_PROCESS,
    record: Path | None = None,
) -> dict[str, list[Record]]:
    """Like run(), for any plans; games of the same number are the same deal in each. Games in the record file are not
    played again."""
    box = find(game)
    if level != QUICK_LEVEL:
        understand(level, box.id)
    played: dict[str, list[Record]] = {}
    about = {
        "version": box.version,
        "plans": [asdict(plan) for plan in plans],
        "level": level,
        "seed": seed,
        "at_once": CHUNK,
    }
    with open_executor(on, workers) as hands:
        crew = with_checkpoint(hands, record, balance=game, brought=owner_content_option(box), **about)
        for plan in plans:
            chunks = [range(at, min(at + CHUNK, plan.games)) for at in range(0, plan.games, CHUNK)]
            records: list[Record] = []
            for some in crew.map(partial(play, game, plan, level, seed), chunks):
                records += some
                if progress:
                    progress(len(some))
            played[plan.name] = records
    return played


# -- figures ------------------------------------------------------------------------------------------------------
def mean(figures: Sequence[float]) -> float:
    return sum(figures) / len(figures) if figures else 0.0


def percentile(figures: Sequence[float], share: float) -> float:
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def sure(share: float, trials: int) -> float:
    """Returns half the width of the 95 % interval of a share."""
    return NORMAL_QUANTILE_95 * sqrt(max(share * (1 - share), 1e-9) / max(trials, 1))
