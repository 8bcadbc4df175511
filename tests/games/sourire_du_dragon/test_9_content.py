"""SD-9 Board and cards: the composition of the built-in set, the odds shown, and where it comes from."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from games.sourire_du_dragon.table import SQUARES, position, put, turn
from veillee.games.sourire_du_dragon import BOX
from veillee.games.sourire_du_dragon.content import BUILT_IN, PRESENT, SETS
from veillee.games.sourire_du_dragon.rules import ACROBAT, RANGER
from veillee.games.sourire_du_dragon.view import view
from veillee.kernel.chance import Rng
from veillee.lab.balance import run
from veillee.lab.balance.sourire_du_dragon import STUDY


def test_sd_9_1_the_rings():
    built_in = SETS[0]
    outer = Counter(square.kind for square in built_in.outer)
    inner = Counter(square.kind for square in built_in.inner)
    assert outer == {"start": 1, "adventure": 7, "green": 12, "orange": 3, "yellow": 12, "whirlpool": 1}
    assert inner == {"adventure": 5, "green": 6, "orange": 2, "yellow": 6, "arrow": 1}
    numbers = {square.key: square.number for square in built_in.squares if square.number}
    assert numbers["river"] == 4
    assert numbers.pop("whirlpool") == 6
    assert max(numbers.values()) == 5  # with the Hat's -1 a 6 could not be reached


def test_sd_9_1_no_card_of_a_green_square_carries_anyone_onto_the_arrow():
    for place, square in enumerate(SETS[0].squares):
        if square.kind == "green" and place > SQUARES["whirlpool"]:
            assert SQUARES["arrow"] - place not in (2, 4)


def test_sd_9_1_the_cards():
    cards: Counter[tuple[str, int]] = Counter()
    for card in SETS[0].cards:
        cards[card.effect, card.number] += card.copies
    assert cards.total() == 56
    monsters = {2: 8, 3: 7, 4: 4, 5: 3, 6: 2, 7: 1, 8: 1}
    assert cards == {
        ("object", 0): 6,
        **{("monster", number): copies for number, copies in monsters.items()},
        ("master", 0): 1,
        ("boots", 0): 2,
        ("potion", 2): 2,
        ("reroll", 0): 2,
        ("uni", 0): 1,
        ("give", 0): 2,
        ("move", 4): 2,
        ("move", 2): 2,
        ("move", -3): 2,
        ("again", 0): 2,
        ("last", 4): 2,
        ("miss", 0): 2,
        ("retreat", 0): 1,
        ("nothing", 0): 1,
    }
    assert {card.key for card in SETS[0].cards if card.dreaded} == {"tiamat", "venger"}
    copies = {card.key: card.copies for card in SETS[0].cards}
    assert (copies["dungeon-master"], copies["uni"], copies["frog"], copies["net"]) == (1, 1, 1, 1)
    assert {card.key for card in SETS[0].cards if card.source == "fact"} == {"dungeon-master", "uni"}


def test_sd_9_1_earlier_versions_are_played_with_their_own_cards():
    """Two Dungeon Masters, two Frogs, one clover, no net; the same squares."""
    then = {card.key: card.copies for card in SETS[1].cards}
    assert sum(then.values()) == 56
    assert (then["dungeon-master"], then["frog"], then["clover"], "net" in then) == (2, 2, 1, False)
    assert SETS[1].squares == SETS[0].squares
    for version, content in ((1, BUILT_IN), (2, BUILT_IN), (3, PRESENT)):
        g = BOX.start(version, 2, Rng(0), {}, None)
        assert (g.content, g.version) == (content, version)
        assert BOX.load(g.dump()).course.id == content


def test_sd_9_1_every_card_is_one_short_sentence_or_two_in_both_languages():
    for card in SETS[0].cards:
        for lang in ("fr", "en"):
            assert len(card.text[lang]) <= 105, card.key
            assert card.text[lang][-1] in ".!", card.key


def test_sd_9_1_the_odds_of_both_dice_are_shown_at_the_announcement():
    g = position(RANGER, ACROBAT)
    put(g, 0, "magicians-peak")
    turn(g, 0)
    odds = view(g, 0)["odds"]
    assert odds["low"] == [42, 28, 17, 9, 3, 0.5]
    assert odds["high"] == [0.5, 3, 9, 17, 28, 42]
    assert odds["away"] == 4
    assert (odds["low_moves"]["land"], odds["high_moves"]["land"]) == (9, 17)


def test_sd_9_1_the_odds_of_what_blocks_the_way_count_the_bonuses():
    g = position(RANGER, ACROBAT)
    put(g, 0, "river", "cloak", blocked=True)
    turn(g, 0)
    odds = view(g, 0)["odds"]
    assert odds["need"] == 3
    # Of 216 rolls the lowest of three dice shows 3 or more in 64, the highest in 208.
    assert (odds["high_moves"]["pass"], odds["low_moves"]["pass"]) == (30, 96)
    put(g, 1, "river", "staff", blocked=True)
    turn(g, 1)
    assert view(g, 1)["odds"]["low_moves"]["pass"] == 100


def test_sd_9_2_the_game_tells_how_many_turns_were_played():
    g = position(RANGER, ACROBAT)
    before = g.turn
    g.heroes[0].lost = 1
    turn(g, 0)  # missed: it counts, and so does the next player's that begins
    assert g.turn == before + 2


def test_sd_9_2_a_study_judges_every_seat_every_character_and_the_length():
    played = run("sourire-du-dragon", 12, "quick", 5)
    criteria = STUDY.judge(played)
    assert [c.name.split(" wins")[0] for c in criteria[:6]] == [names["en"] for names in SETS[0].characters]
    assert len(criteria) == 12
    assert sum(record["shares"].count(1.0) for record in played["4 players"]) == 12
    assert all(sorted(record["places"]) == [0, 1, 2, 3] for record in played["4 players"])


def test_sd_9_2_all_criteria_hold_in_the_report_of_the_documents():
    report = (Path(__file__).parents[3] / "docs" / "balance" / "sourire-du-dragon.md").read_text(encoding="utf-8")
    assert "All 12 criteria hold." in report
    assert int(re.search(r"--games (\d+) --level quick", report)[1]) >= 2000


# -- SD-9.3 An owner's own set ----------------------------------------------------------------------------
def test_sd_9_3_every_figure_says_where_it_comes_from():
    sources = {entry.source for entry in [*SETS[0].squares, *SETS[0].cards]}
    assert sources == {"rulebook", "fact", "reconstruction"}
