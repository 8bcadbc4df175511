"""Commands: their output, and their errors (a sentence, exit code 2, no stack trace)."""

from __future__ import annotations

import io
import json
import socket
from random import Random
from types import SimpleNamespace

import pytest
from rich.console import Console
from typer.testing import CliRunner

import veillee
from veillee.cli import app
from veillee.cli.analyse import say
from veillee.cli.common import spoken
from veillee.games.catalogue import BOXES
from veillee.match.championship_file import describe_deals


def run(*arguments, given: str = "", expect: int = 0):
    result = CliRunner().invoke(app, [str(a) for a in arguments], input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == expect, result.output
    assert "Traceback" not in result.output
    return result


def finished(seed: int = 1) -> dict:
    match, pick = veillee.new("ghost-knights", 4, seed=seed), Random(seed)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, pick.choice(match.choices(seat)))
    return match.record()


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(finished()))
    return path


@pytest.mark.parametrize(
    "command", ["serve", "play", "games", "verify", "doctor", "bench", "arena", "lab", "new-game", "admin"]
)
def test_help_of_every_command(command):
    assert command in run("--help").output
    assert "--help" in run(command, "--help").output


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "fr"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "en_GB.UTF-8", "LC_ALL": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "fr"),
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_US"}, "en"),
        ({"LANG": "en_US", "VEILLEE_LANG": "fr"}, "fr"),
    ],
)
def test_the_language_is_the_readers(environment, lang):
    assert spoken(environment) == lang


def test_an_unknown_language():
    assert "fr, en" in run("games", "--lang", "de", expect=2).output


def test_games_lists_the_shelf():
    french, english = run("games", "--lang", "fr").output, run("games", "--lang", "en").output
    for box in BOXES.values():
        assert box.id in french
        assert box.title["fr"] in french
        assert box.title["en"] in english


def test_doctor_tells_what_is_compiled():
    output = run("doctor", "--lang", "en").output
    assert veillee.__version__ in output
    assert "games.ghost_knights.rules" in output
    assert "SQLite" in output


def test_doctor_names_a_damaged_database(tmp_path):
    (tmp_path / "veillee.sqlite3").write_bytes(b"no database at all" * 1000)
    assert "or it is damaged" in " ".join(run("doctor", "--lang", "en", "--data", str(tmp_path)).output.split())


def test_doctor_names_every_package_and_its_licence():
    output = run("doctor", "--licences", "--lang", "fr").output
    for line in ("alembic", "uvicorn", "markupsafe", "Veillee Serif", "OFL-1.1", "leurs auteurs"):
        assert line in output
    assert "?" not in output


def test_the_bill_of_materials_is_complete_and_always_the_same():
    first, second = run("doctor", "--sbom").output, run("doctor", "--sbom").output
    assert first == second
    bill = json.loads(first)
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "veillee")
    parts = {part["bom-ref"]: part for part in bill["components"]}
    names = {part["name"] for part in parts.values()}
    assert {"python", "litestar", "sqlalchemy", "markupsafe", "Veillee Sans"} <= names
    assert "pytest" not in names, "what only the tests need is not part of it"
    for link in bill["dependencies"][1:]:
        assert {link["ref"], *link["dependsOn"]} <= set(parts)


def test_alone_it_opens_the_shelf_for_a_person_and_says_what_there_is_to_a_program(monkeypatch):
    assert "serve" in run().output
    opened = []
    monkeypatch.setattr("veillee.web.serving.server.serve", lambda _settings, **given: opened.append(given) or 0)
    monkeypatch.setattr("veillee.cli.sys", SimpleNamespace(stdin=Terminal(), stdout=Terminal()))
    run()
    assert opened[0]["open_browser"]
    run("games")
    assert len(opened) == 1


class Terminal:
    def isatty(self):
        return True


def test_bench_as_json():
    figures = json.loads(run("bench", "ghost-knights", "--seconds", "0", "--json").output)
    assert list(figures) == ["game", "seats", "compiled", "playouts_per_s", "decisions_per_s"]
    assert (figures["game"], figures["seats"]) == ("ghost-knights", 5)
    assert figures["decisions_per_s"] > figures["playouts_per_s"] > 0
    assert json.loads(run("bench", "gk", "--seats", "4", "--seconds", "0", "--json").output)["seats"] == 4


def test_bench_for_people():
    assert "parties/s" in run("bench", "gk", "--seconds", "0", "--lang", "fr").output


@pytest.mark.parametrize("command", ["bench", "play", "arena"])
@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("ghost-knight", "Did you mean ghost-knights?"),
        ("chevaliers fantômes", "Did you mean ghost-knights?"),
        ("zzz", "On the shelf: ghost-knights"),
        ("", "On the shelf"),
    ],
)
def test_an_unknown_game(command, game, sentence):
    assert sentence in run(command, game, "--lang", "en", expect=2).stderr


@pytest.mark.parametrize("name", ["ghost-knights", "gk", "Ghost_Knights", "les chevaliers fantômes"])
def test_a_game_by_its_names(name):
    assert '"ghost-knights"' in run("bench", name, "--seconds", "0", "--json").output


@pytest.mark.parametrize("command", ["bench", "play"])
@pytest.mark.parametrize("seats", ["3", "99", "-1"])
def test_a_number_of_seats_that_the_box_is_not_for(command, seats):
    assert "4 to 5 players" in run(command, "gk", "--seats", seats, "--lang", "en", expect=2).stderr


# -- verify -----------------------------------------------------------------------------------------------------
def test_verify_a_true_record(record):
    output = run("verify", record, "--lang", "fr").output
    assert output.count("✓") == 4
    assert "tout concorde" in output
    data = json.loads(run("verify", record, "--json").output)
    assert data["holds"] is True
    assert len(data["checks"]) == 3


def test_verify_says_that_the_deal_of_a_first_game_was_known(record, tmp_path):
    assert "première partie guidée" not in run("verify", record, "--lang", "fr").output
    guided = tmp_path / "guided.json"
    guided.write_text(json.dumps(finished() | {"first_game": True}), encoding="utf-8")
    assert "première partie guidée" in run("verify", str(guided), "--lang", "fr").output


def test_verify_the_games_of_a_championship(tmp_path):
    game = finished()
    header = describe_deals("Winter cup", game["game"], [bytes.fromhex(game["seed"])])
    file = tmp_path / "championship.jsonl"
    rows = [header, game | {"entrant": 1, "deal": 1}]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert "sealed deals" in run("verify", file, "--lang", "en").output
    rows[1]["scores"] = [99 for _ in rows[1]["scores"]]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert "not true" in run("verify", file, "--lang", "en", expect=1).output
    data = json.loads(run("verify", file, "--json", expect=1).output)
    assert (data["holds"], data["games"], len(data["faults"])) == (False, 1, 1)
    file.write_text("{}\nno json", encoding="utf-8")
    assert run("verify", file, expect=2).stderr


def test_analyse_tells_luck_and_skill_apart(record):
    assert "Where it turned" in run("analyse", record, "--games", 1, "--workers", 1, "--lang", "en").output
    told = run("analyse", record, "--games", 1, "--workers", 1, "--json").stdout
    assert run("analyse", record, "--games", 1, "--workers", 2, "--json").stdout == told
    lines = [json.loads(line) for line in told.splitlines()]
    account = lines.pop()["account"]
    assert len(lines) == len(finished()["answers"]) + 1
    for seat in range(4):
        parts = account["luck"][seat] + account["own"][seat] + account["others"][seat]
        assert account["end"][seat] - account["start"][seat] == pytest.approx(parts)
    *own_first, sums = run("analyse", record, "--games", 1, "--workers", 1, "--json", "--seat", 2).stdout.splitlines()
    assert json.loads(own_first[1])["seat"] == json.loads(own_first[2])["seat"] == 1
    assert sorted([*own_first, sums]) == sorted(told.splitlines())
    assert "1 to 4" in run("analyse", record, "--seat", 5, "--lang", "en", expect=2).output


def test_analyse_refuses_a_game_that_is_not_over(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(veillee.new("ghost-knights", 4, seed=1).save()))
    assert "not over" in run("analyse", path, "--lang", "en", expect=2).output


def test_analyse_refuses_a_false_record(record):
    data = finished()
    data["scores"][2] += 1
    record.write_text(json.dumps(data))
    output = run("analyse", record, "--lang", "en", expect=1).output
    assert "is not true" in output
    assert "Where it turned" not in output


def test_the_account_of_an_analysis_has_room_in_a_narrow_terminal(record):
    for lang in ("en", "fr"):
        told = run("analyse", record, "--games", 1, "--workers", 1, "--lang", lang).stdout
        assert "…" not in told
        assert max(map(len, told.splitlines())) <= 80
        assert {"en": "mistakes", "fr": "erreurs"}[lang] in told


def test_sentences_of_an_analysis_hang_under_their_number_and_keep_signs_with_their_words():
    shown = io.StringIO()
    say(Console(file=shown, width=30), 7, "« Fouiller [4] » : de 41 % à 99 %. Surtout de la chance.")
    first, *rest = shown.getvalue().splitlines()
    assert first.startswith("   7  « Fouiller [4] »")
    assert rest
    assert all(line.startswith("      ") and not line.strip().startswith("%") for line in rest)


def test_what_help_says_about_extras_is_whole():
    assert "veillee[cluster]" in "".join(run("arena", "--help").output.split("│")).replace("\n", "").replace(" ", "")


def test_verify_says_everything_in_french(record):
    """Each check has its French: none of verify()'s English sentences comes through."""
    output = run("verify", record, "--lang", "fr").output
    for sentence, _ in veillee.verify(finished()).checks:
        assert sentence.say("en") not in output
        assert sentence.say("fr") in output


def test_verify_with_the_commitment_that_was_written_down(record):
    commitment = finished()["commitment"]
    assert "✗" not in run("verify", record, "--commitment", commitment).output
    assert "✗" in run("verify", record, "--commitment", "00" * 32, expect=1).output


def test_verify_a_false_record(record):
    data = finished()
    data["scores"][2] += 1
    record.write_text(json.dumps(data))
    output = run("verify", record, "--lang", "en", expect=1).output
    assert "✗ the scores are the ones that were announced" in output
    assert "not true" in output


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no JSON file"),
        (b"{", "no JSON file"),
        (b"\xff\xfe", "no JSON file"),
        (b"[" * 100_000, "no JSON file"),
        (b"[]", "A saved game is a JSON object."),
        (b"{}", "'format'"),
        (b'{"format": "veillee/1"}', "'seats'"),
    ],
)
def test_a_broken_file(tmp_path, content, sentence):
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    for command in ("verify", "play"):
        assert sentence in run(command, path, "--lang", "en", expect=2).stderr


def test_no_such_file(tmp_path):
    for command in ("verify", "play"):
        stderr = run(command, tmp_path / "none.json", "--lang", "en", expect=2).stderr
        assert "There is no file" in stderr
        assert "none.json" in stderr
    assert "cannot be read" in run("verify", tmp_path, "--lang", "en", expect=2).stderr


def test_a_forbidden_answer_in_a_file_is_told_in_french(record):
    data = finished()
    first = veillee.load(data | {"answers": []})
    forbidden = next(choice for choice in first.all_choices(first.to_act[0]) if not choice.allowed)
    data["answers"][0] = [forbidden.seat, forbidden.id]
    record.write_text(json.dumps(data))
    sentence = f"La réponse 1 ne peut pas être donnée\u00a0: {forbidden.why('fr')} ({forbidden.rule})\n"
    assert run("verify", record, "--lang", "fr", expect=2).stderr == sentence


# -- serve ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lang", "sentence"), [("fr", "Impossible d’écouter"), ("en", "Cannot listen on")])
def test_a_port_in_use_is_said(tmp_path, monkeypatch, lang, sentence):
    monkeypatch.setenv("VEILLEE_LANG", lang)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = run("serve", "--port", taken.getsockname()[1], "--data", tmp_path / "data", expect=3)
    assert result.stderr.startswith(sentence)
    assert "--port" in result.stderr
    assert not (tmp_path / "data").exists()


def test_a_data_folder_that_cannot_be_is_said(tmp_path):
    (tmp_path / "data").write_text("not a database, and not a folder")
    assert "data" in run("serve", "--port", "0", "--data", tmp_path / "data" / "here", expect=4).stderr
