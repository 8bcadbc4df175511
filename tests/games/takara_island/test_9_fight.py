"""TI-9 Fight; TI-11 Chests."""

from __future__ import annotations

import pytest

from games.takara_island.table import HOSPITAL_FACE, SWORD_FACE, asked, end_turn, pile, ready, refusal, row
from helpers import apply_all, loaded
from veillee.games.takara_island import rules as ti
from veillee.games.takara_island import words
from veillee.words import Words

REST = [ti.KARAS_4] * 6
ENGLISH = Words("en", {})


def facing(monster: int, sword: int = 1, karas: int = 0) -> ti.Takara:
    g = ready(karas=karas, sword=sword)
    pile(g, 0, monster, *REST, up=(0,))
    return g


def test_ti_9_1_only_with_the_sword():
    assert facing(ti.BAT_A, sword=0).explain(0, ti.WORK) == "TI-9.1"
    assert facing(ti.BAT_A).explain(0, ti.WORK) == ""


def test_ti_9_1_only_a_face_up_monster_on_top():
    g = ready(sword=1)
    pile(g, 0, ti.KARAS_2, ti.BAT_A, *REST, up=(1,))
    apply_all(g, ti.WORK)
    assert g.teams[0].karas == 2, "what lies on top is dug instead"
    assert list(g.teams[0].won) == []


@pytest.mark.parametrize(("face", "sword"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 0), (5, 0)])
def test_ti_9_2_four_sword_faces_and_two_hospital_faces(face, sword):
    g = facing(ti.BAT_A)
    apply_all(g, ti.WORK, rng=loaded(6, [face]))
    assert list(g.dice) == [sword]
    assert list(g.teams[0].won) == [ti.BAT_A] * sword
    assert g.teams[0].hurt == 1 - sword


def test_ti_9_2_roll_until_beaten():
    g = facing(ti.DRAKE)
    apply_all(g, ti.WORK, rng=loaded(6, [SWORD_FACE] * 4))
    assert list(g.teams[0].won) == [ti.DRAKE]
    assert g.at[0] == 1
    assert g.teams[0].hurt == 0


def test_ti_9_2_a_failed_attack_ends_the_action_and_another_may_go_on():
    g = facing(ti.DRAKE)
    log = apply_all(g, ti.WORK, rng=loaded(6, [SWORD_FACE, SWORD_FACE, HOSPITAL_FACE]))
    assert [e.sword for e in log.seen_by(-1) if e.kind is ti.DIE] == [1, 1, 0], "everybody sees the throws"
    assert (g.sites[0].wounds, g.teams[0].hurt, list(g.teams[0].won)) == (2, 1, [])
    assert asked(g) == ("Act", (0,))
    apply_all(g, ti.WORK, rng=loaded(6, [SWORD_FACE, SWORD_FACE]))
    assert list(g.teams[0].won) == [ti.DRAKE]


@pytest.mark.parametrize(
    ("monster", "lives", "karas"),
    [(ti.BAT_B, 1, 5), (ti.GOBLIN_A, 2, 10), (ti.SKELETON_B, 3, 15), (ti.DRAKE, 4, 20)],
)
def test_ti_9_3_the_tile_is_won_its_karas_at_once_its_xp_at_the_end(monster, lives, karas):
    g = facing(monster)
    apply_all(g, ti.WORK, rng=loaded(6, [SWORD_FACE] * lives))
    assert g.teams[0].karas == karas
    assert list(g.teams[0].won) == [monster]
    assert g.teams[0].experience() == ti.XP[monster]
    assert list(g.sites[0].tiles) == REST


def test_ti_9_4_wounds_stay_for_whoever_comes_next():
    g = facing(ti.GOBLIN_B, karas=3)
    apply_all(g, ti.WORK, rng=loaded(6, [SWORD_FACE, HOSPITAL_FACE]))
    end_turn(g)
    assert g.sites[0].wounds == 1
    apply_all(g, ti.RENT, ti.WORK, rng=loaded(6, [SWORD_FACE]))
    assert list(g.teams[1].won) == [ti.GOBLIN_B]
    assert g.sites[0].wounds == 0, "the next monster of the site is fresh"


def chest(*tiles: int, faces: tuple[int, ...] = (), sword: int = 0) -> ti.Takara:
    """Seat 0 digs a chest; the chest tiles come in this order."""
    g = ready(sword=sword)
    pile(g, 0, ti.CHEST_2, *REST)
    g.chests = row(reversed(tiles))
    apply_all(g, ti.WORK, rng=loaded(6, faces))
    return g


@pytest.mark.parametrize(("tile", "xp"), [(ti.TABLET, 8), (ti.IDOL, 4)])
def test_ti_11_1_tablet_and_idols_are_kept(tile, xp):
    g = chest(tile)
    assert list(g.teams[0].won) == [tile]
    assert g.score(0) == xp


def test_ti_11_1_the_gold_bag_gives_10_karas_and_is_discarded():
    g = chest(ti.GOLD_BAG)
    assert (g.teams[0].karas, list(g.teams[0].won), g.discards[ti.GOLD_BAG]) == (10, [], 1)


def test_ti_11_1_the_skull_gives_20_karas_and_costs_2_xp():
    g = chest(ti.SKULL)
    assert (g.teams[0].karas, list(g.teams[0].won)) == (20, [ti.SKULL])
    assert g.teams[0].experience() == -2


def test_ti_11_1_the_map_for_karas():
    g = chest(ti.MAP)
    assert asked(g) == ("ReadMap", (0,))
    apply_all(g, ti.TAKE_KARAS)
    assert (g.teams[0].karas, list(g.teams[0].won), g.discards[ti.MAP]) == (5, [], 1)


def test_ti_11_1_the_map_for_xp():
    g = chest(ti.MAP)
    apply_all(g, ti.KEEP_MAP)
    assert (g.teams[0].karas, list(g.teams[0].won), g.score(0)) == (0, [ti.MAP], 2)


@pytest.mark.parametrize("action", [ti.TAKE_KARAS, ti.KEEP_MAP])
def test_ti_11_1_a_map_is_read_when_it_is_found(action):
    g = ready()
    g.teams[0].won = row([ti.MAP])
    assert refusal(g, action) == ("TI-11.1", "The map is read when it comes out of a chest.")


def test_ti_11_2_a_beaten_mimic_is_kept_and_another_chest_drawn():
    g = chest(ti.MIMIC, ti.IDOL, ti.TABLET, faces=(SWORD_FACE, SWORD_FACE))
    assert list(g.teams[0].won) == [ti.MIMIC, ti.IDOL]
    assert g.score(0) == 6
    assert g.teams[0].hurt == 0
    assert list(g.chests) == [ti.TABLET]


@pytest.mark.parametrize("sword", [0, 1])
@pytest.mark.parametrize("faces", [(HOSPITAL_FACE,), (SWORD_FACE, HOSPITAL_FACE)])
def test_ti_11_2_any_hospital_face_shuffles_it_back_and_injures_sword_or_not(faces, sword):
    g = chest(ti.MIMIC, ti.IDOL, ti.TABLET, faces=(*faces, 0, 0), sword=sword)  # the shuffle draws twice
    assert sorted(g.chests) == [ti.TABLET, ti.IDOL, ti.MIMIC]
    assert (list(g.teams[0].won), g.teams[0].hurt, g.at[0]) == ([], 1, 0)
    assert g.chests[-1] != ti.MIMIC, "shuffled, not just put back on top"


@pytest.mark.parametrize("faces", [[HOSPITAL_FACE], [SWORD_FACE, HOSPITAL_FACE]])
def test_ti_11_2_in_the_other_reading_it_leaves_the_game_and_nobody_is_hurt(faces):
    g = ready()
    g.readings = ti.MIMIC_REMOVED
    pile(g, 2, ti.CHEST_2, ti.KARAS_4)
    g.chests = row([ti.IDOL, ti.MIMIC])
    log = apply_all(g, ti.WORK + 2, rng=loaded(6, faces))
    assert (list(g.chests), g.discards[ti.MIMIC], g.teams[0].hurt) == ([ti.IDOL], 1, 0)
    (gone,) = [e for e in log.seen_by(-1) if e.kind is ti.MIMIC_GONE]
    assert words.event(gone, ["A", "B"], ENGLISH) == "The Mimic leaves the game, and nobody is hurt."
    g = ready()
    g.readings = ti.MIMIC_REMOVED
    pile(g, 2, ti.CHEST_2, ti.KARAS_4)
    g.chests = row([ti.IDOL, ti.MIMIC])
    apply_all(g, ti.WORK + 2, rng=loaded(6, [SWORD_FACE, SWORD_FACE]))
    assert list(g.teams[0].won) == [ti.MIMIC, ti.IDOL]


@pytest.mark.parametrize(("answers", "place"), [([ti.WORK + 2], 2), ([ti.HIRE + ti.MINER, ti.SITE + 2], ti.PORT_PLACE)])
def test_ti_11_2_the_log_tells_where_the_chest_was_opened_and_whether_somebody_was_hurt(answers, place):
    g = ready(karas=5)
    pile(g, 2, ti.CHEST_2, ti.KARAS_4)
    g.chests = row([ti.IDOL, ti.MIMIC])
    log = apply_all(g, *answers, rng=loaded(6, [HOSPITAL_FACE, 0]))
    assert [(e.tile, e.place) for e in log.seen_by(-1) if e.kind is ti.OPENED] == [(ti.MIMIC, place)]
    (back,) = [e for e in log.seen_by(-1) if e.kind is ti.MIMIC_BACK]
    assert back.place == place
    assert ("is injured" in words.event(back, ["A", "B"], ENGLISH)) == bool(g.teams[0].hurt) == (place == 2)


def test_ti_11_2_a_mimic_that_gives_a_map_asks_the_map():
    g = chest(ti.MIMIC, ti.MAP, faces=(SWORD_FACE, SWORD_FACE))
    assert asked(g) == ("ReadMap", (0,))
