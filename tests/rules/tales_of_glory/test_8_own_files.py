"""TG-8.1, TG-8.3 An owner's own file: what is refused, with its line; whatever loads can be played to the end."""

from __future__ import annotations

import json
import logging
import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veillee.games.tales_of_glory import BOX
from veillee.games.tales_of_glory import content as own
from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import BUILT_IN_FILE, BadContent, Content, add_own, build, read
from veillee.games.tales_of_glory.view import view
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log

TEXT = BUILT_IN_FILE.read_text(encoding="utf-8")
OTHER_GAME = Path(tg.__file__).parents[2] / "paper_tales" / "content.toml"


def printed(id_: str, **fields: object) -> str:
    """The built-in file with these lines at the beginning of one tile, instead of its own."""
    before, head, after = TEXT.partition(f'id = "{id_}"\n')
    tile, gap, rest = after.partition("\n\n")
    kept = [line for line in tile.split("\n") if line.partition(" = ")[0] not in fields]
    new = [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
    return before + head + "\n".join([*new, *kept]) + gap + rest


def line_of(text: str, id_: str) -> int:
    return text.split("\n").index(f'id = "{id_}"') + 1


def line(name: str) -> int:
    """Of a field of the set."""
    return [text.partition(" = ")[0] for text in TEXT.split("\n")].index(name) + 1


def refused(path: Path, text: str | bytes) -> list[str]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(BadContent) as raised:
        read(path, "own", 1)
    assert raised.value.errors
    return raised.value.errors


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
def test_tg_8_1_what_cannot_be_played_is_refused_with_its_line(tmp_path, tile, field, value, reason):
    text = printed(tile, **{field: value})
    told = refused(tmp_path / "mine.toml", text)
    where = f"mine.toml, line {line_of(text, tile) + 1}: tile '{tile}', field '{field}': "
    assert any(error.startswith(where) and reason in error for error in told), told


def test_tg_8_1_a_missing_field_is_told_with_the_line_of_its_tile(tmp_path):
    text = printed("purse", type="x").replace('type = "x"\n', "")
    (error,) = refused(tmp_path / "mine.toml", text)
    assert error.startswith(f"mine.toml, line {line_of(text, 'purse') - 1}: tile 'purse', field 'type': ")


@pytest.mark.parametrize(("age_1", "good"), [(10, True), (9, False)])
def test_tg_8_1_at_least_10_tiles_of_age_1(age_1, good):
    data = tomllib.loads(TEXT)
    for tile in [tile for tile in data["tile"] if tile["pile"] == "age 1"][age_1:]:
        tile["pile"] = "age 2"
    if good:
        played_out(build(data, "mine.toml", "trial", 1), 3)
    else:
        with pytest.raises(BadContent, match="expected at least 10 tiles of Age 1") as raised:
            build(data, "mine.toml", "own", 1)
        assert raised.value.errors == [
            "mine.toml, field 'pile': expected at least 10 tiles of Age 1 (TG-8.1), found 9."
        ]


def test_tg_8_1_what_grows_without_end_is_refused():
    data = tomllib.loads(TEXT)
    for tile in data["tile"][:9]:
        tile["gain"] = "1 combat per magic"
    played_out(build(data, "mine.toml", "trial", 1), 2)
    data["tile"][9]["gain"] = "1 magic per combat"
    with pytest.raises(BadContent, match="could make more than 1000 out of 1"):
        build(data, "mine.toml", "own", 1)


@pytest.mark.parametrize(
    ("tile", "fields", "said"),
    [
        ("purse", {"cost": "10 coins"}, "field 'cost': more than 9: hardly anybody will ever pay it."),
        ("purse", {"gain": "21 prestige"}, "field 'gain': more than 20 at once"),
        ("bard", {"gain": "end: 1 combat"}, "field 'gain': the 'end' mark is for Prestige (TG-8.1)"),
    ],
)
def test_tg_8_1_what_is_only_unwise_is_played_and_said(tmp_path, monkeypatch, caplog, tile, fields, said):
    for name in ("CONTENTS", "BY_NUMBER", "WARNINGS"):
        monkeypatch.setattr(own, name, list(getattr(own, name)))
    monkeypatch.setattr(own, "SETS", dict(own.SETS))
    mine = tmp_path / "mine.toml"
    mine.write_text(printed(tile, **fields), encoding="utf-8")
    with caplog.at_level(logging.WARNING, "veillee"):
        assert add_own(mine) == []
    (warning,) = own.WARNINGS
    assert warning.startswith("mine.toml, line ")
    assert said in warning
    assert warning in caplog.text


def test_tg_8_1_the_built_in_tiles_are_not_unwise():
    assert own.CONTENTS[0].warnings == ()


# -- TG-8.3 Files that are no such file: one sentence each ------------------------------------------------------
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "mine.toml: the file is empty; expected [set] and one [[tile]] for each tile."),
        (b" \n\n", "mine.toml: the file is empty; expected [set] and one [[tile]] for each tile."),
        (b"# nothing\n", "mine.toml: the file is empty; expected [set] and one [[tile]] for each tile."),
        (TEXT.encode("utf-16"), "mine.toml: the text is not UTF-8 (byte 1): save it as UTF-8."),
        (TEXT.encode("latin-1", "replace"), "mine.toml: the text is not UTF-8"),
        (b"[[tile", "mine.toml: this is no TOML file: "),
        (b"a = " + b"9" * 5000, "mine.toml: this is no TOML file: "),
        (b"a = " + b"[" * 100_000, "mine.toml: this is no TOML file that can be read"),
        (OTHER_GAME.read_bytes(), "mine.toml: the file is for another game: expected [set] and [[tile]], found "),
        (
            TEXT.replace('game = "tales-of-glory"', 'game = "paper-tales"').encode(),
            f"mine.toml, line {line('game')}, field 'set.game': the file is for another game: expected 'tales-of-glory', found 'paper-tales'.",
        ),
        (
            TEXT.replace("version = 1", "version = 2").encode(),
            f"mine.toml, line {line('version')}, field 'set.version': expected a file of version 1, found 2.",
        ),
        (
            TEXT.replace("version = 1", "version = true").encode(),
            f"mine.toml, line {line('version')}, field 'set.version': ",
        ),
    ],
)
def test_tg_8_3_one_sentence_for_what_is_no_such_file(tmp_path, content, sentence):
    (told,) = refused(tmp_path / "mine.toml", content)
    assert told.startswith(sentence)


def test_tg_8_3_a_folder_and_what_is_no_ordinary_file(tmp_path):
    assert add_own(tmp_path) == [f"{tmp_path.name}: this is a folder; expected a file of tiles."]
    os.mkfifo(tmp_path / "pipe.toml")
    assert add_own(tmp_path / "pipe.toml") == ["pipe.toml: this is no ordinary file; expected a file of tiles."]
    (told,) = add_own(Path("no\0where"))
    assert "the file cannot be read" in told


def test_tg_8_3_a_large_file_is_refused_before_it_is_read(tmp_path, monkeypatch):
    large = tmp_path / "large.toml"
    with large.open("wb") as file:
        file.truncate(100_000_000)  # a hole: no disk is filled
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("it is read"))
    assert add_own(large) == [
        "large.toml: the file is too large (100000000 bytes): a file of tiles has at most 500000."
    ]


def test_tg_8_3_a_file_written_with_a_mark_of_its_encoding_and_without_game_and_version(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_bytes(TEXT.replace('game = "tales-of-glory"\nversion = 1\n', "").encode("utf-8-sig"))
    assert len(read(mine, "", 1).tiles) == tg.TILES


def test_tg_8_3_no_more_errors_than_can_be_read(tmp_path):
    told = refused(tmp_path / "mine.toml", "[[tile]]\n" * 5000)
    assert len(told) == 101
    assert told[-1].startswith("mine.toml: and ")


# -- whatever loads can be played ------------------------------------------------------------------------------
@contextmanager
def at_hand(content: Content) -> Iterator[None]:
    """The set can be played with, for a while."""
    own.register(content)
    try:
        yield
    finally:
        own.CONTENTS.remove(content)
        tg.BY_NUMBER.remove(content.set)
        del tg.SETS[content.set.name]


def played_out(content: Content, seed: int) -> None:
    """Random games to the end, for every number of players; what is shown and said on the way is shown and said."""
    content.set.number = len(own.CONTENTS)
    t, names = BOX.words("fr"), [f"P{seat}" for seat in range(5)]
    with at_hand(content):
        for players in BOX.players:
            play = "together" if (seed + players) % 2 else "in-turn"
            rng, pick, log = Rng(seed), Random(seed + players), Log()
            g = tg.new_game(players, rng, {"tiles": content.set.name, "quests": "yes", "play": play}, log)
            while g.to_act:
                seat = pick.choice(g.to_act)
                g.apply(seat, pick.choice(g.legal(seat)), rng, log)
            assert g.round == tg.ROUNDS
            assert sum(g.returns()) == pytest.approx(1)
            assert view(g, 0)["set"]["id"] == content.set.name
            assert all(BOX.speech.event(e, names, t) for e in log.events)


AMOUNTS = st.sampled_from([0, 1, 1, 2, 3, 20, 99, 100])
WORDS = st.sampled_from(["coin", "coins", "potion", "potions", "prestige", "combat", "magic", "key", "keys", "first"])
PARTS = st.builds("{} {}".format, AMOUNTS, WORDS)
PERS = st.sampled_from(["", *(f" per {name}" for name in own.PER_NAMES[1:]), " per dragon"])
GAIN = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "", "end: "]),
    st.lists(PARTS, min_size=1, max_size=2).map(" + ".join),
    PERS,
)
GAINS = st.lists(GAIN, max_size=3).map(", ".join)
COST = st.lists(PARTS, max_size=3).map(" + ".join)
SIDE = st.one_of(
    st.sampled_from(["", "open", "key", "closed"]),
    GAINS,
    st.builds("{}: {}".format, st.sampled_from([*own.TYPE_NAMES, "end", "dragon"]), GAINS),
)
ODD = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.lists(st.text(max_size=3), max_size=2))
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "pile": st.sampled_from([*own.PILES, "age 4"]),
    "type": st.sampled_from(own.TYPE_NAMES),
    "cost": COST,
    "gain": GAINS,
    "chests": st.lists(GAINS, max_size=3),
    **dict.fromkeys(own.SIDE_NAMES, SIDE),
}
CHANGE = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda name: st.tuples(st.integers(0, tg.TILES - 1), st.just(name), st.one_of(FIELDS[name], FIELDS[name], ODD))
)
FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
SOUND_AMOUNT = st.sampled_from([1, 2, 5, 99])
SOUND_GAIN = st.one_of(
    st.builds(
        "{} {} + {} key{}".format,
        SOUND_AMOUNT,
        st.sampled_from(["coins", "potions", "combat", "magic"]),
        SOUND_AMOUNT,
        st.sampled_from([f" per {name}" for name in ("place", "character", "key", "surrounded", "closed chest")]),
    ),
    st.builds(
        "{} prestige + {} key per {}".format,
        SOUND_AMOUNT,
        SOUND_AMOUNT,
        st.sampled_from(["combat", "magic", "3 coins", "3 potions"]),
    ),
)


def tried(load: Callable[[], Content], seed: int) -> list[str]:
    """What is wrong with a file; one that nothing is wrong with is played."""
    try:
        content = load()
    except BadContent as error:
        return error.errors
    played_out(content, seed)
    return []


@FEW
@given(st.lists(CHANGE, min_size=1, max_size=4), st.integers(0, 99))
def test_tg_8_3_a_changed_file_is_refused_with_sentences_or_can_be_played(changes, seed):
    data = tomllib.loads(TEXT)
    for place, field, value in changes:
        data["tile"][place][field] = value
    told = tried(lambda: build(data, "mine.toml", "trial", 1), seed)
    assert all(error.startswith("mine.toml") for error in told)


@FEW
@given(
    st.lists(SOUND_GAIN, min_size=8, max_size=8), st.sampled_from(["gain", "chests", "connectors"]), st.integers(0, 99)
)
def test_tg_8_3_a_file_of_wild_but_lawful_gains_can_be_played(gains, where, seed):
    """Every tile gives much, in every place that has a gain."""
    data = tomllib.loads(TEXT)
    for place, tile in enumerate(data["tile"]):
        gain = gains[place % len(gains)]
        if where == "chests":
            tile["chests"] = [gain, gain] if tile["pile"] == "hero" or place % 2 else [gain]
        elif where == "gain" and tile["pile"] != "hero":
            tile["gain"] = gain
        elif where == "connectors" and tile.get("type") == "place":
            tile.update({side: gain for side in own.SIDE_NAMES if side in tile})
    assert tried(lambda: build(data, "mine.toml", "trial", 1), seed) == []


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.integers(0, len(TEXT)),
            st.integers(0, 30),
            st.one_of(st.text(max_size=3), st.sampled_from("[]\"'=:,+#\n{}")),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_tg_8_3_a_spoilt_text_is_refused_with_sentences_or_can_be_played(tmp_path, cuts):
    text = TEXT
    for at, length, new in cuts:
        text = text[:at] + new + text[at + length :]
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    told = tried(lambda: read(tmp_path / "mine.toml", "trial", 1), len(text))
    assert all(error.startswith("mine.toml") for error in told)
