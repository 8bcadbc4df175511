"""Play a box's guided first game, and write its course down: what each seat answers (games/first_game.py).

The learner's seat is played by an expert, the others by the level that the file names; each knows what its seat knows.
--seeds 1-50 tells of each deal how it would go: how many questions the learner is asked, who wins, which notes would
never be said. --write puts the course of the file's own deal in the place of the one it has.

usage: python -m veillee.conformance.first_game GAME [--seeds FIRST-LAST | --write]
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from dataclasses import replace
from hashlib import blake2b

from veillee.bots.planning import plan, resample_for_seat
from veillee.conformance.beside import Missing, named
from veillee.games.box import Box
from veillee.games.first_game import FILE, FirstGame, Note, Unfit, found_in, spoken
from veillee.match import seeds
from veillee.match.guided_game import Lesson, due
from veillee.match.match import Match
from veillee.match.setup import complete

TEACHER = "expert"
HEAD = "[course]"
TIED = "\u00a0"  # no line break within an answer


def begun(box: Box, first: FirstGame) -> Match:
    """Returns the match before its first answer, with the content of the box."""
    return Match(box, first.seats, complete(box, first.options, begun=True), seeds.seed_from(first.seed))


def played(box: Box, first: FirstGame) -> Match:
    match = begun(box, first)
    while not match.over:
        seat = match.to_act[0]
        level = TEACHER if seat == first.me else first.level
        seed = int.from_bytes(blake2b(repr(match.answers).encode(), digest_size=6).digest(), "big")
        match.play(seat, plan(box.id, resample_for_seat(match.state, seat, seed), seat, level, seed, timed=False)[0])
    return match


def course(match: Match) -> dict[int, list[str]]:
    told: dict[int, list[str]] = {seat: [] for seat in range(match.seats)}
    for seat, action in match.answers:
        told[seat].append(spoken(match.state.choice(action)))
    return told


def unsaid(first: FirstGame, match: Match) -> list[Note]:
    """Returns the notes that would never be said in this match."""
    said = {id(note) for notes in first.notes_on(match.events(first.me)).values() for note in notes}
    lesson = Lesson(first, match)
    lesson.follow(match)
    for number in range(len(lesson.questions)):
        said |= {id(note) for note in due(first, lesson.questions[: number + 1])}
    return [note for note in first.notes if not note.opens and id(note) not in said]


def written(text: str, told: dict[int, list[str]]) -> str:
    """Returns the file with this course, which is its last table."""
    lines = [HEAD]
    for seat, answers in told.items():
        row = ", ".join([f'"{answer}"'.replace(" ", TIED) for answer in answers])
        lines += [f"{seat} = [", textwrap.indent(textwrap.fill(row, 116), "    ").replace(TIED, " ") + ",", "]"]
    head, found, _ = text.partition(f"\n{HEAD}\n")
    return (head if found else text.rstrip("\n") + "\n") + "\n" + "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", metavar="GAME", help="an id or a module with a BOX")
    parser.add_argument("--seeds", metavar="FIRST-LAST", help="try these deals")
    parser.add_argument("--write", action="store_true", help="write the course into the file")
    given = parser.parse_args()
    try:
        box = named(given.game)
        first = found_in(box)
    except (Missing, Unfit) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if first is None:
        sys.stderr.write(f"{box.id} has no {FILE}.\n")
        return 2
    low, _, high = (given.seeds or str(first.seed)).partition("-")
    for seed in range(int(low), int(high or low) + 1):
        match = played(box, replace(first, seed=seed))
        asked = sum(seat == first.me for seat, _ in match.answers)
        missing = "; ".join(map(repr, unsaid(first, match))) or "none"
        sys.stdout.write(
            f"{seed}: {asked} questions, scores {match.scores}, won by {match.winners}; unsaid: {missing}\n"
        )
    if given.write:
        file = box.folder / FILE
        file.write_text(written(file.read_text("utf-8"), course(match)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
