"""TG-3.0 Order of play, TG-3.1 Pay."""

from __future__ import annotations

import pytest

from games.tales_of_glory.table import asked, cell, chest, has, holds, lay, number, opened, position, resources
from helpers import apply_all
from veillee.games.tales_of_glory import BOX, words
from veillee.games.tales_of_glory.rules import A_COIN, A_POTION, DISCARD, GAINED, NOTHING, PAID, PLACED, PLAY, SELECT
from veillee.kernel.chance import Rng
from veillee.kernel.log import Event, Log

ALONE = {"bottom": "open"}  # fits above the hero only


def test_tg_3_0_in_order_from_the_new_first_player():
    g = position()
    apply_all(g, *[SELECT + slot for slot in (7, 6, 2, 4)])
    order = []
    while asked(g)[0] == "PlayTile":
        order.append(g.to_act[0])
        apply_all(g, DISCARD)
        while asked(g)[0] == "AnyKey":
            apply_all(g, g.legal(g.to_act[0])[0])
    assert order == [2, 3, 0, 1]


def test_tg_3_0_all_at_the_same_time_in_any_order_gives_the_same():
    results = []
    for order in ((0, 1, 2, 3), (3, 1, 0, 2)):
        g = position(options={"play": "together"})
        apply_all(g, *[SELECT + slot for slot in (7, 6, 2, 4)])
        assert asked(g) == ("Together", (0, 1, 2, 3))
        for seat in order:
            g.apply(seat, DISCARD, Rng(0))
        for seat in order:
            assert g.legal(seat) == [chest(g, "paladin") + 2 * seat + which for which in (0, 1)]
            g.apply(seat, g.legal(seat)[0], Rng(0))
        assert asked(g) == ("Selection", (0, 1, 2, 3))
        results.append([a.prestige for a in g.adventurers] + list(g.discards))
    assert results[0] == results[1]


def test_tg_3_0_at_the_same_time_each_goes_through_all_steps_at_its_own_pace():
    g = position(
        options={"play": "together"},
        purse={**ALONE, "bottom": "key"},
        paladin={
            "top": "key",
            "left": "open",
            "right": "open",
            "chests": ["1 prestige", "1 coin"],
        },
    )
    apply_all(g, *[SELECT + slot for slot in range(4)])
    for seat in range(4):
        g.adventurers[seat].taken, g.adventurers[seat].slot = number(g, "purse"), 0
    g.apply(0, PLAY, Rng(0))
    assert type(g.asked(0)).__name__ == "ConnectionKey"  # the only place is taken at once, and two halves meet
    assert type(g.asked(1)).__name__ == "PlayTile"
    assert g.to_act == (0, 1, 2, 3)
    g.apply(0, chest(g, "paladin"), Rng(0))
    assert g.to_act == (1, 2, 3)


@pytest.mark.parametrize(
    ("cost", "own", "left"),
    [
        ("", {}, {}),
        ("2 coins", {"coins": 3}, {"coins": 1}),
        ("2 potions", {"potions": 2}, {}),
        ("1 coin + 2 potions", {"coins": 1, "potions": 3}, {"potions": 1}),
        ("2 combat", {"combat": 2}, {"combat": 2}),
        ("1 combat + 2 magic", {"combat": 3, "magic": 2}, {"combat": 3, "magic": 2}),
        ("1 coin + 2 magic", {"coins": 1, "magic": 2}, {"magic": 2}),
    ],
)
def test_tg_3_1_1_coins_and_potions_are_spent_combat_and_magic_are_thresholds(cost, own, left):
    g = position(purse={**ALONE, "cost": cost} if cost else ALONE)
    has(g, 0, **own)
    holds(g, 0, "purse")
    apply_all(g, PLAY + NOTHING)
    assert resources(g) == left


@pytest.mark.parametrize(
    ("cost", "own", "rule"),
    [
        ("2 coins", {"coins": 1, "potions": 9}, "TG-3.1.1"),
        ("2 potions", {"coins": 9, "potions": 1}, "TG-3.1.1"),
        ("3 combat", {"combat": 1, "potions": 1}, "TG-3.1.3"),
        ("1 potion + 2 magic", {"magic": 1, "potions": 1}, "TG-3.1.3"),
    ],
)
def test_tg_3_1_1_who_cannot_pay_cannot_play(cost, own, rule):
    g = position(purse={**ALONE, "cost": cost})
    has(g, 0, **own)
    holds(g, 0, "purse")
    assert g.legal(0) == [DISCARD]
    assert g.explain(0, PLAY) == rule


def test_tg_3_1_2_the_wild_lands_cost_a_coin_or_a_potion_more():
    for answer, left in ((PLAY + A_COIN, {"potions": 2}), (PLAY + A_POTION, {"coins": 1, "potions": 1})):
        g = position(purse={**ALONE, "cost": "1 coin"})
        has(g, 0, coins=2, potions=2)
        holds(g, 0, "purse", slot=5)
        assert g.legal(0) == [PLAY + A_COIN, PLAY + A_POTION, DISCARD]
        apply_all(g, answer)
        assert resources(g) == left


def test_tg_3_1_2_the_last_coin_pays_for_the_tile_first():
    g = position(purse={**ALONE, "cost": "1 coin"})
    has(g, 0, coins=1, potions=1)
    holds(g, 0, "purse", slot=8)
    assert g.explain(0, PLAY + A_COIN) == "TG-3.1.2"
    assert g.legal(0) == [PLAY + A_POTION, DISCARD]


def test_tg_3_1_2_slot_4_is_not_wild_with_four_players_but_is_with_three():
    for players, legal in ((4, [PLAY + NOTHING, DISCARD]), (3, [DISCARD])):
        g = position(players, purse=ALONE)
        holds(g, 0, "purse", slot=4)
        assert g.legal(0) == legal


def test_tg_3_1_3_the_rulebooks_example():
    """Slot 6, cost 1 coin and combat with 1 missing: 1 coin, 1 potion, and 1 potion for the wild lands."""
    g = position(squire={**ALONE, "cost": "1 coin + 2 combat"})
    has(g, 0, coins=3, potions=3, combat=1)
    holds(g, 0, "squire", slot=6)
    log = apply_all(g, PLAY + A_POTION)
    assert [(e.coins, e.potions) for e in log.events if e.kind is PAID] == [(1, 2)]
    assert resources(g) == {"coins": 2, "potions": 1, "combat": 1}


def test_tg_3_1_3_combat_and_magic_both_are_made_up_and_potions_never_replace_coins():
    g = position(purse={**ALONE, "cost": "2 combat + 2 magic"}, vials={**ALONE, "cost": "1 coin"})
    has(g, 0, potions=3, combat=1)
    holds(g, 0, "purse")
    apply_all(g, PLAY)
    assert resources(g) == {"combat": 1}
    has(g, 1, potions=9)
    holds(g, 1, "vials")
    assert g.explain(1, PLAY) == "TG-3.1.1"


def test_tg_3_1_4_a_discard_gives_a_coin_a_potion_and_a_key_for_any_chest():
    g = position(vials={**ALONE, "chests": ["4 prestige"]}, purse={"top": "open", "gain": "9 prestige"})
    lay(g, 0, "vials", 0, -1)
    holds(g, 0, "purse", slot=8)  # in the wild lands, without a coin: still allowed
    assert g.legal(0) == [DISCARD]
    apply_all(g, DISCARD)
    assert resources(g) == {"coins": 1, "potions": 1}
    assert asked(g) == ("AnyKey", (0,))
    assert set(g.legal(0)) == {chest(g, "paladin"), chest(g, "paladin", 1), chest(g, "vials")}
    apply_all(g, chest(g, "vials"))
    assert resources(g) == {"coins": 1, "potions": 1, "prestige": 4}
    assert opened(g) == [("vials", 0)]
    assert number(g, "purse") in g.discards
    assert number(g, "purse") not in g.adventurers[0].zone().values()


def test_tg_3_1_4_discarding_is_always_allowed():
    g = position(purse=ALONE)
    has(g, 0, coins=9, potions=9)
    holds(g, 0, "purse")
    assert g.explain(0, DISCARD) == ""


def test_tg_3_1_5_a_gain_comes_after_the_payment():
    g = position(purse={**ALONE, "cost": "2 coins", "gain": "5 coins"})
    has(g, 0, coins=1)
    holds(g, 0, "purse")
    assert g.explain(0, PLAY) == "TG-3.1.1"
    has(g, 0, coins=2)
    log = Log()
    g.apply(0, PLAY, Rng(0), log)
    assert [e.kind for e in log.events] == [PAID, PLACED, GAINED]
    assert resources(g) == {"coins": 5}


def test_tg_3_1_5_nor_do_its_chest_and_its_place_gains():
    g = position(griffin_inn={"bottom": "3 coins", "cost": "1 coin"}, purse=ALONE)
    holds(g, 0, "griffin-inn")
    assert g.explain(0, PLAY) == "TG-3.1.1"
    has(g, 0, coins=1)
    apply_all(g, PLAY)
    assert resources(g) == {"coins": 3}
    assert g.adventurers[0].zone()[cell(0, -1)] == number(g, "griffin-inn")


def test_tg_3_1_1_a_price_has_its_sign_on_the_button_and_none_after_pays():
    said = words.event(Event("TG-3.1.1", PAID, 0, [0, 2, 1]), ["Ana", "Ben"], BOX.words("en"))
    assert said.startswith("Ana pays 2 coins, 1 potion for “")
    assert words.price(2, 1, BOX.words("en")) == "−2 coins, −1 potion"
