"""What speaks for an answer in Ghost Knights: what is at stake for a seat in the next scoring, and the signs of it."""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.ghost_knights.rules import (
    BLACK,
    DOLMENS,
    EVERYWHERE_BONUS,
    MOST_PLAYERS,
    OWNER,
    PLAY,
    TOURNAMENTS,
    GhostKnights,
    Scoring,
    Tournament,
)
from veillee.kernel.advisor import Signs
from veillee.kernel.counts import at
from veillee.kernel.state import Moves

# Cards by whose guard they move.
NOTHING: Final = 0  # drawn, or passed
OWN: Final = 1
COMMON: Final = 2
ANOTHER: Final = 3
MORGAN: Final = 4
KINDS: Final = 5
RUNGS: Final = 8  # of gains
FEW: Final = 8  # of what is counted one by one: 0 to 6, and more

# Standing of a seat at a dolmen.
ABSENT: Final = 0
ALONE: Final = 1
AHEAD: Final = 2  # by one
FAR_AHEAD: Final = 3
TIED: Final = 4
BEHIND: Final = 5  # by one
FAR_BEHIND: Final = 6
SHARING: Final = 7  # behind others that are tied, so that all who are there score
WAYS: Final = 8

# The signs: each block begins with its first number. A question's signs are its own.
TURN: Final = 0  # a turn; a tournament has as many after it
FOR_KIND: Final = 0  # kind × phase
FOR_GAIN: Final = FOR_KIND + KINDS * TOURNAMENTS  # what the card gains at best, kind × phase
FOR_BEST: Final = FOR_GAIN + KINDS * TOURNAMENTS  # no card gains more, kind × phase
FOR_BLOW: Final = FOR_BEST + KINDS * TOURNAMENTS  # what it would gain in a tournament, kind × phase
FOR_HAND: Final = FOR_BLOW + KINDS * TOURNAMENTS  # cards in hand, kind × number
FOR_SWORDS: Final = FOR_HAND + KINDS * FEW  # swords on the altar, kind × number
FOR_RESERVE: Final = FOR_SWORDS + KINDS * FEW  # guards that its owner has left, kind × number
FOR_SPARE: Final = FOR_RESERVE + KINDS * FEW  # there is another one of that colour in the hand, by kind
FOR_RISK: Final = FOR_SPARE + KINDS  # how likely the next card is a dolmen card, by kind
FOR_LUCK: Final = FOR_RISK + KINDS  # the same times what the scoring would bring now, by kind
FOR_URGE: Final = FOR_LUCK + KINDS  # the same times the gain, by kind
FOR_HOPE: Final = FOR_URGE + KINDS  # how likely its owner wins, by kind
FOR_ARMS: Final = FOR_HOPE + KINDS  # more swords on the altar than cards in hand, by kind
FOR_LACK: Final = FOR_ARMS + KINDS  # no sword is left in the reserve, by kind
FOR_FOES: Final = FOR_LACK + KINDS  # how often the others may still strike in this tournament, by kind
FOR_RUNG: Final = FOR_FOES + KINDS  # how much it gains, kind × rung
CARD_SIGNS: Final = FOR_RUNG + KINDS * RUNGS
WHOSE: Final = 2 * CARD_SIGNS  # whose guard a black card moves, in a turn; in a tournament as many after it
BY_OWN: Final = 0  # one's own or not × phase
BY_GAIN: Final = BY_OWN + 2 * TOURNAMENTS  # these as of a card
BY_BEST: Final = BY_GAIN + 2 * TOURNAMENTS
BY_HOPE: Final = BY_BEST + 2 * TOURNAMENTS  # how likely the owner wins, one's own or not
BY_RESERVE: Final = BY_HOPE + 2
BY_RUNG: Final = BY_RESERVE + 2
WHOSE_SIGNS: Final = BY_RUNG + 2 * RUNGS
WHERE: Final = WHOSE + 2 * WHOSE_SIGNS  # at which dolmen: of one's own put, of another put, of another taken away
AT_GAIN: Final = 0  # by phase
AT_BEST: Final = AT_GAIN + TOURNAMENTS  # no other dolmen gains more, by phase
AT_SHIFT: Final = AT_BEST + TOURNAMENTS  # how the owner stood there × how it will stand
AT_MINE: Final = AT_SHIFT + WAYS * WAYS  # how many guards more than the owner the seat will have there
AT_CROWD: Final = AT_MINE + WAYS  # how many others are there
AT_URGE: Final = AT_CROWD + MOST_PLAYERS  # the gain times how near the tournament is
AT_MISSING: Final = AT_URGE + 1  # the owner's first guard there × how many dolmens it lacks
AT_RUNG: Final = AT_MISSING + DOLMENS + 1
WHERE_SIGNS: Final = AT_RUNG + RUNGS
SIGNS: Final = WHERE + 3 * WHERE_SIGNS

GLORY_COUNTS: Final = vec[float]([0.4, 0.2, 0.14, 0.1])  # how much a point tells, by how many scorings are to come
NO_GAIN: Final = -99.0  # less than anything that a guard can lose
UNKNOWN: Final = -100.0  # a gain that was not looked for
BONUS: Final = float(EVERYWHERE_BONUS)
EVEN: Final = 1e-6


@final
class Stakes:
    """What is at stake for a seat in the next scoring: every point of everybody, as much as it changes the seat's chances.

    A point for oneself counts for as much as one is not sure to win yet, one for another as much as that one is likely to.
    """

    def __init__(self) -> None:
        self.players: i64 = 0
        self.seat: i64 = 0
        self.phase: i64 = 0  # how many scorings are to come, less one
        self.struggle = False  # in a tournament
        self.guards = vec[i64]([0] * (MOST_PLAYERS * DOLMENS))  # dolmen by dolmen
        self.missing = vec[i64]([0] * MOST_PLAYERS)  # dolmens where the seat has no guard
        self.hope = vec[float]([0.0] * MOST_PLAYERS)  # how likely each seat wins
        self.weight = vec[float]([0.0] * MOST_PLAYERS)  # what a point of each seat is worth
        # Of each dolmen:
        self.most = vec[i64]([0] * DOLMENS)  # guards of one owner
        self.tied = vec[i64]([0] * DOLMENS)  # how many have the most
        self.second = vec[i64]([0] * DOLMENS)  # the most guards of the seats that have fewer
        self.present = vec[i64]([0] * DOLMENS)  # how many have any
        self.first_weigh = vec[float]([0.0] * DOLMENS)  # what a point of all who have the most is worth
        self.all_weigh = vec[float]([0.0] * DOLMENS)  # and of all who are there
        self.now = vec[float]([0.0] * DOLMENS)  # what it is worth as it is
        self.gains = vec[float]([0.0] * 8)  # of the answers, in order; of the dolmens
        self.blows = vec[float]([0.0] * 8)  # of the answers: what the card would gain in a tournament
        self.best = 0.0  # of the gains
        # Of each owner, what a guard more or less gains at the best dolmen, and where that is: found when it is asked for.
        self.put_best = vec[float]([0.0] * MOST_PLAYERS)
        self.put_at = vec[i64]([0] * MOST_PLAYERS)
        self.take_best = vec[float]([0.0] * MOST_PLAYERS)
        self.take_at = vec[i64]([0] * MOST_PLAYERS)
        self.standing = 0.0  # what the scoring would bring now
        self.risk = 0.0  # how likely the next card is a dolmen card
        self.foes: i64 = 0  # how often the others may still strike

    def look(self, g: GhostKnights, seat: i64) -> None:
        """Count what lies where, who is likely to win by it, and what every dolmen is worth to the seat."""
        knights = g.knights
        players = len(knights)
        self.players = players
        self.seat = seat
        struggle = False
        for place in range(g.depth):
            if isinstance(g.steps[place], (Scoring, Tournament)):
                struggle = True
        self.struggle = struggle
        left = TOURNAMENTS - g.tournaments
        if not struggle:
            left -= 1
        self.phase = max(left, 0)
        guards = self.guards
        hopes = self.hope
        weights = self.weight
        for i in range(players):
            knight = knights[i]
            row = knight.guards
            missing: i64 = 0
            place = i
            for _ in range(DOLMENS):
                number = row & 255
                row >>= 8
                guards[place] = number
                place += MOST_PLAYERS
                if number == 0:
                    missing += 1
            self.missing[i] = missing
            hopes[i] = float(int(knight.glory + (EVERYWHERE_BONUS if missing == 0 else 0)))
        for dolmen in range(DOLMENS):
            self.score(dolmen)
        counts = GLORY_COUNTS[self.phase]
        most = hopes[0]
        for i in range(players):
            most = max(most, hopes[i])
        total = 0.0
        for i in range(players):
            hope = exp(counts * (hopes[i] - most))
            hopes[i] = hope
            total += hope
        for i in range(players):
            hope = hopes[i] / total
            hopes[i] = hope
            weights[i] = 1.0 - hope if i == seat else -hope
            self.put_best[i] = UNKNOWN
            self.take_best[i] = UNKNOWN
        self.standing = 0.0
        for dolmen in range(DOLMENS):
            self.weigh(dolmen)

    def score(self, dolmen: i64) -> None:
        """GK-5.1, GK-5.2, GK-5.3 Count who is there, and add to what everybody hopes for what the dolmen would score."""
        guards = self.guards
        most: i64 = 0
        tied: i64 = 0
        second: i64 = 0
        present: i64 = 0
        place = dolmen * MOST_PLAYERS
        players = self.players
        for i in range(players):
            number = guards[place + i]
            if number > 0:
                present += 1
                if number > most:
                    second = most
                    most = number
                    tied = 1
                elif number == most:
                    tied += 1
                elif number > second:
                    second = number
        self.most[dolmen] = most
        self.tied[dolmen] = tied
        self.second[dolmen] = second
        self.present[dolmen] = present
        points = float(int(most + most if present == 1 else most))
        hopes = self.hope
        for i in range(players):
            number = guards[place + i]
            if number > 0 and (tied > 1 or number == most):
                hopes[i] += points

    def weigh(self, dolmen: i64) -> None:
        """What the dolmen is worth to the seat as it is."""
        guards = self.guards
        weights = self.weight
        most = self.most[dolmen]
        everybody = 0.0
        first = 0.0
        place = dolmen * MOST_PLAYERS
        for i in range(self.players):
            number = guards[place + i]
            if number > 0:
                everybody += weights[i]
                if number == most:
                    first += weights[i]
        self.first_weigh[dolmen] = first
        self.all_weigh[dolmen] = everybody
        value = float(int(most)) * (everybody if self.tied[dolmen] > 1 else first)
        if self.present[dolmen] == 1:
            value += value
        self.now[dolmen] = value
        self.standing += value

    def gain_of_put(self, dolmen: i64, owner: i64) -> float:
        """What the seat gains by a guard more of the owner there; of the bonus a part."""
        number = self.guards[dolmen * MOST_PLAYERS + owner] + 1
        most = self.most[dolmen]
        weight = self.weight[owner]
        everybody = self.all_weigh[dolmen]
        gain = -self.now[dolmen]
        if number == 1:
            everybody += weight
            gain += weight * BONUS / float(int(self.missing[owner]))
        if number > most:
            value = float(int(number)) * weight
            return gain + value + value if self.present[dolmen] <= 1 else gain + value
        if number == most or self.tied[dolmen] > 1:
            return gain + float(int(most)) * everybody
        return gain + float(int(most)) * self.first_weigh[dolmen]

    def gain_of_take(self, dolmen: i64, owner: i64) -> float:
        """What the seat gains by a guard less of the owner there."""
        number = self.guards[dolmen * MOST_PLAYERS + owner]
        most = self.most[dolmen]
        tied = self.tied[dolmen]
        weight = self.weight[owner]
        everybody = self.all_weigh[dolmen]
        first = self.first_weigh[dolmen]
        present = self.present[dolmen]
        gain = -self.now[dolmen]
        if number == 1:
            everybody -= weight
            present -= 1
            gain -= weight * BONUS / float(int(self.missing[owner] + 1))
        if number == most:
            if tied == 1:  # the owner's own lead
                most -= 1
                if most == self.second[dolmen]:
                    return gain + float(int(most)) * everybody
            else:
                tied -= 1
                first -= weight
        value = float(int(most)) * (everybody if tied > 1 else first)
        return gain + value + value if present == 1 else gain + value

    def best_put(self, g: GhostKnights, owner: i64) -> float:
        """What a guard more of the owner gains at the best dolmen; NO_GAIN if there is none in the reserve."""
        best = self.put_best[owner]
        if best == UNKNOWN:
            best = NO_GAIN
            if g.knights[owner].reserve > 0:
                for dolmen in range(DOLMENS):
                    gain = self.gain_of_put(dolmen, owner)
                    if gain > best:
                        best = gain
                        self.put_at[owner] = dolmen
            self.put_best[owner] = best
        return best

    def best_take(self, owner: i64) -> float:
        """What a guard less of the owner gains at the best dolmen; NO_GAIN if none is on the board."""
        best = self.take_best[owner]
        if best == UNKNOWN:
            best = NO_GAIN
            for dolmen in range(DOLMENS):
                if self.guards[dolmen * MOST_PLAYERS + owner] > 0:
                    gain = self.gain_of_take(dolmen, owner)
                    if gain > best:
                        best = gain
                        self.take_at[owner] = dolmen
            self.take_best[owner] = best
        return best

    def best_to_put(self, g: GhostKnights, owner: i64) -> i64:
        """The dolmen where a guard more of the owner gains most."""
        self.best_put(g, owner)
        return self.put_at[owner]

    def best_to_take(self, owner: i64) -> i64:
        """The dolmen where a guard less of the owner gains most."""
        self.best_take(owner)
        return self.take_at[owner]

    def best_for(self, g: GhostKnights, owner: i64, struggle: bool) -> float:
        """What a card that moves the owner's guard gains, in a turn or in a tournament."""
        return self.best_take(owner) if struggle and owner != self.seat else self.best_put(g, owner)

    def best_owner(self, g: GhostKnights, struggle: bool) -> i64:
        """Whose guard a black card moves best."""
        best = NO_GAIN
        found: i64 = 0
        for owner in range(self.players):
            gain = self.best_for(g, owner, struggle)
            if gain > best:
                best = gain
                found = owner
        return found

    def best_of_card(self, g: GhostKnights, colour: i64, struggle: bool) -> float:
        """What a card gains at best, in a turn or in a tournament; NO_GAIN if it can do nothing."""
        owner = self.best_owner(g, struggle) if colour == BLACK else g.owner_of(colour, self.seat)
        return self.best_for(g, owner, struggle)

    def look_ahead(self, g: GhostKnights) -> None:
        """How near the next tournament is, and how long this one may last."""
        cards = len(g.pile)
        dolmens = TOURNAMENTS - g.tournaments
        if cards > g.lower_half:
            cards -= g.lower_half
            dolmens -= 2
        self.risk = float(int(dolmens)) / float(int(cards)) if cards > 0 and dolmens > 0 else 0.0
        self.foes = 0
        if self.struggle:
            for i in range(self.players):
                if i != self.seat and (g.out >> i) & 1 == 0:
                    knight = g.knights[i]
                    self.foes += min(knight.altar, knight.cards())

    def of_cards(self, g: GhostKnights, seat: i64, moves: Moves) -> None:
        """Look, and find what every card that may be played gains; the first answer is to play none."""
        self.look(g, seat)
        self.look_ahead(g)
        self.best = 0.0
        for place in range(1, moves.count):
            colour = moves.at(place) - PLAY
            gain = self.best_of_card(g, colour, self.struggle)
            self.gains[place] = gain
            self.best = max(self.best, gain)
            self.blows[place] = gain if self.struggle else self.best_of_card(g, colour, True)

    def card(self, g: GhostKnights, seat: i64, action: i64, place: i64, into: Signs) -> None:
        """What speaks for a card, or for playing none: after of_cards()."""
        knight = g.knights[seat]
        first: i64 = TURN + CARD_SIGNS if self.struggle else TURN
        kind: i64 = NOTHING
        owner = seat
        if place > 0:
            colour = action - PLAY
            kind = MORGAN
            if colour != BLACK:
                owner = g.owner_of(colour, seat)
                kind = ANOTHER if owner != seat else OWN if colour == seat else COMMON
            when = first + kind * TOURNAMENTS + self.phase
            gain = self.gains[place]
            into.add(when + FOR_GAIN, gain / 4.0)
            into.add(first + FOR_RUNG + kind * RUNGS + rung(gain), 1.0)
            if gain > self.best - EVEN:
                into.add(when + FOR_BEST, 1.0)
            if not self.struggle and self.blows[place] > 0.0 and knight.altar > 0:
                into.add(when + FOR_BLOW, self.blows[place] / 4.0)
            into.add(first + FOR_URGE + kind, gain * self.risk)
            if at(knight.hand, colour) > 1:
                into.add(first + FOR_SPARE + kind, 1.0)
        into.add(first + FOR_KIND + kind * TOURNAMENTS + self.phase, 1.0)
        cards = knight.cards()
        count = first + kind * FEW
        into.add(count + FOR_HAND + min(cards, FEW - 1), 1.0)
        into.add(count + FOR_SWORDS + min(knight.altar, FEW - 1), 1.0)
        into.add(count + FOR_RESERVE + min(g.knights[owner].reserve, FEW - 1), 1.0)
        into.add(first + FOR_RISK + kind, 4.0 * self.risk)
        into.add(first + FOR_LUCK + kind, self.standing * self.risk)
        into.add(first + FOR_HOPE + kind, self.hope[owner])
        if knight.altar > cards:
            into.add(first + FOR_ARMS + kind, 1.0)
        if knight.swords == 0:
            into.add(first + FOR_LACK + kind, 1.0)
        if self.foes > 0:
            into.add(first + FOR_FOES + kind, float(int(self.foes)) / 4.0)

    def of_owners(self, g: GhostKnights, seat: i64, moves: Moves) -> None:
        """Look, and find what a guard of each owner gains."""
        self.look(g, seat)
        self.best = NO_GAIN
        for place in range(moves.count):
            gain = self.best_for(g, moves.at(place) - OWNER, self.struggle)
            self.gains[place] = gain
            self.best = max(self.best, gain)

    def owner(self, g: GhostKnights, seat: i64, owner: i64, place: i64, into: Signs) -> None:
        """What speaks for moving a guard of that owner with a black card: after of_owners()."""
        first: i64 = WHOSE + WHOSE_SIGNS if self.struggle else WHOSE
        other: i64 = 0 if owner == seat else 1
        when = first + other * TOURNAMENTS + self.phase
        gain = self.gains[place]
        into.add(when + BY_OWN, 1.0)
        into.add(when + BY_GAIN, gain / 4.0)
        into.add(first + BY_RUNG + other * RUNGS + rung(gain), 1.0)
        if gain > self.best - EVEN:
            into.add(when + BY_BEST, 1.0)
        into.add(first + BY_HOPE + other, self.hope[owner])
        into.add(first + BY_RESERVE + other, float(int(g.knights[owner].reserve)) / 6.0)

    def of_dolmens(self, g: GhostKnights, seat: i64, owner: i64, change: i64) -> None:
        """Look, and find what a guard of the owner more or less gains at each dolmen."""
        self.look(g, seat)
        self.look_ahead(g)
        self.best = NO_GAIN
        for dolmen in range(DOLMENS):
            if change > 0:
                gain = self.gain_of_put(dolmen, owner)
            elif self.guards[dolmen * MOST_PLAYERS + owner] > 0:
                gain = self.gain_of_take(dolmen, owner)
            else:
                continue
            self.gains[dolmen] = gain
            self.best = max(self.best, gain)

    def dolmen(self, seat: i64, owner: i64, dolmen: i64, change: i64, into: Signs) -> None:
        """What speaks for that dolmen: after of_dolmens()."""
        first: i64 = WHERE if owner == seat else WHERE + WHERE_SIGNS if change > 0 else WHERE + 2 * WHERE_SIGNS
        gain = self.gains[dolmen]
        into.add(first + AT_GAIN + self.phase, gain / 4.0)
        into.add(first + AT_RUNG + rung(gain), 1.0)
        if gain > self.best - EVEN:
            into.add(first + AT_BEST + self.phase, 1.0)
        # The most of the others, and how many have it.
        standing = self.guards[dolmen * MOST_PLAYERS + owner]
        most = self.most[dolmen]
        tied = self.tied[dolmen]
        others = self.present[dolmen]
        if standing > 0:
            others -= 1
            if standing == most:
                tied -= 1
                if tied == 0:
                    most = self.second[dolmen]
                    tied = 1
        after = way(standing + change, most, tied)
        into.add(first + AT_SHIFT + way(standing, most, tied) * WAYS + after, 1.0)
        into.add(first + AT_CROWD + others, 1.0)
        into.add(first + AT_URGE, gain * self.risk)
        if owner != seat:
            more: i64 = 0
            mine = self.guards[dolmen * MOST_PLAYERS + seat]
            if mine > 0:
                more = 1 + min(max(mine - standing - change + 3, 0), WAYS - 2)
            into.add(first + AT_MINE + more, 1.0)
        if standing == 0:
            into.add(first + AT_MISSING + self.missing[owner], 1.0)


def rung(gain: float) -> i64:
    """Which of the steps from a loss to a great gain."""
    if gain < 0.5:
        return 0 if gain < -2.0 else 1 if gain < -0.5 else 2 if gain < EVEN else 3
    return 4 if gain < 1.0 else 5 if gain < 2.0 else 6 if gain < 4.0 else 7


def way(number: i64, most: i64, tied: i64) -> i64:
    """Returns the standing of a seat with that many guards at a dolmen where so many other seats have the most."""
    if number == 0:
        return ABSENT
    if most == 0:
        return ALONE
    if number > most:
        return AHEAD if number == most + 1 else FAR_AHEAD
    if number == most:
        return TIED
    if tied > 1:
        return SHARING
    return BEHIND if number + 1 == most else FAR_BEHIND
