"""A tiny game with secret simultaneous choices, to test what a match makes of them.

It keeps the kernel's contract without being a subclass: the kernel may be compiled, and a compiled class has no
interpreted heirs. Everybody picks a number in secret, and says twice which (pick, then confirm or another pick); when
all have confirmed, the picks are revealed and the highest wins. Seat 0 may be asked to open the game before.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from veillee.games.box import Box
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.log import EVERYONE, Event, Log
from veillee.kernel.state import ALLOWED, NOT_ASKED, NOT_YOU
from veillee.match.match import Match

PICKS = 3
CONFIRM = 3
OPEN = 4
RULE = "SP-1.1"


class Question:
    def options(self, g: Picks, seat: int) -> list[int]:
        return [CONFIRM] if g.picks[seat] >= 0 else [0, 1, 2]

    def forbids(self, g: Picks, seat: int, action: int) -> str:
        return ALLOWED


class Opening(Question):
    def options(self, g: Picks, seat: int) -> list[int]:
        return [OPEN]


class Picks:
    def __init__(self, seats: int) -> None:
        self.to_act: tuple[int, ...] = tuple(range(seats))
        self.question = Question()
        self.picks = [-1] * seats

    def legal(self, seat: int) -> list[int]:
        return self.question.options(self, seat)

    def explain(self, seat: int, action: int) -> str:
        if seat not in self.to_act:
            return NOT_YOU
        return ALLOWED if action in self.legal(seat) else NOT_ASKED

    def apply(self, seat: int, action: int, rng: Rng, log: Log | None = None) -> None:
        assert log is not None
        if action == OPEN:
            self.question, self.to_act = Question(), tuple(range(len(self.picks)))
            return
        if action != CONFIRM:
            self.picks[seat] = action
            log.events.append(Event(RULE, "pick", seat, action, 0, 0, 1 << seat))
            return
        self.to_act = tuple(s for s in self.to_act if s != seat)
        if not self.to_act:
            for picker, pick in enumerate(self.picks):
                log.events.append(Event(RULE, "shown", picker, pick, 0, 0, EVERYONE))
            log.reveals += 1

    def clone(self) -> Picks:
        twin = Picks(len(self.picks))
        twin.to_act, twin.question, twin.picks = self.to_act, self.question, self.picks[:]
        return twin

    def choice(self, action: int) -> tuple[str, dict[str, int]]:
        return {CONFIRM: "confirm", OPEN: "open"}.get(action, "pick"), {"number": action}

    def score(self, seat: int) -> int:
        return self.picks[seat]

    def standing(self, seat: int) -> list[int]:
        return [self.picks[seat]]

    def returns(self) -> list[float]:
        best = max(self.picks)
        return [float(pick == best) / self.picks.count(best) for pick in self.picks]

    def dump(self) -> dict[str, Any]:
        return {"to_act": list(self.to_act), "picks": self.picks[:]}


def view(g: Picks, seat: int) -> dict[str, Any]:
    return {"picks": [pick if s == seat or not g.to_act else None for s, pick in enumerate(g.picks)]}


speech: Any = SimpleNamespace(event=lambda e, names, t: e.what)
start: Any = lambda seats, rng, options, log: Picks(seats)  # noqa: E731

BOX = Box(
    id="secret-picks",
    code="sp",
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
    load=start,
    view=view,
    speech=speech,
    advisor=Advisor(),
    draw=lambda shown, names, t: "",
    colours=("white", "blue", "green"),
)


def new_match(seats: int = 3, *, opening: bool = False) -> Match:
    match = Match(BOX, seats, {}, bytes(32))
    if opening:
        state: Any = match.state
        state.question, state.to_act = Opening(), (0,)
        match.anchor = match.state.clone()
    return match
