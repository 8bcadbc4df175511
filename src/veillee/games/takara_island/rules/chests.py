"""TI-11 Chests."""

from __future__ import annotations

from librt.vecs import append, pop, remove, vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.takara_island.rules.answers import KEEP_MAP, MAP_CHOICE, TAKE_KARAS
from veillee.games.takara_island.rules.events import MAP_READ, MIMIC_BACK, MIMIC_BEATEN, MIMIC_GONE, OPENED
from veillee.games.takara_island.rules.island import MIMIC_REMOVED, PORT_PLACE, Takara
from veillee.games.takara_island.rules.tiles import GOLD_BAG, KARAS, MAP, MIMIC, MIMIC_LIVES, SKULL
from veillee.kernel.chance import Rng
from veillee.kernel.state import Moves, Step


@mypyc_attr(acyclic=True, free_list_len=1)
class Chest(Step):
    """TI-4.6, TI-11.1 Draw the top chest tile and resolve it."""

    def __init__(self, seat: i64, place: i64) -> None:
        super().__init__(seat)
        self.place = place  # of the adventurer who opens it; the Port: a Miner does, and no adventurer can be injured

    def run(self, g: Takara, rng: Rng) -> None:
        seat = self.seat
        team = g.teams[seat]
        g.chests, tile = pop(g.chests)
        g.reveal("TI-11.2" if tile == MIMIC else "TI-11.1", OPENED, seat, tile, self.place)
        if tile == MIMIC:
            self.face_mimic(g, rng)
        elif tile == GOLD_BAG:
            team.karas += KARAS[tile]
            g.discards[tile] += 1
        elif tile == MAP:  # in front of the player until the choice is made
            team.keep(tile)
            g.ask(ReadMap(seat))
        else:
            team.keep(tile)
            if tile == SKULL:
                team.karas += KARAS[tile]

    def face_mimic(self, g: Takara, rng: Rng) -> None:
        """TI-11.2 Two sword faces in a row: keep it and draw another chest tile. Else it is shuffled back, and injures;
        in the other reading it leaves the game and hurts nobody."""
        g.dice = vec[i64]()
        for _life in range(MIMIC_LIVES):
            if not g.throw(self.seat, rng):
                if g.readings & MIMIC_REMOVED != 0:
                    g.discards[MIMIC] += 1
                    g.note("TI-11.2", MIMIC_GONE, self.seat)
                    return
                g.chests = append(g.chests, MIMIC)
                rng.shuffle(g.chests)
                if self.place != PORT_PLACE:
                    g.injure(self.seat, self.place)
                g.note("TI-11.2", MIMIC_BACK, self.seat, self.place)
                return
        g.teams[self.seat].keep(MIMIC)
        g.note("TI-11.2", MIMIC_BEATEN, self.seat)
        g.push(self)


@mypyc_attr(acyclic=True, free_list_len=1)
class ReadMap(Step):
    """TI-11.1 Map: choose 5 Karas and discard it, or keep it for 2 XP."""

    def options(self, g: Takara, seat: i64) -> vec[i64]:
        return MAP_CHOICE

    def allow(self, g: Takara, seat: i64, moves: Moves) -> None:
        moves.add_all(MAP_CHOICE)

    def answer(self, g: Takara, seat: i64, action: i64, rng: Rng) -> None:
        if action == TAKE_KARAS:
            team = g.teams[seat]
            team.won = remove(team.won, MAP)
            g.discards[MAP] += 1
            team.karas += KARAS[MAP]
        g.note("TI-11.1", MAP_READ, seat, 1 if action == KEEP_MAP else 0)


@mypyc_attr(acyclic=True, free_list_len=1)
class Resolved(Step):
    """TI-12.0 A removed tile is fully resolved."""

    def run(self, g: Takara, rng: Rng) -> None:
        g.end_if_due()
