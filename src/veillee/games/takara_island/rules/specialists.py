"""TI-8 Hire a specialist."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.takara_island.rules.answers import DEPTH, DEPTHS, DIVINED, GO_ON, LOOKING, SITE, TARGETS
from veillee.games.takara_island.rules.chests import Chest, Resolved
from veillee.games.takara_island.rules.events import HIRED, IMITATED, MINER_DUG, MINER_SENT, PEEKED, PEEKS
from veillee.games.takara_island.rules.island import MINED, PORT_PLACE, STUDIED, Takara
from veillee.games.takara_island.rules.observe import look_at
from veillee.games.takara_island.rules.tiles import (
    ARCHAEOLOGIST,
    CHEST_TILE,
    IMITATOR,
    KIND,
    MINER,
    MONSTER_TILE,
    STONE_TILE,
    XP_TILE,
)
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import ALLOWED, Moves, Step


def hire(g: Takara, seat: i64, skill: i64) -> None:
    """TI-8.1 Pay, take it face up, apply its skill at once. TI-8.6 The Imitator copies what another player has."""
    price = g.price(skill)
    holder = g.holder[skill]
    g.teams[seat].karas -= price
    if holder == NO_SEAT:
        g.hired = skill
        g.note("TI-8.1", HIRED, seat, skill, price)
    else:
        g.hired = IMITATOR
        g.note("TI-8.6", IMITATED, seat, skill, price, holder)
    g.holder[g.hired] = seat
    g.ask(Target(seat, skill))


@mypyc_attr(acyclic=True, free_list_len=1)
class Target(Step):
    """TI-8.3, TI-8.4, TI-8.5 At which site the specialist works."""

    def __init__(self, seat: i64, skill: i64) -> None:
        super().__init__(seat)
        self.skill = skill

    def options(self, g: Takara, seat: i64) -> vec[i64]:
        return TARGETS

    def forbids(self, g: Takara, seat: i64, action: i64) -> str:
        """TI-8.3 No monster on top for the Miner; TI-8.1 a face-down tile in reach of the others."""
        site = action - SITE
        if g.sites[site].suits(self.skill):
            return ALLOWED
        return "TI-8.3" if self.skill == MINER else "TI-8.1"

    def answer(self, g: Takara, seat: i64, action: i64, rng: Rng) -> None:
        site = action - SITE
        tiles = len(g.sites[site].tiles)
        if self.skill == MINER:
            g.note("TI-8.3", MINER_SENT, seat, site)
            g.push(Mine(seat, site, MINED))
        elif self.skill == ARCHAEOLOGIST:
            g.push(Peek(seat, site, tiles - 1, STUDIED))
        elif tiles > DIVINED:
            g.ask(Depth(seat, site))
        else:
            g.push(Peek(seat, site, tiles - 1, DIVINED))


@mypyc_attr(acyclic=True, free_list_len=1)
class Mine(Step):
    """TI-8.3 The Miner digs two tiles: treasures are kept, rockfalls and Karas destroyed for nothing, nobody is hurt."""

    def __init__(self, seat: i64, site: i64, left: i64) -> None:
        super().__init__(seat)
        self.site = site
        self.left = left

    def run(self, g: Takara, rng: Rng) -> None:
        site = g.sites[self.site]
        seat = self.seat
        place = len(site.tiles) - 1
        if self.left == 0 or place < 0:
            return
        tile = site.tiles[place]
        kind = KIND[tile]
        if (site.up >> place) & 1 == 0:
            g.reveal("TI-8.3", MINER_DUG, seat, tile, self.site, place)
        else:
            g.note("TI-8.3", MINER_DUG, seat, tile, self.site, place)
        if kind == MONSTER_TILE:  # it ends the dig, turned or left face up
            if (site.up >> place) & 1 == 0:
                site.turn_up(place)
            return
        site.remove()
        g.push(Mine(seat, self.site, self.left - 1))
        if kind == CHEST_TILE:
            g.discards[tile] += 1
            g.push(Resolved(seat))
            g.push(Chest(seat, PORT_PLACE))
            return
        if kind == XP_TILE:
            g.teams[seat].keep(tile)
        elif kind == STONE_TILE:
            g.teams[seat].keep(tile)
            g.stone_sites |= 1 << self.site
        else:
            g.discards[tile] += 1
        g.end_if_due()


@mypyc_attr(acyclic=True, free_list_len=1)
class Depth(Step):
    """TI-8.4 Three consecutive tiles at any depth: how many tiles lie above the first."""

    def __init__(self, seat: i64, site: i64) -> None:
        super().__init__(seat)
        self.site = site

    def first(self, g: Takara, action: i64) -> i64:
        """The highest place of the three."""
        return len(g.sites[self.site].tiles) - 1 - (action - DEPTH)

    def options(self, g: Takara, seat: i64) -> vec[i64]:
        return DEPTHS[len(g.sites[self.site].tiles)]

    def forbids(self, g: Takara, seat: i64, action: i64) -> str:
        """TI-8.1 A face-down tile must be in reach."""
        return ALLOWED if g.sites[self.site].hidden(self.first(g, action), DIVINED) else "TI-8.1"

    def answer(self, g: Takara, seat: i64, action: i64, rng: Rng) -> None:
        g.push(Peek(seat, self.site, self.first(g, action), DIVINED))


@mypyc_attr(acyclic=True, free_list_len=1)
class Peek(Step):
    """TI-8.4, TI-8.5 A look that nothing stops and that turns nothing up; face-up tiles count among the three or five."""

    def __init__(self, seat: i64, site: i64, first: i64, count: i64) -> None:
        super().__init__(seat)
        self.site = site
        self.first = first  # the highest place
        self.count = count

    def rule(self) -> str:
        return "TI-8.4" if self.count == DIVINED else "TI-8.5"

    def tiles(self) -> i64:
        """How many there are to look at: fewer than three or five, if the site has fewer."""
        return min(self.count, self.first + 1)

    def run(self, g: Takara, rng: Rng) -> None:
        site = g.sites[self.site]
        place = self.first
        tiles = self.tiles()
        last = place + 1 - tiles
        g.note(self.rule(), PEEKS, self.seat, self.site, len(site.tiles) - 1 - place, tiles)
        while place >= last:
            if (site.up >> place) & 1 == 0:
                look_at(g, self.seat, self.site, place, self.rule())
            place -= 1
        g.ask(self)

    def options(self, g: Takara, seat: i64) -> vec[i64]:
        return LOOKING

    def forbids(self, g: Takara, seat: i64, action: i64) -> str:
        return ALLOWED if action == GO_ON else self.rule()

    def allow(self, g: Takara, seat: i64, moves: Moves) -> None:
        moves.add(GO_ON)

    def answer(self, g: Takara, seat: i64, action: i64, rng: Rng) -> None:
        g.note(self.rule(), PEEKED, seat, self.site)
