"""One table: who sits there, and the match that they play."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from veillee.games import catalogue
from veillee.games.box import Box, Options
from veillee.games.scene import beats, lasts
from veillee.house.accounts.people import (
    Guest,
    Seat,
    check_level,
    clean_luck,
    clean_name,
)
from veillee.house.errors import BadRequest, NoTable, NotNow, NotYours, Stale, t
from veillee.house.results import daily_deals
from veillee.house.storage.batch_writer import Done
from veillee.house.storage.leases import Question
from veillee.house.storage.store import Store
from veillee.house.storage.table_rows import Request, Row, Status
from veillee.house.tables import seating
from veillee.house.tables.bots.question import Asked
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.seat_clocks import What
from veillee.house.tables.current_moment import Present
from veillee.house.tables.hints import Hints
from veillee.house.tables.history import Past
from veillee.house.tables.moment import Moment, after, is_repeated, replayed, reseated
from veillee.house.tables.seating import check_owner
from veillee.house.workers.pool import Advised, Job
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import NOT_YOU
from veillee.match import seeds
from veillee.match.errors import HOUSE_RULES, Forbidden
from veillee.match.hints import Hint
from veillee.match.match import Match

log = logging.getLogger(__name__)

LOOKS = 60.0  # seconds that bots go on among themselves after somebody has looked in


class Table(Present):
    """Got from a House. Safe to use from any thread.

    Whoever shows a table takes `now = table.now` once and reads everything from it (match, seats, rev, stamps): what
    is in it belongs together and never changes. The same names on the table itself are those of the present moment.
    """

    def __init__(
        self,
        store: Store,
        row: Row,
        requests: Sequence[Request],
        changed: Callable[[Table], None],
        advise: Callable[[Job, Advised], None],
        behind: Callable[[Table], None] = lambda _: None,
        later: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """later: does something in a thread of its own; without it nobody is answered soon (answer_soon)."""
        super().__init__(store, replayed(catalogue.BOXES[row.game], row, requests), changed, behind)
        self.id = row.id  # the invitation: whoever knows it may watch, and sit down on an open seat
        self.box: Box = catalogue.BOXES[row.game]
        self.options: Options = row.options
        self.hints = row.hints  # may those who play ask for advice?
        self.commitment = seeds.commitment(row.seed)  # of the match's chance: published before anybody sits down
        self.created = datetime.fromtimestamp(row.created, UTC)
        self._later = later
        self._thinking: set[tuple[int, str]] = set()  # the (seat, stamp) that bots are thinking about
        self._hints = Hints(advise)
        self._past: Past | None = None  # as it was last looked at
        self._speeds: list[float] = []  # of those who look on
        self._kept: dict[int, Seat] = {}  # open seats of a rematch: for whom they are kept
        self.looked = float("-inf")  # when somebody last opened it, by time.monotonic()
        self.kept = False  # how it ended is on disk

    # -- what everybody may see -----------------------------------------------------------------------------------
    def rev(self, mine: Collection[int] = ()) -> int:
        """Grows with every change that is shown to somebody on these seats (on none: to a spectator), and only then."""
        return self.now.rev(mine)

    @property
    def status(self) -> Status:
        return self.now.status

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.now.seats

    @property
    def match(self) -> Match:
        """The match. Raises NotNow while the table is waiting."""
        return self.now.match

    @property
    def names(self) -> list[str]:
        """Of the seats, for the log; an open seat's is empty."""
        return self.now.names

    @property
    def rematch_id(self) -> str:
        """The table where the same people play again, or empty."""
        return self.now.rematch_id

    @property
    def touched(self) -> datetime:
        """When it last changed before everybody's eyes."""
        return datetime.fromtimestamp(self.now.row.touched, UTC)

    def seats_of(self, guest: Guest | None) -> list[int]:
        """The seats of the guest: several around one screen (hot-seat), none for a spectator."""
        return self.now.seats_of(guest)

    def stamp(self, seat: int) -> str:
        """What a form for this seat must carry back: it changes when the seat answers, takes back, or is asked anew.

        Somebody else's secret answer to the same question does not change it.
        """
        self._check_seat(seat)
        return self.now.stamp(seat)

    # -- seats --------------------------------------------------------------------------------------------------
    def sit(self, guest: Guest, seat: int, name: str = "", luck: str = "") -> None:
        """Take an open seat (a second one too: a friend at the same screen). The last one starts the match.

        luck: a word that goes into the shuffle, so that not even the house could have chosen it.
        """
        shown, word = clean_name(name or guest.name), clean_luck(luck)
        self._reseat(seat, lambda row: seating.sat(row, seat, guest, shown, word, self._kept.get(seat)))

    def stand(self, guest: Guest, seat: int) -> None:
        """Give the seat back while the table is waiting."""
        self._reseat(seat, lambda row: seating.stood(row, seat, guest))

    def seat_bot(self, guest: Guest, seat: int, level: str = "regular") -> None:
        """Somebody who sits here puts a bot on an open seat; see House.seat_bot."""
        check_level(level)
        self._reseat(seat, lambda row: seating.with_bot(row, seat, guest, level))

    def leave(self, guest: Guest, seat: int) -> None:
        """A bot takes over for somebody who leaves a running match."""
        self._reseat(seat, lambda _: seating.set_away(self.now, seat, guest, "left", self._time()))

    def come_back(self, guest: Guest, seat: int) -> None:
        """The seat is the guest's own again."""
        self._reseat(seat, lambda _: seating.set_away(self.now, seat, guest, "back", self._time()))

    def stand_in(self, seat: int, turn: int, why: What) -> None:
        """A bot plays for somebody until they return, if they have not answered that turn meanwhile."""
        self._reseat(seat, lambda _: seating.stood_in(self.now, seat, turn, why, self._time()))

    def rename(self, guest: Guest, name: str) -> None:
        """The guest's own seat under a new name; `guest` has the old one still. A finished game keeps its names."""
        self._reseat(0, lambda row: seating.renamed(row, guest, name), moved=False)

    def change_shield(self, guest: Guest, shield: str) -> None:
        """The guest's own seat under another shield. A finished game keeps its shields."""
        self._reseat(0, lambda row: seating.with_shield(row, guest, shield), moved=False)

    def depart(self, guest: Guest) -> None:
        """The guest leaves the house for good (leaving.py)."""
        self._reseat(0, lambda row: seating.departed(row, guest.id), moved=False)

    def clear_away(self, guest: Guest) -> None:
        """Delete the table, if nobody but the guest sits here. Raises NotYours."""

        def carry_out(now: Moment) -> None:
            if any(seat.guest not in ("", guest.id) for seat in now.seats):
                raise NotYours(t("Others sit at this table, too: you can put it away, for yourself."))
            self._store.clear_away(now.row)
            self.gone = True
            self.now = replace(now)  # those who look on are told

        with self._changing():
            self._on_the_present(carry_out)

    def leave_guide(self, guest: Guest, seat: int) -> None:
        """The learner of a guided first game goes on alone: no more notes, and the bots think for themselves."""

        def change(row: Row) -> Row:
            check_owner(row.seats[seat], guest)
            return replace(row, guide="left") if row.guide == "on" else row

        self._reseat(seat, change)

    # -- the match ----------------------------------------------------------------------------------------------
    def answer(self, guest: Guest, seat: int, stamp: str, actions: Sequence[int]) -> None:
        """Answer one question or several in a row: all or none. The same request again does nothing.

        Raises Stale, NotYours, NotNow, StoreError, or Forbidden (with the rule) from the match.
        """
        if not actions:
            raise BadRequest(t("There is no choice in this request."))
        self._check_seat(seat)
        if self.now.seats[seat].away and seat_clocks.is_stood_in(self.now.row.lines, seat):
            self.come_back(guest, seat)  # who answers is back
        self._request(guest, stamp, Request(seat, tuple(actions)))

    def answer_soon(self, guest: Guest, seat: int, stamp: str, actions: Sequence[int], done: Done) -> bool:
        """answer() for whoever cannot wait for the disk. `done` is called from another thread when the answer is written, or
        with what was in the way; after a Conflict answer() may still succeed. Raises the same.

        False: somebody else changes the table at this moment, or this is no plain answer. Then answer() is to be used.
        """
        plain = bool(actions) and 0 <= seat < len(self.now.seats) and not self.now.seats[seat].away
        if self._later is None or not plain or not self._lock.acquire(blocking=False):
            return False
        written = False
        try:
            self._check_there()
            request = Request(seat, tuple(actions))
            if (found := self._found(self.now, guest, stamp, request)) is not None:
                following, came, shown = found
                done_here = partial(self._written, following, done)
                self._store.append_soon(following.row, following.requests, came, done_here, shown=shown)
                written = True  # or soon: whoever writes it gives the table free
        finally:
            if not written:
                self._lock.release()
        if not written:
            done(None)  # it has been answered like this before
        return True

    def undo(self, guest: Guest, seat: int, stamp: str) -> None:
        """Take back the seat's last answer. Raises Stale, NotYours, NotNow (nothing can be taken back)."""
        self._request(guest, stamp, Request(seat, ()))

    def hint(self, guest: Guest, seat: int, stamp: str) -> Future[Hint]:
        """What would you do? An expert thinks about the seat's question, knowing what the seat knows and no more.

        Nothing changes at the table and nobody else is told. Asked twice, the expert thinks once. Raises NotYours,
        NotNow (hints are not allowed here, or the seat is not asked) and Stale at once, or, from the future, Stale
        (the table has moved on meanwhile) and NoAdvice.
        """
        self._check_seat(seat)

        def check(now: Moment) -> Moment:
            _check_player(now, seat, guest)
            if not now.hints:
                raise NotNow(t("At this table everybody plays without hints."))
            if stamp != now.stamp(seat):
                raise Stale(t("The table has moved on: here is how it stands now."))
            if seat not in now.match.to_act:
                raise NotNow(HOUSE_RULES[NOT_YOU])
            return now

        with self._changing():
            now = self._on_the_present(check)
        return self._hints.ask(Asked(now, seat), lambda: self.now)

    @property
    def past(self) -> Past:
        """What can be looked back at of the present match."""
        now, known = self.now, self._past
        if known is None or known.match is not now.match:
            known = self._past = Past(now.match, now.stops)
        return known

    def record(self) -> dict[str, Any]:
        """The finished game, seed revealed, for `veillee verify`; that of a first game says that its deal was known before.
        Raises NotNow before the end."""
        match = self.match
        if not match.over:
            raise NotNow(t("The game is handed out once it is over: until then its answers are secret."))
        if self.still_dealt:
            raise NotNow(t("Others play this deal, too: it is handed out when the day is over."))
        row = self.now.row
        beside = {"first_game": True} if row.guide else {"played_on_from": row.branch} if row.branch else {}
        told = {"pace": row.pace.written(), "lines": [[line.what, line.seat, line.after] for line in row.lines]}
        house = (
            {"house": told} if row.pace.kind or row.lines else {}
        )  # no part of the game, which is the same without it
        return match.record() | beside | house

    @property
    def still_dealt(self) -> bool:
        """Is this the deal of a day that is not over: may others still be playing it?"""
        return self.now.row.deal >= daily_deals.today(self._store).isoformat()

    # -- those who look on ----------------------------------------------------------------------------------------
    def watch(self, speed: float) -> Callable[[], None]:
        """Somebody looks on while things are played, at this speed (games/scene.py). The result ends it."""
        with self._telling:
            self._speeds.append(speed)

        def leave() -> None:
            with self._telling:
                self._speeds.remove(speed)

        return leave

    def shown_for(self) -> float:
        """How many seconds the quickest of those who look on are shown what everybody was told of last."""
        now = self.now
        with self._telling:
            speed = min(self._speeds, default=0.0)
        if not speed or now.game is None:
            return 0.0
        before, *_ = now.history[NO_SEAT][-2:]
        news = now.game.events(NO_SEAT)[before.events :]
        return speed * sum(lasts(self.box.scenes, beat) for beat in beats(self.box.scenes, news))

    def attended(self) -> bool:
        """Is there anybody for whom bots play: somebody who plays, who looks on, or who looked in a moment ago?"""
        with self._lock:
            now, watched = self.now, bool(self._speeds)
        plays = any(seat.kind == "person" and not seat.away for seat in now.seats)
        return plays or watched or time.monotonic() - self.looked < LOOKS

    # -- for the house ------------------------------------------------------------------------------------------
    def bots_asked(self) -> list[Asked]:
        """What bots must think about that none is thinking about yet."""
        with self._lock:
            now = self.now
            waiting = now.game.to_act if now.game is not None and not self.gone else ()
            asked = [Asked(now, seat) for seat in waiting if now.seats[seat].by_bot]
            asked = [one for one in asked if (one.seat, one.stamp) not in self._thinking]
            self._thinking |= {(one.seat, one.stamp) for one in asked}
        return asked

    def keep_seats(self, before: Sequence[Seat]) -> None:
        """It is a rematch: those who played sit one seat further round, and nobody else sits there."""
        around = len(before)
        self._kept = {(n - 1) % around: seat for n, seat in enumerate(before) if seat.kind == "person"}

    def not_thinking(self, asked: Asked) -> None:
        """Nobody here thinks about it: it may be asked again."""
        with self._lock:
            self._thinking.discard((asked.seat, asked.stamp))

    def asks(self, question: Question) -> bool:
        """Does a bot still have to answer it?"""
        now, seat = self.now, question.seat
        waits = now.game is not None and seat in now.game.to_act and now.seats[seat].by_bot
        return waits and now.asked_at[seat] == question.number

    def bot_answers(self, seat: int, stamp: str, actions: Sequence[int]) -> bool:
        """A bot has thought. What it says counts if its seat is still asked the same and still a bot's: was it so?"""
        with self._lock:
            self._thinking.discard((seat, stamp))
            now = self.now
        if stamp != now.stamp(seat):
            return False
        attempts = [tuple(actions), tuple(actions[:1]), (Asked(now, seat).drawn,)]
        for attempt in filter(None, attempts):
            try:
                self._request(None, stamp, Request(seat, attempt))
            except Forbidden as error:
                log.warning("At table %s a bot chose %s, which is forbidden: %s", self.id, attempt, error)
            except (Stale, NoTable):
                return False
            else:
                return True
        return False

    @property
    def is_watched(self) -> bool:
        """Does somebody look on while things are played?"""
        return bool(self._speeds)

    # -- inside -------------------------------------------------------------------------------------------------
    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.now.seats):
            raise BadRequest(t("There is no seat {seat} at this table.", seat=seat))

    def _request(self, guest: Guest | None, stamp: str, request: Request) -> None:
        """Carry out a guest's request, or a bot's (None)."""
        self._check_seat(request.seat)

        def carry_out(now: Moment) -> None:
            if (found := self._found(now, guest, stamp, request)) is not None:
                following, came, shown = found
                row = self._store.append(following.row, following.requests, came, shown=shown)
                self.now = replace(following, row=row)

        with self._changing():
            self._on_the_present(carry_out)

    def _found(
        self, now: Moment, guest: Guest | None, stamp: str, request: Request
    ) -> tuple[Moment, Request, bool] | None:
        """The moment after the request, the request as it came, and whether everybody sees it. None: it is repeated."""
        _check_player(now, request.seat, guest)
        if is_repeated(now, stamp, request):
            return None
        if stamp != now.stamp(request.seat):
            raise Stale(t("The table has moved on: here is how it stands now."))
        came = replace(request, at=self._time())
        following = after(now, came)
        return following, came, following.seen[NO_SEAT] != now.seen[NO_SEAT]

    def _written(self, following: Moment, done: Done, row: Row | Exception) -> None:
        """The scribe has written the answer that leads there; or has not, for some reason. The table is free again."""
        wrong = row if isinstance(row, Exception) else None
        if isinstance(row, Row):
            self.now = replace(following, row=row)
        self._lock.release()
        if wrong is None:
            self._call_back()
        done(wrong)
        concerns_house = self.status == "over" or any(seat.by_bot for seat in self.seats)
        if wrong is None and self._later is not None and concerns_house:
            self._later(partial(self._changed, self))  # the scribe has others to write for

    def _reseat(self, seat: int, change: Callable[[Row], Row], *, moved: bool = True) -> None:
        self._check_seat(seat)

        def carry_out(now: Moment) -> None:
            row = change(now.row)
            if row is now.row:
                return
            following = reseated(self.box, now, row, self._time())
            row = self._store.reseat(following.row, now.requests, moved=moved)
            self.now = replace(following, row=row)

        with self._changing():
            self._on_the_present(carry_out)


def _check_player(now: Moment, seat: int, guest: Guest | None) -> None:
    """May this guest, or a bot (None), answer for the seat now?"""
    present = now.seats[seat]
    if guest is None:
        if not present.by_bot:
            raise Stale(t("The table has moved on: here is how it stands now."))
        return
    check_owner(present, guest)
    if present.away:
        raise NotNow(t("A bot is playing for you: take your seat back first."))
