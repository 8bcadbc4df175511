"""SD-9 Board and cards: the composition of the built-in set, the odds shown, and an owner's own set."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from rules.sourire_du_dragon.table import SQUARES, position, put, turn
from veillee.games.sourire_du_dragon import content
from veillee.games.sourire_du_dragon.content import BUILT_IN_FILE, SETS, BadContent, load_sets, parse
from veillee.games.sourire_du_dragon.rules import ACROBAT, RANGER
from veillee.games.sourire_du_dragon.view import view
from veillee.lab.balance import run
from veillee.lab.balance.sourire_du_dragon import STUDY


@pytest.fixture
def data():
    return tomllib.loads(BUILT_IN_FILE.read_text(encoding="utf-8"))


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
        ("master", 0): 2,
        ("boots", 0): 2,
        ("potion", 2): 2,
        ("reroll", 0): 1,
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


def test_sd_9_3_a_broken_file_tells_every_error_with_entry_field_and_what_was_expected(data):
    data["outer"][9]["number"] = 9
    data["outer"][1]["kind"] = "purple"
    data["inner"][0]["key"] = "castle-of-light"
    data["cards"][0]["anyone"] = "much"
    data["cards"][6]["copies"] = 4
    del data["cards"][7]["name"]
    data["cards"][8]["colour"] = "red"
    data["characters"][0]["object"] = "hat"
    with pytest.raises(BadContent) as caught:
        parse(data, "mine.toml")
    errors = "\n".join(caught.value.errors)
    for part in (
        "mine.toml: outer 10 “river”: number: expected a whole number from 2 to 6, found 9.",
        "mine.toml: outer 2 “platform”: kind: expected one of start, yellow",
        "castle-of-shadows",
        "mine.toml: cards 1 “bow”: anyone: expected a whole number from -3 to 3, found 'much'.",
        "copies: expected 56 cards together, found 57.",
        "mine.toml: cards 8 “giant-rat”: name: expected { fr =",
        "mine.toml: cards 9 “bat”: colour: expected only",
        "mine.toml: characters 1 “ranger”: object: expected one of bow, found 'hat'.",
    ):
        assert part in errors


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["outer"].pop(),
        lambda d: d["outer"].pop(9),
        lambda d: d["inner"].insert(3, copy.deepcopy(d["inner"][-1])),
        lambda d: d["cards"].pop(0),
        lambda d: d["outer"][-2].update(kind="yellow"),
        lambda d: d["cards"][20].update(number=0),
        lambda d: d["cards"][21].update(dreaded="yes"),
        lambda d: d.pop("cards"),
        lambda d: d["cards"][1].update(key="bow"),
        lambda d: d["characters"].pop(),
        lambda d: d["outer"][0]["name"].update(fr=" "),
    ],
)
def test_sd_9_3_what_would_break_a_rule_is_refused(data, change):
    change(data)
    with pytest.raises(BadContent):
        parse(data, "mine.toml")


def test_sd_9_3_an_owners_set_is_named_after_what_it_means_for_play(data):
    same = parse(data, "mine.toml")
    data["outer"][1]["name"]["fr"] = "Quai désert"
    assert parse(data, "mine.toml").id == same.id
    data["outer"][5]["number"] = 4
    assert parse(data, "mine.toml").id != same.id
    assert same.id != content.BUILT_IN


def test_sd_9_3_a_file_with_errors_leaves_the_built_in_set_and_says_so(tmp_path, caplog):
    path = tmp_path / "mine.toml"
    path.write_text("[[outer]]\nkey = 3\n", encoding="utf-8")
    sets, problems = load_sets(str(path))
    assert [one.id for one in sets] == [content.BUILT_IN]
    assert any(problem.startswith("mine.toml: outer 1 “3”: key: expected a word") for problem in problems)
    assert "built-in squares and cards" in caplog.text
    for bad in ("no toml at [all", None):
        if bad is None:
            path.unlink()
        else:
            path.write_text(bad, encoding="utf-8")
        sets, problems = load_sets(str(path))
        assert (len(sets), len(problems)) == (1, 1)
    assert load_sets(None)[1] == []


PROGRAM = """
import json, veillee
from veillee.games.catalogue import BOXES
box = BOXES["sourire-du-dragon"]
match = veillee.new("sourire-du-dragon", 2, seed=1)
own = match.view(-1)["course"]
usual = veillee.new("sourire-du-dragon", 2, seed=1, cards="veillee").view(-1)["course"]
again = box.load(json.loads(json.dumps(match.state.dump())))
print(json.dumps([own["squares"][1]["name"]["fr"], usual["squares"][1]["name"]["fr"], own["set"], usual["set"],
                  again.course.id, match.save()["options"]["cards"]]))
"""


def test_sd_9_3_an_owners_file_is_played_with_and_the_position_knows_it(tmp_path):
    text = BUILT_IN_FILE.read_text(encoding="utf-8").replace("Quai brumeux", "Quai désert")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace("number = 3\nsource", "number = 4\nsource", 1), encoding="utf-8")
    source = str(Path(content.__file__).parents[3])
    env = {**os.environ, content.SETTING: str(path), "PYTHONPATH": source}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True)
    name, usual, own_id, usual_id, loaded, option = json.loads(done.stdout)
    assert (name, usual) == ("Quai désert", "Quai brumeux")
    assert own_id.startswith("own-")
    assert usual_id == content.BUILT_IN
    assert loaded == option == own_id
