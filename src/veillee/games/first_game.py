"""The guided first game that a box may bring: `first-game.toml` beside its rules. Content, no code.

    seats = 2                  # the table,
    me = 0                     # the seat of the one who learns,
    seed = 12                  # a deal that was chosen for teaching,
    level = "novice"           # and how well the others play once the script is over for them

    [options]                  # those that are not at their default

    [[notes]]                  # neither event nor question: said when the game begins
    rule = "SD-2.1"            # what it explains
    also = ["SD-8.1"]          # rules that it names besides
    fr = "…"
    en = "…"

    [[notes]]
    event = "dice"             # said after the first event of this kind that the learner is told of,
    by = "SD-2.1"              # by this rule if it is named

    [[notes]]
    question = "Announce"      # said when the learner is first asked this step's question,
    offers = "high"            # with such an answer among those allowed, if it is named
    nth = 2                    # not the first, but the second time

    [course]                   # what each seat answers: verb and arguments, as Match.choices() has them
    0 = ["character character=2", "high", …]
    1 = […]

The learner's own course is what the notes propose; the others keep to theirs as long as the rules allow it.
`python -m veillee.conformance.first_game` plays a course and writes it down.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from veillee.games.box import Box, Names, Options
from veillee.kernel.log import Event
from veillee.words import LANGUAGES

log: logging.Logger = logging.getLogger(__name__)

FILE = "first-game.toml"
GAP = re.compile(r"[ \t\n]+")  # a text may be written on several lines


class Unfit(ValueError):
    """Raised for an invalid first game; the message says where. Found by the conformance suite."""


@dataclass(frozen=True)
class Note:
    """A note on one idea, said once."""

    text: Names
    rule: str
    also: tuple[str, ...] = ()
    event: str = ""
    by: str = ""
    question: str = ""
    offers: str = ""
    nth: int = 1

    @property
    def opens(self) -> bool:
        """Whether it is said when the game begins."""
        return not self.event and not self.question

    @property
    def rules(self) -> tuple[str, ...]:
        return (self.rule, *self.also)

    def tells_of(self, e: Event) -> bool:
        return self.event == e.kind.name and self.by in ("", e.rule)

    def __repr__(self) -> str:
        return f"the note on {self.event or self.question or 'the beginning'} ({self.rule}, {self.nth})"


@dataclass(frozen=True)
class FirstGame:
    seats: int
    me: int
    seed: int
    level: str
    options: Options
    notes: tuple[Note, ...]
    course: Mapping[int, Sequence[str]] = field(default_factory=dict)  # seat -> its answers, in order

    def notes_on(self, events: Iterable[Event]) -> dict[int, list[Note]]:
        """Returns the notes that follow these events, by the events' numbers from 1."""
        found: dict[int, list[Note]] = {}
        met = dict.fromkeys(range(len(self.notes)), 0)
        for number, e in enumerate(events, 1):
            for place, note in enumerate(self.notes):
                if note.tells_of(e):
                    met[place] += 1
                    if met[place] == note.nth:
                        found.setdefault(number, []).append(note)
        return found


@cache
def first_game(box: Box) -> FirstGame | None:
    """Returns the box's first game; None if it has none, or an invalid one, which is logged: the box can be played all
    the same."""
    try:
        return found_in(box)
    except Unfit as error:
        log.warning("The guided first game cannot be played: %s", error)
        return None


def found_in(box: Box) -> FirstGame | None:
    """Returns the box's first game; None if it has none. Raises Unfit."""
    file = box.folder / FILE
    if not file.exists():
        return None
    try:
        return read(tomllib.loads(file.read_text("utf-8")))
    except ValueError as error:  # of the file, of TOML, of UTF-8
        raise Unfit(f"{box.id}/{FILE}: {error}") from None


def read(data: Mapping[str, Any]) -> FirstGame:
    """Parses the file's data. Raises Unfit."""
    try:
        course = {int(seat): tuple(answers) for seat, answers in data.get("course", {}).items()}
        found = FirstGame(
            seats=int(data["seats"]),
            me=int(data.get("me", 0)),
            seed=int(data["seed"]),
            level=str(data.get("level", "novice")),
            options=dict(data.get("options", {})),
            notes=tuple([_note(number, note) for number, note in enumerate(data.get("notes", ()), 1)]),
            course=course,
        )
    except Unfit:
        raise
    except KeyError as error:
        raise Unfit(f"{error} is missing.") from None
    except (TypeError, ValueError, AttributeError) as error:
        raise Unfit(f"It is not written as a first game is: {error}.") from None
    if not 0 <= found.me < found.seats or not set(course) <= set(range(found.seats)):
        raise Unfit(f"The seats are 0 to {found.seats - 1}.")
    return found


def _note(number: int, note: Mapping[str, Any]) -> Note:
    known = {f.name for f in fields(Note)} - {"text"}
    told = {name: value for name, value in note.items() if name in known}
    text = {lang: GAP.sub(" ", note[lang]).strip() for lang in LANGUAGES if lang in note}
    if len(told) + len(text) != len(note) or len(text) != len(LANGUAGES) or "rule" not in told:
        raise Unfit(
            f"Note {number} needs a rule and a text in every language, and may have {', '.join(sorted(known))}."
        )
    if note.get("event") and note.get("question"):
        raise Unfit(f"Note {number} is said after an event or at a question, not both.")
    return Note(text=text, **(told | {"also": tuple(told.get("also", ()))}))


def spoken(choice: tuple[str, Mapping[str, int]]) -> str:
    """Formats a choice as in a course: "put dolmen=3"."""
    verb, args = choice
    return " ".join([verb, *[f"{name}={value}" for name, value in args.items()]])
