"""Random generators: an argument of the rules, never part of a position."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

BLOCK: Final = 64  # bytes of one hash
WORD: Final = 8  # bytes per number
MANTISSA: Final = 2.0**-53

# The fast generator is SplitMix on 62 bits, which a mypyc int holds unboxed: the same numbers in Python, whose ints do
# not overflow, and in C.
BITS: Final = 0x3FFF_FFFF_FFFF_FFFF
GOLDEN: Final = 0x1E37_79B9_7F4A_7C15
MIX_1: Final = 0x3F58_476D_1CE4_E5B9
MIX_2: Final = 0x14D0_49BB_1331_11EB
HIGH: Final = 32  # bits of a number used
SHARE: Final = 2.0**-32


@final
class Rng:
    """The only source of chance. `used` counts the numbers drawn: undo stops where it grew.

    With a `next` it draws from there: the keyed stream of a real match, or fixed values in a test. With `orderless` it
    sorts before it shuffles: the result depends on what was shuffled, not on its order.
    """

    def __init__(self, seed: int) -> None:
        self.state: i64 = i64(seed & BITS)
        self.used: i64 = 0
        self.orderless = False
        self.next: Callable[[], float] | None = None
        self.stream: SealedStream | None = None  # owner of `next`, if it is one: called directly

    def below(self, n: i64) -> i64:
        """Returns a number from 0 to n - 1; n is at most 2 ** 30."""
        self.used += 1
        if self.next is not None:
            stream = self.stream
            return i64((stream.next() if stream is not None else self.next()) * int(n))
        return (self.bits() * n) >> HIGH

    def bits(self) -> i64:
        """Returns 32 random bits from the fast generator."""
        self.state = (self.state + GOLDEN) & BITS
        z: i64 = self.state
        z = ((z ^ (z >> 30)) * MIX_1) & BITS
        z = ((z ^ (z >> 27)) * MIX_2) & BITS
        return z >> 30

    def share(self) -> float:
        """Returns a number from 0 up to 1, exclusive."""
        self.used += 1
        if self.next is not None:
            return self.next()
        return float(int(self.bits())) * SHARE

    def seed(self) -> int:
        """Draws a seed for another Rng."""
        return int(self.below(1 << 30)) << 30 | int(self.below(1 << 30))

    def die(self) -> i64:
        """Returns the roll of a six-sided die: 1 to 6."""
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
    """Sorts in place."""
    in_order = sorted(cards)
    for i in range(len(cards)):
        cards[i] = in_order[i]


class SealedStream:
    """Random numbers that only the holder of the key can predict, and anyone given the key can verify.

    Block n is BLAKE2b of n under the key; each block gives eight numbers of 53 bits.
    """

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.block: bytes = b""
        self.blocks: int = 0
        self.place: i64 = BLOCK  # offset of the next number in the block

    def next(self) -> float:
        if self.place == BLOCK:
            self.block = blake2b(self.blocks.to_bytes(WORD, "big"), key=self.key, digest_size=BLOCK).digest()
            self.blocks += 1
            self.place = 0
        block, place = self.block, self.place
        word: i64 = 0
        for byte in range(place, place + WORD - 2):
            word = word << 8 | block[byte]
        word = word << 5 | block[place + WORD - 2] >> 3  # 53 bits: the excess bits of these two bytes are dropped
        self.place = place + WORD
        return float(int(word)) * MANTISSA


def sealed(key: bytes) -> Rng:
    """Returns the random generator of a real match."""
    rng = Rng(0)
    rng.stream = SealedStream(key)
    rng.next = rng.stream.next
    return rng
