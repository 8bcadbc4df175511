"""Beats: what happened in a game, as pages play and print it, limited to what the audience may see.

The events that an audience may see are numbered on their own: hidden events move no number. A beat is one event, or a
few that are shown together (games/scene.py), with one sentence. A page that knows event n gets what came after n. The
parts of the position that follow are authoritative; beats only animate the change.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from veillee.games.box import Box
from veillee.games.scene import LETTER, MOTION, READING, RESTS, SPEEDS, STEP, WALK, Scene, beats, filled, scene_of
from veillee.house.tables.moment import Moment
from veillee.kernel.log import NO_SEAT, Event
from veillee.match.match import Match
from veillee.web.rendering.guide_notes import add_notes
from veillee.web.rendering.seat_names import names_at as names_of
from veillee.web.rendering.templates import box_translator, environment

MAX_BEATS = 40  # beats sent at once; earlier ones are in the chronicle
MAX_CACHED_BEATS = 20_000  # entries in each cache
PACE = json.dumps(
    {
        "rests": {rest: round(seconds * 1000) for rest, seconds in RESTS.items()},
        "motion": round(MOTION * 1000),
        "step": round(STEP * 1000),
        "walk": round(WALK * 1000),
        "letter": round(LETTER * 1000),
        "reading": round(READING * 1000),
        "speeds": SPEEDS,
    }
)  # in milliseconds, for playback.js


@dataclass(frozen=True)
class BoardEffect:
    """What one event does on the board."""

    kind: str
    marks: Mapping[str, str]  # data-… attributes
    drawing: str  # what flies or is shown large; may be empty


@dataclass(frozen=True)
class Beat:
    """Events with their sentence in one language. Shared by every audience that may see them: it holds no event
    numbers."""

    events: tuple[Event, ...]
    sentence: str
    rule: str
    rest: str
    acts: tuple[BoardEffect, ...]
    body: Markup  # rendered for pages, without its number


@dataclass(frozen=True)
class Person:
    """A seat as drawings get it: what never changes during a game."""

    number: int
    name: str
    colour: str


class BeatCache:
    """Cache of the latest beats and sentences: each is made once per language, however many people look."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[Any, ...], Beat] = OrderedDict()
        self.lines: OrderedDict[tuple[Any, ...], tuple[Event, str]] = OrderedDict()

    def line(self, box: Box, names: tuple[str, ...], lang: str, event: Event) -> str:
        """Returns the sentence of one event; empty if it needs none."""
        key = (lang, names, id(event))
        found = self.lines.get(key)
        if found is None:
            found = self.lines[key] = (event, box.speech.event(event, names, box_translator(box, lang)))
            while len(self.lines) > MAX_CACHED_BEATS:
                self.lines.popitem(last=False)
        return found[1]

    def beat(self, box: Box, names: tuple[str, ...], lang: str, events: Sequence[Event]) -> Beat:
        key = (lang, names, *[id(e) for e in events])  # a cached beat holds its events, so their ids are not reused
        found = self.kept.get(key)
        if found is None:
            found = self.kept[key] = make_beat(box, names, lang, tuple(events))
            while len(self.kept) > MAX_CACHED_BEATS:
                self.kept.popitem(last=False)
        return found


READY = BeatCache()


def make_beat(box: Box, names: tuple[str, ...], lang: str, events: tuple[Event, ...]) -> Beat:
    t = box_translator(box, lang)
    said = [box.speech.event(e, names, t) for e in events]
    sentence = box.together(events, names, t) if box.together is not None and len(events) > 1 else ""
    scenes = [scene_of(box.scenes, e) for e in events]
    main = max(range(len(events)), key=lambda n: RESTS[scenes[n].rest])  # the one that is shown longest
    people = [Person(n, name, box.colours[n]) for n, name in enumerate(names)]
    env = environment(lang, box)
    acts = []
    for e, shown in zip(events, scenes, strict=True):
        drawing = ""
        if shown.draw:
            drawing = (
                env.get_template(f"board/show/{shown.draw}.html")
                .render(e=e, beat=events, seats=people, names=names)
                .strip()
            )
        acts.append(BoardEffect(e.kind.name, marks(shown, e), drawing))
    line, rule = sentence or " ".join(filter(None, said)), events[main].rule
    body = env.get_template("table/beat.html").render(sentence=line, rule_id=rule, acts=acts)
    return Beat(
        events,
        line,
        rule,
        scenes[main].rest,
        tuple(acts),
        Markup(body),  # noqa: S704 - it is escaped
    )


def marks(scene: Scene, e: Event) -> dict[str, str]:
    named = {
        "does": scene.does if scene.does != "say" else "",
        "piece": scene.piece,
        "from": scene.start,
        "to": scene.to,
        "count": scene.count,
        "by": scene.by,
        "sets": " ".join(f"{count}={number}" for count, number in scene.sets.items()),
        "step": scene.step,
        "changes": " ".join(scene.changes),
        "sound": scene.sound,
        "next": "then" if scene.is_next else "",
        "strikes": scene.strikes,
        "seat": str(e.seat) if e.seat != NO_SEAT else "",
    }
    return {name: filled(text, e) for name, text in named.items() if text}


def lines(table: Moment, match: Match, seat: int, lang: str, after: int = 0) -> list[tuple[Event, str]]:
    """Returns the events that the seat was told after number `after`, each with its sentence."""
    box, names = table.box, tuple(names_of(table, lang))
    news, missing = list[Event](), match.heard(seat) - after
    for chapter in match.chapters(seat) if missing > 0 else ():
        news[:0] = chapter[-missing:]
        missing -= len(chapter)
        if missing <= 0:
            break
    return [(event, READY.line(box, names, lang, event)) for event in news]


def happenings(
    table: Moment, match: Match, seat: int, lang: str, after: int = 0, most: int | None = None
) -> list[tuple[int, Beat]]:
    """Returns the beats of the events after number `after`, or the latest `most` of them; each with its last event's
    number."""
    box, names = table.box, tuple(names_of(table, lang))
    found: list[tuple[int, Beat]] = []
    last = match.heard(seat)
    for chapter in match.chapters(seat):
        if last <= after or (most is not None and len(found) >= most):
            break
        for events in reversed(beats(box.scenes, chapter[max(0, after - last + len(chapter)) :])):
            found.append((last, READY.beat(box, names, lang, events)))
            last -= len(events)
    return found[:most][::-1]


def render_beats(table: Moment, match: Match, seat: int, lang: str, after: int, *, plain: bool = False) -> str:
    """Renders the beats as a list that live.js plays; `plain`: without animation data, to be printed on a page. Empty
    if there are none."""
    found = add_notes(table, match, seat, lang, happenings(table, match, seat, lang, after, MAX_BEATS))
    if not found:
        return ""
    template = environment(lang, table.box).get_template("table/beats.html")
    return template.render(happenings=found, known=match.known(seat) if seat >= 0 else 0, plain=plain)
