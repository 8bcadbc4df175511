"""No tool tells a seat what it cannot know, nor the seed before the end."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from veillee.agents.local_matches import MAX_MATCHES, ME, LocalLobby, LocalMatch
from veillee.conformance.cases import Case, text
from veillee.conformance.forks import after, forks
from veillee.games.catalogue import BOXES
from veillee.house.errors import NotFound
from veillee.kernel.chance import Rng
from veillee.match.errors import VeilleeError

GAME_IDS = list(BOXES)
EVERY = 12  # answers of a game
TRIED = 50  # answers, of all that the game knows
HINT_LEVEL = "random"  # the fastest: each level starts from the same resampled position


def told(match, seat):
    """Returns all that the tools tell a seat of this match, byte for byte."""
    seated = LocalMatch(match, [ME if who == seat else "random" for who in range(match.seats)], 1, "en")
    seated.id = "match"
    step = max(1, match.state.answers() // TRIED)
    actions = range(-1, match.state.answers() + step, step)
    tools = [
        lambda: seated.view(seat, has_data=True),
        lambda: seated.choices(seat),
        lambda: seated.why_not(seat, None),
        *(lambda action=action: seated.why_not(seat, action) for action in actions),
        lambda: seated.log(seat, 0),
        lambda: seated.hint(seat, HINT_LEVEL),
        lambda: seated.analysis(seat, 1),
        seated.record,
        *(lambda action=action: forbidden(seated, seat, action) for action in actions),
        lambda: seated.undo(seat),
    ]
    return text([answer(tool) for tool in tools])


def answer(tool):
    try:
        reply = tool()
    except VeilleeError as error:
        return [error.cite("en"), error.rule]
    return reply and [reply.text, reply.data]


def forbidden(seated, seat, action):
    """Plays an answer that is not offered: the refusal is all that comes of it."""
    if action not in [choice.id for choice in seated.match.choices(seat)]:
        return seated.play(seat, [action])
    return None


@pytest.mark.parametrize("game", GAME_IDS)
def test_what_a_seat_cannot_know_changes_no_answer_of_any_tool(game):
    case, rng, pick = Case(BOXES[game], BOXES[game].usual), Rng(41), Random(41)
    match, has_changed, number = case.match(41), False, 0
    while not match.over:
        if number % EVERY == 0 and match.in_hand() == -1:
            for seat in range(match.seats):
                twin = match.copy()
                world = twin.state.clone()
                world.determinize(seat, rng)
                has_changed = has_changed or text(world.dump()) != text(match.state.dump())
                twin.state = world
                assert told(twin, seat) == told(match.copy(), seat)
        seat = pick.choice(match.to_act)
        match.play(seat, pick.choice(match.choices(seat)))
        number += 1
    assert has_changed


@pytest.mark.parametrize("game", [game for game in GAME_IDS if game != "sourire-du-dragon"])  # it has no secret answers
def test_secret_answers_of_others_change_no_answer_of_any_tool(game):
    case, found = Case(BOXES[game], BOXES[game].usual), 0
    for fork in islice(forks(case.match(3), 3, every=4), 4):
        found += 1
        for other in range(case.seats):
            if other != fork.seat:
                seen = {told(after(fork.before, fork.seat, action), other) for action in fork.actions}
                assert len(seen) == 1
    assert found


def test_the_seed_is_told_at_the_end_only():
    seated, first = LocalLobby("en").new("takara-island", [ME, "random"], 5, {})
    seed, said, pick = seated.match.seed.hex(), [first], Random(5)
    while not seated.match.over:
        said += [seated.view(0, has_data=True), seated.record(), seated.log(0, 0)]
        said.append(seated.play(0, [pick.choice(seated.match.choices(0)).id]))
    assert not any(seed in text([reply.text, reply.data]) for reply in said[:-1])
    assert seated.record().data["record"]["seed"] == seed


def test_bots_answer_until_the_caller_is_asked_and_old_matches_are_forgotten():
    lobby = LocalLobby("en")
    first, _ = lobby.new("ghost-knights", ["random", ME, "random", "random"], 3, {})
    assert first.match.to_act == (1,)
    for number in range(MAX_MATCHES):
        lobby.new("ghost-knights", [ME] * 4, number, {})
    with pytest.raises(NotFound):
        lobby.find(first.id)
