"""What an agent may do at a table: the same for a match in this process and for a table of a house."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from veillee.house.errors import BadRequest, NotYours
from veillee.words import sentences

t = sentences(Path(__file__).parent / "locale")


@dataclass(frozen=True)
class ToolReply:
    """The answer of a tool: a text to read, and the same as data."""

    text: str
    data: dict[str, Any] = field(default_factory=dict)


class Seated(Protocol):
    """A game with one seat or several of the caller's. Each method is about one of these seats, and knows no more than
    that seat does."""

    id: str

    @property
    def seats(self) -> Sequence[int]:
        """The caller's seats."""

    def view(self, seat: int, *, has_data: bool = False) -> ToolReply:
        """Returns position, question and choices. has_data: and the view as data."""

    def choices(self, seat: int) -> ToolReply: ...

    def why_not(self, seat: int, choice: int | None) -> ToolReply:
        """Returns the rule against an answer, or against all answers that are forbidden now."""

    def play(self, seat: int, choices: Sequence[int]) -> ToolReply:
        """Answers, and lets the bots go on. Raises Forbidden or another VeilleeError; then nothing was changed."""

    def undo(self, seat: int) -> ToolReply: ...

    def log(self, seat: int, since: int) -> ToolReply:
        """Returns the chronicle without its first events."""

    def hint(self, seat: int, level: str) -> ToolReply: ...

    def analysis(self, seat: int, games: int) -> ToolReply:
        """Returns luck and skill of the finished game, and the seat's mistakes."""

    def record(self) -> ToolReply:
        """Returns the public record: with the seed once the game is over."""


class Lobby(Protocol):
    """Where games are begun and found again."""

    def new(
        self, game: str, seats: Sequence[str], seed: int | None, options: dict[str, str]
    ) -> tuple[Seated, ToolReply]:
        """Begins a game. seats: `me`, or the level of a bot; in a house also `open`."""

    def sit_down(self, table: str) -> tuple[Seated, ToolReply]:
        """Takes the caller's seat, or an open one, at a table of the house."""

    def find(self, match: str) -> Seated:
        """Returns a game of this caller. Raises NotFound."""


def own_seat(seated: Seated, seat: int | None) -> int:
    """Returns the seat that is meant. Raises NotYours for any other than the caller's, BadRequest if it is not clear."""
    seats = seated.seats
    if seat is None:
        if len(seats) == 1:
            return seats[0]
        raise BadRequest(t("Say for which of your seats: {seats}.", seats=_list(seats)))
    if seat not in seats:
        raise NotYours(t("Seat {seat} is not yours: you may ask for {seats}.", seat=seat, seats=_list(seats)))
    return seat


def choice_lines(choices: Sequence[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(choice["id"], choice["label"]) for choice in choices]


def _list(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats))
