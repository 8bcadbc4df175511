"""Undo, until a seat has learned something; a move in hand is hidden from other seats."""

from __future__ import annotations

import json

import veillee
from match.ghosts import holding, prepared
from match.secret_picks import CONFIRM, OPEN, new_match
from veillee.games.ghost_knights import rules as gk
from veillee.games.ghost_knights.rules import BLACK, DRAW, OWNER, PLAY, PUT, WHITE
from veillee.kernel.counts import gather
from veillee.match.match import Match


def views(match: Match, *, but: int) -> str:
    others = [seat for seat in range(-1, match.seats) if seat != but]
    return json.dumps([[match.view(seat), match.log(seat)] for seat in others])


def tournament(g: gk.GhostKnights, seat: int) -> None:
    """The seat fights first, and everybody holds a card of each colour."""
    g.agenda = [gk.Turn(g.left_of(seat)), gk.NextFighter(g.left_of(seat))]
    g.ask(gk.Fight(seat))
    for knight in g.knights:
        knight.hand = gather([1] * gk.COLOURS)


def test_a_move_in_hand_is_taken_back_choice_by_choice():
    match, seat = holding(BLACK)
    start = match.state.dump()
    match.play(seat, PLAY + BLACK)
    played = match.state.dump()
    match.play(seat, OWNER + 2)
    assert match.can_undo(seat)
    assert match.undo(seat)
    assert match.state.dump() == played
    assert match.undo(seat)
    assert match.state.dump() == start
    assert match.answers == []
    assert not match.can_undo(seat)
    assert not match.undo(seat)


def test_a_move_in_hand_is_shown_to_nobody_else():
    match, seat = holding(BLACK)
    before, mine = views(match, but=seat), match.view(seat)
    match.play(seat, PLAY + BLACK, OWNER + 2)
    assert match.in_hand() == seat
    assert views(match, but=seat) == before
    assert match.view(seat) != mine
    assert "joue une carte noire" in match.log(seat, "fr")[-1][1]
    match.undo(seat)
    match.undo(seat)
    assert views(match, but=seat) == before


def test_once_the_move_is_made_the_others_see_it_and_it_stays():
    match, seat = holding(BLACK)
    before = views(match, but=seat)
    match.play(seat, PLAY + BLACK, OWNER + 2, PUT + 1)  # and the next seat draws a card
    assert views(match, but=seat) != before
    assert not match.undo(seat)
    assert len(match.answers) == 3


def test_a_drawn_card_cannot_be_put_back():
    match, seat = holding(WHITE)
    match.play(seat, DRAW)
    assert not match.can_undo(seat)


def test_a_card_shown_to_the_others_stays_played_even_if_nobody_learned_anything_else():
    """In a tournament the next fighter is asked without any draw: the card was shown, so it cannot go back."""
    match, seat = prepared(tournament)
    match.play(seat, PLAY + seat)
    assert match.undo(seat)
    match.play(seat, PLAY + seat, PUT)
    assert match.to_act == ((seat + 1) % 4,)
    assert not match.undo(seat)


def test_a_pass_that_showed_nothing_can_be_taken_back_until_the_next_one_answers():
    match, seat = prepared(tournament)
    after = (seat + 1) % 4
    match.play(seat, gk.PASS)
    assert match.to_act == (after,)
    assert match.undo(seat)
    assert match.to_act == (seat,)
    match.play(seat, gk.PASS)
    match.play(after, gk.PASS)
    assert not match.undo(seat)
    assert match.undo(after)


def test_a_move_in_hand_is_hidden_although_the_one_before_could_still_be_taken_back():
    match, seat = prepared(tournament)
    after = (seat + 1) % 4
    match.play(seat, gk.PASS)
    before = views(match, but=after)
    match.play(after, PLAY + after)
    assert match.in_hand() == after
    assert views(match, but=after) == before


def test_each_blow_of_the_last_fighter_is_seen_when_it_is_struck():
    """No other seat is asked in between, and yet one move ends and the next begins."""

    def alone(g: gk.GhostKnights, seat: int) -> None:
        tournament(g, seat)
        g.out = g.everyone() & ~(1 << seat)

    match, seat = prepared(alone)
    before = views(match, but=seat)
    match.play(seat, PLAY + seat)
    assert views(match, but=seat) == before
    match.play(seat, PUT)
    assert match.to_act == (seat,)
    assert match.in_hand() == -1
    assert views(match, but=seat) != before
    assert not match.can_undo(seat)


def test_a_new_move_in_hand_does_not_take_the_last_one_off_the_board():
    """The guard of a dolmen card shows nothing hidden and could be taken back; not once one's turn has come again."""

    def again(g: gk.GhostKnights, seat: int) -> None:
        g.agenda = [gk.Turn(g.left_of(seat)), gk.Fight(seat)]
        g.knights[seat].hand = gather([1] * gk.COLOURS)
        g.ask(gk.PutGuard(seat, seat, gk.DOLMEN_DRAWN))

    match, seat = prepared(again)
    match.play(seat, PUT)
    shown = views(match, but=seat)
    assert match.can_undo(seat)
    match.play(seat, PLAY + seat)
    assert match.in_hand() == seat
    assert views(match, but=seat) == shown


def test_nobody_takes_back_anothers_move():
    match, seat = holding(BLACK)
    match.play(seat, PLAY + BLACK)
    assert not match.undo((seat + 1) % 4)
    assert match.answers == [(seat, PLAY + BLACK)]


def test_the_last_move_of_a_game_stays():
    def change(g: gk.GhostKnights, seat: int) -> None:
        g.knights[seat].glory = 31
        g.knights[seat].hand = gather([1] * gk.COLOURS)

    match, seat = prepared(change)
    match.play(seat, PLAY + (seat + 1) % 4, PUT)
    assert match.over
    assert not match.undo(seat)


# -- several seats asked at once ------------------------------------------------------------------------------
def test_secret_choices_in_any_order_each_changeable_until_the_last_one():
    match = new_match(3)
    match.play(2, 0)
    match.play(2, CONFIRM)
    match.play(0, 1)
    assert match.to_act == (0, 1)
    assert match.undo(2)  # although seat 0 has answered since
    assert match.to_act == (0, 1, 2)
    assert match.undo(2)
    match.play(2, 2, CONFIRM)
    match.play(0, CONFIRM)
    assert match.undo(0)
    match.play(0, CONFIRM)
    assert match.to_act == (1,)
    assert match.can_undo(2)
    assert match.can_undo(0)
    match.play(1, 0, CONFIRM)
    assert match.over
    assert [match.can_undo(seat) for seat in range(3)] == [False] * 3
    assert match.scores == [1, 0, 2]
    assert match.winners == [2]


def test_secret_choices_are_told_to_their_own_seat_only():
    match = new_match(3)
    match.play(1, 2)
    assert match.view(1)["picks"] == [None, 2, None]
    assert match.view(0)["picks"] == [-1, None, None]
    assert match.view(-1)["picks"] == [None, None, None]
    assert [len(match.events(seat)) for seat in (-1, 0, 1, 2)] == [0, 0, 1, 0]


def test_the_last_to_answer_has_a_move_in_hand_that_undoes_only_its_own():
    match = new_match(2)
    match.play(0, 1, CONFIRM)
    match.play(1, 2)
    assert match.undo(1)
    assert match.answers == [(0, 1), (0, CONFIRM)]
    assert match.to_act == (1,)


def test_undo_of_one_leaves_the_answers_of_the_others_in_their_order():
    match = new_match(3)
    for seat in (0, 1, 2):
        match.play(seat, seat)
    match.play(1, CONFIRM)
    assert match.undo(0)
    assert match.answers == [(1, 1), (2, 2), (1, CONFIRM)]


def test_what_others_have_answered_to_cannot_be_unasked():
    match = new_match(2, opening=True)
    match.play(0, OPEN)
    assert match.undo(0)
    match.play(0, OPEN)
    match.play(0, 1)
    match.play(1, 2)
    assert match.undo(0)  # its own pick: yes
    assert not match.undo(0)  # the opening that seat 1 has gone on from: no
    assert match.answers == [(0, OPEN), (1, 2)]


def test_undo_after_a_save_is_undo_before_it():
    fresh = veillee.new("ghost-knights", seats=4, seed=7)
    (first,) = fresh.to_act
    play = next(choice for choice in fresh.choices(first) if choice.verb == "play")
    fresh.play(first, play)
    again = veillee.load(json.loads(json.dumps(fresh.save())))
    assert again.can_undo(first) == fresh.can_undo(first)
    assert again.in_hand() == fresh.in_hand() == first
    assert again.undo(first)
    assert again.answers == []
