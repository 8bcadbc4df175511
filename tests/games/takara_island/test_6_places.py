"""TI-6 Gambling den; TI-7 Counter."""

from __future__ import annotations

import pytest

from games.takara_island.table import asked, end_turn, ready, refusal, row
from helpers import apply_all
from veillee.games.takara_island import rules as ti
from veillee.games.takara_island.view import view

SECOND_VISIT = "You have already been at the Counter in this turn."


def test_ti_6_1_one_kara_for_each_adventurer():
    g = ready()
    apply_all(g, ti.DEN)
    assert (g.teams[0].karas, g.at[ti.DEN_PLACE]) == (1, 1)
    apply_all(g, ti.DEN)
    assert g.teams[0].karas == 2


@pytest.mark.parametrize(("action", "tile", "karas"), [(0, ti.XP_1, 5), (1, ti.XP_2_INJURY, 10), (2, ti.XP_4, 20)])
def test_ti_7_1_an_xp_tile_brings_5_karas_per_xp(action, tile, karas):
    g = ready()
    g.teams[0].won = row([ti.IDOL, tile])
    apply_all(g, ti.SELL + action)
    assert g.teams[0].karas == karas
    assert list(g.teams[0].won) == [ti.IDOL]
    assert g.discards[tile] == 1


def test_ti_7_1_no_stones_monsters_or_chest_tiles():
    g = ready()
    g.teams[0].won = row([ti.STONE, ti.GOBLIN_A, ti.GOBLIN_C, ti.SKELETON_B, ti.IDOL, ti.MAP, ti.MIMIC])
    g.teams[0].tokens = 3
    assert [g.explain(0, ti.SELL + n) for n in range(3)] == ["TI-7.1"] * 3


def test_ti_7_1_once_a_turn():
    g = ready()
    g.teams[0].won = row([ti.XP_1, ti.XP_1_INJURY])
    apply_all(g, ti.SELL)
    assert {refusal(g, action) for action in range(ti.SELL, ti.BUY + 1)} == {("TI-7.1", SECOND_VISIT)}
    end_turn(g)
    end_turn(g)
    apply_all(g, ti.NO_SWORD)
    assert g.explain(0, ti.SELL) == ""


def test_ti_7_1_once_a_turn_even_if_no_token_is_left():
    g = ready(karas=5)
    g.tokens = 1
    apply_all(g, ti.BUY)
    assert g.tokens == 0
    assert refusal(g, ti.BUY) == ("TI-7.1", SECOND_VISIT)


def test_ti_7_2_5_karas_for_one_token():
    g = ready(karas=5)
    apply_all(g, ti.BUY)
    assert (g.teams[0].karas, g.teams[0].tokens, g.tokens) == (0, 1, 5)
    assert g.score(0) == 2
    assert asked(g) == ("Act", (0,))


def test_ti_7_2_not_with_less():
    assert refusal(ready(karas=4), ti.BUY) == ("TI-7.2", "An XP token costs 5 Karas, you have 4.")


def test_ti_1_5_none_can_be_bought_from_an_empty_stock():
    g = ready(karas=50)
    g.tokens = 0
    assert refusal(g, ti.BUY) == ("TI-1.5", "No XP token is left.")


def test_the_board_is_told_what_everything_costs_and_brings():
    shown = view(ready(), 0)
    karas = shown["karas"]
    assert (karas["sword"], karas["token"], karas["recruit"], karas["den"]) == (3, 5, 5, 1)
    assert karas["sales"] == [{"xp": 1, "karas": 5}, {"xp": 2, "karas": 10}, {"xp": 4, "karas": 20}]
    assert karas["care"] == [0, 2, 4, 6]


def test_the_board_is_told_which_number_each_answer_has():
    g = ready()
    answers = view(g, 0)["answers"]
    for verb, numbers in answers.items():
        for number in numbers if isinstance(numbers, list) else [numbers]:
            assert g.choice(number)[0] == verb
    assert [g.choice(number)[1]["site"] for number in answers["work"]] == list(range(6))
    assert [g.choice(number)[1]["specialist"] for number in answers["hire"]] == list(range(4))
    assert [g.choice(number)[1]["above"] for number in answers["depth"]] == list(range(7))


def test_the_board_is_told_how_deep_a_site_is_dug_and_how_many_are_injured():
    g = ready()
    apply_all(g, ti.WORK + 1)
    g.teams[1].hurt, g.teams[1].rest = 1, 1
    shown = view(g, -1)
    assert [site["dug"] for site in shown["sites"]] == [0, 1, 0, 0, 0, 0]
    assert [team["injured"] for team in shown["teams"]] == [0, 2]
