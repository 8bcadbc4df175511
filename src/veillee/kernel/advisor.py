"""Game knowledge for the search, which itself knows no game."""

from __future__ import annotations

from math import exp
from typing import Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from veillee.kernel.chance import Rng
from veillee.kernel.network import Network
from veillee.kernel.state import Moves, State, offer, play

REACH: Final = 20  # decisions: about two rounds of a table, where playouts were most informative in our games
MOST_SIGNS: Final = 64  # of one answer
FAR: Final = 1e9  # beyond any feature value


def shares(state: State) -> vec[float]:
    """Returns each seat's share of the victory. (Element by element: a vec made of a list looks for a buffer first.)"""
    result = vec[float]()
    for share in state.returns():
        result = append(result, share)
    return result


def compare(rows: vec[vec[float]]) -> vec[vec[float]]:
    """Returns each seat's features, followed by its lead in each over the best of the others; 0 for a single seat."""
    wide = rows[:]
    for i in range(len(rows[0])):
        best = second = rows[0][i] if len(rows) == 1 else -FAR
        for row in rows:
            x = row[i]
            if x > best:
                second = best
                best = x
            elif x > second:
                second = x
        for seat in range(len(rows)):
            x = rows[seat][i]
            wide[seat] = append(wide[seat], x - (second if x == best else best))
    return wide


def nerve_of(crowd: float, seats: int) -> float:
    """Returns the factor by which a lead counts, 1 at a table of three, scaled linearly with the number of seats."""
    return 1.0 + crowd * (seats - 3) / 3


@final
class Signs:
    """Numbered signs for or against an answer, each with its strength: a buffer that the caller owns and reuses."""

    def __init__(self) -> None:
        self.number: vec[i64] = vec[i64]([0] * MOST_SIGNS)  # only the first `count` are valid
        self.strength: vec[float] = vec[float]([0.0] * MOST_SIGNS)
        self.count: i64 = 0

    def add(self, number: i64, strength: float) -> None:
        count = self.count
        self.number[count] = number
        self.strength[count] = strength
        self.count = count + 1


@mypyc_attr(allow_interpreted_subclasses=True)
class Advisor:
    """Default hints, valid for every game; a game's bot.py overrides what it knows better.

    A hint may use the whole position it is given: callers only pass positions resampled for the seat.

    A game that wants its playouts cut short defines `phase` and `features`; their weights are learned by self-play
    (lab/value_learning.py) and passed in as `weights`, a row for each phase: one weight for each feature, one for its
    lead over the best of the others, and one for how much more all of it counts at a larger table. A playout then ends
    at the first `quiet` position after `reach` decisions, or, with `whole_phases`, at the first one of another phase
    than that it began in. Without weights every playout goes to the end of the game.

    Rows with one weight per feature only are of the former kind (ADR 25): seats are evaluated separately.

    The answers of experts may be learned, too (ADR 33): a game defines the `signs` of an answer, and their weights are
    its `habits`. They are the prior policy of a practised search; its quick games do without, unless the game overrides
    `hurry`.

    A `network` (ADR 38) corrects what the weights say of each seat.
    """

    def __init__(self, weights: list[list[float]] | None = None, habits: list[float] | None = None) -> None:
        self.weights: vec[vec[float]] = vec[vec[float]]([vec[float](row) for row in weights or []])
        self.habits: vec[float] = vec[float](habits or [])
        self.marks: Signs = Signs()
        self.leanings: vec[float] = vec[float]()
        self.reach: i64 = REACH
        self.whole_phases = False
        self.network: Network | None = None

    def choose(self, g: Any, seat: i64, moves: Moves, rng: Rng) -> i64:
        """Returns a quick, sensible choice for playouts: cheap, and randomised."""
        return moves.random(rng)

    def first_idea(self, g: Any, seat: i64, rng: Rng) -> int:
        """Like choose(), for callers without a Moves buffer."""
        state: State = g
        moves = Moves()
        state.offer(seat, moves)
        return int(self.choose(g, seat, moves, rng))

    def signs(self, g: Any, seat: i64, moves: Moves, place: i64, into: Signs) -> None:
        """Adds the signs of the answer at that place of the moves. Called in order for all answers of a question: what
        they have in common may be computed at the first."""

    def advise(self, g: Any, seat: i64, moves: Moves, rng: Rng) -> i64:
        """Draws an answer by the learned policy: each with the probability with which experts gave it in such
        positions."""
        if len(self.habits) == 0:
            return self.choose(g, seat, moves, rng)
        if moves.count == 1:
            return moves.at(0)
        marks = self.marks
        most = -FAR
        for place in range(moves.count):
            marks.count = 0
            self.signs(g, seat, moves, place, marks)
            leaning = 0.0
            for i in range(marks.count):
                leaning += self.habits[marks.number[i]] * marks.strength[i]
            if place < len(self.leanings):
                self.leanings[place] = leaning
            else:
                self.leanings = append(self.leanings, leaning)
            most = max(most, leaning)
        total = 0.0
        for place in range(moves.count):
            share = exp(self.leanings[place] - most)
            self.leanings[place] = share
            total += share
        ball = rng.share() * total
        for place in range(moves.count):
            ball -= self.leanings[place]
            if ball < 0.0:
                return moves.at(place)
        return moves.at(0)

    def sight(self, g: Any, seat: i64) -> i64:
        """Returns a number for what the seat sees that its answer depends on: a search keeps separate statistics per
        number. It must not depend on anything the seat cannot know."""
        return 0

    def reopen(self, g: Any, seat: i64) -> None:
        """Asks the other seats again what they have answered in secret, in a world of a practised search.

        determinize() has answered for them at random; asked again, they answer in the tree, by their own interest. By
        default does nothing.
        """

    def hurry(self, g: Any, seat: i64, moves: Moves, rng: Rng) -> i64:
        """Answers for the seat in a quick game of a practised search, as well as choose() or better; if that is faster,
        also its next questions. Returns the number of answers."""
        state: State = g
        offer(state, seat, moves)
        play(state, seat, self.choose(g, seat, moves, rng), rng)
        return 1

    def phase(self, g: Any) -> i64:
        """Returns which row of weights applies: how far the game has come."""
        return 0

    def features(self, g: Any, seat: i64) -> vec[float]:
        """Returns the features of the seat, each around 1 in size."""
        return vec[float]()

    def evaluate(self, g: Any) -> vec[float]:
        """Returns each seat's chances from here, from 0 to 1, with a sum of at most 1; the result itself once the game
        is over."""
        state: State = g
        if state.waiting == 0 or len(self.weights) == 0:
            return shares(state)
        phase = self.phase(g)
        if phase >= len(self.weights):
            phase = len(self.weights) - 1
        weights = self.weights[phase]
        seats = state.seats()
        rows = vec[vec[float]]()
        for seat in range(seats):
            rows = append(rows, self.features(g, seat))
        width = len(rows[0])
        nerve = 1.0
        network = self.network
        compared = len(weights) > width
        if compared or network is not None:
            rows = compare(rows)
        if compared:
            nerve = nerve_of(weights[2 * width], seats)
            width *= 2
        hopes = vec[float]()
        most = 0.0 if network is None else -FAR
        for seat in range(seats):
            features = rows[seat]
            worth = 0.0
            for i in range(width):
                worth += weights[i] * features[i]
            worth *= nerve
            if network is not None:
                worth += network.worth(state, seat, phase, features)
                most = max(most, worth)
            hopes = append(hopes, worth)
        total = 0.0
        for i in range(seats):
            hope = exp(hopes[i] - most)
            hopes[i] = hope
            total += hope
        for i in range(seats):
            hopes[i] = hopes[i] / total
        return hopes

    def horizon(self, g: Any) -> i64:
        """Returns after how many decisions a playout stops and evaluates; 0: it is played to the end."""
        if len(self.weights) == 0:
            return 0
        if self.whole_phases:
            return 1
        return self.reach

    def quiet(self, g: Any) -> bool:
        """Returns whether the features can evaluate this position: no seat is in the middle of a move."""
        return True
