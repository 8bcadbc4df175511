"""Interpreted subclasses of the kernel's classes, which may be compiled: games of other packages consist of them."""

from __future__ import annotations

from typing import Any, ClassVar

from librt.vecs import vec
from mypy_extensions import i64

from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.kernel.log import END, EVERYONE, Log
from veillee.kernel.plain import things
from veillee.kernel.state import Moves, State, Step, Thing, load


class Heap(Thing):
    def __init__(self, stones: int) -> None:
        self.stones = stones


class Take(Step):
    def options(self, g: Heaps, seat: int) -> vec[i64]:
        return vec[i64]([0, 1])

    def forbids(self, g: Heaps, seat: int, action: int) -> str:
        return "" if g.heaps[action].stones else "HE-1.1"

    def answer(self, g: Heaps, seat: int, action: int, rng: Rng) -> None:
        g.heaps[action].stones -= 1
        if any(heap.stones for heap in g.heaps):
            g.ask(Take(g.left_of(seat)))
        else:
            g.end_game("HE-2.1")


class Heaps(State):
    shape: ClassVar[dict[str, Any]] = {"heaps": things(Heap)}

    def __init__(self, heaps: vec[Heap]) -> None:
        super().__init__()
        self.heaps = heaps

    def seats(self) -> int:
        return 2


class Higher(Advisor):
    def choose(self, g: Heaps, seat: int, moves: Moves, rng: Rng) -> int:
        return moves.at(moves.count - 1)


def heaps(*stones: int) -> Heaps:
    g = Heaps(vec[Heap]([Heap(number) for number in stones]))
    g.begin(Take(0), Rng(0), None)
    return g


def test_the_kernel_asks_an_heir():
    g = heaps(0, 2)
    assert g.legal(0) == [1]
    assert g.explain(0, 0) == "HE-1.1"
    g.apply(0, 1, Rng(0))
    assert g.to_act == (1,)
    assert Higher().first_idea(heaps(1, 1), 0, Rng(0)) == 1


def test_the_end_of_an_heirs_game_is_told_to_everyone():
    """mypyc calls an overridden method without its defaults of type i64: the event would have no audience."""
    g, log = heaps(1, 0), Log()
    g.apply(0, 0, Rng(0), log)
    assert [(event.kind, event.seat, event.to) for event in log.events] == [(END, -1, EVERYONE)]


def test_an_heir_is_written_down_and_read_back():
    g = heaps(3, 4)
    written = g.dump()
    assert written["heaps"] == [[3], [4]]
    assert load(Heaps, written).dump() == written
