"""Installs the example into a separate folder, beside the tested Veillée."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "liars_dice"
PIP = (
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--no-deps",
    "--no-build-isolation",
    "--no-index",
)


@dataclass(frozen=True)
class Elsewhere:
    """Another Python, which finds the game in `folder`, and the same Veillée as this one."""

    folder: Path

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": os.pathsep.join([str(self.folder), *filter(None, sys.path)])}

    def run(self, *arguments: object, given: str = "", expect: int = 0) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *map(str, arguments)]
        done = subprocess.run(
            command, env=self.env, cwd=self.folder, input=given, capture_output=True, text=True, check=False
        )
        assert done.returncode == expect, done.stdout[-3000:] + done.stderr[-3000:]
        return done

    def veillee(self, *arguments: object, given: str = "", expect: int = 0) -> subprocess.CompletedProcess[str]:
        return self.run("-m", "veillee", *arguments, given=given, expect=expect)

    def conforms(self, *arguments: object, expect: int = 0) -> str:
        pytest = (
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:schemathesis",
            "-p",
            "no:faker",
            "-p",
            "pytest_veillee",
            "--pyargs",
            "veillee.conformance",
        )
        done = self.run(*pytest, *arguments, expect=expect)
        return done.stdout + done.stderr


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> Elsewhere:
    source = tmp_path_factory.mktemp("source") / "liars_dice"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, *PIP, "--target", str(folder), str(source)], check=True)
    return Elsewhere(folder)


@pytest.fixture
def copied(installed, tmp_path) -> Elsewhere:
    """One that a test may spoil."""
    return Elsewhere(Path(shutil.copytree(installed.folder, tmp_path / "copied")))
