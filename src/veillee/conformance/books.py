"""Checks of rulebooks."""

from __future__ import annotations

import re
import tomllib

from veillee.games.box import Box
from veillee.games.rulebook import MARK, rules
from veillee.games.rulebook import book as whole
from veillee.words import LANGUAGES

SPOKEN = {
    "fr": {"le", "la", "les", "l", "d", "de", "du", "des", "un", "une", "et", "en", "il", "vous", "chacun", "est"},
    "en": {"the", "of", "and", "an", "is", "to", "it", "you", "one", "each", "at", "for", "everyone", "with", "by"},
}


QUOTED = re.compile(r"«.+»|“.+”")  # a departure quotes the sentence that it does not follow


def book(box: Box, lang: str) -> str:
    return (box.folder / "rulebook" / f"{lang}.md").read_text(encoding="utf-8")


def chapters(box: Box, lang: str) -> list[tuple[str, list[str]]]:
    """Returns its table of contents, the house's chapter last: each title with the rules below it."""
    _, *found = re.split(r"^## ", whole(box.folder, lang) or "", flags=re.MULTILINE)
    return [(text.partition("\n")[0], [rule.id for rule in rules(text)]) for text in found]


def marks(box: Box) -> dict[str, list[str]]:
    """Returns the rules of its specification, and the marks that each must have."""
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
    for rule in found:
        for part in rule.parts:
            if part.mark == "departure" and not QUOTED.search(part.text):
                complaints.append(f"{rule.id} departs from a sentence that it does not quote")
    if loose := re.findall(r"\]\{\w*\}?", re.sub(rf"\]{MARK}", "", source)):
        complaints.append(f"marks that nobody knows: {loose}")
    return complaints
