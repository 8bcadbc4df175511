"""The trials of owners' files find planted faults: a game without an end, one that is stuck, a refusal without words."""

from __future__ import annotations

import tomllib

import pytest

from veillee.conformance import contents
from veillee.conformance.contents import Broken, files_of, tried
from veillee.games.catalogue import BOXES
from veillee.games.content import Reader
from veillee.games.content_table import to_toml
from veillee.games.owners import Checked
from veillee.games.sourire_du_dragon import content as own
from veillee.games.sourire_du_dragon.conformance.contents import traps
from veillee.words import Sentence

DRAGON = BOXES["sourire-du-dragon"]
BACK = to_toml(traps("move", -12, 0, green=True, hard=5, penalty=0))  # whatever is drawn leads back


def test_a_game_that_never_ends_is_found(monkeypatch):
    assert tried(DRAGON, BACK, 1, 1).games == 0, "it is refused"
    monkeypatch.setattr(own, "check_way", lambda *_: None)
    monkeypatch.setattr(contents, "MOST_DECISIONS", 2000)
    with pytest.raises(Broken, match="it does not end"):
        tried(DRAGON, BACK, 1, 1)


def test_a_refusal_without_a_reason_or_without_its_file_is_found(monkeypatch):
    for errors in ((), (Sentence(DRAGON.folder, "Something is wrong.", {}),)):
        monkeypatch.setattr(contents, "check_text", lambda file, _, errors=errors: Checked(file, DRAGON, None, errors))
        with pytest.raises(Broken, match=r"without a reason|does not begin with the file"):
            tried(DRAGON, "", 1, 1)


def test_a_file_is_written_as_it_is_read():
    for box in BOXES.values():
        if box.contents is not None:
            data = tomllib.loads(box.contents.built_in())
            assert tomllib.loads(to_toml(data)) == data
            reader = Reader.of("mine.toml", to_toml(data))
            assert box.contents.read(reader, "") is not None, reader.errors


def test_every_box_with_contents_says_what_its_files_look_like():
    made = {box.id: set(files_of(box)) for box in BOXES.values() if box.contents is not None}
    assert made.keys() == {"tales-of-glory", "sourire-du-dragon"}
    assert all({"changed", "fresh", "spoilt"} <= ways for ways in made.values())
