"""Translation: English is written in the code, French in a .po file beside it.

The catalogues are read at run time, so a translator's change needs no build; French non-breaking spaces are inserted
while loading. Names of cards and tiles are content: they are in content.toml in both languages.
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
    """Returns the reader's language: VEILLEE_LANG, or the locale's, where C is English; French if nothing is set.

    The default of the package and of its commands. A browser sends its own (web/http/preferences.py).
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
        """Returns the singular or the plural; `n` may be used in both. French counts 0 and 1 as singular."""
        singular = n < 2 if self.lang == "fr" else n == 1
        forms = self.catalogue.get(one, (one, many))
        return filled(forms[0 if singular else -1], {"n": n, **values})

    def name(self, names: dict[str, str]) -> str:
        """Returns the name in this language of {fr: …, en: …}."""
        return names[self.lang]


def tied(text: str) -> str:
    """Replaces the spaces before French punctuation by non-breaking ones, thin before ; ! ?."""
    return THIN.sub("\u202f", WIDE.sub("\u00a0", text))


def filled(text: str, values: dict[str, object]) -> str:
    try:
        return text.format_map(values)
    except KeyError as error:
        raise LookupError(f"{text!r} has a place for {error}, and is given: {', '.join(values)}.") from None


@cache
def words(folder: Path, lang: str) -> Words:
    """Returns the words of one package: `folder` holds fr.po; English needs no file."""
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
    """A value that is put into words when its reader's language is known."""

    def say(self, lang: str) -> str: ...


@dataclass(frozen=True)
class Sentence:
    """A sentence that is translated late: a message of one package, and its values.

    A value may be names {fr: …, en: …} from content, or another sentence.
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
    """Returns the t("…") of a package for late translation: `folder` holds fr.po."""

    def t(message: str, /, **values: object) -> Sentence:
        return Sentence(folder, message, values)

    return t
