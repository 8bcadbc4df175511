"""Positions of Takara Island built by hand."""

from __future__ import annotations

from collections.abc import Iterable

from librt.vecs import vec
from mypy_extensions import i64

from helpers import apply_all
from veillee.games.takara_island import BOX, words
from veillee.games.takara_island import rules as ti
from veillee.kernel.chance import Rng
from veillee.kernel.log import Kind, Log

SWORD_FACE = 0  # of the loaded die
HOSPITAL_FACE = 5
PLAIN = [ti.KARAS_6] * 3 + [ti.KARAS_4] * 3 + [ti.KARAS_2] * 3


def position(players: int = 2, karas: int = 0) -> ti.Takara:
    """Seat 0 begins its turn with so many Karas, as everyone; six sites of Karas alone; the chests in a known order."""
    g = ti.new_game(players, Rng(1), {})
    for s in range(ti.SITES):
        pile(g, s, *reversed(PLAIN))
    for team in g.teams:
        team.karas = karas
    g.chests = row([ti.IDOL] * 3 + [ti.SKULL, ti.MAP, ti.MIMIC, ti.GOLD_BAG, ti.TABLET])
    begin(g, 0)
    return g


def begin(g: ti.Takara, seat: int) -> None:
    """The turn of the seat begins."""
    g.agenda = [ti.Turn(seat)]
    g.to_act = ()
    g.proceed(Rng(0))


def act(g: ti.Takara) -> None:
    """The active player is asked what an adventurer does: the Sword was not rented unless the test says so."""
    seat = g.active
    g.agenda = [ti.EndDay(seat), ti.Hospital(seat), ti.Beach(seat), ti.Act(seat)]
    g.to_act = ()
    g.proceed(Rng(0))


def ready(players: int = 2, karas: int = 0, sword: int = 0) -> ti.Takara:
    """Seat 0 is asked what an adventurer does."""
    g = position(players, karas)
    g.sword = sword
    act(g)
    return g


def pile(g: ti.Takara, site: int, *tiles: int, up: tuple[int, ...] = ()) -> None:
    """The tiles of a site, the top first, all face down but those whose number, from the top, is in `up`."""
    s = g.sites[site]
    s.tiles = row(reversed(tiles))
    s.up = sum(1 << (len(tiles) - 1 - n) for n in up)
    s.fresh = s.clear = s.wounds = 0


def row(numbers: Iterable[int]) -> vec[i64]:
    """As the things of a position hold them."""
    return vec[i64](list(numbers))


def end_turn(g: ti.Takara) -> Log:
    """The active player stops, recruits no adventurer and pays for none."""
    seat, turns = g.active, g.turns
    log = Log()
    while g.to_act and g.turns == turns:
        no = next(a for a in g.legal(seat) if a in (ti.STOP, ti.NO_SWORD, ti.NO_RECRUIT, ti.CARE))
        log.events += apply_all(g, no).events
    return log


def asked(g: ti.Takara) -> tuple[str, tuple[int, ...]]:
    """The question, and who is asked."""
    return type(g.question).__name__, g.to_act


def refusal(g: ti.Takara, action: int, lang: str = "en") -> tuple[str, str]:
    """The rule against an answer of the one who is asked, and the reason in words."""
    (seat,) = g.to_act
    rule = g.explain(seat, action)
    return rule, words.why(g, seat, action, rule, BOX.words(lang))


def kinds(log: Log) -> list[Kind]:
    return [event.kind for event in log.events]
