"""TI-4 Dig, TI-5 Destroy a rockfall, TI-9 Fight: what lies on top of a site says which."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.takara_island.rules.chests import Chest, Resolved
from veillee.games.takara_island.rules.events import BEATEN, DESTROYED, DUG, FIGHT, REPELLED
from veillee.games.takara_island.rules.island import FOUND_REWARD, Site, Takara
from veillee.games.takara_island.rules.tiles import (
    CHEST_TILE,
    INJURY,
    KARAS,
    KARAS_TILE,
    KIND,
    LIVES,
    MONSTER_TILE,
    NO_TILE,
    ROCKFALL_TILE,
    XP_TILE,
)
from veillee.kernel.chance import Rng
from veillee.kernel.state import ALLOWED


def can_work(g: Takara, seat: i64, site: Site) -> str:
    """TI-4.1 Dig a face-down tile; TI-5.1 two adventurers for a rockfall; TI-9.1 the Sword for a monster."""
    if len(site.tiles) == 0:
        return "TI-4.1"
    top = site.top_up()
    if top == NO_TILE:
        return ALLOWED
    if KIND[top] == ROCKFALL_TILE:
        return ALLOWED if g.teams[seat].ready >= 2 else "TI-5.1"
    return ALLOWED if g.sword else "TI-9.1"


def work(g: Takara, seat: i64, s: i64, rng: Rng) -> None:
    top = g.sites[s].top_up()
    g.send(seat, s)
    if top == NO_TILE:
        dig(g, seat, s)
    elif KIND[top] == ROCKFALL_TILE:
        g.send(seat, s)
        destroy(g, seat, s)
    else:
        fight(g, seat, s, rng)


def dig(g: Takara, seat: i64, s: i64) -> None:
    """TI-4.1 Turn up the first tile of a site."""
    site = g.sites[s]
    team = g.teams[seat]
    place = len(site.tiles) - 1
    tile = site.tiles[place]
    kind = KIND[tile]
    if kind == ROCKFALL_TILE:  # TI-4.3 it stays, face up; the adventurer is stuck there; no Karas
        site.turn_up(place)
        g.reveal("TI-4.3", DUG, seat, tile, s, place)
        return
    if kind == MONSTER_TILE:  # TI-4.4 it stays, face up, and injures; TI-4.5 not a bearer of the Sword
        site.turn_up(place)
        g.reveal("TI-4.5" if g.sword else "TI-4.4", DUG, seat, tile, s, place)
        if not g.sword:
            g.injure(seat, s)
        return
    site.remove()
    if kind == KARAS_TILE:  # TI-4.2 discard it, take that many
        g.reveal("TI-4.2", DUG, seat, tile, s, place)
        g.discards[tile] += 1
        team.karas += KARAS[tile]
    elif kind == CHEST_TILE:  # TI-4.6 discard the tile, draw the top chest tile
        g.reveal("TI-4.6", DUG, seat, tile, s, place)
        g.discards[tile] += 1
        g.push(Resolved(seat))
        g.push(Chest(seat, s))
        return
    elif kind == XP_TILE:  # TI-4.7 keep it, in sight; with the injury symbol the adventurer is injured
        g.reveal("TI-4.7", DUG, seat, tile, s, place)
        team.keep(tile)
        if INJURY[tile]:
            g.injure(seat, s)
    else:  # TI-4.8 a Legend Stone
        g.reveal("TI-4.8", DUG, seat, tile, s, place)
        team.keep(tile)
        g.stone_sites |= 1 << s
    g.end_if_due()


def destroy(g: Takara, seat: i64, s: i64) -> None:
    """TI-5.1 2 Karas for each visible rockfall, this one included; it is discarded."""
    karas = FOUND_REWARD * g.visible_rockfalls()
    g.teams[seat].karas += karas
    tile = g.sites[s].remove()
    g.discards[tile] += 1
    g.note("TI-5.1", DESTROYED, seat, tile, s, karas)
    g.end_if_due()


def fight(g: Takara, seat: i64, s: i64, rng: Rng) -> None:
    """TI-9.2 Roll until the monster is beaten or an attack fails. TI-9.4 Wounds stay for whoever comes next."""
    site = g.sites[s]
    team = g.teams[seat]
    monster = site.top_up()
    g.dice = vec[i64]()
    g.note("TI-9.1", FIGHT, seat, monster, s, site.wounds)
    while site.wounds < LIVES[monster]:
        if not g.throw(seat, rng):
            g.injure(seat, s)
            g.note("TI-9.2", REPELLED, seat, monster, s, site.wounds)
            return
        site.wounds += 1
    site.remove()  # TI-9.3 you win the tile and take its Karas now
    team.keep(monster)
    team.karas += KARAS[monster]
    g.note("TI-9.3", BEATEN, seat, monster, s)
    g.end_if_due()
