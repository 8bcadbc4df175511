"""Marks of origin in a rulebook (rulebook/fr.md, en.md).

A rule is a paragraph that begins with its number. Unmarked text is what the publisher's rulebook says; everything else
is marked, the whole paragraph or some sentences of it:

    [GK-1.2]{fact} A published figure that the rulebook leaves out.

    [GK-1.6] What the rulebook says. [What we decided, where it is silent or torn.]{ruling}

    [SD-5.1] What the rulebook says. [What was never published, so that we designed it.]{reconstruction}

    [SD-5.6] What the rulebook says. [The clear sentence that we do not follow, quoted, and why.]{departure}

`rulebook/marks.toml` lists the marks that each rule must have (tools/check/marks.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

HOUSE = Path(__file__).parent / "house"  # the rules of every table: the last chapter of every rulebook
MARKS = ("ruling", "reconstruction", "fact", "departure")
ID = r"[A-Z]{1,2}-[0-9]+(?:\.[0-9]+)*"
MARK = rf"\{{({'|'.join(MARKS)})\}}"
HEAD = re.compile(rf"\[({ID})\](?:{MARK})? ")  # how a rule begins
PART = re.compile(rf"\[(?!{ID}\])([^\[\]]+)\]{MARK}")  # sentences with a mark of their own
PARAGRAPH = re.compile(rf"^{HEAD.pattern}(\S.*)$", re.MULTILINE)


class Part(NamedTuple):
    text: str
    mark: str  # one of MARKS, or nothing: the publisher's rule


@dataclass(frozen=True)
class Rule:
    id: str
    mark: str  # of the whole paragraph
    text: str

    @property
    def parts(self) -> list[Part]:
        """The text, split by mark."""
        parts: list[Part] = []
        at = 0
        for found in PART.finditer(self.text):
            parts += [Part(self.text[at : found.start()].strip(), self.mark), Part(found[1], found[2])]
            at = found.end()
        parts.append(Part(self.text[at:].strip(), self.mark))
        return [part for part in parts if part.text]

    @property
    def marks(self) -> list[str]:
        """All its marks, in the order of MARKS."""
        said = {part.mark for part in self.parts}
        return [mark for mark in MARKS if mark in said]


def book(folder: Path, lang: str) -> str | None:
    """Returns the rulebook of the box in that folder, the house's chapter last; None if it has none in this
    language."""
    own = folder / "rulebook" / f"{lang}.md"
    if not own.exists():
        return None
    return own.read_text("utf-8") + "\n" + (HOUSE / f"{lang}.md").read_text("utf-8")


def rules(source: str) -> list[Rule]:
    """Returns the rules of a rulebook, in its order."""
    return [Rule(found[1], found[2] or "", found[3]) for found in PARAGRAPH.finditer(source)]


def find_rules(known: Sequence[Rule], search: str, rule: str = "") -> list[Rule]:
    """Returns the rule of that id, or those that contain all words."""
    if rule:
        return [one for one in known if one.id == rule.strip().upper()]
    wanted = search.casefold().split()
    return [one for one in known if wanted and all(word in one.text.casefold() for word in wanted)]
