"""Advisor of Takara Island: heuristics, evaluation and prior for the search."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.takara_island.rules.answers import (
    BUY,
    CARE,
    DEN,
    DEPTH,
    DIVINED,
    HIRE,
    KEEP_MAP,
    NO_RECRUIT,
    NO_SWORD,
    OBSERVE,
    RECRUIT,
    RENT,
    SELL,
    SITE,
    SITE_TILES,
    SITES,
    STOP,
    TURN_UP,
    WORK,
)
from veillee.games.takara_island.rules.island import (
    FOUND_REWARD,
    KARAS_PER_XP,
    MINED,
    OBSERVED,
    PLACES,
    RECRUIT_PRICE,
    STUDIED,
    SWORD_PRICE,
    Site,
    Takara,
)
from veillee.games.takara_island.rules.observe import Look
from veillee.games.takara_island.rules.specialists import Depth, Target
from veillee.games.takara_island.rules.tiles import (
    ARCHAEOLOGIST,
    COUNT,
    INJURY,
    KARAS,
    KARAS_TILE,
    KIND,
    LEVEL_TILES,
    LEVELS,
    LIVES,
    MINER,
    MONSTER_TILE,
    NO_TILE,
    ROCKFALL_TILE,
    STONE,
    XP,
    XP_TILE,
)
from veillee.games.takara_island.rules.turn import Act, Beach, Forge, Hospital
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves

# Worth, in hundredths of an XP.
KARA: Final = 24  # 20 at the end; a little more, as it buys tokens, care and a recruit
WOUND: Final = -100  # care, or a turn without the adventurer
CHEST_WORTH: Final = 430
STONE_WORTH: Final = 1500  # its XP, and half of the way to eternal life
WIN: Final = 6000
GOOD: Final = 60  # a tile that one would come back for
NOISE: Final = 64
REACH: Final = 10  # decisions of a playout: 56 games to 40 against 20 decisions, at 100 playouts each
# With the practised knack, at 200 playouts each against the first: 1.09 [1.00, 1.19] times the share with 10 decisions, 1.14 [1.04,
# 1.24] with 20, 1.05 [0.96, 1.15] with 40, less luck. They are not told apart by that.
PRACTISED_REACH: Final = 20


def dug(tile: i64) -> i64:
    """What digging up a tile is worth."""
    kind = KIND[tile]
    if kind == KARAS_TILE:
        return KARA * KARAS[tile]
    if kind == XP_TILE:
        return 100 * XP[tile] + WOUND * INJURY[tile]
    if kind == ROCKFALL_TILE:
        return -15
    if kind == MONSTER_TILE:
        return WOUND
    return STONE_WORTH if tile == STONE else CHEST_WORTH


def mined(tile: i64) -> i64:
    """What a tile is worth to the Miner."""
    kind = KIND[tile]
    if kind == XP_TILE:
        return 100 * XP[tile]
    if kind in (KARAS_TILE, ROCKFALL_TILE, MONSTER_TILE):
        return 0
    return STONE_WORTH if tile == STONE else CHEST_WORTH


def mined_blindly(tiles: range) -> int:
    """What a tile is worth to the Miner on average: one of a level."""
    return sum(int(MINED_WORTH[tile] * COUNT[tile]) for tile in tiles) // (SITES * LEVEL_TILES)


GALLERIES: Final = STONE + 1
DUG: Final = vec[i64]([dug(tile) for tile in range(GALLERIES)])
MINED_WORTH: Final = vec[i64]([mined(tile) for tile in range(GALLERIES)])
BLIND_MINED: Final = vec[i64]([mined_blindly(tiles) for tiles in (range(14, 22), range(6, 14), range(6))])
NEWS: Final = vec[i64]([35, 15, 8])  # of a tile never seen, by level
CHANCE: Final = vec[i64]([100, 67, 44, 30, 20])  # of so many sword faces in a row, in hundredths
NOT_YET: Final = -10_000  # a hope that was not computed

# A digger's knack: how much it makes of everything, in hundredths of an XP where nothing else is said. The galleries come first,
# by their numbers: what digging one up is worth. Then:
K_KARA: Final = 22  # of a monster
K_NEWS: Final = 23  # + level: of a tile never seen
K_SHOWN: Final = 26  # a known monster that may be turned up for Karas
K_EARLY: Final = 27  # a look that can be used in the same turn
K_STALE: Final = 28  # a look at nothing new
K_BLIND: Final = 29  # + level: a tile never seen, besides what may be hoped for
K_CLEAR: Final = 32  # one that is no rockfall
K_OTHERS: Final = 33  # one that others have seen, for each of them
K_BELOW: Final = 34  # hundredths of a good tile that is known to lie below, in reach of the next adventurer
K_BARED: Final = 35  # the same, if there is no next adventurer: the others may have it
K_ROCKFALL: Final = 36
K_ROCKFALLS: Final = 37  # for each visible one
K_FIGHT: Final = 38
K_PREY_XP: Final = 39  # for each XP of a monster
K_PREY_WOUND: Final = 40
K_UNDUG_PREY: Final = 41  # hundredths of a known monster that must be dug up first
K_DEN: Final = 42
K_DEN_SHORT: Final = 43  # Karas for the recruit are missing
K_SELL: Final = 44  # + which
K_SELL_SHORT: Final = 47
K_BUY: Final = 48
K_BUY_SHORT: Final = 49
K_STUDY: Final = 50  # the Archaeologist, without the price
K_DIVINE: Final = 51
K_MINER: Final = 52
K_MINED: Final = 53  # hundredths of what the Miner finds where it was seen
K_MINED_BLIND: Final = 54  # hundredths, where it was not
K_PRICE: Final = 55  # for each Kara of a specialist's
K_RENT: Final = 56  # the least that a monster must be worth
K_BEACH: Final = 57  # tiles that must be left for a recruit
K_TURN_UP: Final = 58  # 1: every monster that is seen
K_STOP: Final = 59
KNACKS: Final = 60

# As we thought that it is.
FIRST_KNACK: Final = vec[i64](
    [int(DUG[tile]) for tile in range(GALLERIES)]
    + [KARA, *(int(worth) for worth in NEWS), KARA * FOUND_REWARD, 15, -30]  # observe
    + [0, 0, 0, 0, 0, 50, 0]  # dig
    + [0, KARA, 0, 100, WOUND, 50]  # destroy, fight
    + [KARA, 20, 20, 40, 80, 0, 200 - KARA * KARAS_PER_XP, 0]  # the Den, the Counter
    + [60, 60, 0, 100, 100, KARA]  # the Port
    + [KARA * SWORD_PRICE, 14, 0, -40]
)
# As quick games have taught it: 600,000 of them, in which every team made a little more or less of everything, and what won
# was made more of. One such team among three of the first knack wins 1.26 ± 0.03 times its share of 12,000 quick games.
PRACTISED_KNACK: Final = vec[i64](
    [64, -4, 155, -31, -139, -111]  # shallow galleries
    + [152, 337, 123, -85, -59, -78, 573, -2]  # intermediate
    + [390, 270, 253, 445, -76, -101, -49, 2232]  # deep
    + [38, 16, 4, 22, 36, -22, -25]  # observe
    + [33, 101, -24, 39, 29, 50, -18]  # dig
    + [-7, 40, 56, 103, 6, 54]  # destroy, fight
    + [20, 0, 71, 135, 104, 132, 159, 3]  # the Den, the Counter
    + [-28, -20, -29, 79, 148, 42]  # the Port
    + [65, 4, 1, -17]
)


class Digger(Advisor):
    """Digs where its team knows or hopes for most, looks before it leaps, fights what is worth the Sword."""

    def __init__(
        self,
        weights: list[list[float]] | None = None,
        habits: list[float] | None = None,
        knack: vec[i64] = FIRST_KNACK,
        reach: i64 = REACH,
    ) -> None:
        super().__init__(weights, habits)
        self.knack = knack
        self.reach = reach

    def choose(self, g: Takara, seat: i64, moves: Moves, rng: Rng) -> i64:
        first = moves.at(0)
        if moves.count == 1:
            return first
        noise = rng.below(1 << 24)
        question = g.question
        knack = self.knack
        if isinstance(question, Act):
            return best_act(g, seat, moves, noise, knack)
        if isinstance(question, Look):
            return TURN_UP if noise & 3 or knack[K_TURN_UP] else first
        if isinstance(question, Forge):
            return RENT if best_prey(g, seat, knack) > knack[K_RENT] + (noise & 63) else NO_SWORD
        if isinstance(question, Hospital):
            return CARE if noise & 15 == 0 else moves.at(moves.count - 1)
        if isinstance(question, Beach):
            return RECRUIT if noise & 15 and left_to_dig(g) > knack[K_BEACH] else NO_RECRUIT
        if isinstance(question, Target):
            return SITE + best_target(g, seat, question.skill, moves, noise, knack)
        if isinstance(question, Depth):
            return best_depth(g, seat, question.site, moves, knack)
        return KEEP_MAP

    def sight(self, g: Takara, seat: i64) -> i64:
        """At which site the team knows of the best tile on top, and whether that is a treasure."""
        if not isinstance(g.question, Act):
            return 0
        best: i64 = GOOD
        found: i64 = 0
        seen = g.teams[seat].seen
        for s in range(SITES):
            site = g.sites[s]
            place = len(site.tiles) - 1
            if place >= 0 and (seen[s] >> place) & 1 and (site.up >> place) & 1 == 0:
                worth = DUG[site.tiles[place]]
                if worth > best:
                    best = worth
                    found = 1 + s
        return found + 8 if best >= CHEST_WORTH else found

    def phase(self, g: Takara) -> i64:
        """Whether a stone was found, and how much is left to dig."""
        left = left_to_dig(g)
        late: i64 = 0 if left > 36 else 1 if left > 20 else 2
        return late + 3 if g.stone_sites else late

    def features(self, g: Takara, seat: i64) -> vec[float]:
        """XP, means and hands. What a team has seen told nothing more when it was tried: the playouts use it."""
        team = g.teams[seat]
        turn = 0.0
        hands = team.ready
        if g.active == seat:
            turn = 1.0
            for place in range(PLACES):
                hands += g.at[place]
        return vec[float](
            [
                int(team.experience()) / 10.0,
                int(team.karas) / 20.0,
                int(team.stones()) * 1.0,
                int(hands) / 2.0,
                int(team.rest) / 2.0,
                int(team.hurt) / 2.0,
                int(1 - team.recruit) * 1.0,
                turn * int(team.ready) / 2.0,
            ]
        )

    def quiet(self, g: Takara) -> bool:
        """Not in the middle of a look, a dig or a choice."""
        return isinstance(g.question, Act)


def left_to_dig(g: Takara) -> i64:
    left: i64 = 0
    for s in range(SITES):
        left += len(g.sites[s].tiles)
    return left


def next_noise(noise: i64) -> i64:
    return (noise * 1103515245 + 12345) & 0xFFFFFF


def best_act(g: Takara, seat: i64, moves: Moves, noise: i64, knack: vec[i64]) -> i64:
    best: i64 = STOP
    best_value: i64 = -1000
    hopes = vec[i64]([NOT_YET] * LEVELS)
    for i in range(moves.count):
        action = moves.actions[i]
        value = act_worth(g, seat, action, hopes, knack)
        noise = next_noise(noise)
        value += (noise >> 8) & (NOISE - 1)
        if value > best_value:
            best_value = value
            best = action
    return best


def act_worth(g: Takara, seat: i64, action: i64, hopes: vec[i64], knack: vec[i64]) -> i64:
    """What an adventurer's action is worth."""
    if action == STOP:
        return knack[K_STOP]
    if action < WORK:
        return look_worth(g, seat, action - OBSERVE, knack)
    if action < DEN:
        return work_worth(g, seat, action - WORK, hopes, knack)
    team = g.teams[seat]
    short = team.recruit == 1 and team.karas < RECRUIT_PRICE
    if action == DEN:
        return knack[K_DEN] + knack[K_DEN_SHORT] if short else knack[K_DEN]
    if action < BUY:
        worth = knack[K_SELL + action - SELL]
        return worth + knack[K_SELL_SHORT] if short else worth
    if action == BUY:
        return knack[K_BUY_SHORT] if team.recruit and team.karas < 2 * KARAS_PER_XP else knack[K_BUY]
    skill = action - HIRE
    cost = knack[K_PRICE] * g.price(skill)
    if skill != MINER:
        return (knack[K_STUDY] if skill == ARCHAEOLOGIST else knack[K_DIVINE]) - cost
    best: i64 = -1000
    for s in range(SITES):
        value = mine_worth(g, seat, s, knack)
        best = max(best, value)
    return best + knack[K_MINER] - cost


def look_worth(g: Takara, seat: i64, s: i64, knack: vec[i64]) -> i64:
    """News, and 2 Karas for what may be turned up; less for the last adventurer, who cannot use it at once."""
    site = g.sites[s]
    team = g.teams[seat]
    seen = team.seen[s]
    worth: i64 = 0
    place = len(site.tiles) - 1
    last = place - OBSERVED
    while place >= 0 and place > last:
        if (site.up >> place) & 1:
            break
        if (seen >> place) & 1 == 0:
            worth += knack[K_NEWS + place // LEVEL_TILES]
        else:
            tile = site.tiles[place]
            if KIND[tile] == MONSTER_TILE:
                worth += knack[K_SHOWN]
        place -= 1
    if worth == 0:
        return knack[K_STALE]
    return worth + knack[K_EARLY] if team.ready > 1 else worth


def work_worth(g: Takara, seat: i64, s: i64, hopes: vec[i64], knack: vec[i64]) -> i64:
    site = g.sites[s]
    team = g.teams[seat]
    place = len(site.tiles) - 1
    if (site.up >> place) & 1:
        tile = site.tiles[place]
        if KIND[tile] == ROCKFALL_TILE:
            return knack[K_ROCKFALL] + knack[K_ROCKFALLS] * g.visible_rockfalls()
        return knack[K_FIGHT] + prey_worth(site, tile, team.ready, knack)
    worth = tile_worth(g, seat, s, place, hopes, knack)
    below = place - 1
    if place > 0 and (team.seen[s] >> below) & 1:
        gain = knack[site.tiles[below]]
        if gain > 100:
            worth += gain * (knack[K_BELOW] if team.ready > 1 else knack[K_BARED]) // 100
    return worth


def tile_worth(g: Takara, seat: i64, s: i64, place: i64, hopes: vec[i64], knack: vec[i64]) -> i64:
    """Of a face-down tile: what the team has seen, or what may be hoped for."""
    team = g.teams[seat]
    site = g.sites[s]
    if (team.seen[s] >> place) & 1 == 0:
        level = place // LEVEL_TILES
        if hopes[level] == NOT_YET:
            hopes[level] = hope(g, seat, level, knack) + knack[K_BLIND + level]
        worth = hopes[level]
        if (site.clear >> place) & 1:
            worth += knack[K_CLEAR]
        if knack[K_OTHERS]:
            for other in range(len(g.teams)):
                if other != seat and (g.teams[other].seen[s] >> place) & 1:
                    worth += knack[K_OTHERS]
        return worth
    tile = site.tiles[place]
    if KIND[tile] == MONSTER_TILE and g.sword:
        return prey_worth(site, tile, team.ready - 1, knack) * knack[K_UNDUG_PREY] // 100
    if tile == STONE and g.stone_sites:
        return ending_worth(g, seat)
    return knack[tile]


def hope(g: Takara, seat: i64, level: i64, knack: vec[i64]) -> i64:
    """What an unseen tile of the level is worth on average: the team knows which tiles are left, not where."""
    total: i64 = 0
    count: i64 = 0
    seen = g.teams[seat].seen
    for s in range(SITES):
        site = g.sites[s]
        known = seen[s] | site.up
        place = level * LEVEL_TILES
        top = place + LEVEL_TILES
        top = min(top, len(site.tiles))
        while place < top:
            if (known >> place) & 1 == 0:
                tile = site.tiles[place]
                total += knack[tile]
                count += 1
            place += 1
    return total // count


def ending_worth(g: Takara, seat: i64) -> i64:
    """Of the second stone: it ends the game."""
    if g.teams[seat].stones():
        return WIN
    mine = g.score(seat) + XP[STONE]
    for other in range(len(g.teams)):
        if other != seat and g.score(other) >= mine:
            return -500
    return WIN


def prey_worth(site: Site, monster: i64, hands: i64, knack: vec[i64]) -> i64:
    """Of fighting a monster with so many adventurers left."""
    left = LIVES[monster] - site.wounds
    chance = CHANCE[left]
    if hands > 1:
        easier = left - 1
        chance += (100 - chance) * CHANCE[easier] // 200
    prize = knack[K_PREY_XP] * XP[monster] + knack[K_KARA] * KARAS[monster]
    return (chance * prize + (100 - chance) * knack[K_PREY_WOUND]) // 100


def best_prey(g: Takara, seat: i64, knack: vec[i64]) -> i64:
    best: i64 = 0
    for s in range(SITES):
        site = g.sites[s]
        top = site.top_up()
        if top != NO_TILE and KIND[top] == MONSTER_TILE:
            worth = prey_worth(site, top, g.teams[seat].ready, knack)
            best = max(best, worth)
    return best


def mine_worth(g: Takara, seat: i64, s: i64, knack: vec[i64]) -> i64:
    """Of two tiles dug by the Miner."""
    site = g.sites[s]
    seen = g.teams[seat].seen[s]
    worth: i64 = 0
    place = len(site.tiles) - 1
    last = place - MINED
    while place >= 0 and place > last:
        tile = site.tiles[place]
        if (site.up >> place) & 1:
            if KIND[tile] == MONSTER_TILE:
                break
        elif (seen >> place) & 1:
            if KIND[tile] == MONSTER_TILE:
                break
            if tile == STONE and g.stone_sites:
                return worth + ending_worth(g, seat)
            worth += MINED_WORTH[tile] * knack[K_MINED] // 100
        else:
            worth += BLIND_MINED[place // LEVEL_TILES] * knack[K_MINED_BLIND] // 100
        place -= 1
    return worth


def best_target(g: Takara, seat: i64, skill: i64, moves: Moves, noise: i64, knack: vec[i64]) -> i64:
    best = moves.at(0) - SITE
    best_value: i64 = -1000
    for i in range(moves.count):
        s = moves.actions[i] - SITE
        if skill == MINER:
            value = mine_worth(g, seat, s, knack)
        else:
            top = len(g.sites[s].tiles) - 1
            value = news(g, seat, s, top, STUDIED if skill == ARCHAEOLOGIST else SITE_TILES, knack)
        noise = next_noise(noise)
        value += (noise >> 8) & (NOISE - 1)
        if value > best_value:
            best_value = value
            best = s
    return best


def news(g: Takara, seat: i64, s: i64, first: i64, count: i64, knack: vec[i64]) -> i64:
    """What `count` tiles from place `first` downwards would tell."""
    known = g.teams[seat].seen[s] | g.sites[s].up
    last = first - count
    worth: i64 = 0
    while first >= 0 and first > last:
        if (known >> first) & 1 == 0:
            worth += knack[K_NEWS + first // LEVEL_TILES]
        first -= 1
    return worth


def best_depth(g: Takara, seat: i64, s: i64, moves: Moves, knack: vec[i64]) -> i64:
    """The three tiles that tell most."""
    best = moves.at(0)
    best_value: i64 = -1
    top = len(g.sites[s].tiles) - 1
    for i in range(moves.count):
        action = moves.actions[i]
        value = news(g, seat, s, top - (action - DEPTH), DIVINED, knack)
        if value > best_value:
            best_value = value
            best = action
    return best
