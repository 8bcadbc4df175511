"""Every refusal names its rule: whatever can be pointed at and not chosen now is explained, in both languages."""

from __future__ import annotations

from veillee.conformance.cases import Case, positions
from veillee.games.rulebook import book, rules
from veillee.kernel.state import ALLOWED, NOT_ASKED
from veillee.words import LANGUAGES

EVERY = 13  # positions of a game: one in so many is asked about everything


def test_whatever_a_seat_could_ever_answer_is_a_choice_or_has_a_rule_against_it(case: Case) -> None:
    """The numbers of a game's answers are all that can be named: cards, places, people, whatever the board shows."""
    box = case.box
    known = {rule.id for rule in rules(book(box.folder, "en") or "")}
    refused = 0
    for g in positions(case, 21, EVERY):
        for seat in g.to_act:
            legal = set(g.legal(seat))
            for action in range(g.answers()):
                rule = g.explain(seat, action)
                assert (rule == ALLOWED) == (action in legal)
                if rule == ALLOWED:
                    continue
                what = f"{type(g.question).__name__}: {g.choice(action)} is refused by {rule!r}"
                assert rule in known, what
                assert rule != NOT_ASKED, what
                said = [box.speech.why(g, seat, action, rule, box.words(lang)) for lang in LANGUAGES]
                assert len(set(said)) == len(LANGUAGES), what
                assert all(sentence.strip() and "{" not in sentence for sentence in said), what
                refused += 1
            assert g.explain(seat, g.answers()) == NOT_ASKED, "a number beyond the last answer means nothing"
    assert refused
