"""Every game: both rulebooks explain each rule of its specification once, and say whose words are whose."""

from __future__ import annotations

import re
import tomllib

import pytest

from veillee.games.catalogue import BOXES
from veillee.games.rulebook import rules
from veillee.words import LANGUAGES

SPOKEN = {
    "fr": {"le", "la", "les", "l", "d", "de", "du", "des", "un", "une", "et", "en", "il", "vous", "chacun", "est"},
    "en": {"the", "of", "and", "an", "is", "to", "it", "you", "one", "each", "at", "for", "everyone", "with", "by"},
}


def book(box, lang: str) -> str:
    return (box.folder / "rulebook" / f"{lang}.md").read_text(encoding="utf-8")


def marks(box) -> dict[str, list[str]]:
    """What tools/marks.py found in the specification: the rules, and the marks of each."""
    return tomllib.loads((box.folder / "rulebook" / "marks.toml").read_text(encoding="utf-8"))


def wrong(source: str, lang: str, expected: dict[str, list[str]]) -> list[str]:
    found = rules(source)
    ids = [rule.id for rule in found]
    complaints = [f"{rule} is not explained" for rule in expected if rule not in ids]
    complaints += [f"{rule} is no rule" for rule in ids if rule not in expected]
    complaints += [f"{rule} is explained {ids.count(rule)} times" for rule in dict.fromkeys(ids) if ids.count(rule) > 1]
    for rule in found:
        if rule.marks != expected.get(rule.id, rule.marks):
            complaints.append(f"{rule.id} has the marks {rule.marks} for {expected[rule.id]}")
        said = re.findall(r"\w+", rule.text.lower())
        heard = {spoken: sum(word in SPOKEN[spoken] for word in said) for spoken in LANGUAGES}
        if heard[lang] < max(heard.values()):
            complaints.append(f"{rule.id} is not told in {lang!r}")
    if loose := re.findall(r"\]\{\w*\}?", re.sub(r"\]\{(?:ruling|fact|reconstruction)\}", "", source)):
        complaints.append(f"marks that nobody knows: {loose}")
    return complaints


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_each_rule_is_explained_once_and_says_whose_words_are_whose(box, lang):
    assert wrong(book(box, lang), lang, marks(box)) == []


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_the_code_cites_rules_that_are_explained(box):
    cited = set()
    for path in box.folder.glob("*.py"):
        cited |= set(re.findall(rf'"({box.code.upper()}-\d+(?:\.\d+)+)"', path.read_text(encoding="utf-8")))
    assert cited, "the code cites no rule"
    assert cited <= set(marks(box)), f"cited and not explained: {sorted(cited - set(marks(box)))}"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[GK-1.2]{fact}", "[GK-1.2]", "GK-1.2 has the marks [] for ['fact']"),
        ("[GK-1.3] ", "[GK-1.3]{ruling} ", "GK-1.3 has the marks ['ruling'] for []"),
        ("[The ring has 30 spaces.]{fact}", "The ring has 30 spaces.", "GK-1.4 has the marks [] for ['fact']"),
        (
            "[The ring has 30 spaces.]{fact}",
            "[The ring has 30 spaces.]{figure}",
            "marks that nobody knows: [']{figure}']",
        ),
        ("[GK-1.5] ", "", "GK-1.5 is not explained"),
        ("[GK-1.5] ", "[GK-1.55] ", "GK-1.55 is no rule"),
        ("[GK-1.5] ", "[GK-1.3] ", "GK-1.3 is explained 2 times"),
        ("The sword that was used leaves the game.", "L’épée utilisée quitte la partie.", "GK-4.2 is not told in 'en'"),
    ],
)
def test_a_fault_in_a_rulebook_is_found(old, new, complaint):
    box = BOXES["ghost-knights"]
    source = book(box, "en")
    assert old in source
    assert complaint in wrong(source.replace(old, new), "en", marks(box))
