"""Batch of tables with the same game: one answer at each table, then the observations of the seats to act next.

Data is stored in rows, one per table; the arrays of lab/simulate.py are views of the same memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from veillee.kernel.chance import Rng
from veillee.kernel.planes import Planes, Sheet, observe
from veillee.kernel.state import Moves, State, first_to_act, offer, play

ALL_ALLOWED: Final = -1


@final
class Hall:
    def __init__(
        self, begin: Callable[[Rng], State], planes: Planes, tables: i64, seats: i64, row: i64, answers: i64
    ) -> None:
        self.begin = begin
        self.planes = planes
        self.tables = tables
        self.seats = seats
        self.answers = answers
        self.states: vec[State] = vec[State]()
        self.chance: vec[Rng] = vec[Rng]()
        self.moves: vec[Moves] = vec[Moves]()
        self.sheet: Sheet = Sheet(row, tables)  # observations
        for _ in range(tables):
            self.sheet.begin()
        self.masks: vec[u8] = zeros8(tables * answers)  # 1: this answer is allowed
        self.seat: vec[i64] = zeros(tables)  # the seat to act
        self.over: vec[u8] = zeros8(tables)  # 1: a game ended with the last answer, and another one has begun
        self.shares: vec[float] = nothing(tables * seats)  # of the victory, when a game has ended
        self.scores: vec[i64] = zeros(tables * seats)  # and its points

    def reset(self, seeds: vec[i64]) -> None:
        """Starts new games at every table, each with its own random generator."""
        self.states = vec[State](capacity=self.tables)
        self.chance = vec[Rng](capacity=self.tables)
        first = len(self.moves) == 0
        self.sheet.clear()
        for table in range(self.tables):
            rng = Rng(int(seeds[table]))
            self.chance = append(self.chance, rng)
            self.states = append(self.states, self.begin(rng))
            if first:
                self.moves = append(self.moves, Moves())
            self.over[table] = 0
            self.observe(table)
        for place in range(self.tables * self.seats):
            self.shares[place] = 0.0
            self.scores[place] = 0

    def forbidden(self, actions: vec[i64]) -> i64:
        """Returns the first table whose answer is not legal, or ALL_ALLOWED."""
        for table in range(self.tables):
            action = actions[table]
            if action < 0 or action >= self.answers or self.masks[table * self.answers + action] == 0:
                return table
        return ALL_ALLOWED

    def step(self, actions: vec[i64]) -> i64:
        """Gives an answer at every table. If one is not legal, gives none and returns its table, else ALL_ALLOWED."""
        wrong = self.forbidden(actions)
        if wrong != ALL_ALLOWED:
            return wrong
        self.sheet.clear()
        for table in range(self.tables):
            state = self.states[table]
            rng = self.chance[table]
            if self.over[table]:
                self.over[table] = 0
                start = table * self.seats
                for seat in range(self.seats):
                    self.shares[start + seat] = 0.0
                    self.scores[start + seat] = 0
            play(state, self.seat[table], actions[table], rng)
            if state.waiting == 0:
                self.finish(table, state)
                self.states[table] = self.begin(rng)
            self.observe(table)
        return ALL_ALLOWED

    def finish(self, table: i64, state: State) -> None:
        self.over[table] = 1
        start = table * self.seats
        shares = state.returns()
        for seat in range(self.seats):
            self.shares[start + seat] = shares[seat]
            self.scores[start + seat] = state.score(seat)

    def observe(self, table: i64) -> None:
        """Writes the table's seat to act, mask of legal answers and observation. Tables must be written in order: each
        appends its row."""
        state = self.states[table]
        moves, masks = self.moves[table], self.masks
        start = table * self.answers
        before = moves.actions
        for place in range(moves.count):
            masks[start + before[place]] = 0
        seat = first_to_act(state)
        offer(state, seat, moves)
        allowed = moves.actions
        for place in range(moves.count):
            masks[start + allowed[place]] = 1
        self.seat[table] = seat
        sheet = self.sheet
        observe(self.planes, state, seat, sheet)
        if sheet.at != len(sheet.numbers):
            raise ValueError("A box writes rows of different lengths.")

    def random(self, rng: Rng) -> vec[i64]:
        """Returns a uniformly random legal answer for every table."""
        chosen = vec[i64](capacity=self.tables)
        for table in range(self.tables):
            chosen = append(chosen, self.moves[table].random(rng))
        return chosen


def zeros(places: i64) -> vec[i64]:
    return vec[i64]([0] * places)


def zeros8(places: i64) -> vec[u8]:
    return vec[u8]([0] * places)


def nothing(places: i64) -> vec[float]:
    return vec[float]([0.0] * places)
