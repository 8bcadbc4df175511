"""The command `python -m veillee.lab.measure` under its former name: lab/strength_scale.py."""

from __future__ import annotations

import sys

from veillee.lab.strength_scale import main

if __name__ == "__main__":
    print("This command is now called: python -m veillee.lab.strength_scale", file=sys.stderr)  # noqa: T201
    main()
