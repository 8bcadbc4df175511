"""Batched simulation: the same games as one by one, in arrays that are views of the engine's memory."""

from __future__ import annotations

import numpy as np
import pytest

import veillee
from veillee.games.catalogue import BOXES
from veillee.lab.simulate import NotAllowed, Observer


@pytest.mark.parametrize("game", list(BOXES))
def test_every_table_tells_what_its_position_says(game):
    many = veillee.simulate(game, games=3, seed=4)
    observer = Observer(many.box, many.state(0))
    for _ in range(25):
        many.step(many.random())
        for table in range(3):
            state, seat = many.state(table), int(many.seat[table])
            assert seat == state.to_act[0]
            assert np.flatnonzero(many.masks[table]).tolist() == sorted(state.legal(seat))
            assert many.observations[table].tolist() == observer.row(state, seat).tolist()


def test_a_game_that_ends_pays_once_and_another_begins():
    many, ended = veillee.simulate("ghost-knights", seats=4, games=2, seed=1), 0
    while ended < 3:
        before = [many.state(table) for table in range(2)]
        given = many.random()
        seats = many.seat.copy()
        many.step(given)
        for table in np.flatnonzero(many.over):
            ended += 1
            assert many.shares[table].sum() == pytest.approx(1.0)
            assert many.scores[table].argmax() in np.flatnonzero(many.shares[table])
            assert before[table].legal(int(seats[table])), "it was going on"
            assert many.state(table).tournaments == 0, "a new one"
        for table in np.flatnonzero(~many.over):
            assert many.shares[table].sum() == 0


def test_the_same_seed_and_answers_give_the_same_games():
    def course(seed):
        many = veillee.simulate("takara-island", games=4, seed=seed)
        rows = []
        for _ in range(30):
            many.step(many.random())
            rows.append(many.observations.copy())
        return np.array(rows)

    assert (course(5) == course(5)).all()
    assert (course(5) != course(6)).any()
    many = veillee.simulate("takara-island", games=4, seed=5)
    first = many.observations.copy()
    many.step(many.random())
    many.reset(5)
    assert (many.observations == first).all()


def test_an_answer_that_the_mask_forbids_is_said_with_its_rule_and_nothing_is_done():
    many = veillee.simulate("ghost-knights", seats=4, games=3, seed=2)
    before = [many.state(table).dump() for table in range(3)]
    given = many.random().copy()
    given[1] = 22
    with pytest.raises(NotAllowed, match=r"GK-4.4") as refused:
        many.step(given)
    assert refused.value.table == 1
    assert [many.state(table).dump() for table in range(3)] == before
    for wrong in (-1, 23, 1 << 40):
        given[1] = wrong
        with pytest.raises(NotAllowed, match="K-2"):
            many.step(given)
    with pytest.raises(veillee.Unknown, match="as many answers"):
        many.step(given[:2])


def test_the_arrays_cannot_be_written_on():
    many = veillee.simulate("ghost-knights", games=1)
    with pytest.raises(ValueError, match="read-only"):
        many.masks[0, 0] = True


def test_what_there_cannot_be_is_said():
    with pytest.raises(veillee.Unknown, match="1 to 65536 games at once, not 0"):
        veillee.simulate("ghost-knights", games=0)
    with pytest.raises(veillee.Unknown, match="4 to 5 players, not 2"):
        veillee.simulate("ghost-knights", seats=2)
