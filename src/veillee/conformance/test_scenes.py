"""Every game with scenes: each kind of event has a scene, everything that a scene names is on the board, and what happens
changes the board where it happens: after the last beat it is the board that is drawn."""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from html.parser import HTMLParser
from random import Random
from unittest.mock import patch

import pytest

from veillee.conformance.test_boards import ICON, SYMBOL
from veillee.games.box import Box
from veillee.games.scene import Scene, filled, scene_of
from veillee.house.house import House
from veillee.house.tables.moment import Moment
from veillee.house.tables.seats import SeatPlan
from veillee.kernel.log import END, NO_SEAT, Event, Kind
from veillee.match import seeds
from veillee.web.rendering.beats import happenings, make_beat
from veillee.web.rendering.table_parts import Audience, has_board, parts_of
from veillee.web.rendering.templates import STATIC, board_folder, environment, markup

OFTEN = 3  # times that an event of one kind, by one rule, is checked in each way
SEEDS = (5, 6)  # of games
VOID = {"br", "hr", "img", "input", "use", "path", "circle", "rect"}  # tags without an end
OF_THE_QUESTION = {"final", "prompt", "act"}  # parts that are not played
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
        texts = (
            scene.piece,
            scene.start,
            scene.to,
            scene.by,
            scene.beat,
            scene.strikes,
            *scene.sets.values(),
            *scene.touched(),
        )
        named = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
        assert named <= {"seat", *kind.figures}, f"{kind!r} has no {named - {'seat', *kind.figures}}"
        assert not scene.draw or (board_folder(box) / "show" / f"{scene.draw}.html").exists(), scene
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


def games(box: Box, house: House) -> Iterator[tuple[Moment, Moment]]:
    """Plays whole games at random; yields the moments before and after each answer."""
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
            yield before, table.moment


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
    for before, now in games(box, house):
        for seat in (NO_SEAT, 0):
            page = ""
            for _, beat in happenings(now, now.match, seat, "fr", before.match.heard(seat)):
                for e, act in zip(beat.events, beat.acts, strict=True):
                    key = (e.kind.name, e.rule, seat)
                    looked[key] = looked.get(key, 0) + 1
                    if looked[key] > OFTEN:
                        continue
                    page = page or board(before, seat)
                    for mark, attribute in MARKS.items():
                        named = act.marks.get(mark)
                        assert not named or f'{attribute}="{named}"' in page, f"{e.kind!r} ({e.rule}): no {named!r}"
                    for count in act.marks.get("sets", "").split():
                        named = count.partition("=")[0]
                        assert f'data-count="{named}"' in page, f"{e.kind!r} ({e.rule}): no {named!r}"
                    for address, symbol in ICON.findall(act.drawing):
                        assert symbol in symbols[address], f"{e.kind!r}: there is no picture {symbol!r}"
                    assert not re.search(r"\s(style|onclick)=", act.drawing)


class Drawn(HTMLParser):
    """Reads one part of a page as it is seen: its words and pictures without what is touched, and its counts."""

    def __init__(self, html: str, touched: Collection[str] = (), *, is_same_turn: bool = True) -> None:
        super().__init__()
        self.touched = set(touched)
        self.is_same_turn = is_same_turn  # else without what shows whose turn it is (data-present)
        self.open: list[tuple[str, bool, str]] = []  # tags, whether what is in them is passed over, their count
        self.seen: list[str] = []
        self.counts: dict[str, str] = {}
        self.feed(html)

    @property
    def passed_over(self) -> bool:
        return bool(self.open) and self.open[-1][1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        marks = {has.get("data-place"), has.get("data-piece"), has.get("data-count")}
        away = self.passed_over or bool(marks & self.touched) or tag == "noscript"
        away |= "data-present" in has and not self.is_same_turn
        away |= "sr" in (has.get("class") or "").split()
        if not away and tag == "use":
            self.seen.append((has.get("href") or "").partition("#")[2])
        if tag not in VOID:
            self.open.append((tag, away, has.get("data-count") or ""))

    def handle_endtag(self, tag: str) -> None:
        while tag not in VOID and self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1][2]:
            self.counts[self.open[-1][2]] = data.strip()
        if not self.passed_over and data.strip():
            self.seen.append(" ".join(data.split()))


@lru_cache(maxsize=100)
def counts_of_part(html: str) -> dict[str, str]:
    return Drawn(html).counts


def counts_of(parts: dict[str, str]) -> dict[str, str]:
    return {count: text for html in parts.values() for count, text in counts_of_part(html).items()}


class Parts:
    """Draws the moments of a game, each once for each seat: what comes after an answer is what was before the next one."""

    def __init__(self) -> None:
        self.latest: dict[int, tuple[Moment, dict[str, str]]] = {}

    def of(self, moment: Moment, seat: int) -> dict[str, str]:
        known = self.latest.get(seat)
        if known is None or known[0] is not moment:
            known = self.latest[seat] = moment, parts_of(moment, Audience(seat), "fr", None, "", log=False)
        return known[1]


def test_after_its_beats_the_board_that_was_played_is_the_board_that_is_drawn(box: Box, house: House) -> None:
    """Nothing differs but what the scenes change. Numbers that they set or add to are those of the board."""
    if not box.scenes or not has_board(box):
        return
    parts = Parts()
    for before, now in games(box, house):
        for seat in (NO_SEAT, 0):
            told = [beat for _, beat in happenings(now, now.match, seat, "fr", before.match.heard(seat))]
            if not told or seat in before.match.to_act or seat in now.match.to_act:
                continue  # what a seat is asked is on its board, too
            was, drawn = parts.of(before, seat), parts.of(now, seat)
            events = [e for beat in told for e in beat.events]
            kinds = [f"{e.kind.name} {e.rule}" for e in events]
            touched = {filled(mark, e) for e in events for mark in scene_of(box.scenes, e).touched()}
            played = play_numbers(box, counts_of(was), events)
            shown = counts_of(drawn)
            wrong = {
                count: (n, shown[count]) for count, n in played.items() if count in shown and str(n) != shown[count]
            }
            assert not wrong, f"{kinds} lead to other numbers than are drawn: {wrong}"
            same = before.match.to_act == now.match.to_act
            for name in sorted({*was, *drawn} - OF_THE_QUESTION):
                if was.get(name) == drawn.get(name):
                    continue
                old, new = (Drawn(one.get(name, ""), touched, is_same_turn=same).seen for one in (was, drawn))
                assert old == new, f"{name} changes, and {kinds} do not say so"


def play_numbers(box: Box, counts: dict[str, str], events: Sequence[Event]) -> dict[str, int]:
    """Returns the counts after these events, without those that are taken from the new board."""
    played = {count: int(text) for count, text in counts.items()}
    for e in events:
        scene = scene_of(box.scenes, e)
        for mark in scene.changes:
            played.pop(filled(mark, e), None)
        if scene.count and filled(scene.count, e) in played:
            played[filled(scene.count, e)] += int(filled(scene.by, e))
        played |= {filled(count, e): int(filled(figure, e)) for count, figure in scene.sets.items()}
    return played
