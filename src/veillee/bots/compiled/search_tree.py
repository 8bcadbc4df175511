"""The search tree, stored as columns of numbers (struct of arrays).

A node is a row: a choice of a seat after the choices that lead to it, and with something in sight, where the game's
advisor says that what the seat sees makes it a different choice. No node is an object, so that a tree needs few
allocations, and is freed at once.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from veillee.kernel.log import NO_SEAT

NONE: Final = -1  # no such node
ROOT: Final = 0


@final
class Tree:
    def __init__(self) -> None:
        self.seat = vec[i64]()
        self.action = vec[i64]()
        self.sight = vec[i64]()  # what its seat saw (Advisor.sight)
        self.visits = vec[i64]()
        self.available = vec[i64]()  # how often the choice existed (plain search)
        self.ideas = vec[i64]()  # how often the advisor named it (guided search)
        self.reward = vec[float]()  # sum of its seat's results after it
        self.first = vec[i64]()  # first child, or NONE
        self.last = vec[i64]()
        self.next = vec[i64]()  # next sibling, or NONE
        self.add(NO_SEAT, NONE, 0)

    def add(self, seat: i64, action: i64, sight: i64) -> i64:
        """Adds a node without a parent."""
        node = len(self.seat)
        self.seat = append(self.seat, seat)
        self.action = append(self.action, action)
        self.sight = append(self.sight, sight)
        self.visits = append(self.visits, 0)
        self.available = append(self.available, 1)
        self.ideas = append(self.ideas, 1)
        self.reward = append(self.reward, 0.0)
        self.first = append(self.first, NONE)
        self.last = append(self.last, NONE)
        self.next = append(self.next, NONE)
        return node

    def grow(self, node: i64, seat: i64, action: i64, sight: i64 = 0) -> i64:
        """Adds a child, after the others."""
        child = self.add(seat, action, sight)
        before = self.last[node]
        if before == NONE:
            self.first[node] = child
        else:
            self.next[before] = child
        self.last[node] = child
        return child

    def child(self, node: i64, seat: i64, action: i64, sight: i64 = 0) -> i64:
        """Returns the node of that choice, or NONE."""
        child = self.first[node]
        while child != NONE:
            if self.action[child] == action and self.seat[child] == seat and self.sight[child] == sight:
                return child
            child = self.next[child]
        return NONE

    def visits_in(self, node: i64, seat: i64, sight: i64) -> i64:
        """Returns how often the seat has answered here with that in sight."""
        visits: i64 = 0
        child = self.first[node]
        while child != NONE:
            if self.sight[child] == sight and self.seat[child] == seat:
                visits += self.visits[child]
            child = self.next[child]
        return visits

    def children(self, node: i64) -> list[int]:
        found: list[int] = []
        child = self.first[node]
        while child != NONE:
            found.append(int(child))
            child = self.next[child]
        return found

    def wins(self, node: i64) -> float:
        """Returns the average result of its seat after it."""
        return self.reward[node] / float(int(self.visits[node]))
