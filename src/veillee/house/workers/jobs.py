"""Questions to bots, and the interface of what answers them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from veillee.bots.advice import Advice
from veillee.bots.planning import SearchedChoice


@dataclass(frozen=True)
class ThinkJob:
    """A question to a bot: the arguments of bots.planning.plan() and of bots.advice.advise_blind()."""

    box_id: str
    position: dict[str, Any]
    seat: int
    level: str
    seed: int
    guests: tuple[str, ...] = ()  # guests at the table, for the fair queue; not sent to the process
    table: str = ""
    timed: bool = True  # false: the same question gets the same answer, however slow the machine

    def to_json(self) -> dict[str, Any]:
        """Returns what is sent to the process."""
        said = ("box_id", "position", "seat", "level", "seed", "timed")
        return {name: getattr(self, name) for name in said}


Done = Callable[[list[int]], None]  # called with the answers; empty list: it failed
Advised = Callable[[Advice | None], None]  # called with the advice; None: it failed


class Thinkers(Protocol):
    """What computes answers and advice."""

    def submit(self, job: ThinkJob, done: Done) -> bool:
        """Enqueues a job. Returns False if the guests at the table have too many in the queue; see when_room()."""
        ...

    def when_room(self, job: ThinkJob, back: Callable[[], None]) -> None:
        """Calls `back` when the job can be submitted: from any thread, or at once."""
        ...

    def advise(self, job: ThinkJob, done: Advised) -> None: ...

    def count_waiting(self) -> dict[str, int]:
        """Returns how many questions wait: for bots, and for advice."""
        ...

    def switch_engine(self) -> bool: ...

    def close(self) -> None: ...


def read_answers(actions: Any) -> list[int]:
    """Returns the answers that a worker sent. Raises ValueError if they are none."""
    if not (isinstance(actions, list) and actions and all(type(action) is int for action in actions)):
        raise ValueError(f"this is no answer: {actions!r}")
    return actions


def read_advice(said: Any) -> Advice:
    """Returns the advice that a worker sent. Raises ValueError if it is none."""
    try:
        best = tuple(SearchedChoice(**weighed) for weighed in said["best"])
        return Advice(said["action"], tuple(said["reasons"]), best)
    except (KeyError, TypeError) as error:
        raise ValueError(f"this is no advice: {said!r}") from error
