"""`veillee new-game`: valid names of a game, and refused ones: one sentence, exit code 2, nothing written."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from veillee.cli import app, new_game
from veillee.cli.common import room
from veillee.cli.new_game import SKELETON, Names, code_of, files, id_of, resolve_names
from veillee.games.catalogue import BOXES, CODE

T = room("en")


def refused(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["new-game", *map(str, arguments), "--lang", "en"])
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return result.output


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("my-game", "my-game"),
        ("My Game", "my-game"),
        ("my_game", "my-game"),
        ("L’Île au trésor", "l-ile-au-tresor"),
        ("Cœur & Pièges !", "coeur-pieges"),
        ("Straße", "strasse"),
        ("囲碁 Go-ban", "go-ban"),
    ],
)
def test_a_name_becomes_an_id(name, chosen):
    assert id_of(name) == chosen


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("囲碁", "'囲碁' has no letters from a to z: try `veillee new-game my-game --title '囲碁'`."),
        ("", "'' has no letters from a to z"),
        ("../..", "../.. has no letters from a to z"),
        ("7-caps", "'7_caps' cannot be the name of a Python module: try game-7-caps."),
        ("class", "'class' cannot be the name of a Python module: try game-class."),
        ("Ghost Knights", "ghost-knights is taken by Ghost Knights: try ghost-knights-2."),
        ("gk", "gk is taken by Ghost Knights"),
        ("json", "There is a Python module json already: try json-game."),
        ("tests", "There is a Python module tests already: try tests-game."),
        ("veillee", "There is a Python module veillee already"),
        ("x" * 41, "is too long a name: at most 40 letters."),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_another_one(name, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert sentence in refused(name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--code", "gk"], "The code gk is taken by Ghost Knights: try nv."),
        (["--code", "é1"], "'é1' cannot be a code: it is two letters from a to z. Try nv."),
        (["--code", "sr"], "'sr' cannot be a code"),
        (["--title", "a\tb\x07"], "A title is a line of at most 40 letters."),
        (["--title", "x" * 41], "A title is a line of at most 40 letters."),
    ],
)
def test_a_code_or_title_that_cannot_be(arguments, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert sentence in refused("nova", *arguments)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "kept.txt").write_text("mine")
    assert f"{tmp_path} is there already: say another one with --to." in refused("nova", "--to", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
    assert "is there already" in refused("nova", "--to", tmp_path / "kept.txt")
    assert "deeper cannot be written: " in refused("nova", "--to", tmp_path / "kept.txt" / "deeper")


def test_what_cannot_be_finished_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(new_game, "keep_games", lambda *_: new_game.fail("no games"))
    assert "no games" in refused("nova", "--to", tmp_path / "nova")
    assert not list(tmp_path.iterdir())


def test_without_pytest_it_says_so_and_what_to_run(tmp_path, monkeypatch):
    monkeypatch.setattr(new_game, "keep_games", lambda *_: None)
    there = new_game.find_spec
    monkeypatch.setattr(new_game, "find_spec", lambda name: None if name == "pytest" else there(name))
    result = CliRunner().invoke(app, ["new-game", "nova", "--to", str(tmp_path / "nova"), "--try", "--lang", "fr"])
    assert result.exit_code == 1
    assert "pytest n’est pas installé ici" in result.output
    assert "-m pytest -p pytest_veillee --pyargs tests veillee.conformance --game nova" in result.output


def test_a_code_is_made_of_the_name_and_free():
    assert code_of("my-game", "", T) == "mg"
    assert code_of("nova", "", T) == "nv", "no is a class of every page"
    taken = {box.code for box in BOXES.values()}
    for name in ("ghost-kings", "paper-trains", "sorry", "o", "aa"):
        code = code_of(name, "", T)
        assert CODE.fullmatch(code)
        assert code not in taken


@pytest.mark.parametrize("word", ["state", "player", "turn", "log", "words", "if-only", "is-it"])
def test_whatever_it_is_called_its_python_can_be_read(word):
    names = resolve_names(word, "", "", T)
    for path in files():
        if path.suffix == ".py":
            text = names.put_in(path.read_text(encoding="utf-8"), path.suffix)
            compile(text, path.name, "exec")
            assert text.count(f"class {names.state}(") == (path.name == "rules.py")


def test_a_title_may_have_anything_in_it():
    names = Names("x", "xx", 'The "MG" of \\ my_game')
    text = names.put_in('title = "My Game"', ".py")
    assert json.loads(text.removeprefix("title = ")) == names.title
    assert names.put_in("# My Game", ".md") == f"# {names.title}"


def test_every_file_of_the_skeleton_is_text_and_none_is_made():
    assert {path.relative_to(SKELETON).parts[0] for path in files()} == {
        "README.md",
        "pyproject.toml",
        "my_game",
        "tests",
    }
    assert not [path for path in files() if path.suffix in (".pyc", ".json")]
