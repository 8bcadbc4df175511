"""Ladder: each level against the one below it, in every game, and the report in docs/opponents.md.

python -m veillee.lab.ladder [GAME …] --games 120 --seed 4712 --records DIR     play (continues a stopped run)
python -m veillee.lab.ladder --records DIR --write docs/opponents.md   write the results into the report

Levels are tuned on other seeds than the report's; without --seed the deals are those of the arena's default.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from veillee.bots.compiled import search
from veillee.bots.levels import OFFERED, level
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.lab.arena import Contest, Played, Standing, find, read, run, standings
from veillee.lab.executors import IN_THIS_PROCESS

DEFAULT_SEATS = 4  # or the nearest number the game allows
SEED = 1  # the arena's default
EQUAL_TIME = "/iterations=1000000/seconds=0.05"
BRIEF_TIME = "/iterations=1000000/seconds=0.01"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
BEGIN_FORMER, END_FORMER = "<!-- against expert-1: begin -->", "<!-- against expert-1: end -->"
BEGIN_MASTER, END_MASTER = "<!-- masters: begin -->", "<!-- masters: end -->"
BEGIN_BRIEF, END_BRIEF = "<!-- masters at equal time: begin -->", "<!-- masters at equal time: end -->"


@dataclass(frozen=True)
class Rung:
    """One seat of a level against a table of another, and the multiple of its even share that it must win."""

    one: str
    rest: str
    bar: float
    told: str

    def contest(self, box: Box, games: int, seed: int = SEED) -> Contest:
        return Contest(box.id, (self.one, *[self.rest] * (seats_of(box) - 1)), games, seed)

    def record(self, folder: Path, box: Box) -> Path:
        name = re.sub(r"\W+", "-", f"{self.one} {self.rest}")
        return folder / f"{box.id}-{name}.jsonl"


RUNGS = (
    Rung("novice", "random", 1.5, "a novice against random choices"),
    Rung("regular", "novice", 1.5, "a regular against novices"),
    Rung("expert", "regular", 1.3, "an expert against regulars"),
    Rung(f"expert{EQUAL_TIME}", f"plain{EQUAL_TIME}", 1.0, "the expert's search against plain ISMCTS, equal time"),
)
# The fifth rung: what new weights and a policy have gained. A box without a former expert has nothing to measure.
FORMER = Rung(f"expert{BRIEF_TIME}", f"expert-1{BRIEF_TIME}", 1.0, "an expert against those of before, equal time")


# The sixth and seventh: masters against experts of before networks, each with its own budget, and at equal time.
MASTER = Rung("master", "expert-2", 1.6, "a master against experts without networks")
BRIEF_MASTER = Rung(f"master{BRIEF_TIME}", f"expert-2{BRIEF_TIME}", 1.25, "the same at equal time")


def rung_of(digit: str) -> Rung:
    return [*RUNGS, FORMER, MASTER, BRIEF_MASTER][int(digit)]


def seats_of(box: Box) -> int:
    return min((n for n in box.players if n > 1), key=lambda n: abs(n - DEFAULT_SEATS))


def load_games(rung: Rung, box: Box, folder: Path) -> tuple[int, list[Played]]:
    """Returns the seed and the games found in the folder."""
    record = rung.record(folder, box)
    if not record.exists():
        return SEED, []
    with record.open(encoding="utf-8") as file:
        seed = int(json.loads(file.readline())["seed"])
    return seed, read(record, rung.contest(box, 1, seed))


def report(folder: Path) -> str:
    """Returns the measured part of docs/opponents.md."""
    machine = "compiled" if not (search.__file__ or "").endswith(".py") else "interpreted"
    parts = [
        (
            f"Python {platform.python_version()}, {machine}, {platform.machine()}. One seat against the others, seats"
            " rotated; a shared victory counts in parts. The\nlongest wait is for a whole thought, which may answer"
            " several questions in a row."
        ),
    ]
    for box in BOXES.values():
        parts += ["", f"### {box.title['en']}", "", *table(box, folder), "", *figures(box)]
    return "\n".join(parts)


HEADING = [
    "| | seed | games | victories | 95 % interval | × even share | bar | held | ms a decision | longest wait |",
    "|---|--:|--:|--:|--:|--:|--:|:-:|--:|--:|",
]


def by_box(rung: Rung, folder: Path, before: str) -> str:
    """Returns the part about one rung, box by box; a box without a game in the folder keeps its former row."""
    told = list(HEADING)
    for box in BOXES.values():
        title = box.title["en"]
        kept = [line for line in before.splitlines() if line.startswith(f"| {title} |")]
        told += rows(box, folder, (rung,), title) or kept
    return "\n".join(told)


def table(box: Box, folder: Path) -> list[str]:
    return [*HEADING, *rows(box, folder, RUNGS)]


def rows(box: Box, folder: Path, rungs: Sequence[Rung], title: str = "") -> list[str]:
    """Returns the table rows of the rungs that were played."""
    lines = []
    for rung in rungs:
        seed, games = load_games(rung, box, folder)
        if not games:
            continue
        one = line_of(standings(games), rung.one)
        held = "yes" if one.low / one.even_share > rung.bar else "no"
        lines.append(
            f"| {title or rung.told} | {seed} | {len(games)} | {one.win_share:.1%} | {one.low:.1%} – {one.high:.1%} | {one.ratio:.2f}"
            f" [{one.low / one.even_share:.2f}, {one.high / one.even_share:.2f}] | {rung.bar} | {held}"
            f" | {one.mean_seconds * 1000:.0f} | {one.longest_seconds:.2f} s |"
        )
    return lines


def line_of(table: Sequence[Standing], name: str) -> Standing:
    return next(line for line in table if line.level == name)


def less_luck(one: Standing) -> str:
    """Formats the luck-corrected ratio, if luck was measured."""
    if one.fair is None:
        return ""
    share, low, high = (part / one.even_share for part in one.fair)
    return f", less luck {share:.2f} [{low:.2f}, {high:.2f}]"


def figures(box: Box) -> list[str]:
    told = []
    for name in OFFERED:
        found = level(name, box.id)
        told.append(
            f"{name} {found.iterations} games in the head, slips {found.slips}, haste {found.haste}, blur {found.blur}"
        )
    seats = seats_of(box)
    return [f"{seats} seats: the even share is {1 / seats:.0%}. Levels: {'; '.join(told)}."]


def write(path: Path, folder: Path) -> None:
    """Writes the measured parts into the report; a part without games in the folder is left unchanged."""
    text = path.read_text(encoding="utf-8")
    for begin, end, rungs in (
        (BEGIN, END, RUNGS),
        (BEGIN_FORMER, END_FORMER, (FORMER,)),
        (BEGIN_MASTER, END_MASTER, (MASTER,)),
        (BEGIN_BRIEF, END_BRIEF, (BRIEF_MASTER,)),
    ):
        if not any(rung.record(folder, box).exists() for rung in rungs for box in BOXES.values()):
            continue
        if begin not in text or end not in text:
            sys.exit(f"{path} has no lines {begin} and {end} to write between.")
        before, rest = text.split(begin, 1)
        now, after = rest.split(end, 1)
        told = report(folder) if begin == BEGIN else by_box(rungs[0], folder, now)
        text = f"{before}{begin}\n{told}\n{end}{after}"
    path.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m veillee.lab.ladder", description=__doc__)
    parser.add_argument("game", nargs="*", help="which games; all of them by default, none with --write")
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--seed", type=int, default=SEED, help="another seed, other deals; %(default)s by default")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--on", default=IN_THIS_PROCESS, help="here, ray or ray://HOST:PORT (lab/executors.py)")
    parser.add_argument("--rungs", default="0123", help="which rungs, as digits; 4: against expert-1, 5 and 6: masters")
    parser.add_argument("--records", type=Path, required=True, help="a folder for the games that were played")
    parser.add_argument("--write", type=Path, help="the report to write into")
    given = parser.parse_args()
    given.records.mkdir(parents=True, exist_ok=True)
    boxes = [find(name) for name in given.game] if given.game or given.write else list(BOXES.values())
    for box in boxes:
        for rung in map(rung_of, given.rungs):
            contest = rung.contest(box, given.games, given.seed)
            one = line_of(
                standings(run(contest, given.workers, rung.record(given.records, box), on=given.on)), rung.one
            )
            print(  # noqa: T201  a command tells what it found
                f"{box.id}: {rung.told}: {one.ratio:.2f} × its share, at least {one.low / one.even_share:.2f}"
                f"{less_luck(one)}; bar {rung.bar}; {one.mean_seconds * 1000:.0f} ms; veillee arena {box.id}"
                f" --seats {shlex.quote(','.join(contest.seats))} --games {given.games}"
                f" --seed {given.seed}",
                flush=True,
            )
    if given.write:
        write(given.write, given.records)


if __name__ == "__main__":
    main()
