"""tools/check/check_commits.py: messages of new commits have an area, a verb, a length and a reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "check" / "check_commits.py"


def git(folder, *arguments):
    named = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    ran = subprocess.run(["git", *named, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "An old sentence without an area")
    return tmp_path, git(tmp_path, "rev-parse", "HEAD")


def check(repository):
    folder, since = repository
    ran = subprocess.run([sys.executable, TOOL, folder, since], check=False, capture_output=True, text=True)
    return ran.returncode, ran.stdout


def test_a_message_by_the_rule_passes(repository):
    git(
        repository[0], "commit", "-q", "--allow-empty", "-m", "storage: Write answers in batches", "-m", "It is faster."
    )
    assert check(repository) == (0, "Commits: 1 messages in order.\n")


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (["The house is quicker", "why"], "not `area: Imperative sentence`"),
        (["storage: write answers", "why"], "not `area: Imperative sentence`"),
        (["storage: Write answers.", "why"], "without a full stop"),
        (["storage: " + "Write " * 12, "why"], "characters, at most 72"),
        (["storage: Write answers"], "no body that says why"),
    ],
)
def test_a_message_against_the_rule_is_named(repository, message, fault):
    git(repository[0], "commit", "-q", "--allow-empty", *[word for text in message for word in ("-m", text)])
    code, said = check(repository)
    assert code == 1
    assert fault in said


def test_without_a_history_nothing_is_wrong(tmp_path):
    assert check((tmp_path, "0" * 40)) == (0, "Commits: no history here to check.\n")
