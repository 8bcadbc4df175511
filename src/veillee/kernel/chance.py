"""Chance: an argument of the rules, never part of a position."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from random import Random
from typing import Final

BLOCK: Final = 64  # bytes that one hash gives
WORD: Final = 8  # bytes that one number takes
MANTISSA: Final = 2.0**-53


class Rng:
    """The only source of chance. `used` counts what was drawn from it: undo stops where it grew.

    An `orderless` one sorts before it shuffles: what comes out depends on what was shuffled, not on how it lay.
    """

    def __init__(self, seed: int) -> None:
        self.next: Callable[[], float] = Random(seed).random
        self.used = 0
        self.orderless = False

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        self.used += 1
        return int(self.next() * n)

    def die(self) -> int:
        """A die with six faces: 1 to 6."""
        return self.below(6) + 1

    def shuffle(self, cards: list[int]) -> None:
        if self.orderless:
            cards.sort()
        draw = self.next
        for i in range(len(cards) - 1, 0, -1):
            j = int(draw() * (i + 1))  # below(i + 1), without the call: most of what a search draws is drawn here
            self.used += 1
            cards[i], cards[j] = cards[j], cards[i]


class SealedStream:
    """Numbers that only the key's holder can foretell and everyone who is given the key can check.

    Block n is BLAKE2b of n under the key; each block gives eight numbers of 53 bits.
    """

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.block = b""
        self.blocks = 0

    def next(self) -> float:
        if not self.block:
            self.block = blake2b(self.blocks.to_bytes(WORD, "big"), key=self.key, digest_size=BLOCK).digest()
            self.blocks += 1
        word = int.from_bytes(self.block[:WORD], "big")
        self.block = self.block[WORD:]
        return (word >> 11) * MANTISSA


def sealed(key: bytes) -> Rng:
    """The chance of a real match."""
    rng = Rng(0)
    rng.next = SealedStream(key).next
    return rng
