"""The suite finds a census that proves nothing."""

from __future__ import annotations

from itertools import islice

import pytest

from veillee.conformance.beside import census_of
from veillee.conformance.cases import cases, positions
from veillee.conformance.components import mishaps, unnoticed
from veillee.games.catalogue import BOXES


def looked_at(game: str, census) -> set[str]:
    box = BOXES[game]
    return unnoticed(box, census, islice(positions(next(cases(box)), 3, 30), 4))


@pytest.mark.parametrize("game", list(BOXES))
def test_a_constant_is_found(game):
    assert looked_at(game, lambda g: {"cards": 60}) == {"cards"}


def test_a_sum_of_what_is_there_and_what_is_not_is_found():
    honest = census_of(BOXES["ghost-knights"])

    def census(g):
        return {**honest(g), "all": len(g.pile) + (64 - len(g.pile)), "seats": g.seats() - len(g.knights)}

    assert looked_at("ghost-knights", census) == {"all", "seats"}


def test_a_figure_that_is_read_from_the_content_is_found():
    honest = census_of(BOXES["sourire-du-dragon"])
    assert looked_at("sourire-du-dragon", lambda g: {**honest(g), "printed": sum(g.course.copies)}) == {"printed"}


def test_a_census_that_checks_what_it_counts_notices():
    honest = census_of(BOXES["paper-tales"])

    def census(g):
        assert honest(g)
        return {"cards": 81}

    assert looked_at("paper-tales", census) == set()


def test_every_number_and_every_thing_of_a_row_has_its_mishap():
    things = {"a": 1, "b": [2, {"c": 3}], "name": "x", "flag": True}
    seen = []
    for _ in mishaps(things):
        seen.append(repr(things))
    assert seen == [
        "{'a': 2, 'b': [2, {'c': 3}], 'name': 'x', 'flag': True}",
        "{'a': 1, 'b': [{'c': 3}], 'name': 'x', 'flag': True}",
        "{'a': 1, 'b': [3, {'c': 3}], 'name': 'x', 'flag': True}",
        "{'a': 1, 'b': [2], 'name': 'x', 'flag': True}",
        "{'a': 1, 'b': [2, {'c': 4}], 'name': 'x', 'flag': True}",
    ]
    assert things == {"a": 1, "b": [2, {"c": 3}], "name": "x", "flag": True}
