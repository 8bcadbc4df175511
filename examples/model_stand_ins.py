"""Stand-ins for a language model at the table: programs of the line protocol (docs/models.md), one file without dependencies.

    veillee arena takara-island --seats "program:python examples/model_stand_ins.py random,novice,novice" --games 60

random: any choice. first: the first choice. words: the choice whose words promise most (one line of heuristics).
"""

from __future__ import annotations

import json
import random
import re
import sys
from typing import Any


def chosen(way: str, choices: list[dict[str, Any]], chance: random.Random) -> dict[str, Any]:
    if way == "random":
        return chance.choice(choices)
    return choices[0] if way == "first" else max(choices, key=by_words)


def by_words(choice: dict[str, Any]) -> int:
    """The sum of what the label promises (+3 …) less what it costs (−2 …)."""
    signed = re.findall(r"([+−])(\d+)", choice["label"])
    return sum(int(number) if sign == "+" else -int(number) for sign, number in signed)


def main(way: str) -> None:
    chance = random.Random(0)
    for line in sys.stdin:
        said = json.loads(line)
        if "veillee" in said:  # a game begins: said has the game, the seat and a seed
            chance.seed(said["seed"])
            answer: dict[str, Any] = {"ready": True}
        elif "over" in said:
            answer = {"over": True}
        else:
            answer = {"ask": said["ask"], "choice": chosen(way, said["choices"], chance)["id"]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
