"""The command `python -m veillee.lab.learn` under its former name: lab/value_learning.py."""

from __future__ import annotations

import sys

from veillee.lab.value_learning import main

if __name__ == "__main__":
    print("This command is now called: python -m veillee.lab.value_learning", file=sys.stderr)  # noqa: T201
    main()
