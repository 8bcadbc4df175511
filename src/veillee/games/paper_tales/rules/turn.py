"""PT-1 The setup, PT-2.0 the turn, PT-3 the end."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from veillee.games.paper_tales.rules.ageing import Ageing, Heal
from veillee.games.paper_tales.rules.construction import Construct, RevealConstructions
from veillee.games.paper_tales.rules.deployment import Deploy, RevealKingdoms
from veillee.games.paper_tales.rules.effects import ChooseAge, KrakenToll, PutAge, RevealEffects
from veillee.games.paper_tales.rules.events import TURN
from veillee.games.paper_tales.rules.kingdom import Realm, new_realm
from veillee.games.paper_tales.rules.knowledge import NOBODY_KNOWS
from veillee.games.paper_tales.rules.pieces import (
    BUILDINGS,
    DECK,
    FROM_BUILDING,
    MORE_THAN_TWICE,
    RELIC,
    THE_END,
    TURNS,
)
from veillee.games.paper_tales.rules.recruitment import Recruitment
from veillee.games.paper_tales.rules.table import PaperTales
from veillee.games.paper_tales.rules.war import Income, War
from veillee.kernel.chance import Rng
from veillee.kernel.counts import at
from veillee.kernel.log import NO_SEAT, Log
from veillee.kernel.state import Phase

RULES: Final = 2  # their version. In version 1 a secret answer could spare its seat a further question: see g.version


# -- PT-1 Setup -------------------------------------------------------------------------------------------
def new_game(players: i64, rng: Rng, options: dict[str, str], log: Log | None = None) -> PaperTales:
    """A game about to be asked its first question."""
    g = new_table(players)
    if options.get("double", "twice") == "more":
        g.readings = MORE_THAN_TWICE
    g.begin(Setup(), rng, log)
    return g


def new_game_1(players: i64, rng: Rng, options: dict[str, str], log: Log | None = None) -> PaperTales:
    """The same by the rules of version 1, for what was begun under them."""
    g = new_table(players)
    g.version = 1
    g.begin(Setup(), rng, log)
    return g


def new_table(players: i64) -> PaperTales:
    """PT-1 Kingdoms without units, and the cards in their order."""
    realms = vec[Realm]([new_realm() for _ in range(players)])
    discards, buried, buriers, picks = vec[i64](), vec[i64](), vec[i64](), vec[i64]()
    turned, aside = vec[i64](), vec[i64]()
    g = PaperTales(realms, 0, 0, DECK[:], discards, buried, buriers, picks, NOBODY_KNOWS[:], turned, aside, 0)
    g.version = RULES
    return g


@mypyc_attr(acyclic=True, free_list_len=1)
class Setup(Phase):
    """PT-1.2 All cards are shuffled."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        rng.shuffle(g.pile)
        g.push(Turn())


# -- PT-2 A turn: six phases --------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class Turn(Phase):
    """PT-2.0 Four turns of six phases; everyone plays each phase at the same time."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        g.turn += 1
        g.note("PT-2.0", TURN, NO_SEAT, g.turn)
        g.push(FinalScoring() if g.turn == TURNS else Turn())
        g.push(Ageing())
        g.push(Heal())
        g.push(RevealConstructions())
        g.push(Construct())
        g.push(Income())
        g.push(War())
        g.push(KrakenToll())
        g.push(PutAge())
        g.push(ChooseAge())
        g.push(RevealEffects())
        g.push(RevealKingdoms())
        g.push(Deploy())
        g.push(Recruitment())


# -- PT-3 End -----------------------------------------------------------------------------------------------
@mypyc_attr(acyclic=True, free_list_len=1)
class FinalScoring(Phase):
    """PT-3.1 Each building scores 1 LP at level 1, 3 LP at level 2; the Relic 2 LP per age on it."""

    def run(self, g: PaperTales, rng: Rng) -> None:
        for seat in range(len(g.realms)):
            realm = g.realms[seat]
            for building in range(BUILDINGS):
                level = at(realm.levels, building)
                if level > 0:
                    g.gain_legend("PT-3.1", THE_END, seat, 3 if level == 2 else 1, FROM_BUILDING + building)
            for unit in realm.units:
                if unit.kind == RELIC:
                    g.gain_legend("PT-3.1", THE_END, seat, 2 * unit.age, RELIC)
        g.end_game("PT-3.2")
