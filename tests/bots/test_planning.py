"""What bots answer: legal, repeatable, blind to what their seat cannot know, in rows that a match accepts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from veillee import new
from veillee.bots.levels import AT_HOME, LEVELS, OFFERED, Level, UnknownLevel, _read, level
from veillee.bots.planning import SearchedChoice, advisor_of, fallback, pick, plan, plan_as, resample_for_seat, think
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.house.workers.pool import BOT_ANSWER_TIMEOUT_SECONDS
from veillee.kernel.chance import Rng
from veillee.kernel.state import State
from veillee.match.setup import complete

BRIEF = 6  # iterations: enough to walk the code, little enough for every game


def positions(box: Box, seed: int, every: int) -> Iterator[State]:
    """Some positions of a game played by first ideas."""
    rng = Rng(seed)
    state = box.new(box.players[-1], rng, complete(box, {}), None)
    count = 0
    while state.to_act:
        if count % every == every // 2:
            yield state
        count += 1
        seat = state.to_act[rng.below(len(state.to_act))]
        state.apply(seat, box.advisor.first_idea(state, seat, rng), rng)


def brief(name: str, box: Box) -> Level:
    found = level(name, box.id)
    return replace(found, iterations=min(found.iterations, BRIEF))


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_a_bot_is_handed_the_same_whatever_it_cannot_know(box: Box) -> None:
    """Swap what the seat cannot know: the position that leaves the house is the same to the last byte."""
    swapped = 0
    for state in positions(box, seed=2, every=7):
        for seat in state.to_act:
            other = state.clone()
            other.determinize(seat, Rng(99))
            swapped += other.dump() != state.dump()
            assert resample_for_seat(other, seat, 5) == resample_for_seat(state, seat, 5)
    assert swapped


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_a_bot_decides_the_same_whatever_it_cannot_know(box: Box) -> None:
    decided = 0
    for state in positions(box, seed=3, every=29):
        seat = state.to_act[-1]
        other = state.clone()
        other.determinize(seat, Rng(98))
        answers = [
            plan_as(box, box.load(resample_for_seat(world, seat, 5)), seat, brief("expert", box), 5, timed=False)
            for world in (state, other)
        ]
        assert answers[0] == answers[1]
        decided += 1
    assert decided


@pytest.mark.parametrize("name", LEVELS)
@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_every_level_answers_every_game(box: Box, name: str) -> None:
    """A match accepts the whole row: nothing in it depended on what was not known yet."""
    match = new(box.id, box.players[0], seed=4)
    for turn in range(6):
        seat = match.to_act[-1]
        answers = plan_as(box, box.load(resample_for_seat(match.state, seat, turn)), seat, brief(name, box), turn)
        match.play(seat, *answers)
    assert len(match.answers) >= 6


def test_think_is_the_beginning_of_the_plan() -> None:
    box = BOXES["ghost-knights"]
    state = box.new(4, Rng(1), {}, None)
    seat = state.to_act[0]
    position = resample_for_seat(state, seat, 1)
    answers = plan(box.id, position, seat, "novice", 8, timed=False)
    assert think(box.id, position, seat, "novice", 8, timed=False) == answers[0]


class SlowClock:
    """A clock on which every look takes a tenth of a second."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks / 10


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_a_row_takes_no_longer_than_the_level_has(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that is too slow for it, the expert stops in time, whatever the row: at the deadline's next look."""
    expert = replace(level("expert", box.id), iterations=1_000_000, seconds=0.35)
    for state in positions(box, seed=6, every=23):
        seat = state.to_act[-1]
        clock = SlowClock()
        monkeypatch.setattr("veillee.bots.planning.perf_counter", clock)
        plan_as(box, box.load(resample_for_seat(state, seat, 5)), seat, expert, 5)
        assert clock() - 0.1 <= 0.1 + expert.seconds + 3 * 0.1


def test_the_rest_of_a_row_is_left_out_when_time_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second question is searched when it is asked, with its full time limit."""
    box = BOXES["ghost-knights"]
    state = box.new(4, Rng(1), {}, None)
    seat = state.to_act[0]
    position = resample_for_seat(state, seat, 1)
    expert = replace(level("expert", box.id), iterations=200)
    assert len(plan_as(box, box.load(position), seat, expert, 8, timed=False)) > 1
    assert len(plan_as(box, box.load(position), seat, replace(expert, seconds=0.0), 8)) == 1


def test_the_first_idea_is_legal_and_repeatable() -> None:
    for box in BOXES.values():
        state = box.new(box.players[0], Rng(1), complete(box, {}), None)
        seat = state.to_act[0]
        assert fallback(box, state, seat, 3) in state.legal(seat)
        assert fallback(box, state, seat, 3) == fallback(box, state, seat, 3)


def test_the_expert_of_before_heeds_what_was_learned_before() -> None:
    """And is like the expert of today in all else that a game has not changed since."""
    for box in BOXES.values():
        before = level("expert-1", box.id)
        assert advisor_of(box, before) is (box.former or box.advisor)
        assert advisor_of(box, level("expert", box.id)) is (box.adept or box.advisor)
        assert before.former
    assert not {"expert-1", "expert-2"} & set(AT_HOME)


def test_the_expert_without_networks_is_like_the_expert_in_all_else() -> None:
    for box in BOXES.values():
        before = level("expert-2", box.id)
        assert advisor_of(box, before) is (box.adept or box.advisor)
        assert not before.network


# What the expert answered before anything of it was learned or searched anew, with 40 games in the head.
OF_BEFORE = {
    "ghost-knights": [10, 17, 15, 2, 13],
    "paper-tales": [3, 86, 87, 12],
    "takara-island": [10, 10, 17, 8],
    "tales-of-glory": [592, 16, 511, 537],
    "sourire-du-dragon": [0, 0, 1],
}


# What the expert answered when masters came, with 40 games in the head.
WITHOUT_NETWORKS = {
    "ghost-knights": [10, 17, 15, 2, 13, 17, 7, 9, 16, 4, 20],
    "paper-tales": [3, 86, 87, 12, 87, 84, 84, 85, 87, 86, 87, 87, 85, 87, 87, 87, 87, 24],
    "takara-island": [5, 10, 17, 11, 23, 14, 11, 23, 9],
    "tales-of-glory": [592, 16, 592, 537, 12, 12, 18, 538],
    "sourire-du-dragon": [0, 0, 1, 1, 25, 1],
}
EXPLORATION_WITHOUT_NETWORKS = {"ghost-knights": 0.3, "paper-tales": 0.35}


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_the_experts_of_before_answer_as_they_did(box: Box) -> None:
    """Whatever becomes of the expert, it is measured against the same ones."""
    games, exploration = {"ghost-knights": (4000, 0.3), "takara-island": (2000, 0.6)}.get(box.id, (1000, 0.6))
    for name, explores, places, answers in (
        ("expert-1", exploration, range(3), OF_BEFORE),
        ("expert-2", EXPLORATION_WITHOUT_NETWORKS.get(box.id, 0.6), range(6), WITHOUT_NETWORKS),
    ):
        before = level(name, box.id)
        assert (before.iterations, before.exploration, before.seconds) == (games, explores, 1.2)
        found = []
        for number, state in zip(places, positions(box, 5, 23), strict=False):
            seat = state.to_act[0]
            position = box.load(resample_for_seat(state, seat, number))
            found += plan_as(box, position, seat, replace(before, iterations=40), number, timed=False)
        assert found == answers[box.id]


def test_levels_that_nobody_knows_are_refused_with_a_sentence() -> None:
    with pytest.raises(
        UnknownLevel,
        match=r"There is no level 'wizard': the levels are random, plain, novice, regular, expert, master, expert-1, expert-2, lookahead, flat, pimc, response\.",
    ):
        level("wizard", "ghost-knights")


def test_a_game_of_another_package_brings_its_own_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOXES, "a-sixth-box", replace(BOXES["ghost-knights"], folder=tmp_path))
    (tmp_path / "levels.toml").write_text("[a-sixth-box.novice]\nslips = 0.5\n")
    level.cache_clear()
    assert level("novice", "a-sixth-box") == replace(level("novice", "another"), slips=0.5)
    assert level("expert", "a-sixth-box") == level("expert", "another")
    level.cache_clear()
    _read.cache_clear()
    (tmp_path / "levels.toml").write_text("[a-sixth-box.novice]\nslip = 0.5\n")
    with pytest.raises(UnknownLevel, match=r"levels\.toml: \[a-sixth-box\.novice\] is no level, or has a figure"):
        level("novice", "a-sixth-box")


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_the_levels_of_a_game_are_in_order(box: Box) -> None:
    novice, regular, expert, master = (level(name, box.id) for name in OFFERED)
    assert novice.iterations <= regular.iterations < expert.iterations < master.iterations
    assert novice.blur >= regular.blur >= expert.blur == master.blur == 0.0
    assert novice.haste >= regular.haste >= expert.haste == master.haste == 0.0
    assert novice.slips >= regular.slips >= expert.slips == master.slips == 0.0
    assert max(novice.seconds, regular.seconds, expert.seconds) <= 1.4  # what is left of 1.5 s is for the rest
    assert master.seconds < BOT_ANSWER_TIMEOUT_SECONDS / 4, "or a worker that thinks would be taken for one that hangs"


WEIGHED = [SearchedChoice(7, 0.30, 60), SearchedChoice(8, 0.28, 30), SearchedChoice(9, 0.05, 10)]


@pytest.mark.parametrize(
    ("blur", "at_least", "at_most"), [(0.0, [300, 0, 0], [300, 0, 0]), (0.05, [200, 40, 0], [270, 95, 5])]
)
def test_those_who_are_unsure_choose_among_what_looks_equal(
    blur: float, at_least: list[int], at_most: list[int]
) -> None:
    box = BOXES["ghost-knights"]
    state = box.new(4, Rng(1), {}, None)
    unsure = replace(level("expert", box.id), blur=blur)
    rng = Rng(1)
    chosen = [pick(box, state, state.to_act[0], unsure, rng, WEIGHED) for _ in range(300)]
    counts = [chosen.count(w.action) for w in WEIGHED]
    assert all(low <= n <= high for low, n, high in zip(at_least, counts, at_most, strict=True)), counts


def test_slips_may_hit_anything() -> None:
    box = BOXES["ghost-knights"]
    state = box.new(4, Rng(1), {}, None)
    seat = state.to_act[0]
    careless = replace(level("expert", box.id), slips=1.0)
    rng = Rng(1)
    assert {pick(box, state, seat, careless, rng, WEIGHED) for _ in range(100)} == set(state.legal(seat))
