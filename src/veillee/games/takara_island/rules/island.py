"""TI-1 What is on the island; TI-12 End; TI-13 Public and private."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from librt.vecs import append, pop, remove, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.takara_island.content import TITLES
from veillee.games.takara_island.rules.answers import (
    ANSWERS,
    CARE,
    DEPTH,
    GO_ON,
    IMITATE,
    NO_RECRUIT,
    NO_SWORD,
    SITES,
    TAKE_KARAS,
    TURN_UP,
    spoken,
)
from veillee.games.takara_island.rules.events import BOTH_STONES, DIE, STONE_LOST, TITLED
from veillee.games.takara_island.rules.tiles import (
    ARCHAEOLOGIST,
    DEEP,
    IMITATOR,
    KIND,
    LEVEL_TILES,
    LEVELS,
    MINER,
    MONSTER_TILE,
    NO_TILE,
    PRICE,
    ROCKFALL_1,
    ROCKFALL_2,
    ROCKFALL_TILE,
    STONE,
    XP,
    XP_TILE,
)
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, TOGETHER
from veillee.kernel.plain import things
from veillee.kernel.state import ALLOWED, State, Thing

# Where adventurers of the active team are.
DEN_PLACE: Final = 6  # after the sites
COUNTER_PLACE: Final = 7
PORT_PLACE: Final = 8
PLACES: Final = 9

NO_SPECIALIST: Final = -1
NOTHING_SEEN: Final = vec[i64]([0] * SITES)

SWORD_PRICE: Final = 3
FOUND_REWARD: Final = 2  # for a rockfall or a monster turned up while observing, and for each visible rockfall
DEN_REWARD: Final = 1
KARAS_PER_XP: Final = 5
TOKEN_XP: Final = 2
RECRUIT_PRICE: Final = 5
CARE_PRICE: Final = 2
OBSERVED: Final = 3
STUDIED: Final = 5
MINED: Final = 2
FACES: Final = 6
SWORD_FACES: Final = 4  # the other two show the hospital
TURNS: Final = 400
# Readings that a table may choose (ADR 35): bits of State.readings.
COVERED_ROCKFALLS: Final = 1  # TI-5.1 face-up rockfalls count, even covered
MIMIC_REMOVED: Final = 2  # TI-11.2 a Mimic that is not beaten leaves the game and injures no adventurer
LEAST: Final = vec[i64]([title.least for title in TITLES])  # XP of each title

# How the game ended.
PLAYING: Final = 0
BANISHED: Final = 1
ONE_STONE: Final = 2
TWO_STONES: Final = 3
TOO_LONG: Final = 4
ENDINGS: Final = ["", "TI-12.1", "TI-12.2", "TI-12.3", "TI-12.0"]

# TI-13.1 What of a level cannot lie everywhere, from the bottom upwards: one stone at most in a site, no rockfall
# where an observation passed.
BARRED: Final = vec[i64]([STONE, ROCKFALL_2, ROCKFALL_1])
SPOT: Final = 16  # a spot of the island is site * SPOT + place


@mypyc_attr(acyclic=True)
class Site(Thing):
    """A pile of galleries. A tile keeps its place, counted from the bottom, until it is removed."""

    def __init__(self, tiles: vec[i64], up: i64, fresh: i64, clear: i64, wounds: i64) -> None:
        self.tiles = tiles  # the top is the last
        self.up = up  # places face up: the sum of 1 << place
        self.fresh = fresh  # those turned up in this turn
        self.clear = clear  # places that an observation passed: it is public that no rockfall lies there
        self.wounds = wounds  # on the monster on top

    def clone(self) -> Site:
        return Site(self.tiles[:], self.up, self.fresh, self.clear, self.wounds)

    def top_up(self) -> i64:
        """The face-up tile on top, or NO_TILE."""
        last = len(self.tiles) - 1
        if last < 0 or (self.up >> last) & 1 == 0:
            return NO_TILE
        return self.tiles[last]

    def turn_up(self, place: i64) -> None:
        self.up |= 1 << place
        self.fresh |= 1 << place

    def remove(self) -> i64:
        """Take away the tile on top."""
        self.tiles, tile = pop(self.tiles)
        below = (1 << len(self.tiles)) - 1
        self.up &= below
        self.fresh &= below
        self.clear &= below
        self.wounds = 0
        return tile

    def hidden(self, first: i64, count: i64) -> bool:
        """Does a face-down tile lie among `count` tiles from place `first` downwards?"""
        last = first - count
        while first >= 0 and first > last:
            if (self.up >> first) & 1 == 0:
                return True
            first -= 1
        return False

    def observable(self) -> str:
        """TI-3.1 At least one face-down tile would be seen; TI-3.4 never below a tile turned up in an earlier turn."""
        place = len(self.tiles) - 1
        last = place - OBSERVED
        while place >= 0 and place > last:
            if (self.up >> place) & 1 == 0:
                return ALLOWED
            if (self.fresh >> place) & 1 == 0:
                return "TI-3.4"
            tile = self.tiles[place]
            if KIND[tile] == ROCKFALL_TILE:
                return "TI-3.4"
            place -= 1
        return "TI-3.1"

    def suits(self, skill: i64) -> bool:
        """TI-8.3 No face-up monster on top for the Miner; TI-8.1 a face-down tile in reach of the others."""
        last = len(self.tiles) - 1
        if skill == MINER:
            top = self.top_up()
            return last >= 0 and (top == NO_TILE or KIND[top] != MONSTER_TILE)
        return self.hidden(last, STUDIED if skill == ARCHAEOLOGIST else last + 1)

    def has_stone(self, known: i64) -> bool:
        """Does a stone lie at one of these places?"""
        return any(self.tiles[place] == STONE and (known >> place) & 1 for place in range(len(self.tiles)))


@mypyc_attr(acyclic=True)
class Team(Thing):
    """One player's things."""

    def __init__(
        self,
        karas: i64,
        tokens: i64,
        ready: i64,
        hurt: i64,
        rest: i64,
        recruit: i64,
        won: vec[i64],
        seen: vec[i64],
    ) -> None:
        self.karas = karas
        self.tokens = tokens  # of 2 XP each
        self.ready = ready  # adventurers available
        self.hurt = hurt  # in the hospital since this turn
        self.rest = rest  # in the recovery room since an earlier turn
        self.recruit = recruit  # 1: still waiting on the Beach
        self.won = won  # tiles, in sight
        self.seen = seen  # of each site, the places that this player has looked at (TI-3.6)

    def clone(self) -> Team:
        won, seen = self.won[:], self.seen[:]
        return Team(self.karas, self.tokens, self.ready, self.hurt, self.rest, self.recruit, won, seen)

    def keep(self, tile: i64) -> None:
        self.won = append(self.won, tile)

    def xp_tile(self, xp: i64) -> i64:
        """Where in `won` an XP tile of that worth is; -1 if there is none (TI-7.1: only these can be sold)."""
        for i in range(len(self.won)):
            tile = self.won[i]
            if KIND[tile] == XP_TILE and XP[tile] == xp:
                return i
        return -1

    def stones(self) -> i64:
        stones: i64 = 0
        for tile in self.won:
            if tile == STONE:
                stones += 1
        return stones

    def experience(self) -> i64:
        """TI-12.4 XP before counting Karas."""
        xp = self.tokens * TOKEN_XP
        for tile in self.won:
            xp += XP[tile]
        return xp


class Takara(State):
    """TI-1 What is on the island."""

    shape: ClassVar[dict[str, Any]] = {"sites": things(Site), "teams": things(Team)}

    def __init__(
        self,
        sites: vec[Site],
        teams: vec[Team],
        chests: vec[i64],
        discards: vec[i64],
        tokens: i64,
        holder: vec[i64],
        hired: i64,
        active: i64,
        at: vec[i64],
        sword: i64,
        traded: i64,
        dice: vec[i64],
        stone_sites: i64,
        turns: i64,
        ending: i64,
        by_heart: i64,
    ) -> None:
        super().__init__()
        self.sites = sites
        self.teams = teams
        self.chests = chests  # treasures; the next one is the last
        self.discards = discards  # of each tile
        self.tokens = tokens  # left in stock
        self.holder = holder  # of each specialist: the seat that hired it, or NO_SEAT: at the Port
        self.hired = hired  # the specialist of this turn, or NO_SPECIALIST
        self.active = active  # whose turn it is
        self.at = at  # how many of the active team's adventurers are at each place
        self.sword = sword  # 1: the active team has it
        self.traded = traded  # 1: the Counter was used in this turn
        self.dice = dice  # 1 for a sword, 0 for a hospital: the throws of the last fight of this turn
        self.stone_sites = stone_sites  # where stones were dug up: the sum of 1 << site
        self.turns = turns
        self.ending = ending
        self.by_heart = by_heart  # 1: the board shows what one has seen only while one looks

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def send(self, seat: i64, place: i64) -> None:
        """TI-2.2 An available adventurer goes to a place for one action."""
        self.teams[seat].ready -= 1
        self.at[place] += 1

    def injure(self, seat: i64, place: i64) -> None:
        self.at[place] -= 1
        self.teams[seat].hurt += 1

    def throw(self, seat: i64, rng: Rng) -> bool:
        """TI-9.2 The die: four sword faces, two hospital faces. True for a sword."""
        sword: i64 = 1 if rng.below(FACES) < SWORD_FACES else 0
        self.dice = append(self.dice, sword)
        self.note("TI-9.2", DIE, seat, sword)
        return sword == 1

    def visible_rockfalls(self) -> i64:
        """TI-5.1 Face up and on top of their site; in the other reading wherever they lie face up."""
        rockfalls: i64 = 0
        if self.readings & COVERED_ROCKFALLS != 0:
            for site in self.sites:
                for place in range(len(site.tiles)):
                    tile = site.tiles[place]
                    if (site.up >> place) & 1 == 1 and KIND[tile] == ROCKFALL_TILE:
                        rockfalls += 1
            return rockfalls
        for s in range(SITES):
            top = self.sites[s].top_up()
            if top != NO_TILE and KIND[top] == ROCKFALL_TILE:
                rockfalls += 1
        return rockfalls

    def price(self, skill: i64) -> i64:
        """TI-1.6, TI-8.6 Directly from the Port; through the Imitator 2 Karas more."""
        price = PRICE[skill]
        return price if self.holder[skill] == NO_SEAT else price + PRICE[IMITATOR]

    def has_specialist(self, seat: i64) -> bool:
        return any(self.holder[specialist] == seat for specialist in range(IMITATOR + 1))

    def can_hire(self, seat: i64, skill: i64) -> str:
        """TI-8.1 Only with no specialist in front of you, and if the skill can be applied now."""
        if self.has_specialist(seat):
            return "TI-8.1"
        holder = self.holder[skill]
        if holder != NO_SEAT and self.holder[IMITATOR] != NO_SEAT:
            return "TI-8.2"
        if self.teams[seat].karas < self.price(skill):
            return "TI-1.6" if holder == NO_SEAT else "TI-8.6"
        for s in range(SITES):
            if self.sites[s].suits(skill):
                return ALLOWED
        return "TI-8.1"

    def imitator_alone(self, seat: i64) -> str:
        """TI-8.6 The Imitator copies what another player has: it is hired by saying which specialist, never as such."""
        if self.has_specialist(seat):
            return "TI-8.1"
        return "TI-8.6" if self.holder[IMITATOR] == NO_SEAT else "TI-8.2"

    def end_if_due(self) -> None:
        """TI-12.0 After each removed tile, once it is fully resolved."""
        empty: i64 = 0
        for s in range(SITES):
            if len(self.sites[s].tiles) == 0:
                empty += 1
        found = self.stone_sites
        if found & (found - 1):  # two bits
            self.finish(TWO_STONES)
        elif empty >= 4 and not found:
            self.finish(BANISHED)
        elif empty >= 5:
            self.finish(ONE_STONE)

    def finish(self, ending: i64) -> None:
        """TI-12.1, TI-12.2, TI-12.3 The end is at once, with no end of the day. TI-12.5 A title for each."""
        self.ending = ending
        for seat in range(len(self.teams)):
            team = self.teams[seat]
            stones = team.stones()
            if ending == ONE_STONE and stones:
                team.won = remove(team.won, STONE)
                self.discards[STONE] += 1
                self.note("TI-12.2", STONE_LOST, seat)
            elif stones == 2:
                self.note("TI-12.3", BOTH_STONES, seat)
        self.end_game(ENDINGS[ending])
        if ending != BANISHED:
            for seat in range(len(self.teams)):
                xp = self.score(seat)
                self.note("TI-12.5", TITLED, seat, title(xp), xp)

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> Takara:
        g = Takara(
            vec[Site]([site.clone() for site in self.sites]),
            vec[Team]([team.clone() for team in self.teams]),
            self.chests[:],
            self.discards[:],
            self.tokens,
            self.holder[:],
            self.hired,
            self.active,
            self.at[:],
            self.sword,
            self.traded,
            self.dice[:],
            self.stone_sites,
            self.turns,
            self.ending,
            self.by_heart,
        )
        g.resume(self)
        return g

    def determinize(self, seat: i64, rng: Rng) -> None:
        """TI-13.1 Deal again, level by level, the face-down tiles that the seat has not seen; shuffle the chests.

        Which places the others have looked at stays: it is public (TI-3.5); what they saw there changes with the tiles.
        """
        seen = NOTHING_SEEN
        if seat >= 0:
            seen = self.teams[seat].seen
        elif seat == TOGETHER:
            seen = NOTHING_SEEN[:]
            for team in self.teams:
                for site in range(SITES):
                    seen[site] |= team.seen[site]
        for level in range(LEVELS):
            self.redeal(level, seen, rng)
        rng.shuffle(self.chests)

    def redeal(self, level: i64, seen: vec[i64], rng: Rng) -> None:
        """Any deal that fits what is known: no rockfall where an observation passed, one stone at most in a site."""
        special = BARRED[level]
        specials: i64 = 0
        rest = vec[i64](capacity=SITES * LEVEL_TILES)
        spots = vec[i64](capacity=SITES * LEVEL_TILES)
        barred = vec[i64](capacity=SITES * LEVEL_TILES)  # those that cannot hold a rockfall or a stone
        for s in range(SITES):
            site = self.sites[s]
            known = site.up | seen[s]
            bar = site.clear
            if level == DEEP:
                bar = -1 if (self.stone_sites >> s) & 1 or site.has_stone(known) else 0
            place = level * LEVEL_TILES
            top = place + LEVEL_TILES
            top = min(top, len(site.tiles))
            while place < top:
                if (known >> place) & 1 == 0:
                    tile = site.tiles[place]
                    if tile == special:
                        specials += 1
                    else:
                        rest = append(rest, tile)
                    if (bar >> place) & 1:
                        barred = append(barred, s * SPOT + place)
                    else:
                        spots = append(spots, s * SPOT + place)
                place += 1
        if specials > 0:
            rng.shuffle(spots)
            while level == DEEP and specials == 2 and same_site(spots):
                rng.shuffle(spots)
            for _special in range(specials):
                spots, spot = pop(spots)
                self.lay(spot, special)
        rng.shuffle(rest)
        for spot in spots:
            rest, tile = pop(rest)
            self.lay(spot, tile)
        for spot in barred:
            rest, tile = pop(rest)
            self.lay(spot, tile)

    def lay(self, spot: i64, tile: i64) -> None:
        site = spot // SPOT
        place = spot % SPOT
        self.sites[site].tiles[place] = tile

    def seats(self) -> i64:
        return len(self.teams)

    def score(self, seat: i64) -> i64:
        """TI-12.4 XP, and 1 per full 5 Karas. TI-12.1 Nothing is counted for the banished."""
        if self.ending == BANISHED:
            return 0
        team = self.teams[seat]
        return team.experience() + team.karas // KARAS_PER_XP

    def standing(self, seat: i64) -> list[int]:
        """TI-12.3 One owner of both stones wins outright. TI-12.4 Most XP; then more XP before counting Karas."""
        if self.ending == BANISHED:
            return [0, 0, 0]
        team = self.teams[seat]
        return [int(team.stones() == 2), self.score(seat), team.experience()]

    def returns(self) -> list[float]:
        if self.ending == BANISHED:
            return [0.0] * len(self.teams)
        return super().returns()

    def answers(self) -> i64:
        return ANSWERS

    def misplaced(self, seat: i64, action: i64) -> str:
        """TI-2 Every answer has its moment in a turn."""
        if action < NO_SWORD or action == IMITATE:
            day_ends = self.takes(seat, NO_RECRUIT) or self.takes(seat, CARE)
            return "TI-2.3" if day_ends else "TI-2.2"
        if action < GO_ON:
            return "TI-2.1"
        if action < TURN_UP:
            return "TI-3.1"
        if action == TURN_UP:
            return "TI-3.3"
        if action < DEPTH:
            return "TI-8.1"
        if action < TAKE_KARAS:
            return "TI-8.4"
        if action < NO_RECRUIT:
            return "TI-11.1"
        return "TI-10.1" if action < CARE else "TI-10.2"

    def choice(self, action: i64) -> tuple[str, dict[str, int]]:
        return spoken(action)


def same_site(spots: vec[i64]) -> bool:
    """Are the last two spots in one site?"""
    last = len(spots) - 1
    return spots[last] // SPOT == spots[last - 1] // SPOT


def title(xp: i64) -> i64:
    """TI-12.5 The rank of so many XP."""
    rank: i64 = 0
    for i in range(len(LEAST)):
        if xp >= LEAST[i]:
            rank = i
    return rank
