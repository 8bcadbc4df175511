"""Errors of a caller's requests, kept as data (what was tried, where, which rule) until they are displayed.

error.say(lang) is a sentence in the reader's language. HTTP statuses and exit codes are in house/errors.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from veillee.games.box import Box
from veillee.kernel.state import NOT_ASKED, NOT_YOU, State
from veillee.words import LANGUAGES, Sayable, Sentence, Words, sentences, spoken, words

LOCALE = Path(__file__).parent / "locale"

t: Callable[..., Sentence] = sentences(LOCALE)  # sentences that are translated when displayed


def match_words(lang: str) -> Words:
    """Returns the match's sentences in a known language, to translate at once."""
    return words(LOCALE, lang)


# The rules of every table (games/house): checked before those of the game.
NO_ANSWER = "K-3"
NOT_OFFERED = "K-4"
NOT_KNOWN = "K-5"

HOUSE_RULES = {
    NOT_YOU: t("It is not your turn."),
    NOT_ASKED: t("That is no answer to the question asked."),
    NO_ANSWER: t("There is no choice to play."),
    NOT_OFFERED: t("That choice was offered to another seat."),
    NOT_KNOWN: t("What comes after this answer is not known yet: answer one question at a time."),
}


class VeilleeError(Exception):
    """Base of all errors. say(lang) is a sentence; str(error) is the sentence in the reader's language, with the rule's
    id.

    `rule` is the id of the rule that forbids the request, or empty.
    """

    def __init__(self, said: Sayable, rule: str = "") -> None:
        super().__init__(said, rule)
        self.said = said
        self.rule = rule

    def say(self, lang: str = "") -> str:
        """Returns the sentence without the rule's id. Raises Unknown for an unsupported language."""
        return self.said.say(check_language(lang))

    def cite(self, lang: str = "") -> str:
        """Returns the sentence with the rule's id."""
        return f"{self.say(lang)} ({self.rule})" if self.rule else self.say(lang)

    def __str__(self) -> str:
        return self.cite()


@dataclass(frozen=True)
class Objection:
    """A rule's refusal of a seat's answer, in the position where it was tried."""

    box: Box
    state: State
    seat: int
    answer: int
    rule: str

    def say(self, lang: str) -> str:
        return self.box.speech.why(self.state, self.seat, self.answer, self.rule, self.box.words(lang))


class Forbidden(VeilleeError):
    """An answer refused by a rule: what was tried (`seat`, `answer`), where (`box`, `state`), and why.

    `state` is the whole position in which the answer was refused, which is never changed afterwards: in a row of
    answers it is the one that the answers before would lead to. `rule` is the game's or the house's. `answer` is None
    where there was none.
    """

    def __init__(self, box: Box, state: State, seat: int, answer: int | None, rule: str) -> None:
        if rule in HOUSE_RULES:
            super().__init__(HOUSE_RULES[rule], rule)
        else:
            assert answer is not None  # a game's rule is about an answer
            super().__init__(Objection(box, state, seat, answer, rule), rule)
        self.box = box
        self.state = state
        self.seat = seat
        self.answer = answer


class BadSave(VeilleeError):
    """A saved game that cannot be read or is inconsistent."""


class Unknown(VeilleeError):
    """No such game, seat, option or language."""


@dataclass(frozen=True)
class SentenceList:
    """Several sentences, one to a line."""

    parts: Sequence[Sayable]

    def say(self, lang: str) -> str:
        return "\n".join(part.say(lang) for part in self.parts)


class BadContent(VeilleeError):
    """An owner's file that is not valid; all its errors, a sentence per line."""

    def __init__(self, errors: Sequence[Sayable]) -> None:
        super().__init__(SentenceList(errors))
        self.errors = errors


class Reason(str):
    """Why something cannot be chosen: the rule's id, and a sentence. Empty: it can.

    It is the id (reason == "GK-2.1"), and say() explains it.
    """

    __slots__ = ("refusal",)

    refusal: Forbidden | None

    @classmethod
    def of(cls, refusal: Forbidden | None) -> Reason:
        reason = cls(refusal.rule if refusal is not None else "")
        reason.refusal = refusal
        return reason

    def say(self, lang: str = "") -> str:
        """The sentence, in the reader's language unless another is named."""
        return self.refusal.say(lang) if self.refusal is not None else ""

    def __repr__(self) -> str:
        return f"<{self}: {self.say()}>" if self else "''"


def check_language(lang: str) -> str:
    """Returns the language if it is supported; for an empty string the reader's. Raises Unknown."""
    if not lang:
        return spoken()
    if lang not in LANGUAGES:
        raise Unknown(t("No words in {lang}: the languages are {known}.", lang=quote(lang), known=", ".join(LANGUAGES)))
    return lang


def quote(given: object) -> str:
    """Returns a caller's value, short enough for a sentence."""
    return repr(given)[:40]
