"""SD-1, SD-3, SD-4, SD-5 The squares and cards of a set as the numbers that the rules need."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.sourire_du_dragon import content

# SD-1.1 The characters; the magic object of each is the card of the same number.
RANGER: Final = 0
ACROBAT: Final = 1
THIEF: Final = 2
BARBARIAN: Final = 3
CAVALIER: Final = 4
MAGICIAN: Final = 5
CHARACTERS: Final = 6
BOW: Final = 0
STAFF: Final = 1
CLOAK: Final = 2
CLUB: Final = 3
SHIELD: Final = 4
HAT: Final = 5
OBJECTS: Final = 6
NOBODY: Final = -1
NO_CARD: Final = -1
NO_SQUARE: Final = -1

# SD-3 The kinds of squares where something happens, as content.KINDS counts them.
GREEN: Final = 2
ORANGE: Final = 3
ADVENTURE: Final = 4
WHIRLPOOL: Final = 5
ARROW: Final = 6

# SD-4 What a card does, in the order of content.EFFECTS. UNI and what stands before it is kept, except monsters.
OBJECT: Final = 0
MONSTER: Final = 1
MASTER: Final = 2
BOOTS: Final = 3
POTION: Final = 4
REROLL: Final = 5
UNI: Final = 6
GIVE: Final = 7
MOVE: Final = 8
AGAIN: Final = 9
LAST: Final = 10
MISS: Final = 11
RETREAT: Final = 12


@mypyc_attr(acyclic=True)
class Course:
    """One of content.SETS: rings, squares and cards. It never changes."""

    def __init__(self, number: i64) -> None:
        source = content.SETS[number]
        squares, cards, objects = source.squares, source.cards, source.cards[:OBJECTS]
        self.set = number
        self.id = source.id
        self.whirlpool: i64 = len(source.outer) - 1  # the last square of the outer ring
        self.castle: i64 = len(source.outer)  # the first of the inner ring
        self.arrow: i64 = len(squares) - 1  # the last one
        # Of each square.
        self.kinds = vec[i64]([content.KINDS.index(square.kind) for square in squares])
        self.numbers = vec[i64]([square.number for square in squares])
        self.combats = vec[bool]([square.combat for square in squares])  # SD-3.1 a combat, no special peril
        self.staff_passes = vec[bool]([square.key in content.STAFF_PASSES for square in squares])
        self.club_passes = vec[bool]([square.key in content.CLUB_PASSES for square in squares])
        self.previous = vec[i64](adventures_before(source))  # the adventure square before it, or the start
        # Of each card.
        self.effects = vec[i64]([content.EFFECTS.index(card.effect) for card in cards])
        self.powers = vec[i64]([card.number for card in cards])
        self.dreaded = vec[bool]([card.dreaded for card in cards])
        self.copies = vec[i64]([card.copies for card in cards])
        # Of each object, in anyone's hands and in its owner's.
        self.combat_anyone = vec[i64]([card.anyone if "C" in card.use else 0 for card in objects])
        self.combat_owner = vec[i64]([card.owner if "C" in card.use else 0 for card in objects])
        self.adventure_anyone = vec[i64]([card.anyone if "A" in card.use else 0 for card in objects])
        self.adventure_owner = vec[i64]([card.owner if "A" in card.use else 0 for card in objects])

    def after(self, square: i64, steps: i64) -> i64:
        """SD-3.5, SD-3.6 Where a move forwards leads; NO_SQUARE if it would pass the Whirlpool."""
        to = square + steps
        if square <= self.whirlpool < to:
            return NO_SQUARE
        while to > self.arrow:
            to -= self.arrow - self.whirlpool
        return to

    def before(self, square: i64, steps: i64) -> i64:
        """Where a move backwards leads: never out of the ring's first square."""
        first: i64 = 0
        if square >= self.castle:
            first = self.castle
        return max(first, square - steps)

    def blocks(self, square: i64) -> bool:
        """SD-3.1, SD-3.5 Is there something to overcome?"""
        return self.kinds[square] in (ADVENTURE, WHIRLPOOL)

    def keeps(self, card: i64) -> bool:
        """SD-4.1, SD-4.3 Is it kept by whoever draws it?"""
        effect = self.effects[card]
        return effect <= UNI and effect != MONSTER


def adventures_before(source: content.Content) -> list[int]:
    """Returns for each square the last adventure square before it; no hero is sent back from the Castle of Shadows: it has no cards."""
    found = []
    last = 0
    for place, square in enumerate(source.squares):
        found.append(last)
        if square.kind == "adventure":
            last = place
    return found


COURSES: Final[list[Course]] = [Course(number) for number in range(len(content.SETS))]  # content.py adds an owner's


def find_course(name: str) -> Course:
    """SD-9.3 The set that a position is played with."""
    number = len(COURSES) - 1  # an owner's, if there is one, is the last
    while number >= 0:
        course = COURSES[number]
        if course.id == name:
            return course
        number -= 1
    raise ValueError(f"This game is played with the squares and cards {name!r}, which are not loaded here.")
