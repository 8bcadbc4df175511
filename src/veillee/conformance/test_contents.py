"""Owners' files: each one that is not refused, with sentences, can be played to the end, for every number of
players."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("hypothesis")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from veillee.conformance.contents import FILE, files_of, kind_of, tried
from veillee.games.box import Box
from veillee.games.content import BUILT_IN
from veillee.games.owners import check_text
from veillee.kernel.chance import Rng
from veillee.match.setup import complete

EXAMPLES = 16
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


def test_the_built_in_file_is_an_owners_file_without_a_fault(replaceable: Box) -> None:
    """It is what owners begin from: played with as their own, it is the same game."""
    kind = kind_of(replaceable)
    checked = check_text(FILE, kind.built_in())
    assert checked.errors == ()
    assert checked.content is not None
    assert checked.content.warnings == ()
    kind.know(checked.content)
    players = replaceable.players[0]
    own, ours = (
        replaceable.new(players, Rng(1), complete(replaceable, {kind.option.id: id_}), None)
        for id_ in (checked.content.id, BUILT_IN)
    )
    assert replaceable.view(own, 0).keys() == replaceable.view(ours, 0).keys()
    assert checked.content.id in str(own.dump())
    # a position may name the rules version that our own content belongs to: "veillee-3"
    named = re.sub(rf"'{BUILT_IN}(-\d+)?'", repr(checked.content.id), str(ours.dump()))
    assert named == str(own.dump())


def test_a_set_is_known_by_what_it_means_for_play(replaceable: Box) -> None:
    """Names and remarks are no part of the fingerprint."""
    text = kind_of(replaceable).built_in()
    same = check_text(FILE, "# mine\n" + text.replace('en = "', 'en = "My ')).content
    usual = check_text(FILE, text).content
    assert same is not None
    assert usual is not None
    assert same.names["en"] == f"My {usual.names['en']}"
    assert same.id == usual.id != BUILT_IN


def test_whatever_is_not_refused_is_played_to_the_end(replaceable: Box) -> None:
    played = dict.fromkeys(files_of(replaceable), 0)

    @settings(max_examples=EXAMPLES, suppress_health_check=SLOW, deadline=None, derandomize=True, database=None)
    @given(st.data(), st.integers(0, 99))
    def check(data: st.DataObject, seed: int) -> None:
        how, text = data.draw(
            st.one_of([st.tuples(st.just(how), files) for how, files in files_of(replaceable).items()])
        )
        played[how] += tried(replaceable, text, 1, seed).games

    check()
    assert any(played.values()), "every file was refused"
