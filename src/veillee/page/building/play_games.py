"""Plays random games of every box, with every number of players, and writes the hash of each last position, which is the
same with every form of the engine: main() in Pyodide, which also replays the golden games of the conformance suite; on
CPython: python play_games.py
"""

# ruff: noqa: ASYNC240, T201

import json
import sys
from hashlib import sha256
from pathlib import Path

if sys.platform == "emscripten":
    sys.path.insert(0, "/lay/py")
    sys.dont_write_bytecode = True

import veillee
from veillee import engine
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.match.setup import complete


def play() -> list[str]:
    lines = []
    for box in BOXES.values():
        for seats in box.players:
            rng = Rng(seats)
            state = box.new(seats, rng, complete(box, {}), None)
            while state.to_act:
                seat = state.to_act[-1]
                state.apply(seat, box.advisor.first_idea(state, seat, rng), rng)
            digest = sha256(json.dumps(state.dump(), sort_keys=True).encode()).hexdigest()
            lines.append(f"{box.id} {seats} {digest}")
    return lines


def replay_golden_games(folder: Path) -> list[str]:
    """Returns the names of those that do not end as they did."""
    return [
        file.name
        for file in sorted(folder.rglob("*.json"))
        if not veillee.verify(json.loads(file.read_text("utf-8"))).holds
    ]


async def main() -> None:
    told = {"compiled": engine.is_compiled(), "games": play(), "broken": replay_golden_games(Path("/lay/golden"))}
    Path("/lay/games.json").write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__" and sys.platform != "emscripten":
    print(json.dumps(play()))
