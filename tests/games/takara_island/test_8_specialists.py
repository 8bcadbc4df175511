"""TI-8 Hire a specialist."""

from __future__ import annotations

import pytest

import veillee
from games.takara_island.table import HOSPITAL_FACE, SWORD_FACE, asked, end_turn, pile, ready, refusal, row
from helpers import apply_all, loaded
from veillee.games.takara_island import BOX, words
from veillee.games.takara_island import rules as ti
from veillee.games.takara_island.view import view
from veillee.kernel.log import NO_SEAT

REST = [ti.KARAS_4] * 6
MINER, ARCHAEOLOGIST, DIVINER = ti.HIRE + ti.MINER, ti.HIRE + ti.ARCHAEOLOGIST, ti.HIRE + ti.DIVINER


def seen(g: ti.Takara, seat: int = 0, site: int = 0) -> list[str | None]:
    return [tile["tile"] for tile in view(g, seat)["sites"][site]["tiles"]]


@pytest.mark.parametrize(("action", "price"), [(MINER, 5), (ARCHAEOLOGIST, 2), (DIVINER, 3)])
def test_ti_8_1_pay_take_it_and_apply_its_skill_at_once(action, price):
    g = ready(karas=price)
    apply_all(g, action)
    assert g.teams[0].karas == 0
    assert g.holder[action - ti.HIRE] == 0
    assert g.at[ti.PORT_PLACE] == 1
    assert asked(g) == ("Target", (0,))
    assert ready(karas=price - 1).explain(0, action) == "TI-1.6"


def test_ti_8_1_only_with_no_specialist_in_front_of_you():
    g = ready(karas=20)
    apply_all(g, ARCHAEOLOGIST, ti.SITE, ti.GO_ON)
    assert [g.explain(0, a) for a in (MINER, ARCHAEOLOGIST, DIVINER)] == ["TI-8.1"] * 3
    end_turn(g)
    end_turn(g)
    apply_all(g, ti.NO_SWORD)
    assert g.explain(0, MINER) == "TI-8.1", "asleep, but still there"


def test_ti_8_1_only_if_the_skill_can_be_applied():
    g = ready(karas=20)
    for s in range(ti.SITES):
        pile(g, s, ti.BAT_A, up=(0,))
    assert [g.explain(0, a) for a in (MINER, ARCHAEOLOGIST, DIVINER)] == ["TI-8.1"] * 3
    pile(g, 3, ti.BAT_A, ti.XP_4, up=(0,))
    assert [g.explain(0, a) for a in (MINER, ARCHAEOLOGIST, DIVINER)] == ["TI-8.1", "", ""]


@pytest.mark.parametrize(("action", "sixth"), [(ARCHAEOLOGIST, "TI-8.1"), (DIVINER, "")])
def test_ti_8_1_only_where_a_face_down_tile_is_in_reach(action, sixth):
    g = ready(karas=3)
    pile(g, 0, *[ti.BAT_A] * 5, up=(0, 1, 2, 3, 4))
    pile(g, 1)
    pile(g, 2, *[ti.BAT_A] * 5, ti.STONE, up=(0, 1, 2, 3, 4))
    apply_all(g, action)
    assert refusal(g, ti.SITE) == ("TI-8.1", "All the tiles in reach there are face up already.")
    assert refusal(g, ti.SITE + 1) == ("TI-8.1", "This site is empty.")
    assert g.explain(0, ti.SITE + 2) == sixth


def test_ti_8_1_a_site_is_chosen_after_hiring_only():
    why = "A site is chosen for a specialist who has just been hired."
    assert {refusal(ready(karas=9), ti.SITE + s) for s in range(ti.SITES)} == {("TI-8.1", why)}


def test_ti_8_2_asleep_for_a_turn_then_back_at_the_port():
    g = ready(3, karas=20)
    apply_all(g, DIVINER, ti.SITE, ti.DEPTH, ti.GO_ON)
    assert view(g, 1)["specialists"][ti.DIVINER] == {
        "id": "diviner",
        "price": 3,
        "holder": 0,
        "asleep": False,
        "cost": 5,
    }
    end_turn(g)
    assert view(g, 1)["specialists"][ti.DIVINER]["asleep"]
    for _ in range(2):
        assert g.holder[ti.DIVINER] == 0
        end_turn(g)
    assert (g.active, g.holder[ti.DIVINER]) == (0, 0)
    end_turn(g)
    assert g.holder[ti.DIVINER] == NO_SEAT


def test_ti_8_2_nobody_can_hire_it_meanwhile():
    g = ready(3, karas=20)
    g.holder = row([1, NO_SEAT, NO_SEAT, 2])
    assert g.explain(0, MINER) == "TI-8.2", "nor copy it: the Imitator is not at the Port"
    assert g.explain(0, DIVINER) == ""


def mine(*tiles: int, up: tuple[int, ...] = (), faces: tuple[int, ...] = ()) -> ti.Takara:
    """Seat 0 sends the Miner into a site of these tiles, the top first, with a given die."""
    g = ready(karas=5)
    pile(g, 0, *tiles, up=up)
    g.chests = row([ti.IDOL, ti.TABLET, ti.MIMIC])
    apply_all(g, MINER, ti.SITE, rng=loaded(6, faces))
    return g


def test_ti_8_3_the_miner_digs_two_tiles_and_injuries_hurt_nobody():
    g = mine(ti.XP_1_INJURY, ti.XP_2, ti.XP_2, ti.KARAS_4)
    assert list(g.teams[0].won) == [ti.XP_1_INJURY, ti.XP_2]
    assert g.teams[0].hurt == 0
    assert len(g.sites[0].tiles) == 2


@pytest.mark.parametrize("up", [(), (0,)])
def test_ti_8_3_rockfalls_and_karas_are_destroyed_for_nothing(up):
    g = mine(ti.ROCKFALL_1, ti.KARAS_2, *REST, up=up)
    assert list(g.sites[0].tiles) == REST
    assert g.teams[0].karas == 0
    assert (g.discards[ti.ROCKFALL_1], g.discards[ti.KARAS_2]) == (1, 1)


def test_ti_8_3_a_stone_is_kept():
    g = mine(ti.STONE, ti.XP_4, ti.XP_4)
    assert list(g.teams[0].won) == [ti.STONE, ti.XP_4]
    assert g.stone_sites == 1


@pytest.mark.parametrize("up", [(), (1,)])
def test_ti_8_3_a_monster_ends_it_face_up_and_nobody_is_hurt(up):
    g = mine(ti.XP_1, ti.BAT_A, *REST, up=up)
    assert list(g.teams[0].won) == [ti.XP_1]
    assert g.sites[0].top_up() == ti.BAT_A
    assert g.teams[0].hurt == 0
    assert asked(g) == ("Act", (0,))
    g = mine(ti.BAT_A, ti.XP_1, *REST)
    assert list(g.teams[0].won) == []
    assert g.sites[0].top_up() == ti.BAT_A


def test_ti_8_3_a_chest_is_resolved_as_usual():
    g = ready(karas=5)
    pile(g, 0, ti.CHEST_2, ti.XP_2, *REST)
    g.chests = row([ti.IDOL, ti.MAP])
    apply_all(g, MINER, ti.SITE)
    assert asked(g) == ("ReadMap", (0,)), "the second tile waits until the first is resolved"
    assert len(g.sites[0].tiles) == 7
    apply_all(g, ti.KEEP_MAP)
    assert list(g.teams[0].won) == [ti.MAP, ti.XP_2]


def test_ti_8_3_a_mimic_is_fought_nobody_is_hurt_and_the_miner_goes_on():
    g = mine(ti.CHEST_2, ti.XP_2, *REST, faces=(SWORD_FACE, HOSPITAL_FACE, 0, 0))
    assert sorted(g.chests) == [ti.TABLET, ti.IDOL, ti.MIMIC]
    assert g.teams[0].hurt == 0
    assert g.at[ti.PORT_PLACE] == 1
    assert list(g.teams[0].won) == [ti.XP_2]


def test_ti_8_3_a_beaten_mimic_gives_another_chest_and_the_miner_goes_on():
    g = mine(ti.CHEST_2, ti.XP_2, *REST, faces=(SWORD_FACE, SWORD_FACE))
    assert list(g.teams[0].won) == [ti.MIMIC, ti.TABLET, ti.XP_2]


def test_ti_8_3_not_a_site_with_a_monster_on_top_nor_an_empty_one():
    g = ready(karas=5)
    pile(g, 0, ti.BAT_A, *REST, up=(0,))
    pile(g, 1)
    pile(g, 2, ti.ROCKFALL_1, *REST, up=(0,))
    apply_all(g, MINER)
    assert [g.explain(0, ti.SITE + s) for s in range(4)] == ["TI-8.3", "TI-8.3", "", ""]


def test_ti_8_3_a_site_of_one_tile_ends_the_dig():
    g = mine(ti.XP_4)
    assert list(g.teams[0].won) == [ti.XP_4]
    assert asked(g) == ("Act", (0,))


def test_ti_8_4_the_diviner_looks_at_three_tiles_at_any_depth():
    g = ready(karas=3)
    pile(g, 0, ti.BAT_A, ti.ROCKFALL_1, ti.XP_1, ti.ROCKFALL_2, ti.GOBLIN_A, ti.XP_2, ti.STONE, ti.DRAKE, ti.XP_4)
    apply_all(g, DIVINER, ti.SITE)
    assert asked(g) == ("Depth", (0,))
    assert g.legal(0) == [ti.DEPTH + n for n in range(7)]
    apply_all(g, ti.DEPTH + 3)
    assert asked(g) == ("Peek", (0,))
    assert seen(g) == [None] * 3 + ["rockfall-intermediate", "goblin-a", "xp-2"] + [None] * 3
    assert seen(g, 1) == [None] * 9
    assert g.legal(0) == [ti.GO_ON]
    assert g.explain(0, ti.TURN_UP) == "TI-8.4", "nothing is turned up"
    assert g.teams[0].karas == 0
    assert g.sites[0].up == 0
    apply_all(g, ti.GO_ON)
    assert asked(g) == ("Act", (0,))


def test_ti_8_4_face_up_tiles_count_among_the_three_and_stop_nothing():
    g = ready(karas=3)
    pile(g, 0, ti.BAT_A, ti.XP_1, ti.XP_1, ti.XP_2, *REST[:5], up=(0,))
    apply_all(g, DIVINER, ti.SITE, ti.DEPTH)
    assert seen(g)[:4] == ["bat-a", "xp-1", "xp-1", None]
    pile(g, 0, ti.BAT_A, ti.BAT_B, ti.GOBLIN_A, ti.XP_2, *REST[:5], up=(0, 1, 2))
    g.to_act = ()
    g.push(ti.Depth(0, 0))
    g.proceed(loaded(6, ()))
    assert refusal(g, ti.DEPTH) == ("TI-8.1", "All the tiles there are face up already.")
    assert g.explain(0, ti.DEPTH + 1) == ""


def test_ti_8_4_fewer_tiles_where_there_are_fewer():
    g = ready(karas=3)
    pile(g, 0, ti.XP_4, ti.STONE)
    apply_all(g, DIVINER, ti.SITE)
    assert asked(g) == ("Peek", (0,)), "there is no depth to choose"
    assert seen(g) == ["xp-4", "stone"]


def test_ti_8_4_a_depth_is_chosen_for_the_diviner_only_and_has_three_tiles_below():
    g = ready(karas=3)
    why = "A depth is chosen for the Diviner, once the site is."
    assert {refusal(g, ti.DEPTH + above) for above in range(7)} == {("TI-8.4", why)}
    pile(g, 0, *REST[:5])
    apply_all(g, DIVINER, ti.SITE)
    assert g.explain(0, ti.DEPTH + 2) == ""
    assert refusal(g, ti.DEPTH + 3) == ("TI-8.4", "The Diviner looks at three tiles: from there on there are fewer.")


@pytest.mark.parametrize(
    ("tiles", "line", "question", "label"),
    [
        (1, "looks at tile 1 of", "at the tile of site 1.", "Put the tile back"),
        (2, "looks at tiles 1 to 2 of", "at the tiles of site 1.", "Put the tiles back"),
    ],
)
def test_ti_8_4_one_tile_is_not_several(tiles, line, question, label):
    g = ready(karas=3)
    pile(g, 0, *[ti.XP_4] * tiles)
    log = apply_all(g, DIVINER, ti.SITE)
    (peeks,) = [e for e in log.events if e.kind is ti.PEEKS]
    english = BOX.words("en")
    assert words.event(peeks, ["Ana", "Bo"], english) == f"Ana {line} site 1."
    assert words.question(g, 0, english)[0].endswith(question)
    assert words.label(g, 0, ti.GO_ON, english) == label


def test_ti_8_5_the_archaeologist_looks_at_the_first_five():
    g = ready(karas=2)
    pile(g, 0, ti.ROCKFALL_1, ti.BAT_A, ti.XP_1, ti.XP_2, ti.GOBLIN_A, ti.XP_2, *REST[:3], up=(1,))
    apply_all(g, ARCHAEOLOGIST, ti.SITE)
    assert asked(g) == ("Peek", (0,))
    assert seen(g) == ["rockfall-shallow", "bat-a", "xp-1", "xp-2", "goblin-a", None, None, None, None]
    assert g.explain(0, ti.TURN_UP) == "TI-8.5"
    assert seen(g, 1)[:3] == [None, "bat-a", None]
    pile(g, 1, ti.XP_4, ti.STONE)
    g.to_act = ()
    g.push(ti.Target(0, ti.ARCHAEOLOGIST))
    g.proceed(loaded(6, ()))
    apply_all(g, ti.SITE + 1)
    assert seen(g, 0, 1) == ["xp-4", "stone"]


@pytest.mark.parametrize(("skill", "price"), [(ti.MINER, 7), (ti.ARCHAEOLOGIST, 4), (ti.DIVINER, 5)])
def test_ti_8_6_the_imitator_copies_what_another_player_has_for_2_karas_more(skill, price):
    g = ready(karas=price)
    g.holder[skill] = 1
    assert ready_with(skill, price - 1).explain(0, ti.HIRE + skill) == "TI-8.6"
    apply_all(g, ti.HIRE + skill)
    assert g.teams[0].karas == 0
    assert g.holder[ti.IMITATOR] == 0
    assert g.holder[skill] == 1
    assert asked(g) == ("Target", (0,))
    assert isinstance(g.question, ti.Target)
    assert g.question.skill == skill


def ready_with(skill: int, karas: int) -> ti.Takara:
    g = ready(karas=karas)
    g.holder[skill] = 1
    return g


def test_ti_8_6_a_specialist_at_the_port_is_hired_directly():
    g = ready(karas=9)
    apply_all(g, MINER)
    assert (g.holder[ti.MINER], g.holder[ti.IMITATOR], g.teams[0].karas) == (0, NO_SEAT, 4)


def test_ti_8_6_the_imitator_sleeps_and_leaves_like_the_others():
    g = ready_with(ti.ARCHAEOLOGIST, 4)
    apply_all(g, ARCHAEOLOGIST, ti.SITE, ti.GO_ON)
    g.teams[0].karas = 20
    assert g.explain(0, MINER) == "TI-8.1", "the Imitator is a specialist in front of you"
    end_turn(g)
    assert g.holder[ti.IMITATOR] == 0
    end_turn(g)
    end_turn(g)
    assert g.holder[ti.IMITATOR] == NO_SEAT


def test_ti_8_6_the_imitator_is_hired_by_saying_whom_it_copies():
    g = ready(karas=20)
    assert refusal(g, ti.IMITATE) == ("TI-8.6", "Nobody has a specialist that the Imitator could copy.")
    g.holder[ti.MINER] = 1
    why = "Say whom the Imitator copies: choose the specialist that another player has."
    assert refusal(g, ti.IMITATE) == ("TI-8.6", why)
    assert ti.IMITATE in g.question.options(g, 0), "the board shows it at the Port, and why not"
    g.holder[ti.IMITATOR] = 1
    assert refusal(g, ti.IMITATE) == ("TI-8.2", "The Imitator is with another player.")
    g.holder[ti.IMITATOR] = 0
    assert refusal(g, ti.IMITATE) == ("TI-8.1", "You already have a specialist in front of you.")


def test_ti_8_6_a_program_may_ask_about_the_imitator_too():
    match = veillee.new("takara-island", 2, seed=1)
    assert match.why_not(match.to_act[0], "hire", specialist=ti.IMITATOR) == "TI-8.6"
