"""Every game: what a seat cannot know changes nothing of what it is shown, offered, told, or may take back."""

from __future__ import annotations

from random import Random
from typing import Any

from veillee.conformance.beside import census_of
from veillee.conformance.cases import Case, positions, text, walk
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import EVERYONE, NO_SEAT, TOGETHER, Log
from veillee.kernel.state import ALLOWED, State

WORLDS = 3


def shown(box: Box, g: State, seat: int) -> str:
    """Returns all that a seat is shown at a position: view, question, choices with labels, reasons and what they give
    up."""
    t = box.words("en")
    what: list[Any] = [box.view(g, seat), list(g.to_act)]
    if seat in g.to_act:
        what.append(box.speech.question(g, seat, t))
        for action in g.question.options(g, seat):
            rule = g.explain(seat, action)
            what.append([action, rule, box.speech.label(g, seat, action, t)])
            what.append(box.speech.why(g, seat, action, rule, t) if rule != ALLOWED else "")
            what.append(box.gives_up(g, seat, action, t) if rule == ALLOWED else "")
    return text(what)


def told(log: Log, seat: int) -> list[tuple[Any, ...]]:
    return [(e.rule, e.kind.name, e.seat, e.figures) for e in log.seen_by(seat)]


def test_resampling_what_a_seat_cannot_know_changes_nothing_it_is_shown(case: Case) -> None:
    rng = Rng(99)
    changed = False
    for g in positions(case, 2, 7):
        for seat in range(NO_SEAT, g.seats()):
            world = g.clone()
            world.determinize(seat, rng)
            assert shown(case.box, world, seat) == shown(case.box, g, seat)
            assert world.to_act == g.to_act
            changed = changed or text(world.dump()) != text(g.dump())
    assert changed, "determinize never changed anything: the test above proves nothing"


def test_what_any_seat_knows_all_know_together(case: Case) -> None:
    """Resampled for all seats together, a position is shown to each of them as it was, and goes on as it would have:
    what they have secretly answered stays. The worlds of one seat alone differ more."""
    rng, census = Rng(98), census_of(case.box)
    for g in positions(case, 2, 7):
        world = g.clone()
        world.determinize(TOGETHER, rng)
        assert world.to_act == g.to_act
        assert census(world) == census(g)
        for seat in range(NO_SEAT, g.seats()):
            assert shown(case.box, world, seat) == shown(case.box, g, seat), f"seat {seat} knew better"


def test_a_secret_answer_is_none_to_all_together(case: Case) -> None:
    """A secret answer is fixed for all seats together: it is revealed alike in each of their worlds. (What chance makes
    of it afterwards may differ.)"""
    rng = Rng(97)
    for g, seat, action in walk(case, 9):
        if g.to_act == (seat,):
            continue  # it is revealed at once
        after = g.clone()
        after.apply(seat, action, Rng(0))
        asked = after.question
        world = after.clone()
        world.determinize(TOGETHER, rng)
        outcomes = []
        for position in (after, world):
            log = Log()
            while position.to_act and position.question is asked and not log.events:
                other = position.to_act[0]
                position.apply(other, position.legal(other)[0], Rng(0), log)
            outcomes.append([e for e in told(log, NO_SEAT) if e[2] == seat][:1])
        assert outcomes[0] == outcomes[1]


def test_a_resampled_world_can_be_played_to_its_end(case: Case) -> None:
    rng, pick = Rng(7), Random(7)
    for number, g in enumerate(positions(case, 4, 23)):
        world = g.clone()
        world.determinize(number % g.seats(), rng)
        while world.to_act:
            seat = pick.choice(world.to_act)
            world.apply(seat, pick.choice(world.legal(seat)), rng)


def test_resampling_keeps_every_component(case: Case) -> None:
    rng, census = Rng(17), census_of(case.box)
    for g in positions(case, 6, 11):
        for seat in range(NO_SEAT, g.seats()):
            world = g.clone()
            world.determinize(seat, rng)
            assert census(world) == census(g)


def test_whoever_learns_something_hidden_is_declared(case: Case) -> None:
    """If an answer lets a seat tell two worlds apart, it was declared (reveal, show) to that very seat.

    So nothing hidden slips into a public line of the log, a view or the order of questions; and undo, which stops at
    declared news, never gives a second look.
    """
    rng = Rng(5)
    for step, (g, seat, action) in enumerate(walk(case, 9)):
        if step % 3:
            continue
        for observer in range(NO_SEAT, g.seats()):
            seen = set()
            learned = 0
            for _ in range(WORLDS):
                world = g.clone()
                world.determinize(observer, rng)
                if seat not in world.to_act or world.explain(seat, action) != ALLOWED:
                    continue  # in this world the answer could not have been given
                log = Log()
                world.apply(seat, action, Rng(0), log)
                learned |= log.learned
                seen.add(text([told(log, observer), case.box.view(world, observer), list(world.to_act)]))
            declared = learned == EVERYONE if observer == NO_SEAT else (learned >> observer) & 1 == 1
            assert declared or len(seen) <= 1, f"{g.choice(action)} told seat {observer} something undeclared: {seen}"


def test_events_of_one_seat_alone_are_seen_by_no_other(case: Case) -> None:
    log = Log()
    g, rng = case.start(12, log)
    pick = Random(12)
    for _ in range(300):
        if not g.to_act:
            break
        seat = pick.choice(g.to_act)
        g.apply(seat, pick.choice(g.legal(seat)), rng, log)
    for event in log.events:
        for seat in range(NO_SEAT, g.seats()):
            expected = event.to == -1 or (seat >= 0 and (event.to >> seat) & 1 == 1)
            assert event.visible(seat) == expected
