"""Takara Island (2-4 players): the rules, paragraph by paragraph, under their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import mypyc_attr

from veillee.games.takara_island.content import KINDS, SPECIALISTS, TILES, TITLES
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log
from veillee.kernel.state import ALLOWED, State, Step

# TI-1.1 The galleries, TI-1.3 the treasures of the chests: in the order of content.toml.
KARAS_2: Final = 0
ROCKFALL_1: Final = 1
XP_1: Final = 2
XP_1_INJURY: Final = 3
BAT_A: Final = 4
BAT_B: Final = 5
KARAS_4: Final = 6
XP_2: Final = 7
XP_2_INJURY: Final = 8
GOBLIN_A: Final = 9
GOBLIN_B: Final = 10
GOBLIN_C: Final = 11
CHEST_2: Final = 12
ROCKFALL_2: Final = 13
XP_4_INJURY: Final = 14
XP_4: Final = 15
KARAS_6: Final = 16
CHEST_3: Final = 17
SKELETON_A: Final = 18
SKELETON_B: Final = 19
DRAKE: Final = 20
STONE: Final = 21
TABLET: Final = 22
IDOL: Final = 23
GOLD_BAG: Final = 24
SKULL: Final = 25
MAP: Final = 26
MIMIC: Final = 27

KARAS_TILE: Final = 0  # the kinds of tiles
XP_TILE: Final = 1
ROCKFALL_TILE: Final = 2
MONSTER_TILE: Final = 3
CHEST_TILE: Final = 4
STONE_TILE: Final = 5
TREASURE_TILE: Final = 6
KIND: Final[list[int]] = [KINDS.index(tile.kind) for tile in TILES]
KARAS: Final[list[int]] = [tile.karas for tile in TILES]
XP: Final[list[int]] = [tile.xp for tile in TILES]
LIVES: Final[list[int]] = [tile.lives for tile in TILES]
INJURY: Final[list[int]] = [int(tile.injury) for tile in TILES]
COUNT: Final[list[int]] = [tile.count for tile in TILES]

SITES: Final = 6
LEVELS: Final = 3
DEEP: Final = 0  # levels, from the bottom upwards
INTERMEDIATE: Final = 1
SHALLOW: Final = 2
LEVEL_TILES: Final = 3  # of each level in a site
NOTHING_SEEN: Final = [0] * SITES

# Where adventurers of the active team are.
DEN_PLACE: Final = 6  # after the sites
COUNTER_PLACE: Final = 7
PORT_PLACE: Final = 8
PLACES: Final = 9

MINER: Final = 0
ARCHAEOLOGIST: Final = 1
DIVINER: Final = 2
IMITATOR: Final = 3
NOBODY: Final = -1  # a specialist at the Port; no specialist
PRICE: Final[list[int]] = [specialist.price for specialist in SPECIALISTS]

ADVENTURERS: Final = 2
SWORD_PRICE: Final = 3
FOUND_REWARD: Final = 2  # for a rockfall or a monster turned up while observing, and for each visible rockfall
DEN_REWARD: Final = 1
KARAS_PER_XP: Final = 5
TOKEN_XP: Final = 2
TOKENS_PER_PLAYER: Final = 3
RECRUIT_PRICE: Final = 5
CARE_PRICE: Final = 2
OBSERVED: Final = 3
DIVINED: Final = 3
STUDIED: Final = 5
MINED: Final = 2
FACES: Final = 6
SWORD_FACES: Final = 4  # the other two show the hospital
MIMIC_LIVES: Final = 2
TURNS: Final = 400

# How the game ended.
PLAYING: Final = 0
BANISHED: Final = 1
ONE_STONE: Final = 2
TWO_STONES: Final = 3
TOO_LONG: Final = 4
ENDINGS: Final = ["", "TI-12.1", "TI-12.2", "TI-12.3", "TI-12.0"]

# Actions. A choice has the same number whatever the position.
STOP: Final = 0
OBSERVE: Final = 1  # + site
WORK: Final = 7  # + site: dig, destroy the rockfall or fight the monster on top
DEN: Final = 13
SELL: Final = 14  # + 0, 1, 2: a tile of 1, 2 or 4 XP
BUY: Final = 17
HIRE: Final = 18  # + Miner, Archaeologist or Diviner
NO_SWORD: Final = 21
RENT: Final = 22
GO_ON: Final = 23
TURN_UP: Final = 24
SITE: Final = 25  # + site
DEPTH: Final = 31  # + tiles above the Diviner's first
TAKE_KARAS: Final = 38
KEEP_MAP: Final = 39
NO_RECRUIT: Final = 40
RECRUIT: Final = 41
CARE: Final = 42  # + adventurers

SOLD: Final = [1, 2, 4]  # XP
SWORD_OR_NOT: Final = [NO_SWORD, RENT]
ACTS: Final = [*range(STOP, HIRE + 3), RENT]  # TI-2.1: the Sword is named here only to say why not
LOOKING: Final = [GO_ON, TURN_UP]
TARGETS: Final = [SITE + s for s in range(SITES)]
DEPTHS: Final = [[DEPTH + d for d in range(max(1, n - DIVINED + 1))] for n in range(10)]
MAP_CHOICE: Final = [TAKE_KARAS, KEEP_MAP]
RECRUIT_OR_NOT: Final = [NO_RECRUIT, RECRUIT]
CARES: Final = [CARE + n for n in range(4)]


@mypyc_attr(acyclic=True)
class Site:
    """A pile of galleries. A tile keeps its place, counted from the bottom, until it is removed."""

    tiles: list[int]  # the top is the last
    up: int  # places face up: the sum of 1 << place
    fresh: int  # those turned up in this turn
    clear: int  # places that an observation passed: everybody knows that no rockfall lies there
    wounds: int  # on the monster on top

    def clone(self) -> Site:
        s = Site()
        s.tiles = self.tiles[:]
        s.up = self.up
        s.fresh = self.fresh
        s.clear = self.clear
        s.wounds = self.wounds
        return s

    def top_up(self) -> int:
        """The face-up tile on top; -1 if there is none."""
        last = len(self.tiles) - 1
        if last < 0 or (self.up >> last) & 1 == 0:
            return -1
        return self.tiles[last]

    def turn_up(self, place: int) -> None:
        self.up |= 1 << place
        self.fresh |= 1 << place

    def remove(self) -> int:
        """Take away the tile on top."""
        tile = self.tiles.pop()
        below = (1 << len(self.tiles)) - 1
        self.up &= below
        self.fresh &= below
        self.clear &= below
        self.wounds = 0
        return tile

    def hidden(self, first: int, count: int) -> bool:
        """Does a face-down tile lie among `count` tiles from place `first` downwards?"""
        return any((self.up >> place) & 1 == 0 for place in range(first, max(-1, first - count), -1))

    def observable(self) -> str:
        """TI-3.1 At least one face-down tile would be seen; TI-3.4 never below a tile turned up in an earlier turn."""
        last = len(self.tiles) - 1
        for place in range(last, max(-1, last - OBSERVED), -1):
            if (self.up >> place) & 1 == 0:
                return ALLOWED
            if (self.fresh >> place) & 1 == 0:
                return "TI-3.4"
            if KIND[self.tiles[place]] == ROCKFALL_TILE:
                return "TI-3.4"
        return "TI-3.1"


@mypyc_attr(acyclic=True)
class Team:
    """One player's things."""

    karas: int
    tokens: int  # of 2 XP each
    ready: int  # adventurers available
    hurt: int  # in the hospital since this turn
    rest: int  # in the rest room since an earlier turn
    recruit: int  # 1: still waiting on the Beach
    won: list[int]  # tiles, in sight
    seen: list[int]  # of each site, the places that this player has looked at (TI-3.6)

    def clone(self) -> Team:
        t = Team()
        t.karas = self.karas
        t.tokens = self.tokens
        t.ready = self.ready
        t.hurt = self.hurt
        t.rest = self.rest
        t.recruit = self.recruit
        t.won = self.won[:]
        t.seen = self.seen[:]
        return t

    def xp_tile(self, xp: int) -> int:
        """Where in `won` an XP tile of that worth is; -1 if there is none (TI-7.1: only these can be sold)."""
        for i, tile in enumerate(self.won):
            if KIND[tile] == XP_TILE and XP[tile] == xp:
                return i
        return -1

    def stones(self) -> int:
        stones = 0
        for tile in self.won:
            if tile == STONE:
                stones += 1
        return stones

    def experience(self) -> int:
        """TI-12.4 XP before counting Karas."""
        xp = self.tokens * TOKEN_XP
        for tile in self.won:
            xp += XP[tile]
        return xp


class Takara(State):
    """TI-1 What is on the island."""

    sites: list[Site]
    teams: list[Team]
    chests: list[int]  # treasures; the next one is the last of the list
    discards: list[int]  # of each tile
    tokens: int  # left in stock
    holder: list[int]  # of each specialist: in front of whom; NOBODY: at the Port
    hired: int  # the specialist of this turn; NOBODY: none
    active: int  # whose turn it is
    at: list[int]  # how many of the active team's adventurers are at each place
    sword: int  # 1: the active team has it
    traded: int  # 1: the Counter was used in this turn
    dice: list[int]  # 1 for a sword, 0 for a hospital: the throws of the last fight of this turn
    stone_sites: int  # where stones were dug up: the sum of 1 << site
    turns: int
    ending: int
    by_heart: int  # 1: the board shows what one has seen only while one looks

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def left_of(self, seat: int) -> int:
        return (seat + 1) % len(self.teams)

    def send(self, seat: int, place: int) -> None:
        """TI-2.2 An available adventurer goes to a place for one action."""
        self.teams[seat].ready -= 1
        self.at[place] += 1

    def injure(self, seat: int, place: int) -> None:
        self.at[place] -= 1
        self.teams[seat].hurt += 1

    def throw(self, seat: int, rng: Rng) -> bool:
        """TI-9.2 The die: four sword faces, two hospital faces. True for a sword."""
        sword = rng.below(FACES) < SWORD_FACES
        self.dice.append(int(sword))
        self.note("TI-9.2", "die", seat, int(sword))
        return sword

    def visible_rockfalls(self) -> int:
        """TI-5.1 Face up and on top of their site."""
        rockfalls = 0
        for site in self.sites:
            top = site.top_up()
            if top >= 0 and KIND[top] == ROCKFALL_TILE:
                rockfalls += 1
        return rockfalls

    def price(self, skill: int) -> int:
        """TI-1.6, TI-8.6 Directly from the Port; through the Imitator 2 Karas more."""
        return PRICE[skill] if self.holder[skill] == NOBODY else PRICE[skill] + PRICE[IMITATOR]

    def can_hire(self, seat: int, skill: int) -> str:
        """TI-8.1 Only with no specialist in front of you, and if the skill can be applied now."""
        holder = self.holder
        for specialist in range(IMITATOR + 1):
            if holder[specialist] == seat:
                return "TI-8.1"
        if holder[skill] != NOBODY and holder[IMITATOR] != NOBODY:
            return "TI-8.2"
        if self.teams[seat].karas < self.price(skill):
            return "TI-1.6" if holder[skill] == NOBODY else "TI-8.6"
        for site in self.sites:
            if can_apply(site, skill):
                return ALLOWED
        return "TI-8.1"

    def end_if_due(self) -> None:
        """TI-12.0 After each removed tile, once it is fully resolved."""
        empty = 0
        for site in self.sites:
            if not site.tiles:
                empty += 1
        found = self.stone_sites
        if found & (found - 1):  # two bits
            self.finish(TWO_STONES)
        elif empty >= 4 and not found:
            self.finish(BANISHED)
        elif empty >= 5:
            self.finish(ONE_STONE)

    def finish(self, ending: int) -> None:
        """TI-12.1, TI-12.2, TI-12.3 The end is at once, with no end of the day. TI-12.5 A title for each."""
        self.ending = ending
        for seat, team in enumerate(self.teams):
            stones = team.stones()
            if ending == ONE_STONE and stones:
                team.won.remove(STONE)
                self.discards[STONE] += 1
                self.note("TI-12.2", "stone lost", seat)
            elif stones == 2:
                self.note("TI-12.3", "both stones", seat)
        self.end_game(ENDINGS[ending])
        if ending != BANISHED:
            for seat in range(len(self.teams)):
                xp = self.score(seat)
                self.note("TI-12.5", "title", seat, title(xp), xp)

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> Takara:
        g = Takara()
        g.copy_flow(self)
        g.sites = [site.clone() for site in self.sites]
        g.teams = [team.clone() for team in self.teams]
        g.chests = self.chests[:]
        g.discards = self.discards[:]
        g.tokens = self.tokens
        g.holder = self.holder[:]
        g.hired = self.hired
        g.active = self.active
        g.at = self.at[:]
        g.sword = self.sword
        g.traded = self.traded
        g.dice = self.dice[:]
        g.stone_sites = self.stone_sites
        g.turns = self.turns
        g.ending = self.ending
        g.by_heart = self.by_heart
        return g

    def determinize(self, seat: int, rng: Rng) -> None:
        """TI-13.1 Deal again, level by level, the face-down tiles that the seat has not seen; shuffle the chests.

        Which places the others have looked at stays: it is public (TI-3.5); what they saw there changes with the tiles.
        """
        seen = self.teams[seat].seen if seat >= 0 else NOTHING_SEEN
        for level in range(LEVELS):
            self.redeal(level, seen, rng)
        rng.shuffle(self.chests)

    def redeal(self, level: int, seen: list[int], rng: Rng) -> None:
        """Any deal that fits what is known: no rockfall where an observation passed, one stone at most in a site."""
        spots: list[int] = []  # site * 16 + place
        barred: list[int] = []  # among them, those that cannot hold a rockfall or a stone
        rest: list[int] = []
        special: list[int] = []
        for s, site in enumerate(self.sites):
            known = site.up | seen[s]
            bar = site.clear
            if level == DEEP:
                bar = -1 if has_stone(site, known, (self.stone_sites >> s) & 1) else 0
            for place in range(level * LEVEL_TILES, min((level + 1) * LEVEL_TILES, len(site.tiles))):
                if (known >> place) & 1:
                    continue
                tile = site.tiles[place]
                if KIND[tile] == ROCKFALL_TILE or tile == STONE:
                    special.append(tile)
                else:
                    rest.append(tile)
                if (bar >> place) & 1:
                    barred.append(s * 16 + place)
                else:
                    spots.append(s * 16 + place)
        rng.shuffle(spots)
        while level == DEEP and len(special) == 2 and spots[-1] // 16 == spots[-2] // 16:
            rng.shuffle(spots)
        for tile in special:
            spot = spots.pop()
            self.sites[spot // 16].tiles[spot % 16] = tile
        rng.shuffle(rest)
        for spot in spots + barred:
            self.sites[spot // 16].tiles[spot % 16] = rest.pop()

    def seats(self) -> int:
        return len(self.teams)

    def score(self, seat: int) -> int:
        """TI-12.4 XP, and 1 per full 5 Karas. TI-12.1 Nothing is counted for the banished."""
        if self.ending == BANISHED:
            return 0
        team = self.teams[seat]
        return team.experience() + team.karas // KARAS_PER_XP

    def standing(self, seat: int) -> list[int]:
        """TI-12.3 One owner of both stones wins outright. TI-12.4 Most XP; then more XP before counting Karas."""
        if self.ending == BANISHED:
            return [0, 0, 0]
        team = self.teams[seat]
        return [int(team.stones() == 2), self.score(seat), team.experience()]

    def returns(self) -> list[float]:
        if self.ending == BANISHED:
            return [0.0] * len(self.teams)
        return super().returns()

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
        if OBSERVE <= action < WORK:
            return "observe", {"site": action - OBSERVE}
        if WORK <= action < DEN:
            return "work", {"site": action - WORK}
        if SELL <= action < BUY:
            return "sell", {"xp": SOLD[action - SELL]}
        if HIRE <= action < NO_SWORD:
            return "hire", {"specialist": action - HIRE}
        if SITE <= action < DEPTH:
            return "site", {"site": action - SITE}
        if DEPTH <= action < TAKE_KARAS:
            return "depth", {"above": action - DEPTH}
        if action >= CARE:
            return "care", {"adventurers": action - CARE}
        return VERBS[action], {}

    def dump(self) -> dict[str, Any]:
        return {
            "flow": self.dump_flow(),
            "sites": [[s.tiles[:], s.up, s.fresh, s.clear, s.wounds] for s in self.sites],
            "teams": [[t.karas, t.tokens, t.ready, t.hurt, t.rest, t.recruit, t.won[:], t.seen[:]] for t in self.teams],
            "chests": self.chests[:],
            "discards": self.discards[:],
            "tokens": self.tokens,
            "holder": self.holder[:],
            "hired": self.hired,
            "active": self.active,
            "at": self.at[:],
            "sword": self.sword,
            "traded": self.traded,
            "dice": self.dice[:],
            "stone_sites": self.stone_sites,
            "turns": self.turns,
            "ending": self.ending,
            "by_heart": self.by_heart,
        }


VERBS: Final[dict[int, str]] = {
    STOP: "stop",
    DEN: "den",
    BUY: "buy",
    NO_SWORD: "no_sword",
    RENT: "rent",
    GO_ON: "go_on",
    TURN_UP: "turn_up",
    TAKE_KARAS: "take_karas",
    KEEP_MAP: "keep_map",
    NO_RECRUIT: "no_recruit",
    RECRUIT: "recruit",
}


def has_stone(site: Site, known: int, found: int) -> bool:
    """Is it known that one of the stones lies or lay in this site?"""
    return found > 0 or any(tile == STONE and (known >> place) & 1 for place, tile in enumerate(site.tiles))


def can_apply(site: Site, skill: int) -> bool:
    """TI-8.3 No face-up monster on top for the Miner; TI-8.4, TI-8.5 something hidden to look at for the others."""
    last = len(site.tiles) - 1
    if skill == MINER:
        top = site.top_up()
        return last >= 0 and (top < 0 or KIND[top] != MONSTER_TILE)
    return site.hidden(last, STUDIED if skill == ARCHAEOLOGIST else last + 1)


def title(xp: int) -> int:
    """TI-12.5 The rank of so many XP."""
    rank = 0
    for i, entry in enumerate(TITLES):
        if xp >= entry.least:
            rank = i
    return rank


# -- TI-2 A turn ------------------------------------------------------------------------------------------
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
            super().run(g, rng)

    def options(self, g: Takara, seat: int) -> list[int]:
        return SWORD_OR_NOT

    def legal(self, g: Takara, seat: int) -> list[int]:
        return SWORD_OR_NOT

    def answer(self, g: Takara, seat: int, action: int, rng: Rng) -> None:
        if action == RENT:
            g.teams[seat].karas -= SWORD_PRICE
            g.sword = 1
            g.note("TI-2.1", "sword", seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class Act(Step):
    """TI-2.2 Each available adventurer may do one action, one after the other; you may stop."""

    def run(self, g: Takara, rng: Rng) -> None:
        if g.teams[self.seat].ready > 0:
            super().run(g, rng)

    def options(self, g: Takara, seat: int) -> list[int]:
        return ACTS

    def forbids(self, g: Takara, seat: int, action: int) -> str:
        if action < OBSERVE:
            return ALLOWED
        if action < WORK:
            return g.sites[action - OBSERVE].observable()
        if action < DEN:
            return can_work(g, seat, g.sites[action - WORK])
        if action == DEN:
            return ALLOWED
        team = g.teams[seat]
        if action < BUY:
            if g.traded or team.xp_tile(SOLD[action - SELL]) < 0:
                return "TI-7.1"
            return ALLOWED
        if action == BUY:
            if g.tokens == 0:
                return "TI-1.5"
            return "TI-7.2" if g.traded or team.karas < KARAS_PER_XP else ALLOWED
        if action == RENT:
            return "TI-2.1"
        return g.can_hire(seat, action - HIRE)

    def answer(self, g: Takara, seat: int, action: int, rng: Rng) -> None:
        if action == STOP:
            g.note("TI-2.2", "stop", seat, g.teams[seat].ready)
            return
        g.push(self)
        if action < WORK:
            site = action - OBSERVE
            g.send(seat, site)
            g.note("TI-3.1", "observe", seat, site)
            g.push(Look(seat, site, len(g.sites[site].tiles) - 1, 0, 0))
        elif action < DEN:
            work(g, seat, action - WORK, rng)
        elif action == DEN:
            g.send(seat, DEN_PLACE)
            g.teams[seat].karas += DEN_REWARD
            g.note("TI-6.1", "den", seat)
        elif action <= BUY:
            g.send(seat, COUNTER_PLACE)
            trade(g, seat, action)
        else:
            g.send(seat, PORT_PLACE)
            hire(g, seat, action - HIRE)


# -- TI-3 Observe -----------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Look(Step):
    """TI-3.1 Look secretly at the first three tiles of a site, one by one; asked to go on at each tile looked at."""

    def __init__(self, seat: int, site: int, place: int, counted: int, looked: int) -> None:
        super().__init__(seat)
        self.site = site
        self.place = place
        self.counted = counted  # among the three
        self.looked = looked  # at face-down tiles

    def args(self) -> list[int]:
        return [self.seat, self.site, self.place, self.counted, self.looked]

    def run(self, g: Takara, rng: Rng) -> None:
        site = g.sites[self.site]
        place = self.place
        if self.counted == OBSERVED or place < 0:
            self.finish(g, self.looked)
            return
        tile = site.tiles[place]
        kind = KIND[tile]
        if (site.up >> place) & 1:  # TI-3.4 a monster turned up in this turn is passed; nothing else is
            if (site.fresh >> place) & 1 and kind == MONSTER_TILE:
                g.push(Look(self.seat, self.site, place - 1, self.counted + 1, self.looked))
            else:
                self.finish(g, self.looked)
        elif kind == ROCKFALL_TILE:  # TI-3.2 it stops the observation, must be turned up, and gives 2 Karas
            site.turn_up(place)
            g.teams[self.seat].karas += FOUND_REWARD
            g.reveal("TI-3.2", "rockfall", self.seat, tile, self.site, place)
            self.finish(g, self.looked + 1)
        else:
            site.clear |= 1 << place
            look_at(g, self.seat, self.site, place, "TI-3.1")
            super().run(g, rng)

    def finish(self, g: Takara, looked: int) -> None:
        """TI-3.5 The others see which site was observed and how many tiles were looked at."""
        g.note("TI-3.5", "observed", self.seat, self.site, looked)

    def options(self, g: Takara, seat: int) -> list[int]:
        return LOOKING

    def forbids(self, g: Takara, seat: int, action: int) -> str:
        if action == GO_ON or KIND[g.sites[self.site].tiles[self.place]] == MONSTER_TILE:
            return ALLOWED
        return "TI-3.3"

    def answer(self, g: Takara, seat: int, action: int, rng: Rng) -> None:
        """TI-3.3 A monster may be turned up, in place, for 2 Karas; either way you go on looking."""
        if action == TURN_UP:
            site = g.sites[self.site]
            site.turn_up(self.place)
            g.teams[seat].karas += FOUND_REWARD
            g.show("TI-3.3", "monster", seat, site.tiles[self.place], self.site, self.place)
        g.push(Look(seat, self.site, self.place - 1, self.counted + 1, self.looked + 1))


def look_at(g: Takara, seat: int, site: int, place: int, rule: str) -> None:
    """TI-3.6 The seat's own notes; TI-13.1 for nobody else. By heart, not even the log keeps what was seen."""
    g.teams[seat].seen[site] |= 1 << place
    what = "glance" if g.by_heart else "look"
    g.reveal(rule, what, seat, g.sites[site].tiles[place], site, len(g.sites[site].tiles) - 1 - place, to=1 << seat)


# -- TI-4 Dig, TI-5 Destroy a rockfall, TI-9 Fight ----------------------------------------------------------
def can_work(g: Takara, seat: int, site: Site) -> str:
    """TI-4.1 Dig a face-down tile; TI-5.1 two adventurers for a rockfall; TI-9.1 the Sword for a monster."""
    if not site.tiles:
        return "TI-4.1"
    top = site.top_up()
    if top < 0:
        return ALLOWED
    if KIND[top] == ROCKFALL_TILE:
        return ALLOWED if g.teams[seat].ready >= 2 else "TI-5.1"
    return ALLOWED if g.sword else "TI-9.1"


def work(g: Takara, seat: int, s: int, rng: Rng) -> None:
    top = g.sites[s].top_up()
    g.send(seat, s)
    if top < 0:
        dig(g, seat, s)
    elif KIND[top] == ROCKFALL_TILE:
        g.send(seat, s)
        destroy(g, seat, s)
    else:
        fight(g, seat, s, rng)


def dig(g: Takara, seat: int, s: int) -> None:
    """TI-4.1 Turn up the first tile of a site."""
    site = g.sites[s]
    team = g.teams[seat]
    place = len(site.tiles) - 1
    tile = site.tiles[place]
    kind = KIND[tile]
    if kind == ROCKFALL_TILE:  # TI-4.3 it stays, face up; the adventurer is stuck there; no Karas
        site.turn_up(place)
        g.reveal("TI-4.3", "dig", seat, tile, s, place)
        return
    if kind == MONSTER_TILE:  # TI-4.4 it stays, face up, and injures; TI-4.5 not a bearer of the Sword
        site.turn_up(place)
        g.reveal("TI-4.5" if g.sword else "TI-4.4", "dig", seat, tile, s, place)
        if not g.sword:
            g.injure(seat, s)
        return
    site.remove()
    if kind == KARAS_TILE:  # TI-4.2 discard it, take that many
        g.reveal("TI-4.2", "dig", seat, tile, s, place)
        g.discards[tile] += 1
        team.karas += KARAS[tile]
    elif kind == CHEST_TILE:  # TI-4.6 discard the tile, draw the top chest tile
        g.reveal("TI-4.6", "dig", seat, tile, s, place)
        g.discards[tile] += 1
        g.push(Resolved(seat))
        g.push(Chest(seat, s))
        return
    elif kind == XP_TILE:  # TI-4.7 keep it, in sight; with the injury symbol the adventurer is injured
        g.reveal("TI-4.7", "dig", seat, tile, s, place)
        team.won.append(tile)
        if INJURY[tile]:
            g.injure(seat, s)
    else:  # TI-4.8 a Legend Stone
        g.reveal("TI-4.8", "dig", seat, tile, s, place)
        team.won.append(tile)
        g.stone_sites |= 1 << s
    g.end_if_due()


def destroy(g: Takara, seat: int, s: int) -> None:
    """TI-5.1 2 Karas for each visible rockfall, this one included; it is discarded."""
    karas = FOUND_REWARD * g.visible_rockfalls()
    g.teams[seat].karas += karas
    g.discards[g.sites[s].remove()] += 1
    g.note("TI-5.1", "destroy", seat, s, karas)
    g.end_if_due()


def fight(g: Takara, seat: int, s: int, rng: Rng) -> None:
    """TI-9.2 Roll until the monster is beaten or an attack fails. TI-9.4 Wounds stay for whoever comes next."""
    site = g.sites[s]
    team = g.teams[seat]
    monster = site.top_up()
    g.dice = []
    g.note("TI-9.1", "fight", seat, monster, s, site.wounds)
    while site.wounds < LIVES[monster]:
        if not g.throw(seat, rng):
            g.injure(seat, s)
            g.note("TI-9.2", "repelled", seat, monster, s, site.wounds)
            return
        site.wounds += 1
    site.remove()  # TI-9.3 you win the tile and take its Karas now
    team.won.append(monster)
    team.karas += KARAS[monster]
    g.note("TI-9.3", "beaten", seat, monster, s)
    g.end_if_due()


@mypyc_attr(acyclic=True, free_list_len=1)
class Resolved(Step):
    """TI-12.0 A removed tile is fully resolved."""

    def run(self, g: Takara, rng: Rng) -> None:
        g.end_if_due()


# -- TI-11 Chests -------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Chest(Step):
    """TI-4.6, TI-11.1 Draw the top chest tile and resolve it."""

    def __init__(self, seat: int, place: int) -> None:
        super().__init__(seat)
        self.place = place  # of the adventurer who opens it; the Port: a Miner does, and nobody can be hurt

    def args(self) -> list[int]:
        return [self.seat, self.place]

    def run(self, g: Takara, rng: Rng) -> None:
        seat = self.seat
        team = g.teams[seat]
        tile = g.chests.pop()
        g.reveal("TI-11.2" if tile == MIMIC else "TI-11.1", "chest", seat, tile)
        if tile == MIMIC:
            self.face_mimic(g, rng)
        elif tile == GOLD_BAG:
            team.karas += KARAS[tile]
            g.discards[tile] += 1
        elif tile == MAP:  # in front of the player until the choice is made
            team.won.append(tile)
            g.push(ReadMap(seat))
        else:
            team.won.append(tile)
            if tile == SKULL:
                team.karas += KARAS[tile]

    def face_mimic(self, g: Takara, rng: Rng) -> None:
        """TI-11.2 Two sword faces in a row: keep it and draw another chest tile. Else it is shuffled back, and injures."""
        g.dice = []
        for _ in range(MIMIC_LIVES):
            if not g.throw(self.seat, rng):
                g.chests.append(MIMIC)
                rng.shuffle(g.chests)
                if self.place != PORT_PLACE:
                    g.injure(self.seat, self.place)
                g.note("TI-11.2", "mimic escapes", self.seat, int(self.place == PORT_PLACE))
                return
        g.teams[self.seat].won.append(MIMIC)
        g.note("TI-11.2", "mimic beaten", self.seat)
        g.push(self)


@mypyc_attr(acyclic=True, free_list_len=1)
class ReadMap(Step):
    """TI-11.1 Map: choose 5 Karas and discard it, or keep it for 2 XP."""

    def options(self, g: Takara, seat: int) -> list[int]:
        return MAP_CHOICE

    def legal(self, g: Takara, seat: int) -> list[int]:
        return MAP_CHOICE

    def answer(self, g: Takara, seat: int, action: int, rng: Rng) -> None:
        if action == TAKE_KARAS:
            g.teams[seat].won.remove(MAP)
            g.discards[MAP] += 1
            g.teams[seat].karas += KARAS[MAP]
        g.note("TI-11.1", "map", seat, int(action == KEEP_MAP))


# -- TI-7 Counter, TI-8 Specialists ---------------------------------------------------------------------------
def trade(g: Takara, seat: int, action: int) -> None:
    """TI-7.1 Sell one XP tile for 5 Karas per XP; TI-7.2 or pay 5 Karas for one XP token. Once a turn."""
    team = g.teams[seat]
    g.traded = 1
    if action == BUY:
        team.karas -= KARAS_PER_XP
        team.tokens += 1
        g.tokens -= 1
        g.note("TI-7.2", "buy", seat)
        return
    xp = SOLD[action - SELL]
    tile = team.won.pop(team.xp_tile(xp))
    g.discards[tile] += 1
    team.karas += KARAS_PER_XP * xp
    g.note("TI-7.1", "sell", seat, tile, KARAS_PER_XP * xp)


def hire(g: Takara, seat: int, skill: int) -> None:
    """TI-8.1 Pay, take it face up, apply its skill at once. TI-8.6 The Imitator copies what another player has."""
    price = g.price(skill)
    g.teams[seat].karas -= price
    if g.holder[skill] == NOBODY:
        g.hired = skill
        g.note("TI-8.1", "hire", seat, skill, price)
    else:
        g.hired = IMITATOR
        g.note("TI-8.6", "imitate", seat, skill, price, g.holder[skill])
    g.holder[g.hired] = seat
    g.push(Target(seat, skill))


@mypyc_attr(acyclic=True, free_list_len=1)
class Target(Step):
    """TI-8.3, TI-8.4, TI-8.5 At which site the specialist works."""

    def __init__(self, seat: int, skill: int) -> None:
        super().__init__(seat)
        self.skill = skill

    def args(self) -> list[int]:
        return [self.seat, self.skill]

    def options(self, g: Takara, seat: int) -> list[int]:
        return TARGETS

    def forbids(self, g: Takara, seat: int, action: int) -> str:
        if can_apply(g.sites[action - SITE], self.skill):
            return ALLOWED
        if self.skill == MINER:
            return "TI-8.3"
        return "TI-8.4" if self.skill == DIVINER else "TI-8.5"

    def answer(self, g: Takara, seat: int, action: int, rng: Rng) -> None:
        site = action - SITE
        tiles = len(g.sites[site].tiles)
        if self.skill == MINER:
            g.note("TI-8.3", "mine", seat, site)
            g.push(Mine(seat, site, MINED))
        elif self.skill == ARCHAEOLOGIST:
            g.push(Peek(seat, site, tiles - 1, STUDIED))
        elif tiles > DIVINED:
            g.push(Depth(seat, site))
        else:
            g.push(Peek(seat, site, tiles - 1, DIVINED))


@mypyc_attr(acyclic=True, free_list_len=1)
class Mine(Step):
    """TI-8.3 The Miner digs two tiles: treasures are kept, rockfalls and Karas destroyed for nothing, nobody is hurt."""

    def __init__(self, seat: int, site: int, left: int) -> None:
        super().__init__(seat)
        self.site = site
        self.left = left

    def args(self) -> list[int]:
        return [self.seat, self.site, self.left]

    def run(self, g: Takara, rng: Rng) -> None:
        site = g.sites[self.site]
        seat = self.seat
        place = len(site.tiles) - 1
        if self.left == 0 or place < 0:
            return
        tile = site.tiles[place]
        kind = KIND[tile]
        if (site.up >> place) & 1 == 0:
            g.reveal("TI-8.3", "mined", seat, tile, self.site, place)
        else:
            g.note("TI-8.3", "mined", seat, tile, self.site, place)
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
            g.teams[seat].won.append(tile)
        elif kind == STONE_TILE:
            g.teams[seat].won.append(tile)
            g.stone_sites |= 1 << self.site
        else:
            g.discards[tile] += 1
        g.end_if_due()


@mypyc_attr(acyclic=True, free_list_len=1)
class Depth(Step):
    """TI-8.4 Three consecutive tiles at any depth: how many tiles lie above the first."""

    def __init__(self, seat: int, site: int) -> None:
        super().__init__(seat)
        self.site = site

    def args(self) -> list[int]:
        return [self.seat, self.site]

    def options(self, g: Takara, seat: int) -> list[int]:
        return DEPTHS[len(g.sites[self.site].tiles)]

    def forbids(self, g: Takara, seat: int, action: int) -> str:
        site = g.sites[self.site]
        return ALLOWED if site.hidden(len(site.tiles) - 1 - (action - DEPTH), DIVINED) else "TI-8.4"

    def answer(self, g: Takara, seat: int, action: int, rng: Rng) -> None:
        g.push(Peek(seat, self.site, len(g.sites[self.site].tiles) - 1 - (action - DEPTH), DIVINED))


@mypyc_attr(acyclic=True, free_list_len=1)
class Peek(Step):
    """TI-8.4, TI-8.5 A look that nothing stops and that turns nothing up; face-up tiles count among the three or five."""

    def __init__(self, seat: int, site: int, first: int, count: int) -> None:
        super().__init__(seat)
        self.site = site
        self.first = first  # the highest place
        self.count = count

    def args(self) -> list[int]:
        return [self.seat, self.site, self.first, self.count]

    def rule(self) -> str:
        return "TI-8.4" if self.count == DIVINED else "TI-8.5"

    def run(self, g: Takara, rng: Rng) -> None:
        site = g.sites[self.site]
        last = max(0, self.first + 1 - self.count)
        g.note(self.rule(), "peek", self.seat, self.site, len(site.tiles) - 1 - self.first, self.first + 1 - last)
        for place in range(self.first, last - 1, -1):
            if (site.up >> place) & 1 == 0:
                look_at(g, self.seat, self.site, place, self.rule())
        super().run(g, rng)

    def options(self, g: Takara, seat: int) -> list[int]:
        return LOOKING

    def forbids(self, g: Takara, seat: int, action: int) -> str:
        return ALLOWED if action == GO_ON else self.rule()

    def answer(self, g: Takara, seat: int, action: int, rng: Rng) -> None:
        g.note(self.rule(), "peeked", seat, self.site)


# -- TI-10 Recruit and end the day ----------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Beach(Step):
    """TI-10.1 Once per game, after using the adventurers, you may pay 5 Karas for your recruit."""

    def run(self, g: Takara, rng: Rng) -> None:
        team = g.teams[self.seat]
        if team.recruit and team.karas >= RECRUIT_PRICE:
            super().run(g, rng)

    def options(self, g: Takara, seat: int) -> list[int]:
        return RECRUIT_OR_NOT

    def legal(self, g: Takara, seat: int) -> list[int]:
        return RECRUIT_OR_NOT

    def answer(self, g: Takara, seat: int, action: int, rng: Rng) -> None:
        if action == RECRUIT:
            team = g.teams[seat]
            team.karas -= RECRUIT_PRICE
            team.recruit = 0
            team.ready += 1
            g.note("TI-10.1", "recruit", seat)


@mypyc_attr(acyclic=True, free_list_len=1)
class Hospital(Step):
    """TI-10.2 For each adventurer injured this turn: pay 2 Karas and it comes back, else it goes to the rest room."""

    def run(self, g: Takara, rng: Rng) -> None:
        team = g.teams[self.seat]
        if team.hurt and team.karas >= CARE_PRICE:
            super().run(g, rng)

    def options(self, g: Takara, seat: int) -> list[int]:
        return CARES

    def forbids(self, g: Takara, seat: int, action: int) -> str:
        team = g.teams[seat]
        cared = action - CARE
        return ALLOWED if cared <= team.hurt and CARE_PRICE * cared <= team.karas else "TI-10.2"

    def answer(self, g: Takara, seat: int, action: int, rng: Rng) -> None:
        team = g.teams[seat]
        cared = action - CARE
        team.karas -= CARE_PRICE * cared
        team.hurt -= cared
        team.ready += cared
        if cared:
            g.note("TI-10.2", "care", seat, cared)


@mypyc_attr(acyclic=True, free_list_len=1)
class EndDay(Step):
    """TI-10.2 Adventurers come back, from the rest room too. TI-10.3 The Sword goes back. TI-10.4 The specialist."""

    def run(self, g: Takara, rng: Rng) -> None:
        seat = self.seat
        team = g.teams[seat]
        for place in range(PLACES):
            team.ready += g.at[place]
            g.at[place] = 0
        if team.rest:
            g.note("TI-10.2", "rested", seat, team.rest)
        if team.hurt:
            g.note("TI-10.2", "rest", seat, team.hurt)
        team.ready += team.rest
        team.rest = team.hurt
        team.hurt = 0
        g.sword = 0
        g.traded = 0
        for specialist in range(IMITATOR + 1):  # TI-8.2 asleep for a turn, then back to the Port
            if g.holder[specialist] == seat and g.hired != specialist:
                g.holder[specialist] = NOBODY
                g.note("TI-8.2", "leaves", seat, specialist)
        g.hired = NOBODY
        for site in g.sites:
            site.fresh = 0
        g.dice = []
        g.turns += 1
        if g.turns == TURNS:
            g.finish(TOO_LONG)
        else:
            g.push(Turn(g.left_of(seat)))


# -- TI-1 Setup ---------------------------------------------------------------------------------------------
def new_game(players: int, rng: Rng, options: dict[str, str], log: Log | None = None) -> Takara:
    """A game about to be asked its first question."""
    g = Takara()
    g.start_flow()
    g.log = log
    lay_sites(g, rng)
    g.teams = [new_team() for _ in range(players)]
    g.chests = [tile for tile in range(TABLET, MIMIC + 1) for _ in range(COUNT[tile])]
    rng.shuffle(g.chests)  # TI-1.3
    g.discards = [0] * len(TILES)
    g.tokens = TOKENS_PER_PLAYER * players  # TI-1.5
    g.holder = [NOBODY] * len(SPECIALISTS)  # TI-1.6 all at the Port
    g.hired = NOBODY
    g.at = [0] * PLACES
    g.sword = 0
    g.traded = 0
    g.dice = []
    g.stone_sites = 0
    g.turns = 0
    g.ending = PLAYING
    g.by_heart = int(options.get("memory") == "by-heart")
    first = rng.below(players)
    g.active = first
    g.note("TI-1.7", "first", first)  # First player at random; clockwise.
    g.push(Turn(first))
    g.proceed(rng)
    g.log = None
    return g


def new_team() -> Team:
    """TI-1.4 2 adventurers and 0 Karas; one recruit waits on the Beach."""
    team = Team()
    team.karas = 0
    team.tokens = 0
    team.ready = ADVENTURERS
    team.hurt = 0
    team.rest = 0
    team.recruit = 1
    team.won = []
    team.seen = [0] * SITES
    return team


def lay_sites(g: Takara, rng: Rng) -> None:
    """TI-1.2 Six piles of nine: 3 deep, 3 intermediate, 3 shallow on top; the stones in two different sites."""
    deep = [tile for tile in range(XP_4_INJURY, STONE) for _ in range(COUNT[tile])]
    intermediate = [tile for tile in range(KARAS_4, XP_4_INJURY) for _ in range(COUNT[tile])]
    shallow = [tile for tile in range(KARAS_2, KARAS_4) for _ in range(COUNT[tile])]
    rng.shuffle(deep)
    rng.shuffle(intermediate)
    rng.shuffle(shallow)
    one = rng.below(SITES)
    other = rng.below(SITES - 1)
    if other >= one:
        other += 1
    g.sites = []
    for s in range(SITES):
        bottom: list[int] = []
        stones = int(s in (one, other))
        for _ in range(LEVEL_TILES - stones):
            bottom.append(deep.pop())
        if stones:
            bottom.insert(rng.below(LEVEL_TILES), STONE)
        site = Site()
        site.tiles = bottom
        for _ in range(LEVEL_TILES):
            site.tiles.append(intermediate.pop())
        for _ in range(LEVEL_TILES):
            site.tiles.append(shallow.pop())
        site.up = 0
        site.fresh = 0
        site.clear = 0
        site.wounds = 0
        g.sites.append(site)


STEPS: Final[dict[str, Callable[..., Step]]] = {
    "Turn": Turn,
    "Forge": Forge,
    "Act": Act,
    "Look": Look,
    "Resolved": Resolved,
    "Chest": Chest,
    "ReadMap": ReadMap,
    "Target": Target,
    "Mine": Mine,
    "Depth": Depth,
    "Peek": Peek,
    "Beach": Beach,
    "Hospital": Hospital,
    "EndDay": EndDay,
}


def load(data: dict[str, Any]) -> Takara:
    """The state that dump() wrote."""
    g = Takara()
    g.load_flow(data["flow"], STEPS)
    g.sites = []
    for tiles, up, fresh, clear, wounds in data["sites"]:
        site = Site()
        site.tiles = list(tiles)
        site.up = up
        site.fresh = fresh
        site.clear = clear
        site.wounds = wounds
        g.sites.append(site)
    g.teams = []
    for karas, tokens, ready, hurt, rest, recruit, won, seen in data["teams"]:
        team = Team()
        team.karas = karas
        team.tokens = tokens
        team.ready = ready
        team.hurt = hurt
        team.rest = rest
        team.recruit = recruit
        team.won = list(won)
        team.seen = list(seen)
        g.teams.append(team)
    g.chests = list(data["chests"])
    g.discards = list(data["discards"])
    g.tokens = data["tokens"]
    g.holder = list(data["holder"])
    g.hired = data["hired"]
    g.active = data["active"]
    g.at = list(data["at"])
    g.sword = data["sword"]
    g.traded = data["traded"]
    g.dice = list(data["dice"])
    g.stone_sites = data["stone_sites"]
    g.turns = data["turns"]
    g.ending = data["ending"]
    g.by_heart = data["by_heart"]
    return g
