"""`make pgo`: builds a compiled wheel with profile-guided optimization (gcc), into dist/.

The engine is built once with counters, plays and searches random games of every box, and is built again with the profile:
in a copy of the sources that stays in place, because gcc finds the counts beside the objects.

usage: python tools/setup/pgo.py [--out FOLDER]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from install import ROOT, copy_sources, say

TRAINING = """
from veillee.bots.compiled.search import Search, playout
from veillee.bots.compiled.search_tree import Tree
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves
from veillee.match.setup import complete

for box in BOXES.values():
    rng, moves = Rng(1), Moves()
    for seats in box.players:
        for _ in range(300):
            playout(box.new(seats, rng, complete(box, {}), None), rng, moves)
        state = box.new(seats, rng, complete(box, {}), None)
        for guided in (False, True):
            Search(state, state.to_act[0], box.advisor, guided, 0.5, rng, Tree()).run(300)
"""


def setup(folder: Path, profile: str, *arguments: str) -> None:
    env = {**os.environ, "VEILLEE_COMPILE": "1", "VEILLEE_PROFILE": profile, "VEILLEE_ENGINES": "off"}
    subprocess.run([sys.executable, "setup.py", "-q", *arguments], cwd=folder, env=env, check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    out = parser.parse_args().out.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_sources(folder)
        say("Compiling with counters (two minutes) …")
        setup(folder, "generate", "build_ext", "--inplace")
        say("Playing …")
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(folder / "src"), str(folder)]),
            "VEILLEE_ENGINES": "off",
        }
        subprocess.run([sys.executable, "-c", TRAINING], env=env, check=True)
        for library in folder.rglob("*.so"):
            library.unlink()
        say("Compiling with what was counted (two minutes) …")
        setup(folder, "use", "build_ext", "--force", "bdist_wheel", "--dist-dir", str(out))
    say(f"The wheel is in {out}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
