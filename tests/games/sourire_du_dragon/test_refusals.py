"""What can be pointed at and not chosen now is refused by its rule, with a sentence: each where it can happen."""

from __future__ import annotations

import json

import pytest

import veillee
from games.sourire_du_dragon.table import CARDS, asked, card, draws, play, position, put
from veillee.conformance.beside import golden_of
from veillee.games.sourire_du_dragon import BOX, words
from veillee.games.sourire_du_dragon import rules as sd
from veillee.games.sourire_du_dragon.content import SETS

HELP = ("potion", "potion", "clover")  # enough for whatever comes below
HELD = "You do not have this card."


def refused(g: sd.SourireDuDragon, seat: int, action: int, lang: str = "en") -> tuple[str, str]:
    """The rule and what it says."""
    rule = g.explain(seat, action)
    assert action not in g.legal(seat)
    return rule, words.why(g, seat, action, rule, BOX.words(lang))


def adventure(*cards: str, character: int = sd.RANGER, **options: str) -> sd.SourireDuDragon:
    """Seat 0 fails at the River with a 1; seat 1 is elsewhere and holds the Cloak."""
    g = position(character, sd.THIEF, **options)
    put(g, 0, "river", *HELP, *cards, blocked=True)
    put(g, 1, "meadow", "cloak")
    play(g, sd.HIGH_MOVES, dice=(1, 1, 1))
    assert asked(g) == ("Attempt", (0,))
    return g


def fight(*cards: str, character: int = sd.RANGER, walk: int = sd.GO, **options: str) -> sd.SourireDuDragon:
    """Seat 0 fails against the giant, in the tunnel."""
    g = position(character, sd.THIEF, **options)
    put(g, 0, "entrance", *HELP, *cards)
    put(g, 1, "meadow", "cloak")
    draws(g, "giant")
    play(g, sd.HIGH_MOVES, dice=(2, 2, 1) if walk == sd.GO else (1, 1, 1))
    if isinstance(g.question, sd.Stride):
        play(g, walk)
    assert asked(g) == ("Attempt", (0,))
    return g


def brawl(*cards: str, character: int = sd.RANGER, **options: str) -> sd.SourireDuDragon:
    """Seat 0 has a 1 against 4 in a brawl with seat 1."""
    g = position(character, sd.THIEF, **options)
    put(g, 0, "entrance", *HELP, *cards)
    put(g, 1, "platform", "bow" if "bow" not in cards else "club")
    play(g, sd.HIGH_MOVES, dice=(1, 1, 1))
    if isinstance(g.question, sd.Stride):
        play(g, sd.GO)
    play(g, sd.ATTACK + 1, dice=(3,))
    assert asked(g) == ("Fray", (0,))
    return g


# -- SD-4.1 ---------------------------------------------------------------------------------------------------
def fight_on_a_6(version: int = BOX.version) -> sd.SourireDuDragon:
    """6 against Tiamat's 8: the potion could do it."""
    g = position(sd.RANGER, sd.THIEF)
    g.version = version
    put(g, 0, "entrance", "potion", "clover")
    draws(g, "tiamat")
    play(g, sd.LOW_MOVES, dice=(2, 6, 6))
    return g


def brawl_on_a_6(version: int = BOX.version) -> sd.SourireDuDragon:
    """Seat 1 has 6 against 6 + 1: the potion could do it."""
    g = position(sd.RANGER, sd.THIEF)
    g.version = version
    put(g, 0, "entrance", "shield")
    put(g, 1, "platform", "potion", "clover")
    play(g, sd.LOW_MOVES, dice=(1, 6, 6))
    play(g, sd.ATTACK + 1, dice=(6,))
    return g


@pytest.mark.parametrize(("on_a_6", "seat"), [(fight_on_a_6, 0), (brawl_on_a_6, 1)])
def test_sd_4_1_a_clover_is_not_offered_on_a_6(on_a_6, seat):
    g = on_a_6()
    assert g.legal(seat) == [sd.PASS, card("potion")]
    said = "Your die shows a 6 already: a new one cannot be better."
    assert refused(g, seat, card("clover")) == ("SD-4.1", said)


@pytest.mark.parametrize(("on_a_6", "seat"), [(fight_on_a_6, 0), (brawl_on_a_6, 1)])
def test_sd_4_1_by_the_rules_of_version_1_it_was(on_a_6, seat):
    assert card("clover") in on_a_6(version=1).legal(seat)


def test_sd_4_1_a_clover_is_offered_on_a_5():
    g = position(sd.RANGER, sd.THIEF)
    put(g, 0, "entrance", "potion", "clover")
    draws(g, "tiamat")
    play(g, sd.LOW_MOVES, dice=(2, 5, 5))
    assert g.legal(0) == [sd.PASS, card("potion"), card("clover")]


def test_sd_4_1_games_of_version_1_throw_clovers_away_on_a_6():
    """The records of it come through the lines that changed: by the present rules they cannot be played."""
    records = [path for path in golden_of(BOX) if "clover-on-a-6" in path.stem]
    assert len(records) == 2
    for path in records:
        written = json.loads(path.read_text(encoding="utf-8"))
        assert veillee.verify(written).holds
        with pytest.raises(veillee.BadSave, match="cannot be given"):
            veillee.verify({**written, "version": BOX.version})


@pytest.mark.parametrize("called", [adventure, fight, brawl])
@pytest.mark.parametrize(
    ("name", "rule", "sentence"),
    [
        ("staff", "SD-4.1", HELD),
        ("club", "SD-4.1", HELD),
        ("uni", "SD-4.3", HELD),
        ("boots", "SD-4.3", HELD),
        ("dungeon-master", "SD-4.3", HELD),
        ("frog", "SD-4.3", "This event happens when it is drawn: it is not kept for later."),
        ("giant", "SD-4.2", "A monster helps nobody: it attacks when it is drawn."),
    ],
)
def test_sd_4_1_what_a_player_does_not_hold_is_no_help(called, name, rule, sentence):
    assert refused(called(), 0, card(name)) == (rule, sentence)


# -- SD-4.3, SD-9.1 ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("called", [fight, brawl])
def test_sd_4_3_the_dungeon_master_does_not_fight(called):
    said = "The Dungeon Master gets you through an adventure, not through a fight."
    assert refused(called("dungeon-master"), 0, card("dungeon-master")) == ("SD-4.3", said)


@pytest.mark.parametrize("called", [adventure, fight, brawl])
def test_sd_4_3_the_boots_are_for_moving(called):
    g = called("boots")
    told = ("SD-4.3", "The boots are for moving, not for a test or a fight.")
    assert refused(g, 0, card("boots")) == told
    assert refused(g, 0, sd.STEP_OUT) == refused(g, 0, sd.STEP_OUT + 5) == told


def test_sd_4_3_without_boots_or_uni_one_does_not_walk_in_a_test_either():
    g = adventure()
    told = ("SD-2.2", "One moves after the dice, once nothing blocks the way.")
    for action in (sd.GO, sd.GO_WITH_UNI, sd.STEP_OUT):
        assert refused(g, 0, action) == told


@pytest.mark.parametrize(
    ("called", "walk", "sentence"),
    [
        (adventure, {}, "Uni helps to move and against monsters, not in an adventure."),
        (brawl, {}, "Uni never helps in a brawl."),
        (fight, {}, "Uni the unicorn: that is counted in your total already."),
        (fight, {"walk": sd.GO_WITH_UNI}, "Uni has carried you further this turn: she does not fight as well."),
    ],
)
def test_sd_9_1_uni_in_an_adventure_a_brawl_and_a_fight(called, walk, sentence):
    g = called("uni", **walk)
    assert refused(g, 0, card("uni")) == refused(g, 0, sd.GO_WITH_UNI) == ("SD-9.1", sentence)


# -- SD-5 The objects -------------------------------------------------------------------------------------------
COUNTED = "{}: that is counted in your total already."
COMBAT = "{}: it helps in combat, not in an adventure."
ADVENTURES = "{}: it helps in an adventure, not in combat."


@pytest.mark.parametrize(
    ("rule", "name", "in_adventures", "in_combat"),
    [
        ("SD-5.1", "bow", COMBAT, COUNTED),
        ("SD-5.2", "staff", COUNTED, COUNTED),
        ("SD-5.3", "cloak", COUNTED, ADVENTURES),
        ("SD-5.4", "club", COUNTED, COUNTED),
        ("SD-5.5", "shield", COMBAT, COUNTED),
    ],
)
def test_sd_5_1_to_5_5_an_object_counts_by_itself_or_not_here(rule, name, in_adventures, in_combat):
    title = SETS[0].cards[CARDS[name]].name["en"]
    assert refused(adventure(name), 0, card(name)) == (rule, in_adventures.format(title))
    assert refused(fight(name), 0, card(name)) == (rule, in_combat.format(title))
    assert refused(brawl(name), 0, card(name)) == (rule, in_combat.format(title))


def test_sd_5_1_the_bow_in_an_adventure_in_french():
    said = "Arc\u00a0: cela aide en combat, pas dans une aventure."
    assert refused(adventure("bow"), 0, card("bow"), "fr") == ("SD-5.1", said)


@pytest.mark.parametrize("called", [adventure, fight, brawl])
def test_sd_5_6_the_hat_is_rolled_once(called):
    g = called("hat", character=sd.MAGICIAN, hat="gentle")
    assert sd.USE_HAT in g.legal(0)
    assert refused(g, 0, card("hat")) == ("SD-5.6", "The Hat helps by its magic die only.")
    play(g, sd.USE_HAT, dice=(3,))
    told = ("SD-5.6", "The Hat's magic die is rolled once in each test or fight.")
    assert refused(g, 0, sd.USE_HAT) == refused(g, 0, card("hat")) == told


@pytest.mark.parametrize("called", [adventure, fight, brawl])
@pytest.mark.parametrize("cards", [(), ("hat",)])
def test_sd_5_6_the_hat_in_other_hands(called, cards):
    g = called(*cards)
    if not cards:
        put(g, 1, "meadow", "hat")
    said = "Only the Magician can roll the magic die of the Hat." if cards else "You do not have the Hat."
    assert refused(g, 0, sd.USE_HAT) == refused(g, 0, card("hat")) == ("SD-5.6", said)


def test_sd_5_6_the_hat_has_its_moment():
    g = position(sd.MAGICIAN, sd.THIEF)
    put(g, 0, "entrance", "hat")
    said = "The Magician rolls for the Hat before every test and fight: there is nothing to decide."
    assert refused(g, 0, sd.USE_HAT) == ("SD-5.6", said)
    g = position(sd.MAGICIAN, sd.THIEF, hat="gentle")
    put(g, 0, "entrance", "hat")
    said = "The Magician rolls for the Hat in a test or a fight that is not won yet, once."
    assert refused(g, 0, sd.USE_HAT) == ("SD-5.6", said)


# -- SD-6, SD-7 ---------------------------------------------------------------------------------------------------
def meeting() -> sd.SourireDuDragon:
    """Seat 0 with a potion and seat 1 with the Bow on one square; seat 2 has the Cloak, elsewhere."""
    g = position(sd.RANGER, sd.ACROBAT, sd.THIEF)
    put(g, 0, "entrance", "potion")
    put(g, 1, "platform", "bow")
    put(g, 2, "meadow", "cloak")
    play(g, sd.HIGH_MOVES, dice=(1, 1, 1))
    return g


@pytest.mark.parametrize("name", ["bow", "cloak", "giant", "uni"])
def test_sd_7_1_nobody_gives_a_card_not_held(name):
    g = meeting()
    play(g, sd.OFFER + 1)
    assert asked(g) == ("OfferWhat", (0,))
    assert refused(g, 0, card(name)) == ("SD-7.1", HELD)


@pytest.mark.parametrize("name", ["potion", "cloak", "giant", "uni"])
def test_sd_7_1_nobody_wants_a_card_that_the_other_does_not_hold(name):
    g = meeting()
    play(g, sd.OFFER + 1, card("potion"))
    assert asked(g) == ("OfferFor", (0,))
    assert refused(g, 0, card(name)) == ("SD-7.1", "This player does not have this card.")


@pytest.mark.parametrize("name", ["potion", "cloak", "giant", "uni"])
def test_sd_6_2_nobody_takes_what_the_loser_has_not(name):
    g = meeting()
    g.combat = 6
    play(g, sd.ATTACK + 1, dice=(1,))
    assert asked(g) == ("Spoils", (0,))
    assert refused(g, 0, card(name)) == ("SD-6.2", "The loser does not have this card.")


def test_sd_4_3_elsewhere_no_card_is_chosen():
    g = meeting()
    assert asked(g) == ("Meet", (0,))
    said = "A card is chosen when it can help, in a trade, or after a brawl, from a player who holds it."
    assert refused(g, 0, card("potion")) == refused(g, 0, card("cloak")) == ("SD-4.3", said)
