"""How a box has its events shown: a table of scenes, one for each kind of event. Data alone; what plays them knows no game.

A page plays what happened on the board as it was: a scene names things and places there by their marks (data-piece,
data-place, data-count, …; docs/add-a-game.md has them all).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veillee.kernel.log import END, Event, Kind

# Seconds, at normal speed. Here and nowhere else: pages are sent them, and bots wait as long as what they did is shown.
RESTS = {
    "none": 0.0,  # goes on at once: the next one tells more
    "note": 0.5,  # said in passing
    "move": 0.7,  # a piece has moved
    "look": 1.2,  # dice have fallen
    "result": 2.0,  # something that matters: at least, and as long as its sentence takes to read
    "tap": 0.0,  # a note of a guided first game: stays until one goes on
}
MOTION = 0.55  # one flight
STEP = 0.19  # one space of a walk
WALK = 1.4  # the longest walk
LETTER = 0.026  # of the sentence of a result
READING = 3.0  # the longest that a result waits to be read
SPEEDS = {"calm": 1.6, "normal": 1.0, "brisk": 0.4, "once": 0.0}  # what all of it is multiplied by

DOES = ("say", "glide", "fly", "show", "gain")
SOUNDS = ("", "card", "dice")


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
    rest: str = "note"  # how long it stays: one of RESTS
    then: str = ""  # the part that may be put in place right after it: it shows this and nothing later
    sound: str = ""  # one of SOUNDS; by default what moves or is shown sounds like a card
    beat: str = ""  # neighbours of the same beat, caused by the same answer, are played and said together

    def __post_init__(self) -> None:
        if self.does not in DOES or self.rest not in RESTS or self.sound not in SOUNDS:
            raise ValueError(f"No scene does {self.does!r}, rests {self.rest!r} and sounds like {self.sound!r}.")


SAY = Scene()  # its sentence is enough

Scenes = Mapping[Kind | tuple[Kind, str], Scene]  # of a kind of event; or of one by that rule


def scene_of(scenes: Scenes, e: Event) -> Scene:
    """The scene of an event; a box that has none for it has its sentence said."""
    return scenes.get((e.kind, e.rule)) or scenes.get(e.kind) or (RESULT if e.kind is END else SAY)


RESULT = Scene(rest="result")


def filled(text: str, e: Event) -> str:
    """A string of a scene with the figures of the event."""
    if "{" not in text:
        return text
    return text.format_map({"seat": e.seat, **dict(zip(e.kind.figures, e.figures, strict=True))})


def beats(scenes: Scenes, events: Sequence[Event]) -> list[list[Event]]:
    """What one answer caused, cut into what is shown together."""
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
    """How long a beat is on show at normal speed, roughly: what its sentence takes to read is not known here."""
    parts = [scene_of(scenes, e) for e in beat]
    return max(RESTS[scene.rest] + (MOTION if scene.does != "say" else 0.0) for scene in parts)
