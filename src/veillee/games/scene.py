"""Scenes: how a box has its events shown, one scene per kind of event. Data only; the player of scenes knows no game.

A page plays events on the board as it was before them, and each event changes what it is about: a scene refers to
things and places there by their attributes (data-piece, data-place, data-count, …; docs/add-a-game.md lists them all).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from veillee.kernel.log import END, Event, Kind

# Seconds, at normal speed. Defined only here: pages are sent them, and bots wait while their actions are shown.
RESTS = {
    "none": 0.0,  # goes on at once: the next one tells more
    "note": 0.35,  # said in passing
    "move": 0.3,  # a piece has moved
    "look": 0.7,  # dice have fallen, a tile was turned up
    "result": 1.2,  # it must be read: at least this long, and long enough to read its sentence
    "tap": 0.0,  # a note of a guided first game: stays until the player goes on
}
MOTION = 0.45  # one flight
STEP = 0.16  # one space of a walk
WALK = 1.0  # the longest walk
LETTER = 0.018  # per character of the sentence of a result
READING = 2.0  # the longest reading time of a result
SPEEDS = {"calm": 1.6, "normal": 1.0, "brisk": 0.4, "once": 0.0}  # factors of all durations

DOES = ("say", "glide", "fly", "show", "gain")
SOUNDS = ("", "card", "dice", "gain", "war")


@dataclass(frozen=True)
class Scene:
    """How a kind of event is shown. {seat} and the names of its figures in a string stand for those of the event."""

    does: str = "say"  # glide (a piece), fly (a drawing, from place to place), show (a drawing, large), gain (a number)
    piece: str = ""  # which data-piece it is about
    start: str = ""  # the data-place it comes from
    to: str = ""  # the data-place it goes to
    draw: str = ""  # board/show/<draw>.html draws what flies or is shown
    count: str = ""  # which data-count changes,
    by: str = ""  # and by how much: a figure, "{points}", or a number
    sets: Mapping[str, str] = field(default_factory=dict)  # which data-counts it names, and their numbers: a figure
    step: str = ""  # the data-step at which the game is now
    changes: tuple[
        str, ...
    ] = ()  # which other data-places, -pieces and -counts it changes: nothing else may differ after it
    rest: str = "note"  # how long it stays: one of RESTS
    sound: str = ""  # one of SOUNDS; by default what moves or is shown sounds like a card
    beat: str = ""  # neighbours of the same beat, caused by the same answer, are played and said together
    is_next: bool = False  # within its beat it is shown when what comes before it has been: die after die
    strikes: str = ""  # and how many of the hearts (data-falls) that are shown large then fall: a figure

    def __post_init__(self) -> None:
        if self.does not in DOES or self.rest not in RESTS or self.sound not in SOUNDS:
            raise ValueError(f"No scene does {self.does!r}, rests {self.rest!r} and sounds like {self.sound!r}.")

    def touched(self) -> tuple[str, ...]:
        """Returns the marks of everything that it changes on the board, with the names of figures in them."""
        flown = (self.start, self.to) if self.does == "fly" else ()
        glides = self.piece if self.does == "glide" else ""
        return (*self.changes, *self.sets, *filter(None, (self.count, glides, *flown)))


SAY = Scene()  # its sentence is enough

Scenes = Mapping[Kind | tuple[Kind, str], Scene]  # of a kind of event; or of one by that rule


def scene_of(scenes: Scenes, e: Event) -> Scene:
    """Returns the scene of an event; by default its sentence is said."""
    return scenes.get((e.kind, e.rule)) or scenes.get(e.kind) or (RESULT if e.kind is END else SAY)


RESULT = Scene(rest="result")


def filled(text: str, e: Event) -> str:
    """Fills the figures of the event into a string of a scene."""
    if "{" not in text:
        return text
    return text.format_map({"seat": e.seat, **dict(zip(e.kind.figures, e.figures, strict=True))})


def beats(scenes: Scenes, events: Sequence[Event]) -> list[list[Event]]:
    """Groups the events caused by one answer into those shown together."""
    found: list[list[Event]] = []
    last = ""
    for e in events:
        beat = filled(scene_of(scenes, e).beat, e)
        if beat and beat == last:
            found[-1].append(e)
        else:
            found.append([e])
        last = beat
    return found


def lasts(scenes: Scenes, beat: Sequence[Event]) -> float:
    """Returns how long a beat is shown at normal speed, roughly: without the reading time of its sentence."""
    parts = [scene_of(scenes, e) for e in beat]
    one_by_one = MOTION * sum(scene.is_next for scene in parts)
    return one_by_one + max(RESTS[scene.rest] + (MOTION if scene.does != "say" else 0.0) for scene in parts)
