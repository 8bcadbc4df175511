"""Owners' files: invalid files, with one sentence each; which box a file is for; which sets are loaded."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import veillee
from veillee.games import owners
from veillee.games.catalogue import BOXES
from veillee.games.content import BUILT_IN, Reader, find_lines
from veillee.games.owners import BROUGHT, check, check_text, take

KINDS = [box.contents for box in BOXES.values() if box.contents is not None]
TEXT = KINDS[0].built_in()
OTHER_BOX = BOXES["paper-tales"].folder / "content.toml"


def line(text: str, field: str) -> int:
    """Of a field of the header."""
    return [found.partition(" = ")[0] for found in text.split("\n")].index(field) + 1


def told(content: bytes, path: Path) -> list[str]:
    path.write_bytes(content)
    checked = check(path)
    assert checked.content is None
    assert all(error.say("fr") != error.say("en") for error in checked.errors)
    return [str(error) for error in checked.errors]


def test_the_boxes_with_a_reconstruction_are_those_that_can_be_replaced():
    assert [kind.game for kind in KINDS] == ["tales-of-glory", "sourire-du-dragon"]
    assert {kind.game for kind in KINDS} == {box.id for box in BOXES.values() if box.reconstruction}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "mine.toml: the file is empty."),
        (b" \n\n", "mine.toml: the file is empty."),
        (b"# nothing\n", "mine.toml: the file is empty."),
        (TEXT.encode("utf-16"), "mine.toml: the text is not UTF-8 (byte 1): save it as UTF-8."),
        (TEXT.encode("latin-1", "replace"), "mine.toml: the text is not UTF-8"),
        (b"[[tile", "mine.toml: this is no TOML file: "),
        (b"a = " + b"9" * 5000, "mine.toml: this is no TOML file: "),
        (b"a = " + b"[" * 100_000, "mine.toml: this is no TOML file: its brackets are nested too deeply."),
        (b"a = 1\na = 2\n", "mine.toml: this is no TOML file: Cannot overwrite a value (at line 2"),
        (OTHER_BOX.read_bytes(), "mine.toml: the file does not say which game it is for: expected [content] game = "),
        (b"content = 3\n", "mine.toml, line 1, field 'content': expected one table [content]."),
        (
            TEXT.replace('game = "tales-of-glory"', 'game = "paper-tales"').encode(),
            f"mine.toml, line {line(TEXT, 'game')}, field 'content.game': nothing of Paper Tales was designed by us",
        ),
        (
            TEXT.replace('game = "tales-of-glory"', 'game = "chess"').encode(),
            f"mine.toml, line {line(TEXT, 'game')}, field 'content.game': expected one of tales-of-glory, sourire-du-",
        ),
        (
            TEXT.replace("version = 1", "version = 2").encode(),
            f"mine.toml, line {line(TEXT, 'version')}, field 'content.version': expected a file of version 1, found 2.",
        ),
        (
            TEXT.replace("version = 1", "version = true").encode(),
            f"mine.toml, line {line(TEXT, 'version')}, field 'content.version': expected a file of version 1, found True.",
        ),
    ],
)
def test_one_sentence_for_what_is_no_such_file(tmp_path, content, sentence):
    (error,) = told(content, tmp_path / "mine.toml")
    assert error.startswith(sentence)


def test_a_folder_a_pipe_and_paths_that_lead_nowhere(tmp_path):
    assert [str(error) for error in check(tmp_path).errors] == [f"{tmp_path.name}: this is a folder, not a file."]
    for path in (tmp_path / "missing.toml", Path("no\0where"), Path("x" * 5000)):
        (error,) = check(path).errors
        assert "the file cannot be read" in str(error)
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe.toml")
        (error,) = check(tmp_path / "pipe.toml").errors
        assert str(error) == "pipe.toml: this is no ordinary file."


def test_a_large_file_is_refused_before_it_is_read(tmp_path, monkeypatch):
    large = tmp_path / "large.toml"
    with large.open("wb") as file:
        file.truncate(100_000_000)  # a hole: no disk is filled
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("it is read"))
    (error,) = check(large).errors
    assert str(error) == "large.toml: the file is too large (100000000 bytes): such a file has at most 500000."


def test_a_file_written_with_a_mark_of_its_encoding(tmp_path):
    (tmp_path / "mine.toml").write_bytes(TEXT.encode("utf-8-sig"))
    assert check(tmp_path / "mine.toml").content.id == check_text("mine.toml", TEXT).content.id


def test_no_more_errors_than_can_be_read(tmp_path):
    errors = told(b"[[tile]]\n" * 500, tmp_path / "mine.toml")
    assert len(errors) == owners.MOST_ERRORS + 1
    assert errors[-1].startswith("mine.toml: and ")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.game)
def test_a_set_must_say_what_it_is_called(kind):
    text = "".join(line for line in kind.built_in().splitlines(keepends=True) if not line.startswith("fr = "))
    errors = [str(error) for error in check_text("mine.toml", text).errors]
    assert any("field 'content.fr': expected a name of at most 80 letters, found None." in error for error in errors)


def test_nothing_is_played_with_by_reading_it():
    kind = KINDS[0]
    before = dict(kind.sets), list(kind.offered), dict(kind.option.values)
    assert check_text("mine.toml", TEXT.replace('cost = "1 coin"', 'cost = "3 coins"')).content is not None
    assert (kind.sets, kind.offered, kind.option.values) == before


def test_what_is_brought_is_offered_first_and_is_what_another_process_takes(brought):
    kind = KINDS[0]
    for n in (2, 3):
        brought(TEXT.replace('cost = "1 coin"', f'cost = "{n} coins"').replace('en = "Recon', f'en = "{n} Recon'))
    assert [names["en"][0] for names in kind.option.values.values()] == ["3", "2", "R"]
    assert list(kind.option.values)[-1] == BUILT_IN
    assert kind.option in BOXES["tales-of-glory"].agreements
    files = list(BROUGHT)
    assert [file.name for file in files] == ["mine.toml", "mine.toml"]
    first, second = (content.id for content in kind.own)
    kind.offered[1:] = []
    take(files)
    assert [content.id for content in kind.own] == [first, second]


def test_a_file_that_is_brought_twice_is_there_once(brought):
    assert brought(TEXT).id == brought("# again\n" + TEXT).id
    assert len(KINDS[0].own) == 1
    assert len(KINDS[0].option.values) == 2


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [(KINDS[0], "Tuiles reconstituées", "Mes tuiles"), (KINDS[1], "Quai brumeux", "Quai désert")],
)
def test_a_name_that_is_corrected_is_the_name_from_then_on(kind, old, new, brought):
    """It is the same set: games that have begun go on, and call things as they are called now."""
    text = kind.built_in()
    before = brought(text.replace('en = "Recon', 'en = "First recon', 1))
    match = veillee.new(kind.game, 2, seed=1)
    assert old in str(match.view(0))
    after = brought(text.replace('en = "Recon', 'en = "Second recon', 1).replace(old, new))
    assert before.id == after.id
    assert [names["en"].split()[0] for names in kind.option.values.values()] == ["Second", "Reconstructed"]
    assert match.record()["content"]["en"].startswith("Second")
    assert new in str(match.view(0))
    assert old in str(veillee.new(kind.game, 2, seed=1, **{kind.option.id: BUILT_IN}).view(0))


def test_without_an_owners_file_there_is_nothing_to_agree_on():
    for box in BOXES.values():
        assert box.agreements == box.options


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", {"": [{}]}),
        (
            "a = 1\n[b]\nc = 2\n[[d]]\ne = 3\n[[d]]\n'e' = 4",
            {"": [{"a": 1}], "b": [{"": 2, "c": 3}], "d": [{"": 4, "e": 5}, {"": 6, "e": 7}]},
        ),
    ],
)
def test_where_things_stand(text, lines):
    assert find_lines(text) == lines


def test_entries_that_are_written_in_another_way_have_no_line():
    text = 'tile = [{ id = "a" }]'
    reader = Reader.of("mine.toml", text)
    (row,) = reader.rows("tile", lambda n, _: f"tile {n}")
    row.word("pile")
    assert (
        str(reader.errors[0]) == "mine.toml: tile 1, field 'pile': expected a name of at most 80 letters, found None."
    )


def test_an_object_without_a_name_is_refused_with_its_line():
    box = BOXES["sourire-du-dragon"]
    text = (box.folder / "content.toml").read_text("utf-8")
    errors = [str(error) for error in check_text("mine.toml", text.replace('key = "shield"', "key = -8")).errors]
    assert any("field 'key'" in error and "line" in error for error in errors), errors
