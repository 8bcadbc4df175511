"""TG-9.1 Public and private; TG-3.1 and TG-6.2 where they meet another rule."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import veillee
from games.tales_of_glory.table import asked, has, holds, number, placed, position, resources
from helpers import apply_all
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.conformance.census import census
from veillee.games.tales_of_glory.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.log import EVERYONE, Log

ABOVE = {"bottom": "open"}
BELOW = {"top": "open"}
WORLDS = 30


def worlds(g: tg.TalesOfGlory, seat: int) -> list[tg.TalesOfGlory]:
    dealt = []
    for seed in range(WORLDS):
        world = g.clone()
        world.determinize(seat, Rng(seed))
        assert census(world) == census(g)
        dealt.append(world)
    return dealt


def test_tg_9_1_a_selection_is_unknown_to_the_others_until_it_is_revealed():
    g = position()
    for seat in (1, 2):
        g.apply(seat, tg.SELECT + 5, Rng(0))
    assert asked(g) == ("Selection", (0, 3))
    for seat, known in ((0, ()), (1, (1,)), (2, (2,)), (-1, ())):
        for owner in (1, 2):
            selected = {world.adventurers[owner].selected for world in worlds(g, seat)}
            assert selected == {5} if owner in known else len(selected) > 3
        assert all(world.adventurers[3].selected == -1 for world in worlds(g, seat))


def test_tg_9_1_once_everyone_has_selected_it_is_public():
    g = position()
    log = apply_all(g, *[tg.SELECT + slot for slot in (7, 6, 2, 4)])
    assert [(e.seat, e.slot) for e in log.seen_by(-1) if e.kind is tg.REVEALED] == [(0, 7), (1, 6), (2, 2), (3, 4)]


@pytest.mark.parametrize("seat", [0, 2, -1])
def test_tg_9_1_a_quest_put_away_is_unknown_to_the_others(seat):
    g = tg.new_game(3, Rng(4), {"quests": "yes"})
    away = g.adventurers[1].hand[1]
    g.apply(1, tg.DROP + away - tg.FIRST_QUEST, Rng(0))
    dealt = worlds(g, seat)
    assert len({world.adventurers[1].dropped for world in dealt}) > 3
    assert len({tuple(world.adventurers[1].hand) for world in dealt}) > 3
    assert all(world.adventurers[1].dropped == away for world in worlds(g, 1))


@pytest.mark.parametrize(("potions", "rule"), [(2, "TG-3.1.2"), (3, "")])
def test_tg_3_1_2_a_potion_that_makes_up_for_a_skill_cannot_pay_the_wild_lands_too(potions, rule):
    """TG-3.1.3 Two combat are missing: two potions are spent on them, and the wild lands take one more."""
    g = position(squire={**ABOVE, "cost": "3 combat"})
    has(g, 0, potions=potions, combat=1)
    holds(g, 0, "squire", slot=6)
    assert g.explain(0, tg.PLAY + tg.A_POTION) == rule
    assert (tg.PLAY + tg.A_POTION in g.legal(0)) == (rule == "")
    assert g.explain(0, tg.PLAY + tg.A_COIN) == "TG-3.1.2"


def test_tg_3_1_2_a_coin_pays_the_wild_lands_when_the_potions_go_to_a_skill():
    g = position(squire={**ABOVE, "cost": "3 combat"})
    has(g, 0, coins=1, potions=2, combat=1)
    holds(g, 0, "squire", slot=6)
    assert g.legal(0) == [tg.PLAY + tg.A_COIN, tg.DISCARD]
    apply_all(g, tg.PLAY + tg.A_COIN)
    assert resources(g) == {"combat": 1}


@pytest.mark.parametrize(("play", "reveals", "shows"), [("together", 1, 0), ("in-turn", 0, 1)])
def test_tg_6_2_played_together_a_quest_is_seen_by_the_others_at_once(play, reveals, shows):
    """In turn the others see it with the whole move, so it is only shown; at the same time they have seen it."""
    g = position(options={"play": play}, quest_grail=ABOVE, purse=BELOW)
    apply_all(g, *[tg.SELECT + slot for slot in range(4)])
    seat = g.to_act[0]
    a = g.adventurers[seat]
    a.taken, a.slot = number(g, "purse"), 0
    a.hand = vec[i64]([number(g, "quest-grail")])
    log = Log()
    g.apply(seat, tg.QUEST + number(g, "quest-grail") - tg.FIRST_QUEST, Rng(0), log)
    assert [e.to for e in log.events if e.kind is tg.QUEST_SHOWN] == [EVERYONE]
    assert (log.reveals, log.shows, log.learned) == (reveals, shows, EVERYONE)


def played_quest(play: str) -> tuple[veillee.Match, int]:
    """Returns a match up to the first quest that is played."""
    match = veillee.new("tales-of-glory", 2, seed=3, quests="yes", play=play)
    while True:
        seat = match.to_act[0]
        legal = match.state.legal(seat)
        quests = [action for action in legal if tg.QUEST <= action < tg.QUEST + tg.QUESTS]
        match.play(seat, quests[0] if quests else legal[0])
        if quests:
            return match, seat


@pytest.mark.parametrize(("play", "undone"), [("together", False), ("in-turn", True)])
def test_tg_6_2_played_together_a_quest_cannot_be_taken_back(play, undone):
    match, seat = played_quest(play)
    assert match.can_undo(seat) == undone


def test_tg_9_1_the_view_knows_the_answer_of_each_thing():
    """What a board puts on a slot, a quest or a chest is what the rules take for it."""
    g = position(options={"quests": "yes"}, bard={**BELOW, "gain": "1 key"})
    shown = view(g, 0)
    answers = shown["answers"]
    for verb, thing in (("select", "slot"), ("take", "slot"), ("quest", "quest"), ("drop", "quest")):
        told = [g.choice(answer) for answer in answers[verb]]
        assert told == [(verb, {thing: n + 1}) for n in range(len(told))]
    assert [g.choice(answer) for answer in answers["play"]] == [("play", {"extra": way}) for way in range(3)]
    assert [g.choice(answers[verb]) for verb in ("discard", "done")] == [("discard", {}), ("done", {})]
    assert [answers["drop"][quest["quest"]] for quest in shown["hand"]] == g.legal(0)
    placed(g, 0, "bard", 0, 1)
    assert [lock for place in view(g, 0)["mine"]["tiles"] for lock in place["locks"]] == g.legal(0)
