"""Forks: positions where a seat can answer in several ways that the other audiences must not be able to distinguish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from veillee.conformance.cases import text
from veillee.kernel.log import NO_SEAT
from veillee.match.match import Match

WAYS = 3  # tried at one fork
FURTHER = 4  # answers of the others that are compared after a fork
NEWS = 30  # the latest events whose lines are compared


@dataclass(frozen=True)
class Fork:
    """Answers of a seat that, by the rules, leave the others with the same knowledge."""

    before: Match
    seat: int
    actions: tuple[int, ...]


def after(match: Match, seat: int, action: int) -> Match:
    twin = match.copy()
    twin.play(seat, action)
    return twin


def is_secret(match: Match, then: Match, seat: int) -> bool:
    """Returns whether the seat's answer, which made `then` of `match`, is secret.

    It can still be taken back, so that no other seat has learned anything by it; and it belongs to a move in hand, or
    its events are visible to the seat only. An answer without any event may be public, unless others are asked the same
    meanwhile.
    """
    if not then.pending:
        return False
    if then.in_hand() == seat:
        return True
    events = then.pending[-1].events
    return all(event.to == 1 << seat for event in events) and (
        len(events) > 0 or then.state.question is match.state.question
    )


def asked_after(match: Match, seat: int) -> dict[tuple[int, ...], list[int]]:
    """Returns the seat's secret answers, by the seats publicly asked next."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for choice in match.choices(seat):
        then = after(match, seat, choice.id)
        if is_secret(match, then, seat):
            alike.setdefault(then.seen_by(NO_SEAT).to_act, []).append(choice.id)
    return alike


def given_away(match: Match, answers: Iterable[tuple[int, int]]) -> Iterator[str]:
    """Yields where, in a game as it was played, the seats still asked reveal what a seat answers in secret."""
    looked_at: set[tuple[int, int]] = set()  # seats, and how often each has answered
    count = [0] * match.seats
    for seat, action in answers:
        for asked in match.to_act:
            if (asked, count[asked]) not in looked_at:
                looked_at.add((asked, count[asked]))
                ways = asked_after(match, asked)
                if len(ways) > 1:
                    question = type(match.state.question).__name__
                    yield f"{question}: who is asked after the secret answers of seat {asked}: {ways}"
        match.play(seat, action)
        count[seat] += 1


def forks_at(match: Match) -> Iterator[Fork]:
    """Yields the forks at a position. Whether a seat is still asked is public: answers that differ in it are no
    fork."""
    for seat in match.to_act:
        for actions in asked_after(match, seat).values():
            if len(actions) > 1:
                yield Fork(match.copy(), seat, tuple(actions[:: max(1, len(actions) // WAYS)][:WAYS]))


def forks(match: Match, seed: int, every: int = 1) -> Iterator[Fork]:
    """Yields the forks of a random game; searched at every so many positions, one at each."""
    pick, count = Random(seed), 0
    while not match.over:
        found = list(forks_at(match)) if count % every == 0 else []
        if found:
            yield pick.choice(found)
        seat = pick.choice(match.to_act)
        match.play(seat, pick.choice(match.choices(seat)))
        count += 1


def shown(match: Match, who: int) -> str:
    """Returns all that one audience gets: position, question, choices with labels and reasons, log, undo."""
    told_of = len(match.events(who))
    what = [match.view(who), told_of, match.log(who, "en", since=max(0, told_of - NEWS))]
    if who != NO_SEAT:
        choices = [[c.id, c.verb, dict(c.args), c.label("en"), c.rule, c.why("en")] for c in match.all_choices(who)]
        what += [match.question(who, "en"), choices, match.can_undo(who), match.known(who)]
    return text(what)


def to_others(match: Match, seat: int) -> dict[int, str]:
    return {who: shown(match, who) for who in range(NO_SEAT, match.seats) if who != seat}


def look_alike(fork: Fork) -> None:
    """Checks that all other audiences get the same for each of the seat's answers; also when it is taken back and given
    again, and while the others go on, until something is revealed."""
    seen: set[str] = set()
    taken_back: set[str] = set()
    again: set[str] = set()
    later: set[str] = set()
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
    """Returns what the others are shown while they answer and the seat does not."""
    steps: list[dict[int, str]] = []
    for _ in range(FURTHER):
        others = [other for other in match.to_act if other != seat]
        if not others or match.in_hand() == seat:
            break
        match.play(others[0], match.choices(others[0])[0])
        if not match.pending:
            break  # something was revealed, perhaps the seat's choice
        steps.append(to_others(match, seat))
    return steps


def told(fork: Fork) -> str:
    return f"the answers {[fork.before.state.choice(action) for action in fork.actions]} of seat {fork.seat}"
