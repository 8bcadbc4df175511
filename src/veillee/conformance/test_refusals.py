"""Every refusal names its rule: each answer that exists but cannot be chosen now is explained, in both languages."""

from __future__ import annotations

from veillee.conformance.cases import Case, positions
from veillee.conformance.refusals import ask_everything, explained

EVERY = (
    13  # positions of a game: one in so many is asked about everything (tools/stress/soak.py --refusals asks thousands)
)


def test_whatever_a_seat_could_ever_answer_is_a_choice_or_has_a_rule_against_it(case: Case) -> None:
    known = explained(case.box)
    refused = 0
    for g in positions(case, 21, EVERY):
        asked = ask_everything(case.box, g, known)
        assert not asked.complaints, asked.complaints[:3]
        refused += asked.refused
    assert refused
