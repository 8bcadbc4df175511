"""TG-6 Quests."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.tales_of_glory.table import SIDES, asked, chest, has, holds, lay, number, placed, position, resources
from helpers import apply_all
from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.chance import Rng
from veillee.kernel.counts import spread
from veillee.kernel.log import Log

BELOW = {"top": "open"}
ABOVE = {"bottom": "open"}


def quest(g, id_: str) -> int:
    return tg.QUEST + number(g, id_) - tg.FIRST_QUEST


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_tg_6_1_three_quests_in_secret_one_goes_out_unseen(players):
    log = Log()
    g = tg.new_game(players, Rng(3), {"quests": "yes"}, log)
    dealt = [e for e in log.events if e.kind is tg.QUEST_DEALT]
    assert [e.to for e in dealt] == [1 << seat for seat in range(players) for _ in range(3)]
    kinds = [e.kind for e in log.events]
    assert max(i for i, kind in enumerate(kinds) if kind is tg.OFFERED) < kinds.index(tg.QUEST_DEALT)
    assert asked(g) == ("DropQuest", tuple(range(players)))
    hands = [list(a.hand) for a in g.adventurers]
    assert len({quest for hand in hands for quest in hand}) == 3 * players
    for seat in reversed(range(players)):
        dropped = Log()
        g.apply(seat, tg.DROP + hands[seat][1] - tg.FIRST_QUEST, Rng(0), dropped)
        assert [e.to for e in dropped.events] == [1 << seat]
    assert [list(a.hand) for a in g.adventurers] == [[hand[0], hand[2]] for hand in hands]
    assert [a.dropped for a in g.adventurers] == [hand[1] for hand in hands]
    assert asked(g)[0] == "Selection"


def test_tg_6_1_not_without_the_option():
    g = tg.new_game(4, Rng(3), {})
    assert asked(g)[0] == "Selection"
    assert [list(a.hand) for a in g.adventurers] == [[]] * 4


def test_tg_6_2_before_and_after_the_taken_tile_each_paid_and_gained():
    g = position(
        quest_grail={**ABOVE, "cost": "4 coins", "gain": "5 prestige"},
        quest_dragon={"left": "open", "cost": "2 combat", "gain": "7 prestige"},
        purse={**BELOW, "gain": "1 magic"},
    )
    has(g, 0, coins=4, potions=2)
    holds(g, 0, "purse", quests=("quest-grail", "quest-dragon"))
    apply_all(g, quest(g, "quest-grail"))
    assert resources(g) == {"potions": 2, "prestige": 5}
    assert asked(g) == ("PlayTile", (0,))
    apply_all(g, tg.PLAY)
    assert asked(g) == ("LastQuests", (0,))
    apply_all(g, quest(g, "quest-dragon"))
    assert resources(g) == {"prestige": 12, "magic": 1}
    assert asked(g)[0] == ""


def in_one_turn(g, id_: str, *quests: str, slot: int = 1) -> None:
    """Seat 0 plays the tile that it took, with all that belongs to its turn."""
    a = g.adventurers[0]
    a.taken, a.slot = number(g, id_), slot - 1
    a.hand = vec[i64]([number(g, quest) for quest in quests])
    g.agenda = []
    g.to_act = ()
    tg.push_turn(g, 0)
    g.proceed(Rng(0))


QUESTS = {
    "quest_grail": {**ABOVE, "cost": "2 coins", "gain": "5 prestige"},
    "purse": {**BELOW, "gain": "3 coins"},
}


def test_tg_6_2_the_gain_of_a_tile_may_pay_for_the_quest_after_it():
    g = position(**QUESTS)
    in_one_turn(g, "purse", "quest-grail")
    apply_all(g, tg.PLAY)
    assert g.legal(0) == [tg.DONE, quest(g, "quest-grail")]
    apply_all(g, quest(g, "quest-grail"))
    assert resources(g) == {"coins": 1, "prestige": 5}


def test_tg_6_2_in_the_other_reading_everything_is_paid_and_placed_before_any_gain():
    g = position(options={"gains": "paid-first"}, **QUESTS)
    in_one_turn(g, "purse", "quest-grail")
    apply_all(g, tg.PLAY)
    assert (g.legal(0), g.explain(0, quest(g, "quest-grail"))) == ([tg.DONE], "TG-3.1.1")
    apply_all(g, tg.DONE)
    assert resources(g) == {"coins": 3}
    g = position(options={"gains": "paid-first"}, **QUESTS)
    has(g, 0, coins=2)
    in_one_turn(g, "purse", "quest-grail")
    apply_all(g, tg.PLAY)
    assert resources(g) == {"coins": 2}
    apply_all(g, quest(g, "quest-grail"))
    assert resources(g) == {"coins": 3, "prestige": 5}


def test_tg_6_2_in_the_other_reading_a_connection_counts_once_and_gains_keep_the_order_of_placement():
    """The quest is placed first, the Place beside it afterwards: their connection is made by the Place."""
    inn = {"left": "1 potion", "right": "1 coin", "top": "open"}
    g = position(
        options={"gains": "paid-first"}, quest_grail={"left": "open", "right": "open", "gain": "1 magic"}, mistvale=inn
    )
    in_one_turn(g, "mistvale", "quest-grail")
    log = Log()
    apply_all(g, quest(g, "quest-grail"))
    if asked(g)[0] == "Placing":
        apply_all(g, g.legal(0)[0])
    assert resources(g) == {}
    g.apply(0, tg.PLAY, Rng(0), log)
    while g.to_act and asked(g)[0] == "Placing":
        g.apply(0, g.legal(0)[-1], Rng(0), log)
    gained = [(e.rule, e.resource) for e in log.events if e.kind is tg.GAINED]
    assert gained[0] == ("TG-3.3.1", tg.MAGIC)
    assert len([rule for rule, _ in gained if rule == "TG-3.3.3"]) == 1


def test_tg_6_2_in_the_other_reading_what_a_discarded_tile_gives_comes_after_the_quests():
    g = position(options={"gains": "paid-first"}, quest_grail={**ABOVE, "cost": "1 coin"}, purse=BELOW)
    in_one_turn(g, "purse", "quest-grail")
    apply_all(g, tg.DISCARD)
    assert (g.legal(0), resources(g)) == ([tg.DONE], {})
    log = apply_all(g, tg.DONE)
    assert resources(g) == {"coins": 1, "potions": 1}
    assert [(e.rule, e.kind) for e in log.events] == [("TG-6.2", tg.ALL_PAID), *[("TG-3.1.4", tg.GAINED)] * 2]
    assert asked(g)[0] == "AnyKey"


def test_tg_6_2_no_wild_lands_cost_for_a_quest():
    g = position(quest_grail={**ABOVE, "cost": "4 coins"}, purse=BELOW)
    has(g, 0, coins=4)
    holds(g, 0, "purse", slot=8, quests=("quest-grail",))
    assert g.explain(0, quest(g, "quest-grail")) == ""
    apply_all(g, quest(g, "quest-grail"))
    assert resources(g) == {}


def test_tg_6_2_paid_and_placed_like_any_tile():
    g = position(quest_grail={**ABOVE, "cost": "4 coins"}, quest_dragon=BELOW, purse=BELOW)
    lay(g, 0, "vials", 0, 1)
    a = g.adventurers[0]
    a.rim = vec[i64]([entry for entry in a.rim if entry >> tg.CELL < tg.HOME])
    has(g, 0, coins=3)
    holds(g, 0, "purse", quests=("quest-grail", "quest-dragon"))
    assert g.explain(0, quest(g, "quest-grail")) == "TG-3.1.1"
    assert g.explain(0, quest(g, "quest-dragon")) == "TG-3.2.4"
    assert g.legal(0) == [tg.DISCARD]


def test_tg_6_2_both_may_be_played_at_one_time():
    g = position(quest_grail=ABOVE, quest_dragon={"left": "open"}, purse=BELOW)
    holds(g, 0, "purse", quests=("quest-grail", "quest-dragon"))
    apply_all(g, quest(g, "quest-grail"), quest(g, "quest-dragon"), tg.PLAY)
    assert len(g.adventurers[0].zone()) == 4
    assert asked(g)[0] == ""


def test_tg_6_3_unplayed_quests_score_nothing():
    g = position(quest_grail={**ABOVE, "gain": "end: 9 prestige"})
    g.adventurers[0].hand = vec[i64]([number(g, "quest-grail")])
    g.agenda = []
    tg.push_end_gains(g)
    assert g.agenda == []
    assert g.score(0) == 0


def test_tg_6_3_a_quest_has_no_type():
    g = position(quest_grail={"left": "open"}, mistvale={"right": "1 coin", "left": "monster: 1 potion", "top": "open"})
    lay(g, 0, "mistvale", 0, 1)
    placed(g, 0, "quest-grail", 1, 1)
    assert resources(g) == {"coins": 1}
    assert spread(g.adventurers[0].types, tg.TYPES)[1:] == [1, 0, 0, 0]


def test_tg_6_3_the_steps_of_one_tile_are_finished_before_the_next():
    g = position(quest_grail={**SIDES, "gain": "1 key"}, purse=BELOW)
    holds(g, 0, "purse", quests=("quest-grail",))
    apply_all(g, quest(g, "quest-grail"))
    assert asked(g)[0] == "Placing"
    apply_all(g, g.legal(0)[0])
    assert asked(g)[0] == "AnyKey"
    apply_all(g, chest(g, "paladin"))
    assert asked(g)[0] == "PlayTile"


def test_tg_6_3_also_when_the_taken_tile_is_discarded_and_never_discarded_itself():
    g = position(quest_grail=ABOVE, purse=BELOW)
    holds(g, 0, "purse", quests=("quest-grail",))
    assert list(g.question.options(g, 0)).count(tg.DISCARD) == 1
    apply_all(g, tg.DISCARD, chest(g, "paladin"))
    assert asked(g)[0] == "LastQuests"
    assert g.legal(0) == [tg.DONE, quest(g, "quest-grail")]
    apply_all(g, quest(g, "quest-grail"))
    assert number(g, "quest-grail") in g.adventurers[0].zone().values()


def test_tg_6_3_the_question_is_asked_whenever_quests_are_in_hand():
    """Even if none can be played: what is not asked would tell."""
    g = position(quest_grail={**ABOVE, "cost": "9 coins"}, purse=BELOW)
    holds(g, 0, "purse", quests=("quest-grail",))
    apply_all(g, tg.PLAY)
    assert asked(g) == ("LastQuests", (0,))
    assert g.legal(0) == [tg.DONE]


def test_tg_6_2_at_the_same_time_too_what_comes_after_a_chest_is_not_forgotten():
    g = position(options={"play": "together"}, quest_grail=ABOVE)
    apply_all(g, *[tg.SELECT + slot for slot in range(4)])
    g.adventurers[2].hand = vec[i64]([number(g, "quest-grail")])
    for answer, question in ((tg.DISCARD, "AnyKey"), (chest(g, "paladin") + 4, "LastQuests")):
        g.apply(2, answer, Rng(0))
        assert type(g.asked(2)).__name__ == question
    g.apply(2, quest(g, "quest-grail"), Rng(0))
    assert number(g, "quest-grail") in g.adventurers[2].zone().values()
    assert g.to_act == (0, 1, 3)
