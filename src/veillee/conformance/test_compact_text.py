"""Every game: its compact text is short, plain, in both languages, and tells what the view tells."""

from __future__ import annotations

import re
from random import Random

from veillee.conformance.cases import Case
from veillee.kernel.log import NO_SEAT
from veillee.match.compact_text import describe, describe_position
from veillee.words import LANGUAGES

EVERY = 5  # answers
MOST_BYTES = 6000  # of any question; the median is far below (docs/compact-text.md)
PICTURES = re.compile("[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")  # arrows, boxes, symbols
MARKUP = re.compile(r"\[/|\[(?:bold|dim|red|green|yellow|blue)\]")


def test_each_question_is_told_in_plain_lines_of_both_languages(case: Case) -> None:
    match, pick, number = case.match(33), Random(33), 0
    while not match.over:
        seat = pick.choice(match.to_act)
        if number % EVERY == 0:
            told = {lang: describe(match, seat, lang, case.names()) for lang in LANGUAGES}
            assert len(set(told.values())) == len(LANGUAGES)
            for text in told.values():
                is_plain(text, drawn=case.box.describe is None)
                assert len(text.encode()) <= MOST_BYTES
            for choice in match.choices(seat):
                assert f"\n{choice.id} {choice.label('en')}" in told["en"]
        match.play(seat, pick.choice(match.choices(seat)))
        number += 1
    for seat in range(NO_SEAT, case.seats):
        text = describe_position(match, seat, "en", case.names())
        is_plain(text, drawn=case.box.describe is None)
        assert "The game is over." in text


def is_plain(text: str, *, drawn: bool) -> None:
    """drawn: the box has no lines of its own, so that its text board may have pictures."""
    assert not MARKUP.search(text), text
    assert "{" not in text, text
    assert drawn or not PICTURES.search(text), text
    assert all(line == line.rstrip() for line in text.splitlines()), text
