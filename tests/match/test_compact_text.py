"""The compact text: what it has, in which order, and in which language."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import veillee
from veillee.kernel.log import NO_SEAT
from veillee.match.compact_text import MAX_NEWS_LINES, describe, describe_choices, describe_position, describe_view


def test_position_news_and_question_in_this_order():
    match = veillee.new("ghost-knights", 4, seed=7)
    seat = match.to_act[0]
    text = describe(match, seat, "en", ["Ana", "Bo", "Cléa", "Dov"])
    name = ["Ana", "Bo", "Cléa", "Dov"][seat]
    assert text.startswith(f"Ghost Knights. You are {name}.\n")
    assert text.index("Dolmen V:") < text.index("Your hand:") < text.index("Since your last answer:")
    assert text.endswith("\n\n" + describe_choices(match, seat, "en"))
    assert "0 Draw a second card" in text.splitlines()


def test_a_spectator_is_told_no_news_and_asked_nothing():
    match = veillee.new("ghost-knights", 4, seed=7)
    text = describe_position(match, NO_SEAT, "en")
    assert text.startswith("Ghost Knights.\nPlayer 1 (white): ")
    assert "Your hand" not in text
    assert "Since" not in text
    assert f"Still to answer: Player {match.to_act[0] + 1}" in text


def test_only_the_latest_news_are_told():
    match, pick = veillee.new("tales-of-glory", 3, seed=5), Random(5)
    longest = 0
    while not match.over:
        seat = match.to_act[0]
        lines = describe_position(match, seat, "en").splitlines()
        news = [line for line in lines if line.startswith("- ")]
        told = match.log(seat, "en", [f"Player {n}" for n in (1, 2, 3)], since=match.known(seat))
        assert news == [f"- {line} ({rule})" for rule, line in told][-MAX_NEWS_LINES:]
        longest = max(longest, len(told))
        match.play(seat, pick.choice(match.choices(seat)))
    assert longest > MAX_NEWS_LINES


def test_french_has_its_spaces_before_colons():
    match = veillee.new("takara-island", 2, seed=1)
    text = describe_position(match, match.to_act[0], "fr")
    assert "Site 1\u00a0: superficielle" in text
    assert "\u00a0\u00a0:" not in text


def test_a_box_without_lines_of_its_own_is_told_by_its_text_board():
    match = veillee.new("paper-tales", 2, seed=1)
    box = replace(match.box, describe=None)
    lines = describe_view(box, match.view(0), ["[b]Ana", "Bo"], "en")
    assert lines[0] == "Paper Tales. You are [b]Ana."
    assert any("[b]Ana" in line and "legend" in line for line in lines[1:])
    assert not any("[/]" in line for line in lines)
