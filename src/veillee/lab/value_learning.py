"""Learns by self-play what the features of a game's advisor are worth, and checks what was learned.

python -m veillee.lab.value_learning GAME --games 2000 --level expert-1/iterations=40 --seed 11
python -m veillee.lab.value_learning GAME --games 1100 --level expert-1/iterations=100 --seed 12 --check [FILE]

Games are played by the advisor's own quick choices, or by a level. At quiet moments of each game the features of every
seat are noted, and at its end who won; the weights are those under which the winners were the likeliest to win (a
softmax over the seats, one row of weights for each phase of the game). A game that has learned before goes on from what
its `expert-1` knows, and leaves it only where the games speak clearly. The weights are written beside the game's bot.py: in
its sources, for what was installed is lost with the next installation.

--check plays games that nobody learned from, and says whether their results surprise the weights less than those of
`expert-1`: by the mean log-loss of a game, the two compared game by game.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log, sqrt
from operator import mul
from pathlib import Path
from statistics import fmean, stdev

from librt.vecs import vec
from mypy_extensions import i64

from veillee.bots.planning import blind, plan_as
from veillee.games.box import Box
from veillee.kernel.advisor import Advisor, compare, nerve_of
from veillee.kernel.chance import Rng
from veillee.kernel.state import State
from veillee.lab.arena import find, student, understand
from veillee.lab.checkpoint import remembering
from veillee.lab.executors import HERE, hired
from veillee.match.errors import VeilleeError
from veillee.match.match import complete

QUICK = "quick"  # by the advisor's first idea
EPOCHS = 12
PACE = 0.1
CALM = 1e-4  # keeps weights small that nothing speaks for
TRUST = 20  # games: what was learned before speaks as loudly as so many
NOTED = 24  # about so many quiet moments of a game, spread over it

Rows = list[list[float]]


@dataclass(frozen=True)
class Moment:
    """What spoke for each seat at one moment, alone and against the others, and what each seat got in the end."""

    phase: int
    features: Rows
    shares: Sequence[float]


@dataclass(frozen=True)
class Verdict:
    """How much less the results of so many games surprise one advisor than another."""

    games: int
    former: float  # the mean log-loss of a game
    present: float
    reach: float  # of the 95 % interval of the difference, on either side

    @property
    def better(self) -> bool:
        return self.present + self.reach < self.former

    def __str__(self) -> str:
        return (
            f"{self.games} games: log-loss {self.present:.4f} against {self.former:.4f},"
            f" {self.present - self.former:+.4f} ± {self.reach:.4f}: {'better' if self.better else 'not proven better'}"
        )


def play(box: Box, level: str, seed: int, number: int) -> tuple[list[float], list[State]]:
    """One game of self-play, at every number of players in turn: what each seat got, and its quiet moments."""
    sizes = [n for n in box.players if n > 1]
    rng = Rng(seed * 1_000_003 + number)
    state = box.new(sizes[number % len(sizes)], rng, complete(box, {}), None)
    thoughts = Rng(rng.seed())
    quiet: list[State] = []
    asked = None
    while state.to_act:
        if state.question is not asked and box.advisor.quiet(state):
            quiet.append(state.clone())
            asked = state.question  # of several seats at once, it is one moment
        seat = state.to_act[0]
        if level == QUICK:
            state.apply(seat, box.advisor.first_idea(state, seat, rng), rng)
            continue
        position = box.load(blind(state, seat, thoughts.seed()))
        for action in plan_as(box, position, seat, understand(level, box.id), thoughts.seed(), timed=False):
            state.apply(seat, action, rng)
    return state.returns(), judged(box.advisor, quiet, number)


def judged(advisor: Advisor, quiet: list[State], number: int) -> list[State]:
    """Of the quiet moments of a game those to learn from: such as quick games are judged at."""
    if advisor.whole_phases:  # a new phase has just begun
        phases = [advisor.phase(state) for state in quiet]
        return [state for place, state in enumerate(quiet) if place and phases[place] != phases[place - 1]]
    step = 1 + len(quiet) // NOTED
    return quiet[number % step :: step]


def moments(
    box: Box, level: str, games: int, seed: int, workers: int = 1, on: str = HERE, record: Path | None = None
) -> list[Moment]:
    """What there is to learn from so many games; in so many processes, or on a cluster. What the record file already has
    is not played again."""
    with hired(on, workers) as hands:
        crew = remembering(hands, record, learn=box.id, version=box.version, level=level, seed=seed)
        return [
            moment for noted in crew.map(partial(moments_of, box.id, level, seed), range(games)) for moment in noted
        ]


def moments_of(game: str, level: str, seed: int, number: int) -> list[Moment]:
    """Those of one game; of one that nobody won, none."""
    box = find(game)
    shares, quiet = play(box, level, seed, number)
    if sum(shares) == 0:
        return []
    noted = []
    for state in quiet:
        alone = vec[vec[float]]([box.advisor.features(state, seat) for seat in range(state.seats())])
        noted.append(Moment(int(box.advisor.phase(state)), [list(row) for row in compare(alone)], shares))
    return noted


def chances(row: Sequence[float], features: Rows) -> list[float]:
    """As Advisor.evaluate() has them; the last figure of the row is how much a larger table adds."""
    return softmax(worths(row, features), nerve_of(row[-1], len(features)))


def worths(row: Sequence[float], features: Rows) -> list[float]:
    return [sumprod(row, mine) for mine in features]


def softmax(worths: Sequence[float], nerve: float) -> list[float]:
    hopes = [exp(nerve * worth) for worth in worths]
    total = sum(hopes)
    return [hope / total for hope in hopes]


def fit(noted: Sequence[Moment], seed: int, start: Rows | None = None, calm: float = CALM) -> Rows:
    """Stochastic gradient ascent on the likelihood of what happened, from weights that were learned before and not far."""
    rng = Rng(seed)
    width = len(noted[0].features[0]) + 1
    home = [*(start or [])]
    home += [[0.0] * width] * (1 + max(moment.phase for moment in noted) - len(home))
    weights = [list(row) for row in home]
    order = vec[i64](list(range(len(noted))))
    for epoch in range(EPOCHS):
        rng.shuffle(order)
        pace = PACE / (1 + epoch)
        for index in order:
            moment = noted[index]
            row, near = weights[moment.phase], home[moment.phase]
            for i, up in enumerate(slope(row, moment)):
                row[i] += pace * (up - calm * (row[i] - near[i]))
    return weights


def slope(row: Sequence[float], moment: Moment) -> list[float]:
    """How much likelier what happened becomes with each figure of the row."""
    seats = len(moment.shares)
    nerve = nerve_of(row[-1], seats)
    worth = worths(row, moment.features)
    apart = [share - hope for share, hope in zip(moment.shares, softmax(worth, nerve), strict=True)]
    up = [nerve * sumprod(apart, column) for column in zip(*moment.features, strict=True)]
    return [*up, (nerve_of(1.0, seats) - 1.0) * sumprod(apart, worth)]


def sumprod(ones: Sequence[float], others: Sequence[float]) -> float:
    total: float = sum(map(mul, ones, others))  # as long as the shorter
    return total


def surprise(hopes: Sequence[float], shares: Sequence[float]) -> float:
    """The log-loss: how much the result of a game surprises those who had these hopes."""
    return -sum(share * log(max(hope, 1e-9)) for share, hope in zip(shares, hopes, strict=True))


def before(box: Box) -> Advisor:
    """Whose judgement is to be bettered: that of expert-1."""
    return box.former or box.advisor


def start_of(advisor: Advisor, width: int) -> Rows:
    """What an advisor knows, as rows to learn on from; if it judges seats one by one, the rest is to be learned."""
    return [[*row, *[0.0] * (width + 1)] if len(row) == width else [*row] for row in advisor.weights]


def check(
    box: Box,
    weights: Rows,
    level: str,
    games: int,
    seed: int,
    workers: int = 1,
    on: str = HERE,
    record: Path | None = None,
) -> Verdict:
    """Are these weights less surprised than expert-1 by games that they were not learned from?"""
    with hired(on, workers) as hands:
        crew = remembering(hands, record, check=box.id, version=box.version, weights=weights, level=level, seed=seed)
        found = list(crew.map(partial(surprises, box.id, weights, level, seed), range(games)))
    losses = [both for both in found if both is not None]
    apart = [present - former for former, present in losses]
    reach = student(len(apart) - 1) * stdev(apart) / sqrt(len(apart))
    return Verdict(len(apart), fmean(former for former, _ in losses), fmean(present for _, present in losses), reach)


def surprises(game: str, weights: Rows, level: str, seed: int, number: int) -> tuple[float, float] | None:
    """The log-loss of one game, on average over its moments: of expert-1 and of these weights; None: nobody won."""
    box = find(game)
    shares, quiet = play(box, level, seed, number)
    if sum(shares) == 0:
        return None
    both = (before(box), type(box.advisor)(weights))
    former, present = (fmean(surprise(list(one.evaluate(state)), shares) for state in quiet) for one in both)
    return former, present


def text(rows: list[list[float]], heading: str) -> str:
    lines = [f"# {line}" for line in heading.splitlines()]
    lines += ["weights = [", *(f"    [{', '.join(f'{w:.4f}' for w in row)}]," for row in rows), "]"]
    return "\n".join(lines) + "\n"


def place_for(box: Box, name: str = "weights.toml") -> Path | None:
    """The file of that name in the game's sources; None: it is installed, and its sources are not here."""
    folder = box.folder.resolve()
    for site in {Path(sysconfig.get_path(scheme)).resolve() for scheme in ("purelib", "platlib")}:
        if folder.is_relative_to(site):
            places = (Path(here) / folder.relative_to(site) for here in ("src", "."))
            return next((place / name for place in places if (place / "bot.py").exists()), None)
    return folder / name


def weights_in(path: Path) -> Rows:
    try:
        weights: Rows = tomllib.loads(path.read_text(encoding="utf-8"))["weights"]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{path} has no weights: {error}.")
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m veillee.lab.value_learning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--level", default=QUICK, help="who plays: quick, or a level of the arena")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="how many processes play")
    parser.add_argument("--on", default=HERE, help="here, ray or ray://HOST:PORT (lab/executors.py)")
    parser.add_argument(
        "--record", type=Path, help="a file for what was noted: a run that was stopped goes on where it was"
    )
    parser.add_argument(
        "--out", type=Path, help="the file to write; without, weights.toml beside bot.py in the game's sources"
    )
    parser.add_argument("--check", nargs="?", const="", help="weights to check; without a file, those that are there")
    given = parser.parse_args()
    try:
        box = find(given.game)
        if given.level != QUICK:
            understand(given.level, box.id)
        if given.check is not None:
            weights = weights_in(Path(given.check)) if given.check else [list(row) for row in box.advisor.weights]
            told = check(box, weights, given.level, given.games, given.seed, given.workers, given.on, given.record)
            print(f"{box.id}, {given.level}, seed {given.seed}, {told}")  # noqa: T201  a command tells what it found
            return
    except VeilleeError as error:
        sys.exit(str(error))
    out = given.out or place_for(box)
    if out is None:
        sys.exit(f"{box.id} is installed in {box.folder}: run this where its sources are, or say --out FILE.")
    width = len(box.advisor.features(box.new(box.players[-1], Rng(0), complete(box, {}), None), 0))
    if width == 0:
        sys.exit(f"The advisor of {box.id} has no features, so there is nothing to learn.")
    try:
        noted = moments(box, given.level, given.games, given.seed, given.workers, given.on, given.record)
    except VeilleeError as error:
        sys.exit(str(error))
    start = start_of(before(box), width)
    weights = fit(noted, given.seed, start, TRUST / given.games if start else CALM)
    heading = (
        f"Learned by: python -m veillee.lab.value_learning {box.id} --games {given.games} --level {given.level}"
        f" --seed {given.seed}\n{len(noted)} moments."
    )
    out.write_text(text(weights, heading), encoding="utf-8")
    print(f"{out}:\n{out.read_text(encoding='utf-8')}")  # noqa: T201  a command tells what it wrote


if __name__ == "__main__":
    # What is sent to other machines must be of a module that they know, which this one is not while it is run.
    from veillee.lab import value_learning  # noqa: PLW0406

    value_learning.main()
