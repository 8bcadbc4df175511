"""Shields of guests: a fixed default for guests without one; stored at the seat like a name."""

from __future__ import annotations

import pytest

from house.playing import HOTSEAT, ME, OPEN, play_on
from veillee.house.accounts.shields import (
    COLOURS,
    PARTS,
    default_shield,
    parse_shield,
    shield_from_parts,
    shield_or_default,
)
from veillee.house.errors import BadRequest


def test_every_shield_is_five_letters_and_a_given_one_has_two_colours():
    for n in range(500):
        shield = parse_shield(default_shield(f"guest {n}"))
        assert shield.first != shield.second
        assert parse_shield(shield.code) == shield == shield_from_parts(*shield)
    assert default_shield("Ada") == default_shield("Ada")
    assert len({default_shield(f"guest {n}") for n in range(100)}) > 80
    assert shield_or_default("", "") == ""


@pytest.mark.parametrize("code", ["", "aaaa", "aaaaaa", "zaaaa", "aazaa", "AAAAA", "../..", "aaaa\x00"])
def test_what_is_no_shield(code):
    with pytest.raises(BadRequest, match="no such shield"):
        parse_shield(code)
    with pytest.raises(BadRequest):
        shield_from_parts(*[code] * len(PARTS))


def test_a_shield_is_worn_where_one_sits_and_finished_games_keep_theirs(house, ada, bob):
    finished = house.tables.create(ada, "paper-tales", [ME, OPEN])
    finished.sit(bob, 1)
    play_on(finished, [ada, bob])
    running = house.tables.create(ada, "ghost-knights", [ME, HOTSEAT, OPEN, OPEN])
    old = shield_or_default("", ada.id)
    assert running.seats[0].shield == finished.seats[0].shield == old
    assert running.seats[1].shield not in ("", old), "a friend at the same screen has another one"
    code = shield_from_parts("lozenge", "cross", COLOURS[0], COLOURS[1], "star").code
    ada = house.accounts.change_shield(ada, code)
    assert house.tables.find(running.id).seats[0].shield == code
    assert house.tables.find(finished.id).seats[0].shield == old
    assert house.accounts.rename(ada, "Adèle").shield == code
    assert house.tables.create(ada, "takara-island", [ME, OPEN]).seats[0].shield == code
    with pytest.raises(BadRequest):
        house.accounts.change_shield(ada, "nonsense")
