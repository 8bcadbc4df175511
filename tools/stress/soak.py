"""Long test runs: checked random games by the hundred thousand, owners' files by the thousand, SIGKILL during play and
during evenings of a championship, fuzzed requests, every puzzle judged by a strong expert, and every test with all its
combinations: each table at every size.

usage: python tools/stress/soak.py [--game ghost-knights …] [--games 100000] [--contents 500] [--kills 200] [--fuzz 200000] [--jobs 2] [--seed 0]
                            [--no-tests]
       python tools/stress/soak.py --refusals 10000 [--game ghost-knights …] [--jobs 2] [--seed 0]

Every game of every box and number of players must end, never be stuck, share out the victory, and end with the
components that it began with. One game in 200 is checked at every position: offered answers are the
allowed ones; a copy and a JSON round trip are equal; resampling what a seat cannot know does not change its view. A
broken game is reported with its seed, so that it can be replayed.

For every box with a reconstruction that many owners' files are generated (veillee/conformance/contents.py): each is refused
with messages, or 200 games with it are played to the end for every number of players, and one by the game's advisor. The same seed makes the same files
and games, so the reports must be the same on both engines, down to the fingerprint. A file that breaks something
is stored in the folder `broken-contents`. Only these: --games 0 --kills 0 --fuzz 0 --contents 2000

With --refusals, every possible answer is tried in that many random positions of each box, over all its numbers of players
and options: each is a choice or refused by a rule of the box, with a sentence in each language.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from random import Random

import power_cut
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as reproducible
from hypothesis.strategies import SearchStrategy
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import veillee.kernel.state
from veillee.conformance.beside import Census, census_of
from veillee.conformance.cases import Case as Setting
from veillee.conformance.cases import cases as cases_of
from veillee.conformance.cases import positions
from veillee.conformance.contents import files_of, tried
from veillee.conformance.refusals import ask_everything, explained
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import ALLOWED, State
from veillee.match.setup import complete

ROOT = Path(__file__).resolve().parents[2]
MOST_DECISIONS = 20_000  # no game of ours is longer, even at random
CLOSELY = 200  # one game in so many
BATCH = 250
ASKED = 100  # positions that a process is handed at a time: of one long game, or of several short ones
EVERY = 7  # positions of a game: one in so many is asked
AGAIN = 10  # files more than are missing: the first few are often alike
BROKEN = Path("broken-contents")

Case = tuple[str, int, dict[str, str]]  # plain, for it goes to other processes
Task = tuple[Case, int, int]  # from this seed on so many
Work = Callable[[Case, int, int], tuple[int, int, list[str]]]  # how many were done, what was counted, what is broken


class Broken(Exception):
    """Raised for a broken position."""


def cases(games: list[str]) -> list[Case]:
    """Yields each number of seats with the default options, and each other value of an option once."""
    return [(game, case.seats, case.options) for game in games for case in cases_of(BOXES[game])]


def batch(case: Case, first: int, games: int) -> tuple[int, int, list[str]]:
    """Plays the games of these seeds. Returns their number, the number of decisions, and the failures."""
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


def refusals(case: Case, first: int, wanted: int) -> tuple[int, int, list[str]]:
    """Tries every answer in that many random positions. Returns their number, the number of refusals, and the failures."""
    game, seats, options = case
    setting, known = Setting(BOXES[game], seats, options), explained(BOXES[game])
    asked, refused, broken, seed = 0, 0, list[str](), first
    while asked < wanted:
        for g in islice(positions(setting, seed, EVERY), wanted - asked):
            if not g.to_act:
                continue
            try:
                looked = ask_everything(setting.box, g, known)
            except Exception as error:  # noqa: BLE001 (whatever a game breaks with is reported with its seed)
                broken.append(f"{setting} seed {seed}: {type(error).__name__}: {error}")
            else:
                refused += looked.refused
                broken += [f"{setting} seed {seed}: {complaint}" for complaint in looked.complaints]
            asked += 1
        seed += 1
    return asked, refused, broken


def ask(game: str, wanted: int, jobs: int, seed: int, pool: ProcessPoolExecutor, bar: Progress) -> list[str]:
    """Checks that many positions of one box, its cases in turn."""
    settings = cases([game])

    def tasks() -> Iterator[Task]:
        for number, start in enumerate(range(0, wanted, ASKED)):
            yield settings[number % len(settings)], seed + wanted * number, min(ASKED, wanted - start)

    refused, broken = carry_out(game, refusals, tasks(), wanted, jobs, pool, bar)
    bar.console.print(f"{game}: {wanted} positions, {refused} refusals, {len(broken)} without a rule or a sentence")
    tell(broken, bar)
    return broken


def soak(case: Case, games: int, jobs: int, seed: int, pool: ProcessPoolExecutor, bar: Progress) -> list[str]:
    """Plays all games of one case."""
    game, seats, options = case
    name = " ".join([game, f"for {seats}", *(f"{k}={v}" for k, v in options.items())])
    tasks = ((case, first, number) for first, number in batches(games, seed))
    decisions, broken = carry_out(name, batch, tasks, games, jobs, pool, bar)
    bar.console.print(f"{name}: {games} games, {decisions / games:.0f} decisions each, {len(broken)} broken")
    tell(broken, bar)
    return broken


def carry_out(
    name: str, work: Work, tasks: Iterator[Task], total: int, jobs: int, pool: ProcessPoolExecutor, bar: Progress
) -> tuple[int, list[str]]:
    """Runs the tasks, submitted a few ahead of the processes. Returns their counts and failures."""
    shown = bar.add_task(name, total=total)
    counted, broken = 0, list[str]()
    running: set[Future[tuple[int, int, list[str]]]] = set()
    left = True
    while left or running:
        while left and len(running) < 2 * jobs:
            following = next(tasks, None)
            left = following is not None
            if following is not None:
                running.add(pool.submit(work, *following))
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            finished, more, wrong = future.result()
            counted += more
            broken += wrong
            bar.advance(shown, finished)
    bar.remove_task(shown)
    return counted, broken


def tell(broken: list[str], bar: Progress) -> None:
    for line in broken[:20]:
        bar.console.print(f"  {line}", markup=False)


def batches(games: int, seed: int) -> Iterator[tuple[int, int]]:
    for start in range(0, games, BATCH):
        yield seed + start, min(BATCH, games - start)


# -- owners' files ----------------------------------------------------------------------------------------------
@dataclass
class Tried:
    """Result of trying a file, as plain data from another process."""

    how: str
    games: int = 0
    decisions: int = 0
    final: str = ""
    broken: str = ""


def made(box: Box, number: int, seed: int) -> list[tuple[str, str]]:
    """Returns that many generated files, and how each was made."""
    found: list[tuple[str, str]] = []
    ways = files_of(box)
    for place, (how, files) in enumerate(ways.items()):
        wanted = number // len(ways) + (place < number % len(ways))
        found += [(how, text) for text in gather(files, wanted, seed + place)]
    return found


def gather(files: SearchStrategy[str], number: int, first: int) -> list[str]:
    """Collects distinct files, with further seeds where Hypothesis repeats itself."""
    found: dict[str, None] = {}
    while len(found) < number:

        @reproducible(first)
        @settings(
            max_examples=number - len(found) + AGAIN,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            database=None,
            deadline=None,
        )
        @given(files)
        def one(text: str) -> None:
            found[text] = None

        one()
        first += 1_000_003
    return list(found)[:number]


def try_file(game: str, how: str, text: str, games: int, seed: int) -> Tried:
    try:
        trial = tried(BOXES[game], text, games, seed, advised=True)
    except Exception as error:  # noqa: BLE001 (whatever a file breaks is reported, and the file kept)
        return Tried(how, broken=f"{type(error).__name__}: {error}")
    return Tried(how, trial.games, trial.decisions, trial.final)


def soak_contents(
    game: str, number: int, games: int, jobs: int, seed: int, pool: ProcessPoolExecutor, bar: Progress
) -> list[str]:
    """Tries all files of one box, submitted a few ahead of the processes."""
    files = made(BOXES[game], number, seed)
    task = bar.add_task(f"{game}: owners' files", total=len(files))
    results: list[Tried] = []
    ahead: deque[tuple[str, Future[Tried]]] = deque()
    for place in range(len(files) + 2 * jobs):
        if place < len(files):
            how, text = files[place]
            ahead.append((text, pool.submit(try_file, game, how, text, games, seed + place)))
        if ahead and (place >= 2 * jobs or place >= len(files)):
            text, future = ahead.popleft()
            result = future.result()
            results.append(result)
            bar.advance(task)
            if result.broken:
                keep(game, len(results), text)
    bar.remove_task(task)
    played = [result for result in results if result.games]
    broken = [f"{game}, file {n} ({r.how}): {r.broken}" for n, r in enumerate(results, 1) if r.broken]
    ends = blake2b("".join(result.final for result in results).encode(), digest_size=8).hexdigest()
    refused = len(results) - len(played) - len(broken)
    bar.console.print(
        f"{game}: {len(results)} owners' files, {refused} refused, {len(played)} played "
        f"({sum(r.games for r in played)} games, {sum(r.decisions for r in played)} decisions, fingerprint {ends}), "
        f"{len(broken)} broken"
    )
    for way in dict.fromkeys(result.how for result in results):
        mine = [result for result in results if result.how == way]
        bar.console.print(f"  {way}: {len(mine)}, of which {sum(bool(result.games) for result in mine)} were played")
    for line in broken[:20]:
        bar.console.print(f"  {line}", markup=False)
    return broken


def keep(game: str, number: int, text: str) -> None:
    BROKEN.mkdir(exist_ok=True)
    (BROKEN / f"{game}-{number}.toml").write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=sorted(BOXES), help="only this game (may be repeated)")
    parser.add_argument("--seats", type=int, help="only this number of players")
    parser.add_argument("--games", type=int, default=100_000, help="for each game and number of players")
    parser.add_argument(
        "--refusals", type=int, default=0, help="instead: so many positions of each game, asked for all"
    )
    parser.add_argument("--contents", type=int, default=500, help="owners' files for each game that has them; 0: none")
    parser.add_argument("--games-each", type=int, default=200, help="for each of them and number of players")
    parser.add_argument(
        "--kills",
        type=int,
        default=200,
        help="kill -9 during play, and of two processes of one house; 0: none",
    )
    parser.add_argument("--fuzz", type=int, default=200_000, help="requests made to hurt; 0: none")
    parser.add_argument(
        "--tests", action=argparse.BooleanOptionalAction, default=True, help="run every test with all its combinations"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    args = parser.parse_args()
    compiled = not str(veillee.kernel.state.__file__).endswith(".py")
    print(f"Veillée in {Path(veillee.__file__).parent}, {'compiled' if compiled else 'interpreted'}", flush=True)
    games = args.game or list(BOXES)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    broken: list[str] = []
    with ProcessPoolExecutor(args.jobs) as pool, Progress(*columns) as bar:
        for game in games if args.refusals else []:
            broken += ask(game, args.refusals, args.jobs, args.seed, pool, bar)
        for case in cases(games) if args.games and not args.refusals else []:
            if args.seats in (None, case[1]):
                broken += soak(case, args.games, args.jobs, args.seed, pool, bar)
        owned = [game for game in games if BOXES[game].contents is not None]
        for game in owned if args.contents and not args.refusals else []:
            broken += soak_contents(game, args.contents, args.games_each, args.jobs, args.seed, pool, bar)
    lost = 0
    if args.kills and not args.refusals:
        only = [part for game in games for part in ("--game", game)]
        half, fourth = str(args.kills // 2), str(args.kills // 4)
        for way in (
            ["--kills", str(args.kills), "--terms", fourth, "--backups", fourth],
            ["--kills", half, "--backups", fourth, "--postgresql"],
            ["--kills", half, "--power"] if power_cut.available() else ["--kills", "0"],
        ):
            command = [sys.executable, str(ROOT / "tools" / "stress" / "kill_test.py"), *way]
            lost += subprocess.run([*command, *only], check=False).returncode
    if args.kills and not args.refusals:
        for place in ([], ["--postgresql"]):
            command = [sys.executable, str(ROOT / "tools" / "stress" / "evening_test.py"), "--runs", "3", *place]
            lost += subprocess.run(command, check=False).returncode
    if args.fuzz and not args.refusals:
        command = [sys.executable, str(ROOT / "tools" / "stress" / "fuzz.py"), "--requests", str(args.fuzz)]
        lost += subprocess.run(command, check=False).returncode
    if args.kills and not args.refusals:
        command = [sys.executable, str(ROOT / "tools" / "stress" / "race_test.py"), "--kills", str(args.kills)]
        lost += subprocess.run([*command, "--races", str(500 * args.kills)], check=False).returncode
    for game in games if args.games and not args.refusals else []:
        command = [sys.executable, "-m", "veillee", "lab", "puzzles", game, "--check", "--seed", str(args.seed)]
        lost += subprocess.run(command, check=False).returncode
    if args.games and not args.refusals:
        command = [sys.executable, "-m", "pytest", "-n", str(args.jobs), "src/veillee/conformance"]
        lost += subprocess.run(command, cwd=ROOT, env={**os.environ, "VEILLEE_ENGINES": "off"}, check=False).returncode
    if args.tests and not args.refusals:
        command = [sys.executable, "-m", "pytest", "-n", str(args.jobs), "tests", "--timeout", "1200"]
        command += ["-k", " or ".join(games)] if args.game else []
        lost += subprocess.run(command, cwd=ROOT, env={**os.environ, "VEILLEE_TESTS": "all"}, check=False).returncode
    return 1 if broken or lost else 0


if __name__ == "__main__":
    sys.exit(main())
