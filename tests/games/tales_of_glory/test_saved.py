"""A position as it is written down: what earlier versions have saved is read."""

from __future__ import annotations

import json

import pytest

from games.tales_of_glory.table import BARE_HERO, cell, has, holds, lay, number, position
from veillee.games.tales_of_glory import BOX
from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.chance import Rng

NEEDS = {(0, 1): 1, (1, 0): 8, (0, -1): 4}  # the hero's connectors, from below, from the right, from above
BARS = {(-1, -1): 4 << tg.BAR, (-1, 1): 1 << tg.BAR, (-2, 0): 2 << tg.BAR}  # the bare sides of the purse


def test_an_adventurer_is_written_by_name_the_banner_as_one_row_each_cell_with_what_is_there():
    g = position(2, purse={"right": "open"})
    has(g, 0, coins=1, potions=2, prestige=3, combat=4, magic=5)
    lay(g, 0, "purse", -1, 0)
    holds(g, 0, "vials", slot=3, quests=("quest-grail",))
    a = g.dump()["adventurers"][0]
    assert a["has"] == [1, 2, 3, 4, 5]
    assert a["types"] == [1, 0, 0, 1, 0]
    assert a["ground"] == [[tg.HOME, tg.FIRST_HERO], [cell(-1, 0), number(g, "purse")]]
    assert {tuple(entry) for entry in a["rim"]} == {(cell(*at), asked) for at, asked in (NEEDS | BARS).items()}
    assert (a["hero"], a["slot"], a["taken"]) == (tg.FIRST_HERO, 2, number(g, "vials"))
    assert (a["shut"], a["open"]) == ([2 * tg.FIRST_HERO, 2 * tg.FIRST_HERO + 1], [])
    assert (a["hand"], a["dropped"], a["selected"], a["majorities"]) == ([number(g, "quest-grail")], -1, -1, 0)


def test_steps_at_the_same_time_are_written_seat_by_seat():
    g = position(3, options={"play": "together"}, seed=2, paladin=BARE_HERO)
    for seat in range(3):
        g.apply(seat, tg.SELECT + seat, Rng(0))
    g.apply(1, tg.DISCARD, Rng(0))
    written = g.dump()
    assert written["threads"] == [[["PlayTile", 0]], [["LastQuests", 1], ["AnyKey", 1]], [["PlayTile", 2]]]
    assert (written["together"], written["with_quests"], written["ending"]) == (True, False, False)


@pytest.mark.parametrize("play", ["in-turn", "together"])
def test_what_is_read_is_played_on_as_what_was_written(play):
    rng = Rng(7)
    g = BOX.new(4, rng, {"quests": "yes", "play": play}, None)
    for _ in range(60):
        g.apply(g.to_act[0], BOX.advisor.first_idea(g, g.to_act[0], rng), rng)
    again = BOX.load(json.loads(json.dumps(g.dump())))
    one, two = Rng(8), Rng(8)
    while g.to_act:
        seat = g.to_act[-1]
        assert again.dump() == g.dump()
        legal = g.legal(seat)
        assert again.legal(seat) == legal
        g.apply(seat, legal[-1], one)
        again.apply(seat, legal[-1], two)
    assert again.dump() == g.dump()
