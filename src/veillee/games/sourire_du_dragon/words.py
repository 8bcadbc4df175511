"""Words of Le Sourire du Dragon: choices, questions, reasons, log and final account."""

from __future__ import annotations

from collections.abc import Sequence

from veillee.games.box import Line, Wordless
from veillee.games.sourire_du_dragon import rules as sd
from veillee.games.sourire_du_dragon.content import SETS
from veillee.kernel.log import END, Event
from veillee.words import Words

VOWELS = "AÂEÉÈÊIÎOÔUÛYH"


# -- names ------------------------------------------------------------------------------------------------
def card_name(number: int, content: int, t: Words) -> str:
    return t.name(dict(SETS[content].cards[number].name))


def card_text(number: int, content: int, t: Words) -> str:
    return t.name(dict(SETS[content].cards[number].text))


def square_name(number: int, content: int, t: Words) -> str:
    return t.name(dict(SETS[content].squares[number].name))


def character_name(number: int, content: int, t: Words) -> str:
    return t.name(dict(SETS[content].characters[number]))


def the(g: sd.SourireDuDragon, seat: int, t: Words) -> str:
    """A player by character, with its article: the choices do not know the players' names."""
    name = character_name(g.heroes[seat].character, g.course.set, t)
    if t.lang != "fr":
        return f"the {name}"
    return f"l’{name}" if name[0].upper() in VOWELS else f"le {name}"


def _card(g: sd.SourireDuDragon, number: int, t: Words) -> str:
    return card_name(number, g.course.set, t)


def _here(g: sd.SourireDuDragon, seat: int, t: Words) -> str:
    return square_name(g.heroes[seat].square, g.course.set, t)


# -- choices ----------------------------------------------------------------------------------------------
def label(g: sd.SourireDuDragon, seat: int, action: int, t: Words) -> str:
    verb, args = g.choice(action)
    if verb == "high":
        return t("The high die to move, the low one to fight")
    if verb == "low":
        return t("The low die to move, the high one to fight")
    if verb == "character":
        return character_name(args["character"], g.course.set, t)
    if verb == "go":
        return _go(g, seat, t)
    if verb == "uni":
        return t.tn("Uni helps: {n} square", "Uni helps: {n} squares", g.move + 1)
    if verb == "boots":
        return t.tn("With the boots: {n} square", "With the boots: {n} squares", args["squares"])
    if verb == "hat":
        return t("Roll the magic die of the Hat")
    if verb == "accept":
        return t("Yes, I agree")
    if verb == "refuse":
        return t("No, thank you")
    if verb == "attack":
        return t("Brawl with {whom}", whom=the(g, args["seat"], t))
    if verb == "offer":
        return t("Trade with {whom}", whom=the(g, args["seat"], t))
    if verb == "to":
        return _to(g, args["seat"], t)
    if verb == "card":
        return _card(g, args["card"], t)
    return _pass(g, t)


def _go(g: sd.SourireDuDragon, seat: int, t: Words) -> str:
    if g.course.after(g.heroes[seat].square, g.move) == sd.NO_SQUARE:
        return t("Stay here: {n} squares would be too many", n=g.move)
    return t.tn("By the die: {n} square", "By the die: {n} squares", g.move)


def _to(g: sd.SourireDuDragon, seat: int, t: Words) -> str:
    if isinstance(g.question, sd.GiveBack):
        thing = _card(g, g.heroes[seat].character, t)
        return t("{thing}, for {whom}", thing=thing, whom=the(g, seat, t))
    return t("Forward, {whom}!", whom=the(g, seat, t))


def _pass(g: sd.SourireDuDragon, t: Words) -> str:
    step = g.question
    if isinstance(step, sd.Meet):
        return t("End my turn")
    if isinstance(step, sd.OfferWhat):
        return t("Nothing: I ask for a gift")
    if isinstance(step, sd.OfferFor):
        return t("Nothing: it is a gift")
    if isinstance(step, sd.Spoils):
        return t("Take nothing")
    return t("Go on without help")


def gives_up(g: sd.SourireDuDragon, seat: int, action: int, t: Words) -> str:
    """SD-6.2 The winner may take a card. SD-7.1 A card is given for nothing."""
    verb, _ = g.choice(action)
    step = g.question
    if verb == "pass" and isinstance(step, sd.Spoils) and len(g.heroes[step.loser].cards) > 0:
        return t("You won: one of these cards could be yours.")
    if verb == "pass" and isinstance(step, sd.OfferFor) and step.give != sd.NO_CARD:
        return t("You give the {card} away for nothing.", card=_card(g, step.give, t))
    if verb == "accept" and isinstance(step, sd.Reply) and step.give == sd.NO_CARD and step.want != sd.NO_CARD:
        return t("You give the {card} away for nothing.", card=_card(g, step.want, t))
    return ""


# -- questions --------------------------------------------------------------------------------------------
def question(g: sd.SourireDuDragon, seat: int, t: Words) -> tuple[str, str]:
    step = g.question
    if isinstance(step, sd.ChooseCharacter):
        return t("Who do you want to be?"), "SD-1.2"
    if isinstance(step, sd.Announce):
        if g.heroes[seat].blocked:
            return t("{square}: is the high die for moving or for fighting?", square=_here(g, seat, t)), "SD-2.3"
        return t("Is the high die for moving or for fighting?"), "SD-2.1"
    if isinstance(step, sd.Stride):
        return t("How far do you go?"), "SD-2.2"
    if isinstance(step, sd.Attempt):
        return _attempt(g, step, t)
    if isinstance(step, sd.GiveBack):
        return t("Which object do you give back?"), "SD-4.4"
    if isinstance(step, sd.HelpTheLast):
        return t("Several are last: who goes forward?"), "SD-4.3"
    if isinstance(step, sd.Meet):
        return t("You are not alone here: trade, brawl, or go on?"), "SD-2.5"
    if isinstance(step, sd.OfferWhat):
        return t("What do you give {whom}?", whom=_to_whom(g, step.partner, t)), "SD-7.1"
    if isinstance(step, sd.OfferFor):
        return t("What would you like from {whom}?", whom=_from_whom(g, step.partner, t)), "SD-7.1"
    if isinstance(step, sd.Reply):
        return _reply(g, step, t), "SD-7.1"
    if isinstance(step, sd.Fray):
        other = step.target if seat == step.seat else step.seat
        mine, theirs = step.total(g, seat), step.total(g, other)
        return t("Brawl: you have {mine}, they have {theirs}. Call for help?", mine=mine, theirs=theirs), "SD-6.1"
    if isinstance(step, sd.Spoils):
        return t("You won the brawl! Which card do you take?"), "SD-6.2"
    return "", ""


def _attempt(g: sd.SourireDuDragon, step: sd.Attempt, t: Words) -> tuple[str, str]:
    total, need = step.total(g), step.need(g)
    if step.foe == sd.NO_CARD:
        what = _here(g, step.seat, t)
        return t(
            "{what}: you have {total}, you need {need}. Use some help?", what=what, total=total, need=need
        ), "SD-3.1"
    what = _card(g, step.foe, t)
    return t("{what}: you have {total}, you need {need}. Use some help?", what=what, total=total, need=need), "SD-4.2"


def _to_whom(g: sd.SourireDuDragon, seat: int, t: Words) -> str:
    """French: au Barbare, à l’Acrobate."""
    whom = the(g, seat, t)
    if t.lang != "fr":
        return whom
    return f"au {whom[3:]}" if whom.startswith("le ") else f"à {whom}"


def _from_whom(g: sd.SourireDuDragon, seat: int, t: Words) -> str:
    """French: du Barbare, de l’Acrobate."""
    whom = the(g, seat, t)
    if t.lang != "fr":
        return whom
    return f"du {whom[3:]}" if whom.startswith("le ") else f"de {whom}"


def _reply(g: sd.SourireDuDragon, step: sd.Reply, t: Words) -> str:
    who = the(g, step.partner, t)
    who = who[0].upper() + who[1:]
    if step.want == sd.NO_CARD:
        return t("{who} gives you a present: {give}. Do you take it?", who=who, give=_card(g, step.give, t))
    if step.give == sd.NO_CARD:
        return t("{who} asks you for {want}. Do you give it?", who=who, want=_card(g, step.want, t))
    give, want = _card(g, step.give, t), _card(g, step.want, t)
    return t("{who} offers {give} for your {want}. Do you agree?", who=who, give=give, want=want)


# -- reasons ----------------------------------------------------------------------------------------------
def why(g: sd.SourireDuDragon, seat: int, action: int, rule: str, t: Words) -> str:
    verb, args = g.choice(action)
    if not g.takes(seat, action):
        return _misplaced(g, seat, action, t)
    if verb == "character":
        return t("Another player is this character.")
    if verb in ("uni", "boots"):
        if rule == "SD-3.5":
            return t("That would go past the Whirlpool.")
        return t("Uni is not with you.") if verb == "uni" else t("You have no boots.")
    if verb == "attack":
        return _no_brawl(g, seat, args["seat"], rule, t)
    if verb == "offer":
        return _no_trade(g, seat, args["seat"], t)
    if verb == "to":
        if rule == "SD-4.3":
            return t("Somebody is further behind.")
        if args["seat"] == seat or not g.heroes[seat].holds(g.heroes[args["seat"]].character):
            return t("You do not hold an object of this player.")
        return t("Another player whose object you hold is further behind.")
    if verb == "pass":
        return t("An offer needs at least one card.")
    if verb == "card" and g.in_vain(args["card"], _die(g, seat)):
        return t("Your die shows a 6 already: a new one cannot be better.")
    return t("Even with all your help it would not be enough.")


def _die(g: sd.SourireDuDragon, seat: int) -> int:
    step = g.question
    return step.die_of(g, seat) if isinstance(step, sd.Fray) else g.die


def _misplaced(g: sd.SourireDuDragon, seat: int, action: int, t: Words) -> str:
    """When such an answer is given; or what the card that it speaks of is for."""
    verb, _ = g.choice(action)
    step = g.question
    if isinstance(step, sd.CallForHelp) and verb == "hat":
        return _no_hat(g, seat, t)
    if isinstance(step, sd.OfCards):
        card = step.named(g, seat, action)
        if card != sd.NO_CARD:
            return _no_help(g, step, seat, card, t) if isinstance(step, sd.CallForHelp) else _not_theirs(step, t)
    if verb in ("high", "low"):
        return t("High or low is announced at the beginning of a turn.")
    if verb == "character":
        return t("Characters are chosen before the first turn.")
    if verb in ("go", "uni", "boots"):
        return t("One moves after the dice, once nothing blocks the way.")
    if verb == "hat":
        if not g.is_hat_gentle():
            return t("The Magician rolls for the Hat before every test and fight: there is nothing to decide.")
        return t("The Magician rolls for the Hat in a test or a fight that is not won yet, once.")
    if verb in ("accept", "refuse"):
        return t("One says yes or no when somebody makes an offer.")
    if verb == "attack":
        return t("One brawls with another player on the same square, at the end of a turn.")
    if verb == "offer":
        return t("One trades with another player on the same square, at the end of a turn.")
    if verb == "to":
        return t("Who gets an object or goes forward is chosen when a card says so.")
    if verb == "card":
        return t("A card is chosen when it can help, in a trade, or after a brawl, from a player who holds it.")
    return t("One goes without where help, a trade or a card is offered, not here.")


def _not_theirs(step: sd.OfCards, t: Words) -> str:
    """Who would have to hold the card."""
    if isinstance(step, sd.OfferFor):
        return t("This player does not have this card.")
    if isinstance(step, sd.Spoils):
        return t("The loser does not have this card.")
    return t("You do not have this card.")


def _no_help(g: sd.SourireDuDragon, step: sd.CallForHelp, seat: int, card: int, t: Words) -> str:
    """SD-4.1 Why a card cannot be called on: what it is for, whose it is, or that it counts by itself."""
    effect = g.course.effects[card]
    if card == sd.HAT:
        return _no_hat(g, seat, t)
    if effect == sd.MONSTER:
        return t("A monster helps nobody: it attacks when it is drawn.")
    if not g.course.keeps(card):
        return t("This event happens when it is drawn: it is not kept for later.")
    if not g.heroes[seat].holds(card):
        return t("You do not have this card.")
    if effect == sd.MASTER:
        return t("The Dungeon Master gets you through an adventure, not through a fight.")
    if effect == sd.BOOTS:
        return t("The boots are for moving, not for a test or a fight.")
    if effect == sd.UNI:
        if isinstance(step, sd.Fray):
            return t("Uni never helps in a brawl.")
        if step.is_adventure():
            return t("Uni helps to move and against monsters, not in an adventure.")
        if g.uni_walked:
            return t("Uni has carried you further this turn: she does not fight as well.")
    elif not _in_combat(g, step) and "A" not in SETS[g.course.set].cards[card].use:
        return t("{card}: it helps in combat, not in an adventure.", card=_card(g, card, t))
    elif _in_combat(g, step) and "C" not in SETS[g.course.set].cards[card].use:
        return t("{card}: it helps in an adventure, not in combat.", card=_card(g, card, t))
    return t("{card}: that is counted in your total already.", card=_card(g, card, t))


def _in_combat(g: sd.SourireDuDragon, step: sd.CallForHelp) -> bool:
    """SD-3.1 A brawl, a fight, or a square that is a combat."""
    return step.is_combat(g) if isinstance(step, sd.Attempt) else True


def _no_hat(g: sd.SourireDuDragon, seat: int, t: Words) -> str:
    """SD-5.6 In the Magician's hands, once for each test or fight."""
    hero = g.heroes[seat]
    if not hero.holds(sd.HAT):
        return t("You do not have the Hat.")
    if hero.character != sd.MAGICIAN:
        return t("Only the Magician can roll the magic die of the Hat.")
    if not g.is_hat_gentle():
        return t("The Magician rolls for the Hat before every test and fight: there is nothing to decide.")
    if g.can_roll_hat(seat):
        return t("The Hat helps by its magic die only.")
    return t("The Hat's magic die is rolled once in each test or fight.")


def _no_brawl(g: sd.SourireDuDragon, seat: int, other: int, rule: str, t: Words) -> str:
    if rule == "SD-5.3":
        return t("The Thief is hidden under the Cloak.")
    if g.heroes[other].square != g.heroes[seat].square:
        return t("This player is not on your square.")
    if not g.heroes[other].has_cards():
        return t("This player has no card to win.")
    return t("You did not end your move here.")


def _no_trade(g: sd.SourireDuDragon, seat: int, other: int, t: Words) -> str:
    if g.heroes[other].square != g.heroes[seat].square:
        return t("This player is not on your square.")
    if (g.offered >> other) & 1:
        return t("You have already made this player an offer this turn.")
    return t("Neither of you has a card.")


# -- the log ----------------------------------------------------------------------------------------------
def event(e: Event, names: Sequence[str], t: Words) -> str:
    who = names[e.seat] if e.seat >= 0 else ""
    said = _before(e, who, t) or _moves(e, who, t) or _cards(e, who, names, t) or _meetings(e, who, names, t)
    if said:
        return said
    if e.kind is END:
        return t("The game is over: a hero is in the Vortex, and home.")
    raise Wordless(e)


def _before(e: Event, who: str, t: Words) -> str:
    if e.kind is sd.ORDER:
        return t("{who} rolls {die}.", who=who, die=e.die)
    if e.kind is sd.CHOSEN:
        return t("{who} plays: {character}.", who=who, character=character_name(e.character, e.set, t))
    if e.kind is sd.ASIDE:
        return t.tn("{n} object stays in the box.", "{n} objects stay in the box.", e.objects)
    if e.kind is sd.FIRST:
        return t("{who} plays first.", who=who)
    if e.kind is sd.MISSED:
        return t("{who} misses a turn.", who=who)
    if e.kind is sd.LOSES_A_TURN:
        return t("{who} will miss the next turn.", who=who)
    if e.kind is sd.ANNOUNCED:
        if e.high_moves:
            return t("{who} announces: the high die to move.", who=who)
        return t("{who} announces: the high die to fight.", who=who)
    if e.kind is sd.DICE:
        return t("{who} rolls {a}, {b} and {c}.", who=who, a=e.a, b=e.b, c=e.c)
    if e.kind is sd.DIE:
        if e.die == e.total:
            return t("{who} rolls {die} (needs {need} or more).", who=who, die=e.die, need=e.need)
        return t(
            "{who} rolls {die}, {total} with bonuses (needs {need} or more).",
            who=who,
            die=e.die,
            total=e.total,
            need=e.need,
        )
    if e.kind is sd.HAT_ROLLED:
        magic = f"{e.magic:+d}".replace("-", "−")
        return t("The Hat's magic: {die} on the die, so {magic}.", die=e.die, magic=magic)
    return ""


def _moves(e: Event, who: str, t: Words) -> str:
    if e.kind is sd.UNI_CARRIES:
        return t("Uni carries {who} one square further.", who=who)
    if e.kind is sd.STAYED:
        return t("{who} stays: {n} squares would pass the Whirlpool.", who=who, n=e.steps)
    if e.kind is sd.NOT_CARRIED:
        return t("{who} stays: no card carries anyone past the Whirlpool.", who=who)
    if e.kind is sd.NO_DIE_NEEDED:
        return t("{who} needs no die: {thing}.", who=who, thing=card_name(e.card, e.set, t))
    if e.kind is sd.WALKED:
        return t("{who} moves: {square}.", who=who, square=square_name(e.square, e.set, t))
    if e.kind is sd.CARRIED:
        return t("{who} is swept away: {square}.", who=who, square=square_name(e.square, e.set, t))
    if e.kind is sd.SENT_BACK:
        return t("{who} goes back: {square}.", who=who, square=square_name(e.square, e.set, t))
    if e.kind is sd.SWEPT:
        return t("{who} is swept to the {square}!", who=who, square=square_name(e.square, e.set, t))
    if e.kind is sd.OVERCAME:
        return t("{who} gets past: {square}!", who=who, square=square_name(e.square, e.set, t))
    if e.kind is sd.BLOCKED:
        return t("{who} is stopped: {square}.", who=who, square=square_name(e.square, e.set, t))
    if e.kind is sd.WON:
        return t("{who} is in the Vortex, and home!", who=who)
    return ""


def _cards(e: Event, who: str, names: Sequence[str], t: Words) -> str:
    if e.kind is sd.REFILLED:
        return t("The discards are shuffled: a new pile of {n} cards.", n=e.cards)
    if e.kind is sd.GAVE_BACK:
        return t("{who} gives {whom} back: {card}.", who=who, whom=names[e.owner], card=card_name(e.card, e.set, t))
    if e.kind is sd.DREW:
        card, text = card_name(e.card, e.set, t), card_text(e.card, e.set, t)
        return t("{who} draws: {card}. {text}", who=who, card=card, text=text)
    if e.kind is sd.KEPT:
        return t("{who} keeps: {card}.", who=who, card=card_name(e.card, e.set, t))
    if e.kind is sd.USED:
        return t("{who} uses: {card}.", who=who, card=card_name(e.card, e.set, t))
    if e.kind is sd.BEAT:
        return t("{who} wins! Beaten: {card}.", who=who, card=card_name(e.card, e.set, t))
    if e.kind is sd.LOST:
        return t("{who} loses against: {card}.", who=who, card=card_name(e.card, e.set, t))
    if e.kind is sd.HELD:
        return t("{who} loses, but the Shield holds: no step back.", who=who)
    return ""


def _meetings(e: Event, who: str, names: Sequence[str], t: Words) -> str:
    if e.kind is sd.OFFERED:
        give, want = _offered(e.give, e.set, t), _offered(e.want, e.set, t)
        return t("{who} offers {whom}: {give} for {want}.", who=who, whom=names[e.partner], give=give, want=want)
    if e.kind is sd.AGREED:
        give, want = _offered(e.give, e.set, t), _offered(e.want, e.set, t)
        return t("{who} agrees: {give} for {want}.", who=who, give=give, want=want)
    if e.kind is sd.REFUSED:
        return t("{who} says no to {whom}.", who=who, whom=names[e.partner])
    if e.kind is sd.ATTACKED:
        return t("{who} attacks {whom}!", who=who, whom=names[e.target])
    if e.kind is sd.BRAWL_DIE:
        return t("{who} has {die}, {total} in all.", who=who, die=e.die, total=e.total)
    if e.kind is sd.TIED:
        return t("A tie: nothing happens.")
    if e.kind is sd.BRAWL_WON:
        return t("{who} wins the brawl against {whom}.", who=who, whom=names[e.loser])
    if e.kind is sd.SPARED:
        return t("{who} takes nothing.", who=who)
    if e.kind is sd.TOOK:
        return t("{who} takes from {whom}: {card}.", who=who, whom=names[e.loser], card=card_name(e.card, e.set, t))
    return ""


def _offered(card: int, content: int, t: Words) -> str:
    return t("nothing") if card == sd.NO_CARD else card_name(card, content, t)


def account(g: sd.SourireDuDragon, events: Sequence[Event], names: Sequence[str], t: Words) -> list[list[Line]]:
    """SD-3.6 How far each hero came. There are no points: the first in the Vortex wins."""
    lines = []
    for seat in range(g.seats()):
        score = g.score(seat)
        outer = min(score, g.course.castle)
        inner = min(score, g.course.arrow) - outer
        mine = [Line("SD-1.4", t("Squares of the outer ring"), outer)]
        if score >= g.course.castle:
            mine.append(Line("SD-1.4", t("Squares of the inner ring"), inner))
        if seat == g.winner:
            mine.append(Line("SD-3.6", t("Into the Vortex"), score - outer - inner))
        lines.append(mine)
    return lines
