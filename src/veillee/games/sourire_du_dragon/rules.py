"""Le Sourire du Dragon (2-6 players): the rules, paragraph by paragraph, under their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import mypyc_attr

from veillee.games.sourire_du_dragon import content
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import ALLOWED, SOLO, State, Step

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

# SD-3 The kinds of squares, in the order of content.KINDS.
START: Final = 0
YELLOW: Final = 1
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

HAT_TABLE: Final = [0, -3, -2, -1, 1, 2, 3]  # SD-5.6 by the face of the die
HAT_AT_BEST: Final = 3
SIX: Final = 6

# Actions. A choice has the same number whatever the position.
HIGH_MOVES: Final = 0
LOW_MOVES: Final = 1
CHARACTER: Final = 2  # + character
GO: Final = 8
GO_WITH_UNI: Final = 9
STEP_OUT: Final = 10  # + squares - 1, with the boots
PASS: Final = 16
USE_HAT: Final = 17
ACCEPT: Final = 18
REFUSE: Final = 19
ATTACK: Final = 20  # + seat
OFFER: Final = 26  # + seat
TO: Final = 32  # + seat
CARD: Final = 38  # + card

ANNOUNCEMENTS: Final = [HIGH_MOVES, LOW_MOVES]
CHOICES: Final = [CHARACTER + c for c in range(CHARACTERS)]
STRIDES: Final = [GO, GO_WITH_UNI] + [STEP_OUT + n for n in range(SIX)]
REPLIES: Final = [ACCEPT, REFUSE]
SEATS: Final = [[TO + s for s in range(n)] for n in range(CHARACTERS + 1)]
MEETINGS: Final = [
    [
        [PASS] + [OFFER + s for s in range(n) if s != seat] + [ATTACK + s for s in range(n) if s != seat]
        for seat in range(n)
    ]
    for n in range(CHARACTERS + 1)
]


@mypyc_attr(acyclic=True)
class Course:
    """The squares and cards of a set as the numbers that the rules need."""

    set: int  # which of content.SETS
    id: str
    whirlpool: int  # the last square of the outer ring
    castle: int  # the first of the inner ring
    arrow: int  # the last one
    kinds: list[int]  # of each square
    numbers: list[int]
    staff_passes: list[bool]
    club_passes: list[bool]
    previous: list[int]  # the adventure square before it, or the start
    effects: list[int]  # of each card
    powers: list[int]  # its number
    dreaded: list[bool]
    copies: list[int]
    combat_anyone: list[int]  # of each object
    combat_owner: list[int]
    adventure_anyone: list[int]
    adventure_owner: list[int]

    def after(self, square: int, steps: int) -> int:
        """SD-3.5, SD-3.6 Where a move forwards leads; NO_SQUARE if it would pass the Whirlpool."""
        to = square + steps
        if square <= self.whirlpool:
            return to if to <= self.whirlpool else NO_SQUARE
        while to > self.arrow:
            to -= self.arrow - self.whirlpool
        return to

    def before(self, square: int, steps: int) -> int:
        """Where a move backwards leads: never out of the ring's first square."""
        to = square - steps
        first = 0 if square <= self.whirlpool else self.castle
        return max(first, to)


def course_of(number: int) -> Course:
    source = content.SETS[number]
    course = Course()
    course.set = number
    course.id = source.id
    course.whirlpool = len(source.outer) - 1
    course.castle = len(source.outer)
    course.arrow = len(source.outer) + len(source.inner) - 1
    squares = source.squares
    course.kinds = [content.KINDS.index(square.kind) for square in squares]
    course.numbers = [square.number for square in squares]
    course.staff_passes = [square.key in content.STAFF_PASSES for square in squares]
    course.club_passes = [square.key in content.CLUB_PASSES for square in squares]
    course.previous = []
    last = 0
    for square in range(len(squares)):  # nobody is sent back from the Castle of Shadows: it has no cards
        course.previous.append(last)
        if course.kinds[square] == ADVENTURE:
            last = square
    cards = source.cards
    course.effects = [content.EFFECTS.index(card.effect) for card in cards]
    course.powers = [card.number for card in cards]
    course.dreaded = [card.dreaded for card in cards]
    course.copies = [card.copies for card in cards]
    objects = cards[:OBJECTS]
    course.combat_anyone = [card.anyone if "C" in card.use else 0 for card in objects]
    course.combat_owner = [card.owner if "C" in card.use else 0 for card in objects]
    course.adventure_anyone = [card.anyone if "A" in card.use else 0 for card in objects]
    course.adventure_owner = [card.owner if "A" in card.use else 0 for card in objects]
    return course


COURSES: Final[list[Course]] = [course_of(number) for number in range(len(content.SETS))]


def find_course(name: str) -> Course:
    """SD-9.3 The set that a position is played with."""
    for course in COURSES:
        if course.id == name:
            return course
    raise ValueError(f"The squares and cards {name!r} are not here: {content.SETTING} names an owner's own file.")


@mypyc_attr(acyclic=True)
class Hero:
    """One player's things."""

    character: int
    square: int
    blocked: bool  # SD-3.1 by the adventure square; on the arrow: draws again (SD-3.6)
    lost: int  # SD-2.4 turns to miss
    cards: list[int]  # SD-10.1 objects and kept events, open to all

    def clone(self) -> Hero:
        h = Hero()
        h.character = self.character
        h.square = self.square
        h.blocked = self.blocked
        h.lost = self.lost
        h.cards = self.cards[:]
        return h

    def holds(self, card: int) -> bool:
        return any(held == card for held in self.cards)

    def has_own(self, thing: int) -> bool:
        """The object's rightful owner holds it."""
        return self.character == thing and self.holds(thing)

    def objects(self) -> int:
        number = 0
        for card in self.cards:
            if card < OBJECTS:
                number += 1
        return number


class SourireDuDragon(State):
    """SD-1 What is on the table."""

    course: Course
    heroes: list[Hero]
    pile: list[int]  # the next card is the last of the list
    discards: list[int]
    aside: list[int]  # SD-8.1 objects that are not in the game
    only_characters: bool  # SD-8.1
    winner: int
    turn: int  # turns so far, missed ones too
    # This turn.
    roller: int  # whose dice lie on the table
    dice: list[int]  # as they fell; never changed in place
    high_moves: bool  # SD-2.1 as announced
    move: int  # the movement die
    combat: int  # the combat die; 0 once it is used (SD-2.2)
    drawn: int  # the card drawn
    landed: int  # where the movement ended; NO_SQUARE before, or if none was made
    uni_walked: bool  # SD-9.1 Uni's +1 was used to move
    again: bool  # another turn follows
    offered: int  # SD-7.1 to whom an offer was made: the sum of 1 << seat
    refused: int  # SD-7.2 who refused the rightful owner an object: the sum of 1 << seat
    # The test, fight or brawl that is going on.
    die: int
    added: int  # by potions and the Hat
    other_die: int  # of the one who is attacked in a brawl
    other_added: int
    hats: int  # who has rolled for the Hat: the sum of 1 << seat

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def left_of(self, seat: int) -> int:
        return (seat + 1) % len(self.heroes)

    def bonus(self, seat: int, combat: bool, whirlpool: bool) -> int:
        """SD-4.1, SD-5 The objects' bonuses add up; at the Whirlpool penalties do not count (SD-3.5)."""
        hero = self.heroes[seat]
        course = self.course
        sum_ = 0
        for card in hero.cards:
            if card < OBJECTS:
                if combat:
                    one = course.combat_owner[card] if card == hero.character else course.combat_anyone[card]
                else:
                    one = course.adventure_owner[card] if card == hero.character else course.adventure_anyone[card]
                if one > 0 or not whirlpool:
                    sum_ += one
        return sum_

    def effect_held(self, seat: int, effect: int) -> int:
        """A card with that effect that the seat keeps, or NO_CARD."""
        for card in self.heroes[seat].cards:
            if self.course.effects[card] == effect:
                return card
        return NO_CARD

    def can_roll_hat(self, seat: int) -> bool:
        """SD-5.6 The Magician with the Hat, once for each test or fight."""
        return (self.hats >> seat) & 1 == 0 and self.heroes[seat].has_own(HAT)

    def helps(self, seat: int, adventure: bool) -> list[int]:
        """SD-4.1 What a failing player can call on: the Hat, potions, the clover, the Dungeon Master in adventures."""
        found: list[int] = []
        if self.can_roll_hat(seat):
            found.append(USE_HAT)
        for card in self.heroes[seat].cards:
            effect = self.course.effects[card]
            if effect in (POTION, REROLL) or (effect == MASTER and adventure):
                if CARD + card not in found:
                    found.append(CARD + card)
        return found

    def reach(self, seat: int, die: int) -> int:
        """The most that the seat's helps can add to its die; the Dungeon Master does not add."""
        most = HAT_AT_BEST if self.can_roll_hat(seat) else 0
        again = 0
        for card in self.heroes[seat].cards:
            effect = self.course.effects[card]
            if effect == POTION:
                most += self.course.powers[card]
            elif effect == REROLL:
                again = SIX - die
        return most + again

    def take_die(self, rng: Rng) -> int:
        """SD-2.2 The combat die serves the turn's first test that needs a die; later ones roll a new one."""
        die = self.combat
        if die == 0:
            return rng.die()
        self.combat = 0
        return die

    def drop(self, seat: int, card: int) -> None:
        """SD-4.3 Used once, then discarded."""
        self.heroes[seat].cards.remove(card)
        self.discards.append(card)

    def hand_over(self, giver: int, taker: int, card: int) -> None:
        self.heroes[giver].cards.remove(card)
        self.heroes[taker].cards.append(card)

    def roll_hat(self, seat: int, rng: Rng) -> int:
        """SD-5.6 1, 2, 3: -3, -2, -1; 4, 5, 6: +1, +2, +3."""
        self.hats |= 1 << seat
        die = rng.die()
        self.note("SD-5.6", "hat", seat, die, HAT_TABLE[die])
        return HAT_TABLE[die]

    def refill(self, rng: Rng) -> None:
        """SD-4.5 The discards, shuffled, are the new pile when a card is needed and it is empty."""
        if not self.pile and self.discards:
            self.pile = self.discards
            self.discards = []
            rng.shuffle(self.pile)
            self.note("SD-4.5", "refill", NOBODY, len(self.pile))

    def retreat(self, rule: str, seat: int) -> None:
        """SD-4.2 Back to the previous adventure square, blocked there; the start blocks nobody."""
        hero = self.heroes[seat]
        was = hero.square
        hero.square = self.course.previous[was]
        hero.blocked = hero.square != 0
        self.note(rule, "back", seat, was, hero.square, self.course.set)

    def carry(self, seat: int, steps: int) -> None:
        """SD-4.6 A square reached by a card is not resolved; an adventure square blocks from the next turn. No card
        carries anyone past the Whirlpool."""
        hero = self.heroes[seat]
        was = hero.square
        to = self.course.after(was, steps) if steps > 0 else self.course.before(was, -steps)
        if to == NO_SQUARE:
            self.note("SD-4.6", "not carried", seat, was, 0, self.course.set)
            return
        hero.square = to
        kind = self.course.kinds[to]
        hero.blocked = kind in (ADVENTURE, WHIRLPOOL)
        self.note("SD-4.6", "carried", seat, was, to, self.course.set)

    def is_last(self, seat: int) -> bool:
        """SD-4.4 Nobody stands behind: outer ring before inner, then the square."""
        square = self.heroes[seat].square
        return all(hero.square >= square for hero in self.heroes)

    def owner_of(self, card: int) -> int:
        """The seat whose character an object belongs to, or NOBODY."""
        for seat, hero in enumerate(self.heroes):
            if hero.character == card:
                return seat
        return NOBODY

    def can_give_back(self, seat: int, to: int) -> bool:
        """SD-4.4 To the player furthest behind among those whose object you hold."""
        hero = self.heroes[seat]
        other = self.heroes[to]
        if to == seat or not hero.holds(other.character):
            return False
        for owner, rival in enumerate(self.heroes):
            if owner != seat and rival.square < other.square and hero.holds(rival.character):
                return False
        return True

    def give_back(self, seat: int, to: int) -> None:
        card = self.heroes[to].character
        self.hand_over(seat, to, card)
        self.note("SD-4.4", "give", seat, to, card, self.course.set)

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> SourireDuDragon:
        g = SourireDuDragon()
        g.copy_flow(self)
        g.course = self.course
        g.heroes = [hero.clone() for hero in self.heroes]
        g.pile = self.pile[:]
        g.discards = self.discards[:]
        g.aside = self.aside[:]
        g.only_characters = self.only_characters
        g.winner = self.winner
        g.turn = self.turn
        g.roller = self.roller
        g.dice = self.dice
        g.high_moves = self.high_moves
        g.move = self.move
        g.combat = self.combat
        g.drawn = self.drawn
        g.landed = self.landed
        g.uni_walked = self.uni_walked
        g.again = self.again
        g.offered = self.offered
        g.refused = self.refused
        g.die = self.die
        g.added = self.added
        g.other_die = self.other_die
        g.other_added = self.other_added
        g.hats = self.hats
        return g

    def determinize(self, seat: int, rng: Rng) -> None:
        """SD-10.1 Only the order of the pile is unknown, and it is to everybody."""
        rng.shuffle(self.pile)

    def seats(self) -> int:
        return len(self.heroes)

    def score(self, seat: int) -> int:
        """There are no points: how far along the path the hero is; the Vortex is one step beyond the arrow."""
        return self.course.arrow + 1 if seat == self.winner else self.heroes[seat].square

    def standing(self, seat: int) -> list[int]:
        """SD-3.6 The Vortex wins; the others are ranked by how far they came."""
        return [self.score(seat)]

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
        if action == HIGH_MOVES:
            return "high", {}
        if action == LOW_MOVES:
            return "low", {}
        if action < GO:
            return "character", {"character": action - CHARACTER}
        if action == GO:
            return "go", {}
        if action == GO_WITH_UNI:
            return "uni", {}
        if action < PASS:
            return "boots", {"squares": action - STEP_OUT + 1}
        if action == PASS:
            return "pass", {}
        if action == USE_HAT:
            return "hat", {}
        if action == ACCEPT:
            return "accept", {}
        if action == REFUSE:
            return "refuse", {}
        if action < OFFER:
            return "attack", {"seat": action - ATTACK}
        if action < TO:
            return "offer", {"seat": action - OFFER}
        if action < CARD:
            return "to", {"seat": action - TO}
        return "card", {"card": action - CARD}

    def dump(self) -> dict[str, Any]:
        return {
            "flow": self.dump_flow(),
            "content": self.course.id,
            "heroes": [[h.character, h.square, int(h.blocked), h.lost, h.cards[:]] for h in self.heroes],
            "pile": self.pile[:],
            "discards": self.discards[:],
            "aside": self.aside[:],
            "only_characters": self.only_characters,
            "winner": self.winner,
            "turn": self.turn,
            "roller": self.roller,
            "dice": self.dice[:],
            "high_moves": self.high_moves,
            "move": self.move,
            "combat": self.combat,
            "drawn": self.drawn,
            "landed": self.landed,
            "uni_walked": self.uni_walked,
            "again": self.again,
            "offered": self.offered,
            "refused": self.refused,
            "die": self.die,
            "added": self.added,
            "other_die": self.other_die,
            "other_added": self.other_added,
            "hats": self.hats,
        }


# -- SD-1 Setup -------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class ChooseCharacter(Step):
    """SD-1.2 In order from the highest die each player chooses a character. The last of six is left one only."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        free = self.legal(g, self.seat)
        if len(free) == 1:
            self.answer(g, self.seat, free[0], rng)
        else:
            g.ask(self, SOLO[self.seat])

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return CHOICES

    def forbids(self, g: SourireDuDragon, seat: int, action: int) -> str:
        return ALLOWED if g.owner_of(action - CHARACTER) == NOBODY else "SD-1.2"

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        g.heroes[seat].character = action - CHARACTER
        g.note("SD-1.2", "character", seat, action - CHARACTER, 0, g.course.set)


@mypyc_attr(acyclic=True, free_list_len=1)
class Shuffle(Step):
    """SD-1.3 The cards are shuffled. SD-8.1 In the harder game without the objects of characters not in play."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        if g.only_characters:
            g.aside = [card for card in g.pile if card < OBJECTS and g.owner_of(card) == NOBODY]
            g.pile = [card for card in g.pile if card >= OBJECTS or g.owner_of(card) != NOBODY]
            g.note("SD-8.1", "aside", NOBODY, len(g.aside))
        rng.shuffle(g.pile)
        g.note("SD-1.2", "first", self.seat)
        g.push(Turn(self.seat))


# -- SD-2 A turn ------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Turn(Step):
    """SD-2.4 A lost turn is missed; lost turns add up. Otherwise SD-2.1 the announcement, and the turn."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        hero = g.heroes[self.seat]
        g.turn += 1
        g.landed = NO_SQUARE
        g.uni_walked = False
        g.again = False
        g.offered = 0
        g.refused = 0
        g.hats = 0
        g.push(EndOfTurn(self.seat))
        if hero.lost > 0:
            hero.lost -= 1
            g.note("SD-2.4", "missed", self.seat, hero.lost)
        else:
            g.push(Announce(self.seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class EndOfTurn(Step):
    """SD-1.2 Then clockwise, unless a card gave another turn."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        g.push(Turn(self.seat if g.again else g.left_of(self.seat)))


@mypyc_attr(acyclic=True, free_list_len=1)
class Announce(Step):
    """SD-2.1 Announce whether the high die is for movement or for combat; roll three dice; the middle one is ignored."""

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return ANNOUNCEMENTS

    def legal(self, g: SourireDuDragon, seat: int) -> list[int]:
        return ANNOUNCEMENTS

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        a = rng.die()
        b = rng.die()
        c = rng.die()
        high = max(b, a)
        low = min(a, b)
        if c > high:
            high = c
        elif c < low:
            low = c
        g.roller = seat
        g.dice = [a, b, c]
        g.drawn = NO_CARD
        g.high_moves = action == HIGH_MOVES
        g.move = high if g.high_moves else low
        g.combat = low if g.high_moves else high
        g.note("SD-2.1", "announce", seat, action)
        g.note("SD-2.1", "dice", seat, a, b, c)
        hero = g.heroes[seat]
        g.push(Meet(seat))
        if not hero.blocked:
            g.push(Stride(seat))
        elif hero.square == g.course.arrow:
            g.push(Vortex(seat))
            g.push(Draw(seat))
        else:
            g.push(Trial(seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class Stride(Step):
    """SD-2.2 Move by the movement die. The boots choose another number, Uni adds 1: only then is there a question."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        if g.heroes[self.seat].cards and len(self.legal(g, self.seat)) > 1:
            g.ask(self, SOLO[self.seat])
        else:
            walk(g, self.seat, g.move)

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return STRIDES

    def forbids(self, g: SourireDuDragon, seat: int, action: int) -> str:
        if action == GO:
            return ALLOWED
        if g.effect_held(seat, UNI if action == GO_WITH_UNI else BOOTS) == NO_CARD:
            return "SD-4.3"
        steps = g.move + 1 if action == GO_WITH_UNI else action - STEP_OUT + 1
        return ALLOWED if g.course.after(g.heroes[seat].square, steps) != NO_SQUARE else "SD-3.5"

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        if action == GO:
            walk(g, seat, g.move)
        elif action == GO_WITH_UNI:
            g.uni_walked = True
            g.note("SD-4.3", "uni", seat)
            walk(g, seat, g.move + 1)
        else:
            card = g.effect_held(seat, BOOTS)
            g.drop(seat, card)
            g.note("SD-4.3", "use", seat, card, 0, g.course.set)
            walk(g, seat, action - STEP_OUT + 1)


def walk(g: SourireDuDragon, seat: int, steps: int) -> None:
    """SD-2.2 The move, then the square. SD-3.5 A move that would pass the Whirlpool is not made: on a green square
    you draw again, otherwise nothing happens."""
    course = g.course
    hero = g.heroes[seat]
    was = hero.square
    to = course.after(was, steps)
    if to == NO_SQUARE:
        g.note("SD-3.5", "stays", seat, was, steps, course.set)
        if course.kinds[was] == GREEN:
            g.push(Draw(seat))
        return
    hero.square = to
    g.landed = to
    g.note("SD-2.2", "walk", seat, was, to, course.set)
    kind = course.kinds[to]
    if kind == GREEN:
        g.push(Draw(seat))
    elif kind in (ADVENTURE, WHIRLPOOL):
        g.push(Trial(seat))
    elif kind == ORANGE:  # SD-3.3; SD-3.4: on yellow nothing happens.
        hero.lost += 1
        g.note("SD-3.3", "lose a turn", seat)
    elif kind == ARROW:
        g.push(Vortex(seat))
        g.push(Draw(seat))


# -- SD-3 Squares -----------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Trial(Step):
    """SD-3.1 Overcome the adventure square. SD-5.2, SD-5.4 The Acrobat's Staff and the Barbarian's Club pass some."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        hero = g.heroes[self.seat]
        square = hero.square
        if g.course.staff_passes[square] and hero.has_own(STAFF):
            g.note("SD-5.2", "pass", self.seat, square, STAFF, g.course.set)
            overcome(g, self.seat)
        elif g.course.club_passes[square] and hero.has_own(CLUB):
            g.note("SD-5.4", "pass", self.seat, square, CLUB, g.course.set)
            overcome(g, self.seat)
        else:
            begin(g, Attempt(self.seat, NO_CARD), rng)


def begin(g: SourireDuDragon, attempt: Attempt, rng: Rng) -> None:
    """A test or fight with the combat die, or a new one (SD-2.2)."""
    g.die = g.take_die(rng)
    g.added = 0
    g.hats = 0
    attempt.tell(g)
    g.push(attempt)


def overcome(g: SourireDuDragon, seat: int) -> None:
    """SD-2.3 Whoever was blocked now moves. SD-3.5 The Whirlpool leads to the Castle of Shadows at once, which is to
    be overcome from the next turn on."""
    hero = g.heroes[seat]
    square = hero.square
    if square == g.course.whirlpool:
        hero.square = g.course.castle
        hero.blocked = True
        g.landed = NO_SQUARE
        g.note("SD-3.5", "through", seat, square, hero.square, g.course.set)
        return
    hero.blocked = False
    g.note("SD-3.1", "overcome", seat, square, 0, g.course.set)
    if g.landed == NO_SQUARE:
        g.push(Stride(seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class Attempt(Step):
    """SD-3.1, SD-4.2 The die and the bonuses against a square's or a monster's number.

    SD-4.1 A failing player is asked for help only when it could change the result.
    """

    def __init__(self, seat: int, foe: int) -> None:
        super().__init__(seat)
        self.foe = foe  # the monster's card, or NO_CARD: the adventure of the square

    def args(self) -> list[int]:
        return [self.seat, self.foe]

    def need(self, g: SourireDuDragon) -> int:
        if self.foe != NO_CARD:
            return g.course.powers[self.foe]
        return g.course.numbers[g.heroes[self.seat].square]

    def at_whirlpool(self, g: SourireDuDragon) -> bool:
        return self.foe == NO_CARD and g.heroes[self.seat].square == g.course.whirlpool

    def total(self, g: SourireDuDragon) -> int:
        sum_ = g.die + g.added
        if not g.heroes[self.seat].cards:
            return sum_
        sum_ += g.bonus(self.seat, self.foe != NO_CARD, self.at_whirlpool(g))
        # SD-9.1 Uni: +1 against monsters, unless she was used to move this turn.
        if self.foe != NO_CARD and not g.uni_walked and g.effect_held(self.seat, UNI) != NO_CARD:
            sum_ += 1
        return sum_

    def tell(self, g: SourireDuDragon) -> None:
        g.note("SD-2.2", "die", self.seat, g.die, self.total(g), self.need(g))

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        if self.total(g) >= self.need(g):
            self.succeed(g)
        elif g.heroes[self.seat].cards and len(self.legal(g, self.seat)) > 1:
            g.ask(self, SOLO[self.seat])
        else:
            self.fail(g)

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return [PASS] + g.helps(seat, self.foe == NO_CARD)

    def forbids(self, g: SourireDuDragon, seat: int, action: int) -> str:
        if action == PASS or (action >= CARD and g.course.effects[action - CARD] == MASTER):
            return ALLOWED
        return ALLOWED if self.total(g) + g.reach(seat, g.die) >= self.need(g) else "SD-4.1"

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        if action == PASS:
            self.fail(g)
            return
        if action == USE_HAT:
            magic = g.roll_hat(seat, rng)
            if magic > 0 or not self.at_whirlpool(g):
                g.added += magic
        else:
            card = action - CARD
            effect = g.course.effects[card]
            g.drop(seat, card)
            g.note("SD-4.3", "use", seat, card, 0, g.course.set)
            if effect == MASTER:
                overcome(g, seat)
                return
            if effect == POTION:
                g.added += g.course.powers[card]
            else:
                g.die = rng.die()
        self.tell(g)
        g.push(Attempt(seat, self.foe))

    def succeed(self, g: SourireDuDragon) -> None:
        if self.foe == NO_CARD:
            overcome(g, self.seat)
        else:
            g.note("SD-4.2", "beaten", self.seat, self.foe, 0, g.course.set)

    def fail(self, g: SourireDuDragon) -> None:
        """SD-3.1 Blocked by the square. SD-4.2 Beaten by a monster: back to the previous adventure. SD-5.5 The
        Cavalier's Shield holds, except against Tiamat and Venger; on the arrow he draws again next turn (SD-3.6)."""
        hero = g.heroes[self.seat]
        if self.foe == NO_CARD:
            hero.blocked = True
            g.note("SD-3.1", "blocked", self.seat, hero.square, 0, g.course.set)
        elif hero.has_own(SHIELD) and not g.course.dreaded[self.foe]:
            hero.blocked = hero.square == g.course.arrow
            g.note("SD-5.5", "holds", self.seat, self.foe, 0, g.course.set)
        else:
            g.note("SD-4.2", "defeat", self.seat, self.foe, 0, g.course.set)
            g.retreat("SD-4.2", self.seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class Vortex(Step):
    """SD-3.6 After the card: whoever still stands on the arrow and lost no fight is in the Vortex and wins at once."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        hero = g.heroes[self.seat]
        if hero.square == g.course.arrow and not hero.blocked:
            g.winner = self.seat
            g.note("SD-3.6", "win", self.seat)
            g.end_game("SD-3.6")


# -- SD-4 Cards -------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Draw(Step):
    """SD-3.2 Draw a card and do what it says. SD-4.1 to SD-4.4: keep it, fight it, or carry it out."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        seat = self.seat
        hero = g.heroes[seat]
        g.refill(rng)
        if not g.pile:
            return
        card = g.pile.pop()
        g.drawn = card
        g.reveal("SD-3.2", "card", seat, card, 0, g.course.set)
        effect = g.course.effects[card]
        hero.blocked = False  # the Cavalier on the arrow tries again
        if effect == OBJECT or MASTER <= effect <= UNI:
            hero.cards.append(card)
            g.note("SD-4.1" if effect == OBJECT else "SD-4.3", "keep", seat, card, 0, g.course.set)
            return
        g.discards.append(card)  # a monster's fight is over before another card is needed
        if effect == MONSTER:
            begin(g, Attempt(seat, card), rng)
        elif effect == GIVE:
            if hero.objects() > 1:
                g.push(GiveBack(seat))
        elif effect == MOVE:
            g.carry(seat, g.course.powers[card])
        elif effect == AGAIN:
            g.again = True
        elif effect == LAST:
            g.push(HelpTheLast(seat, g.course.powers[card]))
        elif effect == MISS:
            hero.lost += 1
            g.note("SD-4.3", "lose a turn", seat)
        elif effect == RETREAT:
            g.retreat("SD-4.6", seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class GiveBack(Step):
    """SD-4.4 With more than one magic object, give one to the player furthest behind among those whose object you
    hold. Ties: you choose."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        who = self.legal(g, self.seat)
        if len(who) == 1:
            g.give_back(self.seat, who[0] - TO)
        elif who:
            g.ask(self, SOLO[self.seat])

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return SEATS[len(g.heroes)]

    def forbids(self, g: SourireDuDragon, seat: int, action: int) -> str:
        return ALLOWED if g.can_give_back(seat, action - TO) else "SD-4.4"

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        g.give_back(seat, action - TO)


@mypyc_attr(acyclic=True, free_list_len=1)
class HelpTheLast(Step):
    """SD-4.3 An event: the last player goes forward. Ties: you choose (as in SD-4.4)."""

    def __init__(self, seat: int, steps: int) -> None:
        super().__init__(seat)
        self.steps = steps

    def args(self) -> list[int]:
        return [self.seat, self.steps]

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        who = self.legal(g, self.seat)
        if len(who) == 1:
            g.carry(who[0] - TO, self.steps)
        else:
            g.ask(self, SOLO[self.seat])

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return SEATS[len(g.heroes)]

    def forbids(self, g: SourireDuDragon, seat: int, action: int) -> str:
        return ALLOWED if g.is_last(action - TO) else "SD-4.3"

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        g.carry(action - TO, self.steps)


# -- SD-6 Brawl, SD-7 Trade -------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Meet(Step):
    """SD-2.5 Adventure and card come first, then a brawl or a trade. SD-7.1 One offer for each player on your square,
    before a brawl. SD-6.1 You may attack one of them, which ends your turn."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        square = g.heroes[self.seat].square
        for seat, hero in enumerate(g.heroes):
            if hero.square == square and seat != self.seat:
                if len(self.legal(g, self.seat)) > 1:
                    g.ask(self, SOLO[self.seat])
                return

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return MEETINGS[len(g.heroes)][seat]

    def forbids(self, g: SourireDuDragon, seat: int, action: int) -> str:
        if action == PASS:
            return ALLOWED
        me = g.heroes[seat]
        if action >= OFFER:
            other = action - OFFER
            them = g.heroes[other]
            if them.square != me.square or (g.offered >> other) & 1 == 1:
                return "SD-7.1"
            return ALLOWED if me.cards or them.cards else "SD-7.1"
        other = action - ATTACK
        them = g.heroes[other]
        if them.square != me.square or not them.cards:
            return "SD-6.1"
        if them.has_own(CLOAK):
            return "SD-5.3"
        if g.landed == me.square or (g.refused >> other) & 1 == 1:  # SD-7.2 refused one's own object
            return ALLOWED
        return "SD-6.1"

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        if action == PASS:
            return
        if action >= OFFER:
            g.offered |= 1 << (action - OFFER)
            g.push(Meet(seat))
            g.push(OfferWhat(seat, action - OFFER))
        else:
            brawl(g, seat, action - ATTACK, rng)


@mypyc_attr(acyclic=True, free_list_len=1)
class OfferWhat(Step):
    """SD-7.1 What you give: a card, or nothing if you ask for a gift."""

    def __init__(self, seat: int, partner: int) -> None:
        super().__init__(seat)
        self.partner = partner

    def args(self) -> list[int]:
        return [self.seat, self.partner]

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return [PASS] + distinct(g.heroes[seat].cards)

    def forbids(self, g: SourireDuDragon, seat: int, action: int) -> str:
        return "SD-7.1" if action == PASS and not g.heroes[self.partner].cards else ALLOWED

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        g.push(OfferFor(seat, self.partner, NO_CARD if action == PASS else action - CARD))


@mypyc_attr(acyclic=True, free_list_len=1)
class OfferFor(Step):
    """SD-7.1 What you want for it: a card, or nothing if it is a gift."""

    def __init__(self, seat: int, partner: int, give: int) -> None:
        super().__init__(seat)
        self.partner = partner
        self.give = give

    def args(self) -> list[int]:
        return [self.seat, self.partner, self.give]

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return [PASS] + distinct(g.heroes[self.partner].cards)

    def forbids(self, g: SourireDuDragon, seat: int, action: int) -> str:
        return "SD-7.1" if action == PASS and self.give == NO_CARD else ALLOWED

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        want = NO_CARD if action == PASS else action - CARD
        g.note("SD-7.1", "offer", seat, self.partner, pack(self.give, want), g.course.set)
        g.push(Reply(self.partner, seat, self.give, want))


@mypyc_attr(acyclic=True, free_list_len=1)
class Reply(Step):
    """SD-7.1 The other player accepts or refuses. SD-7.2 Refusing what is rightfully another's allows a brawl."""

    def __init__(self, seat: int, partner: int, give: int, want: int) -> None:
        super().__init__(seat)
        self.partner = partner  # who made the offer
        self.give = give  # what the partner gives
        self.want = want  # what the partner wants

    def args(self) -> list[int]:
        return [self.seat, self.partner, self.give, self.want]

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return REPLIES

    def legal(self, g: SourireDuDragon, seat: int) -> list[int]:
        return REPLIES

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        if action == ACCEPT:
            if self.give != NO_CARD:
                g.hand_over(self.partner, seat, self.give)
            if self.want != NO_CARD:
                g.hand_over(seat, self.partner, self.want)
            g.note("SD-7.1", "accept", seat, self.partner, pack(self.give, self.want), g.course.set)
            return
        if self.want != NO_CARD and self.want == g.heroes[self.partner].character:
            g.refused |= 1 << seat
            g.note("SD-7.2", "refuse", seat, self.partner)
        else:
            g.note("SD-7.1", "refuse", seat, self.partner)


def brawl(g: SourireDuDragon, seat: int, target: int, rng: Rng) -> None:
    """SD-6.1 The attacker's combat die if it is still unused, else a new one; the other rolls one."""
    g.die = g.take_die(rng)
    g.other_die = rng.die()
    g.added = 0
    g.other_added = 0
    g.hats = 0
    g.note("SD-6.1", "brawl", seat, target)
    fray = Fray(seat, target, 0)
    fray.tell(g)
    g.push(fray)


@mypyc_attr(acyclic=True, free_list_len=1)
class Fray(Step):
    """SD-6.1, SD-6.2 Both dice with the C bonuses of both: higher wins, a tie changes nothing.

    SD-4.1 Whoever is not winning is asked for help when it could change the result, the attacker first, until nobody
    wants to.
    """

    def __init__(self, seat: int, target: int, declined: int) -> None:
        super().__init__(seat)
        self.target = target
        self.declined = declined  # who does not want to call for help: the sum of 1 << seat

    def args(self) -> list[int]:
        return [self.seat, self.target, self.declined]

    def total(self, g: SourireDuDragon, seat: int) -> int:
        sum_ = g.die + g.added if seat == self.seat else g.other_die + g.other_added
        return sum_ + g.bonus(seat, True, False)

    def tell(self, g: SourireDuDragon) -> None:
        g.note("SD-6.1", "brawl die", self.seat, g.die, self.total(g, self.seat))
        g.note("SD-6.1", "brawl die", self.target, g.other_die, self.total(g, self.target))

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        mine = self.total(g, self.seat)
        theirs = self.total(g, self.target)
        if mine <= theirs and self.wants_help(g, self.seat):
            g.ask(self, SOLO[self.seat])
        elif theirs <= mine and self.wants_help(g, self.target):
            g.ask(self, SOLO[self.target])
        elif mine == theirs:
            g.note("SD-6.2", "tie", self.seat, self.target)
        else:
            winner = self.seat if mine > theirs else self.target
            loser = self.target if mine > theirs else self.seat
            g.note("SD-6.2", "brawl won", winner, loser)
            if g.heroes[loser].cards:
                g.push(Spoils(winner, loser))

    def wants_help(self, g: SourireDuDragon, seat: int) -> bool:
        return (self.declined >> seat) & 1 == 0 and len(self.legal(g, seat)) > 1

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return [PASS] + g.helps(seat, False)

    def forbids(self, g: SourireDuDragon, seat: int, action: int) -> str:
        if action == PASS:
            return ALLOWED
        mine = self.total(g, seat)
        theirs = self.total(g, self.target if seat == self.seat else self.seat)
        need = theirs if mine < theirs else theirs + 1
        die = g.die if seat == self.seat else g.other_die
        return ALLOWED if mine + g.reach(seat, die) >= need else "SD-4.1"

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        if action == PASS:
            g.push(Fray(self.seat, self.target, self.declined | 1 << seat))
            return
        more = 0
        if action == USE_HAT:
            more = g.roll_hat(seat, rng)
        else:
            card = action - CARD
            g.drop(seat, card)
            g.note("SD-4.3", "use", seat, card, 0, g.course.set)
            if g.course.effects[card] == POTION:
                more = g.course.powers[card]
            elif seat == self.seat:
                g.die = rng.die()
            else:
                g.other_die = rng.die()
        if seat == self.seat:
            g.added += more
        else:
            g.other_added += more
        self.tell(g)
        g.push(Fray(self.seat, self.target, 0))


@mypyc_attr(acyclic=True, free_list_len=1)
class Spoils(Step):
    """SD-6.2 The winner may take one card of the loser, of the winner's choice."""

    def __init__(self, seat: int, loser: int) -> None:
        super().__init__(seat)
        self.loser = loser

    def args(self) -> list[int]:
        return [self.seat, self.loser]

    def options(self, g: SourireDuDragon, seat: int) -> list[int]:
        return [PASS] + distinct(g.heroes[self.loser].cards)

    def legal(self, g: SourireDuDragon, seat: int) -> list[int]:
        return self.options(g, seat)

    def answer(self, g: SourireDuDragon, seat: int, action: int, rng: Rng) -> None:
        if action == PASS:
            g.note("SD-6.2", "spare", seat, self.loser)
            return
        g.hand_over(self.loser, seat, action - CARD)
        g.note("SD-6.2", "take", seat, self.loser, action - CARD, g.course.set)


def distinct(cards: list[int]) -> list[int]:
    """Each different card once, as a choice."""
    found: list[int] = []
    for card in cards:
        if CARD + card not in found:
            found.append(CARD + card)
    return found


def pack(give: int, want: int) -> int:
    """Both cards of an offer in one number of the log."""
    return (give + 1) * 128 + want + 1


# -- A new game -------------------------------------------------------------------------------------------
def new_game(players: int, rng: Rng, options: dict[str, str], log: Log | None = None) -> SourireDuDragon:
    """SD-1 Dice for the order; everybody on the Entrance of the Train of Death; the first question is a character."""
    g = SourireDuDragon()
    g.start_flow()
    g.log = log
    g.course = find_course(options.get("cards", content.BUILT_IN))
    g.heroes = [new_hero() for _ in range(players)]
    g.pile = [card for card, copies in enumerate(g.course.copies) for _ in range(copies)]
    g.discards = []
    g.aside = []
    g.only_characters = options.get("objects", "all") == "characters"
    g.winner = NOBODY
    g.turn = 0
    g.roller = NOBODY
    g.dice = []
    g.high_moves = True
    g.move = 0
    g.combat = 0
    g.drawn = NO_CARD
    g.landed = NO_SQUARE
    g.uni_walked = False
    g.again = False
    g.offered = 0
    g.refused = 0
    g.die = 0
    g.added = 0
    g.other_die = 0
    g.other_added = 0
    g.hats = 0
    order = by_dice(g, list(range(players)), rng)
    g.push(Shuffle(order[0]))
    for seat in reversed(order):
        g.push(ChooseCharacter(seat))
    g.proceed(rng)
    g.log = None
    return g


def new_hero() -> Hero:
    hero = Hero()
    hero.character = NOBODY
    hero.square = 0
    hero.blocked = False
    hero.lost = 0
    hero.cards = []
    return hero


def by_dice(g: SourireDuDragon, seats: list[int], rng: Rng) -> list[int]:
    """SD-1.2 From the highest die to the lowest; those who tie roll again among themselves."""
    if len(seats) < 2:
        return seats
    dice = []
    for seat in seats:
        dice.append(rng.die())
        g.note("SD-1.2", "order", seat, dice[-1])
    order: list[int] = []
    for face in range(SIX, 0, -1):
        order += by_dice(g, [seat for i, seat in enumerate(seats) if dice[i] == face], rng)
    return order


STEPS: Final[dict[str, Callable[..., Step]]] = {
    "ChooseCharacter": ChooseCharacter,
    "Shuffle": Shuffle,
    "Turn": Turn,
    "EndOfTurn": EndOfTurn,
    "Announce": Announce,
    "Stride": Stride,
    "Trial": Trial,
    "Attempt": Attempt,
    "Vortex": Vortex,
    "Draw": Draw,
    "GiveBack": GiveBack,
    "HelpTheLast": HelpTheLast,
    "Meet": Meet,
    "OfferWhat": OfferWhat,
    "OfferFor": OfferFor,
    "Reply": Reply,
    "Fray": Fray,
    "Spoils": Spoils,
}


def load(data: dict[str, Any]) -> SourireDuDragon:
    """The state that dump() wrote."""
    g = SourireDuDragon()
    g.load_flow(data["flow"], STEPS)
    g.course = find_course(data["content"])
    g.heroes = []
    for character, square, blocked, lost, cards in data["heroes"]:
        hero = new_hero()
        hero.character = character
        hero.square = square
        hero.blocked = blocked == 1
        hero.lost = lost
        hero.cards = list(cards)
        g.heroes.append(hero)
    g.pile = list(data["pile"])
    g.discards = list(data["discards"])
    g.aside = list(data["aside"])
    g.only_characters = data["only_characters"]
    g.winner = data["winner"]
    g.turn = data["turn"]
    g.roller = data["roller"]
    g.dice = list(data["dice"])
    g.high_moves = data["high_moves"]
    g.move = data["move"]
    g.combat = data["combat"]
    g.drawn = data["drawn"]
    g.landed = data["landed"]
    g.uni_walked = data["uni_walked"]
    g.again = data["again"]
    g.offered = data["offered"]
    g.refused = data["refused"]
    g.die = data["die"]
    g.added = data["added"]
    g.other_die = data["other_die"]
    g.other_added = data["other_added"]
    g.hats = data["hats"]
    return g
