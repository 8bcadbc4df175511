"""TI-2 A turn, with TI-6 the Gambling den, TI-7 the Counter and TI-10 the end of the day."""

from __future__ import annotations

from librt.vecs import pop, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.takara_island.rules.answers import (
    ACTS,
    BUY,
    CARE,
    CARES,
    DEN,
    HIRE,
    IMITATE,
    OBSERVE,
    RECRUIT,
    RECRUIT_OR_NOT,
    RENT,
    SELL,
    SITES,
    SOLD,
    STOP,
    SWORD_OR_NOT,
    WORK,
)
from veillee.games.takara_island.rules.digging import can_work, work
from veillee.games.takara_island.rules.events import (
    CARED,
    GAMBLED,
    LEFT,
    OBSERVES,
    RECRUITED,
    RESTED,
    RESTING,
    STOPPED,
    SWORD_RENTED,
    TILE_SOLD,
    TOKEN_BOUGHT,
)
from veillee.games.takara_island.rules.island import (
    CARE_PRICE,
    COUNTER_PLACE,
    DEN_PLACE,
    DEN_REWARD,
    KARAS_PER_XP,
    NO_SPECIALIST,
    PLACES,
    PORT_PLACE,
    RECRUIT_PRICE,
    SWORD_PRICE,
    TOO_LONG,
    TURNS,
    Takara,
)
from veillee.games.takara_island.rules.observe import Look
from veillee.games.takara_island.rules.specialists import hire
from veillee.games.takara_island.rules.tiles import IMITATOR
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import ALLOWED, Moves, Step


@mypyc_attr(acyclic=True, free_list_len=1)
class Turn(Step):
    """TI-2 Rent the Sword, use the adventurers, recruit and end the day."""

    def run(self, g: Takara, rng: Rng) -> None:
        seat = self.seat
        g.active = seat
        g.push(EndDay(seat))
        g.push(Hospital(seat))
        g.push(Beach(seat))
        g.push(Act(seat))
        g.push(Forge(seat))


@mypyc_attr(acyclic=True, free_list_len=1)
class Forge(Step):
    """TI-2.1 At the very start of the turn, and only then, you may rent the Sword for 3 Karas."""

    def run(self, g: Takara, rng: Rng) -> None:
        if g.teams[self.seat].karas >= SWORD_PRICE:
            g.ask(self)

    def options(self, g: Takara, seat: i64) -> vec[i64]:
        return SWORD_OR_NOT

    def allow(self, g: Takara, seat: i64, moves: Moves) -> None:
        moves.add_all(SWORD_OR_NOT)

    def answer(self, g: Takara, seat: i64, action: i64, rng: Rng) -> None:
        if action == RENT:
            g.teams[seat].karas -= SWORD_PRICE
            g.sword = 1
            g.note("TI-2.1", SWORD_RENTED, seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class Act(Step):
    """TI-2.2 Each available adventurer may do one action, one after the other; you may stop."""

    def run(self, g: Takara, rng: Rng) -> None:
        if g.teams[self.seat].ready > 0:
            g.ask(self)

    def options(self, g: Takara, seat: i64) -> vec[i64]:
        return ACTS

    def forbids(self, g: Takara, seat: i64, action: i64) -> str:
        if action < OBSERVE:
            return ALLOWED
        if action < WORK:
            site = action - OBSERVE
            return g.sites[site].observable()
        if action < DEN:
            site = action - WORK
            return can_work(g, seat, g.sites[site])
        if action == DEN:
            return ALLOWED
        if action <= BUY:
            return can_trade(g, seat, action)
        if action == RENT:
            return "TI-2.1"
        if action == RECRUIT:
            return "TI-10.1"
        if action == IMITATE:
            return g.imitator_alone(seat)
        return g.can_hire(seat, action - HIRE)

    def allow(self, g: Takara, seat: i64, moves: Moves) -> None:
        """What the guards allow; they need not be asked at the Counter and at the Port where one has been already."""
        moves.add(STOP)
        for s in range(SITES):
            if not g.sites[s].observable():
                moves.add(OBSERVE + s)
        for s in range(SITES):
            if not can_work(g, seat, g.sites[s]):
                moves.add(WORK + s)
        moves.add(DEN)
        if not g.traded:
            for action in range(SELL, BUY + 1):
                if not can_trade(g, seat, action):
                    moves.add(action)
        if not g.has_specialist(seat):
            for skill in range(IMITATOR):
                if not g.can_hire(seat, skill):
                    moves.add(HIRE + skill)

    def answer(self, g: Takara, seat: i64, action: i64, rng: Rng) -> None:
        if action == STOP:
            g.note("TI-2.2", STOPPED, seat, g.teams[seat].ready)
            return
        g.push(self)
        if action < WORK:
            site = action - OBSERVE
            g.send(seat, site)
            g.note("TI-3.1", OBSERVES, seat, site)
            g.push(Look(seat, site, len(g.sites[site].tiles) - 1, 0, 0))
        elif action < DEN:
            work(g, seat, action - WORK, rng)
        elif action == DEN:  # TI-6.1 any number of adventurers, one after the other, 1 Kara each
            g.send(seat, DEN_PLACE)
            g.teams[seat].karas += DEN_REWARD
            g.note("TI-6.1", GAMBLED, seat)
        elif action <= BUY:
            g.send(seat, COUNTER_PLACE)
            trade(g, seat, action)
        else:
            g.send(seat, PORT_PLACE)
            hire(g, seat, action - HIRE)


# -- TI-7 Counter -------------------------------------------------------------------------------------------
def can_trade(g: Takara, seat: i64, action: i64) -> str:
    """TI-7.1 Once a turn: a tile of that many XP is sold; TI-7.2 or a token bought, TI-1.5 if any is left."""
    if g.traded:
        return "TI-7.1"
    team = g.teams[seat]
    if action == BUY:
        if g.tokens == 0:
            return "TI-1.5"
        return "TI-7.2" if team.karas < KARAS_PER_XP else ALLOWED
    sold = action - SELL
    return "TI-7.1" if team.xp_tile(SOLD[sold]) < 0 else ALLOWED


def trade(g: Takara, seat: i64, action: i64) -> None:
    """TI-7.1 Sell one XP tile for 5 Karas per XP; TI-7.2 or pay 5 Karas for one XP token. Once a turn."""
    team = g.teams[seat]
    g.traded = 1
    if action == BUY:
        team.karas -= KARAS_PER_XP
        team.tokens += 1
        g.tokens -= 1
        g.note("TI-7.2", TOKEN_BOUGHT, seat)
        return
    xp = SOLD[action - SELL]
    team.won, tile = pop(team.won, team.xp_tile(xp))
    g.discards[tile] += 1
    team.karas += KARAS_PER_XP * xp
    g.note("TI-7.1", TILE_SOLD, seat, tile, KARAS_PER_XP * xp)


# -- TI-10 Recruit and end the day ----------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Beach(Step):
    """TI-10.1 Once per game, after using the adventurers, you may pay 5 Karas for your recruit."""

    def run(self, g: Takara, rng: Rng) -> None:
        team = g.teams[self.seat]
        if team.recruit and team.karas >= RECRUIT_PRICE:
            g.ask(self)

    def options(self, g: Takara, seat: i64) -> vec[i64]:
        return RECRUIT_OR_NOT

    def allow(self, g: Takara, seat: i64, moves: Moves) -> None:
        moves.add_all(RECRUIT_OR_NOT)

    def answer(self, g: Takara, seat: i64, action: i64, rng: Rng) -> None:
        if action == RECRUIT:
            team = g.teams[seat]
            team.karas -= RECRUIT_PRICE
            team.recruit = 0
            team.ready += 1
            g.note("TI-10.1", RECRUITED, seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class Hospital(Step):
    """TI-10.2 For each adventurer injured this turn: pay 2 Karas and it comes back, else it goes to the recovery room."""

    def run(self, g: Takara, rng: Rng) -> None:
        team = g.teams[self.seat]
        if team.hurt and team.karas >= CARE_PRICE:
            g.ask(self)

    def options(self, g: Takara, seat: i64) -> vec[i64]:
        return CARES

    def forbids(self, g: Takara, seat: i64, action: i64) -> str:
        team = g.teams[seat]
        cared = action - CARE
        return ALLOWED if cared <= team.hurt and CARE_PRICE * cared <= team.karas else "TI-10.2"

    def answer(self, g: Takara, seat: i64, action: i64, rng: Rng) -> None:
        team = g.teams[seat]
        cared = action - CARE
        team.karas -= CARE_PRICE * cared
        team.hurt -= cared
        team.ready += cared
        if cared:
            g.note("TI-10.2", CARED, seat, cared)


@mypyc_attr(acyclic=True, free_list_len=1)
class EndDay(Step):
    """TI-10.2 Adventurers come back, from the recovery room too. TI-10.3 The Sword goes back. TI-10.4 The specialist."""

    def run(self, g: Takara, rng: Rng) -> None:
        seat = self.seat
        team = g.teams[seat]
        for place in range(PLACES):
            team.ready += g.at[place]
            g.at[place] = 0
        if team.rest:
            g.note("TI-10.2", RESTED, seat, team.rest)
        if team.hurt:
            g.note("TI-10.2", RESTING, seat, team.hurt)
        team.ready += team.rest
        team.rest = team.hurt
        team.hurt = 0
        g.sword = 0
        g.traded = 0
        for specialist in range(IMITATOR + 1):  # TI-8.2 asleep for a turn, then back to the Port
            if g.holder[specialist] == seat and g.hired != specialist:
                g.holder[specialist] = NO_SEAT
                g.note("TI-8.2", LEFT, seat, specialist)
        g.hired = NO_SPECIALIST
        for s in range(SITES):
            g.sites[s].fresh = 0
        if len(g.dice) > 0:
            g.dice = vec[i64]()
        g.turns += 1
        if g.turns == TURNS:
            g.finish(TOO_LONG)
        else:
            g.push(Turn(g.left_of(seat)))
