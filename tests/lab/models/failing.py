"""A model with known failings: it reads a script of what to do at each attempt, and answers its first choice after it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

PLAY, COLOURS = 2, 6  # of Ghost Knights: answers that play a card


def main(script: Path) -> None:
    steps = json.loads(script.read_text(encoding="utf-8"))
    for line in sys.stdin:
        said = json.loads(line)
        if "veillee" in said:
            print(json.dumps({"ready": True}), flush=True)
        elif "over" in said:
            print(json.dumps({"over": True}), flush=True)
        elif "rules" not in said:
            do(steps.pop(0) if steps else "first", said)


def do(step, said) -> None:
    ask, ids = said["ask"], [choice["id"] for choice in said["choices"]]
    answers = {
        "first": [{"ask": ask, "choice": ids[0]}],
        "prose": "I would rather draw a card, because it is early.",
        "two": [{"ask": ask, "choice": ids[:1] * 2}],
        "twice": [{"ask": ask, "choice": ids[0]}, {"ask": ask, "choice": ids[-1]}],
        "nothing": "",
        "no choice": [{"ask": ask}],
        "text": [{"ask": ask, "choice": str(ids[0])}],
        "other seat": [{"ask": ask, "seat": said["seat"] + 1, "choice": ids[0]}],
        "late": None,
        "not held": [{"ask": ask, "choice": min({*range(PLAY, PLAY + COLOURS)} - {*ids}, default=None)}],
        "rules": [{"ask": ask, "rule": "gk-2.1"}, {"ask": ask, "choice": ids[0]}],
    }
    if step == "end":
        sys.exit()
    answer = answers[step] if isinstance(step, str) else [{"ask": ask, "choice": step}]
    if isinstance(answer, str):
        print(answer, flush=True)
    for one in answer if isinstance(answer, list) else ():
        print(json.dumps(one), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
