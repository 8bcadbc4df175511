"""The rulebook as a page."""

import re

import pytest

from veillee.games.catalogue import BOXES
from veillee.web.rooms import the_rulebook
from veillee.web.rulebook import parse

BADGES = {"ruling": "our ruling", "fact": "published", "reconstruction": "rebuilt"}
TEXT = """# A game

Hello.

## Turns

[XX-1.1] Draw *one* card. See XX-1.2 and YY-9.9.

[XX-1.2]{ruling} Nobody <b>peeks</b>.
"""


def test_every_rule_is_an_anchored_paragraph():
    book = parse(TEXT, BADGES)
    assert book.title == "A game"
    assert [(c.anchor, c.title) for c in book.chapters] == [("c1", "Turns")]
    assert '<p id="XX-1.1" class="rule-text">' in book.html
    assert "Draw <em>one</em> card." in book.rules["XX-1.1"]


def test_a_ruling_says_so():
    book = parse(TEXT, BADGES)
    assert '<p id="XX-1.2" class="rule-text ruling">' in book.html
    assert '<span class="badge ruling">our ruling</span>' in book.html
    assert book.marked == {"ruling": ["XX-1.2"]}


def test_rules_of_this_book_are_linked():
    book = parse(TEXT, BADGES)
    assert '<a class="rule" href="#XX-1.2">XX-1.2</a>' in book.rules["XX-1.1"]
    assert 'href="#YY-9.9"' not in book.html


def test_no_html_gets_in():
    assert "<b>" not in parse(TEXT, BADGES).html


@pytest.mark.parametrize("game", list(BOXES))
def test_both_languages_have_the_same_rules(game):
    french, english = (the_rulebook(BOXES[game], lang) for lang in ("fr", "en"))
    assert french is not None
    assert english is not None
    assert list(french.rules) == list(english.rules)
    assert french.marked == english.marked
    assert all(re.fullmatch(rf"{BOXES[game].code.upper()}-[0-9.]+[a-z]?", rule) for rule in french.rules)
