"""The state of a game: what lies on the table, and who may know it."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from librt.vecs import append, extend, pop, vec
from mypy_extensions import i64

from veillee.games.tales_of_glory.rules.adventurer import Adventurer
from veillee.games.tales_of_glory.rules.components import (
    AGES,
    CELLS,
    DISCARD,
    DONE,
    DROP,
    FIRST_QUEST,
    MOST_SLOTS,
    NO_SLOT,
    NO_TILE,
    OPEN,
    PLAY,
    PUT,
    QUEST,
    SELECT,
    SET,
    TAKE,
    WILD,
    offset,
)
from veillee.games.tales_of_glory.rules.tiles import TileSet, tile_set
from veillee.kernel.chance import Rng, arrange
from veillee.kernel.log import TOGETHER
from veillee.kernel.plain import agendas, named, records
from veillee.kernel.state import State, Step

BANNER: Final = ("coins", "potions", "prestige", "combat", "magic")


class TalesOfGlory(State):
    """TG-1 What is on the table."""

    shape: ClassVar[dict[str, Any]] = {
        "tiles": named(tile_set, lambda tiles: tiles.name),
        "adventurers": records(Adventurer, has=BANNER),
        "threads": agendas(Step, __name__),
    }

    def __init__(
        self,
        tiles: TileSet,
        adventurers: vec[Adventurer],
        slots: vec[i64],
        pile: vec[i64],
        aside: vec[i64],
        discards: vec[i64],
        undealt: vec[i64],
        round: i64,  # noqa: A002 (as it is written down)
        first: i64,
        token: i64,
        with_quests: bool,
        together: bool,
        ending: bool,
        threads: vec[vec[Step]],
    ) -> None:
        super().__init__()
        self.tiles = tiles
        self.adventurers = adventurers
        self.slots = slots  # the central board: a tile or NO_TILE
        self.pile = pile  # the next tile is the last; Age 3 lies below Age 2 below Age 1
        self.aside = aside  # TG-1.4 two of Age 1, face down
        self.discards = discards  # in the order of their numbers
        self.undealt = undealt  # quests that were dealt to no player
        self.round = round  # from 1
        self.first = first  # who has the first-player token
        self.token = token  # TG-4.3 who gained it in play for the next round, or NO_SEAT
        self.with_quests = with_quests
        self.together = together
        self.ending = ending
        self.threads = threads  # TG-3.0 all play at the same time: each seat's own agenda, its question on top

    # -- the vocabulary of the rules ----------------------------------------------------------------------
    def right_of(self, seat: i64) -> i64:
        """Who played before, clockwise."""
        return (seat if seat > 0 else len(self.adventurers)) - 1

    def place_in_turn(self, seat: i64) -> i64:
        """0 for the first player, 1 for the next clockwise …"""
        return seat - self.first if seat >= self.first else seat - self.first + len(self.adventurers)

    def is_wild(self, slot: i64) -> bool:
        """TG-1.2"""
        return slot >= WILD[len(self.adventurers)]

    def named(self, tile: i64) -> i64:
        """The tile, as the log knows it."""
        return self.tiles.number * SET + tile

    def asked(self, seat: i64) -> Step:
        """The question that this seat is asked."""
        if len(self.threads) == 0 or len(self.threads[seat]) == 0:
            return self.question
        return self.threads[seat][-1]

    def discard(self, tile: i64) -> None:
        discards = append(self.discards, tile)
        place = len(discards) - 1
        while place > 0 and discards[place - 1] > tile:
            discards[place] = discards[place - 1]
            place -= 1
        discards[place] = tile
        self.discards = discards

    # -- the contract -------------------------------------------------------------------------------------
    def clone(self) -> TalesOfGlory:
        g = TalesOfGlory(
            self.tiles,
            vec[Adventurer]([a.clone() for a in self.adventurers]),
            self.slots[:],
            self.pile[:],
            self.aside[:],
            self.discards[:],
            self.undealt[:],
            self.round,
            self.first,
            self.token,
            self.with_quests,
            self.together,
            self.ending,
            vec[vec[Step]]([thread[:] for thread in self.threads]),
        )
        g.resume(self)
        return g

    def determinize(self, seat: i64, rng: Rng) -> None:
        """TG-9.1 Resample the piles, the tiles laid aside, the others' quests and their secret selections."""
        for age in range(AGES):
            self.reshuffle(age, rng)
        if seat == TOGETHER:  # what is undealt stays in the box
            return
        if self.with_quests:
            self.redeal_quests(seat, rng)
        for other in range(len(self.adventurers)):
            a = self.adventurers[other]
            if other != seat and a.selected != NO_SLOT:
                a.selected = rng.below(len(self.slots))

    def reshuffle(self, age: i64, rng: Rng) -> None:
        """Each Age by itself; the tiles laid aside are of Age 1 and as unknown as the pile."""
        age_of = self.tiles.age
        aside = self.aside
        pile = self.pile
        unseen = vec[i64](capacity=len(aside) + len(pile))
        for tile in aside:
            if age_of[tile] == age:
                unseen = append(unseen, tile)
        for tile in pile:
            if age_of[tile] == age:
                unseen = append(unseen, tile)
        rng.shuffle(unseen)
        for i in range(len(aside)):
            if age_of[aside[i]] == age:
                unseen, aside[i] = pop(unseen)
        for i in range(len(pile)):
            if age_of[pile[i]] == age:
                unseen, pile[i] = pop(unseen)

    def redeal_quests(self, seat: i64, rng: Rng) -> None:
        unseen = self.undealt[:]
        for other in range(len(self.adventurers)):
            if other != seat:
                a = self.adventurers[other]
                unseen = extend(unseen, a.hand)
                if a.dropped != NO_TILE:
                    unseen = append(unseen, a.dropped)
        rng.shuffle(unseen)
        for other in range(len(self.adventurers)):
            if other != seat:
                a = self.adventurers[other]
                for i in range(len(a.hand)):
                    unseen, a.hand[i] = pop(unseen)
                arrange(a.hand)
                if a.dropped != NO_TILE:
                    unseen, a.dropped = pop(unseen)
        arrange(unseen)
        self.undealt = unseen

    def seats(self) -> i64:
        return len(self.adventurers)

    def score(self, seat: i64) -> i64:
        return self.adventurers[seat].prestige

    def standing(self, seat: i64) -> list[int]:
        """TG-5.3 Most Prestige; then combat, magic, potions, coins; then a shared victory."""
        a = self.adventurers[seat]
        return [a.prestige, a.combat, a.magic, a.potions, a.coins]

    def answers(self) -> i64:
        return PUT + CELLS

    def misplaced(self, seat: i64, action: i64) -> str:
        """Every answer has its moment in a round, and is about a thing that is there."""
        a = self.adventurers[seat]
        if action < PLAY:
            if action % MOST_SLOTS >= len(self.slots):  # SELECT and TAKE have as many numbers
                return "TG-1.2"
            return "TG-2.1" if action < TAKE else "TG-2.3"
        if action <= DISCARD:
            if self.takes(seat, DISCARD):  # The wild lands are paid where they are not, or not where they are.
                return "TG-3.1.2"
            if a.taken != NO_TILE:
                return "TG-6.3"
            return "TG-3.1.4" if action == DISCARD else "TG-3.0"
        if action == DONE:
            return "TG-6.2"
        if action < DROP:
            if action - QUEST + FIRST_QUEST not in a.hand:
                return "TG-6.1"
            return "TG-6.3" if self.amid_a_tile(seat) else "TG-6.2"
        if action < OPEN:
            return "TG-6.1"
        if action < PUT:
            return "TG-3.4.1" if a.has_laid((action - OPEN) >> 1) else "TG-3.4.3"
        return "TG-3.2.2"

    def amid_a_tile(self, seat: i64) -> bool:
        """TG-6.3 Is the seat asked for a place or for a chest? Then it must finish a tile before the next begins."""
        return self.asked(seat).options(self, seat)[0] >= OPEN

    def choice(self, action: i64) -> tuple[str, dict[str, int]]:
        """Slots, quests and chests count from 1, as people do; cells from the hero, to the right and down."""
        if action < TAKE:
            return "select", {"slot": action - SELECT + 1}
        if action < PLAY:
            return "take", {"slot": action - TAKE + 1}
        if action < DISCARD:
            return "play", {"extra": action - PLAY}
        if action == DISCARD:
            return "discard", {}
        if action == DONE:
            return "done", {}
        if action < DROP:
            return "quest", {"quest": action - QUEST + 1}
        if action < OPEN:
            return "drop", {"quest": action - DROP + 1}
        if action < PUT:
            return "open", {"tile": (action - OPEN) // 2, "chest": (action - OPEN) % 2 + 1}
        x, y = offset(action - PUT)
        return "place", {"x": x, "y": y}
