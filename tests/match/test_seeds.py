"""Sealed chance: known answers, for independent checkers and against accidental changes."""

from __future__ import annotations

from hashlib import blake2b, sha256

import pytest

import veillee
from match.ghosts import new_match
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng, sealed
from veillee.match import seeds
from veillee.match.errors import BadSave
from veillee.match.match import Match, digest
from veillee.match.verify import verify

ZERO = bytes(32)


def test_the_commitment_is_a_plain_hash_of_the_seed():
    assert seeds.commitment(ZERO) == "2924544874c797b6b0ab1d2bd6b1e4b4565a391c23301805ed0c2ed7d76d7e9d"
    assert seeds.commitment(ZERO) == sha256(b"veillee commitment\n" + ZERO).hexdigest()
    assert veillee.new("gk", seed=ZERO).commitment == seeds.commitment(ZERO)


def test_the_key_is_a_keyed_hash_of_the_table():
    assert (
        seeds.key(ZERO, "ghost-knights", 4, ["Été"]).hex()
        == "5c9e4b4612ce9177889a460ccb6b44f8167c8e4adfce78d782809c90b3d70e24"
    )
    text = rb'["ghost-knights",4,["\u00c9t\u00e9"]]'
    assert seeds.key(ZERO, "ghost-knights", 4, ["Été"]) == blake2b(text, key=ZERO, digest_size=32).digest()


def test_the_stream_is_a_keyed_hash_of_a_counter():
    rng = sealed(ZERO)
    drawn = [rng.below(1000) for _ in range(12)]
    assert drawn == [999, 691, 591, 28, 658, 856, 139, 540, 61, 471, 505, 454]
    blocks = b"".join(blake2b(n.to_bytes(8, "big"), key=ZERO, digest_size=64).digest() for n in range(2))
    words = [int.from_bytes(blocks[8 * i : 8 * i + 8], "big") for i in range(12)]
    assert drawn == [int((word >> 11) * 2.0**-53 * 1000) for word in words]


def test_a_match_of_a_known_seed_is_dealt_the_known_cards():
    assert digest(new_match(4, seed=1).state) == "3bb0a0b988caa0f7d5c746584f899a7f2d0959ecbab40f36f0c890c67d07e8a4"


def test_the_stream_counts_what_was_drawn_and_is_even():
    rng = sealed(ZERO)
    faces = [rng.die() for _ in range(6000)]
    assert rng.used == 6000
    assert sorted(set(faces)) == [1, 2, 3, 4, 5, 6]
    assert all(900 < faces.count(face) < 1100 for face in range(1, 7))


@pytest.mark.parametrize("luck", [["minuit"], ["minuit", "midi"], [""], ["\ud800"]])
def test_a_word_of_luck_changes_the_shuffle_and_not_the_commitment(luck):
    plain, lucky = veillee.new("gk", seed=1), veillee.new("gk", seed=1, luck=luck)
    assert digest(plain.state) != digest(lucky.state)
    assert plain.commitment == lucky.commitment
    assert digest(veillee.load(lucky.save()).state) == digest(lucky.state)


def test_seeds_are_secret_unless_asked_for():
    assert len(seeds.new_seed()) == seeds.SEED_BYTES
    assert seeds.new_seed() != seeds.new_seed()
    assert seeds.seed_from(7) == sha256(b"veillee seed 7").digest()


def test_the_search_has_a_chance_of_its_own():
    """A plain Rng is reproducible by its number and has nothing to do with any seal."""
    assert [Rng(5).below(100) for _ in range(3)] == [Rng(5).below(100)] * 3
    assert [sealed(ZERO).below(10**6)] != [Rng(0).below(10**6)]


# -- contributions of the players' pages ---------------------------------------------------------------------------------
ONE, TWO = "11" * 32, "22" * 16
BOTH = [seeds.Contribution(0, seeds.seal(ONE), ONE), seeds.Contribution(2, seeds.seal(TWO), TWO)]


def test_a_seal_is_a_plain_hash_of_the_contribution():
    assert seeds.seal(ONE) == sha256(b"veillee contribution\n" + bytes.fromhex(ONE)).hexdigest()
    assert seeds.seal(ONE) == "c411bf6a72501c0388d9f2ba663a2b0f5fd6c7b1edc38f800551ab35ce575496"


def test_the_key_depends_on_every_contribution_and_on_what_was_withheld():
    text = f'["ghost-knights",4,["Été"],[[0,"{seeds.seal(ONE)}","{ONE}"],[2,"{seeds.seal(TWO)}",""]]]'
    withheld = [BOTH[0], BOTH[1]._replace(opened="")]
    ascii_text = text.replace("É", "\\u00c9").replace("é", "\\u00e9").encode()
    assert (
        seeds.key(ZERO, "ghost-knights", 4, ["Été"], withheld) == blake2b(ascii_text, key=ZERO, digest_size=32).digest()
    )
    other = seeds.Contribution(2, seeds.seal("33" * 16), "33" * 16)
    keys = {seeds.key(ZERO, "gk", 4, [], added) for added in ([], BOTH, withheld, BOTH[:1], BOTH[1:], [BOTH[0], other])}
    assert len(keys) == 6


@pytest.mark.parametrize("text", ["", "11" * 15, "11" * 65, "1" * 33, "AA" * 16, "11" * 15 + "g1", "é" * 32])
def test_a_contribution_has_at_least_128_bits_and_one_way_to_be_written(text):
    assert not seeds.is_contribution(text)
    assert seeds.is_contribution("0a" * 16)


def contributed(*added):
    return Match(BOXES["takara-island"], 3, {}, seeds.seed_from(7), ["brume"], None, added)


def test_a_match_with_contributions_is_saved_replayed_and_verified():
    match = contributed(*BOTH)
    assert digest(match.state) != digest(contributed().state)
    assert "contributions" not in contributed().save(), "records of matches without them are what they were"
    while not match.over:
        match.play(match.to_act[0], match.choices(match.to_act[0])[0])
    assert digest(match.from_the_start().state) == digest(contributed(*BOTH).state)
    record = match.record()
    verdict = verify(record)
    assert verdict.holds
    assert not verdict.notes
    assert verdict.checks[0][0].say("en").startswith("what 2 of 2 players' pages added")


def test_a_withheld_contribution_is_named():
    match = contributed(BOTH[0], BOTH[1]._replace(opened=""))
    while not match.over:
        match.play(match.to_act[0], match.choices(match.to_act[0])[0])
    verdict = verify(match.record())
    assert verdict.holds
    assert [note.say("en")[:6] for note in verdict.notes] == ["Seat 3"]


@pytest.mark.parametrize(
    "forged",
    [
        [{"seat": 0, "sealed": seeds.seal(ONE), "opened": TWO}],
        [{"seat": 0, "sealed": seeds.seal(TWO), "opened": ONE}],
        [{"seat": 0, "sealed": seeds.seal(ONE), "opened": ONE.upper() + "AA"}],
        [{"seat": 3, "sealed": seeds.seal(ONE), "opened": ONE}],
        [{"seat": True, "sealed": seeds.seal(ONE), "opened": ONE}],
        [{"seat": 0, "sealed": seeds.seal(ONE)}],
        [{"seat": 0, "sealed": seeds.seal(ONE), "opened": None}],
        [{"seat": 0, "sealed": "", "opened": ""}],
        [BOTH[1]._asdict(), BOTH[0]._asdict()],
        [BOTH[0]._asdict(), BOTH[0]._asdict()],
        [7],
        "no list",
        None,
    ],
)
def test_a_forged_contribution_is_refused(forged):
    save = contributed(*BOTH).save()
    assert digest(veillee.load(save).state) == digest(contributed(*BOTH).state)
    with pytest.raises(BadSave):
        veillee.load(save | {"contributions": forged})
