"""What can be pointed at and not chosen now is refused by its rule, with a sentence: each where it can happen."""

from __future__ import annotations

import pytest

from games.tales_of_glory.table import (
    BARE_HERO,
    SIDES,
    asked,
    cell,
    chest,
    has,
    holds,
    lay,
    number,
    placed,
    position,
    put,
)
from helpers import apply_all
from veillee.games.tales_of_glory import BOX, words
from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.chance import Rng

ABOVE = {"bottom": "open"}
BELOW = {"top": "open"}

KEY = {**BELOW, "gain": "1 key"}


def refused(g: tg.TalesOfGlory, seat: int, action: int, lang: str = "en") -> tuple[str, str]:
    """The rule and what it says."""
    rule = g.explain(seat, action)
    assert action not in g.legal(seat)
    return rule, words.why(g, seat, action, rule, BOX.words(lang))


def quest(g: tg.TalesOfGlory, id_: str) -> int:
    return number(g, id_) - tg.FIRST_QUEST


# -- TG-1, TG-2 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("slot", [7, 8])
@pytest.mark.parametrize("verb", [tg.SELECT, tg.TAKE])
def test_tg_1_2_with_few_players_there_are_no_slots_7_and_8(players, slot, verb):
    g = position(players)
    assert refused(g, 0, verb + slot - 1) == ("TG-1.2", f"With {players} players the board has 6 slots.")
    assert refused(g, 0, verb + slot - 1, "fr")[1] == f"À {players} joueurs, le plateau a 6 emplacements."
    apply_all(g, *[tg.SELECT] * players)
    assert asked(g)[0] == "CatchUp"
    assert refused(g, 1, verb + slot - 1)[0] == "TG-1.2"


def test_tg_1_2_with_four_players_there_are():
    g = position(4)
    assert g.explain(0, tg.SELECT + 7) == ""
    assert refused(g, 0, tg.TAKE + 7)[0] == "TG-2.3"


def test_tg_2_1_a_slot_is_selected_at_the_beginning_of_a_round():
    g = position()
    holds(g, 0, "purse")
    said = "Everyone selects a slot at the beginning of a round, at the same time."
    assert refused(g, 0, tg.SELECT + 2) == ("TG-2.1", said)


def test_tg_2_3_nobody_takes_who_has_not_missed_a_tile():
    g = position()
    assert refused(g, 0, tg.TAKE) == ("TG-2.3", "Only those whose selected tile is gone choose another one.")


# -- TG-3.0, TG-3.1 ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("players", "slot"), [(4, 5), (4, 8), (2, 4)])
def test_tg_3_1_2_a_tile_from_the_wild_lands_is_not_played_without_the_extra(players, slot):
    g = position(players, purse=BELOW)
    has(g, 0, coins=5, potions=5)
    holds(g, 0, "purse", slot=slot)
    told = ("TG-3.1.2", "A tile from the wild lands costs 1 coin or 1 potion more.")
    assert refused(g, 0, tg.PLAY + tg.NOTHING) == told
    assert refused(g, 0, tg.PLAY, "fr")[1] == "Une tuile des terres sauvages coûte 1 pièce ou 1 potion de plus."


@pytest.mark.parametrize("extra", [tg.A_COIN, tg.A_POTION])
def test_tg_3_1_2_nor_is_another_tile_with_it(extra):
    g = position(purse=BELOW)
    has(g, 0, coins=5, potions=5)
    holds(g, 0, "purse", slot=4)
    said = "Your tile does not come from the wild lands: nothing more is paid."
    assert refused(g, 0, tg.PLAY + extra) == ("TG-3.1.2", said)


def test_tg_3_0_a_tile_is_played_once_everyone_has_one():
    g = position()
    assert refused(g, 0, tg.PLAY) == ("TG-3.0", "You play one tile a round, once everyone has taken one.")
    said = "Only the tile that you have taken can be discarded, instead of being played."
    assert refused(g, 0, tg.DISCARD) == ("TG-3.1.4", said)


def test_tg_3_0_at_the_same_time_each_seat_is_answered_for_itself():
    g = position(2, options={"play": "together"}, squire={**BELOW, "cost": "9 coins"})
    apply_all(g, tg.SELECT, tg.SELECT + 5)
    assert refused(g, 0, tg.PLAY + tg.A_COIN)[0] == "TG-3.1.2"
    assert refused(g, 1, tg.PLAY + tg.NOTHING)[0] == "TG-3.1.2"
    g.apply(0, tg.DISCARD, Rng(0))
    assert asked(g)[1] == (0, 1)
    assert refused(g, 0, tg.DISCARD)[0] == "TG-3.1.4"
    assert refused(g, 1, chest(g, "mage"))[0].startswith("TG-3.4")


# -- TG-3.2 --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ((0, 0), "“The Paladin” lies there already."),
        ((1, 0), "“The Will-o'-the-Wisp” lies there already."),
        ((3, 0), "No tile of your zone is beside this place."),
        ((-1, -1), "No tile of your zone is beside this place."),
        ((-13, -13), "No tile of your zone is beside this place."),
        ((13, 13), "No tile of your zone is beside this place."),
    ],
)
def test_tg_3_2_2_an_occupied_or_far_cell(where, sentence):
    g = position(wisp=SIDES, purse=SIDES)
    lay(g, 0, "wisp", 1, 0)
    holds(g, 0, "purse")
    apply_all(g, tg.PLAY)
    assert refused(g, 0, put(*where)) == ("TG-3.2.2", sentence)


def test_tg_3_2_2_a_place_is_chosen_for_a_tile_that_is_paid():
    g = position(purse=SIDES)
    holds(g, 0, "purse")
    assert refused(g, 0, put(1, 0)) == ("TG-3.2.2", "A tile is placed as soon as it is paid for.")


# -- TG-3.4 --------------------------------------------------------------------------------------------------
def with_a_key() -> tg.TalesOfGlory:
    g = position(bard=KEY, wisp={**ABOVE, "chests": ["1 coin"]}, purse={"left": "open"})
    lay(g, 0, "wisp", 0, -1)
    lay(g, 0, "purse", 1, 0)
    a = g.adventurers[0]
    tg.unlock(g, 0, chest(g, "wisp") - tg.OPEN)
    assert len(a.open) == 1
    placed(g, 0, "bard", 0, 1)
    assert asked(g) == ("AnyKey", (0,))
    return g


@pytest.mark.parametrize(
    ("tile", "which", "rule", "sentence"),
    [
        ("wisp", 0, "TG-3.4.1", "This chest is open: a chest opens once."),
        ("wisp", 1, "TG-3.4.1", "“The Will-o'-the-Wisp” has no such chest."),
        ("purse", 0, "TG-3.4.1", "“The Lost Purse” has no such chest."),
        ("shaman", 0, "TG-3.4.3", "“The Shaman” is not in your zone."),
    ],
)
def test_tg_3_4_1_an_open_chest_and_one_that_is_not_there(tile, which, rule, sentence):
    g = with_a_key()
    assert refused(g, 0, chest(g, tile, which)) == (rule, sentence)


def test_tg_3_4_1_no_chest_opens_without_a_key():
    g = position(purse=BELOW)
    holds(g, 0, "purse")
    assert refused(g, 0, chest(g, "paladin")) == ("TG-3.4.1", "A chest opens with a key, as soon as you have one.")


# -- TG-6 ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("verb", [tg.QUEST, tg.DROP])
def test_tg_6_1_no_quest_at_a_table_without_quests(verb):
    g = position()
    assert refused(g, 0, verb + 3) == ("TG-6.1", "This table plays without quests.")


def test_tg_6_1_no_quest_that_is_not_in_hand():
    g = position(options={"quests": "yes"}, purse=BELOW)
    assert asked(g)[0] == "DropQuest"
    other = next(q for q in range(tg.QUESTS) if q + tg.FIRST_QUEST not in g.adventurers[0].hand)
    rule, said = refused(g, 0, tg.DROP + other)
    assert rule == "TG-6.1"
    assert said.endswith("is not in your hand.")
    holds(g, 0, "purse", quests=("quest-grail",))
    assert refused(g, 0, tg.QUEST + quest(g, "quest-dragon"))[0] == "TG-6.1"
    said = "One quest is given up, before the first round."
    assert refused(g, 0, tg.DROP + quest(g, "quest-grail")) == ("TG-6.1", said)


def test_tg_6_2_quests_have_their_moment():
    g = position(options={"quests": "yes"}, purse=BELOW)
    said = "Quests are played with your tile: before it or after it."
    assert refused(g, 0, tg.QUEST + g.adventurers[0].hand[0] - tg.FIRST_QUEST) == ("TG-6.2", said)
    holds(g, 0, "purse", quests=("quest-grail",))
    said = "You are asked this after your tile, while you hold quests."
    assert refused(g, 0, tg.DONE) == ("TG-6.2", said)


def test_tg_6_3_one_tile_is_finished_before_the_next_begins():
    g = position(options={"quests": "yes"}, purse=SIDES, quest_grail=SIDES, quest_dragon=SIDES, paladin=BARE_HERO)
    has(g, 0, coins=9, potions=9)
    holds(g, 0, "purse", quests=("quest-dragon", "quest-grail"))
    apply_all(g, tg.QUEST + quest(g, "quest-grail"))
    assert asked(g) == ("Placing", (0,))
    told = ("TG-6.3", "First finish the tile that you are playing: its place, its keys and its gains.")
    for action in (tg.PLAY, tg.PLAY + tg.A_COIN, tg.DISCARD, tg.QUEST + quest(g, "quest-dragon")):
        assert refused(g, 0, action) == told
    apply_all(g, tg.PUT + cell(1, 0))
    assert asked(g) == ("PlayTile", (0,))
