"""Compares the lab's interfaces with other frameworks, as ratios within one run.

- Many games at once (veillee.simulate), observations and masks included, random allowed answers, one core: every box beside
  PettingZoo's classic card games (those that are installed; the fastest counts) and OpenSpiel's hearts from Python.
- The same on two processes beside one, by the clock, and two programs that share nothing beside one: no more can be had
  from two cores of this machine. What was measured while a process waited for a core is left out.
- With --before COMMIT, match.play(seat, choice) of every box beside that commit, which is compiled into build/before.

Each program runs in a separate process and is measured in processor time, but for the two processes.

- With --peers PYTHON, an interpreter of another environment (may be repeated): simulators that are installed there, of
  those that benchmarks/peers.py knows.

usage: python benchmarks/doors.py [--rounds N] [--seconds S] [--before COMMIT] [--peers PYTHON] [--json] [--write]
--write puts the result into docs/benchmarks-doors.md. Exit code 1: a target was missed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from peers import NAMES as PEERS
from run import ROOT, build_before, play_hearts, timed

CARD_GAMES = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "gin_rummy_v4")
TABLES = 64
ZOO_TARGET = 20.0
HEARTS_TARGET = 3.0
PLAY_TARGET = 5.0
PARALLEL_TABLES = 2048
PARALLEL_TARGET = 1.8
PARALLEL_STEPS = 4  # measured at once: some milliseconds
MOST_WAITED = 0.01  # share of the time that a process waited for a core
PARALLEL_ROUNDS = (20, 400)  # that count, or at most
SEATS = {"ghost-knights": 5, "paper-tales": 5, "takara-island": 4, "tales-of-glory": 5, "sourire-du-dragon": 6}


@dataclass
class Door:
    """One box: decisions/s, and the medians of the rounds' ratios; None: nothing to compare with."""

    many_per_s: float
    of_one_process: float | None
    of_one_program: float | None  # two programs that share nothing
    of_zoo: float | None
    of_hearts: float | None
    play_per_s: float
    of_before: float | None


# -- who is measured, each in a process of its own -------------------------------------------------------------------
def many(game: str, seconds: float) -> float:
    """Measures steps of all seats at many tables."""
    import veillee  # noqa: PLC0415

    hall = veillee.simulate(game, seats=SEATS[game], games=TABLES, seed=1)

    def steps() -> int:
        for _ in range(8):
            hall.step(hall.random())
        return 8 * TABLES

    return timed(steps, seconds).decisions_per_s


def parallel(game: str, seconds: float) -> list[float]:
    """Returns how many times as fast two processes are as one, and two programs that share nothing, by the clock. They
    are measured in turns, for so many seconds at least."""
    import veillee  # noqa: PLC0415

    command = [sys.executable, "-W", "ignore", __file__, "--one", "half", game]
    halves = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)]
    one = veillee.simulate(game, seats=SEATS[game], games=PARALLEL_TABLES, seed=1)
    two = veillee.simulate(game, seats=SEATS[game], games=PARALLEL_TABLES, seed=1, processes=2)
    own, other = os.getpid(), [worker._process.pid for worker in two._workers]  # noqa: SLF001  known to no one else
    programs: list[tuple[Callable[[], float], list[int]]] = [
        (lambda: time_steps(one), [own]),
        (lambda: time_steps(two), [own, *other]),
        (lambda: max(ask(halves)), [half.pid for half in halves]),
    ]
    spent: list[list[float]] = [[], [], []]
    ask(halves)  # they are ready
    least, most = PARALLEL_ROUNDS
    for _ in range(most):
        for (measured, processes), times in zip(programs, spent, strict=True):
            waited = waiting(processes)
            took = measured()
            if max(now - before for now, before in zip(waiting(processes), waited, strict=True)) <= MOST_WAITED * took:
                times.append(took)
        if min(map(len, spent)) >= least and sum(spent[0]) >= seconds:
            break
    two.close()
    for half in halves:
        half.communicate()
    if not all(spent):
        raise SystemExit("Something else runs on this machine: two processes cannot be measured.")
    alone, together, apart = map(median, spent)
    return [alone / together, alone / apart]


def half(game: str, _: float) -> float:
    """Steps half of the tables, for each line on stdin; tells how long it took."""
    import veillee  # noqa: PLC0415

    games = veillee.simulate(game, seats=SEATS[game], games=PARALLEL_TABLES // 2, seed=1)
    for _line in sys.stdin:
        print(time_steps(games), flush=True)
    return 0.0


def ask(halves: list[subprocess.Popen[bytes]]) -> list[float]:
    """Lets both step at the same time."""
    for one in halves:
        assert one.stdin is not None
        one.stdin.write(b"\n")
        one.stdin.flush()
    return [float(one.stdout.readline()) for one in halves if one.stdout is not None]


def time_steps(games: Any) -> float:
    start = time.perf_counter()
    for _ in range(PARALLEL_STEPS):
        games.step(games.random())
    return time.perf_counter() - start


def waiting(processes: list[int]) -> list[float]:
    """Returns the seconds that each process has waited for a core; 0 where the system does not tell."""
    try:
        return [int(Path(f"/proc/{one}/schedstat").read_text().split()[1]) / 1e9 for one in processes]
    except OSError:
        return [0.0] * len(processes)


def zoo(name: str, seconds: float) -> float:
    """Measures PettingZoo's own loop with random allowed answers."""
    import numpy as np  # noqa: PLC0415

    env = importlib.import_module(f"pettingzoo.classic.{name}").env()
    chance = random.random

    def playout() -> int:
        env.reset()
        decisions = 0
        for _agent in env.agent_iter():
            seen, _, over, cut, told = env.last()
            if over or cut:
                env.step(None)
                continue
            mask = seen["action_mask"] if isinstance(seen, dict) else told["action_mask"]
            allowed = np.flatnonzero(mask)
            env.step(int(allowed[int(chance() * len(allowed))]))
            decisions += 1
        return decisions

    return timed(playout, seconds).decisions_per_s


def hearts(_: str, seconds: float) -> float:
    return play_hearts(seconds).decisions_per_s


def play(game: str, seconds: float) -> float:
    """Measures match.play(seat, choice) alone, without choosing. (Also runs on earlier commits.)"""
    import veillee  # noqa: PLC0415

    chance, clock = random.Random(1).random, time.process_time
    spent, answers, seed = 0.0, 0, 0
    while spent < seconds:
        match = veillee.new(game, seats=SEATS[game], seed=seed)
        seed += 1
        row = []
        while not match.over:  # the answers first, then the same game again by the clock
            seat = match.to_act[0]
            legal = match.state.legal(seat)
            row.append((seat, legal[int(chance() * len(legal))]))
            match.play(*row[-1])
        again = veillee.new(game, seats=SEATS[game], seed=seed - 1)
        start = clock()
        for seat, answer in row:
            again.play(seat, answer)
        spent += clock() - start
        answers += len(row)
    return answers / spent


KINDS: dict[str, Callable[[str, float], float | list[float]]] = {
    "many": many,
    "parallel": parallel,
    "half": half,
    "zoo": zoo,
    "hearts": hearts,
    "play": play,
}


def run(kind: str, what: str, seconds: float, path: Path | None = None) -> Any:
    """Returns decisions/s (of "parallel": ratios), measured in a separate process."""
    env = {**os.environ, "PYTHONPATH": str(path), "VEILLEE_ENGINES": "off"} if path else dict(os.environ)
    command = [sys.executable, "-W", "ignore", __file__, "--one", kind, what, "--seconds", str(seconds)]
    told = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout
    return json.loads(told.splitlines()[-1])


def there(name: str) -> bool:
    command = [sys.executable, "-W", "ignore", "-c", f"import {name}"]
    found = subprocess.run(command, check=False, capture_output=True).returncode == 0
    if not found:
        print(f"{name} is left out: it is not installed.", file=sys.stderr)
    return found


def run_peer(python: str, name: str, seconds: float) -> float | None:
    """Returns decisions/s of a simulator in another environment; None if it is not installed there."""
    command = [python, "-W", "ignore", str(Path(__file__).with_name("peers.py")), name, "--seconds", str(seconds)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return float(done.stdout) if done.returncode == 0 else None


# -- the run ---------------------------------------------------------------------------------------------------------
def measure(rounds: int, seconds: float, before: str, peers: list[str]) -> tuple[dict[str, Door], dict[str, float]]:
    cards = [name for name in CARD_GAMES if there(f"pettingzoo.classic.{name}")]
    old = build_before(before) / "compiled" if before else None
    with_hearts = there("pyspiel")
    others: dict[str, list[float]] = {}
    rows: dict[str, list[tuple[float | None, ...]]] = {game: [] for game in SEATS}
    for number in range(rounds):
        for name in cards:
            others.setdefault(f"PettingZoo's {name}", []).append(run("zoo", name, seconds))
        if with_hearts:
            others.setdefault("OpenSpiel's hearts", []).append(run("hearts", "", seconds))
        for python in peers:
            for name in PEERS:
                if rate := run_peer(python, name, seconds):
                    others.setdefault(name, []).append(rate)
        fastest = max((rates[-1] for name, rates in others.items() if name.startswith("Petting")), default=None)
        heart = others["OpenSpiel's hearts"][-1] if with_hearts else None
        for game in SEATS:
            rate = run("many", game, seconds)
            twice, apart = run("parallel", game, seconds) if (os.cpu_count() or 1) > 1 else (None, None)
            then = run("play", game, seconds / 2, old) if old else None
            now = run("play", game, seconds / 2)
            rows[game].append((rate, twice, apart, over(rate, fastest), over(rate, heart), now, over(now, then)))
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
    doors = {game: Door(*(middle(column) for column in zip(*row, strict=True))) for game, row in rows.items()}  # type: ignore[arg-type]
    return doors, {name: median(rates) for name, rates in others.items()}


def over(ours: float, theirs: float | None) -> float | None:
    return None if theirs is None else ours / theirs


def middle(column: tuple[float | None, ...]) -> float | None:
    known = [value for value in column if value is not None]
    return median(known) if known else None


def report(doors: dict[str, Door], others: dict[str, float], before: str) -> str:
    titles = [
        "box, most players",
        "many games at once, decisions/s",
        "two processes × one",
        "two programs × one",
        "× PettingZoo's fastest",
        "× hearts",
    ]
    titles += ["match.play/s", f"× {before}" if before else "× before"]
    lines = [f"| {' | '.join(titles)} |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for game, door in doors.items():
        ratios = [
            told(door.of_one_process, 2),
            told(door.of_one_program, 2),
            told(door.of_zoo),
            told(door.of_hearts),
            f"{door.play_per_s:,.0f}",
            told(door.of_before),
        ]
        lines.append(f"| {game} | {door.many_per_s:,.0f} | {' | '.join(ratios)} |")
    lines += ["", "| beside | decisions/s |", "|---|--:|"]
    lines += [f"| {name} | {rate:,.0f} |" for name, rate in others.items()]
    return "\n".join(lines)


def told(ratio: float | None, places: int = 1) -> str:
    return "" if ratio is None else f"{ratio:.{places}f}"


def missed(doors: dict[str, Door]) -> list[str]:
    found = []
    for game, door in doors.items():
        for ratio, target, what in (
            (door.of_one_process, PARALLEL_TARGET, "one process, on two"),
            (door.of_zoo, ZOO_TARGET, "PettingZoo's fastest classic card game"),
            (door.of_hearts, HEARTS_TARGET, "OpenSpiel's hearts"),
            (door.of_before, PLAY_TARGET, "match.play of the commit before"),
        ):
            if ratio is not None and ratio < target:
                found.append(f"{game}: {told(ratio, 2)} × {what}, the target is {target:g} ×")
    return found


def write(text: str, command: str, rounds: int, misses: list[str]) -> None:
    """Writes the page, with missed targets."""
    short = "\n\n" + "\n".join(f"- Missed: {sentence}." for sentence in misses) if misses else ""
    page = f"""# Benchmarks of the lab's doors

Written by `{command}` on {time.strftime("%Y-%m-%d", time.gmtime())}: {platform.machine()}, {os.cpu_count()} processors,
{platform.system()}, Python {platform.python_version()}; the medians of {rounds} rounds, each of which measured all programs
one after the other, in processor time. Only the ratios of one run mean something: absolute figures change with the machine.

{text}

Targets: many games at once, with observations and masks, at least {ZOO_TARGET:.0f} times the decisions/s of PettingZoo's fastest classic
card game and {HEARTS_TARGET:.0f} times those of OpenSpiel's hearts from Python, in every box; `match.play(seat, choice)`, checked and
logged, at least {PLAY_TARGET:.0f} times as fast as in the commit before it was made quicker; {PARALLEL_TABLES:,} games on two processes at least
{PARALLEL_TARGET} times as fast as on one, by the clock (two programs that share nothing are what this machine can give). Hearts and fastcatan are played without observations.{short}
"""
    (ROOT / "docs" / "benchmarks-doors.md").write_text(page, encoding="utf-8")


def arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--before", metavar="COMMIT", default="", help="compare match.play with this commit")
    parser.add_argument("--peers", metavar="PYTHON", action="append", default=[], help="look for simulators there, too")
    parser.add_argument("--json", action="store_true", help="print the result as JSON, too")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks-doors.md")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    given = arguments()
    if given.one:
        print(json.dumps(KINDS[given.one[0]](given.one[1], given.seconds)))
        return 0
    doors, others = measure(given.rounds, given.seconds, given.before, given.peers)
    text = report(doors, others, given.before)
    print(text)
    if given.json:
        print(json.dumps({game: asdict(door) for game, door in doors.items()}))
    if given.write:
        options = f"--rounds {given.rounds} --seconds {given.seconds:g}"
        options += f" --before {given.before}" if given.before else ""
        write(text, f"python benchmarks/doors.py {options} --write", given.rounds, missed(doors))
    for sentence in missed(doors):
        print(f"Missed: {sentence}.")
    return 1 if missed(doors) else 0


if __name__ == "__main__":
    sys.exit(main())
