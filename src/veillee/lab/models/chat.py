"""A chat API as a model: the OpenAI-compatible HTTP protocol, which most servers of language models speak.

Its address is in VEILLEE_CHAT_URL, its key in VEILLEE_CHAT_KEY. Each question is a conversation of its own: the rules of
answering, the compact text, and after a refusal the reason.
"""

from __future__ import annotations

import json
import os
import re
from time import monotonic
from typing import Any

import httpx

from veillee.lab.models.find import CHAT
from veillee.lab.models.model import (
    ADVICE,
    ENDED,
    LATE,
    NOTHING,
    PROSE,
    TWO_ANSWERS,
    Answered,
    Failure,
    Model,
    ModelQuestion,
    t,
)
from veillee.match.errors import Unknown
from veillee.match.match import Match

URL, KEY = "VEILLEE_CHAT_URL", "VEILLEE_CHAT_KEY"
SYSTEM = (
    "You play a board game. You are told the position as your seat knows it, and a question with choices: an id, then words."
    f" {ADVICE[PROSE]}"
)
FENCE = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)
SEVERAL = re.compile(r"\A[\s\[(]*-?\d+(?:(?:\s*[,;/]\s*|\s+(?:or|and|ou|et)\s+|\s+)-?\d+)+[\s\])]*\Z")


class ChatModel(Model):
    """One conversation for each question."""

    def __init__(self, name: str, seconds: float, http: httpx.Client | None = None) -> None:
        super().__init__(name, seconds)
        self._http = http or httpx.Client()
        self._talk: list[dict[str, str]] = []

    def start(self) -> None:
        if not os.environ.get(URL):
            raise Unknown(t("Say where the chat API is: put its address into {variable}.", variable=URL))

    def begin(self, match: Match, seat: int, seed: int) -> None: ...

    def finish(self, match: Match, seat: int) -> None: ...

    def close(self) -> None:
        self._http.close()
        self._http = httpx.Client()

    def ask(self, question: ModelQuestion) -> Answered:
        if question.refusal is None:
            self._talk = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": question.text()}]
        else:
            why = " ".join(filter(None, (question.refusal["sentence"], question.refusal["rule"])))
            self._talk.append({"role": "user", "content": f"Refused: {why}"})
        said = self._post(question.until - monotonic())
        self._talk.append({"role": "assistant", "content": said})
        return Answered(read_choice(said))

    def _post(self, seconds: float) -> str:
        """Returns what the model said. Raises Failure."""
        headers = {"Authorization": f"Bearer {key}"} if (key := os.environ.get(KEY)) else {}
        body = {"model": self.name.removeprefix(CHAT), "messages": self._talk, "temperature": 0}
        url = os.environ.get(URL, "").rstrip("/") + "/chat/completions"
        if seconds <= 0:
            raise Failure(LATE)
        try:
            response = self._http.post(url, json=body, headers=headers, timeout=seconds)
            data: Any = response.raise_for_status().json()
            said = data["choices"][0]["message"]["content"]
        except httpx.TimeoutException:
            raise Failure(LATE) from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError):
            raise Failure(ENDED) from None
        usage = data.get("usage") or {}
        self.tally.tokens += usage.get("total_tokens") or 0
        return said if isinstance(said, str) else ""


def read_choice(said: str) -> int:
    """Returns the choice that the text is: a number, or {"choice": number}, fenced or not. Raises Failure."""
    text = FENCE.sub(r"\1", said.strip())
    if not text:
        raise Failure(NOTHING)
    if SEVERAL.match(text):
        raise Failure(TWO_ANSWERS)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Failure(PROSE) from None
    choice = data.get("choice") if isinstance(data, dict) else data
    if choice is None:
        raise Failure(NOTHING)
    if isinstance(choice, list) and len(choice) > 1:
        raise Failure(TWO_ANSWERS)
    if type(choice) is not int:
        raise Failure(PROSE)
    return choice
