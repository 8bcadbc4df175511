"""Content of a match: it is named, kept, and reported when it is missing."""

from __future__ import annotations

import json
from random import Random

import pytest

import veillee
from veillee.games.catalogue import BOXES
from veillee.games.content import BUILT_IN
from veillee.match.match import Match

KINDS = {box.id: box.contents for box in BOXES.values() if box.contents is not None}
OTHER = "own-0123456789ab"


def changed(game: str) -> str:
    """An owner's file that is another game than the built-in one."""
    old, new = {
        "tales-of-glory": ('cost = "1 coin"', 'cost = "2 coins"'),
        "sourire-du-dragon": ("number = 3\nsource", "number = 4\nsource"),
    }[game]
    text = KINDS[game].built_in()
    assert old in text
    return text.replace(old, new, 1).replace('fr = "', 'fr = "Ma boîte. ', 1).replace('en = "', 'en = "My box. ', 1)


def played_out(match: Match) -> Match:
    pick = Random(3)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, pick.choice(match.choices(seat)))
    return match


@pytest.fixture(params=KINDS)
def game(request) -> str:
    return request.param


def test_what_is_brought_is_what_is_played_unless_somebody_says_otherwise(game, brought):
    content, option = brought(changed(game)), KINDS[game].option.id
    assert veillee.new(game, seed=1).options[option] == content.id
    assert veillee.new(game, seed=1, **{option: BUILT_IN}).options[option] == BUILT_IN
    with pytest.raises(veillee.Unknown, match=f"It is played with {OTHER}, which is not at hand"):
        veillee.new(game, seed=1, **{option: OTHER})


def test_a_record_says_what_was_played_with_and_can_be_verified(game, brought):
    content, option = brought(changed(game)), KINDS[game].option.id
    record = json.loads(json.dumps(played_out(veillee.new(game, 2, seed=5)).record()))
    assert record["content"] == {"id": content.id, **content.names}
    assert record["options"][option] == content.id
    assert veillee.verify(record).holds
    assert veillee.verify(record).match.record() == record


def test_a_record_of_the_built_in_set_names_no_content(game):
    record = veillee.new(game, 2, seed=5).record()
    assert "content" not in record
    assert KINDS[game].option.id not in record["options"]


def test_a_record_without_a_content_is_of_the_built_in_set_whatever_an_owner_has_brought(game, brought):
    """The set that is usually played with now is another one: by it the record would not be true, or not even lawful."""
    record = played_out(veillee.new(game, 2, seed=5)).record()
    brought(changed(game))
    assert veillee.verify(record).holds
    saved = veillee.load(veillee.new(game, 2, seed=5, **{KINDS[game].option.id: BUILT_IN}).save())
    assert saved.options[KINDS[game].option.id] == BUILT_IN


def test_what_is_not_at_hand_is_named_in_one_sentence(game):
    record = played_out(veillee.new(game, 2, seed=5)).record()
    record["options"][KINDS[game].option.id] = OTHER
    for data, sentence in (
        (record, f"It is played with {OTHER}, which is not at hand: give that owner's file with --content."),
        (
            {**record, "content": {"id": OTHER, "fr": "Ma boîte", "en": "My box"}},
            f"It is played with “My box” ({OTHER}), which is not at hand: give that file with --content.",
        ),
        ({**record, "content": {"fr": 3, "en": []}}, f"It is played with {OTHER}, which is not at hand"),
        ({**record, "content": "nonsense"}, f"It is played with {OTHER}, which is not at hand"),
    ):
        for check in (veillee.load, veillee.verify):
            with pytest.raises(veillee.BadSave) as caught:
                check(data)
            assert str(caught.value).startswith(sentence)
            assert caught.value.say("fr").startswith("Elle se joue avec ")


@pytest.mark.parametrize("value", [3, None, ["veillee"], {}])
def test_nonsense_where_a_content_should_be_named(game, value):
    record = veillee.new(game, 2, seed=5).save()
    record["options"][KINDS[game].option.id] = value
    with pytest.raises(veillee.BadSave):
        veillee.load(record)


def test_a_file_is_brought_by_its_path_or_refused(game, tmp_path, brought):
    path = tmp_path / "mine.toml"
    path.write_text(changed(game), encoding="utf-8")
    assert veillee.bring(path).file == "mine.toml"
    assert veillee.bring(str(path)).names["en"].startswith("My box.")
    path.write_text(changed(game).replace("version = 1", "version = 7"), encoding="utf-8")
    with pytest.raises(veillee.BadContent, match="expected a file of version 1, found 7") as caught:
        veillee.bring(path)
    assert len(caught.value.errors) == 1
    assert "il faut un fichier de la version 1" in caught.value.say("fr")
