"""What Takara Island tells the search about good play."""

from __future__ import annotations

from typing import Final

from veillee.games.takara_island.rules import (
    ARCHAEOLOGIST,
    BUY,
    CARE,
    COUNT,
    DEN,
    DEPTH,
    DIVINED,
    FOUND_REWARD,
    HIRE,
    INJURY,
    KARAS,
    KARAS_PER_XP,
    KARAS_TILE,
    KEEP_MAP,
    KIND,
    LEVEL_TILES,
    LIVES,
    MINER,
    MONSTER_TILE,
    NO_RECRUIT,
    NO_SWORD,
    OBSERVE,
    OBSERVED,
    RECRUIT,
    RECRUIT_PRICE,
    RENT,
    ROCKFALL_TILE,
    SELL,
    SITE,
    SITES,
    STONE,
    STOP,
    SWORD_PRICE,
    TURN_UP,
    WORK,
    XP,
    XP_TILE,
    Act,
    Beach,
    Depth,
    Forge,
    Hospital,
    Look,
    Site,
    Takara,
    Target,
)
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng

# Worth, in hundredths of an XP.
KARA: Final = 24  # 20 at the end; a little more, as it buys tokens, care and a recruit
WOUND: Final = -100  # care, or a turn without the adventurer
CHEST_WORTH: Final = 430
STONE_WORTH: Final = 1500  # its XP, and half of the way to eternal life
WIN: Final = 6000
NOISE: Final = 64
REACH: Final = 10  # decisions of a playout: 56 games to 40 against 20 decisions, at 100 playouts each


def dug(tile: int) -> int:
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


def mined(tile: int) -> int:
    """What a tile is worth to the Miner."""
    kind = KIND[tile]
    if kind == XP_TILE:
        return 100 * XP[tile]
    if kind in (KARAS_TILE, ROCKFALL_TILE, MONSTER_TILE):
        return 0
    return STONE_WORTH if tile == STONE else CHEST_WORTH


GALLERIES: Final = STONE + 1
DUG: Final[list[int]] = [dug(tile) for tile in range(GALLERIES)]
MINED_WORTH: Final[list[int]] = [mined(tile) for tile in range(GALLERIES)]
BLIND_MINED: Final[list[int]] = [
    sum(MINED_WORTH[t] * COUNT[t] for t in tiles) // 18 for tiles in (range(14, 22), range(6, 14), range(6))
]
NEWS: Final = [35, 15, 8]  # of a tile never seen, by level
SOLD_KEEPS: Final = [100, 200, 400]
CHANCE: Final = [100, 67, 44, 30, 20]  # of so many sword faces in a row, in hundredths


class Digger(Advisor):
    """Digs where its team knows or hopes for most, looks before it leaps, fights what is worth the Sword."""

    def __init__(self, weights: list[list[float]] | None = None) -> None:
        super().__init__(weights)
        self.reach = REACH

    def choose(self, g: Takara, seat: int, legal: list[int], rng: Rng) -> int:
        if len(legal) == 1:
            return legal[0]
        noise = rng.below(1 << 24)
        question = g.question
        if isinstance(question, Act):
            return best_act(g, seat, legal, noise)
        if isinstance(question, Look):
            return TURN_UP if noise & 3 else legal[0]
        if isinstance(question, Forge):
            return RENT if best_prey(g, seat) > KARA * SWORD_PRICE + (noise & 63) else NO_SWORD
        if isinstance(question, Hospital):
            return CARE if noise & 15 == 0 else legal[len(legal) - 1]
        if isinstance(question, Beach):
            return RECRUIT if noise & 15 and left_to_dig(g) > 14 else NO_RECRUIT
        if isinstance(question, Target):
            return SITE + best_target(g, seat, question.skill, legal, noise)
        if isinstance(question, Depth):
            return best_depth(g, seat, question.site, legal)
        return KEEP_MAP

    def phase(self, g: Takara) -> int:
        """Whether a stone was found, and how much is left to dig."""
        left = left_to_dig(g)
        late = 0 if left > 36 else 1 if left > 20 else 2
        return late + (3 if g.stone_sites else 0)

    def features(self, g: Takara, seat: int) -> list[float]:
        """XP, means and hands. What a team has seen told nothing more when it was tried: the playouts use it."""
        team = g.teams[seat]
        turn = 1.0 if g.active == seat else 0.0
        return [
            team.experience() / 10.0,
            team.karas / 20.0,
            float(team.stones()),
            (team.ready + turn * sum(g.at)) / 2.0,
            team.rest / 2.0,
            team.hurt / 2.0,
            float(1 - team.recruit),
            turn * team.ready / 2.0,
        ]

    def quiet(self, g: Takara) -> bool:
        """Not in the middle of a look, a dig or a choice."""
        return isinstance(g.question, Act)


def left_to_dig(g: Takara) -> int:
    left = 0
    for site in g.sites:
        left += len(site.tiles)
    return left


def best_act(g: Takara, seat: int, legal: list[int], noise: int) -> int:
    best = STOP
    best_value = -1000
    for action in legal:
        value = act_worth(g, seat, action)
        noise = (noise * 1103515245 + 12345) & 0xFFFFFF
        value += (noise >> 8) & (NOISE - 1)
        if value > best_value:
            best_value = value
            best = action
    return best


def act_worth(g: Takara, seat: int, action: int) -> int:
    """What an adventurer's action is worth."""
    if action == STOP:
        return -40
    if action < WORK:
        return look_worth(g, seat, g.sites[action - OBSERVE], action - OBSERVE)
    if action < DEN:
        return work_worth(g, seat, action - WORK)
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
    best = -1000
    for s in range(SITES):
        value = mine_worth(g, seat, s)
        best = max(best, value)
    return best - cost


def look_worth(g: Takara, seat: int, site: Site, s: int) -> int:
    """News, and 2 Karas for what may be turned up; less for the last adventurer, who cannot use it at once."""
    seen = g.teams[seat].seen[s]
    worth = 0
    top = len(site.tiles) - 1
    for place in range(top, max(-1, top - OBSERVED), -1):
        if (site.up >> place) & 1:
            break
        if (seen >> place) & 1 == 0:
            worth += NEWS[place // LEVEL_TILES]
        elif KIND[site.tiles[place]] == MONSTER_TILE:
            worth += KARA * FOUND_REWARD
    if worth == 0:
        return -30
    return worth + 15 if g.teams[seat].ready > 1 else worth


def work_worth(g: Takara, seat: int, s: int) -> int:
    site = g.sites[s]
    team = g.teams[seat]
    place = len(site.tiles) - 1
    if (site.up >> place) & 1:
        tile = site.tiles[place]
        if KIND[tile] == ROCKFALL_TILE:
            return KARA * g.visible_rockfalls()
        return prey_worth(site, tile, team.ready)
    worth = tile_worth(g, seat, s, place)
    if team.ready > 1 and place > 0 and (team.seen[s] >> (place - 1)) & 1:
        below = DUG[site.tiles[place - 1]]
        if below > 100:
            worth += below // 2
    return worth


def tile_worth(g: Takara, seat: int, s: int, place: int) -> int:
    """Of a face-down tile: what the team has seen, or what may be hoped for."""
    if (g.teams[seat].seen[s] >> place) & 1 == 0:
        return hope(g, seat, place // LEVEL_TILES)
    tile = g.sites[s].tiles[place]
    if KIND[tile] == MONSTER_TILE and g.sword:
        return prey_worth(g.sites[s], tile, g.teams[seat].ready - 1) // 2
    if tile == STONE and g.stone_sites:
        return ending_worth(g, seat)
    return DUG[tile]


def hope(g: Takara, seat: int, level: int) -> int:
    """What an unseen tile of the level is worth on average: the team knows which tiles are left, not where."""
    total = 0
    count = 0
    seen = g.teams[seat].seen
    for s in range(SITES):
        site = g.sites[s]
        known = seen[s] | site.up
        tiles = site.tiles
        for place in range(level * LEVEL_TILES, min((level + 1) * LEVEL_TILES, len(tiles))):
            if (known >> place) & 1 == 0:
                total += DUG[tiles[place]]
                count += 1
    return total // count


def ending_worth(g: Takara, seat: int) -> int:
    """Of the second stone: it ends the game."""
    if g.teams[seat].stones():
        return WIN
    mine = g.score(seat) + XP[STONE]
    for other in range(len(g.teams)):
        if other != seat and g.score(other) >= mine:
            return -500
    return WIN


def prey_worth(site: Site, monster: int, hands: int) -> int:
    """Of fighting a monster with so many adventurers left."""
    left = LIVES[monster] - site.wounds
    chance = CHANCE[left]
    if hands > 1:
        chance += (100 - chance) * CHANCE[left - 1] // 200
    return (chance * (100 * XP[monster] + KARA * KARAS[monster]) + (100 - chance) * WOUND) // 100


def best_prey(g: Takara, seat: int) -> int:
    best = 0
    for site in g.sites:
        top = site.top_up()
        if top >= 0 and KIND[top] == MONSTER_TILE:
            worth = prey_worth(site, top, g.teams[seat].ready)
            best = max(best, worth)
    return best


def mine_worth(g: Takara, seat: int, s: int) -> int:
    """Of two tiles dug by the Miner."""
    site = g.sites[s]
    seen = g.teams[seat].seen[s]
    top = len(site.tiles) - 1
    worth = 0
    for place in range(top, max(-1, top - 2), -1):
        if (site.up >> place) & 1:
            if KIND[site.tiles[place]] == MONSTER_TILE:
                break
        elif (seen >> place) & 1:
            tile = site.tiles[place]
            if KIND[tile] == MONSTER_TILE:
                break
            if tile == STONE and g.stone_sites:
                return worth + ending_worth(g, seat)
            worth += MINED_WORTH[tile]
        else:
            worth += BLIND_MINED[place // LEVEL_TILES]
    return worth


def best_target(g: Takara, seat: int, skill: int, legal: list[int], noise: int) -> int:
    best = legal[0] - SITE
    best_value = -1000
    for action in legal:
        s = action - SITE
        if skill == MINER:
            value = mine_worth(g, seat, s)
        else:
            value = unseen_news(g, seat, s, 5 if skill == ARCHAEOLOGIST else 9)
        noise = (noise * 1103515245 + 12345) & 0xFFFFFF
        value += (noise >> 8) & (NOISE - 1)
        if value > best_value:
            best_value = value
            best = s
    return best


def unseen_news(g: Takara, seat: int, s: int, count: int) -> int:
    site = g.sites[s]
    known = g.teams[seat].seen[s] | site.up
    top = len(site.tiles) - 1
    news = 0
    for place in range(top, max(-1, top - count), -1):
        if (known >> place) & 1 == 0:
            news += NEWS[place // LEVEL_TILES]
    return news


def best_depth(g: Takara, seat: int, s: int, legal: list[int]) -> int:
    """The three tiles that tell most."""
    site = g.sites[s]
    known = g.teams[seat].seen[s] | site.up
    best = legal[0]
    best_value = -1
    for action in legal:
        first = len(site.tiles) - 1 - (action - DEPTH)
        news = 0
        for place in range(first, max(-1, first - DIVINED), -1):
            if (known >> place) & 1 == 0:
                news += NEWS[place // LEVEL_TILES]
        if news > best_value:
            best_value = news
            best = action
    return best
