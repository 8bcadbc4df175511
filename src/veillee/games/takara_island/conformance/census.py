"""Census of Takara Island: counts every component; none is lost or duplicated during a game."""

from __future__ import annotations

from veillee.games.takara_island.content import TILES
from veillee.games.takara_island.rules import Takara
from veillee.kernel.log import NO_SEAT


def census(g: Takara) -> dict[str, int]:
    tiles = list(g.discards)
    for tile in [*g.chests, *(t for site in g.sites for t in site.tiles), *(t for team in g.teams for t in team.won)]:
        tiles[tile] += 1
    counts = {TILES[i].id: n for i, n in enumerate(tiles)}
    for seat, team in enumerate(g.teams):
        away = sum(g.at) if seat == g.active else 0
        counts[f"adventurers {seat}"] = team.ready + away + team.hurt + team.rest + team.recruit
    counts["tokens"] = g.tokens + sum(team.tokens for team in g.teams)
    counts["specialists"] = sum(holder in range(NO_SEAT, len(g.teams)) for holder in g.holder)
    return counts
