"""Census of Paper Tales: counts every card; none is lost or duplicated during a game."""

from __future__ import annotations

from collections import Counter

from veillee.games.paper_tales.content import UNITS
from veillee.games.paper_tales.rules import (
    BUILDINGS,
    KIND,
    NO_CARD,
    UNDECIDED,
    ChooseAge,
    Construct,
    Deploy,
    Heal,
    Keep,
    PaperTales,
)
from veillee.kernel.counts import spread

# PT-5 As the rulebook counts them: content.toml is not asked, so that a card too many or too few there is noticed.
ONCE = (
    "shapeshifter giant_snake grand_architect necromancer colossus demon landlord master_alchemist ogre "
    "relic salamander dragon forest_spirit leviathan strategist kraken"
)
TWICE = (
    "monkey adventurer cook hunter sculptor wood_merchant archer cave_spirit rogue treefolk commander golem palm_reader"
)
THRICE = (
    "blacksmith cerberus farmer militiaman healer time_master veteran woodcutter forest_child knight "
    "miner peddler manticore"
)
COPIES = {name: n for n, names in enumerate((ONCE, TWICE, THRICE), 1) for name in names.split()}


def census(g: PaperTales) -> dict[str, int]:
    """The 81 cards of the box, wherever they lie; five buildings for each player, of two levels.

    A hand during the deployment is an ordering of the kept and the saved cards, and not counted again.
    """
    cards = [*g.pile, *g.discards, *g.buried]
    for realm in g.realms:
        cards += [*realm.packet, *realm.kept, *realm.tossed, *(unit.card for unit in realm.units)]
        if realm.saved != NO_CARD:
            cards.append(realm.saved)
    assert len(set(cards)) == len(cards), "a card lies in two places"
    kinds = Counter(KIND[card] for card in cards)
    counts = {kind.id: kinds[number] for number, kind in enumerate(UNITS)}
    assert counts == COPIES, "a card is lost, or one that is not in the box"
    for seat, realm in enumerate(g.realms):
        assert all(0 <= level <= 2 for level in spread(realm.levels, BUILDINGS))
        assert realm.levels < 256**BUILDINGS, f"seat {seat} has a building too many"
    return counts


def pending(g: PaperTales, seat: int) -> list[int] | None:
    """What the seat has answered to a question that others still think about."""
    realm = g.realms[seat]
    if not g.to_act or seat in g.to_act:
        return None
    if isinstance(g.question, Keep):
        return [*realm.kept[-1:], *realm.tossed[-1:]]
    if isinstance(g.question, Deploy):
        return list(realm.plan)
    if isinstance(g.question, ChooseAge) and realm.answered > 0:
        return [unit.coming for unit in realm.units]
    if isinstance(g.question, Construct) and realm.construction != UNDECIDED:
        return [realm.construction]
    if isinstance(g.question, Heal) and realm.answered > 0:
        return [unit.healed for unit in realm.units]
    return None
