"""Answers that discard something: which ones a player must confirm."""

from __future__ import annotations

from random import Random

import pytest

import veillee
from veillee.games.catalogue import BOXES
from veillee.games.paper_tales import rules as pt
from veillee.games.paper_tales.words import unit
from veillee.kernel.chance import Rng

# Every kind of answer that throws something away.
ASKED = {
    "ghost-knights": {"pass"},
    "paper-tales": {"front", "back", "save", "discard", "let die"},  # the last one of a deployment, whatever it is
    "takara-island": {"stop"},
    "tales-of-glory": {"discard", "done"},
    "sourire-du-dragon": {"pass", "accept"},
}
SEEDS = 40


@pytest.mark.parametrize("game", list(BOXES))
def test_what_is_asked_about_in_each_game(game):
    """Random games, until every such kind was met; no other kind ever is."""
    box, found = BOXES[game], set()
    words = box.words("en")
    for seed in range(SEEDS):
        rng, pick = Rng(seed), Random(seed)
        options = {option.id: list(option.values)[seed % len(option.values)] for option in box.options}
        g = box.new(box.players[-1], rng, options, None)
        while g.to_act:
            seat = pick.choice(g.to_act)
            legal = g.legal(seat)
            for action in legal:
                if said := box.gives_up(g, seat, action, words):
                    assert "{" not in said
                    found.add(g.choice(action)[0])
            g.apply(seat, pick.choice(legal), rng)
        if found == ASKED[game]:
            break
    assert found == ASKED[game]


def test_gk_6_1_only_the_last_tournament_is_asked_about():
    asked = set()
    for seed in range(4):
        match = veillee.new("ghost-knights", seats=4, seed=seed)
        while not match.over:
            seat = match.to_act[0]
            choices = match.choices(seat)
            asked |= {match.state.tournaments for choice in choices if choice.gives_up("en")}
            match.play(seat, choices[len(match.answers) % len(choices)])
    assert asked == {4}


def deploying(seed: int = 7):
    """Paper Tales, at the first deployment of seat 0."""
    match = veillee.new("paper-tales", seats=2, seed=seed)
    while not isinstance(match.state.question, pt.Deploy):
        seat = match.to_act[0]
        match.play(seat, match.choices(seat)[0])
    return match


def test_pt_2_2_6_a_hand_that_is_not_deployed_is_named_card_by_card():
    match = deploying()
    hand = [pt.KIND[card] for card in match.state.realms[0].hand]
    gone = [pt.DEPLOY + pt.GONE] * len(hand)
    (said,) = match.given_up(0, gone, "en")
    assert all(unit(kind, match.words("en")) in said for kind in hand)
    assert "room and gold" in said
    for action in gone[:-1]:
        assert not any(choice.gives_up("en") for choice in match.choices(0))
        match.play(0, action)
    assert match.choices(0)[-1].gives_up("en") == said, "asked one by one, it is the last answer that is asked about"


def test_nothing_is_asked_about_what_is_refused_or_kept():
    match = deploying()
    assert match.given_up(0, [pt.DEPLOY + pt.FRONT] * 9, "en") == []
    assert match.given_up(0, [10**6], "en") == []
    assert match.given_up(0, [pt.DEPLOY + pt.GONE], "en") == [], "the deployment is not over: it can be taken back"
