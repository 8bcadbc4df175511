"""Forks: positions where a seat can answer in several ways that nobody else may tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from veillee.kernel.log import NO_SEAT
from veillee.match.match import Match

WAYS = 3  # tried at one fork


@dataclass(frozen=True)
class Fork:
    """Each of these answers of the seat leaves the others, by the rules, with the same knowledge."""

    before: Match
    seat: int
    actions: tuple[int, ...]


def after(match: Match, seat: int, action: int) -> Match:
    twin = match.copy()
    twin.play(seat, action)
    return twin


def is_secret(match: Match, then: Match, seat: int) -> bool:
    """Is the seat's answer, which made `then` of `match`, its own business?

    It can still be taken back, so nobody has learned anything by it; and it belongs to a move in hand, or its events
    are the seat's own. An answer without any event may be a public one, unless others are asked the same meanwhile.
    """
    if not then.pending:
        return False
    if then.in_hand() == seat:
        return True
    events = then.pending[-1].events
    return all(event.to == 1 << seat for event in events) and (
        len(events) > 0 or then.state.question is match.state.question
    )


def forks_at(match: Match) -> Iterator[Fork]:
    """Whether a seat still has something to say is for all to see: answers that differ in it are no fork."""
    for seat in match.to_act:
        alike: dict[tuple[int, ...], list[int]] = {}
        for choice in match.choices(seat):
            then = after(match, seat, choice.id)
            if is_secret(match, then, seat):
                alike.setdefault(then.seen_by(NO_SEAT).to_act, []).append(choice.id)
        for actions in alike.values():
            if len(actions) > 1:
                yield Fork(match.copy(), seat, tuple(actions[:: max(1, len(actions) // WAYS)][:WAYS]))


def forks(match: Match, seed: int, every: int = 1) -> Iterator[Fork]:
    """The forks on the way through a random game; looked for at every so many positions, one at each."""
    pick, count = Random(seed), 0
    while not match.over:
        found = list(forks_at(match)) if count % every == 0 else []
        if found:
            yield pick.choice(found)
        seat = pick.choice(match.to_act)
        match.play(seat, pick.choice(match.choices(seat)))
        count += 1
