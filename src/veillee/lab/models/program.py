"""A program as a model: any command that speaks the line protocol of docs/models.md on its stdin and stdout."""

from __future__ import annotations

import json
import os
import shlex
from time import monotonic
from typing import Any

from veillee.games.rulebook import book, find_rules, rules
from veillee.lab.models.model import (
    ENDED,
    LANGUAGE,
    LATE,
    NOTHING,
    PROSE,
    PROTOCOL,
    RETRIES,
    TWO_ANSWERS,
    Answered,
    Failure,
    Model,
    ModelQuestion,
    t,
)
from veillee.match.errors import Unknown, quote
from veillee.match.line_process import LineProcess
from veillee.match.match import Match

PREFIX = "program:"
START_SECONDS = 60.0  # to be ready for a game: some load large models first
END_SECONDS = 5.0  # to acknowledge the end of a game
MAX_LINE_BYTES = 100_000
MAX_RULES = 12  # told at once


class Program(Model):
    """A process that several games may use one after the other. One that ended is started again for the next game."""

    def __init__(self, name: str, seconds: float) -> None:
        super().__init__(name, seconds)
        self._process: LineProcess | None = None
        self._answered = 0  # number of the last question that was answered

    def start(self) -> None:
        if self._process is not None:
            return
        try:
            command = shlex.split(self.name.removeprefix(PREFIX))
            self._process = LineProcess(command, os.environ)
        except (OSError, ValueError, IndexError) as error:
            raise Unknown(t("{program} cannot be run: {reason}.", program=quote(self.name), reason=error)) from None

    def begin(self, match: Match, seat: int, seed: int) -> None:
        self._answered = 0
        self.start()
        assert self._process is not None
        hello = {"veillee": PROTOCOL, "game": match.box.id, "seats": match.seats, "seat": seat, "seed": seed}
        self._process.say({**hello, "options": dict(match.options), "retries": RETRIES})
        try:
            ready = self._read(monotonic() + START_SECONDS)
            if not isinstance(ready, dict) or ready.get("ready") is not True:
                self.close()
        except Failure:
            self.close()

    def ask(self, question: ModelQuestion) -> Answered:
        if self._process is None:
            raise Failure(ENDED)
        self._process.say(question.data())
        while True:
            said = self._read(question.until)
            if not isinstance(said, dict):
                raise Failure(NOTHING if said is None else PROSE)
            if (number := said.get("ask")) != question.number:
                self._count_stray(number)
                continue
            if "search" in said or "rule" in said:
                self._tell_rules(question.match, said)
                continue
            return self._judge(said, question)

    def finish(self, match: Match, seat: int) -> None:
        """Tells the result, and reads what the program still had to say."""
        if self._process is None:
            return
        self._process.say({"over": True, "scores": match.scores, "winners": match.winners})
        until = monotonic() + END_SECONDS
        try:
            while not (isinstance(said := self._read(until), dict) and said.get("over") is True):
                if isinstance(said, dict):
                    self._count_stray(said.get("ask"))
        except Failure:
            self.close()

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
        self._process = None

    def _judge(self, said: dict[str, Any], question: ModelQuestion) -> Answered:
        choice, seat = said.get("choice"), said.get("seat")
        if isinstance(choice, list):
            raise Failure(TWO_ANSWERS if len(choice) > 1 else PROSE if choice else NOTHING)
        if choice is None:
            raise Failure(NOTHING)
        if type(choice) is not int or not (seat is None or type(seat) is int):
            raise Failure(PROSE)
        self._answered = question.number
        return Answered(choice, seat)

    def _count_stray(self, number: object) -> None:
        """Counts a second answer to a question that has one. An answer that came too late was counted as late."""
        if type(number) is int and number == self._answered:
            self.tally.fail(TWO_ANSWERS)

    def _tell_rules(self, match: Match, said: dict[str, Any]) -> None:
        assert self._process is not None
        known = rules(book(match.box.folder, LANGUAGE) or "")
        found = find_rules(known, str(said.get("search", "")), str(said.get("rule", "")))[:MAX_RULES]
        self._process.say({"ask": said["ask"], "rules": [{"id": rule.id, "text": rule.text} for rule in found]})

    def _read(self, until: float) -> Any:
        """Returns the next message; None for an empty line. Raises Failure."""
        assert self._process is not None
        line = self._process.read(until - monotonic())
        if line is None:
            raise Failure(LATE)
        if not line:
            self.close()
            raise Failure(ENDED)
        try:
            return json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            raise Failure(PROSE) from None
