"""The house: its guests, its tables, its bots and its store. What the web and the command line talk to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from veillee.games.box import Box, Options
from veillee.tables.people import Guest, Seat, SeatPlan
from veillee.tables.table import Status, Table


@dataclass(frozen=True)
class Glance:
    """A table in a list: enough to show it, without replaying its game."""

    id: str
    box: Box
    options: Options
    seats: Sequence[Seat]
    status: Status
    asked: tuple[int, ...]  # the seats whose turn it is
    created: datetime
    touched: datetime  # the last change

    def seats_of(self, guest: Guest | None) -> list[int]:
        """The seats of the guest."""
        raise NotImplementedError


class House:
    """Safe to use from any thread. Nothing is acknowledged before it is on disk."""

    @classmethod
    def open(cls, place: str | Path, *, workers: int | None = None, pause: float = 0.6) -> House:
        """Open the store (a folder, a SQLite file or a database URL), and go on with what was being played.

        workers: how many processes think for the bots (by default one less than the machine has processors, at least
        one); 0: bots answer at once in the thread of whoever changed the table, without a pause (tests, tools).
        pause: how long a bot waits at least before it answers, so that people can follow.
        Raises StoreError.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Stop the bots and close the store. Nothing is lost by not calling it."""
        raise NotImplementedError

    # -- guests -------------------------------------------------------------------------------------------------
    def new_guest(self, name: str) -> Guest:
        """A guest with a fresh cookie token (in .token, this once). Raises BadRequest for a name that cannot be shown."""
        raise NotImplementedError

    def guest(self, token: str) -> Guest | None:
        """Whose cookie this is; None for anything that is no cookie of ours."""
        raise NotImplementedError

    def rename(self, guest: Guest, name: str) -> Guest:
        """The guest under a new name. Seats that they have taken keep the name they were taken under."""
        raise NotImplementedError

    def recovery(self, guest: Guest) -> str:
        """A fresh recovery token, for a link to keep. It replaces the one made before: make it when asked (POST)."""
        raise NotImplementedError

    def recover(self, token: str) -> Guest:
        """The guest of a recovery token, with a new cookie token (in .token) for this device. Raises BadRequest."""
        raise NotImplementedError

    # -- tables -------------------------------------------------------------------------------------------------
    def new_table(
        self,
        guest: Guest,
        game: str,
        plans: Sequence[SeatPlan],
        options: Mapping[str, str] | None = None,
        luck: str = "",
        *,
        public: bool = True,
    ) -> Table:
        """A table with one seat per plan. It starts at once if no seat is open. public: shown in open_tables().

        Raises veillee.match.errors.Unknown for a game, option or number of seats that does not exist, and BadRequest.
        """
        raise NotImplementedError

    def play_now(self, guest: Guest, game: str) -> Table:
        """The guest against regular bots."""
        raise NotImplementedError

    def table(self, table_id: str) -> Table:
        """The table of that name. Raises NoTable."""
        raise NotImplementedError

    def my_tables(self, guest: Guest) -> list[Glance]:
        """Where the guest sits, the latest change first."""
        raise NotImplementedError

    def open_tables(self, game: str | None = None) -> list[Glance]:
        """Public tables that wait for somebody, the newest first."""
        raise NotImplementedError

    def rematch(self, guest: Guest, table: Table) -> Table:
        """The same people again, each one seat further round. The first who asks makes it, the others join it."""
        raise NotImplementedError
