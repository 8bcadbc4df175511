"""Network files: what fits is used, and what does not is refused whole, with a sentence."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from veillee.bots.levels import level
from veillee.bots.planning import advisor_of, plan_as, resample_for_seat
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.games.network import (
    MOST_BYTES,
    NETWORK_FILE,
    SHIPPED,
    BadNetwork,
    advisor_with,
    example,
    fresh_advisor,
    identity,
    pack,
    read,
    refused,
    unpack,
)
from veillee.kernel.chance import Rng
from veillee.kernel.network import readable

HIDDEN = 8


def network(box: Box, seed: int = 1) -> dict[str, Any]:
    """A file of small weights at random."""
    rng, advisor = Rng(seed), fresh_advisor(box)
    assert box.planes is not None
    planes = readable(box.planes, [example(box, seats) for seats in box.players])
    about = identity(box, advisor)
    inputs = 2 * about["features"] + about["phases"] + sum(plane.inputs() for plane in planes)
    return {
        **about,
        "hidden": HIDDEN,
        "reach": 5,
        "whole_phases": False,
        "planes": [[one.name, one.places, one.times, one.each_seat, one.things] for one in planes],
        "weights": pack([rng.share() - 0.5 for _ in range((inputs + 2) * HIDDEN)]),
        "made": {},
    }


def box_with(box: Box, folder: Path, text: str) -> Box:
    (folder / NETWORK_FILE).write_text(text, encoding="utf-8")
    return replace(box, folder=folder)


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_what_a_box_ships_fits(box: Box) -> None:
    """Otherwise train it again: what it corrects, or what it reads, has changed."""
    assert refused(box) is None


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_a_network_is_read_and_used(box: Box, tmp_path: Path) -> None:
    own = box_with(box, tmp_path, json.dumps(network(box)))
    advisor = advisor_with(own, SHIPPED)
    assert advisor.network is not None
    assert (advisor.reach, advisor.whole_phases) == (5, False)
    assert advisor_of(own, level("master", box.id)) is advisor
    assert advisor_of(own, level("expert", box.id)) is (box.adept or box.advisor), "only masters use it"
    state = box.new(box.players[-1], Rng(1), {option.id: next(iter(option.values)) for option in box.options}, None)
    assert list(advisor.evaluate(state)) != list(box.advisor.evaluate(state))
    assert list(advisor.evaluate(state)) == list(advisor_with(box, str(tmp_path / NETWORK_FILE)).evaluate(state))


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_without_a_network_a_master_thinks_as_an_expert_does(box: Box, tmp_path: Path) -> None:
    assert advisor_with(replace(box, folder=tmp_path), SHIPPED) is (box.adept or box.advisor)
    assert refused(replace(box, folder=tmp_path)) is None


# What masters answer with a network of weights at random and 40 games in the head: the same on both engines.
ANSWERS = {
    "ghost-knights": [3, 13, 0, 0],
    "paper-tales": [25, 20, 16],
    "takara-island": [4, 4, 3],
    "tales-of-glory": [2, 0, 0],
    "sourire-du-dragon": [6, 2, 2],
}


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_the_same_weights_give_the_same_answers(box: Box, tmp_path: Path) -> None:
    own = box_with(box, tmp_path, json.dumps(network(box)))
    master = replace(level("master", box.id), iterations=40)
    found = []
    for number in range(3):
        state = box.new(box.players[-1], Rng(number), {o.id: next(iter(o.values)) for o in box.options}, None)
        seat = state.to_act[0]
        found += plan_as(own, box.load(resample_for_seat(state, seat, number)), seat, master, number, timed=False)
    assert found == ANSWERS[box.id]


def broken(key: str, value: object) -> Callable[[dict[str, Any]], str]:
    return lambda whole: json.dumps({**whole, key: value})


def weights(change: Callable[[list[float]], list[float]]) -> Callable[[dict[str, Any]], str]:
    return lambda whole: json.dumps({**whole, "weights": pack(change(unpack(whole["weights"])))})


BROKEN: dict[str, Callable[[dict[str, Any]], str]] = {
    "cut off": lambda whole: json.dumps(whole)[:-40],
    "empty": lambda whole: "",
    "no object": lambda whole: "[]",
    "too large": lambda whole: json.dumps(whole) + " " * MOST_BYTES,
    "too deep": lambda whole: "[" * 200_000,
    "another format": broken("format", 2),
    "another game": broken("game", "takara-island"),
    "other rules": broken("rules", 99),
    "other weights below it": broken("linear", "0" * 16),
    "another number of features": broken("features", 3),
    "another number of phases": broken("phases", 2),
    "too many units": broken("hidden", 10_000),
    "units that are no number": broken("hidden", True),
    "no reach": broken("reach", 0),
    "a yes that is none": broken("whole_phases", "yes"),
    "a key is missing": lambda whole: json.dumps({key: whole[key] for key in whole if key != "planes"}),
    "planes of another game": broken("planes", [["a team: Karas", 1, 4, True, 0]]),
    "planes that are none": broken("planes", [1]),
    "half a weight": lambda whole: json.dumps({**whole, "weights": whole["weights"][:-4] + "AA=="}),
    "no base64": broken("weights", "%%%"),
    "a weight is missing": weights(lambda found: found[1:]),
    "a weight is no number": weights(lambda found: [float("nan"), *found[1:]]),
    "a weight is infinite": weights(lambda found: [*found[:-1], float("inf")]),
    "a weight is too large": weights(lambda found: [2000.0, *found[1:]]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_does_not_fit_is_refused_whole(name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    box = BOXES["ghost-knights"]
    own = box_with(box, tmp_path, BROKEN[name](network(box)))
    with pytest.raises(BadNetwork) as told:
        advisor_with(own, str(tmp_path / NETWORK_FILE))
    for lang in ("fr", "en"):
        assert NETWORK_FILE in told.value.said.say(lang)
    with caplog.at_level(logging.WARNING):
        assert advisor_with(own, SHIPPED) is box.advisor
    assert "ghost-knights is judged without its network" in caplog.text


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadNetwork, match="cannot be read: No such file or directory"):
        read(BOXES["ghost-knights"], tmp_path / "nothing.json")
