"""TI-3 Observe."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.takara_island.rules.answers import GO_ON, LOOKING, TURN_UP
from veillee.games.takara_island.rules.events import GLANCED, LOOKED, MONSTER_SHOWN, OBSERVED_ALL, ROCKFALL_MET
from veillee.games.takara_island.rules.island import FOUND_REWARD, OBSERVED, Takara
from veillee.games.takara_island.rules.tiles import KIND, MONSTER_TILE, ROCKFALL_TILE
from veillee.kernel.chance import Rng
from veillee.kernel.state import ALLOWED, Moves, Step


@mypyc_attr(acyclic=True, free_list_len=1)
class Look(Step):
    """TI-3.1 Look secretly at the first three tiles of a site, one by one; asked to go on at each tile looked at."""

    def __init__(self, seat: i64, site: i64, place: i64, counted: i64, looked: i64) -> None:
        super().__init__(seat)
        self.site = site
        self.place = place
        self.counted = counted  # among the three
        self.looked = looked  # at face-down tiles

    def run(self, g: Takara, rng: Rng) -> None:
        place = self.place
        if self.counted == OBSERVED or place < 0:
            self.finish(g, self.looked)
            return
        site = g.sites[self.site]
        tile = site.tiles[place]
        if (site.up >> place) & 1:  # TI-3.4 a monster turned up in this turn is passed; nothing else is
            if (site.fresh >> place) & 1 and KIND[tile] == MONSTER_TILE:
                g.push(Look(self.seat, self.site, place - 1, self.counted + 1, self.looked))
            else:
                self.finish(g, self.looked)
        elif KIND[tile] == ROCKFALL_TILE:  # TI-3.2 it stops the observation, must be turned up, and gives 2 Karas
            site.turn_up(place)
            g.teams[self.seat].karas += FOUND_REWARD
            g.reveal("TI-3.2", ROCKFALL_MET, self.seat, tile, self.site, place)
            self.finish(g, self.looked + 1)
        else:
            site.clear |= 1 << place
            look_at(g, self.seat, self.site, place, "TI-3.1")
            g.ask(self)

    def finish(self, g: Takara, looked: i64) -> None:
        """TI-3.5 The others see which site was observed and how many tiles were looked at."""
        g.note("TI-3.5", OBSERVED_ALL, self.seat, self.site, looked)

    def sees_monster(self, g: Takara) -> bool:
        place = self.place
        tile = g.sites[self.site].tiles[place]
        return KIND[tile] == MONSTER_TILE

    def options(self, g: Takara, seat: i64) -> vec[i64]:
        return LOOKING

    def forbids(self, g: Takara, seat: i64, action: i64) -> str:
        return ALLOWED if action == GO_ON or self.sees_monster(g) else "TI-3.3"

    def allow(self, g: Takara, seat: i64, moves: Moves) -> None:
        moves.add(GO_ON)
        if self.sees_monster(g):
            moves.add(TURN_UP)

    def answer(self, g: Takara, seat: i64, action: i64, rng: Rng) -> None:
        """TI-3.3 A monster may be turned up, in place, for 2 Karas; either way you go on looking."""
        place = self.place
        if action == TURN_UP:
            site = g.sites[self.site]
            site.turn_up(place)
            g.teams[seat].karas += FOUND_REWARD
            g.show("TI-3.3", MONSTER_SHOWN, seat, site.tiles[place], self.site, place)
        g.push(Look(seat, self.site, place - 1, self.counted + 1, self.looked + 1))


def look_at(g: Takara, seat: i64, s: i64, place: i64, rule: str) -> None:
    """TI-3.6 The seat's own notes; TI-13.1 for nobody else. By heart, not even the log keeps what was seen."""
    g.teams[seat].seen[s] |= 1 << place
    tiles = g.sites[s].tiles
    what = GLANCED if g.by_heart else LOOKED
    g.reveal(rule, what, seat, tiles[place], s, len(tiles) - 1 - place, to=1 << seat)
