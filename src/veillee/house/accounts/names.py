"""Names as they may be displayed: visible, short, and not to be confused with another name.

A name keeps to one script, or to scripts that are written together (Unicode's "highly restrictive" rule, UTS 39);
invisible characters are removed; and two names at a table must look different, not only be different.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import lru_cache

from confusable_homoglyphs import categories, confusables

from veillee.house.errors import BadRequest, t

LONGEST_NAME = 30
MAX_RAW_FACTOR = 4  # a text that is so many times longer than allowed is refused before its characters are looked at
JOINER = "\u200d"  # zero-width joiner: holds the parts of one emoji together
COLOURED = "\ufe0f"  # variation selector 16: draw the emoji in colour
# Letters and marks that are drawn as nothing, though Unicode does not class them as control characters.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
MARKS = 2  # accents on one letter: no supported language has more
SCRIPTS_OF_ANY_NAME = {"COMMON", "INHERITED"}
TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)


def clean_name(name: str) -> str:
    """Returns a name as it may be displayed: one line, nothing invisible, not too long. Raises BadRequest."""
    if len(name) > MAX_RAW_FACTOR * LONGEST_NAME:
        raise BadRequest(t("A name has at most {most} letters.", most=LONGEST_NAME))
    shown = keep_visible_characters(name)
    if not any(_is_printable(c) for c in shown):
        raise BadRequest(t("A name is needed: one letter is enough."))
    if len(shown) > LONGEST_NAME:
        raise BadRequest(t("A name has at most {most} letters.", most=LONGEST_NAME))
    if mixes_scripts(shown):
        raise BadRequest(t("A name is written in one alphabet: letters of several can look the same."))
    return shown


def make_distinct(name: str, taken: Collection[str]) -> str:
    """Returns the name, with a number if another one at the table is the same or looks the same."""
    alike = {confusable_skeleton(other) for other in taken}
    number, told = 2, name
    while confusable_skeleton(told) in alike:
        number, told = number + 1, f"{name} {number}"
    return told


def keep_visible_characters(text: str) -> str:
    """Returns the text as one line without control characters, direction overrides, lone surrogates and blank
    letters.
    """
    kept: list[str] = []
    marks = 0
    for c in unicodedata.normalize("NFC", text):
        category = unicodedata.category(c)
        if c in (JOINER, COLOURED):
            if kept and (unicodedata.category(kept[-1])[0] == "S" or kept[-1] == COLOURED):
                kept.append(c)
            continue
        if not c.isspace() and (category[0] == "C" or c in BLANK or any(ord(c) in row for row in SELECTORS)):
            continue
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= MARKS:
            kept.append(c)
    return " ".join("".join(kept).split())


def mixes_scripts(name: str) -> bool:
    """Returns whether the name mixes scripts that are not written together."""
    scripts = {categories.alias(c) for c in name if c.isalpha()} - SCRIPTS_OF_ANY_NAME
    return len(scripts) > 1 and not any(scripts <= family for family in TOGETHER)


def confusable_skeleton(name: str) -> str:
    """Returns the confusable skeleton: the same for all names that look the same."""
    plain = "".join(_base_letter(c) for c in unicodedata.normalize("NFKC", name))
    return "".join(_base_letter(c) for c in plain.casefold())


def title_skeleton(title: str) -> str:
    """Returns what titles that look the same have in common: their letters and digits, as confusable_skeleton()."""
    told = confusable_skeleton(title)
    return "".join(c for c in told if c.isalnum()) or told


def _is_printable(c: str) -> bool:
    """Returns whether a visible character can stand by itself: marks and joiners cannot."""
    return unicodedata.category(c)[0] in "LNPS"


@lru_cache(4096)
def _base_letter(c: str) -> str:
    """Returns the ASCII character that looks like this one, or the character itself."""
    found = confusables.is_confusable(c, greedy=True, preferred_aliases=[]) or []
    alike = [other["c"] for one in found for other in one["homoglyphs"] if len(other["c"]) == 1]
    latin = sorted(other for other in [c, *alike] if other.isascii())
    return latin[0] if latin else c
