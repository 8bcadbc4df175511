"""A model as a player: it is asked by text and data, its answer is judged, and each refusal is counted.

An answer that a rule forbids is counted under the id of that rule; one that cannot be read as an answer under a kind of
failure. The model is told why and asked again, RETRIES times; then a random choice is played in its place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from veillee.kernel.state import MOST_ACTIONS, NOT_ASKED
from veillee.match.compact_text import describe
from veillee.match.errors import NOT_OFFERED, Forbidden
from veillee.match.match import Match
from veillee.words import sentences

PROTOCOL = 1  # version of the messages (docs/models.md)
RETRIES = 2  # after a refused answer to the same question
LANGUAGE = "en"  # of the texts for models

t = sentences(Path(__file__).parents[1] / "locale")

# Kinds of failures.
PROSE = "prose"  # something else than an answer
TWO_ANSWERS = "two-answers"
NOTHING = "nothing"
LATE = "late"
ENDED = "ended"  # the process has ended, or the API cannot be reached

ADVICE = {
    PROSE: 'Answer one choice: {"choice": ID}, and nothing else.',
    TWO_ANSWERS: "Answer one choice, not several.",
    NOTHING: "There was no choice in the answer.",
}


class Failure(Exception):
    """The model gave no answer that can be judged."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind

    @property
    def is_final(self) -> bool:
        """Whether it makes no sense to ask again."""
        return self.kind in (LATE, ENDED)


@dataclass
class AnswerTally:
    """How a model answered on one seat, or in all games together."""

    questions: int = 0
    rules: dict[str, int] = field(default_factory=dict)  # refusals by the id of the rule
    failures: dict[str, int] = field(default_factory=dict)  # by kind
    replaced: list[int] = field(default_factory=list)  # numbers of the answers that were played in its place
    tokens: int = 0  # as the API counts them; 0: unknown

    def refuse(self, rule: str) -> None:
        self.rules[rule] = self.rules.get(rule, 0) + 1

    def fail(self, kind: str) -> None:
        self.failures[kind] = self.failures.get(kind, 0) + 1

    def add(self, other: AnswerTally) -> None:
        self.questions += other.questions
        self.replaced += other.replaced
        self.tokens += other.tokens
        for mine, others in ((self.rules, other.rules), (self.failures, other.failures)):
            for name, count in others.items():
                mine[name] = mine.get(name, 0) + count


@dataclass(frozen=True)
class ModelQuestion:
    """What a model is asked: text, data, and why its last answer was refused."""

    match: Match
    seat: int
    number: int  # of the question, counted for each game; the same when it is asked again
    until: float  # by the monotonic clock
    refusal: Mapping[str, str] | None = None  # reason, rule and sentence

    def text(self) -> str:
        return describe(self.match, self.seat, LANGUAGE)

    def data(self) -> dict[str, Any]:
        """Returns the question as a message of the protocol."""
        question, rule = self.match.question(self.seat, LANGUAGE)
        return {
            "ask": self.number,
            "seat": self.seat,
            "text": self.text(),
            "question": question,
            "rule": rule,
            "choices": [choice.plain(LANGUAGE) for choice in self.match.choices(self.seat)],
            "view": self.match.view(self.seat),
            "seconds": max(0.0, round(self.until - monotonic(), 3)),
            "refused": self.refusal,
        }


@dataclass(frozen=True)
class Answered:
    """A choice, and the seat for which it was given, if it was named."""

    choice: int
    seat: int | None = None


class Model(ABC):
    """A player of the arena (match/autoplay.py Player) that never fails: what it does not answer is played for it."""

    def __init__(self, name: str, seconds: float) -> None:
        self.name = name
        self.seconds = seconds  # for one question, its retries included
        self.tally = AnswerTally()
        self._chance = Random(0)  # of the choices that are played in its place

    @abstractmethod
    def start(self) -> None:
        """Makes sure that it can be asked. Raises Unknown."""

    @abstractmethod
    def begin(self, match: Match, seat: int, seed: int) -> None:
        """Starts a new game."""

    @abstractmethod
    def ask(self, question: ModelQuestion) -> Answered:
        """Raises Failure."""

    @abstractmethod
    def finish(self, match: Match, seat: int) -> None:
        """Ends the game."""

    @abstractmethod
    def close(self) -> None: ...

    def sit(self, match: Match, seat: int, seed: int) -> None:
        self.tally = AnswerTally()
        self._chance.seed(seed)
        self.begin(match, seat, seed)

    def answers(self, match: Match, seat: int, seed: int) -> Sequence[int]:
        self.tally.questions += 1
        until, refusal = monotonic() + self.seconds, None
        for _ in range(1 + RETRIES):
            question = ModelQuestion(match, seat, self.tally.questions, until, refusal)
            try:
                answer = self.ask(question)
            except Failure as failure:
                self.tally.fail(failure.kind)
                if failure.is_final:
                    break
                refusal = {"reason": failure.kind, "rule": "", "sentence": ADVICE[failure.kind]}
                continue
            refused = refusal_of(match, seat, answer)
            if refused is None:
                return [answer.choice]
            self.tally.refuse(refused.rule)
            refusal = {"reason": "rule", "rule": refused.rule, "sentence": refused.say(LANGUAGE)}
        self.tally.replaced.append(len(match.answers) + 1)
        return [self._chance.choice(match.choices(seat)).id]

    def end(self, match: Match, seat: int) -> None:
        self.finish(match, seat)


def refusal_of(match: Match, seat: int, answer: Answered) -> Forbidden | None:
    """Returns why the answer is refused, by a rule of the game or of the table; None: it can be played."""
    state, choice = match.state, answer.choice
    if answer.seat not in (None, seat):
        return Forbidden(match.box, state.clone(), seat, choice, NOT_OFFERED)
    rule = state.explain(seat, choice) if 0 <= choice < MOST_ACTIONS else NOT_ASKED
    return Forbidden(match.box, state.clone(), seat, choice, rule) if rule else None
