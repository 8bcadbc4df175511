"""SD-1 What is on the table, and the words that the paragraphs of the rules share."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from librt.vecs import append, remove, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.sourire_du_dragon.rules.course import (
    BOOTS,
    CHARACTERS,
    HAT,
    MASTER,
    MONSTER,
    NO_CARD,
    NO_SQUARE,
    NOBODY,
    OBJECTS,
    POTION,
    REROLL,
    UNI,
    find_course,
)
from veillee.games.sourire_du_dragon.rules.events import (
    CARRIED,
    GAVE_BACK,
    HAT_ROLLED,
    NOT_CARRIED,
    REFILLED,
    SENT_BACK,
    USED,
)
from veillee.kernel.chance import Rng
from veillee.kernel.plain import flag, things
from veillee.kernel.state import State, Step, Thing

HAT_TABLE: Final = vec[i64]([0, -3, -2, -1, 1, 2, 3])  # SD-5.6 by the face of the die
HAT_AT_BEST: Final = 3
SIX: Final = 6
OBJECT_RULES: Final = ["SD-5.1", "SD-5.2", "SD-5.3", "SD-5.4", "SD-5.5", "SD-5.6"]  # of each object

# Actions. A choice has the same number in every position.
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
NO_ANSWER: Final = -1

# Readings that a table may choose (ADR 35): bits of State.readings.
GENTLE_HAT: Final = 1  # SD-5.6 the Magician decides after seeing the dice

SEATS: Final = vec[vec[i64]]([vec[i64]([TO + s for s in range(n)]) for n in range(CHARACTERS + 1)])


@mypyc_attr(acyclic=True)
class Hero(Thing):
    """One player's things."""

    shape: ClassVar[dict[str, Any]] = {"blocked": flag()}

    def __init__(self, character: i64, square: i64, blocked: bool, lost: i64, cards: vec[i64]) -> None:
        self.character = character
        self.square = square
        self.blocked = (
            blocked  # SD-3.1 by the adventure square; on the arrow or a green one: draws again (SD-3.6, SD-5.5)
        )
        self.lost = lost  # SD-2.4 turns to miss
        self.cards = cards  # SD-10.1 objects and kept events, open to all

    def clone(self) -> Hero:
        return Hero(self.character, self.square, self.blocked, self.lost, self.cards[:])

    def take(self, card: i64) -> None:
        self.cards = append(self.cards, card)

    def lose(self, card: i64) -> None:
        self.cards = remove(self.cards, card)

    def has_cards(self) -> bool:
        return len(self.cards) > 0

    def holds(self, card: i64) -> bool:
        return any(held == card for held in self.cards)

    def has_own(self, thing: i64) -> bool:
        """The object's rightful owner holds it."""
        return self.character == thing and self.holds(thing)

    def objects(self) -> i64:
        number: i64 = 0
        for card in self.cards:
            if card < OBJECTS:
                number += 1
        return number


class SourireDuDragon(State):
    """SD-1 What is on the table."""

    shape: ClassVar[dict[str, Any]] = {"heroes": things(Hero)}

    def __init__(
        self,
        content: str,
        heroes: vec[Hero],
        pile: vec[i64],
        discards: vec[i64],
        aside: vec[i64],
        only_characters: bool,
        winner: i64,
        turn: i64,
        roller: i64,
        dice: vec[i64],
        high_moves: bool,
        move: i64,
        combat: i64,
        drawn: i64,
        landed: i64,
        uni_walked: bool,
        again: bool,
        offered: i64,
        refused: i64,
        die: i64,
        added: i64,
        other_die: i64,
        other_added: i64,
        hats: i64,
    ) -> None:
        super().__init__()
        self.content = content  # SD-9.3 the name of the set of squares and cards
        self.course = find_course(content)
        self.heroes = heroes
        self.pile = pile  # the next card is the last
        self.discards = discards
        self.aside = aside  # SD-8.1 objects that are not in the game; never changed in place
        self.only_characters = only_characters  # SD-8.1
        self.winner = winner
        self.turn = turn  # turns so far, missed ones too
        # This turn.
        self.roller = roller  # whose dice lie on the table
        self.dice = dice  # as they fell; never changed in place
        self.high_moves = high_moves  # SD-2.1 as announced
        self.move = move  # the movement die
        self.combat = combat  # the combat die; 0 once it is used (SD-2.2)
        self.drawn = drawn  # the card drawn
        self.landed = landed  # where the movement ended; NO_SQUARE before, or if none was made
        self.uni_walked = uni_walked  # SD-9.1 Uni's +1 was used to move
        self.again = again  # another turn follows
        self.offered = offered  # SD-7.1 to whom an offer was made: the sum of 1 << seat
        self.refused = refused  # SD-7.2 who refused the rightful owner an object: the sum of 1 << seat
        # The test, fight or brawl that is going on.
        self.die = die
        self.added = added  # by potions and the Hat
        self.other_die = other_die  # of the one who is attacked in a brawl
        self.other_added = other_added
        self.hats = hats  # who has rolled for the Hat: the sum of 1 << seat

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def bonus(self, seat: i64, combat: bool, whirlpool: bool) -> i64:
        """SD-4.1, SD-5 The objects' bonuses add up; at the Whirlpool penalties do not count (SD-3.5)."""
        hero = self.heroes[seat]
        course = self.course
        sum_: i64 = 0
        for card in hero.cards:
            if card < OBJECTS:
                if combat:
                    one = course.combat_owner[card] if card == hero.character else course.combat_anyone[card]
                else:
                    one = course.adventure_owner[card] if card == hero.character else course.adventure_anyone[card]
                if one > 0 or not whirlpool:
                    sum_ += one
        return sum_

    def effect_held(self, seat: i64, effect: i64) -> i64:
        """A card with that effect that the seat keeps, or NO_CARD."""
        effects = self.course.effects
        for card in self.heroes[seat].cards:
            if effects[card] == effect:
                return card
        return NO_CARD

    def is_hat_gentle(self) -> bool:
        """SD-5.6 The Magician decides about the Hat after seeing the dice: a reading, and the rule until version 2."""
        return self.version < 3 or self.readings & GENTLE_HAT != 0

    def can_roll_hat(self, seat: i64) -> bool:
        """SD-5.6 The Magician with the gentle Hat, once for each test or fight."""
        return (self.hats >> seat) & 1 == 0 and self.heroes[seat].has_own(HAT) and self.is_hat_gentle()

    def hat_before(self, seat: i64, rng: Rng) -> i64:
        """SD-5.6 The Magician must roll for the Hat at every test, before the result is known. What it gives, or 0."""
        if not self.heroes[seat].has_own(HAT) or self.is_hat_gentle():
            return 0
        return self.roll_hat(seat, rng)

    def helps(self, seat: i64, adventure: bool) -> vec[i64]:
        """SD-4.1 What a failing player can call on, or PASS: the Hat, potions, the clover, the Dungeon Master in
        adventures."""
        found = vec[i64]([PASS])
        if self.can_roll_hat(seat):
            found = append(found, USE_HAT)
        effects = self.course.effects
        for card in self.heroes[seat].cards:
            effect = effects[card]
            if effect in (POTION, REROLL) or (effect == MASTER and adventure):
                if CARD + card not in found:
                    found = append(found, CARD + card)
        return found

    def reach(self, seat: i64, die: i64) -> i64:
        """The most that the seat's helps can add to its die; the Dungeon Master does not add."""
        most: i64 = HAT_AT_BEST if self.can_roll_hat(seat) else 0
        again: i64 = 0
        course = self.course
        for card in self.heroes[seat].cards:
            effect = course.effects[card]
            if effect == POTION:
                most += course.powers[card]
            elif effect == REROLL:
                again = SIX - die
        return most + again

    def in_vain(self, card: i64, die: i64) -> bool:
        """SD-4.1 A clover cannot better a 6; by the rules of version 1 it was offered there beside other helps."""
        return die == SIX and self.version > 1 and self.course.effects[card] == REROLL

    def take_die(self, rng: Rng) -> i64:
        """SD-2.2 The combat die serves the turn's first test that needs a die; later ones roll a new one."""
        die = self.combat
        if die == 0:
            return rng.die()
        self.combat = 0
        return die

    def use(self, seat: i64, card: i64) -> None:
        """SD-4.3 Used once, then discarded."""
        self.heroes[seat].lose(card)
        self.discards = append(self.discards, card)
        self.note("SD-4.3", USED, seat, card, self.course.set)

    def hand_over(self, giver: i64, taker: i64, card: i64) -> None:
        self.heroes[giver].lose(card)
        self.heroes[taker].take(card)

    def roll_hat(self, seat: i64, rng: Rng) -> i64:
        """SD-5.6 1, 2, 3: -3, -2, -1; 4, 5, 6: +1, +2, +3."""
        self.hats |= 1 << seat
        die = rng.die()
        magic = HAT_TABLE[die]
        self.note("SD-5.6", HAT_ROLLED, seat, die, magic)
        return magic

    def refill(self, rng: Rng) -> None:
        """SD-4.5 The discards, shuffled, are the new pile when a card is needed and it is empty."""
        if len(self.pile) == 0 and len(self.discards) > 0:
            self.pile = self.discards
            self.discards = vec[i64]()
            rng.shuffle(self.pile)
            self.note("SD-4.5", REFILLED, NOBODY, len(self.pile))

    def retreat(self, rule: str, seat: i64) -> None:
        """SD-4.2 Back to the previous adventure square, blocked there; the start blocks nobody."""
        hero = self.heroes[seat]
        was = hero.square
        hero.square = self.course.previous[was]
        hero.blocked = hero.square != 0
        self.note(rule, SENT_BACK, seat, was, hero.square, self.course.set)

    def carry(self, seat: i64, steps: i64) -> None:
        """SD-4.6 A square reached by a card is not resolved; an adventure square blocks from the next turn, and on the
        arrow the hero draws at its start (not until version 2). No card carries anyone past the Whirlpool."""
        hero = self.heroes[seat]
        was = hero.square
        to = self.course.after(was, steps) if steps > 0 else self.course.before(was, -steps)
        if to == NO_SQUARE:
            self.note("SD-4.6", NOT_CARRIED, seat, was)
            return
        hero.square = to
        hero.blocked = self.course.blocks(to) or (to == self.course.arrow and self.version > 2)
        self.note("SD-4.6", CARRIED, seat, was, to, self.course.set)

    def is_last(self, seat: i64) -> bool:
        """SD-4.4 Nobody stands behind: outer ring before inner, then the square."""
        square = self.heroes[seat].square
        return all(hero.square >= square for hero in self.heroes)

    def owner_of(self, card: i64) -> i64:
        """Returns the seat whose character an object belongs to, or NOBODY."""
        for seat in range(len(self.heroes)):
            if self.heroes[seat].character == card:
                return seat
        return NOBODY

    def can_give_back(self, seat: i64, to: i64) -> bool:
        """SD-4.4 To the player furthest behind among those whose object you hold."""
        hero = self.heroes[seat]
        other = self.heroes[to]
        if to == seat or not hero.holds(other.character):
            return False
        for owner in range(len(self.heroes)):
            rival = self.heroes[owner]
            if owner != seat and rival.square < other.square and hero.holds(rival.character):
                return False
        return True

    def give_back(self, seat: i64, to: i64) -> None:
        card = self.heroes[to].character
        self.hand_over(seat, to, card)
        self.note("SD-4.4", GAVE_BACK, seat, to, card, self.course.set)

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> SourireDuDragon:
        heroes = vec[Hero]([hero.clone() for hero in self.heroes])
        # fmt: off
        g = SourireDuDragon(
            self.content, heroes, self.pile[:], self.discards[:], self.aside, self.only_characters,
            self.winner, self.turn, self.roller, self.dice, self.high_moves, self.move, self.combat, self.drawn,
            self.landed, self.uni_walked, self.again, self.offered, self.refused,
            self.die, self.added, self.other_die, self.other_added, self.hats,
        )
        # fmt: on
        g.resume(self)
        return g

    def determinize(self, seat: i64, rng: Rng) -> None:
        """SD-10.1 Only the order of the pile is unknown, and it is to everybody."""
        rng.shuffle(self.pile)

    def seats(self) -> i64:
        return len(self.heroes)

    def score(self, seat: i64) -> i64:
        """There are no points: how far along the path the hero is; the Vortex is one step beyond the arrow."""
        return self.course.arrow + 1 if seat == self.winner else self.heroes[seat].square

    def standing(self, seat: i64) -> list[int]:
        """SD-3.6 The Vortex wins; the others are ranked by how far they came."""
        return [self.score(seat)]

    def answers(self) -> i64:
        return CARD + len(self.course.effects)

    def misplaced(self, seat: i64, action: i64) -> str:
        """Every answer has its moment in a turn, and every card its use."""
        step = self.question
        if isinstance(step, OfCards):
            card = step.named(self, seat, action)
            if card != NO_CARD:
                return step.no_card(self, seat, card)
        if action < CHARACTER:
            return "SD-2.1"
        if action < GO:
            return "SD-1.2"
        if action < PASS:
            return "SD-2.2"
        if action == PASS:
            return "SD-4.1"
        if action == USE_HAT:
            return "SD-5.6"
        if action < ATTACK:
            return "SD-7.1"
        if action < OFFER:
            return "SD-6.1"
        if action < TO:
            return "SD-7.1"
        return "SD-4.4" if action < CARD else "SD-4.3"

    def choice(self, action: i64) -> tuple[str, dict[str, int]]:
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


@mypyc_attr(acyclic=True)
class Pick(Step):
    """A question that is asked only if there is a choice: the only answer there is is carried out at once."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        only: i64 = NO_ANSWER
        for action in self.options(g, self.seat):
            if not self.forbids(g, self.seat, action):
                if only != NO_ANSWER:
                    g.ask(self)
                    return
                only = action
        if only != NO_ANSWER:
            self.answer(g, self.seat, only, rng)


@mypyc_attr(acyclic=True)
class OfCards(Step):
    """A question that is answered with a card."""

    def named(self, g: SourireDuDragon, seat: i64, action: i64) -> i64:
        """The card that an answer speaks of, or NO_CARD."""
        if action >= CARD:
            return action - CARD
        return NO_CARD

    def no_card(self, g: SourireDuDragon, seat: i64, card: i64) -> str:
        """The rule against a card that is no answer."""
        raise NotImplementedError


@mypyc_attr(acyclic=True)
class CallForHelp(OfCards):
    """SD-4.1 A test, a fight or a brawl that is not won: the seat may call for help."""

    def is_adventure(self) -> bool:
        return False

    def named(self, g: SourireDuDragon, seat: i64, action: i64) -> i64:
        """To walk with Uni or the boots is to speak of them, too."""
        if action == GO_WITH_UNI:
            return g.effect_held(seat, UNI)
        if STEP_OUT <= action < PASS:
            return g.effect_held(seat, BOOTS)
        return super().named(g, seat, action)

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return g.helps(seat, self.is_adventure())

    def no_card(self, g: SourireDuDragon, seat: i64, card: i64) -> str:
        """SD-5 An object counts by itself, or not here. SD-9.1 So does Uni. SD-4.3 The other events are for something
        else, or for whoever holds them. SD-4.2 Monsters help nobody."""
        effect = g.course.effects[card]
        if card == HAT or (card < OBJECTS and g.heroes[seat].holds(card)):
            return OBJECT_RULES[card]
        if card < OBJECTS:
            return "SD-4.1"
        if effect == MONSTER:
            return "SD-4.2"
        return "SD-9.1" if effect == UNI and g.heroes[seat].holds(card) else "SD-4.3"
