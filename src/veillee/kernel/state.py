"""State of a game and the steps of its flow.

A game is a subclass of `State` (the things on the table) and a set of `Step` subclasses (the paragraphs of its
rulebook). The flow is the agenda, a stack of steps: the last one is carried out first; a step that must be answered
becomes the question; a step pushed by an effect interrupts those below it, which resume afterwards.

A game declares its things once, in the constructors of their classes: a copy is one call of them, and kernel/plain.py
derives the serialisation from them. A step is registered by being a subclass.

Everything a search touches is i64s, vecs of them and native classes, so that mypyc compiles it to C. What other modules
read (`to_act`, `agenda`, `legal`) is computed on access.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from veillee.kernel.chance import Rng
from veillee.kernel.log import END, EVERYONE, NO_SEAT, Event, Kind, Log
from veillee.kernel.plain import package_of, read_fields, read_step, steps_of, write_state

VERSION: Final = 2  # of this contract: a game made for another version is not loaded
ALLOWED: Final = ""  # returned by a guard when no rule forbids the choice
NOT_YOU: Final = "K-1"  # this seat is not asked
NOT_ASKED: Final = "K-2"  # a number that is no answer in this game
MOST_SEATS: Final = 8
MOST_ACTIONS: Final = 65536  # an answer is a number below this
A_FEW: Final = 64


@final
class Moves:
    """Legal answers to one question: a buffer that a player or a search owns and reuses."""

    def __init__(self) -> None:
        self.actions: vec[i64] = vec[i64]([0] * A_FEW)  # only the first `count` are valid
        self.count: i64 = 0

    def add(self, action: i64) -> None:
        count = self.count
        if count < len(self.actions):
            self.actions[count] = action
        else:
            self.actions = append(self.actions, action)
        self.count = count + 1

    def add_all(self, actions: vec[i64]) -> None:
        count = self.count
        if count + len(actions) > len(self.actions):
            for action in actions:
                self.add(action)
            return
        for action in actions:
            self.actions[count] = action
            count += 1
        self.count = count

    def random(self, rng: Rng) -> i64:
        pick = rng.below(self.count)
        return self.actions[pick]

    def at(self, place: i64) -> i64:
        return self.actions[place]

    def all(self) -> list[int]:
        return [int(self.actions[i]) for i in range(self.count)]


@mypyc_attr(acyclic=True, allow_interpreted_subclasses=True)
class Thing:
    """An object on the table that a position holds; its fields are its constructor's parameters, under the same names.

    `shape` says how fields are written that are neither numbers nor rows of numbers (kernel/plain.py).
    """

    shape: ClassVar[dict[str, Any]] = {}


@mypyc_attr(acyclic=True, allow_interpreted_subclasses=True)
class Step:
    """A paragraph of a rulebook, waiting on the agenda for its seat. Immutable, so clones share it."""

    def __init__(self, seat: i64) -> None:
        self.seat = seat

    def run(self, g: Any, rng: Rng) -> None:
        """Carries out the paragraph. By default asks its seat a question."""
        state: State = g
        state.ask(self)

    def begins_move(self) -> bool:
        """Returns whether a move begins with this question: then the seat's earlier answers are final, and shown to
        all."""
        return False

    def options(self, g: Any, seat: i64) -> vec[i64]:
        """Returns every possible answer to the question, allowed or not."""
        raise NotImplementedError(f"{type(self).__name__} is asked and has no options")

    def forbids(self, g: Any, seat: i64, action: i64) -> str:
        """Guard: returns the rule against this answer, or ALLOWED."""
        return ALLOWED

    def allow(self, g: Any, seat: i64, moves: Moves) -> None:
        """Adds the allowed answers, in the order of the options. A question without guards overrides this."""
        for action in self.options(g, seat):
            if not self.forbids(g, seat, action):
                moves.add(action)

    def answer(self, g: Any, seat: i64, action: i64, rng: Rng) -> None:
        """Carries out an allowed answer."""
        raise NotImplementedError(f"{type(self).__name__} is answered and does nothing")


@mypyc_attr(acyclic=True, allow_interpreted_subclasses=True)
class Phase(Step):
    """A paragraph of no particular seat: a setup, a war, the end of a round; a question to several seats at once."""

    def __init__(self) -> None:
        super().__init__(NO_SEAT)


def seats_in(mask: int) -> tuple[int, ...]:
    return tuple([seat for seat in range(MOST_SEATS) if (mask >> seat) & 1])


SEATS: Final = [seats_in(mask) for mask in range(1 << MOST_SEATS)]
FIRST: Final[vec[i64]] = vec[i64]([0] + [SEATS[mask][0] for mask in range(1, 1 << MOST_SEATS)])
OVER: Final[Step] = Step(NO_SEAT)  # the question of a state that asks nothing


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position: the things on the table, the agenda and the question."""

    shape: ClassVar[dict[str, Any]] = {}  # as of a Thing

    def __init__(self) -> None:
        self.waiting: i64 = 0  # the seats to act: the sum of 1 << seat; 0: the game is over
        self.question: Step = OVER
        self.steps: vec[Step] = vec[Step]()  # the agenda: only the first `depth` are valid, the last one is next
        self.depth: i64 = 0
        self.version: i64 = 1  # version of the game's rules (ADR 12)
        self.readings: i64 = 0  # readings other than the usual ones: the sum of 1 << number (ADR 35)
        self.log: Log | None = None  # set only during apply() and begin()

    # -- called by players and searches -------------------------------------------------------------------
    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must answer now; empty: the game is over."""
        return SEATS[self.waiting]

    @to_act.setter
    def to_act(self, seats: tuple[int, ...]) -> None:
        self.waiting = 0
        for seat in seats:
            self.waiting |= 1 << seat

    @property
    def agenda(self) -> list[Step]:
        return [self.steps[i] for i in range(self.depth)]

    @agenda.setter
    def agenda(self, steps: list[Step]) -> None:
        self.depth = 0
        for step in steps:
            self.push(step)

    @final
    def first_to_act(self) -> i64:
        return first_to_act(self)

    @final
    def offer(self, seat: i64, moves: Moves) -> None:
        """Fills `moves` with the choices of a seat in to_act: at least one."""
        offer(self, seat, moves)

    def legal(self, seat: i64) -> list[int]:
        """Like offer(), as a list."""
        moves = Moves()
        self.offer(seat, moves)
        return moves.all()

    def takes(self, seat: i64, action: i64) -> bool:
        """Returns whether this is an answer to the seat's question, allowed or not."""
        return self.asks(seat) and action in self.question.options(self, seat)

    def explain(self, seat: i64, action: i64) -> str:
        """Returns the rule that forbids the choice, or ALLOWED."""
        if not self.asks(seat):
            return NOT_YOU
        if not self.takes(seat, action):
            return self.misplaced(seat, action) if 0 <= action < self.answers() else NOT_ASKED
        return self.question.forbids(self, seat, action)

    def apply(self, seat: i64, action: i64, rng: Rng, log: Log | None = None) -> None:
        """Answers the question and proceeds to the next one. The action must be legal: callers check."""
        self.log = log
        play(self, seat, action, rng)
        self.log = None

    # -- called by the rules ------------------------------------------------------------------------------
    @final
    def begin(self, first: Step, rng: Rng, log: Log | None) -> None:
        """Carries out this step and what it pushes, up to the first question."""
        self.log = log
        self.push(first)
        self.proceed(rng)
        self.log = None

    @final
    def proceed(self, rng: Rng) -> None:
        """Carries out the agenda until a seat must answer or nothing is left."""
        proceed(self, rng)

    @final
    def push(self, step: Step) -> None:
        """Puts this step on top of the agenda."""
        top = self.depth
        if top < len(self.steps):
            self.steps[top] = step
        else:
            self.steps = append(self.steps, step)
        self.depth = top + 1

    @final
    def ask(self, question: Step) -> None:
        """Asks this question now, to its seat. Equivalent to push() if nothing is pushed after it, and faster."""
        self.question = question
        self.waiting = 1 << question.seat

    @final
    def ask_all(self, question: Step, seats: i64) -> None:
        """Asks this question now, to several seats at once: the sum of 1 << seat (`everyone()` is all of them)."""
        self.question = question
        self.waiting = seats

    @final
    def ask_again(self, seat: i64) -> None:
        """Asks the seat the same question again (the others may not have answered yet)."""
        self.waiting |= 1 << seat

    @final
    def asks(self, seat: i64) -> bool:
        """Returns whether this seat must answer now."""
        return (self.waiting >> seat) & 1 == 1

    @final
    def everyone(self) -> i64:
        """Returns all seats: the sum of 1 << seat."""
        return (1 << self.seats()) - 1

    @final
    def left_of(self, seat: i64) -> i64:
        """Returns the next seat, clockwise."""
        if seat + 1 < self.seats():
            return seat + 1
        return 0

    @final
    def end_game(self, rule: str) -> None:
        self.note(
            rule, END, NO_SEAT, 0, 0, 0, EVERYONE
        )  # all arguments given: mypyc 2.4 loses defaults when calling a method of a subclass
        self.depth = 0
        self.waiting = 0

    @final
    def note(self, rule: str, kind: Kind, seat: i64, a: i64 = 0, b: i64 = 0, c: i64 = 0, to: i64 = EVERYONE) -> None:
        """Logs an event that reveals nothing hidden, or that only its own seat is told (a secret choice).

        `a`, `b`, `c` are the figures of the kind, in its order.
        """
        if self.log is not None:
            self.log.add(rule, kind, seat, a, b, c, to)

    @final
    def show(self, rule: str, kind: Kind, seat: i64, a: i64, b: i64 = 0, c: i64 = 0) -> None:
        """Logs that the seat makes public what it alone knew (plays a card from its hand)."""
        if self.log is not None:
            self.log.add(rule, kind, seat, a, b, c, EVERYONE)
            self.log.shows += 1
            self.log.learned = EVERYONE

    @final
    def reveal(self, rule: str, kind: Kind, seat: i64, a: i64, b: i64 = 0, c: i64 = 0, to: i64 = EVERYONE) -> None:
        """Logs that the seats in `to`, the acting one included, see something that was hidden from them: it cannot be
        undone."""
        if self.log is not None:
            self.log.add(rule, kind, seat, a, b, c, to)
            self.log.reveals += 1
            self.log.learned |= int(to)

    @final
    def tell(self, event: Event) -> None:
        """Like note(), for an event with more than three figures, or lists of them. Check `log` before building the
        event."""
        if self.log is not None:
            self.log.events.append(event)

    # -- defined by each game -----------------------------------------------------------------------------
    def seats(self) -> i64:
        """Returns the number of players."""
        raise NotImplementedError

    def clone(self) -> State:
        """Returns an independent copy: the constructor called with copies of what can change, then resume(self)."""
        raise NotImplementedError

    def determinize(self, seat: i64, rng: Rng) -> None:
        """Resamples in place all that the seat cannot know, including other seats' pending secret answers.

        A spectator is seat NO_SEAT: everything that is not public is resampled. TOGETHER, all seats, know what any of
        them knows, and what each has answered: only what no seat can know is resampled. Only for TOGETHER is chance
        unbiased.
        """
        raise NotImplementedError

    def score(self, seat: i64) -> i64:
        """Returns the points by the rulebook, so far."""
        raise NotImplementedError

    def standing(self, seat: i64) -> list[int]:
        """Returns what ranks a seat, most significant first: usually its points, then each tie-break. Higher is
        better."""
        raise NotImplementedError

    def returns(self) -> list[float]:
        """Returns each seat's share of the victory (meaningful once to_act is empty)."""
        standings = [self.standing(seat) for seat in range(self.seats())]
        best = max(standings)
        winners = standings.count(best)
        return [1.0 / winners if standing == best else 0.0 for standing in standings]

    def answers(self) -> i64:
        """Returns the number of answers of the game: they are numbered from 0."""
        return 0

    def misplaced(self, seat: i64, action: i64) -> str:
        """Returns the rule that says when such an answer is given, for one that the present question does not take."""
        return NOT_ASKED

    def choice(self, action: i64) -> tuple[str, dict[str, int]]:
        """Returns an action as (verb, named arguments) for the screen, the log and JSON."""
        raise NotImplementedError

    @final
    def resume(self, other: State) -> None:
        """Copies the flow of the other state: question, seats to act, agenda, rules version and readings."""
        self.version = other.version
        self.readings = other.readings
        self.waiting = other.waiting
        self.question = other.question
        self.steps = other.steps[: other.depth]
        self.depth = other.depth

    def dump(self) -> dict[str, Any]:
        """Returns the full position, JSON-ready."""
        return write_state(self)


# -- the same for a search ----------------------------------------------------------------------------------
# Functions, which the C compiler inlines. A class open to interpreted subclasses looks up each of its methods, even
# final ones.
def first_to_act(g: State) -> i64:
    return FIRST[g.waiting]


def offer(g: State, seat: i64, moves: Moves) -> None:
    moves.count = 0
    g.question.allow(g, seat, moves)


def play(g: State, seat: i64, action: i64, rng: Rng) -> None:
    """apply() without a log."""
    g.waiting &= ~(1 << seat)
    g.question.answer(g, seat, action, rng)
    proceed(g, rng)


def proceed(g: State, rng: Rng) -> None:
    while g.waiting == 0 and g.depth > 0:
        top = g.depth - 1
        g.depth = top
        g.steps[top].run(g, rng)


def load(kind: type[State], data: dict[str, Any]) -> State:
    """Returns the state that dump() wrote."""
    steps = {Step.__name__: Step, **steps_of(Step, package_of(kind))}  # Step itself: OVER, before the first question
    flow = data["flow"]
    g: State = read_fields(kind, data)
    g.version = data.get("version", 1)
    g.readings = data.get("readings", 0)
    g.to_act = tuple(flow["to_act"])
    g.question = read_step(flow["question"], steps)
    g.agenda = [read_step(step, steps) for step in flow["agenda"]]
    return g
