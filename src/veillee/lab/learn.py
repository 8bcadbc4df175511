"""Learns by self-play what the features of a game's advisor are worth: python -m veillee.lab.learn GAME

Games are played by the advisor's own quick choices, or by a level. At some moments of each game the features of every
seat are noted, and at its end who won; the weights are those under which the winners were the likeliest to win (a
softmax over the seats, one row of weights for each phase of the game). They are written beside the game's bot.py: in its
sources, for what was installed is lost with the next installation.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path

from librt.vecs import vec
from mypy_extensions import i64

from veillee.bots.think import blind, plan_as
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.lab.arena import find, understand
from veillee.lab.workers import HERE, hired
from veillee.match.errors import VeilleeError
from veillee.match.match import complete

QUICK = "quick"  # by the advisor's first idea
EPOCHS = 30
PACE = 0.1
CALM = 1e-4  # keeps weights small that nothing speaks for
EVERY = 5  # one quiet moment in so many is noted; with whole phases, the first one of each


@dataclass(frozen=True)
class Moment:
    """What spoke for each seat at one moment, and what each seat got in the end."""

    phase: int
    features: list[list[float]]
    shares: list[float]


def moments(box: Box, level: str, games: int, seed: int, workers: int = 1, on: str = HERE) -> list[Moment]:
    """Self-play, at every number of players in turn; in so many processes, or on a cluster."""
    with hired(on, workers) as crew:
        return [
            moment for noted in crew.map(partial(moments_of, box.id, level, seed), range(games)) for moment in noted
        ]


def moments_of(game: str, level: str, seed: int, number: int) -> list[Moment]:
    """Those of one game."""
    box = find(game)
    sizes = [n for n in box.players if n > 1]
    rng = Rng(seed * 1_000_003 + number)
    state = box.new(sizes[number % len(sizes)], rng, complete(box, {}), None)
    seen: list[tuple[int, list[list[float]]]] = []
    while state.to_act:
        if box.advisor.quiet(state):
            phase = box.advisor.phase(state)
            begins = not seen or seen[-1][0] != phase
            if begins if box.advisor.whole_phases else rng.below(EVERY) == 0:
                seats = range(state.seats())
                seen.append((phase, [list(box.advisor.features(state, seat)) for seat in seats]))
        seat = state.to_act[0]
        if level == QUICK:
            state.apply(seat, box.advisor.first_idea(state, seat, rng), rng)
            continue
        position = box.load(blind(state, seat, rng.seed()))
        for action in plan_as(box, position, seat, understand(level, box.id), rng.seed(), timed=False):
            state.apply(seat, action, rng)
    shares = state.returns()
    return [Moment(phase, features, shares) for phase, features in seen] if sum(shares) > 0 else []


def chances(weights: list[float], features: list[list[float]]) -> list[float]:
    hopes = [exp(sum(w * x for w, x in zip(weights, row, strict=True))) for row in features]
    total = sum(hopes)
    return [hope / total for hope in hopes]


def fit(noted: list[Moment], seed: int) -> list[list[float]]:
    """Stochastic gradient ascent on the likelihood of what happened."""
    rng = Rng(seed)
    width = len(noted[0].features[0])
    weights = [[0.0] * width for _ in range(1 + max(moment.phase for moment in noted))]
    order = vec[i64](list(range(len(noted))))
    for epoch in range(EPOCHS):
        rng.shuffle(order)
        pace = PACE / (1 + epoch)
        for index in order:
            moment = noted[index]
            row = weights[moment.phase]
            for share, hope, features in zip(
                moment.shares, chances(row, moment.features), moment.features, strict=True
            ):
                for i, x in enumerate(features):
                    row[i] += pace * ((share - hope) * x - CALM * row[i])
    return weights


def surprise(weights: list[list[float]] | None, noted: list[Moment]) -> float:
    """The mean log-loss: how much the results surprise the weights; without weights, those who think all seats equal."""
    total = 0.0
    for moment in noted:
        even = [1 / len(moment.shares)] * len(moment.shares)
        hopes = chances(weights[moment.phase], moment.features) if weights else even
        total -= sum(share * log(max(hope, 1e-9)) for share, hope in zip(moment.shares, hopes, strict=True))
    return total / len(noted)


def text(rows: list[list[float]], heading: str) -> str:
    lines = [f"# {line}" for line in heading.splitlines()]
    lines += ["weights = [", *(f"    [{', '.join(f'{w:.4f}' for w in row)}]," for row in rows), "]"]
    return "\n".join(lines) + "\n"


def place_for(box: Box) -> Path | None:
    """The weights.toml of the game's sources; None: it is installed, and its sources are not here."""
    folder = box.folder.resolve()
    for site in {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}:
        if folder.is_relative_to(site):
            places = (Path(here) / folder.relative_to(site) for here in ("src", "."))
            return next((place / "weights.toml" for place in places if (place / "bot.py").exists()), None)
    return folder / "weights.toml"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m veillee.lab.learn", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--level", default=QUICK, help="who plays: quick, or a level of the arena")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="how many processes play")
    parser.add_argument("--on", default=HERE, help="here, ray or ray://HOST:PORT (lab/workers.py)")
    parser.add_argument(
        "--out", type=Path, help="the file to write; without, weights.toml beside bot.py in the game's sources"
    )
    given = parser.parse_args()
    try:
        box = find(given.game)
        if given.level != QUICK:
            understand(given.level, box.id)
    except VeilleeError as error:
        sys.exit(str(error))
    out = given.out or place_for(box)
    if out is None:
        sys.exit(f"{box.id} is installed in {box.folder}: run this where its sources are, or say --out FILE.")
    if not len(box.advisor.features(box.new(box.players[-1], Rng(0), complete(box, {}), None), 0)):
        sys.exit(f"The advisor of {box.id} has no features, so there is nothing to learn.")
    noted = moments(box, given.level, given.games, given.seed, given.workers, given.on)
    kept = len(noted) * 9 // 10  # the last tenth of the games only checks
    weights = fit(noted[:kept], given.seed)
    heading = (
        f"Learned by: python -m veillee.lab.learn {box.id} --games {given.games} --level {given.level}"
        f" --seed {given.seed}\n"
        f"{kept} moments; on {len(noted) - kept} others the log-loss is {surprise(weights, noted[kept:]):.3f},"
        f" against {surprise(None, noted[kept:]):.3f} for even chances."
    )
    out.write_text(text(weights, heading), encoding="utf-8")
    print(f"{out}:\n{out.read_text(encoding='utf-8')}")  # noqa: T201  a command tells what it wrote


if __name__ == "__main__":
    main()
