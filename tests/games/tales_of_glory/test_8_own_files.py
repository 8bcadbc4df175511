"""TG-8.1, TG-8.3 An owner's own file: what is refused, with its line; what is unwise; files of earlier houses."""

from __future__ import annotations

import json
import tomllib
from hashlib import sha256

import pytest

import veillee
from veillee.conformance.contents import tried
from veillee.games.content_table import to_toml
from veillee.games.owners import check_text
from veillee.games.tales_of_glory import BOX
from veillee.games.tales_of_glory.content import KIND

TEXT = KIND.built_in()


def printed(id_: str, **fields: object) -> str:
    """The built-in file with these lines at the beginning of one tile, instead of its own."""
    before, head, after = TEXT.partition(f'id = "{id_}"\n')
    tile, gap, rest = after.partition("\n\n")
    kept = [line for line in tile.split("\n") if line.partition(" = ")[0] not in fields]
    new = [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
    return before + head + "\n".join([*new, *kept]) + gap + rest


def line_of(text: str, id_: str) -> int:
    return text.split("\n").index(f'id = "{id_}"') + 1


def refused(text: str) -> list[str]:
    checked = check_text("mine.toml", text)
    assert checked.content is None
    return [str(error) for error in checked.errors]


# -- TG-8.1 --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("tile", "field", "value", "reason"),
    [
        (
            "griffin-inn",
            "left",
            "character: end: 3 prestige",
            "expected no 'end' mark: a connector gives its gain when",
        ),
        ("griffin-inn", "right", "end: 3 prestige", "expected no 'end' mark: a connector gives its gain when"),
        ("griffin-inn", "right", "1 coin, end: 3 prestige", "expected no 'end' mark: a connector gives its gain when"),
        ("griffin-inn", "right", "1 prestige per majority", "expected no gain per majority"),
        ("griffin-inn", "right", "treasure:", "expected a gain, found 'treasure:'"),
        ("griffin-inn", "right", "dragon: 1 coin", "expected a type before the colon"),
        ("mage", "gain", "1 first", "expected no first-player token"),
        ("mage", "gain", "2 coins + 1 first", "expected no first-player token"),
        ("mage", "gain", "1 key", "expected no key"),
        ("mage", "gain", "2 coins, 1 key per closed chest", "expected no key"),
        ("purse", "gain", "100 coins", "expected a number from 1 to 99"),
        ("purse", "gain", "9999999999999999999999 coins", "expected a number and one of"),
        ("purse", "cost", "0 coins", "expected a number from 1 to 99"),
        ("purse", "gain", "2 first", "expected one first-player token"),
        ("purse", "gain", "1 coin + 1 potion + 1 magic", "expected at most 2 resources joined by +"),
        ("purse", "gain", ", ".join(["1 coin"] * 7), "expected at most 6 gains, found 7"),
        ("purse", "fr", "a\tb", "expected a name of at most 80 letters"),
        ("purse", "en", "a" * 81, "expected a name of at most 80 letters"),
        ("purse", "pile", ["age 1"], "expected one of age 1, age 2"),
    ],
)
def test_tg_8_1_what_cannot_be_played_is_refused_with_its_line(tile, field, value, reason):
    text = printed(tile, **{field: value})
    told = refused(text)
    where = f"mine.toml, line {line_of(text, tile) + 1}: tile '{tile}', field '{field}': "
    assert any(error.startswith(where) and reason in error for error in told), told


def test_tg_8_1_a_missing_field_is_told_with_the_line_of_its_tile():
    text = printed("purse", type="x").replace('type = "x"\n', "")
    (error,) = refused(text)
    assert error.startswith(f"mine.toml, line {line_of(text, 'purse') - 1}: tile 'purse', field 'type': ")


@pytest.mark.parametrize(("age_1", "good"), [(10, True), (9, False)])
def test_tg_8_1_at_least_10_tiles_of_age_1(age_1, good):
    data = tomllib.loads(TEXT)
    for tile in [tile for tile in data["tile"] if tile["pile"] == "age 1"][age_1:]:
        tile["pile"] = "age 2"
    if good:
        assert tried(BOX, to_toml(data), 1, 3).games == len(BOX.players)
    else:
        assert refused(to_toml(data)) == [
            "mine.toml, field 'pile': expected at least 10 tiles of Age 1 (TG-8.1), found 9."
        ]


def test_tg_8_1_what_grows_without_end_is_refused():
    data = tomllib.loads(TEXT)
    for tile in data["tile"][:9]:
        tile["gain"] = "1 combat per magic"
    assert tried(BOX, to_toml(data), 1, 2).games == len(BOX.players)
    data["tile"][9]["gain"] = "1 magic per combat"
    (error,) = refused(to_toml(data))
    assert "could make more than 1000 out of 1" in error


@pytest.mark.parametrize(
    ("tile", "fields", "said"),
    [
        ("purse", {"cost": "10 coins"}, "field 'cost': more than 9: hardly anybody will ever pay it."),
        ("purse", {"gain": "21 prestige"}, "field 'gain': more than 20 at once"),
        ("bard", {"gain": "end: 1 combat"}, "field 'gain': the 'end' mark is for Prestige (TG-8.1)"),
        ("mage", {"top": "key", "right": "", "bottom": "", "left": ""}, "field 'top': a hero with one connector"),
    ],
)
def test_tg_8_1_what_is_only_unwise_is_played_and_said(tile, fields, said):
    checked = check_text("mine.toml", printed(tile, **fields))
    assert checked.errors == ()
    (warning,) = map(str, checked.content.warnings)
    assert warning.startswith("mine.toml, line ")
    assert said in warning


def test_tg_8_3_every_error_is_told_at_once_in_french_too():
    text = printed("purse", gain="2 first").replace('id = "mage"\n', 'id = "mage"\ncost = "1 coin"\n')
    purse, mage = (error.say("fr") for error in check_text("mine.toml", text).errors)
    assert purse == (
        f"mine.toml, ligne {line_of(text, 'purse') + 1}\u00a0: tuile 'purse', champ 'gain'\u00a0: "
        "il faut un seul jeton premier joueur, et non '2 first'."
    )
    assert mage == (
        f"mine.toml, ligne {line_of(text, 'mage') + 1}\u00a0: tuile 'mage', champ 'cost'\u00a0: "
        "il n’en faut pas\u00a0: un héros se distribue, il ne se paie pas."
    )


# -- TG-8.3 Files of the time before ----------------------------------------------------------------------------
OLDER = TEXT.replace("[content]\n", "[set]\n")


@pytest.mark.parametrize("header", ["", 'game = "tales-of-glory"\nversion = 1\n'])
def test_tg_8_3_a_file_of_earlier_houses_is_read_as_before(header):
    text = OLDER.replace('game = "tales-of-glory"\nversion = 1\n', header)
    checked = check_text("mine.toml", text)
    assert checked.box is BOX
    assert checked.errors == ()
    assert checked.content.id == check_text("mine.toml", TEXT).content.id
    assert checked.content.names["en"] == "Reconstructed tiles (Veillée)"


def test_tg_8_3_a_game_goes_on_under_the_name_that_its_set_had_then():
    """A set was once named after the bytes of its file; positions, and with them fingerprints, still say so."""
    KIND.know(check_text("mine.toml", OLDER).content)
    then = f"own-{sha256(OLDER.encode()).hexdigest()[:12]}"
    match = veillee.new("tales-of-glory", 2, seed=1, tiles=then)
    assert match.state.dump()["tiles"] == then
    assert BOX.load(match.state.dump()).dump() == match.state.dump()
    assert veillee.load(match.save()).options["tiles"] == then
    assert match.view(0)["set"]["file"] == "mine.toml"
