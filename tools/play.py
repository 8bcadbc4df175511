"""`make play`: install what it takes to play, open the shelf, and have the engine compiled while people play.

usage: python3 tools/play.py [options of `veillee serve`]
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from install import ROOT, Impossible, compiler, prepare, python, say


def main() -> int:
    try:
        place = prepare("play")
    except Impossible as problem:
        say(str(problem))
        return 1
    options = sys.argv[1:] or ["--open"]
    if place.parent != ROOT:  # which cannot be written
        say(f"This folder cannot be written: Veillée and its tables are kept in {place}.")
        options += ["--data", str(place / "data")]
    builder = None
    if compiler() is not None:
        command = [str(python(place)), str(Path(__file__).with_name("build_engine.py")), "--apart", "--background"]
        builder = subprocess.Popen(command)
    with subprocess.Popen([str(python(place)), "-m", "veillee", "serve", *options]) as house:
        try:
            return house.wait()
        except KeyboardInterrupt:  # the house has heard it, too
            return house.wait()
        finally:
            if builder is not None:
                builder.terminate()  # what is compiled so far is not compiled again


if __name__ == "__main__":
    sys.exit(main())
