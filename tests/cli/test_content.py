"""`--content FILE` of every command, and `veillee content`: errors are reported with their lines, and nothing is started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.scenarios.test_commands import run
from match.test_owner_content import KINDS, changed, played_out
from veillee import new
from veillee.games.content import BUILT_IN
from veillee.lab import luck_correction
from veillee.web.serving import server

GAMES = list(KINDS)


@pytest.fixture(params=GAMES)
def game(request) -> str:
    return request.param


@pytest.fixture
def mine(tmp_path, game, brought) -> Path:
    """An owner's file; what a command brings is offered no more after the test."""
    path = tmp_path / "mine.toml"
    path.write_text(changed(game), encoding="utf-8")
    return path


@pytest.fixture
def broken(tmp_path, brought) -> Path:
    path = tmp_path / "broken.toml"
    path.write_text(
        changed("tales-of-glory")
        .replace('cost = "2 coins"', 'cost = "2 ducats"\npile = "age 1"', 1)
        .replace('pile = "age 1"\ntype', "type", 1)
    )
    return path


def commands(record: Path, tmp_path: Path, game: str) -> dict[str, list[object]]:
    """Every command that plays."""
    return {
        "play": ["play", game, "--seats", 2, "--save", tmp_path / "saved.json"],
        "play on": ["play", record],
        "serve": ["serve", "--port", 0, "--data", tmp_path / "data"],
        "verify": ["verify", record],
        "games": ["games"],
        "bench": ["bench", game, "--seconds", 0, "--json"],
        "arena": ["arena", game, "--seats", "random,random", "--games", 2, "--workers", 1, "--json"],
        "lab": ["lab", "balance", game, "--games", 1, "--workers", 1, "--out", tmp_path / "report.md"],
    }


@pytest.fixture
def record(tmp_path, mine, game, brought) -> Path:
    """Of a game with the owner's file, which is not at hand any more."""
    content = brought(mine.read_text(encoding="utf-8"))
    path = tmp_path / "game.json"
    path.write_text(json.dumps(played_out(new(game, 2, seed=1)).record()))
    kind = KINDS[game]
    del kind.offered[1:]
    kind.option.values.pop(content.id)
    for id_ in kind.sets.keys() - {BUILT_IN}:
        del kind.sets[id_]
    return path


# -- every command ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("command", ["play", "verify", "games", "bench", "arena", "lab"])
def test_every_command_plays_with_an_owners_file(command, game, mine, record, tmp_path, monkeypatch):
    monkeypatch.setattr(luck_correction, "GAMES_PER_WORLD", 1)  # without the compiled engine they take long
    result = run(*commands(record, tmp_path, game)[command], "--content", mine, given="q\n")
    own = KINDS[game].own[0].id
    if command == "play":
        assert json.loads((tmp_path / "saved.json").read_text())["content"]["id"] == own
    elif command in ("bench", "arena"):
        assert json.loads(result.stdout)["content"] == own
    elif command == "games":
        assert f"{KINDS[game].option.id}={own}" in result.output
    elif command == "lab":
        assert own in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_the_house_is_opened_with_an_owners_file(game, mine, tmp_path, monkeypatch):
    monkeypatch.setattr(server, "serve", lambda *_, **__: None)
    run("serve", "--content", mine)
    assert len(KINDS[game].own) == 1


@pytest.mark.parametrize("command", ["play", "play on", "serve", "verify", "games", "bench", "arena", "lab"])
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_broken_file_ends_every_command_before_anything_is_started(command, lang, broken, tmp_path, monkeypatch):
    monkeypatch.setattr(server, "serve", lambda *_, **__: pytest.fail("it is served"))
    monkeypatch.setenv("VEILLEE_LANG", lang)
    words = commands(tmp_path / "game.json", tmp_path, "tales-of-glory")[command]
    result = run(*words, "--content", broken, *([] if command == "serve" else ["--lang", lang]), expect=2)
    line = broken.read_text().split("\n").index('cost = "2 ducats"') + 1
    where = {"fr": f"broken.toml, ligne {line}\u00a0: tuile ", "en": f"broken.toml, line {line}: tile "}[lang]
    assert where in result.output
    assert not (tmp_path / "data").exists()
    assert not (tmp_path / "saved.json").exists()
    assert KINDS["tales-of-glory"].own == []


def test_several_files_for_several_boxes_and_one_broken_one(tmp_path, broken, brought):
    good = []
    for game in GAMES:
        good.append(tmp_path / f"{game}.toml")
        good[-1].write_text(changed(game), encoding="utf-8")
    given = [word for path in good for word in ("--content", path)]
    run("games", *given, "--content", broken, expect=2)
    assert all(kind.own == [] for kind in KINDS.values()), "all or nothing"
    run("games", *given)
    assert all(len(kind.own) == 1 for kind in KINDS.values())


@pytest.mark.parametrize("command", ["play", "bench", "arena", "lab"])
def test_a_file_for_a_box_that_is_not_played(command, game, mine, record, tmp_path):
    other = next(name for name in GAMES if name != game)
    words = commands(record, tmp_path, other)[command]
    result = run(*words, "--content", mine, "--lang", "en", expect=2)
    assert "mine.toml is for " in result.output
    assert "which is not being played." in result.output


# -- records --------------------------------------------------------------------------------------------------------
def test_a_record_is_verified_with_the_file_that_it_was_played_with_and_not_without(record, mine):
    id_ = json.loads(record.read_text())["content"]["id"]
    for command in ("verify", "play"):
        result = run(command, record, "--lang", "en", expect=2)
        assert f"({id_}), which is not at hand: give that file with --content." in result.output
        assert "It is played with “My box." in result.output
    assert "everything matches" in run("verify", record, "--lang", "en", "--content", mine).output


# -- invalid files -------------------------------------------------------------------------------------------------
def test_a_folder_a_missing_file_and_a_hundred_megabytes(tmp_path):
    with (tmp_path / "large.toml").open("wb") as file:
        file.truncate(100_000_000)
    for path, sentence in (
        (tmp_path, "this is a folder, not a file."),
        (tmp_path / "missing.toml", "the file cannot be read (No such file or directory)."),
        (tmp_path / "large.toml", "the file is too large (100000000 bytes)"),
    ):
        for words in (("games", "--content"), ("content", "tales-of-glory", "--check")):
            result = run(*words, path, "--lang", "en", expect=2)
            assert sentence in result.output
            assert len(result.output.strip().split("\n")) == 1


# -- veillee content ------------------------------------------------------------------------------------------------
def test_the_built_in_file_is_a_start(game, tmp_path):
    built_in = KINDS[game].built_in()
    assert run("content", game).stdout == built_in
    run("content", game, "--to", tmp_path / "start.toml")
    assert (tmp_path / "start.toml").read_text(encoding="utf-8") == built_in
    assert "existe déjà" in run("content", game, "--to", tmp_path / "start.toml", "--lang", "fr", expect=2).output
    nowhere = tmp_path / "no" / "start.toml"
    assert "cannot be written" in run("content", game, "--to", nowhere, "--lang", "en", expect=2).output
    result = run("content", game, "--check", tmp_path / "start.toml", "--lang", "en")
    assert "start.toml can be played with: “Reconstructed " in result.output
    assert "(own-" in result.output
    assert KINDS[game].own == [], "to check a file is not to play with it"


def test_an_owners_file_is_checked(broken, tmp_path):
    result = run("content", "tales-of-glory", "--check", broken, "--lang", "en", expect=2)
    assert "broken.toml, line " in result.output
    dear = tmp_path / "dear.toml"
    dear.write_text(changed("tales-of-glory").replace('"2 coins"', '"20 coins"', 1), encoding="utf-8")
    result = run("content", "tales-of-glory", "--check", dear, "--lang", "fr")
    assert "presque personne ne pourra le payer" in result.output
    assert "On peut jouer avec dear.toml" in result.output


def test_a_file_of_another_box_or_a_box_without_any(mine, game, tmp_path):
    other = next(name for name in GAMES if name != game)
    assert "mine.toml is for " in run("content", other, "--check", mine, "--lang", "en", expect=2).output
    assert "nothing to replace" in run("content", "ghost-knights", "--lang", "en", expect=2).output
    both = run("content", game, "--check", mine, "--to", tmp_path / "new.toml", "--lang", "en", expect=2)
    assert "do not go together" in both.output
    assert not (tmp_path / "new.toml").exists()


def test_a_table_of_a_spreadsheet_is_printed(tmp_path, brought):
    table, sheets = tmp_path / "mine.csv", tmp_path / "mine.pdf"
    run("content", "sourire-du-dragon", "--to", table)
    words = ["content", "sourire-du-dragon", "--from", table, "--print", sheets]
    result = run(*words, "--paper", "letter", "--lang", "en")
    assert sheets.read_bytes().startswith(b"%PDF-")
    assert "118 tiles and cards on 19 pages" in result.output
    assert "exists already" in run(*words, "--lang", "en", expect=2).output
    assert "There is no paper 'a9'" in run(*words, "--paper", "a9", "--lang", "en", expect=2).output
    assert "ne vont pas ensemble" in run(*words, "--to", tmp_path / "x.csv", "--lang", "fr", expect=2).output
