"""What can be wrong with what a caller asks: each error is a sentence for people."""

from __future__ import annotations

from pathlib import Path

from veillee.words import Words, words


def match_words(lang: str) -> Words:
    return words(Path(__file__).parent / "locale", lang)


class VeilleeError(Exception):
    """The sentence is the message: str(error) in English, say(lang) in the reader's language.

    A value may be a pair of names {fr: …, en: …} or another error.
    """

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(message)
        self.message = message
        self.values = values

    def say(self, lang: str) -> str:
        return match_words(lang)(self.message, **{name: _said(value, lang) for name, value in self.values.items()})

    def __str__(self) -> str:
        return self.say("en")


def _said(value: object, lang: str) -> object:
    if isinstance(value, VeilleeError):
        return value.say(lang)
    return value[lang] if isinstance(value, dict) else value


class Forbidden(VeilleeError):
    """A choice that a rule (or the moment) forbids: the sentence is in the language of who plays.

    `rule` is the rule's id, or empty.
    """

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(f"{sentence} ({rule})" if rule else sentence)
        self.sentence = sentence
        self.rule = rule


class BadSave(VeilleeError):
    """A saved game that cannot be read or does not match itself."""


class Unknown(VeilleeError):
    """No such game, seat or option."""
