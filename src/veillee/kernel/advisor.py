"""What a game tells the search about good play. The search itself knows no game."""

from __future__ import annotations

from math import exp
from typing import Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64, mypyc_attr

from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves, State, offer, play

REACH: Final = 20  # decisions: about two rounds of a table, which is where the playouts of our games have told most
MOST_SIGNS: Final = 64  # of one answer
FAR: Final = 1e9  # behind everything that a feature can be


def shares(state: State) -> vec[float]:
    """Each seat's share of the victory. (Element by element: a vec made of a list looks for a buffer first.)"""
    result = vec[float]()
    for share in state.returns():
        result = append(result, share)
    return result


def compare(rows: vec[vec[float]]) -> vec[vec[float]]:
    """The features of each seat, then how far each of them is ahead of the best of the others; alone, of nobody."""
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
    """How much a lead counts, 1 at a table of three: the more there are who might be lucky, the less the last ones are it."""
    return 1.0 + crowd * (seats - 3) / 3


@final
class Signs:
    """What speaks for or against an answer: numbered signs, each as strong as it is. Whoever asks owns one and has it filled
    again and again."""

    def __init__(self) -> None:
        self.number = vec[i64]([0] * MOST_SIGNS)  # the first `count` of them
        self.strength = vec[float]([0.0] * MOST_SIGNS)
        self.count: i64 = 0

    def add(self, number: i64, strength: float) -> None:
        count = self.count
        self.number[count] = number
        self.strength[count] = strength
        self.count = count + 1


@mypyc_attr(allow_interpreted_subclasses=True)
class Advisor:
    """Hints that are right for every game; a game's bot.py overrides what it knows better.

    A hint may look at the whole position it is given: callers only hand in positions resampled for the seat.

    A game that wants its playouts cut short says what counts (`phase`, `features`); how much it counts is learned by
    self-play (lab/value_learning.py) and handed in as `weights`, a row of figures for each phase: one for each feature, one for how
    far each is ahead of the best of the others, and how much more all of it counts at a larger table. A playout then
    ends at the first `quiet` moment after `reach` decisions, or, with `whole_phases`, at the first one of another phase
    than that it began in. Without weights every playout goes to the end of the game.

    Rows with a figure for each feature and no more are those of before (ADR 25): seats are judged one by one.

    What experts answer in such places may be learned, too (ADR 33): a game says what speaks for an answer (`signs`), and
    how much each sign speaks are its `habits`. They tell a practised search what to try first; its quick games do without,
    unless the game says otherwise (`hurry`).
    """

    def __init__(self, weights: list[list[float]] | None = None, habits: list[float] | None = None) -> None:
        self.weights = vec[vec[float]]([vec[float](row) for row in weights or []])
        self.habits = vec[float](habits or [])
        self.marks = Signs()
        self.leanings = vec[float]()
        self.reach: i64 = REACH
        self.whole_phases = False

    def choose(self, g: Any, seat: i64, moves: Moves, rng: Rng) -> i64:
        """A quick, sensible choice for playouts: cheap, and never the same for sure."""
        return moves.random(rng)

    def first_idea(self, g: Any, seat: i64, rng: Rng) -> int:
        """choose() for whoever holds no Moves."""
        state: State = g
        moves = Moves()
        state.offer(seat, moves)
        return int(self.choose(g, seat, moves, rng))

    def signs(self, g: Any, seat: i64, moves: Moves, place: i64, into: Signs) -> None:
        """What speaks for the answer at that place of the moves. Answers are asked about in order, all of a question one
        after the other: what they have in common may be counted at the first."""

    def advise(self, g: Any, seat: i64, moves: Moves, rng: Rng) -> i64:
        """What an expert would try here, each answer as often as experts have given it in such places."""
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
        """What the seat sees that its answer hangs on, as a number: a search learns apart what is answered in sight of
        something else. It must not tell anything that the seat cannot know."""
        return 0

    def reopen(self, g: Any, seat: i64) -> None:
        """Ask the others once more what they have answered in secret, in a world of a practised search.

        determinize() has answered for them, at random; asked again, they answer in the tree, by their own interest. Without:
        it stays at that.
        """

    def hurry(self, g: Any, seat: i64, moves: Moves, rng: Rng) -> i64:
        """Answer for the seat in a quick game of a practised search, as choose() would or better; if that is quicker, also
        what it is asked next. How many answers that were."""
        state: State = g
        offer(state, seat, moves)
        play(state, seat, self.choose(g, seat, moves, rng), rng)
        return 1

    def phase(self, g: Any) -> i64:
        """Which row of weights applies: how far the game has come."""
        return 0

    def features(self, g: Any, seat: i64) -> vec[float]:
        """What speaks for the seat, each figure around 1 in size."""
        return vec[float]()

    def evaluate(self, g: Any) -> vec[float]:
        """Each seat's chances from here, from 0 to 1, their sum at most 1; the result itself once the game is over."""
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
        if len(weights) > width:
            rows = compare(rows)
            nerve = nerve_of(weights[2 * width], seats)
        hopes = vec[float]()
        total = 0.0
        for features in rows:
            worth = 0.0
            for i in range(len(features)):
                worth += weights[i] * features[i]
            hope = exp(nerve * worth)
            hopes = append(hopes, hope)
            total += hope
        for i in range(len(hopes)):
            hopes[i] = hopes[i] / total
        return hopes

    def horizon(self, g: Any) -> i64:
        """After how many decisions a playout stops and evaluates; 0: it is played to the end."""
        if len(self.weights) == 0:
            return 0
        if self.whole_phases:
            return 1
        return self.reach

    def quiet(self, g: Any) -> bool:
        """Is this a moment that the features can judge: nobody in the middle of a move?"""
        return True
