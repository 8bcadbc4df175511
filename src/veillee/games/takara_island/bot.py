"""What Takara Island tells the search about good play."""

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
NOISE: Final = 64
REACH: Final = 10  # decisions of a playout: 56 games to 40 against 20 decisions, at 100 playouts each


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
SOLD_KEEPS: Final = vec[i64]([100, 200, 400])
CHANCE: Final = vec[i64]([100, 67, 44, 30, 20])  # of so many sword faces in a row, in hundredths
NOT_YET: Final = -10_000  # a hope that was not computed


class Digger(Advisor):
    """Digs where its team knows or hopes for most, looks before it leaps, fights what is worth the Sword."""

    def __init__(self, weights: list[list[float]] | None = None) -> None:
        super().__init__(weights)
        self.reach = REACH

    def choose(self, g: Takara, seat: i64, moves: Moves, rng: Rng) -> i64:
        first = moves.at(0)
        if moves.count == 1:
            return first
        noise = rng.below(1 << 24)
        question = g.question
        if isinstance(question, Act):
            return best_act(g, seat, moves, noise)
        if isinstance(question, Look):
            return TURN_UP if noise & 3 else first
        if isinstance(question, Forge):
            return RENT if best_prey(g, seat) > KARA * SWORD_PRICE + (noise & 63) else NO_SWORD
        if isinstance(question, Hospital):
            return CARE if noise & 15 == 0 else moves.at(moves.count - 1)
        if isinstance(question, Beach):
            return RECRUIT if noise & 15 and left_to_dig(g) > 14 else NO_RECRUIT
        if isinstance(question, Target):
            return SITE + best_target(g, seat, question.skill, moves, noise)
        if isinstance(question, Depth):
            return best_depth(g, seat, question.site, moves)
        return KEEP_MAP

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


def best_act(g: Takara, seat: i64, moves: Moves, noise: i64) -> i64:
    best: i64 = STOP
    best_value: i64 = -1000
    hopes = vec[i64]([NOT_YET] * LEVELS)
    for i in range(moves.count):
        action = moves.actions[i]
        value = act_worth(g, seat, action, hopes)
        noise = next_noise(noise)
        value += (noise >> 8) & (NOISE - 1)
        if value > best_value:
            best_value = value
            best = action
    return best


def act_worth(g: Takara, seat: i64, action: i64, hopes: vec[i64]) -> i64:
    """What an adventurer's action is worth."""
    if action == STOP:
        return -40
    if action < WORK:
        return look_worth(g, seat, action - OBSERVE)
    if action < DEN:
        return work_worth(g, seat, action - WORK, hopes)
    team = g.teams[seat]
    if action == DEN:
        if team.recruit and team.karas < RECRUIT_PRICE:
            return KARA + 20
        return KARA
    if action < BUY:
        return (KARA - 20) * SOLD_KEEPS[action - SELL] // 20
    if action == BUY:
        if team.recruit and team.karas < 2 * KARAS_PER_XP:
            return 0
        return 200 - KARA * KARAS_PER_XP
    skill = action - HIRE
    cost = KARA * g.price(skill)
    if skill != MINER:
        return 60 - cost
    best: i64 = -1000
    for s in range(SITES):
        value = mine_worth(g, seat, s)
        best = max(best, value)
    return best - cost


def look_worth(g: Takara, seat: i64, s: i64) -> i64:
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
            worth += NEWS[place // LEVEL_TILES]
        else:
            tile = site.tiles[place]
            if KIND[tile] == MONSTER_TILE:
                worth += KARA * FOUND_REWARD
        place -= 1
    if worth == 0:
        return -30
    return worth + 15 if team.ready > 1 else worth


def work_worth(g: Takara, seat: i64, s: i64, hopes: vec[i64]) -> i64:
    site = g.sites[s]
    team = g.teams[seat]
    place = len(site.tiles) - 1
    if (site.up >> place) & 1:
        tile = site.tiles[place]
        if KIND[tile] == ROCKFALL_TILE:
            return KARA * g.visible_rockfalls()
        return prey_worth(site, tile, team.ready)
    worth = tile_worth(g, seat, s, place, hopes)
    below = place - 1
    if team.ready > 1 and place > 0 and (team.seen[s] >> below) & 1:
        tile = site.tiles[below]
        if DUG[tile] > 100:
            worth += DUG[tile] // 2
    return worth


def tile_worth(g: Takara, seat: i64, s: i64, place: i64, hopes: vec[i64]) -> i64:
    """Of a face-down tile: what the team has seen, or what may be hoped for."""
    team = g.teams[seat]
    if (team.seen[s] >> place) & 1 == 0:
        level = place // LEVEL_TILES
        if hopes[level] == NOT_YET:
            hopes[level] = hope(g, seat, level)
        return hopes[level]
    site = g.sites[s]
    tile = site.tiles[place]
    if KIND[tile] == MONSTER_TILE and g.sword:
        return prey_worth(site, tile, team.ready - 1) // 2
    if tile == STONE and g.stone_sites:
        return ending_worth(g, seat)
    return DUG[tile]


def hope(g: Takara, seat: i64, level: i64) -> i64:
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
                total += DUG[tile]
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


def prey_worth(site: Site, monster: i64, hands: i64) -> i64:
    """Of fighting a monster with so many adventurers left."""
    left = LIVES[monster] - site.wounds
    chance = CHANCE[left]
    if hands > 1:
        easier = left - 1
        chance += (100 - chance) * CHANCE[easier] // 200
    return (chance * (100 * XP[monster] + KARA * KARAS[monster]) + (100 - chance) * WOUND) // 100


def best_prey(g: Takara, seat: i64) -> i64:
    best: i64 = 0
    for s in range(SITES):
        site = g.sites[s]
        top = site.top_up()
        if top != NO_TILE and KIND[top] == MONSTER_TILE:
            worth = prey_worth(site, top, g.teams[seat].ready)
            best = max(best, worth)
    return best


def mine_worth(g: Takara, seat: i64, s: i64) -> i64:
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
            worth += MINED_WORTH[tile]
        else:
            worth += BLIND_MINED[place // LEVEL_TILES]
        place -= 1
    return worth


def best_target(g: Takara, seat: i64, skill: i64, moves: Moves, noise: i64) -> i64:
    best = moves.at(0) - SITE
    best_value: i64 = -1000
    for i in range(moves.count):
        s = moves.actions[i] - SITE
        if skill == MINER:
            value = mine_worth(g, seat, s)
        else:
            top = len(g.sites[s].tiles) - 1
            value = news(g, seat, s, top, STUDIED if skill == ARCHAEOLOGIST else SITE_TILES)
        noise = next_noise(noise)
        value += (noise >> 8) & (NOISE - 1)
        if value > best_value:
            best_value = value
            best = s
    return best


def news(g: Takara, seat: i64, s: i64, first: i64, count: i64) -> i64:
    """What `count` tiles from place `first` downwards would tell."""
    known = g.teams[seat].seen[s] | g.sites[s].up
    last = first - count
    worth: i64 = 0
    while first >= 0 and first > last:
        if (known >> first) & 1 == 0:
            worth += NEWS[first // LEVEL_TILES]
        first -= 1
    return worth


def best_depth(g: Takara, seat: i64, s: i64, moves: Moves) -> i64:
    """The three tiles that tell most."""
    best = moves.at(0)
    best_value: i64 = -1
    top = len(g.sites[s].tiles) - 1
    for i in range(moves.count):
        action = moves.actions[i]
        value = news(g, seat, s, top - (action - DEPTH), DIVINED)
        if value > best_value:
            best_value = value
            best = action
    return best
