"""Several answers in one request: the fields of a form, and what they mean at this question."""

import pytest

import veillee
from veillee.games.ghost_knights import rules as gk
from veillee.house.errors import BadRequest
from veillee.kernel.counts import at
from veillee.match.errors import Forbidden
from veillee.web.live.submit_answer import parse_form, resolve


def test_one_answer():
    assert parse_form([("stamp", "x"), ("a", "17")]) == [(False, [17])]


def test_several_answers_go_by_number_not_by_place():
    fields = [("a.10", "3"), ("a.2?", "9"), ("a.1", "4")]
    assert parse_form(fields) == [(False, [4]), (True, [9]), (False, [3])]


def test_a_plain_answer_stands_alone():
    assert parse_form([("a.1", "4"), ("a", "0"), ("a.3", "13")]) == [(False, [0])]


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [("b", "1")],
        [("a", "")],
        [("a", "-1")],
        [("a", "one")],
        [("a", "٣")],
        [("a", "1|")],
        [("a.x", "1")],
        [("a.1x", "1")],
        [("a", "9" * 10)],
        [(f"a.{n}", "1") for n in range(51)],
    ],
)
def test_what_is_no_form_of_ours_is_refused(fields):
    with pytest.raises(BadRequest, match="choose first"):
        parse_form(fields)


def asked(question, **cards):
    """A match whose seat is asked this question and holds these cards."""
    for seed in range(200):
        match = veillee.new("ghost-knights", seats=4, seed=seed)
        seat = match.to_act[0]
        hand = match.state.knights[seat].hand
        if type(match.state.question).__name__ == question and all(at(hand, c) for c in cards.values()):
            return match, seat
    raise AssertionError(question)


def test_an_optional_answer_is_used_where_it_is_asked():
    match, seat = asked("DrawOrPlay", black=gk.BLACK)
    row = parse_form([("a.1", str(gk.PLAY + gk.BLACK)), ("a.2?", str(gk.OWNER + seat)), ("a.3", str(gk.PUT + 2))])
    assert resolve(match, seat, row) == [gk.PLAY + gk.BLACK, gk.OWNER + seat, gk.PUT + 2]


def test_an_optional_answer_is_left_out_where_it_is_not_asked():
    match, seat = asked("DrawOrPlay", blue=gk.BLUE)
    row = parse_form([("a.1", str(gk.PLAY + gk.BLUE)), ("a.2?", str(gk.OWNER + seat)), ("a.3", str(gk.PUT + 2))])
    assert resolve(match, seat, row) == [gk.PLAY + gk.BLUE, gk.PUT + 2]
    before = list(match.answers)
    match.play(seat, *resolve(match, seat, row))
    assert len(match.answers) == len(before) + 2


def test_of_several_values_the_one_that_fits_is_meant():
    match, seat = asked("DrawOrPlay", blue=gk.BLUE)
    row = parse_form([("a.1", str(gk.PLAY + gk.BLUE)), ("a.3", f"{gk.TAKE + 2}|{gk.PUT + 2}")])
    assert resolve(match, seat, row) == [gk.PLAY + gk.BLUE, gk.PUT + 2]


def test_what_fits_nowhere_is_passed_on_and_refused_by_the_match():
    match, seat = asked("DrawOrPlay", blue=gk.BLUE)
    row = parse_form([("a.1", str(gk.PLAY + gk.BLUE)), ("a.3", str(gk.TAKE + 2))])
    before = list(match.answers)
    with pytest.raises(Forbidden):
        match.play(seat, *resolve(match, seat, row))
    assert match.answers == before


def test_nothing_is_looked_up_behind_what_is_hidden():
    """After drawing, only chance knows the next question: the rest is passed on as it is, and refused."""
    match, seat = asked("DrawOrPlay")
    before, used = list(match.answers), match.rng.used
    row = parse_form([("a.1", str(gk.DRAW)), ("a.2?", str(gk.PUT)), ("a.3", str(gk.PUT))])
    with pytest.raises(Forbidden):
        match.play(seat, *resolve(match, seat, row))
    assert (match.answers, match.rng.used) == (before, used)
