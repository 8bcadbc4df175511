"""`make play`: installs what is needed to play, opens the shelf, and compiles the engine in the background.

usage: python3 tools/setup/play.py [options of `veillee serve`]
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from install import ROOT, Impossible, compiler, engine, prepare, python, say


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
    if (place / "veillee-engines" / engine.key(ROOT / "src" / "veillee")).is_dir():
        pass  # it is compiled already
    elif compiler() is None:
        say("There is no C compiler here: everything works, but the bots think ten times slower than they could.")
    else:
        command = [str(python(place)), str(Path(__file__).with_name("build_engine.py")), "--apart", "--background"]
        builder = subprocess.Popen(command)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with subprocess.Popen([str(python(place)), "-m", "veillee", "serve", *options]) as house:
        try:
            return house.wait()
        except KeyboardInterrupt:  # from the terminal the house has heard it, too
            return 0
        finally:
            for process in (house, builder):  # what is compiled so far is not compiled again
                if process is not None and process.poll() is None:
                    process.send_signal(signal.SIGINT)


if __name__ == "__main__":
    sys.exit(main())
