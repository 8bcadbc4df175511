"""A game of another package: in the catalogue, at the table, in the arena, on the web; and it passes the conformance suite.

The house may be compiled; the game is not.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import httpx
import pytest

from veillee.kernel import state

compiled = not state.__file__.endswith(".py")


def test_it_stands_on_the_shelf(installed):
    assert "Le Dé menteur" in installed.veillee("games", "--lang", "fr").stdout
    told = installed.veillee("doctor", "--lang", "en").stdout
    assert "liars-dice 1" in told
    assert "liars_dice.rules: interpreted" in told
    assert f"kernel.state: {'compiled' if compiled else 'interpreted'}" in told


def test_it_is_played_in_the_terminal(installed):
    arguments = ("play", "liars-dice", "--seats", 2, "--seed", 3, "--level", "novice", "--name", "Ada", "--lang", "en")
    told = installed.veillee(*arguments, given="r LD-2.4\n" + "1\n" * 200).stdout
    assert "A bid is higher with more dice of any face" in told
    assert "Ada bids" in told
    assert "Victory: " in told


def test_bots_play_it_in_processes_of_their_own(installed):
    arguments = ("arena", "liars-dice", "--seats", "novice,random", "--games", 4, "--workers", 2, "--json")
    assert json.loads(installed.veillee(*arguments).stdout)["games"] == 4


def test_its_speed_is_measured(installed):
    figures = json.loads(installed.veillee("bench", "ld", "--seconds", 0, "--json").stdout)
    assert figures["decisions_per_s"] > 0
    assert figures["compiled"] is False


@pytest.fixture(scope="module")
def url(installed, tmp_path_factory):
    """A house with the game on its shelf, open to browsers and programs."""
    data = tmp_path_factory.mktemp("data")
    command = [sys.executable, "-m", "veillee", "serve", "--port", "0", "--data", str(data)]
    env = {**installed.env, "VEILLEE_LANG": "en"}
    server = subprocess.Popen(command, env=env, cwd=data, stdout=subprocess.PIPE, text=True)
    found = re.search(r"http://\S+[0-9]", server.stdout.readline())
    yield found[0]
    server.terminate()
    server.communicate()


def test_it_is_played_on_the_web_against_a_bot(url):
    with httpx.Client(base_url=url, timeout=20, headers={"Accept-Language": "en"}) as client:
        token = client.post("/api/guests", json={"name": "Ada"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        seats = [{"kind": "me"}, {"kind": "bot", "level": "novice"}]
        table = client.post("/api/tables", json={"game": "liars-dice", "seats": seats}).json()["id"]
        for _ in range(3):
            seat = asked(client, table)
            answer = seat["choices"][0]["id"]
            told = client.post(
                f"/api/tables/{table}/seats/0/answers", json={"stamp": seat["stamp"], "answers": [answer]}
            )
            assert told.status_code == 200, told.text
        log = "".join(line["text"] for line in asked(client, table)["log"])
        assert "Ada bids" in log or "Ada doubts" in log
        assert re.search(r"(?<!Ada) (bids|doubts)", log), "the bot"


def asked(client: httpx.Client, table: str) -> dict:
    """The position, once the bot, which thinks in a process of its own, has answered."""
    for _ in range(200):
        position = client.get(f"/api/tables/{table}/seats/0").json()
        if position["choices"]:
            return position
        time.sleep(0.1)
    raise AssertionError("the bot does not answer")


def test_its_board_pictures_and_rulebook_are_served_from_its_own_folder(url):
    with httpx.Client(base_url=url, timeout=20, cookies={"lang": "en"}, follow_redirects=True) as client:
        shelf = client.get("/").text
        assert "Liar&#39;s Dice" in shelf
        assert '<ellipse cx="112"' in shelf, "the cover"
        assert ".ld {" in client.get("/boards/palettes.css").text
        assert "ones are not wild" in client.get("/rules/liars-dice").text
        headers = {"Origin": url}
        page = client.post("/games/liars-dice/play", headers=headers).text
        assert 'id="part-cups"' in page
        assert "icons.svg?" in page
        sheet = re.search(r"/boards/ld/board\.css\?\w+", page)[0]
        assert ".ld-table" in client.get(sheet).text
        assert 'id="die-6"' in client.get("/boards/liars-dice/icons.svg").text


def test_it_keeps_the_promises_of_the_house(installed):
    told = installed.conforms("--game", "liars-dice")
    assert "failed" not in told
    assert "100%" in told


BROKEN = {  # a change in a file, and the test that must notice it
    "test_resampling_what_a_seat_cannot_know_changes_nothing_it_is_shown": (
        "view.py",
        "g.players[seat].faces) if seat >= 0",
        "g.players[0].faces) if seat >= 0",
    ),
    "test_a_golden_game_is_replayed_to_its_end": ("rules.py", "DICE = 5", "DICE = 4"),
    "test_a_number_means_what_it_meant": ("rules.py", 'return "doubt", {}', 'return "liar", {}'),
    "test_whatever_is_said_in_a_game_is_translated": ("words.py", '"Doubt it"', '"Liar!"'),
    "test_no_part_of_the_contract_is_misspelt": ("bot.py", "def horizon", "def horizont"),
    "test_the_table_is_shown_to_every_seat_at_every_question": ("board/public/cups.html", "v.round", "v.rond"),
    "test_each_rule_is_explained_once_and_says_whose_words_are_whose": ("rulebook/fr.md", "[LD-3.2] ", ""),
}


def test_a_game_that_breaks_its_promises_is_found_out(copied):
    for file, old, new in BROKEN.values():
        path = copied.folder / "liars_dice" / file
        source = path.read_text(encoding="utf-8")
        assert old in source
        path.write_text(source.replace(old, new), encoding="utf-8")
    (copied.folder / "liars_dice" / "conformance" / "census.py").unlink()
    told = copied.conforms("--game", "liars-dice", "-k", " or ".join([*BROKEN, "test_no_component"]), expect=1)
    for test in BROKEN:
        assert re.search(rf"FAILED \S+::{test}\[", told), test
    for sentence in ("must have a census(state)", "Bluffer.horizont: horizon?", "no attribute 'rond'"):
        assert sentence in told


def test_a_module_with_a_box_can_be_tested_before_it_is_on_the_shelf(copied):
    for info in copied.folder.glob("*.dist-info"):
        (info / "entry_points.txt").unlink()
    for name in ("liars_dice", "liars-dice"):
        told = copied.conforms("--game", name, "-k", "test_a_number_means", "-rA")
        assert "::test_a_number_means_what_it_meant[liars-dice]" in told
    told = copied.conforms("--game", "liar-dice", expect=4)
    assert told.count("There is no game and no module 'liar-dice'. On the shelf: ghost-knights") == 1
