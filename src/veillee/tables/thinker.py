"""A process that thinks for bots: one question per line in, one line of answers out. Run by workers.py.

An error ends the process, its story on stderr: whoever asked notices, and asks another one.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from veillee.bots.think import plan


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then closes our input
    if hasattr(os, "nice"):
        os.nice(5)  # people's clicks go first
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing but answers may get into the pipe
    for line in sys.stdin:
        job = json.loads(line)
        actions = plan(job["box_id"], job["position"], job["seat"], job["level"], job["seed"])
        try:
            answers.write(json.dumps(actions) + "\n")
            answers.flush()
        except BrokenPipeError:  # the server was killed while we thought
            os._exit(0)


if __name__ == "__main__":
    main()
