"""`make test-fast [GAME=…]`: runs the tests that a change can break, in seconds; `make test` is authoritative.

With a game: its own tests and its conformance suite. Otherwise by the changed files in git: the tests of changed games and
packages, and changed tests; if nothing changed, a short run of everything. All on the sources, without a browser.

usage: python tools/dev/test_fast.py [GAME]
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "src/veillee/"
ROOMS = {  # where tests of a room are; what stands on the kernel is tested with it
    "kernel": ["tests/kernel", "tests/match", "tests/bots/compiled/test_search.py"],
    "words.py": ["tests/test_words.py", "src/veillee/conformance/test_words.py"],
    "engine.py": ["tests/test_engine.py"],
    "bots": ["tests/bots"],
    "match": ["tests/match"],
    "house": ["tests/house"],
    "lab": ["tests/lab"],
    "web": [
        "tests/web/serving/test_server.py",
        "tests/web/live/test_submit_answer.py",
        "tests/web/rendering/test_rulebook.py",
        "tests/web/serving/test_dev_reload.py",
    ],
    "cli": ["tests/cli"],
    "skeleton": ["tests/cli/test_new_game.py", "tests/examples/test_new_game.py"],
}
QUICK = ["tests/kernel", "tests/match", "src/veillee/conformance/test_flow.py", "tests/test_engine.py"]
SECONDS = 20


def changed() -> list[str]:
    """Returns the files that differ from the last commit on the main branch, including new ones."""
    base = git("merge-base", "HEAD", "origin/main") or git("merge-base", "HEAD", "main") or ["HEAD"]
    return sorted({*git("diff", "--name-only", base[0]), *git("ls-files", "--others", "--exclude-standard")})


def git(*words: str) -> list[str]:
    ran = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, text=True)
    return ran.stdout.split("\n")[:-1] if ran.returncode == 0 else []


def of_games(folders: list[str]) -> list[str]:
    """Returns the games' own tests, and the conformance suite for them."""
    own = [f"tests/games/{folder}" for folder in folders if (ROOT / "tests/games" / folder).is_dir()]
    names = [name for folder in folders for name in (folder, folder.replace("_", "-"))]
    return [*own, "src/veillee/conformance", "-k", " or ".join(names)]


def calls(files: list[str]) -> list[list[str]]:
    games, tests = set(), set()
    for file in files:
        if file.startswith(SOURCE + "games/") and file.count("/") > 3:
            games.add(file.split("/")[3])
        elif file.startswith(SOURCE):
            tests.update(ROOMS.get(file.removeprefix(SOURCE).split("/")[0], QUICK))
        elif file.startswith("tests/") and Path(file).name.startswith("test_") and (ROOT / file).exists():
            tests.add(file)
        elif file.startswith("tools/"):
            tests.add("tests/tools")
    found = [of_games(sorted(games))] if games else []
    return [*found, *([sorted(tests)] if tests else [])] or [QUICK]


def main() -> int:
    named = sys.argv[1].replace("-", "_") if len(sys.argv) > 1 else ""
    if named and not (ROOT / SOURCE / "games" / named / "__init__.py").exists():
        there = sorted(path.parent.name.replace("_", "-") for path in (ROOT / SOURCE / "games").glob("*/__init__.py"))
        print(f"There is no game {sys.argv[1]}. On the shelf: {', '.join(there)}.")
        return 2
    wanted = [of_games([named])] if named else calls(changed())
    env = {**os.environ, "VEILLEE_ENGINES": "off"}
    for call in wanted:
        print("pytest " + " ".join(call), flush=True)
        command = [sys.executable, "-m", "pytest", "-x", "-n", "2", "--dist", "worksteal", "-m", "not browser", *call]
        code = subprocess.run(command, cwd=ROOT, env=env, check=False).returncode
        if code not in (0, 5):  # 5: none of them is chosen by -k
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
