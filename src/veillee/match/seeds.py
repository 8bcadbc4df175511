"""The seal: a secret seed, the commitment that is published before the first move, and the key of the chance.

The server draws the seed and publishes its hash; then the people who sit down may each add a word of luck. The key is
made from both, so nobody, not even the server, can have chosen the shuffle; and once the seed is revealed, anybody can
check the hash and play the whole game again.
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
    """A seed that can be written down, for tests, studies and puzzles."""
    return sha256(f"veillee seed {number}".encode()).digest()


def commitment(seed: bytes) -> str:
    """What is published before the first move."""
    return sha256(b"veillee commitment\n" + seed).hexdigest()


def key(seed: bytes, game: str, seats: int, luck: Sequence[str]) -> bytes:
    """The key of a match's chance."""
    words = json.dumps([game, seats, list(luck)], separators=(",", ":"))
    return blake2b(words.encode(), key=seed, digest_size=SEED_BYTES).digest()
