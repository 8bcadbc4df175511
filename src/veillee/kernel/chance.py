"""Chance: an argument of the rules, never part of a position."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

BLOCK: Final = 64  # bytes that one hash gives
WORD: Final = 8  # bytes that one number takes
MANTISSA: Final = 2.0**-53

# The quick stream is SplitMix on 62 bits, which is what a mypyc int holds unboxed: the same numbers in Python, whose
# ints do not overflow, and in C.
BITS: Final = 0x3FFF_FFFF_FFFF_FFFF
GOLDEN: Final = 0x1E37_79B9_7F4A_7C15
MIX_1: Final = 0x3F58_476D_1CE4_E5B9
MIX_2: Final = 0x14D0_49BB_1331_11EB
HIGH: Final = 32  # bits of a number that are used
SHARE: Final = 2.0**-32


@final
class Rng:
    """The only source of chance. `used` counts what was drawn from it: undo stops where it grew.

    With a `next` it draws from there: the sealed stream of a real match, the loaded dice of a test.
    An `orderless` one sorts before it shuffles: what comes out depends on what was shuffled, not on how it lay.
    """

    def __init__(self, seed: int) -> None:
        self.state: i64 = i64(seed & BITS)
        self.used: i64 = 0
        self.orderless = False
        self.next: Callable[[], float] | None = None
        self.stream: SealedStream | None = None  # whose `next` that is, if it is one: asked directly

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1; n is at most 2 ** 30."""
        self.used += 1
        if self.next is not None:
            stream = self.stream
            return i64((stream.next() if stream is not None else self.next()) * int(n))
        return (self.bits() * n) >> HIGH

    def bits(self) -> i64:
        """32 of them, quickly."""
        self.state = (self.state + GOLDEN) & BITS
        z: i64 = self.state
        z = ((z ^ (z >> 30)) * MIX_1) & BITS
        z = ((z ^ (z >> 27)) * MIX_2) & BITS
        return z >> 30

    def share(self) -> float:
        """A number from 0 up to 1."""
        self.used += 1
        if self.next is not None:
            return self.next()
        return float(int(self.bits())) * SHARE

    def seed(self) -> int:
        """For another Rng."""
        return int(self.below(1 << 30)) << 30 | int(self.below(1 << 30))

    def die(self) -> i64:
        """A die with six faces: 1 to 6."""
        return self.below(6) + 1

    def shuffle(self, cards: vec[i64]) -> None:
        if self.orderless:
            arrange(cards)
        i = len(cards) - 1
        while i > 0:
            j = self.below(i + 1)
            card = cards[i]
            cards[i] = cards[j]
            cards[j] = card
            i -= 1


def arrange(cards: vec[i64]) -> None:
    """Sort in place."""
    in_order = sorted(cards)
    for i in range(len(cards)):
        cards[i] = in_order[i]


class SealedStream:
    """Numbers that only the key's holder can foretell and everyone who is given the key can check.

    Block n is BLAKE2b of n under the key; each block gives eight numbers of 53 bits.
    """

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.block = b""
        self.blocks = 0
        self.place: i64 = BLOCK  # in the block: the next number's first byte

    def next(self) -> float:
        if self.place == BLOCK:
            self.block = blake2b(self.blocks.to_bytes(WORD, "big"), key=self.key, digest_size=BLOCK).digest()
            self.blocks += 1
            self.place = 0
        block, place = self.block, self.place
        word: i64 = 0
        for byte in range(place, place + WORD - 2):
            word = word << 8 | block[byte]
        word = word << 5 | block[place + WORD - 2] >> 3  # 53 bits: what of a byte and the last one is too much is left
        self.place = place + WORD
        return float(int(word)) * MANTISSA


def sealed(key: bytes) -> Rng:
    """The chance of a real match."""
    rng = Rng(0)
    rng.stream = SealedStream(key)
    rng.next = rng.stream.next
    return rng
