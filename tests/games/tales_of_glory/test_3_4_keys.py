"""TG-3.4 Keys and chests."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.tales_of_glory.table import SIDES, asked, chest, has, lay, opened, placed, position, resources
from helpers import apply_all
from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log

KEYS = dict.fromkeys(("top", "right", "bottom", "left"), "key")


def test_tg_3_4_1_a_key_opens_one_closed_chest_once():
    g = position(bard={"top": "open", "gain": "1 key"}, squire={"bottom": "open", "gain": "1 key"})
    placed(g, 0, "bard", 0, 1)
    apply_all(g, chest(g, "paladin", 1))
    assert (resources(g), opened(g)) == ({"coins": 1}, [("paladin", 1)])
    placed(g, 0, "squire", 0, -1)  # one chest left: no question
    assert asked(g)[0] == ""
    assert (resources(g), opened(g)) == ({"coins": 1, "prestige": 1}, [("paladin", 1), ("paladin", 0)])


def test_tg_3_4_1_the_key_counts_when_the_content_is_gained():
    g = position(
        paladin={**SIDES, "chests": ["1 prestige per key", "2 potions per closed chest"]},
        bard={"top": "open", "gain": "1 key"},
    )
    placed(g, 0, "bard", 0, 1)
    other = g.clone()
    apply_all(g, chest(g, "paladin"))
    assert resources(g) == {"prestige": 1}
    apply_all(other, chest(g, "paladin", 1))
    assert resources(other) == {"potions": 2}  # its own chest is no longer closed


def test_tg_3_4_1_a_key_that_cannot_be_placed_is_lost():
    g = position(bard={"top": "open", "gain": "1 key, 1 coin"})
    g.adventurers[0].open = g.adventurers[0].shut
    g.adventurers[0].shut = vec[i64]()
    g.log = log = Log()
    g.agenda, g.to_act = [], ()
    tg.place(g, 0, 15, tg.HOME + tg.SPAN)
    g.proceed(Rng(0))
    assert tg.KEY_LOST in [e.kind for e in log.events]
    assert resources(g) == {"coins": 1}
    assert len(g.adventurers[0].open) == 2


def test_tg_3_4_1_a_key_is_never_refused():
    g = position(bard={"top": "open", "gain": "1 key"})
    placed(g, 0, "bard", 0, 1)
    assert all(action >= tg.OPEN for action in g.question.options(g, 0))


def test_tg_3_4_2_the_rulebooks_example():
    """A Monster beside a Treasure: a chest of either, or of the hero, and no other."""
    g = position(
        purse={**KEYS, "chests": ["1 prestige"]},
        wolves={"left": "key", "chests": ["2 prestige"]},
        vials={**SIDES, "chests": ["3 prestige"]},
    )
    lay(g, 0, "purse", 1, 0)
    lay(g, 0, "vials", -1, 0)
    placed(g, 0, "wolves", 2, 0)
    assert asked(g) == ("ConnectionKey", (0,))
    assert set(g.legal(0)) == {chest(g, "purse"), chest(g, "wolves"), chest(g, "paladin"), chest(g, "paladin", 1)}
    assert g.explain(0, chest(g, "vials")) == "TG-3.4.2"


def test_tg_3_4_2_a_connection_with_the_hero_itself():
    g = position(paladin={**KEYS, "chests": ["1 prestige", "1 coin"]}, purse={"top": "key", "chests": ["2 coins"]})
    placed(g, 0, "purse", 0, 1)
    assert sorted(g.legal(0)) == [chest(g, "purse"), chest(g, "paladin"), chest(g, "paladin", 1)]


def test_tg_3_4_3_a_key_from_a_gain_opens_any_chest_of_the_zone():
    g = position(bard={"top": "open", "gain": "1 key"}, vials={**SIDES, "chests": ["3 prestige"]})
    lay(g, 0, "vials", 3, 3)
    lay(g, 1, "purse", 1, 0)
    placed(g, 0, "bard", 0, 1)
    assert set(g.legal(0)) == {chest(g, "vials"), chest(g, "paladin"), chest(g, "paladin", 1)}


def test_tg_3_4_3_a_chain_of_chests():
    g = position(
        paladin={**SIDES, "chests": ["1 key", "1 combat, 1 key"]},
        bard={"top": "open", "gain": "1 key, 1 potion", "chests": ["5 prestige"]},
    )
    has(g, 0, coins=1)
    placed(g, 0, "bard", 0, 1)
    apply_all(g, chest(g, "paladin"), chest(g, "paladin", 1))
    assert opened(g) == [("paladin", 0), ("paladin", 1), ("bard", 0)]
    assert resources(g) == {"coins": 1, "combat": 1, "prestige": 5, "potions": 1}
