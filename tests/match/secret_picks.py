"""A tiny game with secret simultaneous choices, to test what a match makes of them.

It is an interpreted heir of the kernel, which may be compiled. Everybody picks a number in secret, and says twice which
(pick, then confirm), or says nothing but zero; when all have done so, the picks are revealed and the highest wins. Seat 0 may be asked to open
the game before.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from veillee.games.box import Box
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.log import Log, kind
from veillee.kernel.state import VERSION, Phase, State, Step
from veillee.match.match import Match

PICKS = 3
CONFIRM = 3
OPEN = 4
ZERO = 5
RULE = "SP-1.1"
PICK = kind("pick", "number")
SHOWN = kind("shown", "number")


class Pick(Phase):
    def run(self, g: Picks, rng: Rng) -> None:
        g.ask_all(self, g.everyone())

    def options(self, g: Picks, seat: int) -> vec[i64]:
        return vec[i64]([CONFIRM] if g.picks[seat] >= 0 else [0, 1, 2, ZERO])

    def answer(self, g: Picks, seat: int, action: int, rng: Rng) -> None:
        if action != CONFIRM:
            g.picks[seat] = action if action < PICKS else 0
            g.note(RULE, PICK, seat, int(g.picks[seat]), to=1 << seat)
        if action < PICKS:
            g.ask_again(seat)
        elif not g.waiting:
            for picker, pick in enumerate(g.picks):
                g.reveal(RULE, SHOWN, picker, pick)


class Opening(Step):
    def options(self, g: Picks, seat: int) -> vec[i64]:
        return vec[i64]([OPEN])

    def answer(self, g: Picks, seat: int, action: int, rng: Rng) -> None:
        g.push(Pick())


class Picks(State):
    def __init__(self, picks: vec[i64]) -> None:
        super().__init__()
        self.picks = picks

    def seats(self) -> int:
        return len(self.picks)

    def clone(self) -> Picks:
        twin = Picks(self.picks[:])
        twin.resume(self)
        return twin

    def determinize(self, seat: int, rng: Rng) -> None:
        """Nothing here is asked of a bot."""

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
        return {CONFIRM: "confirm", OPEN: "open", ZERO: "zero"}.get(action, "pick"), {"number": action}

    def score(self, seat: int) -> int:
        return self.picks[seat]

    def standing(self, seat: int) -> list[int]:
        return [self.picks[seat]]


def view(g: Picks, seat: int) -> dict[str, Any]:
    return {"picks": [pick if s == seat or not g.to_act else None for s, pick in enumerate(g.picks)]}


def start(seats: int, rng: Rng, options: dict[str, str], log: Log | None) -> Picks:
    g = Picks(vec[i64]([-1] * seats))
    g.begin(Pick(), rng, log)
    return g


speech: Any = SimpleNamespace(
    label=lambda g, seat, action, t: f"{g.choice(action)[0]} {action}",
    question=lambda g, seat, t: ("Which number?", RULE),
    why=lambda g, seat, action, rule, t: "",
    event=lambda e, names, t: f"{e.kind.name} {e.figures}",
    account=lambda g, events, names, t: [[] for _ in names],
)

BOX = Box(
    id="secret-picks",
    code="sp",
    kernel=VERSION,
    version=1,
    title={"fr": "Choix secrets", "en": "Secret picks"},
    pitch={"fr": "", "en": ""},
    authors="",
    published="",
    players=range(2, 4),
    minutes=(1, 1),
    age=1,
    folder=Path(__file__).parent,
    new=start,
    state=Picks,
    view=view,
    speech=speech,
    advisor=Advisor(),
    draw=lambda shown, names, t: str(shown["picks"]),
    colours=("white", "blue", "green"),
)


def new_match(seats: int = 3, *, opening: bool = False) -> Match:
    match = Match(BOX, seats, {}, bytes(32))
    if opening:
        match.state.to_act = ()
        match.state.begin(Opening(0), Rng(0), None)
        match.anchor = match.state.clone()
    return match
