"""What a number says is a promise: saved games, links to a moment and programs keep answers by number.

The first and the last number of every kind of answer; a change here makes old games unreadable: the version of its box must then rise.
"""

from __future__ import annotations

import pytest

from veillee.games.catalogue import BOXES
from veillee.games.tales_of_glory import rules as tg
from veillee.kernel.chance import Rng
from veillee.match.match import complete

MEANINGS = {
    "ghost-knights": {
        0: ("draw", {}),
        1: ("pass", {}),
        2: ("play", {"colour": 0}),
        7: ("play", {"colour": 5}),
        8: ("owner", {"seat": 0}),
        12: ("owner", {"seat": 4}),
        13: ("put", {"dolmen": 0}),
        17: ("put", {"dolmen": 4}),
        18: ("take", {"dolmen": 0}),
        22: ("take", {"dolmen": 4}),
    },
    "paper-tales": {
        0: ("keep", {"kind": 0}),
        41: ("keep", {"kind": 41}),
        42: ("toss", {"kind": 0}),
        83: ("toss", {"kind": 41}),
        84: ("front", {}),
        85: ("back", {}),
        86: ("save", {}),
        87: ("discard", {}),
        88: ("age", {"place": 0}),
        92: ("age", {"place": 4}),
        93: ("heal", {"place": 0}),
        97: ("heal", {"place": 4}),
        98: ("let die", {}),
        99: ("build", {"building": 0}),
        103: ("build", {"building": 4}),
        104: ("build high", {"building": 0}),
        108: ("build high", {"building": 4}),
        109: ("upgrade", {"building": 0}),
        113: ("upgrade", {"building": 4}),
        114: ("build nothing", {}),
    },
    "takara-island": {
        0: ("stop", {}),
        1: ("observe", {"site": 0}),
        6: ("observe", {"site": 5}),
        7: ("work", {"site": 0}),
        12: ("work", {"site": 5}),
        13: ("den", {}),
        14: ("sell", {"xp": 1}),
        16: ("sell", {"xp": 4}),
        17: ("buy", {}),
        18: ("hire", {"specialist": 0}),
        20: ("hire", {"specialist": 2}),
        21: ("no_sword", {}),
        22: ("rent", {}),
        23: ("go_on", {}),
        24: ("turn_up", {}),
        25: ("site", {"site": 0}),
        30: ("site", {"site": 5}),
        31: ("depth", {"above": 0}),
        37: ("depth", {"above": 6}),
        38: ("take_karas", {}),
        39: ("keep_map", {}),
        40: ("no_recruit", {}),
        41: ("recruit", {}),
        42: ("care", {"adventurers": 0}),
        45: ("care", {"adventurers": 3}),
        46: ("hire", {"specialist": 3}),
    },
    "tales-of-glory": {
        0: ("select", {"slot": 1}),
        7: ("select", {"slot": 8}),
        8: ("take", {"slot": 1}),
        15: ("take", {"slot": 8}),
        16: ("play", {"extra": 0}),
        18: ("play", {"extra": 2}),
        19: ("discard", {}),
        20: ("done", {}),
        21: ("quest", {"quest": 1}),
        36: ("quest", {"quest": 16}),
        37: ("drop", {"quest": 1}),
        52: ("drop", {"quest": 16}),
        53: ("open", {"tile": 0, "chest": 1}),
        200: ("open", {"tile": 73, "chest": 2}),
    },
    "sourire-du-dragon": {
        0: ("high", {}),
        1: ("low", {}),
        2: ("character", {"character": 0}),
        7: ("character", {"character": 5}),
        8: ("go", {}),
        9: ("uni", {}),
        10: ("boots", {"squares": 1}),
        15: ("boots", {"squares": 6}),
        16: ("pass", {}),
        17: ("hat", {}),
        18: ("accept", {}),
        19: ("refuse", {}),
        20: ("attack", {"seat": 0}),
        25: ("attack", {"seat": 5}),
        26: ("offer", {"seat": 0}),
        31: ("offer", {"seat": 5}),
        32: ("to", {"seat": 0}),
        37: ("to", {"seat": 5}),
        38: ("card", {"card": 0}),
    },
}


@pytest.mark.parametrize("game", list(BOXES))
def test_a_number_means_what_it_meant(game: str) -> None:
    box = BOXES[game]
    state = box.new(box.players[0], Rng(1), complete(box, {}), None)
    assert {number: state.choice(number) for number in MEANINGS[game]} == MEANINGS[game]


def test_a_tile_of_tales_of_glory_is_placed_beside_the_hero() -> None:
    """Cells count from the hero, to the right and down."""
    box = BOXES["tales-of-glory"]
    state = box.new(2, Rng(1), complete(box, {}), None)
    beside = {tg.PUT + tg.HOME: (0, 0), tg.PUT + tg.HOME + 1: (1, 0), tg.PUT + tg.HOME - tg.SPAN: (0, -1)}
    told = {number: state.choice(number) for number in beside}
    assert told == {number: ("place", {"x": x, "y": y}) for number, (x, y) in beside.items()}
