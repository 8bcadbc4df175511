"""Checks the messages of new commits: `area: Imperative sentence`, at most 72 characters, and a body that says why.

usage: python tools/check/check_commits.py [REPOSITORY [LAST_UNCHECKED]]

Commits up to LAST_UNCHECKED were written before the rule. Without git, or in a clone that lacks that commit (a shallow
one), there is nothing to compare with: that is said, and is no error.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAST_UNCHECKED = "9ce7c614966bca1acf3ea7c04f9330b53d8d5bdc"
MAX_SUBJECT_CHARACTERS = 72
SUBJECT = re.compile(r"[a-z][a-z0-9_-]*: [A-Z].*[^.]")
SEPARATOR = "\x1e"


def faults(subject: str, body: str) -> Iterator[str]:
    """Yields what is wrong with a commit's message."""
    if not SUBJECT.fullmatch(subject):
        yield "the subject is not `area: Imperative sentence`, without a full stop"
    if len(subject) > MAX_SUBJECT_CHARACTERS:
        yield f"the subject has {len(subject)} characters, at most {MAX_SUBJECT_CHARACTERS}"
    if not body.strip():
        yield "there is no body that says why"


def messages(repository: Path, since: str) -> list[tuple[str, str, str]] | None:
    """Returns hash, subject and body of the commits after `since`; None: they cannot be read here."""
    command = ["git", "log", "--no-merges", f"--format=%h%n%s%n%b{SEPARATOR}", f"{since}..HEAD"]
    try:
        ran = subprocess.run(command, cwd=repository, check=False, capture_output=True, text=True, encoding="utf-8")
    except FileNotFoundError:
        return None
    if ran.returncode:
        return None
    parts = [text.strip("\n").split("\n", 2) for text in ran.stdout.split(SEPARATOR) if text.strip()]
    return [(part[0], part[1], part[2] if len(part) > 2 else "") for part in parts]


def main() -> int:
    repository = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    since = sys.argv[2] if len(sys.argv) > 2 else LAST_UNCHECKED
    found = messages(repository, since)
    if found is None:
        print("Commits: no history here to check.")
        return 0
    wrong = [f"{commit} {subject!r}: {fault}" for commit, subject, body in found for fault in faults(subject, body)]
    print("\n".join(wrong) or f"Commits: {len(found)} messages in order.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
