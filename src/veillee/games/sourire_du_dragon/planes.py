"""SD-10.1 A position of Le Sourire du Dragon as numbers for one seat: everything but the order of the pile."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from veillee.games.sourire_du_dragon.rules.course import CHARACTERS, NO_CARD, NOBODY
from veillee.games.sourire_du_dragon.rules.meetings import Fray, Meet, OfferFor, OfferWhat, Reply, Spoils
from veillee.games.sourire_du_dragon.rules.position import SIX, SourireDuDragon
from veillee.games.sourire_du_dragon.rules.setup import ChooseCharacter
from veillee.games.sourire_du_dragon.rules.turn import Announce, Attempt, GiveBack, HelpTheLast, Stride
from veillee.kernel.planes import Planes, Sheet, relative

MOST_SQUARES: Final = 120
MOST_CARDS: Final = 120
MOST_TURNS: Final = 2000
MOST_ADDED: Final = 20
DICE: Final = 3


class DragonPlanes(Planes):
    def write(self, g: SourireDuDragon, seat: i64, sheet: Sheet) -> None:
        seats = len(g.heroes)
        cards = len(g.course.effects)
        for turn in range(seats):
            other = seat + turn if seat + turn < seats else seat + turn - seats
            hero = g.heroes[other]
            sheet.plane("a hero: the character", 1)
            sheet.one_of(hero.character, CHARACTERS)
            sheet.plane("a hero: the square", MOST_SQUARES)
            sheet.put(hero.square)
            sheet.plane("a hero: is blocked", 1)
            sheet.put(1 if hero.blocked else 0)
            sheet.plane("a hero: turns to miss", 9)
            sheet.put(hero.lost)
            sheet.plane("a hero: cards, of each", 9)
            sheet.count(hero.cards, cards)
            sheet.plane("a hero: was made an offer, has refused its owner an object, has rolled for the Hat", 1)
            sheet.put((g.offered >> other) & 1)
            sheet.put((g.refused >> other) & 1)
            sheet.put((g.hats >> other) & 1)
        sheet.plane("discards, of each card", 30)
        sheet.count(g.discards, cards)
        sheet.plane("cards that are not in the game", 9)
        sheet.count(g.aside, cards)
        sheet.plane("cards in the pile", MOST_CARDS)
        sheet.put(len(g.pile))
        sheet.plane("turns so far", MOST_TURNS)
        sheet.put(g.turn)
        sheet.plane("whose dice lie on the table", 1)
        sheet.one_of(relative(g.roller, seat, seats), seats)
        sheet.plane("the dice as they fell; 0: none", SIX)
        for place in range(DICE):
            sheet.put(g.dice[place] if place < len(g.dice) else 0)
        sheet.plane("the highest die moves", 1)
        sheet.put(1 if g.high_moves else 0)
        sheet.plane("the die of movement, the die of combat or 0 once it is used", SIX)
        sheet.put(g.move)
        sheet.put(g.combat)
        sheet.plane("the card drawn", 1)
        sheet.one_of(g.drawn, cards)
        sheet.plane("where the movement ended, and 1 more", MOST_SQUARES)
        sheet.put(g.landed + 1)
        sheet.plane("Uni has walked, another turn follows, objects of the characters alone", 1)
        sheet.put(1 if g.uni_walked else 0)
        sheet.put(1 if g.again else 0)
        sheet.put(1 if g.only_characters else 0)
        sheet.plane("the fight: the die and the other's", SIX)
        sheet.put(g.die)
        sheet.put(g.other_die)
        sheet.plane("the fight: what was added to each", MOST_ADDED, -MOST_ADDED)
        sheet.put(g.added)
        sheet.put(g.other_added)
        self.question(g, seat, sheet)

    def question(self, g: SourireDuDragon, seat: i64, sheet: Sheet) -> None:
        seats = len(g.heroes)
        cards = len(g.course.effects)
        question = g.question
        asks: i64 = -1
        other: i64 = NOBODY
        give: i64 = NO_CARD
        want: i64 = NO_CARD
        declined: i64 = 0
        steps: i64 = 0
        if g.waiting != 0:
            if isinstance(question, ChooseCharacter):
                asks = 0
            elif isinstance(question, Announce):
                asks = 1
            elif isinstance(question, Stride):
                asks = 2
            elif isinstance(question, Attempt):
                asks = 3
                give = question.foe
            elif isinstance(question, Meet):
                asks = 4
            elif isinstance(question, OfferWhat):
                asks = 5
                other = question.partner
            elif isinstance(question, OfferFor):
                asks = 6
                other = question.partner
                give = question.give
            elif isinstance(question, Reply):
                asks = 7
                other = question.partner
                give = question.give
                want = question.want
            elif isinstance(question, Fray):
                asks = 8
                other = question.target
                declined = question.declined
            elif isinstance(question, Spoils):
                asks = 9
                other = question.loser
            elif isinstance(question, HelpTheLast):
                asks = 10
                steps = question.steps
            elif isinstance(question, GiveBack):
                asks = 11
        sheet.plane(
            "the question: character, announce, stride, test, meeting, offer, for what, reply, brawl, spoils, "
            "help the last, give back",
            1,
        )
        sheet.one_of(asks, 12)
        sheet.plane("the other whom it is about", 1)
        sheet.one_of(relative(other, seat, seats), seats)
        sheet.plane("the card that it is about: the foe, or what is given; and what is wanted", 1)
        sheet.one_of(give, cards)
        sheet.one_of(want, cards)
        sheet.plane("who does not call for help", 1)
        for turn in range(seats):
            asked = seat + turn if seat + turn < seats else seat + turn - seats
            sheet.put((declined >> asked) & 1)
        sheet.plane("squares that it is about", 9)
        sheet.put(steps)


PLANES = DragonPlanes()
