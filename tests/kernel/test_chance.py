"""Chance: fair, repeatable, counted, and sealed in a real match."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st
from librt.vecs import vec
from mypy_extensions import i64

from veillee.kernel.chance import Rng, sealed


def test_the_sealed_stream_is_blake2b_of_a_counter_under_the_key():
    key = bytes(range(32))
    block = blake2b((0).to_bytes(8, "big"), key=key, digest_size=64).digest()
    block += blake2b((1).to_bytes(8, "big"), key=key, digest_size=64).digest()
    expected = [(int.from_bytes(block[i : i + 8], "big") >> 11) / 2**53 for i in range(0, 128, 8)]
    rng = sealed(key)
    assert [rng.share() for _ in range(16)] == expected


@given(st.binary(min_size=32, max_size=32), st.integers(1, 100))
def test_numbers_stay_below_their_bound_and_are_counted(key, n):
    rng = sealed(key)
    assert all(0 <= rng.below(n) < n for _ in range(50))
    assert rng.used == 50


@given(st.lists(st.integers(-(2**62), 2**62), max_size=60), st.integers())
def test_a_shuffle_keeps_every_card(cards, seed):
    shuffled = vec[i64](cards)
    Rng(seed).shuffle(shuffled)
    assert Counter(shuffled) == Counter(cards)


def test_every_order_of_three_cards_comes_up_equally_often():
    rng = sealed(b"k" * 32)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        cards = vec[i64]([0, 1, 2])
        rng.shuffle(cards)
        orders[tuple(cards)] += 1
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_the_quick_stream_is_the_same_interpreted_and_compiled():
    """It seeds the bots, whose answers are repeatable: these numbers may never change."""
    rng = Rng(2026)
    assert [rng.below(1000) for _ in range(8)] == [312, 487, 885, 767, 565, 484, 413, 630]
    assert [rng.below(1 << 30) for _ in range(2)] == [61729240, 988117245]


def test_the_quick_stream_is_even():
    rng = Rng(5)
    counts = Counter(rng.below(7) for _ in range(70_000))
    assert all(9_600 < counts[number] < 10_400 for number in range(7))
    assert 0.49 < sum(rng.share() for _ in range(20_000)) / 20_000 < 0.51


def test_a_die_has_six_faces():
    rng = Rng(1)
    assert {rng.die() for _ in range(500)} == {1, 2, 3, 4, 5, 6}
