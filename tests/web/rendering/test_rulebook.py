"""The rulebook as a page."""

import tomllib

import pytest

from veillee.games.catalogue import BOXES
from veillee.web.pages.rulebook import load_rulebook
from veillee.web.rendering.rulebook import parse
from veillee.words import LANGUAGES

BADGES = {"ruling": "our ruling", "fact": "published", "reconstruction": "rebuilt", "departure": "ours"}
TEXT = """# A game

Hello.

## Turns

[XX-1.1] Draw *one* card. See XX-1.2 and YY-9.9.

[XX-1.2]{ruling} Nobody <b>peeks</b>.

[XX-1.3] Pay 2 coins. [Or *none*, see XX-1.1.]{ruling} [It is 3 in the box.]{fact} Then go.

## Tiles

| tile | does |
|---|---|
| Bridge | Nothing. [Or 1 point.]{reconstruction} |
"""
RULING = '<span class="badge ruling">our ruling</span>'


def test_every_rule_is_an_anchored_paragraph():
    book = parse(TEXT, BADGES)
    assert book.title == "A game"
    assert [(c.anchor, c.title) for c in book.chapters] == [("c1", "Turns"), ("c2", "Tiles")]
    assert '<p class="rule-text" id="XX-1.1"><a class="rule-id" href="#XX-1.1">XX-1.1</a> Draw' in book.html
    assert "Draw <em>one</em> card." in book.html
    assert book.rules == ["XX-1.1", "XX-1.2", "XX-1.3"]


def test_a_ruling_says_so():
    book = parse(TEXT, BADGES)
    head = '<a class="rule-id" href="#XX-1.2">XX-1.2</a>'
    assert f'<p class="rule-text ruling" id="XX-1.2">{head} {RULING} Nobody' in book.html


def test_sentences_of_ours_stand_apart_in_a_rule():
    book = parse(TEXT, BADGES)
    link = '<a class="rule" href="#XX-1.1">XX-1.1</a>'
    ours = f'<span class="part ruling">{RULING} Or <em>none</em>, see {link}.</span>'
    fact = '<span class="part fact"><span class="badge fact">published</span> It is 3 in the box.</span>'
    head = '<p class="rule-text" id="XX-1.3"><a class="rule-id" href="#XX-1.3">XX-1.3</a>'
    assert f"{head} Pay 2 coins. {ours} {fact} Then go.</p>" in book.html


def test_what_is_marked_is_listed_where_it_stands():
    marked = parse(TEXT, BADGES).marked
    assert {mark: [(place.anchor, place.title) for place in places] for mark, places in marked.items()} == {
        "ruling": [("XX-1.2", "XX-1.2"), ("XX-1.3", "XX-1.3")],
        "reconstruction": [("c2", "Tiles")],
        "fact": [("XX-1.3", "XX-1.3")],
    }


def test_rules_of_this_book_are_linked():
    book = parse(TEXT, BADGES)
    assert 'See <a class="rule" href="#XX-1.2">XX-1.2</a>' in book.html
    assert 'href="#YY-9.9"' not in book.html


def test_a_position_is_a_picture_with_what_one_sees_below_it():
    book = parse('# A game\n\n![Two & a <tie>.](position:tie "low")\n', {}, "/rules/xx/positions")
    frame = '<iframe src="/rules/xx/positions/tie" title="Two &amp; a &lt;tie&gt;." loading="lazy"></iframe>'
    said = "<figcaption>Two &amp; a &lt;tie&gt;.</figcaption>"
    assert f'<figure class="position low" tabindex="0">{frame}{said}</figure>' in book.html
    with pytest.raises(ValueError, match="A picture is one of"):
        parse('![A tie.](position:tie "round")', {})


def test_no_html_gets_in():
    assert "<b>" not in parse(TEXT, BADGES).html


def test_french_spaces_do_not_break_a_line():
    book = parse("# Un jeu\n\n[XX-1.1] Voici : « oui » ; ou non ?", {})
    assert "Voici\u00a0: «\u00a0oui\u00a0»\u202f; ou non\u202f?" in book.html


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", list(BOXES))
def test_the_page_lists_every_rule_that_is_marked(game, lang):
    box = BOXES[game]
    table = tomllib.loads((box.folder / "rulebook" / "marks.toml").read_text(encoding="utf-8"))
    book = load_rulebook(box, lang)
    assert book is not None
    assert {rule for rule in book.rules if not rule.startswith("K-")} == set(table)
    for mark in ("ruling", "departure", "fact", "reconstruction"):
        listed = {place.anchor for place in book.marked.get(mark, []) if place not in book.chapters}
        assert listed == {rule for rule, marks in table.items() if mark in marks}
