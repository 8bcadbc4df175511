"""The check of the translations finds planted faults."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parent.parent.parent / "tools" / "check" / "check_words.py"
HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
FRENCH = (
    'msgid "Draw a {colour} card"\nmsgstr "Piocher une carte {colour}"\n\n'
    'msgid "{n} card"\nmsgid_plural "{n} cards"\nmsgstr[0] "une carte"\nmsgstr[1] "{n} cartes"\n'
)
PYTHON = 'def label(t):\n    return t("Draw a {colour} card", colour=1) + t.tn("{n} card", "{n} cards", 2)\n'


@pytest.fixture
def house(tmp_path):
    """A house with one game, one page and one word of the match: all is well."""
    game = tmp_path / "games" / "toy"
    (game / "board").mkdir(parents=True)
    (game / "locale").mkdir()
    (game / "__init__.py").touch()
    (game / "words.py").write_text(PYTHON)
    (game / "locale" / "fr.po").write_text(HEAD + FRENCH)
    (game / "content.toml").write_text('[[card]]\nname = { fr = "Roi", en = "King" }\n')
    (game / "board" / "hand.html").write_text('<p>{{ t("Your turn") }}</p>')
    for room, message, text in (("web", "Your turn", "À vous"), ("match", "No {what}.", "Pas de {what}.")):
        (tmp_path / room / "locale").mkdir(parents=True)
        (tmp_path / room / "locale" / "fr.po").write_text(HEAD + f'msgid "{message}"\nmsgstr "{text}"\n')
    (tmp_path / "web" / "page.html").write_text('{% if x %}<b title="{{ t("Your turn") }}"></b>{% endif %}')
    (tmp_path / "match" / "match.py").write_text('def f():\n    raise Unknown(t("No {what}.", what=1))\n')
    (game / "rules.py").write_text('def f():\n    """Not l\'or."""\n')
    (game / "names.py").write_text('NAME = {"fr": "L’or du roi", "en": "The king\'s gold"}\nd = f"l’{NAME}"\n')
    (game / "rulebook").mkdir()
    (game / "rulebook" / "fr.md").write_text("# Un jeu\n\nL’or du roi.\n")
    (tmp_path / "games" / "house").mkdir()
    (tmp_path / "games" / "house" / "fr.md").write_text("## À toutes les tables, l’accueil\n")
    return tmp_path


def check(house: Path, expect: int) -> str:
    result = subprocess.run([sys.executable, str(TOOL), str(house)], capture_output=True, text=True, check=False)
    assert result.returncode == expect, result.stdout + result.stderr
    assert result.stderr == ""
    return result.stdout


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_all_is_well(house):
    assert "4 French texts, all in use" in check(house, 0)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("games/toy/words.py", "Draw a ", "Take a ", "words.py:2: not translated into French: 'Take a {colour} card'"),
        ("games/toy/words.py", "Draw a ", "Take a ", "nobody says this any more: 'Draw a {colour} card'"),
        ("games/toy/locale/fr.po", "carte {colour}", "carte {couleur}", "other {placeholders} in French"),
        ("games/toy/locale/fr.po", "{n} cartes", "cartes {m}", "other {placeholders} in French"),
        ("games/toy/locale/fr.po", '"Piocher une carte {colour}"', '""', "not translated"),
        ("games/toy/locale/fr.po", 'msgid "Draw', '#, fuzzy\nmsgid "Draw', "not translated"),
        (
            "games/toy/locale/fr.po",
            'msgid "{n} card"',
            'msgid "Draw a {colour} card"\nmsgstr "Tirez"\n\nmsgid "{n} card"',
            'fr.po: translated twice: "Draw a {colour} card"',
        ),
        ("games/toy/locale/fr.po", "Piocher une carte", "Qui pioche prend une carte", "not how people speak"),
        ("games/toy/locale/fr.po", "Piocher une carte", "Le bot pioche une carte", "not how people speak"),
        ("games/toy/locale/fr.po", "Piocher une carte", "Une carte à lui à lui", "not how people speak"),
        (
            "games/toy/rulebook/fr.md",
            "L’or du roi.",
            "L’or de qui l’a.",
            "fr.md:3: not how people speak (docs/words.md): 'de qui l’a'",
        ),
        ("games/toy/words.py", 't.tn("{n} card", "{n} cards", 2)', 't("{n} card", n=2)', "has a plural"),
        ("games/toy/board/hand.html", "Your turn", "Your move", "hand.html:1: not translated into French: 'Your move'"),
        ("web/page.html", "Your turn", "Go", "page.html:1: not translated into French: 'Go'"),
        (
            "match/match.py",
            "No {what}.",
            "Never {what}.",
            "match.py:2: not translated into French: 'Never {what}.'",
        ),
        ("games/toy/content.toml", ', en = "King"', "", "content.toml: card[0].name has no name in 'en'"),
        ("games/toy/content.toml", '{ fr = "Roi", en = "King" }', '"King"', "one name for all languages: 'King'"),
        ("games/toy/locale/fr.po", "une carte", "l'as", "fr.po: a straight apostrophe in French: '{n} card'"),
        ("games/toy/content.toml", "Roi", "L'as", "content.toml: a straight apostrophe in French: L'as"),
        ("games/toy/rulebook/fr.md", "’", "'", "fr.md:3: a straight apostrophe in French"),
        ("games/house/fr.md", "’", "'", "house/fr.md:1: a straight apostrophe in French"),
        ("games/toy/names.py", "L’or", "L'or", 'names.py:1: a straight apostrophe in French: "L\'or du roi"'),
        ("games/toy/names.py", "l’{", "l'{", 'names.py:2: a straight apostrophe in French: "l\'"'),
        ("games/toy/locale/fr.po", "Piocher une", "Qui se lève pioche une", "not how people speak"),
        ("games/toy/locale/fr.po", "Piocher une", "Le procès-verbal : une", "not how people speak"),
        ("games/toy/rulebook/fr.md", "’", "’. Qui a deux cartes gagne. ’", "fr.md:3: not how people speak"),
        ("web/page.html", "></b>", ">Qu'il joue</b>", "page.html:1: a straight apostrophe in French"),
    ],
)
def test_what_is_wrong_is_named(house, file, old, new, told):
    change(house / file, old, new)
    assert told in check(house, 1)
