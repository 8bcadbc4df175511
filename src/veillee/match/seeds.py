"""Provably fair shuffles: a secret seed, the commitment published before the first move, and the key of the chance.

The server draws the seed and publishes its hash. Each player who sits down may add a word of luck, and the hash of a
random contribution, which is opened only when all seats are taken (commit and reveal). The key is derived from the
seed, the words and the contributions, so neither the server nor a player can have chosen the shuffle; once the seed is
revealed, every reader of the record can check the hashes and replay the whole game.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import NamedTuple

SEED_BYTES = 32
MIN_CONTRIBUTION_BYTES, MAX_CONTRIBUTION_BYTES = 16, 64
HEX_BYTES = re.compile("(?:[0-9a-f]{2})+")


class Contribution(NamedTuple):
    """What a player's page added to the shuffle."""

    seat: int
    sealed: str  # hash of the contribution, known before any contribution was opened
    opened: str  # the contribution, in hexadecimal; empty: it was withheld, and the shuffle was made without it

    @property
    def holds(self) -> bool:
        """Whether it is withheld, or is the one that was sealed."""
        return not self.opened or (is_contribution(self.opened) and seal(self.opened) == self.sealed)


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def seed_from(number: int) -> bytes:
    """Returns a seed for a number, for tests, studies and puzzles."""
    return sha256(f"veillee seed {number}".encode()).digest()


def commitment(seed: bytes) -> str:
    """Returns the hash of the seed that is published before the first move."""
    return sha256(b"veillee commitment\n" + seed).hexdigest()


def is_contribution(text: str) -> bool:
    """Returns whether the text is a contribution: 16 to 64 bytes as lower-case hexadecimal."""
    return MIN_CONTRIBUTION_BYTES <= len(text) / 2 <= MAX_CONTRIBUTION_BYTES and HEX_BYTES.fullmatch(text) is not None


def is_seal(text: str) -> bool:
    """Returns whether the text can be the hash of a contribution."""
    return len(text) == 2 * sha256().digest_size and HEX_BYTES.fullmatch(text) is not None


def seal(contribution: str) -> str:
    """Returns the hash of a contribution (hexadecimal) that is published before any contribution is opened."""
    return sha256(b"veillee contribution\n" + bytes.fromhex(contribution)).hexdigest()


def key(seed: bytes, game: str, seats: int, luck: Sequence[str], contributions: Sequence[Contribution] = ()) -> bytes:
    """Returns the key of a match's random generator."""
    parts: list[object] = [game, seats, list(luck)]
    if contributions:  # matches from before contributions existed keep their key
        parts.append([list(one) for one in contributions])
    words = json.dumps(parts, separators=(",", ":"))
    return blake2b(words.encode(), key=seed, digest_size=SEED_BYTES).digest()
