"""One step of a match for the author of its game: agenda, answers and the rules against them, events, and what another
chance would lead to.

Nothing is hidden here: it is for the person who runs the match, never for its players. The match is not changed: it is
played again up to the step, on a copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from veillee.kernel.chance import Rng
from veillee.kernel.log import EVERYONE, NO_SEAT, Event
from veillee.kernel.plain import fields
from veillee.kernel.state import ALLOWED, Step
from veillee.match.errors import Forbidden, Unknown, quote, t
from veillee.match.match import Match

MAX_DRAWS = 100  # random numbers that may be forced


@dataclass(frozen=True)
class AgendaStep:
    """A step: its class, its arguments, and the first paragraph of its docstring."""

    name: str
    arguments: dict[str, Any]
    about: str

    @classmethod
    def of(cls, step: Step) -> AgendaStep:
        about = " ".join((type(step).__doc__ or "").split("\n\n")[0].split())
        return cls(type(step).__name__, {name: getattr(step, name) for name in fields(type(step))}, about)


@dataclass(frozen=True)
class PossibleAnswer:
    """An answer of the game and the rule against it, if there is one. `is_option`: the present question takes it."""

    seat: int
    id: int
    verb: str
    args: dict[str, int]
    is_option: bool
    rule: str
    words: str  # its label, or why it is forbidden


@dataclass(frozen=True)
class NumberedEvent:
    """An event with its number in the log. `to`: the seats that may know it; None: all."""

    number: int
    rule: str
    kind: str
    seat: int
    figures: dict[str, Any]
    to: tuple[int, ...] | None
    sentence: str


@dataclass(frozen=True)
class Chance:
    """The random numbers that come next: first these shares (0 up to 1), then those of a generator with this seed."""

    shares: tuple[float, ...] = ()
    seed: int = 0

    @classmethod
    def parse(cls, draws: str, seed: str) -> Chance | None:
        """Returns what was written into the two fields, None if both are empty: `2/6` is result 2 of 0 to 5, `0.5` the
        share itself. Raises Unknown."""
        if not draws.strip() and not seed.strip():
            return None
        words = draws.replace(",", " ").split()
        if len(words) > MAX_DRAWS:
            raise Unknown(t("At most {n} random numbers can be forced.", n=MAX_DRAWS))
        if seed.strip() and not (seed.strip().isascii() and seed.strip().isdigit() and len(seed.strip()) <= 18):
            raise Unknown(t("{seed} is no seed: write a whole number.", seed=quote(seed.strip())))
        return cls(tuple(map(_share, words)), int(seed.strip() or 0))

    def rng(self, drawn: list[float]) -> Rng:
        """Returns a generator of these numbers, which appends each to `drawn`."""
        rest, rng = Rng(self.seed), Rng(0)

        def draw() -> float:
            number = len(drawn)
            drawn.append(self.shares[number] if number < len(self.shares) else rest.share())
            return drawn[-1]

        rng.next = draw
        return rng


def _share(word: str) -> float:
    """Parses `2/6` or `0.5`. Raises Unknown."""
    result, slash, of = word.partition("/")
    try:
        share = (int(result) + 0.5) / int(of) if slash else float(word)
    except (ValueError, ZeroDivisionError):
        share = -1.0
    if not 0 <= share < 1 or (slash and int(of) < 1):
        raise Unknown(t("{word} is no random number: write 2/6, or a share from 0 to 1.", word=quote(word)))
    return share


@dataclass(frozen=True)
class Inspection:
    """A match after so many of its answers, and after those that were tried then. `drawn`: the random numbers of a
    forced chance that were used."""

    match: Match
    step: int
    steps: int
    tried: tuple[tuple[int, int], ...]
    given: tuple[int, int] | None  # the answer that the match has at this step, as (seat, answer)
    told_before: int  # number of events before the last answer
    drawn: tuple[float, ...]

    @property
    def agenda(self) -> list[AgendaStep]:
        """The steps that wait, the next one first."""
        return [AgendaStep.of(step) for step in reversed(self.match.state.agenda)]

    @property
    def question(self) -> AgendaStep | None:
        return AgendaStep.of(self.match.state.question) if self.match.to_act else None

    def answers(self, seat: int, lang: str) -> list[PossibleAnswer]:
        """Returns every answer of the game, for a seat that is asked."""
        match, state, found = self.match, self.match.state, []
        words = match.words(lang)
        for action in range(state.answers()):
            rule = state.explain(seat, action)
            verb, args = state.choice(action)
            said = match.box.speech.label(state, seat, action, words) if rule == ALLOWED else ""
            said = said or Forbidden(match.box, state, seat, action, rule).say(lang)
            found.append(PossibleAnswer(seat, action, verb, dict(args), state.takes(seat, action), rule, said))
        return found

    def events(self, lang: str, names: Sequence[str] = ()) -> list[NumberedEvent]:
        match, words = self.match, self.match.words(lang)
        who = names or [f"{seat + 1}" for seat in range(match.seats)]
        return [
            NumberedEvent(
                number,
                event.rule,
                event.kind.name,
                event.seat,
                dict(zip(event.kind.figures, event.figures, strict=True)),
                _knowing(event, match.seats),
                match.box.speech.event(event, who, words),
            )
            for number, event in enumerate(match.all_events())
        ]

    def views(self, seats: Sequence[int]) -> dict[int, dict[str, Any]]:
        """Returns what these seats may know; NO_SEAT is a spectator."""
        return {seat: self.match.view(seat) for seat in seats if NO_SEAT <= seat < self.match.seats}


def _knowing(event: Event, seats: int) -> tuple[int, ...] | None:
    return None if event.to == EVERYONE else tuple(seat for seat in range(seats) if event.visible(seat))


def inspect(
    match: Match, step: int | None = None, tried: Sequence[tuple[int, int]] = (), chance: Chance | None = None
) -> Inspection:
    """Plays the match again up to the step (None: the present one), then the tried answers, by its own chance or by a
    forced one. Raises Forbidden, Unknown."""
    answers = match.answers
    step = len(answers) if step is None else min(step, len(answers))
    drawn: list[float] = []
    again, told_before = match.from_the_start(), 0
    for seat, action in answers[:step]:
        told_before = len(again.all_events())
        again.play(seat, action)
    if chance is not None:
        again = again.branch(chance.rng(drawn))
    for seat, action in tried:
        told_before = len(again.all_events())
        again.play(seat, action)
    given = answers[step] if step < len(answers) and not tried else None
    return Inspection(again, step, len(answers), tuple(tried), given, told_before, tuple(drawn))
