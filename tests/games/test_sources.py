"""The rulebooks against the publishers' own text, sentence by sentence, where that text is at hand.

VEILLEE_SOURCES, or ../shared/seeds beside the project, is the folder with it. It is no part of the project: the tables
(rulebook/sources.toml) hold numbers of lines and sentences alone.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from veillee.conformance.sources import sources_of, unread, wrong_sources
from veillee.games.catalogue import BOXES

HERE = Path(__file__).resolve().parents[2]
TEXTS = Path(os.environ.get("VEILLEE_SOURCES", HERE.parent / "shared" / "seeds"))


def text_of(game: str) -> str:
    path = TEXTS / sources_of(BOXES[game].folder)["file"]
    if not path.exists():
        pytest.skip("the publisher's text is not at hand")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", list(BOXES))
def test_every_box_says_what_its_rulebook_rests_on(game):
    assert sources_of(BOXES[game].folder) is not None


@pytest.mark.parametrize("game", list(BOXES))
def test_every_sentence_of_the_publisher_has_a_paragraph_or_a_reason(game):
    assert unread(sources_of(BOXES[game].folder), text_of(game)) == []


def test_a_sentence_without_a_paragraph_is_found():
    table = {"rests": {"XX-1.1": "1 3.2"}, "left": {"4-5": "headings"}}
    text = "Draw a card.\n\nShuffle. Then pay.\nTHE END\n"
    assert unread(table, text) == ["3.1: no paragraph rests on it"]
    assert unread({"rests": {"XX-1.1": "1-3", "XX-1.2": "3.3"}, "left": {"4": "headings"}}, text) == [
        "'3.3' is not in the text"
    ]


def test_a_sentence_that_is_left_out_and_used_is_found():
    table = {"rests": {"XX-1.1": "1"}, "left": {"1": "a joke"}}
    assert unread(table, "Draw a card.") == ["1.1: left out, and a paragraph rests on it"]


def test_a_plain_paragraph_that_rests_on_nothing_is_found(tmp_path):
    (tmp_path / "rulebook").mkdir()
    book = "# A\n\n## B\n\n[XX-1.1] Draw. Then pay. [Or not.]{ruling}\n\n[XX-1.2]{fact} Ten cards.\n"
    for lang in ("fr", "en"):
        (tmp_path / "rulebook" / f"{lang}.md").write_text(book, encoding="utf-8")
    good = {"rests": {"XX-1.1": "1; 2.1 4"}}
    assert wrong_sources(tmp_path, good) == []
    assert wrong_sources(tmp_path, {"rests": {"XX-1.1": "1;"}}) == ["XX-1.1, sentence 2, rests on nothing"]
    assert wrong_sources(tmp_path, {"rests": {}}) == [
        f"XX-1.1 has 2 sentences without a mark in {lang!r}, and [rests] says what 0 rest on" for lang in ("fr", "en")
    ]
    assert wrong_sources(tmp_path, {"rests": {"XX-1.1": "1; 2", "XX-9": "2"}}) == ["XX-9 is no paragraph"]
    (tmp_path / "rulebook" / "en.md").write_text(book.replace("Then pay.", "Then pay. Then go."), encoding="utf-8")
    assert wrong_sources(tmp_path, good) == [
        "XX-1.1 has 3 sentences without a mark in 'en', and [rests] says what 2 rest on"
    ]
