"""Checks that every answer that exists but cannot be chosen now is refused by a rule of the box, with a sentence."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from veillee.games.box import Box
from veillee.games.rulebook import book, rules
from veillee.kernel.state import ALLOWED, NOT_ASKED, State
from veillee.words import LANGUAGES


class Asked(NamedTuple):
    """Result of asking a position about every answer."""

    refused: int  # answers with a rule and a sentence against them
    complaints: list[str]


def explained(box: Box) -> set[str]:
    """Returns the rules that its rulebook explains: those of the box, not the house's."""
    return {rule.id for rule in rules(book(box.folder, "en") or "") if rule.id.startswith(f"{box.code.upper()}-")}


def ask_everything(box: Box, g: State, known: AbstractSet[str]) -> Asked:
    """Tries every answer of the game for each seat that is asked. The numbers of a game's answers cover all that can be
    named: cards, places, people, and everything else on the board."""
    refused, complaints = 0, list[str]()
    for seat in g.to_act:
        legal = set(g.legal(seat))
        for action in range(g.answers()):
            rule = g.explain(seat, action)
            if (rule == ALLOWED) != (action in legal):
                complaints.append(f"{told(g, action)} is offered or refused by {rule!r}, not both")
            elif rule != ALLOWED:
                refused += 1
                complaints += complaints_about(box, g, seat, action, rule, known)
        if g.explain(seat, g.answers()) != NOT_ASKED:
            complaints.append(f"{g.answers()}, a number beyond the last answer, means something")
    return Asked(refused, complaints)


def complaints_about(box: Box, g: State, seat: int, action: int, rule: str, known: AbstractSet[str]) -> list[str]:
    if rule not in known:
        return [f"{told(g, action)} is refused by {rule!r}, no rule of the box"]
    said = [box.speech.why(g, seat, action, rule, box.words(lang)) for lang in LANGUAGES]
    if len(set(said)) != len(LANGUAGES) or not all(sentence.strip() and "{" not in sentence for sentence in said):
        return [f"{told(g, action)} is refused by {rule} with {said}"]
    return []


def told(g: State, action: int) -> str:
    verb, args = g.choice(action)
    return f"{type(g.question).__name__}: {' '.join([verb, *(f'{name}={value}' for name, value in args.items())])}"
