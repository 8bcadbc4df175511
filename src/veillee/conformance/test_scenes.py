"""Every game with scenes: each kind of event has a scene, and everything that a scene names is on the board."""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Iterator
from random import Random
from unittest.mock import patch

import pytest

from veillee.conformance.test_boards import ICON, SYMBOL
from veillee.games.box import Box
from veillee.games.scene import Scene
from veillee.house.house import House
from veillee.house.tables.moment import Moment
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.log import END, NO_SEAT, Event, Kind
from veillee.match import seeds
from veillee.web.rendering.beats import happenings, make_beat
from veillee.web.rendering.table_parts import Audience, has_board, own_parts, parts_of
from veillee.web.rendering.templates import STATIC, board_folder, environment, markup

OFTEN = 3  # times that an event of one kind, by one rule, is checked in each way
SEEDS = (5, 6)  # of games
MARKS = {"piece": "data-piece", "from": "data-place", "to": "data-place", "count": "data-count"}


def kinds_of(box: Box) -> set[Kind]:
    """Returns every kind of event that the game's modules declare."""
    modules = [module for name, module in sys.modules.items() if f"{name}.".startswith(f"{box.package}.")]
    return {END} | {value for module in modules for value in vars(module).values() if isinstance(value, Kind)}


def scenes_of(box: Box) -> Iterator[tuple[Kind, str, Scene]]:
    for key, scene in box.scenes.items():
        kind, rule = key if isinstance(key, tuple) else (key, "")
        yield kind, rule, scene


def test_every_kind_of_event_has_a_scene(box: Box) -> None:
    """Or is declared as said only (SAY). A box without any scenes has everything said."""
    if not box.scenes:
        return
    shown = {kind for kind, rule, _ in scenes_of(box) if not rule}
    assert shown == kinds_of(box), f"no scene: {kinds_of(box) - shown}; no event: {shown - kinds_of(box)}"


def test_a_scene_names_figures_drawings_and_parts_that_there_are(box: Box) -> None:
    for kind, _, scene in scenes_of(box):
        texts = (scene.piece, scene.start, scene.to, scene.count, scene.by, scene.beat)
        named = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
        assert named <= {"seat", *kind.figures}, f"{kind!r} has no {named - {'seat', *kind.figures}}"
        assert not scene.draw or (board_folder(box) / "show" / f"{scene.draw}.html").exists(), scene
        assert not scene.then or scene.then in (*own_parts(box, "public"), *own_parts(box, "private")), scene
        assert (scene.does in ("fly", "show")) == bool(scene.draw), f"{kind!r}: what flies or is shown is drawn"
        assert scene.does != "gain" or (scene.count and scene.by), f"{kind!r}: a number goes to a count"


def test_whatever_is_drawn_is_drawn_from_its_event_alone(box: Box) -> None:
    """It does not depend on which events are shown together, nor on which of them a reader has seen already."""
    names = tuple(f"Seat {n}" for n in range(box.players[-1]))
    for kind, rule, scene in scenes_of(box):
        if scene.draw:
            make_beat(box, names, "fr", (Event(rule, kind, 0, [0] * len(kind.figures)),))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House.open(tmp_path_factory.mktemp("scenes"), workers=0)
    yield house
    house.close()


def board(now: Moment, seat: int) -> str:
    """Returns all that the page of this audience shows of the game."""
    parts = parts_of(now, Audience(seat), "fr", None, "")
    table = environment("fr", now.box).get_template("board/table.html").render(p=markup(parts))
    return table + parts["players"]


def test_whatever_a_scene_names_is_on_the_board(box: Box, house: House) -> None:
    """On the board before the event, where it is played; for a seat, and for spectators."""
    if not has_board(box):
        return
    icons = {
        f"/boards/{box.code}/icons.svg": board_folder(box) / "icons.svg",
        "/static/icons.svg": STATIC / "icons.svg",
    }
    symbols = {
        address: set(SYMBOL.findall(file.read_text("utf-8"))) for address, file in icons.items() if file.exists()
    }
    looked: dict[tuple[str, str, int], int] = {}
    for seed in SEEDS:
        seats = box.players[seed % len(box.players)]
        guest = house.guests.new("Ada")
        with patch.object(seeds, "new_seed", lambda seed=seed: seeds.seed_from(seed)):
            table = house.tables.create(
                guest, box.id, [SeatPlan("me"), *[SeatPlan("hotseat")] * (seats - 1)], public=False
            )
        pick = Random(seed)
        while table.status == "playing":
            before = table.moment
            asked = pick.choice(before.match.to_act)
            table.answer(guest, asked, table.stamp(asked), [pick.choice(before.match.choices(asked)).id])
            for seat in (NO_SEAT, 0):
                page = ""
                for _, beat in happenings(table.moment, table.match, seat, "fr", before.match.heard(seat)):
                    for e, act in zip(beat.events, beat.acts, strict=True):
                        key = (e.kind.name, e.rule, seat)
                        looked[key] = looked.get(key, 0) + 1
                        if looked[key] > OFTEN:
                            continue
                        page = page or board(before, seat)
                        for mark, attribute in MARKS.items():
                            named = act.marks.get(mark)
                            assert not named or f'{attribute}="{named}"' in page, f"{e.kind!r} ({e.rule}): no {named!r}"
                        for address, symbol in ICON.findall(act.drawing):
                            assert symbol in symbols[address], f"{e.kind!r}: there is no picture {symbol!r}"
                        assert not re.search(r"\s(style|onclick)=", act.drawing)
