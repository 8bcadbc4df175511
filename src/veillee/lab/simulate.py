"""Many games at once from NumPy, on the compiled kernel: `veillee.simulate`.

Every step gives one answer at each table and yields, for the seat to act next there, its observation, its legal
answers, and the result of a game that has just ended. The arrays are views of the engine's memory: they change with
each step, and callers that keep them must copy them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

try:
    import numpy as np
except ModuleNotFoundError:
    raise ModuleNotFoundError("Many games at once need NumPy: pip install veillee[lab]") from None
from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.planes import Plane, Sheet, describe, observe
from veillee.kernel.state import State
from veillee.lab.compiled.batch import ALL_ALLOWED, Hall
from veillee.match.errors import Forbidden, Unknown, quote
from veillee.match.setup import check_seats, complete
from veillee.words import Sentence, sentences

if TYPE_CHECKING:
    from veillee.lab.parallel_games import ParallelGames

MOST_TABLES = 1 << 16
Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

t: Callable[..., Sentence] = sentences(Path(__file__).parent / "locale")


class NotAllowed(Forbidden):
    """Raised for an answer that the mask forbids, at one of many tables: `table` is its number. No answer was given at
    any table."""

    def __init__(self, box: Box, state: State, seat: int, answer: int, rule: str, table: int) -> None:
        super().__init__(box, state, seat, answer, rule)
        self.table = table


class BatchedGames:
    """Batch of tables of one game. Made by veillee.simulate()."""

    def __init__(self, box: Box, seats: int, tables: int, seed: int, options: dict[str, str]) -> None:
        if box.planes is None:
            raise Unknown(t("{title} does not say how a position is written as numbers.", title=box.title))
        if not 1 <= tables <= MOST_TABLES:
            raise Unknown(t("There can be 1 to {most} games at once, not {n}.", most=MOST_TABLES, n=tables))
        self.box = box
        self.seats = seats
        self.tables = tables
        self.options: dict[str, str] = complete(box, options)
        first = self._begin(Rng(0))
        self.planes: list[Plane] = describe(box.planes, first)
        self.answers: int = int(first.answers())
        self._hall = Hall(self._begin, box.planes, tables, seats, self.planes[-1].stop, self.answers)
        hall = self._hall
        self.observations: Numbers = _array(hall.sheet.numbers, np.int16, tables, self.planes[-1].stop)
        self.masks: Numbers = _array(hall.masks, np.uint8, tables, self.answers).view(np.bool_)
        self.seat: Numbers = _array(hall.seat, np.int64, tables)
        self.over: Numbers = _array(hall.over, np.uint8, tables).view(np.bool_)
        self.shares: Numbers = _array(hall.shares, np.float64, tables, seats)
        self.scores: Numbers = _array(hall.scores, np.int64, tables, seats)
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Starts new games at all tables. The same seed gives the same games to the same answers."""
        seeds = Rng(seed)
        self.reset_tables([seeds.seed() for _ in range(self.tables)], seeds.seed())

    def reset_tables(self, seeds: Sequence[int], random: int) -> None:
        """Starts new games, each table with a seed of its own; `random` is that of random()."""
        self._hall.reset(vec[i64](seeds))
        self._rng = Rng(random)

    def step(self, actions: Any) -> None:
        """Gives an answer at every table. Raises NotAllowed; then nothing was changed."""
        given = check_answers(actions, self.tables)
        wrong = int(self._hall.step(vec[i64](given)))
        if wrong != ALL_ALLOWED:
            state, seat, action = self.state(wrong), int(self.seat[wrong]), int(given[wrong])
            raise NotAllowed(self.box, state, seat, action, state.explain(seat, action), wrong)

    def random(self) -> Numbers:
        """Returns a uniformly random legal answer for every table."""
        return _array(self._hall.random(self._rng), np.int64, self.tables)

    def state(self, table: int) -> State:
        """Returns a copy of the full position at a table, including hidden information: for the program that runs the
        games, not for players."""
        return self._hall.states[table].clone()

    def _begin(self, rng: Rng) -> State:
        return self.box.new(self.seats, rng, self.options, None)


def check_answers(actions: Any, tables: int) -> Numbers:
    """Returns the answers as numbers. Raises Unknown if there are not as many as tables."""
    given = np.ascontiguousarray(actions, np.int64)
    if given.shape != (tables,):
        raise Unknown(
            t("There are {n} games: that takes as many answers, not {shape}.", n=tables, shape=quote(given.shape))
        )
    return given


def _array(numbers: Any, kind: Any, *shape: int) -> Numbers:
    return np.frombuffer(memoryview(numbers), kind).reshape(shape)


class Observer:
    """Encodes what a seat may know of one position as numbers: for programs that play one game at a time."""

    def __init__(self, box: Box, state: State) -> None:
        if box.planes is None:
            raise Unknown(t("{title} does not say how a position is written as numbers.", title=box.title))
        self._planes = box.planes
        self.planes: list[Plane] = describe(box.planes, state)
        self.size: int = self.planes[-1].stop
        self._sheet = Sheet(self.size, 1)

    def row(self, state: State, seat: int) -> Numbers:
        self._sheet.clear()
        observe(self._planes, state, seat, self._sheet)
        return np.array(self._sheet.numbers, np.int16)


@overload
def simulate(
    game: str, seats: int | None = None, games: int = 256, seed: int = 0, processes: Literal[1] = 1, **options: str
) -> BatchedGames: ...
@overload
def simulate(
    game: str, seats: int | None = None, games: int = 256, seed: int = 0, processes: int = 1, **options: str
) -> BatchedGames | ParallelGames: ...
def simulate(
    game: str, seats: int | None = None, games: int = 256, seed: int = 0, processes: int = 1, **options: str
) -> BatchedGames | ParallelGames:
    """Starts many games at once. Answers are numbers from 0 (a choice's id); `.planes` describes each number of an
    observation. processes: how many share the work, the caller's own among them."""
    box, seats = check_seats(game, seats)
    if processes == 1:
        return BatchedGames(box, seats, games, seed, options)
    from veillee.lab.parallel_games import ParallelGames  # noqa: PLC0415  it is built of batches

    return ParallelGames(box, seats, games, seed, options, processes)
