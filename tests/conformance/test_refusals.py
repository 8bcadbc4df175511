"""The suite finds refusals without a rule or a sentence."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from games.ghost_knights.table import hold, position
from veillee.conformance.refusals import ask_everything, explained
from veillee.games.ghost_knights import BOX, words
from veillee.games.ghost_knights import rules as gk
from veillee.kernel.state import NOT_ASKED

KNOWN = explained(BOX)


def asked() -> gk.GhostKnights:
    g = position()
    hold(g, 0, gk.BLUE)
    return g


def speaking(why):
    return replace(BOX, speech=SimpleNamespace(**{**vars(words), "why": why}))


def test_all_is_well():
    looked = ask_everything(BOX, asked(), KNOWN)
    assert not looked.complaints
    assert looked.refused == asked().answers() - 2  # to draw, and the blue card


def test_only_rules_of_the_box_count():
    assert "GK-2.1" in KNOWN
    assert not any(rule.startswith("K-") for rule in KNOWN)


@pytest.mark.parametrize(
    ("name", "refusal", "complaint"),
    [
        ("misplaced", NOT_ASKED, "DrawOrPlay: put dolmen=0 is refused by 'K-2', no rule of the box"),
        ("misplaced", "GK-9.9", "DrawOrPlay: pass is refused by 'GK-9.9', no rule of the box"),
    ],
)
def test_a_refusal_by_no_rule_of_the_box_is_found(monkeypatch, name, refusal, complaint):
    monkeypatch.setattr(gk.GhostKnights, name, lambda g, seat, action: refusal)
    assert complaint in ask_everything(BOX, asked(), KNOWN).complaints


def test_an_answer_that_is_offered_and_refused_is_found(monkeypatch):
    monkeypatch.setattr(gk.GhostKnights, "legal", lambda g, seat: [gk.PASS])
    complaints = ask_everything(BOX, asked(), KNOWN).complaints
    assert [line.partition(" is ")[0] for line in complaints] == [
        "DrawOrPlay: draw",
        "DrawOrPlay: pass",
        "DrawOrPlay: play colour=1",
    ]


@pytest.mark.parametrize(
    "why",
    [
        lambda g, seat, action, rule, t: "",
        lambda g, seat, action, rule, t: " ",
        lambda g, seat, action, rule, t: "The same in every language.",
        lambda g, seat, action, rule, t: f"{t.lang}: not {{filled}} in",
    ],
)
def test_a_refusal_without_a_sentence_in_each_language_is_found(why):
    looked = ask_everything(speaking(why), asked(), KNOWN)
    assert len(looked.complaints) == looked.refused
