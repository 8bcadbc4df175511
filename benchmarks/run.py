"""Compares our speed with other programs, as ratios within one run: absolute figures depend on day and machine.

- Random games of Ghost Knights (5 players) beside the same game as a plain C++ struct, the limit of this machine (--cpp,
  VEILLEE_CPP, or ../shared/bench), and beside OpenSpiel's hearts (C++, driven from Python as its users do), if
  `open_spiel` is installed.
- With --before COMMIT, every box beside that commit, which is compiled into build/before: random games, and iterations of
  the search, plain and guided.

All programs are measured in processor time, so that other load on the machine does not count.

usage: python benchmarks/run.py [--rounds N] [--seconds S] [--cpp FILE] [--before COMMIT] [--json] [--write]
--write puts the result into docs/benchmarks.md. Exit code 1: a target was missed.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import platform
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GAME = "ghost-knights"
SEATS = 5
CPP_GAMES = 200_000
CPP_TARGET = 0.30  # of the playouts/s of C++
HEARTS_TARGET = 4.0  # times the decisions/s of OpenSpiel's hearts
# The commit before the kernel was described once, and how many times as fast every box has to be since: decisions/s, and
# iterations/s of the search. Ghost Knights has a target of its own beside C++.
KERNEL = "03f73a6"
DECISIONS_TARGET = 2.5
SEARCH_TARGET = {GAME: 3.0}
SEARCH_TARGET_ELSE = 2.0
# A commit before may measure by the clock on the wall.
BY_PROCESSOR = (
    "import runpy, sys, time; time.perf_counter = time.process_time; runpy.run_module('veillee', None, '__main__')"
)


@dataclass
class Rates:
    playouts_per_s: float
    decisions_per_s: float


@dataclass
class Gain:
    """Speed relative to an earlier commit: the medians of the rounds' ratios."""

    decisions: float
    plain: float
    guided: float


@dataclass
class Result:
    """The medians of all rounds, and the median of each round's own ratio."""

    compiled: bool
    rounds: int
    veillee: Rates
    cpp: Rates | None
    hearts: Rates | None
    of_cpp: float | None  # our playouts/s as a part of theirs
    of_hearts: float | None  # our decisions/s as a multiple of theirs
    games: dict[str, Rates]  # each box of the shelf, measured once
    before: str  # the commit that the boxes are compared with
    gains: dict[str, Gain]


# -- who is measured ------------------------------------------------------------------------------------------------
def run_veillee(game: str, seconds: float, seats: int | None = None) -> tuple[Rates, bool]:
    command = [sys.executable, "-m", "veillee", "bench", game, "--seconds", str(seconds), "--json"]
    command += ["--seats", str(seats)] if seats else []
    figures = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return Rates(figures["playouts_per_s"], figures["decisions_per_s"]), figures["compiled"]


def find_cpp(given: str | None) -> Path | None:
    named = given or os.environ.get("VEILLEE_CPP")
    path = Path(named) if named else ROOT.parent / "shared" / "bench" / "ghost_knights.cpp"
    if named and not path.exists():
        sys.exit(f"There is no file {path}.")
    return path if path.exists() else None


def build_cpp(source: Path | None, folder: str) -> Path | None:
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if source is None or compiler is None:
        print("C++ is left out: " + ("no source was given." if source is None else "no compiler was found."))
        return None
    program = Path(folder) / "ghost_knights"
    subprocess.run([compiler, "-O3", "-o", str(program), str(source)], check=True)
    return program


def run_cpp(program: Path) -> Rates:
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    told = subprocess.run([program, str(SEATS), str(CPP_GAMES)], check=True, capture_output=True, text=True).stdout
    playouts = CPP_GAMES / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start)
    by_clock = {name: float(value) for name, value in re.findall(r"(playouts|decisions)/s (\S+)", told)}
    return Rates(playouts, playouts * by_clock["decisions"] / by_clock["playouts"])


def has_open_spiel() -> bool:
    if importlib.util.find_spec("pyspiel") is None:
        print("OpenSpiel is left out: `pip install open_spiel` to compare with it.")
        return False
    return True


def run_hearts(seconds: float) -> Rates:
    """Measures OpenSpiel's hearts in a separate process, like the others."""
    command = [sys.executable, __file__, "--hearts", "--seconds", str(seconds)]
    return Rates(**json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def play_hearts(seconds: float) -> Rates:
    game, chance = importlib.import_module("pyspiel").load_game("hearts"), random.random

    def playout() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, number = state.chance_outcomes(), 0
                left = chance() - outcomes[0][1]
                while left > 0 and number + 1 < len(outcomes):
                    number += 1
                    left -= outcomes[number][1]
                state.apply_action(outcomes[number][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(chance() * len(actions))])
                decisions += 1
        return decisions

    return timed(playout, seconds)


def timed(playout: Callable[[], int], seconds: float) -> Rates:
    playout()
    games = decisions = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        decisions += playout()
        games += 1
    return Rates(games / spent, decisions / spent)


# -- the commit before ---------------------------------------------------------------------------------------------
def build_before(commit: str) -> Path:
    """Checks out that commit and compiles it by its own tool; kept for the next run."""
    folder = ROOT / "build" / "before" / commit
    if not (folder / "compiled" / "veillee").exists():
        print(f"Compiling {commit} (a minute or two, once) …", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
        tool = next((folder / "tools").rglob("compile_to.py"))
        subprocess.run([sys.executable, str(tool), "compiled"], cwd=folder, check=True)
    return folder


def speeds(checkout: Path, game: str, seconds: float, path: Path | None) -> tuple[float, float, float]:
    """Decisions/s, plain and guided iterations/s, by the checkout's own commands."""
    env = {**os.environ, "PYTHONPATH": str(path)} if path else dict(os.environ)
    bench = [sys.executable, "-c", BY_PROCESSOR, "bench", game, "--seconds", str(seconds), "--json"]
    search = [sys.executable, "benchmarks/search.py", game, "--seconds", str(seconds), "--json"]
    told = []
    for command in (bench, search):
        run = subprocess.run(command, cwd=checkout, env=env, check=False, capture_output=True, text=True)
        told.append(json.loads(run.stdout.splitlines()[0]))
    figures = told[1]["games"][game]
    return told[0]["decisions_per_s"], figures["plain_per_s"], figures["guided_per_s"]


def compare(commit: str, rounds: int, seconds: float) -> dict[str, Gain]:
    old = build_before(commit)
    gains = {}
    for game in shelf():
        ratios = []
        for _ in range(rounds):
            before = speeds(old, game, seconds, old / "compiled")
            now = speeds(ROOT, game, seconds, None)
            ratios.append([b / a for a, b in zip(before, now, strict=True)])
        gains[game] = Gain(*(median(column) for column in zip(*ratios, strict=True)))
        print(f"{game}: {gains[game]}", file=sys.stderr)
    return gains


# -- the run --------------------------------------------------------------------------------------------------------
def measure(rounds: int, seconds: float, source: Path | None, before: str) -> Result:
    ours: list[Rates] = []
    cpp: list[Rates] = []
    hearts: list[Rates] = []
    with tempfile.TemporaryDirectory() as folder:
        program, spiel = build_cpp(source, folder), has_open_spiel()
        for number in range(rounds):
            rates, compiled = run_veillee(GAME, seconds, SEATS)
            ours.append(rates)
            if program is not None:
                cpp.append(run_cpp(program))
            if spiel:
                hearts.append(run_hearts(seconds))
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
    return Result(
        compiled,
        rounds,
        typical(ours),
        typical(cpp) if cpp else None,
        typical(hearts) if hearts else None,
        median(a.playouts_per_s / b.playouts_per_s for a, b in zip(ours, cpp, strict=True)) if cpp else None,
        median(a.decisions_per_s / b.decisions_per_s for a, b in zip(ours, hearts, strict=True)) if hearts else None,
        {game: run_veillee(game, seconds)[0] for game in shelf()},
        before,
        compare(before, rounds, seconds) if before else {},
    )


def shelf() -> list[str]:
    command = [sys.executable, "-c", "import veillee; print(*[box.id for box in veillee.boxes()], sep='\\n')"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def typical(rates: list[Rates]) -> Rates:
    return Rates(median(r.playouts_per_s for r in rates), median(r.decisions_per_s for r in rates))


def report(result: Result) -> str:
    """Returns the result as Markdown."""
    how = "compiled" if result.compiled else "interpreted"
    lines = [
        "| random games, one core | games/s | decisions/s | Veillée is |",
        "|---|--:|--:|--:|",
        row(f"Veillée, Ghost Knights, {SEATS} players ({how})", result.veillee, ""),
    ]
    if result.cpp and result.of_cpp is not None:
        lines.append(row("the same in C++, by hand", result.cpp, f"{result.of_cpp:.1%} of it (games/s)"))
    if result.hearts and result.of_hearts is not None:
        lines.append(row("OpenSpiel's hearts from Python", result.hearts, f"{result.of_hearts:.1f} × (decisions/s)"))
    lines += ["", "| box, most players | games/s | decisions/s |", "|---|--:|--:|"]
    lines += [row(game, rates) for game, rates in result.games.items()]
    if result.gains:
        lines += ["", f"| × {result.before} | decisions/s | plain search | guided search |", "|---|--:|--:|--:|"]
        lines += [
            f"| {game} | {g.decisions:.2f} | {g.plain:.2f} | {g.guided:.2f} |" for game, g in result.gains.items()
        ]
    return "\n".join(lines)


def row(name: str, rates: Rates, *more: str) -> str:
    return " | ".join([f"| {name}", f"{rates.playouts_per_s:,.0f}", f"{rates.decisions_per_s:,.0f}", *more]) + " |"


def write(result: Result, command: str) -> None:
    text = f"""# Benchmarks

Written by `{command}` on {time.strftime("%Y-%m-%d", time.gmtime())}: {platform.machine()}, {os.cpu_count()} processors,
{platform.system()}, Python {platform.python_version()}; the medians of {result.rounds} rounds, each of which measured all programs
one after the other, in processor time. Only the ratios of one run mean something: absolute figures change with the machine.

{report(result)}

Targets: at least {CPP_TARGET:.0%} of the games/s of C++, and {HEARTS_TARGET:.0f} times the decisions/s of hearts. Beside {KERNEL}, the last
commit before the present kernel: {DECISIONS_TARGET} times the decisions/s in every other box; {SEARCH_TARGET[GAME]:.0f} times the iterations/s of the search
in Ghost Knights, {SEARCH_TARGET_ELSE:.0f} times in every other box.
"""
    (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")


def missed(result: Result) -> list[str]:
    found = []
    if result.of_cpp is not None and result.of_cpp < CPP_TARGET:
        found.append(f"{result.of_cpp:.1%} of C++, the target is {CPP_TARGET:.0%}")
    if result.of_hearts is not None and result.of_hearts < HEARTS_TARGET:
        found.append(f"{result.of_hearts:.1f} × hearts, the target is {HEARTS_TARGET:.0f} ×")
    for game, gain in result.gains.items() if result.before == KERNEL else ():
        if game != GAME and gain.decisions < DECISIONS_TARGET:
            found.append(f"{game}: {gain.decisions:.2f} × the decisions/s, the target is {DECISIONS_TARGET} ×")
        target = SEARCH_TARGET.get(game, SEARCH_TARGET_ELSE)
        if min(gain.plain, gain.guided) < target:
            found.append(f"{game}: {min(gain.plain, gain.guided):.2f} × the iterations/s, the target is {target} ×")
    return found


def arguments() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--cpp", metavar="FILE", help="the C++ source to compare with")
    parser.add_argument("--before", metavar="COMMIT", default="", help="compare every box with this commit")
    parser.add_argument("--json", action="store_true", help="print the result as JSON, too")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--hearts", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    given = arguments()
    if given.hearts:
        print(json.dumps(asdict(play_hearts(given.seconds))))
        return 0
    result = measure(given.rounds, given.seconds, find_cpp(given.cpp), given.before)
    print(report(result))
    if given.json:
        print(json.dumps(asdict(result)))
    if given.write:
        write(
            result,
            f"python benchmarks/run.py --rounds {given.rounds} --seconds {given.seconds:g} --write{' --before ' + given.before if given.before else ''}",
        )
    for sentence in missed(result):
        print(f"Missed: {sentence}.")
    return 1 if missed(result) else 0


if __name__ == "__main__":
    sys.exit(main())
