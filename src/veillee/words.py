"""Words in the reader's language: English is written in the code, French in a .po file beside it.

The catalogues are read as they are, so a translator's change needs no build; the spaces that French has before its signs are
set on the way. Names of cards and tiles are content, not words: they stand in content.toml in both languages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol, runtime_checkable

from babel.messages.pofile import read_po

LANGUAGES = ("fr", "en")
WIDE, THIN = re.compile(r" (?=[:»%])|(?<=«) "), re.compile(r" (?=[;!?])")


def spoken(environment: Mapping[str, str] = os.environ) -> str:
    """The reader's language: VEILLEE_LANG, or the locale's, whose C is English; French where nothing is said at all.

    The one default of the package and of its commands. A browser says its reader's own (web/http/preferences.py).
    """
    named = (environment.get(name, "") for name in ("VEILLEE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((value for value in named if value), "fr")
    return "fr" if locale.lower().startswith("fr") else "en"


class Words:
    """Translates and fills in: t("{who} draws a card.", who="Yvain")."""

    def __init__(self, lang: str, catalogue: dict[str, tuple[str, ...]]) -> None:
        self.lang = lang
        self.catalogue = catalogue

    def __call__(self, message: str, /, **values: object) -> str:
        text = self.catalogue.get(message, (message,))[0]
        return filled(text, values) if values else text

    def tn(self, one: str, many: str, n: int, /, **values: object) -> str:
        """The singular or the plural; `n` may be used in both. French counts 0 and 1 as singular."""
        singular = n < 2 if self.lang == "fr" else n == 1
        forms = self.catalogue.get(one, (one, many))
        return filled(forms[0 if singular else -1], {"n": n, **values})

    def name(self, names: dict[str, str]) -> str:
        """One of the names {fr: …, en: …} that content has."""
        return names[self.lang]


def tied(text: str) -> str:
    """With the spaces that French has before its signs: no line ends there, and those before ; ! ? are thin."""
    return THIN.sub("\u202f", WIDE.sub("\u00a0", text))


def filled(text: str, values: dict[str, object]) -> str:
    try:
        return text.format_map(values)
    except KeyError as error:
        raise LookupError(f"{text!r} has a place for {error}, and is given: {', '.join(values)}.") from None


@cache
def words(folder: Path, lang: str) -> Words:
    """The words of one room: `folder` holds fr.po; English needs no file."""
    catalogue: dict[str, tuple[str, ...]] = {}
    path = folder / f"{lang}.po"
    if path.exists():
        with path.open("rb") as file:
            for message in read_po(file, locale=lang):
                if not message.id or not message.string:
                    continue
                source = message.id if isinstance(message.id, str) else message.id[0]
                texts = (message.string,) if isinstance(message.string, str) else tuple(message.string)
                if all(texts):
                    catalogue[source] = tuple(tied(text) for text in texts) if lang == "fr" else texts
    return Words(lang, catalogue)


@runtime_checkable
class Sayable(Protocol):
    """What is put into words when its reader is known."""

    def say(self, lang: str) -> str: ...


@dataclass(frozen=True)
class Sentence:
    """A sentence before anybody reads it: a message of one room, and what it is filled in with.

    A value may be names {fr: …, en: …} that content has, or another thing that is said late.
    """

    folder: Path
    message: str
    values: dict[str, object]

    def say(self, lang: str) -> str:
        return words(self.folder, lang)(
            self.message, **{name: _said(value, lang) for name, value in self.values.items()}
        )

    def __str__(self) -> str:
        return self.say("en")


def _said(value: object, lang: str) -> object:
    if isinstance(value, Sayable):
        return value.say(lang)
    return value[lang] if isinstance(value, dict) else value


def sentences(folder: Path) -> Callable[..., Sentence]:
    """The t("…") of a room for what is said late: `folder` holds fr.po."""

    def t(message: str, /, **values: object) -> Sentence:
        return Sentence(folder, message, values)

    return t
