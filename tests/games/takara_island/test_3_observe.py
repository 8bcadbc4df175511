"""TI-3 Observe."""

from __future__ import annotations

import pytest

import veillee
from games.takara_island.table import asked, end_turn, kinds, pile, ready, refusal
from helpers import apply_all
from veillee.games.takara_island import rules as ti
from veillee.games.takara_island import words
from veillee.games.takara_island.view import view
from veillee.words import Words

REST = [ti.KARAS_4] * 6
ENGLISH = Words("en", {})


def seen(g: ti.Takara, seat: int, site: int = 0) -> list[str | None]:
    """What the board shows the seat of a site, from the top downwards."""
    return [tile["tile"] for tile in view(g, seat)["sites"][site]["tiles"]]


def test_ti_3_1_three_tiles_one_by_one_each_with_a_question():
    g = ready()
    pile(g, 0, ti.KARAS_2, ti.XP_1, ti.XP_1_INJURY, *REST)
    apply_all(g, ti.OBSERVE)
    for looked in (1, 2, 3):
        assert asked(g) == ("Look", (0,))
        assert seen(g, 0)[: looked + 1] == ["karas-2", "xp-1", "xp-1-injury"][:looked] + [None]
        apply_all(g, ti.GO_ON)
    assert asked(g) == ("Act", (0,))
    assert g.teams[0].ready == 1
    assert list(g.sites[0].tiles) == [*REST, ti.XP_1_INJURY, ti.XP_1, ti.KARAS_2], "their order is unchanged"


def test_ti_3_6_tiles_left_are_without_those_that_the_seat_has_seen():
    g = ready()
    pile(g, 0, ti.XP_1_INJURY, ti.XP_1, ti.KARAS_2, *REST)
    before = view(g, 0)["unseen"]
    apply_all(g, ti.OBSERVE)
    (injured,) = (level for level, tiles in before.items() if "xp-1-injury" in tiles)
    assert view(g, 0)["unseen"][injured].get("xp-1-injury", 0) == before[injured]["xp-1-injury"] - 1
    assert view(g, 1)["unseen"] == view(g, -1)["unseen"] == before, "the others have not seen it"


def test_ti_3_1_fewer_tiles_where_there_are_fewer():
    g = ready()
    pile(g, 0, ti.STONE, ti.XP_4)
    log = apply_all(g, ti.OBSERVE, ti.GO_ON, ti.GO_ON)
    assert asked(g) == ("Act", (0,))
    assert (log.events[-1].kind, log.events[-1].looked) == (ti.OBSERVED_ALL, 2)


def test_ti_3_1_something_hidden_must_be_there_to_be_seen():
    g = ready()
    pile(g, 0)
    assert g.explain(0, ti.OBSERVE) == "TI-3.1"
    pile(g, 0, ti.BAT_A, ti.BAT_B, ti.GOBLIN_A, *REST, up=(0, 1, 2))
    g.sites[0].fresh = g.sites[0].up
    assert g.explain(0, ti.OBSERVE) == "TI-3.1"


def test_ti_3_1_one_goes_on_only_while_looking():
    why = "One goes on, or puts the tiles back, while looking at the tiles of a site."
    assert refusal(ready(), ti.GO_ON) == ("TI-3.1", why)


def test_ti_3_2_a_hidden_rockfall_stops_is_turned_up_in_place_and_gives_2_karas():
    g = ready()
    pile(g, 0, ti.KARAS_2, ti.ROCKFALL_1, ti.KARAS_2, *REST)
    apply_all(g, ti.OBSERVE)
    log = apply_all(g, ti.GO_ON)
    assert asked(g) == ("Act", (0,))
    assert g.teams[0].karas == 2
    assert kinds(log) == [ti.ROCKFALL_MET, ti.OBSERVED_ALL]
    assert log.reveals
    assert seen(g, 1)[:3] == [None, "rockfall-shallow", None], "everybody sees it, covered as it is"
    assert seen(g, 0)[2] is None, "the third tile was not looked at"


def test_ti_3_3_a_monster_may_be_turned_up_for_2_karas_and_the_look_goes_on():
    g = ready()
    pile(g, 0, ti.BAT_A, ti.BAT_B, ti.XP_1, *REST)
    apply_all(g, ti.OBSERVE, ti.TURN_UP)
    assert g.teams[0].karas == 2
    assert asked(g) == ("Look", (0,))
    assert seen(g, 1)[:2] == ["bat-a", None], "the choice comes before the next tile"
    apply_all(g, ti.GO_ON)
    assert seen(g, 0)[:3] == ["bat-a", "bat-b", "xp-1"]
    assert seen(g, 1)[:3] == ["bat-a", None, None]
    apply_all(g, ti.GO_ON)
    assert (g.teams[0].karas, asked(g)) == (2, ("Act", (0,)))


def test_ti_3_3_only_a_monster_may_be_turned_up():
    g = ready()
    apply_all(g, ti.OBSERVE)
    assert g.explain(0, ti.TURN_UP) == "TI-3.3"
    assert g.legal(0) == [ti.GO_ON], "asked all the same: a pause tells nothing"


def test_ti_3_3_only_during_an_observation():
    g = ready()
    pile(g, 0, ti.BAT_A, *REST)
    why = "A monster is revealed when it is seen during an observation."
    assert refusal(g, ti.TURN_UP) == ("TI-3.3", why)


def test_ti_3_4_never_below_a_tile_turned_up_in_an_earlier_turn():
    g = ready()
    pile(g, 0, ti.KARAS_2, ti.BAT_A, ti.XP_1, *REST, up=(1,))
    apply_all(g, ti.OBSERVE, ti.GO_ON)
    assert asked(g) == ("Act", (0,))
    assert seen(g, 0)[:3] == ["karas-2", "bat-a", None]


@pytest.mark.parametrize("tile", [ti.BAT_A, ti.ROCKFALL_1])
def test_ti_3_4_a_site_with_such_a_tile_on_top_cannot_be_observed(tile):
    g = ready()
    pile(g, 0, tile, ti.KARAS_2, ti.XP_1, *REST, up=(0,))
    assert g.explain(0, ti.OBSERVE) == "TI-3.4"


def test_ti_3_4_a_monster_of_this_turn_is_passed_and_counts():
    g = ready()
    pile(g, 0, ti.BAT_A, ti.KARAS_2, ti.XP_1, ti.KARAS_4, *REST[1:])
    apply_all(g, ti.WORK)  # dug up: the adventurer is injured, the bat lies face up
    log = apply_all(g, ti.OBSERVE, ti.GO_ON, ti.GO_ON)
    assert seen(g, 0)[:4] == ["bat-a", "karas-2", "xp-1", None]
    assert [e.looked for e in log.events if e.kind is ti.OBSERVED_ALL] == [2], "one of the three was face up already"
    assert g.teams[0].karas == 0, "no second reward for what lies face up"


def test_ti_3_4_in_the_next_turn_it_bars_the_way():
    g = ready()
    pile(g, 0, ti.BAT_A, ti.KARAS_2, ti.XP_1, *REST)
    apply_all(g, ti.OBSERVE, ti.TURN_UP, ti.GO_ON, ti.GO_ON)
    assert g.explain(0, ti.OBSERVE) == ""
    end_turn(g)
    assert g.explain(1, ti.OBSERVE) == "TI-3.4"


def test_ti_3_4_a_rockfall_of_this_turn_stops_without_a_second_reward():
    g = ready()
    pile(g, 0, ti.KARAS_2, ti.ROCKFALL_1, ti.XP_1, *REST)
    apply_all(g, ti.OBSERVE, ti.GO_ON)
    assert g.teams[0].karas == 2
    apply_all(g, ti.OBSERVE, ti.GO_ON)
    assert g.teams[0].karas == 2
    assert seen(g, 0)[:3] == ["karas-2", "rockfall-shallow", None]
    g = ready()
    pile(g, 0, ti.ROCKFALL_1, ti.KARAS_2, *REST)
    apply_all(g, ti.OBSERVE)
    assert g.explain(0, ti.OBSERVE) == "TI-3.4"


def test_ti_3_5_face_up_tiles_stay_so_while_covered():
    g = ready()
    pile(g, 0, ti.KARAS_2, ti.ROCKFALL_1, ti.XP_1, *REST)
    apply_all(g, ti.OBSERVE, ti.GO_ON)
    end_turn(g)
    assert seen(g, 1)[:2] == [None, "rockfall-shallow"]


def test_ti_3_5_the_others_see_the_site_and_at_the_end_how_many_tiles():
    g = ready(3)
    pile(g, 0, ti.KARAS_2, ti.XP_1, ti.XP_1_INJURY, *REST)
    log = apply_all(g, ti.OBSERVE)
    for seat in (-1, 1, 2):
        assert [(e.kind, e.site) for e in log.seen_by(seat)] == [(ti.OBSERVES, 0)]
        assert view(g, seat)["looking"] == {"seat": 0, "site": 0, "specialist": False, "tiles": None}
        assert seen(g, seat) == [None] * 9
    during = view(g, 1)
    log = apply_all(g, ti.GO_ON)
    assert view(g, 1) == during, "not even how far the look has come"
    assert log.seen_by(1) == []
    log = apply_all(g, ti.GO_ON, ti.GO_ON)
    assert [(e.kind, e.site, e.looked) for e in log.seen_by(1)] == [(ti.OBSERVED_ALL, 0, 3)]


def test_ti_3_5_the_question_tells_only_the_one_who_looks_what_is_seen():
    g = ready()
    pile(g, 0, ti.BAT_A, *REST)
    apply_all(g, ti.OBSERVE)
    assert "Bat" in words.question(g, 0, ENGLISH)[0]
    assert "Bat" not in words.question(g, 1, ENGLISH)[0]


def test_ti_3_6_everyones_own_notes():
    g = ready()
    pile(g, 0, ti.XP_1, ti.KARAS_2, ti.KARAS_2, *REST)
    apply_all(g, ti.OBSERVE, ti.GO_ON, ti.GO_ON, ti.GO_ON)
    end_turn(g)
    assert seen(g, 0)[:4] == ["xp-1", "karas-2", "karas-2", None]
    assert seen(g, 1) == [None] * 9


def test_ti_3_6_by_heart_the_board_shows_it_only_while_one_looks():
    g = ready()
    g.by_heart = 1
    pile(g, 0, ti.XP_1, ti.KARAS_2, ti.KARAS_2, *REST)
    log = apply_all(g, ti.OBSERVE, ti.GO_ON)
    assert seen(g, 0)[:3] == ["xp-1", "karas-2", None]
    apply_all(g, ti.GO_ON, ti.GO_ON)
    assert seen(g, 0) == [None] * 9
    lines = [words.event(e, ["A", "B"], ENGLISH) for e in log.seen_by(0)]
    assert not any("XP" in line for line in lines), "the log does not remember either"
    assert g.teams[0].seen[0] == 0b111 << 6, "the seat knows it all the same: bots remember"


def test_ti_3_6_the_option_of_the_table():
    assert veillee.new("takara-island", 2, seed=1, memory="by-heart").view(0)["memory"] == "by-heart"
    assert veillee.new("takara-island", 2, seed=1).view(0)["memory"] == "notebook"


def test_an_observation_can_be_taken_back_until_a_tile_is_seen():
    match = veillee.new("takara-island", 2, seed=5)
    seat = match.to_act[0]
    match.play(seat, ti.OBSERVE)
    assert not match.can_undo(seat), "a tile was seen"
