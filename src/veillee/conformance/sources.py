"""Checks of what the rulebooks rest on: `rulebook/sources.toml` names, for each paragraph, sentences of the publisher's
rulebook by line and number. The text of the publisher is no part of the package; where it is at hand, `unread` compares.

    file = "rulebook.txt"            # the name of the file with the publisher's text
    [rests]                          # "163.5": a sentence; "163": all of a line; "17-21": all of these lines
    "SD-4.4" = "163.1 163.5; 163.5"  # a semicolon between the unmarked sentences of the paragraph: each names its own
    [left]                           # sentences that no paragraph rests on, and why
    "1-27" = "the site that shared the rulebook speaks of itself"
    [marks]                          # marks beyond those of the specification (tools/check/marks.py)
    "SD-5.2" = ["ruling"]
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veillee.games.rulebook import rules
from veillee.words import LANGUAGES

FILE = "sources.toml"
FREE = ("intro", "brief")  # what stands before the first chapter, and the summary of a turn
ENDS = re.compile(r"(?<=[.!?…»])\s+(?=[A-ZÀÂÉÈÊÎÔÇ«“\"*(])")
OURS = re.compile(r"(?<=[.!?…])[”»)]?\s+(?=[A-ZÀÂÉÈÊÎÔÇ«“\"\[])")
PLACE = re.compile(r"(\d+)(?:-(\d+)|\.(\d+))?")


def sources_of(folder: Path) -> dict[str, Any] | None:
    """Returns the table of the box in that folder, or None if it has none."""
    path = folder / "rulebook" / FILE
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def sentences(line: str) -> list[str]:
    return [part for part in ENDS.split(line.strip()) if re.search(r"\w", part)]


def plain_sentences(folder: Path) -> dict[str, list[int]]:
    """Returns how many unmarked sentences each rule has, in each language."""
    found: dict[str, list[int]] = {}
    for lang in LANGUAGES:
        for rule in rules((folder / "rulebook" / f"{lang}.md").read_text(encoding="utf-8")):
            plain = [part.text for part in rule.parts if not part.mark]
            count = sum(len([one for one in OURS.split(text) if re.search(r"\w", one)]) for text in plain)
            found.setdefault(rule.id, []).append(count)
    return found


def wrong_sources(folder: Path, table: dict[str, Any]) -> list[str]:
    """Returns what is wrong with a table, without the text: an unmarked sentence that rests on nothing, and a paragraph
    that is not there."""
    counted = plain_sentences(folder)
    complaints = [f"{rule} is no paragraph" for rule in table["rests"] if rule not in counted and rule not in FREE]
    for rule, plain in counted.items():
        places = table["rests"].get(rule, "")
        groups = [group.strip() for group in places.split(";")] if places else []
        complaints += [
            f"{rule}, sentence {number}, rests on nothing" for number, group in enumerate(groups, 1) if not group
        ]
        for lang, count in zip(LANGUAGES, plain, strict=True):
            if count != len(groups):
                complaints.append(
                    f"{rule} has {count} sentences without a mark in {lang!r}, and [rests] says what {len(groups)} rest on"
                )
    return complaints


def named(places: str, text: list[str]) -> Iterator[tuple[int, int]]:
    """Yields every sentence that such a list of places names. Raises ValueError for one that is not in the text."""
    for place in places.replace(";", " ").split():
        found = PLACE.fullmatch(place)
        if found is None:
            raise ValueError(f"{place!r} is no place")
        first, last, number = int(found[1]), int(found[2] or found[1]), int(found[3] or 0)
        if last > len(text) or (number and number > len(sentences(text[first - 1]))):
            raise ValueError(f"{place!r} is not in the text")
        for line in range(first, last + 1):
            count = len(sentences(text[line - 1]))
            yield from ((line, n) for n in ([number] if number else range(1, count + 1)))


def unread(table: dict[str, Any], text: str) -> list[str]:
    """Returns the sentences of the publisher's text that no paragraph rests on and that are not left out with a reason,
    those that are both, and places that the text does not have."""
    lines = text.split("\n")
    complaints: list[str] = []
    seen: dict[str, set[tuple[int, int]]] = {"rests": set(), "left": set()}
    for part, places in [("rests", value) for value in table["rests"].values()] + [
        ("left", key) for key in table["left"]
    ]:
        try:
            seen[part] |= set(named(places, lines))
        except ValueError as error:
            complaints.append(str(error))
    every = {(n, i) for n, line in enumerate(lines, 1) for i in range(1, len(sentences(line)) + 1)}
    complaints += [f"{n}.{i}: no paragraph rests on it" for n, i in sorted(every - seen["rests"] - seen["left"])]
    complaints += [f"{n}.{i}: left out, and a paragraph rests on it" for n, i in sorted(seen["rests"] & seen["left"])]
    return complaints
