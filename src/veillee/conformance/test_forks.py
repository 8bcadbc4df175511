"""Every game: what a seat answers in secret changes nothing for the other audiences."""

from __future__ import annotations

import json
from itertools import islice

import veillee
from veillee.conformance.beside import golden_of
from veillee.conformance.cases import Case
from veillee.conformance.forks import forks, given_away, look_alike
from veillee.games.box import Box

FORKS = 10  # of a game


def test_secret_answers_look_alike_to_everybody_else(case: Case) -> None:
    for fork in islice(forks(case.match(3), 3, every=4), FORKS):
        look_alike(fork)


def test_who_is_still_asked_tells_nothing_of_a_secret_answer(box: Box) -> None:
    """In the golden games of the present rules, because they contain rare events."""
    for path in golden_of(box):
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["version"] == box.version:
            told = next(given_away(veillee.load({**record, "answers": []}), record["answers"]), None)
            assert told is None, f"{path.stem}: {told}"
