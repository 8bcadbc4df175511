"""SD-1 Components and setup, SD-8 Options, SD-10 Public and private."""

from __future__ import annotations

import json

from librt.vecs import vec
from mypy_extensions import i64

from games.sourire_du_dragon.table import CARDS, SQUARES, asked, play, position, told
from helpers import apply_all, loaded
from veillee.games.sourire_du_dragon import rules as sd
from veillee.games.sourire_du_dragon.conformance.census import census
from veillee.games.sourire_du_dragon.content import SETS
from veillee.games.sourire_du_dragon.rules import CHARACTER, CHARACTERS, HIGH_MOVES, OBJECTS
from veillee.games.sourire_du_dragon.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log


def test_sd_1_1_six_characters_each_with_the_object_of_the_same_number():
    assert [names["en"] for names in SETS[0].characters] == [
        "Ranger",
        "Acrobat",
        "Thief",
        "Barbarian",
        "Cavalier",
        "Magician",
    ]
    assert [card.key for card in SETS[0].cards[:OBJECTS]] == ["bow", "staff", "cloak", "club", "shield", "hat"]


def test_sd_1_2_the_highest_die_chooses_first_and_plays_first():
    g = sd.new_game(3, loaded(6, [2, 5, 0]), {})
    chosen = []
    while asked(g)[0] == "ChooseCharacter":
        chosen.append(g.to_act[0])
        apply_all(g, CHARACTER + len(chosen))
    assert chosen == [1, 0, 2]
    assert [hero.character for hero in g.heroes] == [2, 1, 3]
    assert asked(g) == ("Announce", (1,))


def test_sd_1_2_then_clockwise():
    g = position(*range(3), seat=1)
    play(g, HIGH_MOVES, dice=(1, 1, 1))
    assert asked(g) == ("Announce", (2,))
    play(g, HIGH_MOVES, dice=(3, 3, 3))
    assert asked(g) == ("Announce", (0,))


def test_sd_1_2_those_who_tie_roll_again_among_themselves():
    log = Log()
    g = sd.new_game(4, loaded(6, [4, 5, 4, 5, 3, 3, 0, 2, 1, 2]), {}, log)
    rolled = told(log, sd.ORDER)
    assert rolled[:4] == [(0, 5), (1, 6), (2, 5), (3, 6)]
    assert rolled[4:] == [(1, 4), (3, 4), (1, 1), (3, 3), (0, 2), (2, 3)]
    waiting = [g.to_act[0]] + [step.seat for step in reversed(g.agenda) if isinstance(step, sd.ChooseCharacter)]
    assert waiting == [3, 1, 2, 0]


def test_sd_1_2_a_character_is_chosen_once():
    g = sd.new_game(2, Rng(1), {})
    first = g.to_act[0]
    apply_all(g, CHARACTER + sd.THIEF)
    assert g.to_act == (1 - first,)
    assert g.explain(1 - first, CHARACTER + sd.THIEF) == "SD-1.2"
    assert len(g.legal(1 - first)) == CHARACTERS - 1


def test_sd_1_2_the_last_of_six_takes_what_is_left():
    g = sd.new_game(6, Rng(1), {})
    apply_all(g, *[CHARACTER + c for c in range(5)])
    assert asked(g)[0] == "Announce"
    assert sorted(hero.character for hero in g.heroes) == list(range(6))


def test_sd_1_3_all_56_cards_shuffled_and_everybody_at_the_entrance():
    piles = []
    for seed in range(2):
        g = sd.new_game(2, Rng(seed), {})
        apply_all(g, CHARACTER, CHARACTER + 1, rng=Rng(seed))
        piles.append(list(g.pile))
        assert len(g.pile) == 56
        assert [hero.square for hero in g.heroes] == [SQUARES["entrance"]] * 2
    assert piles[0] != piles[1]
    assert sorted(piles[0]) == sorted(piles[1])


def test_sd_1_3_every_card_of_the_box_is_on_the_table():
    for options in ({}, {"objects": "characters"}):
        g = sd.new_game(2, Rng(1), options)
        apply_all(g, CHARACTER, CHARACTER + 1)
        copies = {f"card {number}": card.copies for number, card in enumerate(SETS[0].cards)}
        assert census(g) == copies | {"cards": 56, "heroes": 2}


def test_sd_1_4_two_rings_one_after_the_other_and_only_the_inner_one_goes_round():
    course = position(0, 1).course
    assert course.whirlpool == SQUARES["whirlpool"] == course.castle - 1
    assert course.after(SQUARES["entrance"], 6) == 6
    assert course.after(SQUARES["windy-pass"], 2) == sd.NO_SQUARE
    assert course.after(SQUARES["arrow"], 1) == SQUARES["castle-of-shadows"]
    assert course.after(SQUARES["hourglass"], 3) == SQUARES["moat"]


def test_sd_8_1_only_the_objects_of_the_characters_in_play():
    g = sd.new_game(2, Rng(1), {"objects": "characters"})
    apply_all(g, CHARACTER + sd.THIEF, CHARACTER + sd.MAGICIAN)
    assert sorted(card for card in g.pile if card < OBJECTS) == [sd.CLOAK, sd.HAT]
    assert list(g.aside) == [sd.BOW, sd.STAFF, sd.CLUB, sd.SHIELD]
    assert len(g.pile) == 52
    usual = sd.new_game(2, Rng(1), {"objects": "all"})
    apply_all(usual, CHARACTER + sd.THIEF, CHARACTER + sd.MAGICIAN)
    assert len(usual.pile) == 56


def test_sd_10_1_everything_is_open_but_the_order_of_the_pile():
    g = position(*range(3))
    g.pile = vec[i64](range(20))
    g.heroes[2].cards = vec[i64]([CARDS["potion"], CARDS["bow"]])
    other = g.clone()
    other.determinize(0, Rng(3))
    assert list(other.pile) != list(g.pile)
    assert sorted(other.pile) == sorted(g.pile)
    for seat in (-1, 0, 1, 2):
        seen = view(g, seat)
        assert json.dumps(seen) == json.dumps(view(other, seat))
        assert seen["heroes"][2]["cards"] == [CARDS["potion"], CARDS["bow"]]
        assert seen["pile"] == 20
