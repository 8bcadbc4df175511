"""Programs that the build of the page runs."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from veillee.house.errors import CannotBuild
from veillee.page.texts import t

MAX_SAID_CHARACTERS = 2000  # of a program that has failed


def run_tool(command: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Runs a program and returns what it prints. Raises CannotBuild with the end of what it says."""
    done = subprocess.run(command, cwd=cwd, env=env, check=False, capture_output=True, text=True)  # noqa: S603 (ours)
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-MAX_SAID_CHARACTERS:]
        raise CannotBuild(t("{what} has failed: {said}", what=Path(command[0]).name, said=said))
    return done.stdout
