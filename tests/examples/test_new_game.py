"""`veillee new-game`: one command writes a game that passes the conformance suite and can be played."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import veillee

sys.path.insert(0, str(Path(__file__).parents[2] / "tools/check"))
from mechanical import share

sys.path.pop(0)

MOST_LINES = 700  # of the whole package
MOST_MECHANICAL = 10  # per cent of its rules
KEYS = "r ZZ-2.3\n" + "1\n" * 60  # asks for a rule and then always takes the first choice


def run(*arguments: object, cwd: Path, given: str = "") -> str:
    command = [sys.executable, "-m", "veillee", *map(str, arguments)]
    done = subprocess.run(command, env=ENV, cwd=cwd, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


ENV = {
    **os.environ,
    "PYTHONPATH": str(Path(veillee.__file__).parents[1]),
    "VEILLEE_LANG": "en",
    "VEILLEE_ENGINES": os.environ.get("VEILLEE_ENGINES", "off"),
}


def shell(line: str, cwd: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(line, shell=True, env=ENV, cwd=cwd, input=given, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Path, str]:
    """The folder of a new game, under a name as people write them; and what the command has said."""
    place = tmp_path_factory.mktemp("été à la mer")
    told = run("new-game", "L’Île au « trésor »", "--code", "zz", cwd=place)
    return place / "l-ile-au-tresor", told


def test_it_keeps_the_promises_of_the_house_at_once(tmp_path):
    told = run("new-game", "nova", "--try", cwd=tmp_path)
    assert re.search(r"\b\d\d+ passed", told)
    assert not re.search(r"failed|error", told)
    for suite in ("tests/test_rules.py", "test_secrets.py", "test_golden.py", "test_words.py", "test_boards.py"):
        assert suite in told


def test_it_is_small_and_says_nothing_twice(made):
    folder, _ = made
    files = [p for p in folder.rglob("*") if p.is_file() and not {"__pycache__", ".pytest_cache"} & set(p.parts)]
    assert len([p for p in files if p.suffix == ".json"]) == 6, "golden games"
    assert sum(len(p.read_text(encoding="utf-8").splitlines()) for p in files) < MOST_LINES
    some, every = share(folder / "l_ile_au_tresor")
    assert 0 < some < every * MOST_MECHANICAL / 100


def test_nothing_of_the_skeletons_own_names_is_left(made):
    folder, _ = made
    for path in folder.rglob("*"):
        if path.is_file() and not {".pytest_cache", "__pycache__"} & set(path.parts):
            text = path.relative_to(folder).as_posix() + path.read_text(encoding="utf-8")
            assert not re.search(r"my.?game|(?<![a-z])mg(?![a-z])", text, re.IGNORECASE), path


def test_what_it_says_to_do_next_can_be_done(made):
    """As it was printed; but serving does not end, and the suite was run above."""
    folder, told = made
    commands = [line.strip() for line in told.partition("What next:\n")[2].splitlines()]
    assert commands[0] == f"cd {folder.name}"
    assert "--with . serve --dev" in commands[2]
    played = shell(f"{commands[0]} && {commands[1]} --seats 2 --level novice --name Ada", folder.parent, KEYS)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "L’Île au « trésor »" in played.stdout
    assert "It must be higher than the last one there." in " ".join(played.stdout.replace("│", "").split())
    assert "Ada draws a card." in played.stdout
    assert "Victory: " in played.stdout
    assert commands[3].endswith("-m pytest -p pytest_veillee --pyargs tests veillee.conformance --game l-ile-au-tresor")


def test_its_page_is_served_and_answered(made, tmp_path):
    folder, _ = made
    command = [sys.executable, "-m", "veillee", "--with", folder, "serve", "--port", "0", "--data", tmp_path]
    server = subprocess.Popen(command, env=ENV, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://\S+[0-9]", server.stdout.readline())[0]
        with httpx.Client(base_url=url, timeout=20, cookies={"lang": "fr"}, follow_redirects=True) as client:
            assert "L’Île au « trésor »" in client.get("/").text
            page = client.post("/games/l-ile-au-tresor/play", headers={"Origin": url}).text
            assert 'id="part-rows"' in page
            assert 'id="part-hand"' in page
            assert "Votre main" in page
            assert ".zz-card" in client.get(re.search(r"/boards/zz/board\.css\?\w+", page)[0]).text
            assert ".zz {" in client.get("/boards/palettes.css").text
    finally:
        server.terminate()
        server.communicate()
