"""One table: who sits there, and the match that they play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Literal

from veillee.games.box import Box, Options
from veillee.match.match import Match
from veillee.tables.people import Guest, Seat

Status = Literal["waiting", "playing", "over"]


class Table:
    """Got from a House. Safe to use from any thread.

    `match` is never changed once it can be read: each change puts a new one in its place. So take it once
    (`match = table.match`) and everything that you read from it belongs together.
    """

    id: str  # the invitation: whoever knows it may watch, and sit down on an open seat
    box: Box
    options: Options
    commitment: str  # of the match's chance: published before anybody sits down
    created: datetime
    rev: int  # grows with every change that anybody could see
    seats: tuple[Seat, ...]
    rematch_id: str  # the table where the same people play again, or empty

    @property
    def status(self) -> Status:
        raise NotImplementedError

    @property
    def match(self) -> Match:
        """The match. Raises NotNow while the table is waiting."""
        raise NotImplementedError

    @property
    def names(self) -> list[str]:
        """Of the seats, for the log; an open seat's is empty."""
        raise NotImplementedError

    def seats_of(self, guest: Guest | None) -> list[int]:
        """The seats of the guest: several around one screen (hot-seat), none for a spectator."""
        raise NotImplementedError

    def stamp(self, seat: int) -> str:
        """What a form for this seat must carry back: it changes when the seat answers, takes back, or is asked anew.

        Somebody else's secret answer to the same question does not change it.
        """
        raise NotImplementedError

    # -- seats --------------------------------------------------------------------------------------------------
    def sit(self, guest: Guest, seat: int, name: str = "", luck: str = "") -> None:
        """Take an open seat (a second one too: a friend at the same screen). The last one starts the match."""
        raise NotImplementedError

    def stand(self, guest: Guest, seat: int) -> None:
        """Give the seat back while the table is waiting."""
        raise NotImplementedError

    def seat_bot(self, guest: Guest, seat: int, level: str = "regular") -> None:
        """Somebody who sits here puts a bot on an open seat."""
        raise NotImplementedError

    def leave(self, guest: Guest, seat: int) -> None:
        """A bot takes over for somebody who leaves a running match."""
        raise NotImplementedError

    def come_back(self, guest: Guest, seat: int) -> None:
        """The seat is the guest's own again."""
        raise NotImplementedError

    # -- the match ----------------------------------------------------------------------------------------------
    def answer(self, guest: Guest, seat: int, stamp: str, actions: Sequence[int], lang: str = "en") -> None:
        """Answer one question or several in a row: all or none. The same request again does nothing.

        Raises Stale, NotYours, NotNow, StoreError, or Forbidden (with the rule) from the match.
        """
        raise NotImplementedError

    def undo(self, guest: Guest, seat: int, stamp: str) -> None:
        """Take back the seat's last answer. Raises Stale, NotYours, NotNow (nothing can be taken back)."""
        raise NotImplementedError

    def at(self, n: int) -> Match:
        """The match after its first n answers. While it goes on, only as far as everybody has been shown."""
        raise NotImplementedError

    @property
    def moments(self) -> int:
        """How many answers at() can show."""
        raise NotImplementedError

    def record(self) -> dict[str, Any]:
        """The finished game, seed revealed, for `veillee verify`. Raises NotNow before the end."""
        raise NotImplementedError

    # -- changes ------------------------------------------------------------------------------------------------
    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back after every change, from whatever thread made it. The result ends the subscription."""
        raise NotImplementedError
