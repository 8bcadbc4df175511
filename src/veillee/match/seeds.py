"""Provably fair shuffles: a secret seed, the commitment published before the first move, and the key of the chance.

The server draws the seed and publishes its hash; then each player who sits down may add a word of luck. The key is
derived from both, so neither the server nor a player can have chosen the shuffle; and once the seed is revealed, every
reader of the record can check the hash and replay the whole game.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from hashlib import blake2b, sha256

SEED_BYTES = 32


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def seed_from(number: int) -> bytes:
    """Returns a seed for a number, for tests, studies and puzzles."""
    return sha256(f"veillee seed {number}".encode()).digest()


def commitment(seed: bytes) -> str:
    """Returns the hash of the seed that is published before the first move."""
    return sha256(b"veillee commitment\n" + seed).hexdigest()


def key(seed: bytes, game: str, seats: int, luck: Sequence[str]) -> bytes:
    """Returns the key of a match's random generator."""
    words = json.dumps([game, seats, list(luck)], separators=(",", ":"))
    return blake2b(words.encode(), key=seed, digest_size=SEED_BYTES).digest()
