"""Long runs: random games by the hundred thousand, checked; kill -9 during play; every table at every size.

usage: python tools/soak.py [--game ghost-knights …] [--games 100000] [--kills 200] [--jobs 2] [--seed 0] [--no-layout]

Every game of every box and number of players must end, never be stuck, share out the victory, and end with the
components that it began with. One game in 200 is looked at closely at every position: what is offered is what is
allowed; a copy and what is read back from JSON are equal; resampling what a seat cannot know changes nothing that it
sees. A broken game is named with its seed, so that it can be played again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from random import Random

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import veillee.kernel.state
from veillee.conformance.beside import Census, census_of
from veillee.conformance.cases import cases as cases_of
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import ALLOWED, State
from veillee.match.match import complete

ROOT = Path(__file__).resolve().parent.parent
MOST_DECISIONS = 20_000  # no game of ours is longer, even at random
CLOSELY = 200  # one game in so many
BATCH = 250

Case = tuple[str, int, dict[str, str]]  # plain, for it goes to other processes


class Broken(Exception):
    """What is wrong with a position."""


def cases(games: list[str]) -> list[Case]:
    """Each number of seats with the usual options, and each other value of an option once."""
    return [(game, case.seats, case.options) for game in games for case in cases_of(BOXES[game])]


def batch(case: Case, first: int, games: int) -> tuple[int, int, list[str]]:
    """Play the games of these seeds: how many, with how many decisions, and what was broken."""
    game, seats, options = case
    box = BOXES[game]
    census = census_of(box)
    decisions, broken = 0, []
    for seed in range(first, first + games):
        try:
            decisions += play(box, seats, complete(box, options), seed, census)
        except Exception as error:  # noqa: BLE001 (whatever a game breaks with is reported with its seed)
            broken.append(f"{game} for {seats} {options or ''} seed {seed}: {type(error).__name__}: {error}")
    return games, decisions, broken


def play(box: Box, seats: int, options: dict[str, str], seed: int, census: Census) -> int:
    rng, pick = Rng(seed), Random(seed)
    g = box.new(seats, rng, options, None)
    components = census(g)
    decisions = 0
    while g.to_act:
        if seed % CLOSELY == 0:
            look_closely(box, g, seed + decisions, census, components)
        to_act = g.to_act
        seat = to_act[0] if len(to_act) == 1 else pick.choice(to_act)
        legal = g.legal(seat)
        if not legal:
            raise Broken(f"after {decisions} answers seat {seat} is asked and can answer nothing")
        g.apply(seat, legal[int(pick.random() * len(legal))], rng)
        decisions += 1
        if decisions > MOST_DECISIONS:
            raise Broken("it does not end")
    if census(g) != components:
        raise Broken(f"components changed from {components} to {census(g)}")
    shares = g.returns()
    if len(shares) != seats or not (abs(sum(shares) - 1) < 1e-9 or sum(shares) == 0):
        raise Broken(f"the victory is shared out as {shares}")
    return decisions


def look_closely(box: Box, g: State, seed: int, census: Census, components: dict[str, int]) -> None:
    if census(g) != components:
        raise Broken(f"components changed from {components} to {census(g)}")
    for seat in g.to_act:
        legal = list(g.legal(seat))
        if not legal or len(set(legal)) != len(legal):
            raise Broken(f"seat {seat} is offered {legal}")
        if [a for a in g.question.options(g, seat) if g.explain(seat, a) == ALLOWED] != legal:
            raise Broken(f"what seat {seat} is offered is not what is allowed")
    before = json.dumps(g.dump(), sort_keys=True)
    if json.dumps(g.clone().dump(), sort_keys=True) != before:
        raise Broken("a copy differs from its original")
    if json.dumps(box.load(json.loads(before)).dump(), sort_keys=True) != before:
        raise Broken("what is read back from JSON differs from what was written")
    for seat in range(NO_SEAT, g.seats()):
        world = g.clone()
        world.determinize(seat, Rng(seed))
        if json.dumps(box.view(world, seat), sort_keys=True) != json.dumps(box.view(g, seat), sort_keys=True):
            raise Broken(f"resampling what seat {seat} cannot know changes what it sees")
        if seat in g.to_act and list(world.legal(seat)) != list(g.legal(seat)):
            raise Broken(f"resampling what seat {seat} cannot know changes what it may choose")
    if json.dumps(g.dump(), sort_keys=True) != before:
        raise Broken("looking at a position changed it")


def soak(case: Case, games: int, jobs: int, seed: int, pool: ProcessPoolExecutor, bar: Progress) -> list[str]:
    """All games of one case, a few batches ahead of the processes."""
    game, seats, options = case
    name = " ".join([game, f"for {seats}", *(f"{k}={v}" for k, v in options.items())])
    task = bar.add_task(name, total=games)
    decisions, broken = 0, list[str]()
    starts = batches(games, seed)
    running: set[Future[tuple[int, int, list[str]]]] = set()
    left = True
    while left or running:
        while left and len(running) < 2 * jobs:
            following = next(starts, None)
            left = following is not None
            if following is not None:
                running.add(pool.submit(batch, case, *following))
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            played, more, wrong = future.result()
            decisions += more
            broken += wrong
            bar.advance(task, played)
    bar.remove_task(task)
    bar.console.print(f"{name}: {games} games, {decisions / games:.0f} decisions each, {len(broken)} broken")
    for line in broken[:20]:
        bar.console.print(f"  {line}", markup=False)
    return broken


def batches(games: int, seed: int) -> Iterator[tuple[int, int]]:
    for start in range(0, games, BATCH):
        yield seed + start, min(BATCH, games - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=sorted(BOXES), help="only this game (may be repeated)")
    parser.add_argument("--seats", type=int, help="only this number of players")
    parser.add_argument("--games", type=int, default=100_000, help="for each game and number of players")
    parser.add_argument("--kills", type=int, default=200, help="kill -9 during play, for each game; 0: none")
    parser.add_argument("--layout", action=argparse.BooleanOptionalAction, default=True, help="measure every page")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    args = parser.parse_args()
    compiled = not str(veillee.kernel.state.__file__).endswith(".py")
    print(f"Veillée in {Path(veillee.__file__).parent}, {'compiled' if compiled else 'interpreted'}", flush=True)
    games = args.game or list(BOXES)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    broken: list[str] = []
    with ProcessPoolExecutor(args.jobs) as pool, Progress(*columns) as bar:
        for case in cases(games):
            if args.seats in (None, case[1]):
                broken += soak(case, args.games, args.jobs, args.seed, pool, bar)
    lost = 0
    for game in games if args.kills else []:
        command = [sys.executable, str(ROOT / "tools" / "kill_test.py"), "--kills", str(args.kills), "--game", game]
        lost += subprocess.run(command, check=False).returncode
    if args.layout:
        chosen = " or ".join(games)
        command = [sys.executable, "-m", "pytest", "tests/web/test_layout.py", "-k", chosen, "--timeout", "1200"]
        lost += subprocess.run(command, cwd=ROOT, env={**os.environ, "VEILLEE_LAYOUT": "all"}, check=False).returncode
    return 1 if broken or lost else 0


if __name__ == "__main__":
    sys.exit(main())
