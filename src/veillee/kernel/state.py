"""The state of a game and the steps of its flow.

A game is a subclass of `State` (the things on the table) and a set of `Step` subclasses (the paragraphs of its
rulebook). The flow is the agenda, a stack of steps: the last one is carried out first; a step that must be
answered becomes the question; a step pushed by an effect interrupts what lies below it, which resumes afterwards.

Everything a search touches is plain ints, lists of ints and native classes, so that mypyc turns it into C.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import mypyc_attr

from veillee.kernel.chance import Rng
from veillee.kernel.log import EVERYONE, NO_SEAT, Event, Log

ALLOWED: Final = ""  # what a guard answers when no rule forbids the choice
NOT_ASKED: Final = "kernel: not an answer to the question asked"
NOT_YOU: Final = "kernel: this seat is not asked"
NOBODY: Final[tuple[int, ...]] = ()


@mypyc_attr(acyclic=True)
class Step:
    """One paragraph of a rulebook, waiting on the agenda for its seat. Never changed, so clones share it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def args(self) -> list[int]:
        """The constructor's arguments, for JSON."""
        return [self.seat]

    def run(self, g: Any, rng: Rng) -> None:
        """Carry out the paragraph. Unless a game says otherwise it is a question to its seat."""
        state: State = g
        state.ask(self, SOLO[self.seat])

    def options(self, g: Any, seat: int) -> list[int]:
        """Every answer that the question could have, allowed or not."""
        raise NotImplementedError

    def forbids(self, g: Any, seat: int, action: int) -> str:
        """The guard: the rule against this answer, or ALLOWED."""
        return ALLOWED

    def legal(self, g: Any, seat: int) -> list[int]:
        """The allowed answers. A question without guards overrides this with its options."""
        return [a for a in self.options(g, seat) if not self.forbids(g, seat, a)]

    def answer(self, g: Any, seat: int, action: int, rng: Rng) -> None:
        """Carry out an allowed answer."""
        raise NotImplementedError


SOLO: Final[list[tuple[int, ...]]] = [(seat,) for seat in range(8)]
OVER: Final[Step] = Step(0)  # the question of a state that asks nothing


class State:
    """A position: the things on the table, the agenda and the question."""

    to_act: tuple[int, ...]  # the seats that must answer now; nobody: the game is over
    question: Step
    agenda: list[Step]
    log: Log | None  # lent by the caller for the length of one apply()

    # -- what a player or a search calls ------------------------------------------------------------------
    def legal(self, seat: int) -> list[int]:
        """The choices of a seat in to_act: never empty, and not to be changed (it may be a shared constant)."""
        return self.question.legal(self, seat)

    def explain(self, seat: int, action: int) -> str:
        """Why not? The rule that forbids the choice, or ALLOWED."""
        if seat not in self.to_act:
            return NOT_YOU
        if action not in self.question.options(self, seat):
            return NOT_ASKED
        return self.question.forbids(self, seat, action)

    def apply(self, seat: int, action: int, rng: Rng, log: Log | None = None) -> None:
        """Answer the question and go on until the next one. The action must be legal: callers check."""
        self.log = log
        waiting = self.to_act
        if len(waiting) == 1:
            self.to_act = NOBODY
        else:
            self.to_act = tuple([s for s in waiting if s != seat])
        self.question.answer(self, seat, action, rng)
        self.proceed(rng)
        self.log = None

    # -- what the rules call ------------------------------------------------------------------------------
    def proceed(self, rng: Rng) -> None:
        """Carry out the agenda until somebody must answer or nothing is left."""
        agenda = self.agenda
        while not self.to_act and agenda:
            agenda.pop().run(self, rng)

    def push(self, step: Step) -> None:
        """This step next, then what is already on the agenda."""
        self.agenda.append(step)

    def ask(self, step: Step, seats: tuple[int, ...]) -> None:
        self.question = step
        self.to_act = seats

    def ask_again(self, seat: int) -> None:
        """The seat has more to say to the same question (the others may still be thinking)."""
        self.to_act = tuple(sorted([*self.to_act, seat]))

    def end_game(self, rule: str) -> None:
        self.note(rule, "end", NO_SEAT)
        self.agenda.clear()
        self.to_act = NOBODY

    def note(self, rule: str, what: str, seat: int, a: int = 0, b: int = 0, c: int = 0, to: int = EVERYONE) -> None:
        """Something happened that tells nobody anything hidden, or that only its own seat is told (a secret choice)."""
        if self.log is not None:
            self.log.events.append(Event(rule, what, seat, a, b, c, to))

    def show(self, rule: str, what: str, seat: int, a: int, b: int = 0, c: int = 0) -> None:
        """The seat makes public what it alone knew (plays a card from its hand)."""
        if self.log is not None:
            self.log.events.append(Event(rule, what, seat, a, b, c, EVERYONE))
            self.log.shows += 1
            self.log.learned = EVERYONE

    def reveal(self, rule: str, what: str, seat: int, a: int, b: int = 0, c: int = 0, to: int = EVERYONE) -> None:
        """Those in `to` see something that was hidden from them, the acting seat included: it cannot be undone."""
        if self.log is not None:
            self.log.events.append(Event(rule, what, seat, a, b, c, to))
            self.log.reveals += 1
            self.log.learned |= to

    # -- what each game defines ---------------------------------------------------------------------------
    def seats(self) -> int:
        """How many play."""
        raise NotImplementedError

    def clone(self) -> State:
        raise NotImplementedError

    def determinize(self, seat: int, rng: Rng) -> None:
        """Resample in place all that the seat cannot know, other seats' pending secret answers included.

        A spectator is seat NO_SEAT: everything that is not public is resampled.
        """
        raise NotImplementedError

    def score(self, seat: int) -> int:
        """The points of the rulebook, so far."""
        raise NotImplementedError

    def standing(self, seat: int) -> list[int]:
        """What ranks a seat, the weightiest first: usually its points, then each tie-break. Higher is better."""
        raise NotImplementedError

    def returns(self) -> list[float]:
        """Each seat's share of the victory (meaningful once to_act is empty)."""
        standings = [self.standing(seat) for seat in range(self.seats())]
        best = max(standings)
        winners = standings.count(best)
        return [1.0 / winners if standing == best else 0.0 for standing in standings]

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
        """An action as (verb, named arguments) for the screen, the log and JSON."""
        raise NotImplementedError

    def dump(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        raise NotImplementedError

    # -- helpers for new games, clone and dump ------------------------------------------------------------
    def start_flow(self) -> None:
        self.to_act = NOBODY
        self.question = OVER
        self.agenda = []
        self.log = None

    def copy_flow(self, other: State) -> None:
        self.to_act = other.to_act
        self.question = other.question
        self.agenda = other.agenda[:]
        self.log = None

    def dump_flow(self) -> dict[str, Any]:
        return {
            "to_act": list(self.to_act),
            "question": dump_step(self.question),
            "agenda": [dump_step(step) for step in self.agenda],
        }

    def load_flow(self, data: dict[str, Any], steps: dict[str, Callable[..., Step]]) -> None:
        self.log = None
        self.to_act = tuple(data["to_act"])
        self.question = load_step(data["question"], steps)
        self.agenda = [load_step(step, steps) for step in data["agenda"]]


def dump_step(step: Step) -> list[Any]:
    return [type(step).__name__, *step.args()]


def load_step(data: list[Any], steps: dict[str, Callable[..., Step]]) -> Step:
    if data[0] == "Step":
        return OVER
    return steps[data[0]](*data[1:])
