"""SD-2 A turn, SD-3 Squares, SD-4 Cards, SD-5 What the objects do on the way."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.sourire_du_dragon.rules.course import (
    AGAIN,
    ARROW,
    BOOTS,
    CLUB,
    GIVE,
    GREEN,
    LAST,
    MASTER,
    MISS,
    MONSTER,
    MOVE,
    NO_CARD,
    NO_SQUARE,
    OBJECT,
    ORANGE,
    POTION,
    RETREAT,
    SHIELD,
    STAFF,
    UNI,
)
from veillee.games.sourire_du_dragon.rules.events import (
    ANNOUNCED,
    BEAT,
    BLOCKED,
    DICE,
    DIE,
    DREW,
    HELD,
    KEPT,
    LOSES_A_TURN,
    LOST,
    MISSED,
    NO_DIE_NEEDED,
    OVERCAME,
    STAYED,
    SWEPT,
    UNI_CARRIES,
    WALKED,
    WON,
)
from veillee.games.sourire_du_dragon.rules.meetings import Meet
from veillee.games.sourire_du_dragon.rules.position import (
    CARD,
    GO,
    GO_WITH_UNI,
    HIGH_MOVES,
    LOW_MOVES,
    PASS,
    SEATS,
    SIX,
    STEP_OUT,
    TO,
    USE_HAT,
    CallForHelp,
    Pick,
    SourireDuDragon,
)
from veillee.kernel.chance import Rng
from veillee.kernel.state import ALLOWED, Moves, Step

ANNOUNCEMENTS: Final = vec[i64]([HIGH_MOVES, LOW_MOVES])
STRIDES: Final = vec[i64]([GO, GO_WITH_UNI] + [STEP_OUT + n for n in range(SIX)])


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
            g.note("SD-2.4", MISSED, self.seat, hero.lost)
        else:
            g.ask(Announce(self.seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class EndOfTurn(Step):
    """SD-1.2 Then clockwise, unless a card gave another turn."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        g.push(Turn(self.seat if g.again else g.left_of(self.seat)))


@mypyc_attr(acyclic=True, free_list_len=1)
class Announce(Step):
    """SD-2.1 Announce whether the high die is for movement or for combat; roll three dice; the middle one is ignored."""

    def begins_move(self) -> bool:
        return True

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return ANNOUNCEMENTS

    def allow(self, g: SourireDuDragon, seat: i64, moves: Moves) -> None:
        moves.add_all(ANNOUNCEMENTS)

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        a = rng.die()
        b = rng.die()
        c = rng.die()
        high = max(a, b)
        low = min(a, b)
        if c > high:
            high = c
        elif c < low:
            low = c
        g.roller = seat
        g.dice = vec[i64]([a, b, c])
        g.drawn = NO_CARD
        g.high_moves = action == HIGH_MOVES
        g.move = high if g.high_moves else low
        g.combat = low if g.high_moves else high
        g.note("SD-2.1", ANNOUNCED, seat, 1 if g.high_moves else 0)
        g.note("SD-2.1", DICE, seat, a, b, c)
        hero = g.heroes[seat]
        g.push(Meet(seat))
        if not hero.blocked:
            stride(g, seat, rng)
        elif hero.square == g.course.arrow:
            g.push(Vortex(seat))
            draw(g, seat, rng)
        elif g.course.kinds[hero.square] == GREEN:
            g.push(GoOn(seat, hero.square))
            draw(g, seat, rng)
        else:
            trial(g, seat, rng)


def stride(g: SourireDuDragon, seat: i64, rng: Rng) -> None:
    """SD-2.2 Move by the movement die. The boots choose another number, Uni adds 1: only then is there a question."""
    if g.heroes[seat].has_cards():
        question = Stride(seat)
        if question.leaves_choice(g):
            g.ask(question)
            return
    walk(g, seat, g.move, rng)


@mypyc_attr(acyclic=True, free_list_len=1)
class Stride(Step):
    """SD-2.2 By the die, with Uni, or as far as the boots shall go."""

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return STRIDES

    def forbids(self, g: SourireDuDragon, seat: i64, action: i64) -> str:
        if action == GO:
            return ALLOWED
        if g.effect_held(seat, UNI if action == GO_WITH_UNI else BOOTS) == NO_CARD:
            return "SD-4.3"
        steps = g.move + 1 if action == GO_WITH_UNI else action - STEP_OUT + 1
        return ALLOWED if g.course.after(g.heroes[seat].square, steps) != NO_SQUARE else "SD-3.5"

    def leaves_choice(self, g: SourireDuDragon) -> bool:
        """With the boots one square is what is possible if anything is."""
        return not self.forbids(g, self.seat, GO_WITH_UNI) or not self.forbids(g, self.seat, STEP_OUT)

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        if action == GO:
            walk(g, seat, g.move, rng)
        elif action == GO_WITH_UNI:
            g.uni_walked = True
            g.note("SD-4.3", UNI_CARRIES, seat)
            walk(g, seat, g.move + 1, rng)
        else:
            g.use(seat, g.effect_held(seat, BOOTS))
            walk(g, seat, action - STEP_OUT + 1, rng)


def walk(g: SourireDuDragon, seat: i64, steps: i64, rng: Rng) -> None:
    """SD-2.2 The move, then the square. SD-3.5 A move that would pass the Whirlpool is not made: on a green square
    you draw again, otherwise nothing happens."""
    course = g.course
    hero = g.heroes[seat]
    was = hero.square
    to = course.after(was, steps)
    if to == NO_SQUARE:
        g.note("SD-3.5", STAYED, seat, was, steps)
        if course.kinds[was] == GREEN:
            draw(g, seat, rng)
        return
    hero.square = to
    g.landed = to
    g.note("SD-2.2", WALKED, seat, was, to, course.set)
    kind = course.kinds[to]
    if kind == GREEN:
        draw(g, seat, rng)
    elif kind == ORANGE:  # SD-3.3; SD-3.4: on yellow nothing happens.
        hero.lost += 1
        g.note("SD-3.3", LOSES_A_TURN, seat)
    elif kind == ARROW:
        g.push(Vortex(seat))
        draw(g, seat, rng)
    elif course.blocks(to):
        trial(g, seat, rng)


# -- SD-3 Squares -----------------------------------------------------------------------------------------
def trial(g: SourireDuDragon, seat: i64, rng: Rng) -> None:
    """SD-3.1 Overcome the adventure square. SD-5.2, SD-5.4 The Acrobat's Staff and the Barbarian's Club pass some."""
    hero = g.heroes[seat]
    square = hero.square
    if g.course.staff_passes[square] and hero.has_own(STAFF):
        g.note("SD-5.2", NO_DIE_NEEDED, seat, square, STAFF, g.course.set)
        overcome(g, seat, rng)
    elif g.course.club_passes[square] and hero.has_own(CLUB):
        g.note("SD-5.4", NO_DIE_NEEDED, seat, square, CLUB, g.course.set)
        overcome(g, seat, rng)
    else:
        begin(g, Attempt(seat, NO_CARD), rng)


def begin(g: SourireDuDragon, attempt: Attempt, rng: Rng) -> None:
    """A test or fight with the combat die, or a new one (SD-2.2)."""
    g.die = g.take_die(rng)
    g.added = 0
    g.hats = 0
    attempt.add_magic(g, g.hat_before(attempt.seat, rng))
    attempt.judge(g, rng)


def overcome(g: SourireDuDragon, seat: i64, rng: Rng) -> None:
    """SD-2.3 Whoever was blocked now moves. SD-3.5 The Whirlpool leads to the Castle of Shadows at once, which is to
    be overcome from the next turn on."""
    hero = g.heroes[seat]
    square = hero.square
    if square == g.course.whirlpool:
        hero.square = g.course.castle
        hero.blocked = True
        g.landed = NO_SQUARE
        g.note("SD-3.5", SWEPT, seat, square, hero.square, g.course.set)
        return
    hero.blocked = False
    g.note("SD-3.1", OVERCAME, seat, square, g.course.set)
    if g.landed == NO_SQUARE:
        stride(g, seat, rng)


@mypyc_attr(acyclic=True, free_list_len=1)
class Attempt(CallForHelp):
    """SD-3.1, SD-4.2 The die and the bonuses against a square's or a monster's number.

    SD-4.1 A failing player is asked for help only when it could change the result.
    """

    def __init__(self, seat: i64, foe: i64) -> None:
        super().__init__(seat)
        self.foe = foe  # the monster's card, or NO_CARD: the adventure of the square

    def need(self, g: SourireDuDragon) -> i64:
        if self.foe != NO_CARD:
            return g.course.powers[self.foe]
        square = g.heroes[self.seat].square
        return g.course.numbers[square]

    def is_combat(self, g: SourireDuDragon) -> bool:
        """SD-3.1 Against a monster, or on a square that is a combat: the C bonuses count."""
        return self.foe != NO_CARD or g.course.combats[g.heroes[self.seat].square]

    def add_magic(self, g: SourireDuDragon, magic: i64) -> None:
        """SD-5.6 What the Hat gives; SD-3.5 at the Whirlpool penalties do not count."""
        if magic > 0 or not self.at_whirlpool(g):
            g.added += magic

    def at_whirlpool(self, g: SourireDuDragon) -> bool:
        return self.foe == NO_CARD and g.heroes[self.seat].square == g.course.whirlpool

    def total(self, g: SourireDuDragon) -> i64:
        sum_ = g.die + g.added
        if not g.heroes[self.seat].has_cards():
            return sum_
        sum_ += g.bonus(self.seat, self.is_combat(g), self.at_whirlpool(g))
        # SD-9.1 Uni: +1 against monsters, unless she was used to move this turn.
        if self.foe != NO_CARD and not g.uni_walked and g.effect_held(self.seat, UNI) != NO_CARD:
            sum_ += 1
        return sum_

    def judge(self, g: SourireDuDragon, rng: Rng) -> None:
        """What the die says now."""
        total = self.total(g)
        need = self.need(g)
        g.note("SD-2.2", DIE, self.seat, g.die, total, need)
        if total >= need:
            self.succeed(g, rng)
        elif g.heroes[self.seat].has_cards() and (self.within_reach(g) or self.master_helps(g)):
            g.ask(self)
        else:
            self.fail(g)

    def within_reach(self, g: SourireDuDragon) -> bool:
        return self.total(g) + g.reach(self.seat, g.die) >= self.need(g)

    def master_helps(self, g: SourireDuDragon) -> bool:
        return self.foe == NO_CARD and g.effect_held(self.seat, MASTER) != NO_CARD

    def is_adventure(self) -> bool:
        return self.foe == NO_CARD

    def forbids(self, g: SourireDuDragon, seat: i64, action: i64) -> str:
        if action == PASS:
            return ALLOWED
        if action >= CARD:
            card = action - CARD
            if g.course.effects[card] == MASTER:
                return ALLOWED
            if g.in_vain(card, g.die):
                return "SD-4.1"
        return ALLOWED if self.within_reach(g) else "SD-4.1"

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        if action == PASS:
            self.fail(g)
            return
        if action == USE_HAT:
            self.add_magic(g, g.roll_hat(seat, rng))
        else:
            card = action - CARD
            effect = g.course.effects[card]
            g.use(seat, card)
            if effect == MASTER:
                overcome(g, seat, rng)
                return
            if effect == POTION:
                g.added += g.course.powers[card]
            else:
                g.die = rng.die()
        self.judge(g, rng)

    def succeed(self, g: SourireDuDragon, rng: Rng) -> None:
        if self.foe == NO_CARD:
            overcome(g, self.seat, rng)
        else:
            g.note("SD-4.2", BEAT, self.seat, self.foe, g.course.set)

    def fail(self, g: SourireDuDragon) -> None:
        """SD-3.1 Blocked by the square. SD-4.2 Beaten by a monster: back to the previous adventure. SD-5.5 The
        Cavalier's Shield holds, except against Tiamat and Venger; he draws again next turn (until version 2 on the
        arrow alone, SD-3.6)."""
        hero = g.heroes[self.seat]
        if self.foe == NO_CARD:
            hero.blocked = True
            g.note("SD-3.1", BLOCKED, self.seat, hero.square, g.course.set)
        elif hero.has_own(SHIELD) and not g.course.dreaded[self.foe]:
            hero.blocked = g.version > 2 or hero.square == g.course.arrow
            g.note("SD-5.5", HELD, self.seat, self.foe)
        else:
            g.note("SD-4.2", LOST, self.seat, self.foe, g.course.set)
            g.retreat("SD-4.2", self.seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class Vortex(Step):
    """SD-3.6 After the card: whoever still stands on the arrow and lost no fight is in the Vortex and wins at once."""

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        hero = g.heroes[self.seat]
        if hero.square == g.course.arrow and not hero.blocked:
            g.winner = self.seat
            g.note("SD-3.6", WON, self.seat)
            g.end_game("SD-3.6")


@mypyc_attr(acyclic=True, free_list_len=1)
class GoOn(Step):
    """SD-5.5 After the Cavalier's new card on a green square: whoever got through it moves, as SD-2.3 says of an
    adventure square. A card that led elsewhere was the move."""

    def __init__(self, seat: i64, square: i64) -> None:
        super().__init__(seat)
        self.square = square

    def run(self, g: SourireDuDragon, rng: Rng) -> None:
        hero = g.heroes[self.seat]
        if hero.square == self.square and not hero.blocked:
            stride(g, self.seat, rng)


# -- SD-4 Cards -------------------------------------------------------------------------------------------
def draw(g: SourireDuDragon, seat: i64, rng: Rng) -> None:
    """SD-3.2 Draw a card and do what it says. SD-4.1 to SD-4.4: keep it, fight it, or carry it out."""
    hero = g.heroes[seat]
    course = g.course
    g.refill(rng)
    if len(g.pile) == 0:
        return
    g.pile, card = pop(g.pile)
    g.drawn = card
    g.reveal("SD-3.2", DREW, seat, card, course.set)
    hero.blocked = False  # the Cavalier tries again
    effect = course.effects[card]
    if course.keeps(card):
        hero.take(card)
        g.note("SD-4.1" if effect == OBJECT else "SD-4.3", KEPT, seat, card, course.set)
        return
    g.discards = append(g.discards, card)  # a monster's fight is over before another card is needed
    if effect == MONSTER:
        begin(g, Attempt(seat, card), rng)
    elif effect == GIVE:
        if g.version > 2 or hero.objects() > 1:
            g.push(GiveBack(seat))
    elif effect == MOVE:
        g.carry(seat, course.powers[card])
    elif effect == AGAIN:
        g.again = True
    elif effect == LAST:
        g.push(HelpTheLast(seat, course.powers[card]))
    elif effect == MISS:
        hero.lost += 1
        g.note("SD-4.3", LOSES_A_TURN, seat)
    elif effect == RETREAT:
        g.retreat("SD-4.6", seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class GiveBack(Pick):
    """SD-4.4 Give an object to its rightful owner: of several, that of the player furthest behind among those whose
    object you hold. Ties: you choose. Until version 2 it did nothing with one object alone."""

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return SEATS[len(g.heroes)]

    def forbids(self, g: SourireDuDragon, seat: i64, action: i64) -> str:
        return ALLOWED if g.can_give_back(seat, action - TO) else "SD-4.4"

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        g.give_back(seat, action - TO)


@mypyc_attr(acyclic=True, free_list_len=1)
class HelpTheLast(Pick):
    """SD-4.3 An event: the last player goes forward. Ties: you choose (as in SD-4.4)."""

    def __init__(self, seat: i64, steps: i64) -> None:
        super().__init__(seat)
        self.steps = steps

    def options(self, g: SourireDuDragon, seat: i64) -> vec[i64]:
        return SEATS[len(g.heroes)]

    def forbids(self, g: SourireDuDragon, seat: i64, action: i64) -> str:
        return ALLOWED if g.is_last(action - TO) else "SD-4.3"

    def answer(self, g: SourireDuDragon, seat: i64, action: i64, rng: Rng) -> None:
        g.carry(action - TO, self.steps)
