"""Custom bots, good and faulty. They import nothing of Veillée, and are loaded by separate processes."""

import os
import random
import sys


class First:
    def choose(self, view, choices, clock):
        return choices[0]


class Dice:
    """Draws lots of its own, and keeps what it was told."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.seen = []

    def choose(self, view, choices, clock):
        assert 0 < clock.left <= clock.seconds
        return self.chance.choice(choices).id

    def told(self, events):
        self.seen += events


class Raises:
    def choose(self, view, choices, clock):
        return 1 // (view["seat"] - view["seat"])


class Nonsense:
    def choose(self, view, choices, clock):
        print("I take", choices[-1].label, flush=True)
        return "the best one"


class Hangs:
    def choose(self, view, choices, clock):
        while True:
            pass


class Leaves:
    def choose(self, view, choices, clock):
        sys.exit(3)


class Dies:
    def choose(self, view, choices, clock):
        os._exit(1)


class Peeks:
    """Wants to see what the seat beside it holds."""

    def choose(self, view, choices, clock):
        return choices[0].match.view(1)


class Changes:
    """Writes into what it was handed."""

    def choose(self, view, choices, clock):
        answer = choices[0].id
        view.clear()
        choices.clear()
        return answer
