"""SD-1 Setup, SD-8 Options: a new game."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, extend, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.sourire_du_dragon import content
from veillee.games.sourire_du_dragon.rules.course import (
    CHARACTERS,
    NO_CARD,
    NO_SQUARE,
    NOBODY,
    OBJECTS,
    find_course,
)
from veillee.games.sourire_du_dragon.rules.events import ASIDE, CHOSEN, FIRST, ORDER
from veillee.games.sourire_du_dragon.rules.position import CHARACTER, GENTLE_HAT, SIX, Hero, Pick, SourireDuDragon
from veillee.games.sourire_du_dragon.rules.turn import Turn
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import ALLOWED, Phase, Step

# The version of the rules. In version 1 a clover could be thrown away on a 6; until version 2 the Hat was gentle, "Give
# the object" did nothing with one object alone, and there were two Dungeon Masters: see g.version.
RULES: Final = 3

CHOICES: Final = vec[i64]([CHARACTER + c for c in range(CHARACTERS)])


def new_game(players: i64, rng: Rng, options: dict[str, str], log: Log | None = None) -> SourireDuDragon:
    """SD-1 The first question is a character."""
    cards = options.get("cards", content.BUILT_IN)
    g = new_table(players, options, content.PRESENT if cards == content.BUILT_IN else cards)
    if options.get("hat", "letter") == "gentle":
        g.readings = GENTLE_HAT
    g.begin(Setup(), rng, log)
    return g


def new_game_1(players: i64, rng: Rng, options: dict[str, str], log: Log | None = None) -> SourireDuDragon:
    """The same by the rules of version 1, for what was begun under them."""
    return new_game_before(1, players, rng, options, log)


def new_game_2(players: i64, rng: Rng, options: dict[str, str], log: Log | None = None) -> SourireDuDragon:
    """The same by the rules of version 2."""
    return new_game_before(2, players, rng, options, log)


def new_game_before(version: i64, players: i64, rng: Rng, options: dict[str, str], log: Log | None) -> SourireDuDragon:
    """Earlier versions: our own cards were others (content.py)."""
    g = new_table(players, options, options.get("cards", content.BUILT_IN))
    g.version = version
    g.begin(Setup(), rng, log)
    return g


def new_table(players: i64, options: dict[str, str], cards: str) -> SourireDuDragon:
    """SD-1 Everybody on the Entrance of the Train of Death, and the cards in their order."""
    g = SourireDuDragon(
        content=cards,
        heroes=vec[Hero]([Hero(NOBODY, 0, False, 0, vec[i64]()) for _ in range(players)]),
        pile=all_cards(find_course(cards).copies),
        discards=vec[i64](),
        aside=vec[i64](),
        only_characters=options.get("objects", "all") == "characters",
        winner=NOBODY,
        turn=0,
        roller=NOBODY,
        dice=vec[i64](),
        high_moves=True,
        move=0,
        combat=0,
        drawn=NO_CARD,
        landed=NO_SQUARE,
        uni_walked=False,
        again=False,
        offered=0,
        refused=0,
        die=0,
        added=0,
        other_die=0,
        other_added=0,
        hats=0,
    )
    g.version = RULES
    return g


def all_cards(copies: vec[i64]) -> vec[i64]:
    cards = vec[i64](capacity=content.DECK)
    for card in range(len(copies)):
        for _copy in range(copies[card]):
            cards = append(cards, card)
    return cards


@mypyc_attr(acyclic=True)
class Setup(Phase):
    """SD-1.2 Dice for the order in which characters are chosen; the first plays first."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        order = by_dice(g, vec[i64](range(len(g.heroes))), rng)
        g.push(Shuffle(order[0]))
        i = len(order) - 1
        while i >= 0:
            g.push(ChooseCharacter(order[i]))
            i -= 1


def by_dice(g: SourireDuDragon, seats: vec[i64], rng: Rng) -> vec[i64]:
    """SD-1.2 From the highest die to the lowest; those who tie roll again among themselves."""
    if len(seats) < 2:
        return seats
    dice = vec[i64]()
    for seat in seats:
        die = rng.die()
        dice = append(dice, die)
        g.note("SD-1.2", ORDER, seat, die)
    order = vec[i64]()
    face: i64 = SIX
    while face > 0:
        tied = vec[i64]()
        for i in range(len(seats)):
            if dice[i] == face:
                tied = append(tied, seats[i])
        order = extend(order, by_dice(g, tied, rng))
        face -= 1
    return order


@mypyc_attr(acyclic=True, free_list_len=1)
class ChooseCharacter(Pick):
    """SD-1.2 In order from the highest die each player chooses a character. The last of six is left one only."""

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return CHOICES

    def forbids(self, g: SourireDuDragon, seat: i64, action: i64) -> str:
        return ALLOWED if g.owner_of(action - CHARACTER) == NOBODY else "SD-1.2"

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        g.heroes[seat].character = action - CHARACTER
        g.note("SD-1.2", CHOSEN, seat, action - CHARACTER, g.course.set)


@mypyc_attr(acyclic=True, free_list_len=1)
class Shuffle(Step):
    """SD-1.3 The cards are shuffled. SD-8.1 In the harder game without the objects of characters not in play."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        if g.only_characters:
            pile = vec[i64](capacity=content.DECK)
            aside = vec[i64]()
            for card in g.pile:
                if card < OBJECTS and g.owner_of(card) == NOBODY:
                    aside = append(aside, card)
                else:
                    pile = append(pile, card)
            g.pile = pile
            g.aside = aside
            g.note("SD-8.1", ASIDE, NOBODY, len(g.aside))
        rng.shuffle(g.pile)
        g.note("SD-1.2", FIRST, self.seat)
        g.push(Turn(self.seat))
