"""Choices: offered, checked, applied all or none, explained."""

from __future__ import annotations

import json
from random import Random

import pytest

import veillee
from match.ghosts import finished, holding, new_match
from match.secret_picks import new_match as secret_match
from veillee.games.ghost_knights import rules as gk
from veillee.games.ghost_knights.rules import BLACK, BLUE, DRAW, OWNER, PLAY, PUT, WHITE
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import NOT_ASKED, NOT_YOU
from veillee.match.match import Match, digest


def everything(match: Match) -> str:
    return json.dumps([match.save(), match.state.dump(), [match.view(s) for s in range(-1, match.seats)]])


def test_the_example_of_the_documentation():
    match = veillee.new("ghost-knights", seats=4, seed=7)
    while not match.over:
        seat = match.to_act[0]
        choice = match.choices(seat)[0]
        assert choice.label("fr")
        assert choice.rule == ""
        match.play(seat, choice)
    assert sorted(seat for place in match.ranking for seat in place) == [0, 1, 2, 3]
    assert match.scores[match.ranking[0][0]] == max(match.scores)
    assert match.winners == match.ranking[0]


def test_the_shelf_lists_the_boxes():
    assert "ghost-knights" in [box.id for box in veillee.boxes()]


def test_winners_are_nobody_before_the_end():
    assert new_match().winners == []


def test_a_choice_says_what_it_is():
    match, seat = holding(BLUE)
    draw, *plays = match.all_choices(seat)
    assert (draw.id, draw.verb, dict(draw.args), draw.allowed, draw.why()) == (DRAW, "draw", {}, True, "")
    assert repr(plays[1]) == f"<{PLAY + BLUE}: play(colour=1)>"
    assert plays[1].label("en") == "Play a blue card"
    assert plays[1].label("fr") == "Jouer une carte bleue"
    refused = plays[2]
    assert (refused.allowed, refused.rule) == (False, "GK-2.1")
    assert refused.why("fr") == "Vous n’avez aucune carte verte en main."
    assert [choice.id for choice in match.choices(seat)] == [
        c.id for c in match.all_choices(seat) if match.why_not(seat, c.verb, **c.args) == ""
    ]


def test_who_is_not_asked_has_no_choices_and_no_question():
    match = new_match()
    (seat,) = match.to_act
    other = (seat + 1) % match.seats
    assert match.choices(other) == []
    assert match.question(other) == ("", "")
    assert match.question(seat, "en") == ("Draw a second card, or play one?", "GK-2.1")


def test_why_not_names_the_rule():
    match, seat = holding(WHITE, BLACK)
    other = (seat + 1) % match.seats
    assert match.why_not(seat, "draw") == ""
    assert match.why_not(seat, "play", colour=WHITE) == ""
    assert match.why_not(seat, "play", colour=BLUE) == "GK-2.1"
    assert match.why_not(seat, "put", dolmen=1) == "GK-2.2"
    assert match.why_not(seat, "play", card=1) == NOT_ASKED
    assert match.why_not(other, "draw") == NOT_YOU


def test_why_not_of_an_argument_called_seat():
    match, seat = holding(BLACK)
    match.play(seat, PLAY + BLACK)
    assert match.why_not(seat, "owner", seat=2) == ""
    assert isinstance(match.state, gk.GhostKnights)
    match.state.knights[2].reserve = 0
    assert match.why_not(seat, "owner", seat=2) == "GK-2.5"


def test_several_answers_are_applied_together():
    match, seat = holding(BLACK)
    match.play(seat, PLAY + BLACK, OWNER + seat, PUT + 2)
    assert match.to_act != (seat,)
    assert match.answers == [(seat, PLAY + BLACK), (seat, OWNER + seat), (seat, PUT + 2)]


@pytest.mark.parametrize("row", [(PLAY + BLACK, OWNER, DRAW), (PLAY + BLACK, PUT), (PLAY + BLUE,), (99,), (-1,)])
def test_or_none_of_them(row):
    match, seat = holding(BLACK)
    before = everything(match)
    with pytest.raises(veillee.Forbidden):
        match.play(seat, *row)
    assert everything(match) == before
    match.play(seat, DRAW)  # and the game goes on


def test_answers_to_questions_that_are_not_known_yet_are_refused():
    """Drawing shows a card: what follows cannot be decided in the same breath."""
    match, seat = holding(BLACK)
    before = everything(match)
    with pytest.raises(veillee.Forbidden, match="one question at a time"):
        match.play(seat, DRAW, DRAW)
    assert everything(match) == before


def test_nothing_is_no_choice():
    match = new_match()
    with pytest.raises(veillee.Forbidden, match="no choice"):
        match.play(match.to_act[0])


def test_a_choice_offered_to_another_seat_is_refused():
    match = secret_match()
    with pytest.raises(veillee.Forbidden, match="another seat"):
        match.play(1, match.choices(0)[0])
    assert match.answers == []


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_there_is_no_such_seat(seat):
    match = new_match(4)
    for call in (match.choices, match.undo, match.question, lambda s: match.play(s, DRAW)):
        with pytest.raises(veillee.Unknown, match="seat"):
            call(seat)
    with pytest.raises(veillee.Unknown, match="seat"):
        match.view(4)


def test_no_move_after_the_end():
    match = finished()
    before = everything(match)
    with pytest.raises(veillee.Forbidden):
        match.play(0, DRAW)
    assert everything(match) == before


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"game": "chess"}, "There is no game 'chess'. On the shelf: ghost-knights"),
        ({"game": "ghost-knights", "seats": 3}, "for 4 to 5 players, not 3"),
        ({"game": "ghost-knights", "mode": "wild"}, "has no option 'mode'"),
        ({"game": "ghost-knights", "seed": b"short"}, "A seed has 32 bytes, not 5"),
    ],
)
def test_a_match_that_cannot_be_is_refused_with_a_sentence(arguments, sentence):
    with pytest.raises(veillee.Unknown) as caught:
        veillee.new(**arguments)
    assert sentence in str(caught.value)


def test_unknown_language():
    match = new_match()
    with pytest.raises(veillee.Unknown, match="'de'"):
        match.log(lang="de")


def test_the_same_seed_gives_the_same_match_and_another_one_another():
    assert digest(new_match(seed=1).state) == digest(new_match(seed=1).state)
    assert digest(new_match(seed=1).state) != digest(new_match(seed=2).state)
    assert veillee.new("gk").seed != veillee.new("gk").seed


def test_the_log_tells_each_seat_what_it_may_know():
    match, pick = new_match(), Random(3)
    while len(match.answers) < 60 or match.in_hand() >= 0:
        seat = match.to_act[0]
        match.play(seat, pick.choice(match.choices(seat)))
    names = ["Ana", "Bo", "Cléa", "Dov"]
    spectator = match.log(lang="en", names=names)
    assert not [line for _, line in spectator if line.startswith("In secret")]
    for seat in range(4):
        told = match.log(seat, "en", names)
        secrets = [line for _, line in told if line.startswith("In secret")]
        assert secrets
        assert len(told) == len(spectator) + len(secrets)


def test_the_account_adds_up_line_by_line():
    match = finished(5)
    account = match.account("fr", ["Ana", "Bo", "Cléa", "Dov", "Eve"])
    assert [sum(line.points for line in lines) for lines in account] == match.scores
    assert [lines[0].rule for lines in account] == ["GK-1.4"] * 5


@pytest.mark.parametrize("new", [lambda: new_match(seed=5), secret_match], ids=["ghosts", "secret picks"])
def test_how_much_each_audience_was_told_is_counted_as_the_match_goes_on(new):
    match, pick = new(), Random(5)
    while not match.over:
        for seat in range(NO_SEAT, match.seats):
            assert match.heard(seat) == len(match.events(seat))
        for seat in range(match.seats):
            assert match.known(seat) == heard_at_the_last_answer(new(), match, seat)
        seat = pick.choice(match.to_act)
        if not (pick.random() < 0.3 and match.undo(seat)):
            match.play(seat, pick.choice(match.choices(seat)))
    assert match.log(0, "en", since=3) == match.log(0, "en")[3:]


def heard_at_the_last_answer(past: Match, match: Match, seat: int) -> int:
    mine = [number for number, (who, _) in enumerate(match.answers, 1) if who == seat]
    for who, action in match.answers[: mine[-1] if mine else 0]:
        past.play(who, action)
    return len(past.events(seat)) if mine else 0
