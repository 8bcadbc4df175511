"""Play games by seed and keep their records in tests/golden: every later version of the rules must replay them.

For each number of players one game at random and one by the game's own advisor; each other value of an option once. A
record that exists stays: it is a promise. When the version of the rules is raised, records of the new one are made
beside those of the earlier ones. --again makes the present version's anew, for rules that were never released.

usage: python tools/make_golden.py [--again] [GAME …]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

import veillee  # noqa: E402 - of this source tree, whatever is installed
from veillee.bots.think import blind  # noqa: E402
from veillee.games.box import Box, Options  # noqa: E402
from veillee.games.catalogue import find  # noqa: E402
from veillee.kernel.chance import Rng  # noqa: E402
from veillee.match.match import Match  # noqa: E402

GOLDEN = ROOT / "tests" / "golden"
RANDOM, ADVISED = "random", "advised"


def cases(box: Box) -> Iterator[tuple[int, str, Options]]:
    for seats in box.players:
        yield seats, RANDOM, {}
        yield seats, ADVISED, {}
    for number, option in enumerate(box.options):
        for value in list(option.values)[1:]:
            yield box.players[number % len(box.players)], RANDOM, {option.id: value}


def played(box: Box, seats: int, policy: str, options: Options) -> Match:
    match = veillee.new(box.id, seats, seed=seats, **options)
    pick = Random(seats)
    while not match.over:
        seat = pick.choice(match.to_act)
        legal = [choice.id for choice in match.choices(seat)]
        if policy == RANDOM:
            action = pick.choice(legal)
        else:
            number = pick.getrandbits(32)
            world = box.load(blind(match.state, seat, number))
            action = box.advisor.first_idea(world, seat, Rng(number))
        match.play(seat, action)
    return match


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all of the shelf by default")
    parser.add_argument("--again", action="store_true", help="make the records that exist anew")
    given = parser.parse_args()
    for name in given.games or [box.id for box in veillee.games()]:
        box = find(name)
        if box is None:
            print(f"There is no game {name!r}.", file=sys.stderr)
            return 2
        folder = GOLDEN / box.folder.name
        folder.mkdir(parents=True, exist_ok=True)
        made = 0
        for seats, policy, options in cases(box):
            version = {"version": str(box.version)} if box.version > 1 else {}
            parts = [str(seats), policy, *(f"{k}={v}" for k, v in (options | version).items())]
            path = folder / f"{'-'.join(parts)}.json"
            if given.again or not path.exists():
                record = played(box, seats, policy, options).record()
                path.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")
                made += 1
        print(f"{box.id}: {made} made, {len(list(folder.glob('*.json')))} kept.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
