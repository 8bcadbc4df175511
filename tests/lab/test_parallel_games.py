"""Many games at once on several processes: the same games as on one."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

import veillee
from veillee.lab.simulate import NotAllowed

ARRAYS = ("observations", "masks", "seat", "over", "shares", "scores")


def test_games_on_two_processes_are_those_on_one():
    one = veillee.simulate("ghost-knights", seats=4, games=7, seed=3)
    with veillee.simulate("ghost-knights", seats=4, games=7, seed=3, processes=2) as two:
        ended = 0
        for step in range(150):
            for name in ARRAYS:
                assert np.array_equal(getattr(one, name), getattr(two, name)), (step, name)
            answers = two.random() if step % 2 else one.random()
            one.step(answers)
            two.step(answers)
            ended += int(one.over.sum())
        assert ended, "games have ended on the way"
        for table in range(7):
            assert two.state(table).dump() == one.state(table).dump()
        one.reset(8)
        two.reset(8)
        assert np.array_equal(one.observations, two.observations)


def test_random_answers_are_allowed_and_differ():
    with veillee.simulate("takara-island", games=64, seed=1, processes=2) as games:
        rows = np.arange(64)
        drawn = [games.random() for _ in range(4)]
        assert all(games.masks[rows, answers].all() for answers in drawn)
        assert any((drawn[0] != other).any() for other in drawn[1:])


def test_an_answer_that_is_not_allowed_in_the_other_process_changes_nothing():
    with veillee.simulate("ghost-knights", seats=4, games=4, seed=2, processes=2) as games:
        before = [games.state(table).dump() for table in range(4)]
        answers = games.random()
        for wrong, rule in ((22, "GK-4.4"), (-1, "K-2"), (1 << 40, "K-2")):
            answers[3] = wrong
            with pytest.raises(NotAllowed, match=rule) as refused:
                games.step(answers)
            assert refused.value.table == 3
        assert [games.state(table).dump() for table in range(4)] == before


def test_arrays_are_shared_without_copies_and_cannot_be_written():
    with veillee.simulate("ghost-knights", games=2, processes=2) as games:
        for batch in (games, veillee.simulate("ghost-knights", games=2)):
            for other in (np.from_dlpack(batch.observations), np.asarray(memoryview(batch.observations))):
                assert np.shares_memory(other, batch.observations)
            with pytest.raises(ValueError, match="read-only"):
                batch.seat[0] = 1


def test_a_process_that_has_ended_is_told_and_close_ends_all():
    games = veillee.simulate("ghost-knights", games=2, processes=2)
    process = games._workers[0]._process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with pytest.raises(veillee.Unknown, match="has ended"):
        games.step(games.random())
    games.close()
    games.close()

    games = veillee.simulate("ghost-knights", games=2, processes=2)
    process = games._workers[0]._process
    del games
    assert process.returncode == 0, "ended with the object"


@pytest.mark.parametrize("processes", [0, -1, 3, 1000])
def test_there_is_at_least_one_game_for_each_process(processes):
    with pytest.raises(veillee.Unknown, match="1 to 2 processes"):
        veillee.simulate("ghost-knights", games=2, processes=processes)
