"""What a number says is a promise: saved games, links to a moment and programs keep answers by number.

A change makes old games unreadable: the version of the box must then rise.
"""

from __future__ import annotations

from veillee.conformance.beside import answers_of
from veillee.conformance.cases import Case
from veillee.games.box import Box


def test_a_number_means_what_it_meant(box: Box) -> None:
    state, _ = Case(box, box.players[0]).start(1)
    meanings = answers_of(box)
    assert meanings
    assert {number: state.choice(number) for number in meanings} == meanings
