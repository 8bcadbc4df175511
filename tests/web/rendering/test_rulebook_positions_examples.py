"""The rulebooks' printed examples are drawn beside their rules, and the rules do in these positions what is said there."""

from __future__ import annotations

import pytest

from helpers import apply_all
from veillee.games.catalogue import BOXES
from veillee.games.paper_tales import rules as pt
from veillee.games.sourire_du_dragon import rules as sd
from veillee.games.sourire_du_dragon.content import SETS
from veillee.games.takara_island import rules as ti
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import CONTENTS
from veillee.games.tales_of_glory.rules.table import TalesOfGlory
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.web.rendering.rulebook_positions import match_of, render_position
from veillee.words import LANGUAGES

IDS = [tile.id for tile in CONTENTS[0].tiles]
PICTURES = [
    (box.id, file.stem) for box in BOXES.values() for file in (box.folder / "rulebook/positions").glob("*.toml")
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("game", "name"), PICTURES)
def test_every_example_is_drawn(game, name, lang):
    assert all("<" in part for part in render_position(BOXES[game], name, lang).values())


def glory(name: str) -> TalesOfGlory:
    return match_of(BOXES["tales-of-glory"], name).state.clone()


def cell(x: int, y: int) -> int:
    return tg.PUT + tg.HOME + tg.SPAN * y + x


def chest(id_: str, which: int = 0) -> int:
    return tg.OPEN + 2 * IDS.index(id_) + which


def test_tg_2_3_catching_up():
    g = glory("catch-up")
    assert [a.slot for a in g.adventurers] == [2, -1, 3, -1]
    assert g.legal(1) == [tg.TAKE + slot - 1 for slot in (1, 2, 5, 6, 7, 8)]
    apply_all(g, tg.TAKE + 1)
    assert g.to_act == (3,)
    apply_all(g, tg.TAKE + 6)
    assert [a.slot for a in g.adventurers] == [2, 1, 3, 6]


def test_tg_2_4_the_token():
    g = glory("token")
    assert ([a.slot + 1 for a in g.adventurers], g.first) == ([1, 8, 5, 3], 3)


def test_tg_3_1_3_the_payment():
    g = glory("payment")
    a = g.adventurers[0]
    before = (a.coins, a.potions)
    apply_all(g, tg.PLAY + tg.A_POTION)
    assert (before[0] - a.coins, before[1] - a.potions) == (1, 2)


def test_tg_3_2_3_the_placement():
    g = glory("placement")
    apply_all(g, tg.PLAY)  # the Copper Ring is paid for, and to be placed
    assert g.explain(0, cell(1, -1)) == "TG-3.2.3"
    assert g.explain(0, cell(1, 0)) == "TG-3.2.2"
    zone = g.adventurers[0].zone()
    left, right = zone[tg.HOME - tg.SPAN - 1], zone[tg.HOME - tg.SPAN]
    assert [IDS[left], IDS[right]] == ["scout", "locksmith"]
    assert (g.tiles.sides[left] >> 1) & 1 == (g.tiles.sides[right] >> 3) & 1 == 0  # bare sides that touch


def test_tg_3_3_3_the_place():
    zone = glory("place").adventurers[0].zone()
    g = glory("place")
    a = g.adventurers[0] = tg.new_adventurer(IDS.index("shaman"))
    a.settle(g.tiles, a.hero, tg.HOME)
    gained = {}
    for place, tile in list(zone.items())[1:]:
        g.agenda = []
        g.to_act = ()
        g.log = log = Log()
        tg.place(g, 0, tile, place)
        g.proceed(Rng(0))
        gained[IDS[tile]] = [e for e in log.events if e.kind is tg.GAINED and e.rule == "TG-3.3.3"]
    assert {id_: len(events) for id_, events in gained.items()} == {
        "wolves": 0,
        "relic-market": 1,  # the Monster was there: any neighbour will do
        "crystal-ball": 1,  # a Treasure, as is wanted
        "scout": 0,  # a Character where a Treasure is wanted
    }
    market = IDS.index("relic-market")
    assert [g.tiles.conditions[market * tg.SIDES + side] for side in (0, 1, 3)] == [
        tg.TREASURE,
        tg.TREASURE,
        tg.NO_TYPE,
    ]


def test_tg_3_4_2_the_key():
    g = glory("key")
    assert set(g.legal(0)) == {chest("well-ghost"), chest("rune-sword"), chest("shaman"), chest("shaman", 1)}
    assert g.explain(0, chest("squire")) == "TG-3.4.2"


def test_tg_4_2_the_next_round():
    g = glory("next-round")
    left = [tile for tile in g.slots if tile != tg.NO_TILE]
    assert [slot + 1 for slot, tile in enumerate(g.slots) if tile != tg.NO_TILE] == [2, 4, 6, 7]
    g.agenda = [tg.NextRound(0)]
    g.to_act = ()
    g.proceed(Rng(0))
    assert list(g.slots)[:3] == left[1:]
    assert left[0] in g.discards
    assert all(tile != tg.NO_TILE for tile in g.slots)


def test_ti_5_1_four_visible_rockfalls():
    g = match_of(BOXES["takara-island"], "rockfalls").state.clone()
    (seat,) = g.to_act
    before = g.teams[seat].karas
    apply_all(g, ti.WORK)
    assert (g.teams[seat].karas - before, g.visible_rockfalls()) == (8, 3)


@pytest.mark.parametrize(("die", "passed"), [(3, False), (4, True), (5, True), (6, True)])
def test_sd_3_1_the_river(die, passed):
    g = match_of(BOXES["sourire-du-dragon"], "river").state.clone()
    square = next(n for n, one in enumerate(SETS[0].squares) if one.key == "river")
    assert (g.heroes[0].square, g.heroes[0].blocked, g.heroes[0].has_cards()) == (square, True, False)
    assert (die >= g.course.numbers[square]) is passed


def test_sd_4_1_the_cavalier_with_the_rangers_bow():
    g = match_of(BOXES["sourire-du-dragon"], "river").state.clone()
    assert (g.heroes[1].character, list(g.heroes[1].cards)) == (sd.CAVALIER, [sd.BOW])
    assert 0 < g.bonus(1, True, False) < g.course.combat_owner[sd.BOW]


def test_pt_2_3_2_the_war_of_the_first_turn():
    g = match_of(BOXES["paper-tales"], "war").state
    assert [(realm.strength, realm.wars) for realm in g.realms] == [(6, 1), (5, 0), (7, 2)]
    assert [pt.WAR_WON * realm.wars for realm in g.realms] == [3, 0, 6]
