"""Chat APIs as models, against a stand-in: what is sent, and what becomes of each kind of answer."""

from __future__ import annotations

import json

import httpx
import pytest

import veillee
from veillee.lab.models.chat import ChatModel, read_choice
from veillee.lab.models.model import ENDED, LATE, NOTHING, PROSE, TWO_ANSWERS, Failure
from veillee.match.errors import Unknown


class Api:
    """A chat API that says what a script says."""

    def __init__(self, *script):
        self.script = list(script)
        self.asked = []

    def __call__(self, request):
        self.asked.append(request)
        said = self.script.pop(0)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, httpx.Response):
            return said
        choices = [{"message": {"role": "assistant", "content": said}}]
        return httpx.Response(200, json={"choices": choices, "usage": {"total_tokens": 100}})


@pytest.fixture
def sit(monkeypatch):
    """Seats a chat model at a match of Ghost Knights, whose first choice is 0. Returns the model's answer and its tally."""
    monkeypatch.setenv("VEILLEE_CHAT_URL", "https://chat.example/v1/")
    monkeypatch.setenv("VEILLEE_CHAT_KEY", "secret")

    def answer(api):
        match = veillee.new("ghost-knights", 4, seed=7)
        model = ChatModel("chat:some-model", 30.0, httpx.Client(transport=httpx.MockTransport(api)))
        model.start()
        model.sit(match, match.to_act[0], 1)
        answers = model.answers(match, match.to_act[0], 1)
        assert answers[0] in [choice.id for choice in match.choices(match.to_act[0])]
        return answers, model.tally

    return answer


def test_the_question_is_sent_as_compact_text_with_key_and_model(sit):
    api = Api("0")
    answers, tally = sit(api)
    assert answers == [0]
    assert (tally.questions, tally.tokens, tally.rules, tally.failures) == (1, 100, {}, {})
    request = api.asked[0]
    body = json.loads(request.content)
    assert str(request.url) == "https://chat.example/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer secret"
    assert body["model"] == "some-model"
    assert body["messages"][1]["content"].endswith("0 Draw a second card\n1 Play a white card\n") or (
        "\n0 Draw a second card\n" in body["messages"][1]["content"]
    )


def test_a_refusal_is_told_with_its_rule_and_asked_again(sit):
    api = Api("Let me think: I draw.", '{"choice": 9999}', '```json\n{"choice": 0}\n```')
    answers, tally = sit(api)
    assert answers == [0]
    assert tally.failures == {PROSE: 1}
    assert tally.rules == {"K-2": 1}
    said = [message["content"] for message in json.loads(api.asked[-1].content)["messages"]]
    assert said[3].startswith("Refused: Answer one choice")
    assert said[5] == "Refused: That is no answer to the question asked. K-2"


@pytest.mark.parametrize(
    ("problem", "kind"),
    [
        (httpx.ReadTimeout("slow"), LATE),
        (httpx.ConnectError("nobody"), ENDED),
        (httpx.Response(500), ENDED),
        (httpx.Response(200, json={"choices": []}), ENDED),
        (httpx.Response(200, text="<html>"), ENDED),
    ],
)
def test_an_api_that_does_not_answer_is_not_asked_again(sit, problem, kind):
    _, tally = sit(Api(problem))
    assert tally.failures == {kind: 1}
    assert tally.replaced == [1]


@pytest.mark.parametrize(
    "said", ["3", " 3\n", '{"choice": 3}', '```json\n{"choice": 3}\n```', '{"why": "x", "choice": 3}']
)
def test_one_choice_is_read(said):
    assert read_choice(said) == 3


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("", NOTHING),
        ("{}", NOTHING),
        ("null", NOTHING),
        ("3 or 4", TWO_ANSWERS),
        ("[3, 4]", TWO_ANSWERS),
        ('{"choice": [3, 4]}', TWO_ANSWERS),
        ("I choose 3.", PROSE),
        ("3.5", PROSE),
        ("true", PROSE),
        ('{"choice": "3"}', PROSE),
        ("[" * 100_000, PROSE),
    ],
)
def test_anything_else_is_no_choice(said, kind):
    with pytest.raises(Failure) as failure:
        read_choice(said)
    assert failure.value.kind == kind


def test_without_an_address_there_is_no_chat(monkeypatch):
    monkeypatch.delenv("VEILLEE_CHAT_URL", raising=False)
    with pytest.raises(Unknown, match="VEILLEE_CHAT_URL"):
        ChatModel("chat:some-model", 1.0).start()
