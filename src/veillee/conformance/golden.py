"""Play games by seed and keep their records beside the rules: every later version of the rules must replay them.

For each number of players one game at random and one by the game's own advisor; each other value of an option once. A
record that exists stays: it is a promise. When the version of the rules is raised, records of the new one are made
beside those of the earlier ones. --again makes the present version's anew, for rules that were never released.

usage: python -m veillee.conformance.golden [--again] [GAME …]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from random import Random

from veillee.bots.planning import resample_for_seat
from veillee.conformance.beside import Missing, folder_of, golden_of, named
from veillee.conformance.cases import Case, cases
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.match.match import Match

RANDOM, ADVISED = "random", "advised"


def wanted(box: Box) -> Iterator[tuple[Case, str]]:
    for case in cases(box):
        yield case, RANDOM
        if not case.options:
            yield case, ADVISED


def played(case: Case, policy: str) -> Match:
    match = case.match(case.seats)
    pick = Random(case.seats)
    while not match.over:
        seat = pick.choice(match.to_act)
        legal = [choice.id for choice in match.choices(seat)]
        if policy == RANDOM:
            action = pick.choice(legal)
        else:
            number = pick.getrandbits(32)
            world = case.box.load(resample_for_seat(match.state, seat, number))
            action = case.box.advisor.first_idea(world, seat, Rng(number))
        match.play(seat, action)
    return match


def make(box: Box, *, again: bool) -> int:
    """Makes the missing records. Returns how many were made."""
    folder = folder_of(box) / "golden"
    folder.mkdir(parents=True, exist_ok=True)
    made = 0
    for case, policy in wanted(box):
        version = {"version": str(box.version)} if box.version > 1 else {}
        options = [f"{k}={v}" for k, v in (case.options | version).items()]
        path = folder / ("-".join([str(case.seats), policy, *options]) + ".json")
        if again or not path.exists():
            record = played(case, policy).record()
            path.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
            made += 1
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="an id or a module with a BOX; the shelf by default")
    parser.add_argument("--again", action="store_true", help="make the records that exist anew")
    given = parser.parse_args()
    try:
        for box in [named(name) for name in given.games] or list(BOXES.values()):
            made = make(box, again=given.again)
            sys.stdout.write(f"{box.id}: {made} made, {len(golden_of(box))} kept.\n")
    except Missing as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
