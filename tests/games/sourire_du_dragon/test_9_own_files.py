"""SD-9.3 An owner's own file: what is refused, with its line, and what is only unwise."""

from __future__ import annotations

import copy
import tomllib
from dataclasses import replace
from typing import Any

import pytest

import veillee
from veillee.conformance.contents import tried
from veillee.games.content_table import to_toml
from veillee.games.owners import check_text
from veillee.games.sourire_du_dragon import BOX
from veillee.games.sourire_du_dragon.content import COPIES_BEFORE_3, KEPT, KIND, MOST_TURNS, SETS
from veillee.games.sourire_du_dragon.journey import HOME, Way

TEXT = KIND.built_in()
Data = dict[str, Any]


@pytest.fixture
def data() -> Data:
    return tomllib.loads(TEXT)


def refused(data: Data) -> list[str]:
    checked = check_text("mine.toml", to_toml(data))
    assert checked.content is None
    return [str(error) for error in checked.errors]


def square(data: Data, key: str) -> Data:
    return next(one for one in [*data["outer"], *data["inner"]] if one["key"] == key)


def card(data: Data, key: str) -> Data:
    return next(one for one in data["cards"] if one["key"] == key)


def line_of(data: Data, key: str, field: str) -> int:
    """Where a field of an entry stands in the file."""
    lines = to_toml(data).split("\n")
    at = lines.index(f'key = "{key}"')
    return next(n for n in range(at, len(lines)) if lines[n].startswith(f"{field} = ")) + 1


def test_sd_9_3_a_broken_file_tells_every_error_with_line_entry_field_and_what_was_expected(data):
    square(data, "river")["number"] = 9
    square(data, "platform")["kind"] = "purple"
    square(data, "castle-of-shadows")["key"] = "castle-of-light"
    card(data, "bow")["anyone"] = "much"
    card(data, "goblin")["copies"] = 4
    card(data, "giant-rat")["name"] = "Rat"
    card(data, "bat")["colour"] = "red"
    data["characters"][0]["object"] = "hat"
    told = refused(data)
    at = {key: line_of(data, key, field) for key, field in (("river", "number"), ("bow", "anyone"), ("bat", "colour"))}
    for part in (
        f"mine.toml, line {at['river']}: outer 10 'river', field 'number': expected a whole number from 2 to 6, found 9.",
        "outer 2 'platform', field 'kind': expected one of start, yellow",
        "inner 1 'castle-of-light', field 'key': expected 'castle-of-shadows', to which the Whirlpool leads",
        f"line {at['bow']}: cards 1 'bow', field 'anyone': expected a whole number from -3 to 3, found 'much'.",
        "mine.toml, field 'cards': expected 56 cards together, found 57.",
        "cards 8 'giant-rat', field 'name': expected { fr = \"…\", en = \"…\" }, found 'Rat'.",
        f"line {at['bat']}: cards 9 'bat', field 'colour': is unknown; expected one of key, effect",
        "characters 1 'ranger', field 'object': expected one of bow, found 'hat'.",
    ):
        assert any(part in error for error in told), part


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda d: d["outer"].pop(),
            "outer 35 'windy-pass', field 'kind': expected 'whirlpool' at this end of the ring",
        ),
        (lambda d: d["outer"].pop(9), "expected an adventure 'river': an object's power names it."),
        (
            lambda d: d["inner"].insert(3, copy.deepcopy(d["inner"][-1])),
            "inner 4 'arrow', field 'kind': 'arrow' is the kind of the first or last square of a ring.",
        ),
        (
            lambda d: d["cards"].pop(0),
            "field 'cards': expected the objects bow, staff, cloak, club, shield, hat, once each",
        ),
        (lambda d: d["outer"][-2].update(kind="yellow"), "expected 'green' at this end of the ring, found 'yellow'."),
        (lambda d: card(d, "tiamat").update(number=13), "expected a whole number from 2 to 12, found 13."),
        (lambda d: card(d, "slide").update(number=0), "expected some squares forwards or backwards, found 0."),
        (lambda d: card(d, "frog").update(number=2), "expected none: the effect 'miss' has no number."),
        (lambda d: card(d, "potion").update(dreaded=True), "expected true, for a monster only, found True."),
        (lambda d: d.pop("cards"), "field 'cards': expected 56 cards together, found 0."),
        (
            lambda d: card(d, "goblin").update(key="bow"),
            "field 'key': expected a key of its own, found this one twice.",
        ),
        (lambda d: d["characters"].pop(), "field 'characters': expected 'magician', which is missing."),
        (lambda d: d["outer"][0]["name"].update(fr=" "), "field 'name.fr': expected a text of at most 80 letters"),
        (lambda d: d["outer"][1].update(number=3), "expected none: only an adventure has a number."),
        (lambda d: d.update(inner=d["inner"][:4]), "field 'inner': expected from 8 to 40 squares, found 4."),
        (lambda d: d["outer"].extend(d["outer"]), "field 'outer': expected from 8 to 60 squares, found 72."),
    ],
)
def test_sd_9_3_what_would_break_a_rule_is_refused(data, change, said):
    change(data)
    told = refused(data)
    assert any(said in error for error in told), told


# -- SD-3 No hero is kept for ever -------------------------------------------------------------------------------
def test_sd_9_3_a_square_that_the_penalties_shut_is_refused_with_its_line(data):
    """SD-9.1 With the Hat's -1 a 6 could not be reached."""
    square(data, "lava")["number"] = 6
    (error,) = refused(data)
    assert error == (
        f"mine.toml, line {line_of(data, 'lava', 'number')}: inner 8 'lava', field 'number': expected at most 5: with the "
        "objects' penalties not even a 6 would be enough for 6, and nobody could ever leave."
    )
    card(data, "hat")["anyone"] = 0
    assert tried(BOX, to_toml(data), 1, 1).games == len(BOX.players)


def test_sd_9_3_where_no_card_lets_anybody_through_on_the_arrow(data):
    for one in data["cards"]:
        if one["effect"] not in KEPT:
            one.update(effect="monster", number=12)
    assert refused(data) == [
        "mine.toml, field 'cards': expected cards that let a hero through on the arrow: nobody could ever win."
    ]


def all_back(data: Data, first: int, last: int) -> None:
    """Every card that is not kept leads 12 squares back, or does nothing; green squares from the first to the last."""
    for one in data["cards"]:
        if one["effect"] not in KEPT:
            one.update(effect="move", number=-12)
            one.pop("dreaded", None)
    rainbow = card(data, "rainbow")
    rainbow["effect"] = "nothing"
    rainbow.pop("number")
    for one in data["outer"][first:last]:
        if one["kind"] != "adventure":
            one["kind"] = "green"


def test_sd_9_3_a_way_without_end_is_refused(data):
    all_back(data, 1, -1)
    (error,) = refused(data)
    assert f"expected a way of at most {MOST_TURNS} turns for a hero alone: this one takes about " in error


def test_sd_9_3_squares_that_nobody_can_ever_leave_are_named(data, monkeypatch):
    monkeypatch.setattr(Way, "stuck", lambda _: [9, 40])
    river, mist = refused(data)
    assert river.startswith(f"mine.toml, line {line_of(data, 'river', 'kind')}: outer 10 'river', field 'kind': ")
    assert river.endswith("expected a way on: nobody who comes here could ever reach the Vortex.")
    assert "inner 5 'ball-of-thread'" in mist


def test_sd_9_3_a_hero_who_is_always_led_back_stays_at_the_entrance():
    """Six green squares after the Entrance, and every card leads back to it: nothing beyond can be come to."""
    squares, cards = SETS[0], [replace(one, effect="move", number=-12) for one in SETS[0].cards]
    green = [replace(one, kind="green", number=0) for one in squares.outer[1:7]]
    way = Way([squares.outer[0], *green, *squares.outer[7:]], squares.inner, cards, ())
    assert way.turn((0, False))[0] == {(0, False): pytest.approx(1)}
    assert way.stuck() == [0]


def test_sd_9_3_the_way_of_the_built_in_board():
    way = Way(SETS[0].outer, SETS[0].inner, SETS[0].cards, KEPT)
    assert {way.highest(square) for square in way.squares} == {5}
    assert way.stuck() == []
    assert 60 < way.turns() < 120
    for state in [(0, False), (9, True), (34, False), (35, True), (36, True), (54, False)]:
        chances, _ = way.turn(state)
        assert sum(chances.values()) == pytest.approx(1)
    assert way.turn((54, False))[0][HOME] > 0
    assert HOME not in way.turn((48, False))[0]


# -- warnings ----------------------------------------------------------------------------------------------------
def test_sd_9_3_what_is_only_unwise_is_played_and_said(data):
    data["inner"][1:1] = [{**data["inner"][1], "key": f"moat-{n}"} for n in range(12)]
    for one in data["cards"]:
        if one["effect"] == "monster":
            one.update(effect="potion", number=1)
            one.pop("dreaded", None)
    checked = check_text("mine.toml", to_toml(data))
    assert checked.errors == ()
    assert [str(warning) for warning in checked.content.warnings] == [
        "mine.toml, field 'inner': more than 28 squares: the board will be crowded.",
        "mine.toml, field 'cards': only 16 cards are not kept: the same ones will come again and again.",
    ]


# -- files of the time before ------------------------------------------------------------------------------------
def test_sd_9_3_a_file_of_earlier_houses_which_says_nothing_about_itself(data):
    named = check_text("mine.toml", TEXT).content
    data.pop("content")
    checked = check_text("mine.toml", to_toml(data))
    assert checked.box is BOX
    assert checked.content.id == named.id
    (warning,) = checked.content.warnings
    assert "it does not say which game it is for: add [content] game =" in str(warning)
    assert checked.content.names["fr"] == "Contenu de votre boîte"


def test_sd_9_3_a_set_keeps_the_name_that_earlier_houses_gave_it():
    """It was, and is, named after what it means for play: a copy of our cards of that time, two Dungeon Masters."""
    then = tomllib.loads(TEXT)
    then["cards"] = [one for one in then["cards"] if one["key"] != "net"]
    for key, copies in COPIES_BEFORE_3.items():
        if key != "net":
            card(then, key)["copies"] = copies
    content = check_text("mine.toml", to_toml(then)).content
    assert content.id == "own-3f515dbcacd1"
    KIND.know(content)
    assert veillee.new("sourire-du-dragon", 2, seed=1, cards=content.id).state.course.id == content.id


def test_sd_3_1_an_owners_adventure_square_may_be_a_combat(data):
    usual = check_text("mine.toml", TEXT).content
    square(data, "river")["combat"] = True
    content = check_text("mine.toml", to_toml(data)).content
    assert content.id != usual.id
    KIND.know(content)
    match = veillee.new("sourire-du-dragon", 2, seed=1, cards=content.id)
    shown = match.view(-1)["course"]["squares"]
    assert [one["key"] for one in shown if one["combat"]] == ["river"]
    assert [bool(combat) for combat in match.state.course.combats].count(True) == 1


@pytest.mark.parametrize(("key", "value"), [("meadow", True), ("whirlpool", True), ("river", "yes")])
def test_sd_3_1_only_an_adventure_can_be_a_combat(data, key, value):
    square(data, key)["combat"] = value
    (error,) = refused(data)
    assert f"field 'combat': expected true, for an adventure only, found {value!r}." in error


def test_sd_9_3_a_position_knows_its_set(data):
    square(data, "platform")["name"]["fr"] = "Quai désert"
    square(data, "forest")["number"] = 4
    content = check_text("mine.toml", to_toml(data)).content
    KIND.know(content)
    match = veillee.new("sourire-du-dragon", 2, seed=1, cards=content.id)
    usual = veillee.new("sourire-du-dragon", 2, seed=1)
    assert match.view(-1)["course"]["squares"][1]["name"]["fr"] == "Quai désert"
    assert usual.view(-1)["course"]["squares"][1]["name"]["fr"] == "Quai brumeux"
    assert BOX.load(match.state.dump()).course.id == match.save()["options"]["cards"] == content.id
    assert "cards" not in usual.save()["options"]


def test_sd_9_3_bots_know_the_way_on_an_owners_board(data):
    square(data, "forest")["number"] = 2
    content = check_text("mine.toml", to_toml(data)).content
    KIND.know(content)
    match = veillee.new("sourire-du-dragon", 2, seed=1, cards=content.id)
    for _ in range(20):
        seat = match.to_act[0]
        match.play(seat, match.hint(seat, level="novice").choice)
