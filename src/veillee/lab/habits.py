"""The command `python -m veillee.lab.habits` under its former name: lab/policy_learning.py."""

from __future__ import annotations

import sys

from veillee.lab.policy_learning import main

if __name__ == "__main__":
    print("This command is now called: python -m veillee.lab.policy_learning", file=sys.stderr)  # noqa: T201
    main()
