"""Every game: what a seat answers in secret changes nothing for anybody else, and whatever does change has its sign."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

import veillee
from conformance.cases import CASES, NAMES, Case, text
from conformance.forks import Fork, after, forks
from match.secret_picks import BOX as SECRET_PICKS
from match.secret_picks import new_match as new_picks
from veillee.kernel.log import NO_SEAT
from veillee.match.match import Match
from veillee.tables.table import signs

FORKS = 10  # of a game
ANSWERS = 150  # of a game, of which every third is looked at
FURTHER = 4  # answers of the others that are looked at after a fork
NEWS = 30  # the latest events whose lines are compared
PICKS: Case = (SECRET_PICKS.id, 3, {})
every_case = pytest.mark.parametrize("case", [*CASES, PICKS], ids=[*NAMES, SECRET_PICKS.id])


def new(case: Case, seed: int) -> Match:
    game, seats, options = case
    return new_picks(seats) if case is PICKS else veillee.new(game, seats, seed=seed, **options)


def some_forks(case: Case) -> Iterator[Fork]:
    return islice(forks(new(case, 3), 3, every=1 if case is PICKS else 4), FORKS)


def shown(match: Match, who: int) -> str:
    """All that one audience gets: position, question, choices with labels and reasons, log, undo."""
    told_of = len(match.events(who))
    what = [match.view(who), told_of, match.log(who, "en", since=max(0, told_of - NEWS))]
    if who != NO_SEAT:
        choices = [[c.id, c.verb, dict(c.args), c.label("en"), c.rule, c.why("en")] for c in match.all_choices(who)]
        what += [match.question(who, "en"), choices, match.can_undo(who), match.known(who)]
    return text(what)


def to_others(match: Match, seat: int) -> dict[int, str]:
    return {who: shown(match, who) for who in range(NO_SEAT, match.seats) if who != seat}


@every_case
def test_secret_answers_look_alike_to_everybody_else(case):
    """Taken back and given again, too; and while the others go on, until somebody learns something."""
    for fork in some_forks(case):
        seen, taken_back, again, later = set(), set(), set(), set()
        for action in fork.actions:
            match = after(fork.before, fork.seat, action)
            seen.add(text(to_others(match, fork.seat)))
            later.add(text(going_on(match.copy(), fork.seat)))
            assert match.undo(fork.seat)
            taken_back.add(text(to_others(match, fork.seat)))
            match.play(fork.seat, fork.actions[0])
            again.add(text(to_others(match, fork.seat)))
        assert len(seen) == 1, f"which of {told(fork)} is no secret: {seen}"
        assert len(later) == 1, f"which of {told(fork)} was given is found out: {later}"
        assert len(taken_back) == 1, f"which of {told(fork)} was taken back is no secret: {taken_back}"
        assert again == seen, f"that seat {fork.seat} has changed its mind is no secret: {again ^ seen}"


def going_on(match: Match, seat: int) -> list[dict[int, str]]:
    """What the others are shown while they answer and the seat does not."""
    steps: list[dict[int, str]] = []
    for _ in range(FURTHER):
        others = [other for other in match.to_act if other != seat]
        if not others or match.in_hand() == seat:
            break
        match.play(others[0], match.choices(others[0])[0])
        if not match.pending:
            break  # something was revealed: what the seat has chosen, perhaps
        steps.append(to_others(match, seat))
    return steps


@every_case
def test_what_is_shown_changes_with_its_sign_and_never_without(case):
    """A table counts what an audience has seen by signs: no news may come without one, and no sign without news."""
    match, pick = new(case, 8), Random(8)
    for number in range(ANSWERS):
        if match.over:
            break
        seat = pick.choice(match.to_act)
        before, others = signs(match), to_others(match, seat) if number % 3 == 0 else {}
        if match.can_undo(seat) and pick.random() < 0.3:
            match.undo(seat)
        else:
            match.play(seat, pick.choice(match.choices(seat)))
        then = signs(match)
        for who, was in others.items():
            now, moved = shown(match, who), then[who] != before[who]
            assert (now != was) == moved, f"seat {who} after {match.answers[-1:]}: {was} {now}"


@pytest.mark.parametrize("case", [("ghost-knights", 4, {}), PICKS], ids=["ghost-knights", SECRET_PICKS.id])
def test_there_are_forks(case):
    """The tests above prove something: in these games, at least, people do answer in secret."""
    assert len(list(some_forks(case))) > 2


def told(fork: Fork) -> str:
    return f"the answers {[fork.before.state.choice(action) for action in fork.actions]} of seat {fork.seat}"
