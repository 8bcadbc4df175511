"""`veillee play`: a whole game through stdin, and its commands (rules, hints, save)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import veillee
from veillee.cli import app
from veillee.cli.play import free_path
from veillee.games.catalogue import BOXES

GAME = ["play", "ghost-knights", "--level", "random", "--name", "Ana", "--seed", "3"]


def evening(tmp_path, *words: str, lang: str = "en", arguments=(), expect: int = 0) -> str:
    """What the terminal shows while these words are typed; then the lid is closed (end of input)."""
    save = [] if "--save" in arguments or arguments[:1] == ("play",) else ["--save", str(tmp_path / "kept.json")]
    command = list(arguments) if arguments[:1] == ("play",) else [*GAME, *arguments]
    result = CliRunner().invoke(app, [*command, *save, "--lang", lang], input="".join(f"{word}\n" for word in words))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == expect, result.output
    return result.output


def test_the_board_the_question_with_its_rule_and_numbered_choices(tmp_path):
    shown = evening(tmp_path, "q")
    assert "Ghost Knights" in shown
    assert re.search(r"sealed before the first move: [0-9a-f]{64}", shown)
    assert "Dolmen III" in shown
    assert "Your hand:" in shown
    assert "Draw a second card, or play one? (GK-2.1)" in shown
    assert re.search(r"^ +1  Draw a second card$", shown, re.MULTILINE)
    assert re.search(r"^ +2  Play a \w+ card$", shown, re.MULTILINE)


def test_everything_in_french(tmp_path):
    shown = evening(tmp_path, "?", "r", "u", "99", "x", "l", "q", lang="fr")
    assert "Piochez-vous une seconde carte, ou en jouez-vous une\u202f? (GK-2.1)" in shown
    assert "Votre main" in shown
    for english in (" the ", "card", "You ", "Nothing"):
        assert english not in shown


def test_why_not_names_reason_and_rule(tmp_path):
    assert re.search(r"Play a \w+ card: You hold no \w+ card\. \(GK-2\.1\)", evening(tmp_path, "?"))


def test_the_text_of_a_rule(tmp_path):
    shown = evening(tmp_path, "r", "r gk-2.6", "r gk-2.7", "r GK-99.9")
    assert "Then either draw a second one" in shown
    assert "GK-2.6 (our ruling)" in shown
    assert re.search(r"A card that was played is discarded\.\W+our ruling  Discards lie face up", shown)
    assert "There is no rule GK-99.9" in shown


def test_a_number_that_is_not_offered_and_a_word_that_nobody_knows(tmp_path):
    shown = evening(tmp_path, "99", "0", "dance")
    assert shown.count("Choose a number from 1 to") == 2
    assert "I do not know 'dance'." in shown


def test_what_is_thrown_away_is_asked_about(tmp_path):
    """Takara Island: ending the day with adventurers left is the last choice, and asks; any answer but yes cancels it."""
    kept = tmp_path / "kept.json"
    arguments = ("play", "takara-island", "--level", "random", "--seed", "5", "--save", str(kept))
    shown = evening(tmp_path, "q", arguments=arguments)
    last = re.findall(r"^ +(\d+)  ", shown, re.MULTILINE)[-1]
    assert last != "1"
    assert f"{last}  Stop here: end the day" in shown
    shown = evening(tmp_path, last, "n", "q", arguments=arguments)
    assert re.search(r"adventurers? ha\w+ done nothing today", shown)
    assert "Do it anyway?" in shown
    assert not any(seat == 0 for seat, _ in json.loads(kept.read_text())["answers"])
    shown = evening(tmp_path, last, "oui", "q", arguments=arguments, lang="fr")
    assert "rien fait aujourd’hui" in shown
    assert any(seat == 0 for seat, _ in json.loads(kept.read_text())["answers"])


def test_undo(tmp_path):
    shown = evening(tmp_path, "u", "2", "u", "q")
    assert "Nothing can be undone" in shown
    assert "At which dolmen" in shown
    assert shown.count("Draw a second card, or play one?") == 2
    assert json.loads((tmp_path / "kept.json").read_text())["answers"][-1][0] != 0  # Ana's card is back in her hand


def test_a_hint_is_one_of_the_choices(tmp_path):
    shown = evening(tmp_path, "h")
    (hint,) = re.findall(r"I would choose: (.+)\.", shown)
    assert re.search(rf"^ +\d+  {re.escape(hint)}$", shown, re.MULTILINE)


def test_a_hint_tells_its_reason_and_the_chances_of_the_best_few(tmp_path):
    shown = evening(tmp_path, "h")
    after = shown[shown.index("I would choose") :]
    chances = re.findall(r"^ +(\d+)\u00a0%  (.+?) *$", after[after.index("Chances to win") :], re.MULTILINE)
    assert 2 <= len(chances) <= 4
    assert f"I would choose: {chances[0][1]}." in after
    assert all(0 <= int(wins) <= 100 for wins, _ in chances)
    assert "Chances de gagner" in evening(tmp_path, "h", lang="fr")


def test_what_happened_is_told_line_by_line_at_the_speed_that_was_chosen(tmp_path, monkeypatch):
    rests = {}
    for speed in ("calm", "normal", "brisk", "at-once"):
        monkeypatch.setattr("veillee.cli.play.time.sleep", rests.setdefault(speed, []).append)
        evening(tmp_path, "2", "1", "q", arguments=("--speed", speed))
    assert len(rests["normal"]) > 5, "a pause for every line"
    assert rests["calm"] == pytest.approx([1.6 * rest for rest in rests["normal"]])
    assert rests["brisk"] == pytest.approx([0.4 * rest for rest in rests["normal"]])
    assert rests["at-once"] == []
    assert min(rests["normal"]) > 0.3
    assert max(rests["normal"]) > min(rests["normal"]), "longer sentences take longer"


def test_where_nobody_looks_on_it_is_told_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("veillee.cli.play.time.sleep", lambda _: pytest.fail("waits for nobody"))
    evening(tmp_path, "2", "1", "q")


def test_a_game_that_goes_on_tells_what_happened_since_the_last_answer(tmp_path):
    kept = tmp_path / "kept.json"
    first = evening(tmp_path, "2", "1", "q")
    again = evening(tmp_path, "l", "q", arguments=("play", str(kept)))
    told, whole = again.split("›", 1)
    lines = [line.strip() for line in whole.splitlines() if re.search(r"\(GK-[\d.]+\)$", line)]
    assert lines[0] in first, "the log is whole"
    assert lines[0] not in told, "but what one knew before one's last answer is no news"
    assert lines[-1] in told


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")
def test_at_a_terminal_enter_skips_to_the_question(tmp_path):
    """In a terminal of its own: lines come one after the other; Enter brings the rest, and an answer is kept."""
    import pty

    source = Path(veillee.__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(source), "VEILLEE_LANG": "en", "TERM": "dumb", "COLUMNS": "100"}
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "veillee", *GAME, "--speed", "calm", "--save", str(tmp_path / "kept.json")]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""

    def until(words: bytes) -> None:
        nonlocal shown
        while words not in shown:
            shown += os.read(ours, 4096)

    try:
        until(b"plays first")
        assert b"Draw a second card, or play one?" not in shown  # not everything at once
        os.write(ours, b"q\n")  # before the question is asked
        until(b"The game is kept in")
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_leaving_keeps_the_game_and_the_file_goes_on(tmp_path):
    kept = tmp_path / "kept.json"
    evening(tmp_path, "2", "q")
    first = json.loads(kept.read_text())
    assert first["company"]["names"][0] == "Ana"
    shown = evening(tmp_path, "1", arguments=("play", str(kept)))
    assert "Ana" in shown
    assert "posts a guard" in shown or "posts a guard of" in shown
    second = json.loads(kept.read_text())
    assert second["answers"][: len(first["answers"])] == first["answers"]
    assert len(second["answers"]) > len(first["answers"])
    assert second["seed"] == first["seed"]
    assert second["company"] == first["company"]
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    "company", [None, [], {"names": 7}, {"names": ["x"]}, {"names": [1, 2, 3, 4], "level": []}, {"level": "god"}]
)
def test_a_file_with_a_strange_company_goes_on_with_another(tmp_path, company):
    kept = tmp_path / "kept.json"
    evening(tmp_path, "q")
    data = json.loads(kept.read_text())
    kept.write_text(json.dumps({**data, "company": company}))
    assert "Draw a second card" in evening(tmp_path, "q", arguments=("play", str(kept)))


def test_names_are_shown_as_they_are(tmp_path):
    assert "[red]Eve" in evening(tmp_path, "q", arguments=("--name", "[red]Eve"))


def test_if_the_game_cannot_be_kept_it_is_said(tmp_path):
    shown = evening(tmp_path, "q", arguments=("--save", str(tmp_path / "none" / "kept.json")), expect=2)
    assert "cannot be written" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--level", "god"), "There is no level 'god'"),
        (("--speed", "warp"), "There is no speed 'warp'"),
        (("--option", "wild"), "NAME=VALUE"),
        (("--option", "wild=1"), "has no option 'wild'"),
        (("--name", "x" * 99), "at most"),
        (("--seats", "7"), "4 to 5 players"),
    ],
)
def test_what_cannot_be_is_said(tmp_path, arguments, sentence):
    assert sentence in evening(tmp_path, arguments=arguments, expect=2)


def test_a_free_file_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    box = BOXES["ghost-knights"]
    assert free_path(box) == Path("ghost-knights.json")
    Path("ghost-knights.json").touch()
    Path("ghost-knights-2.json").touch()
    assert free_path(box) == Path("ghost-knights-3.json")


def test_a_whole_game_in_a_process_of_its_own(tmp_path):
    """As a person would: the command, words on stdin, the result, and the record checked by the other command."""
    record = tmp_path / "record.json"
    source = Path(veillee.__file__).parent.parent
    environment = {**os.environ, "PYTHONPATH": str(source), "LANG": "fr_FR.UTF-8", "PYTHONUTF8": "1"}
    environment.pop("VEILLEE_LANG", None)
    environment.pop("LC_ALL", None)
    command = [sys.executable, "-m", "veillee"]
    played = subprocess.run(
        [*command, *GAME, "--record", str(record)],
        input="2\noui\n1\n" * 400,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=environment,
        timeout=120,
        check=False,
    )
    assert played.stderr == ""
    assert played.returncode == 0
    assert "Victoire\u00a0: " in played.stdout
    totals = re.findall(r"^ *(\d)\. \S+: (\d+) *$", played.stdout, re.MULTILINE)
    data = json.loads(record.read_text())
    assert sorted(int(points) for _, points in totals) == sorted(data["scores"])
    checked = subprocess.run([*command, "verify", str(record)], capture_output=True, env=environment, check=False)
    assert checked.returncode == 0
    assert "tout concorde" in checked.stdout.decode()


@pytest.mark.parametrize("game", list(BOXES))
def test_every_game_can_be_played(tmp_path, game):
    """Some rounds of each: the first choice, or the second, as long as it goes; every screen is drawn."""
    kept = tmp_path / "kept.json"
    words = ["1", "y", "2", "y", "?", "r"] * 7  # "y": where one is asked whether one is sure
    shown = evening(tmp_path, *words, arguments=("play", game, "--level", "random", "--seed", "5", "--save", str(kept)))
    data = json.loads(kept.read_text())
    assert len([answer for answer in data["answers"] if answer[0] == 0]) >= 7
    assert f"({BOXES[game].code.upper()}-" in shown
    assert veillee.load(data).box.id == game


def test_plain_lines_for_screen_readers_and_pipes(tmp_path):
    shown = evening(tmp_path, "1", "r", "h", "q", arguments=("--plain",))
    assert "Ghost Knights. You are Ana." in shown
    assert re.search(r"^Dolmen III: ", shown, re.MULTILINE)
    assert re.search(r"^1 Draw a second card$", shown, re.MULTILINE)
    assert re.search(r"^GK-2.1\nAt your turn", shown, re.MULTILINE) or "GK-2.1" in shown
    assert not re.search("[\u2190-\u21ff\u2300-\u27bf]|\x1b", shown)
