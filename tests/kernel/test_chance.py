"""Chance: fair, repeatable, counted, and sealed in a real match."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from veillee.kernel.chance import Rng, sealed


def test_the_sealed_stream_is_blake2b_of_a_counter_under_the_key():
    key = bytes(range(32))
    block = blake2b((0).to_bytes(8, "big"), key=key, digest_size=64).digest()
    block += blake2b((1).to_bytes(8, "big"), key=key, digest_size=64).digest()
    expected = [(int.from_bytes(block[i : i + 8], "big") >> 11) / 2**53 for i in range(0, 128, 8)]
    rng = sealed(key)
    assert [rng.next() for _ in range(16)] == expected


@given(st.binary(min_size=32, max_size=32), st.integers(1, 100))
def test_numbers_stay_below_their_bound_and_are_counted(key, n):
    rng = sealed(key)
    assert all(0 <= rng.below(n) < n for _ in range(50))
    assert rng.used == 50


@given(st.lists(st.integers(), max_size=60), st.integers(0, 2**32))
def test_a_shuffle_keeps_every_card(cards, seed):
    shuffled = cards[:]
    Rng(seed).shuffle(shuffled)
    assert Counter(shuffled) == Counter(cards)


def test_every_order_of_three_cards_comes_up_equally_often():
    rng = sealed(b"k" * 32)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        cards = [0, 1, 2]
        rng.shuffle(cards)
        orders[tuple(cards)] += 1
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_a_die_has_six_faces():
    rng = Rng(1)
    assert {rng.die() for _ in range(500)} == {1, 2, 3, 4, 5, 6}
