"""A table: its seats and its match."""

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
from veillee.house import house_time
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import clean_name, make_distinct
from veillee.house.errors import BadRequest, NoTable, NotNow, NotYours, Stale, t
from veillee.house.storage.batch_writer import Done
from veillee.house.storage.leases import Lease
from veillee.house.tables import seating
from veillee.house.tables.bots.question import BotQuestion
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.seat_clocks import HouseEventKind
from veillee.house.tables.current_moment import CurrentMoment
from veillee.house.tables.hints import Hints
from veillee.house.tables.history import GameHistory
from veillee.house.tables.moment import Moment, apply_request, is_repeated, replay, with_seats
from veillee.house.tables.repository import AnswerRequest, Status, TableRepository, TableRow
from veillee.house.tables.seating import check_owner
from veillee.house.tables.seats import Seat, check_level, check_seal, clean_luck
from veillee.house.workers.jobs import Advised, ThinkJob
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import NOT_YOU
from veillee.match import seeds
from veillee.match.errors import HOUSE_RULES, Forbidden
from veillee.match.hints import Hint
from veillee.match.match import Match

log = logging.getLogger(__name__)

IDLE_BOT_SECONDS = 60.0  # seconds that bots go on without players after a visitor last opened the table


class Table(CurrentMoment):
    """A table, obtained from a House. Safe to use from any thread.

    Callers that show a table read `now = table.now` once and take everything from it (match, seats, rev, stamps): it is
    consistent and never changes. The same names on the table itself refer to the current moment.
    """

    def __init__(
        self,
        repository: TableRepository,
        row: TableRow,
        requests: Sequence[AnswerRequest],
        changed: Callable[[Table], None],
        advise: Callable[[ThinkJob, Advised], None],
        behind: Callable[[Table], None] = lambda _: None,
        later: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        """later: runs a function in another thread; without it answer_soon() always returns False."""
        super().__init__(repository, replay(catalogue.BOXES[row.game], row, requests), changed, behind)
        self.id = row.id  # the invitation: every guest who knows it may watch, and sit down on an open seat
        self.box: Box = catalogue.BOXES[row.game]
        self.options: Options = row.options
        self.hints = row.hints  # whether players may ask for advice
        self.commitment = seeds.commitment(row.seed)  # of the match's seed: published before the first guest sits down
        self.created = datetime.fromtimestamp(row.created, UTC)
        self._run_later = later
        self._thinking: set[tuple[int, str]] = set()  # the (seat, stamp) that bots are thinking about
        self._hints = Hints(advise)
        self._history: GameHistory | None = None  # cached history
        self._speeds: list[float] = []  # animation speeds of the spectators
        self._history_cache: dict[int, Seat] = {}  # open seats of a rematch: the players they are reserved for
        self.visited_at = float("-inf")  # time.monotonic() when a visitor last opened it
        self.result_saved = False  # whether the result is saved

    # -- public state ---------------------------------------------------------------------------------------------
    def rev(self, mine: Collection[int] = ()) -> int:
        """Returns a number that grows with every change shown to these seats (none: to a spectator), and only then."""
        return self.moment.rev(mine)

    @property
    def status(self) -> Status:
        return self.moment.status

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.moment.seats

    @property
    def match(self) -> Match:
        """The match. Raises NotNow while the table is waiting."""
        return self.moment.match

    @property
    def names(self) -> list[str]:
        """Names of the seats, for the log; empty for an open seat."""
        return self.moment.names

    @property
    def rematch_id(self) -> str:
        """Id of the rematch table, or empty."""
        return self.moment.rematch_id

    @property
    def touched(self) -> datetime:
        """Time of the last public change."""
        return datetime.fromtimestamp(self.moment.row.touched, UTC)

    def seats_of(self, guest: Guest | None) -> list[int]:
        """Returns the guest's seats: several around one screen (hot seat), none for a spectator."""
        return self.moment.seats_of(guest)

    def stamp(self, seat: int) -> str:
        """Returns the token that a form for this seat must carry back: it changes when the seat answers, takes back, or
        is asked anew.

        Another seat's secret answer to the same question does not change it.
        """
        self._check_seat(seat)
        return self.moment.stamp(seat)

    # -- seats --------------------------------------------------------------------------------------------------
    def invites(self, seat: int) -> bool:
        """Returns whether the link of this table lets a visitor take that seat: at a private table, and not one that is
        reserved for the players of the game before."""
        row = self.moment.row
        is_free = 0 <= seat < len(row.seats) and row.seats[seat].kind == "open" and seat not in self._history_cache
        return is_free and not row.public and row.status == "waiting" and row.opens_until is None

    def sit(self, guest: Guest, seat: int, name: str = "", luck: str = "", sealed: str = "") -> None:
        """Seats the guest on an open seat (a second one too: a friend at the same screen). The last seat taken starts
        the match.

        luck: a word that goes into the shuffle. sealed: the hash of a contribution to it, to be opened when all sit
        (match/seeds.py); if a guest of several has sealed one, the match begins after that.
        """
        shown, word, sealed = clean_name(name or guest.name), clean_luck(luck), check_seal(sealed)
        keeper = self._history_cache.get(seat)
        self._reseat(seat, lambda row: seating.take_seat(row, seat, guest, shown, word, keeper, sealed))

    def seal(self, guest: Guest, seat: int, sealed: str) -> None:
        """Keeps the hash of what the guest's page adds to the shuffle, while the table is waiting. Raises NotYours,
        NotNow, BadRequest."""
        check_seal(sealed)
        self._reseat(seat, lambda row: seating.seal(row, seat, guest, sealed), moved=False)

    def open_seal(self, guest: Guest, seat: int, contribution: str) -> None:
        """Opens what the guest's page has sealed; the last one opened starts the match. Raises NotYours, NotNow,
        BadRequest."""
        self._reseat(seat, lambda row: seating.open_seal(row, seat, guest, contribution))

    def end_opening(self) -> None:
        """Starts the match without what was not opened, if the time for it is over."""
        self._reseat(0, lambda row: row)

    def stand(self, guest: Guest, seat: int) -> None:
        """Frees the guest's seat while the table is waiting."""
        self._reseat(seat, lambda row: seating.give_back_seat(row, seat, guest))

    def seat_bot(self, guest: Guest, seat: int, level: str = "regular") -> None:
        """Puts a bot on an open seat, on behalf of a guest who sits here; see House.seat_bot."""
        check_level(level)
        self._reseat(seat, lambda row: seating.with_bot(row, seat, guest, level))

    def leave(self, guest: Guest, seat: int) -> None:
        """Leaves the guest's seat in a running match to a bot."""
        self._reseat(seat, lambda _: seating.set_away(self.moment, seat, guest, "left", self._time()))

    def come_back(self, guest: Guest, seat: int) -> None:
        """Gives the seat back to the guest."""
        self._reseat(seat, lambda _: seating.set_away(self.moment, seat, guest, "back", self._time()))

    def let_substitute_play(self, seat: int, turn: int, why: HouseEventKind) -> None:
        """Lets a bot play for the player until they return, unless they have answered that turn meanwhile."""
        self._reseat(seat, lambda _: seating.let_substitute_play(self.moment, seat, turn, why, self._time()))

    def let_bots_finish(self) -> None:
        """Lets bots play for all players to the end of the game: the time of its round is over."""
        self._reseat(0, lambda _: seating.let_bots_finish(self.moment, self._time()))

    def depart(self, guest: Guest) -> None:
        """Removes a guest who is being deleted (house/accounts/personal_data.py)."""
        self._reseat(0, lambda row: seating.without_guest(row, guest.id), moved=False)

    def delete(self, guest: Guest) -> None:
        """Deletes the table if no other guest sits here. Raises NotYours."""

        def carry_out(now: Moment) -> None:
            if any(seat.guest not in ("", guest.id) for seat in now.seats):
                raise NotYours(t("Others sit at this table, too: you can archive it, for yourself."))
            self._repository.delete(now.row)
            self.is_deleted = True
            self.moment = replace(now)  # a new object: subscribers are notified

        with self._changing():
            self._retry_on_conflict(carry_out)

    def seat_friend(self, seat: int, name: str, adds: str) -> None:
        """Seats the friend whose browser has replied by link with what it adds to the shuffle (by_link.py)."""

        def change(row: TableRow) -> TableRow:
            others = [one.name for number, one in enumerate(row.seats) if number != seat]
            sealed, shown = seeds.seal(adds), make_distinct(name, others) if name else ""
            friend = Seat("link", shown, sealed=sealed, opened=adds)
            return seating.with_seat(row, seat, friend, row.luck[seat]) if row.seats[seat].is_awaited else row

        self._reseat(seat, change)

    def mark_sent(self) -> None:
        """Keeps that the friend by link has every answer up to now."""

        def change(_: TableRow) -> TableRow:
            now = self.moment
            sent = str(len(now.match.answers))
            seats = [replace(one, level=sent) if one.kind == "link" else one for one in now.seats]
            return now.row if tuple(seats) == now.seats else replace(now.row, seats=tuple(seats))

        self._reseat(0, change)

    def take_answers(self, answers: Sequence[tuple[int, int]]) -> None:
        """Appends answers of a friend by link and of bots, each one checked by the rules. Bots are asked after the last
        of them. Raises Forbidden."""
        known = len(self.match.answers)

        def carry_out(_: Moment) -> None:
            for seat, action in answers[len(self.match.answers) - known :]:
                came = AnswerRequest(seat, (action,), self._time())
                following = apply_request(self.moment, came)
                self.moment = replace(following, row=self._repository.append(following.row, following.requests, came))

        with self._changing():
            self._retry_on_conflict(carry_out)
        self.mark_sent()

    def leave_guide(self, guest: Guest, seat: int) -> None:
        """Ends the guide of a first game: no more notes, and the bots think instead of following the script."""

        def change(row: TableRow) -> TableRow:
            check_owner(row.seats[seat], guest)
            return replace(row, guide="left") if row.guide == "on" else row

        self._reseat(seat, change)

    # -- the match ----------------------------------------------------------------------------------------------
    def answer(self, guest: Guest, seat: int, stamp: str, actions: Sequence[int]) -> None:
        """Answers one question or several in a row: all or none. Repeating the same request does nothing.

        Raises Stale, NotYours, NotNow, StoreError, or Forbidden (with the rule) from the match.
        """
        if not actions:
            raise BadRequest(t("There is no choice in this request."))
        self._check_seat(seat)
        if self.moment.seats[seat].away and seat_clocks.has_substitute(self.moment.row.lines, seat):
            self.come_back(guest, seat)  # answering ends the substitution
        self._request(guest, stamp, AnswerRequest(seat, tuple(actions)))

    def submit_answer(self, guest: Guest, seat: int, stamp: str, actions: Sequence[int], done: Done) -> bool:
        """Like answer(), for callers that must not block on the disk (the event loop). `done` is called from another
        thread when the answer is written, or with the exception; after a Conflict answer() may still succeed. Raises
        the same.

        Returns False if another thread is changing the table or this is not a plain answer; then use answer().
        """
        plain = bool(actions) and 0 <= seat < len(self.moment.seats) and not self.moment.seats[seat].away
        if self._run_later is None or not plain or not self._lock.acquire(blocking=False):
            return False
        written = False
        try:
            self._check_not_deleted()
            request = AnswerRequest(seat, tuple(actions))
            if (found := self._prepare(self.moment, guest, stamp, request)) is not None:
                following, came, shown = found
                done_here = partial(self._on_written, following, done)
                self._repository.submit(following.row, following.requests, came, done_here, shown=shown)
                written = True  # or will be: _written() releases the lock
        finally:
            if not written:
                self._lock.release()
        if not written:
            done(None)  # a repeated request
        return True

    def undo(self, guest: Guest, seat: int, stamp: str) -> None:
        """Takes back the seat's last answer. Raises Stale, NotYours, NotNow (nothing can be taken back)."""
        self._request(guest, stamp, AnswerRequest(seat, ()))

    def hint(self, guest: Guest, seat: int, stamp: str) -> Future[Hint]:
        """Returns a hint: an expert bot thinks about the seat's question, knowing no more than the seat does.

        Changes nothing at the table and notifies no other guest. Repeated calls share one computation. Raises NotYours,
        NotNow (hints are not allowed here, or the seat is not asked) and Stale at once, or, from the future, Stale (the
        table has moved on meanwhile) and NoAdvice.
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
            now = self._retry_on_conflict(check)
        return self._hints.ask(BotQuestion(now, seat), lambda: self.moment)

    @property
    def history(self) -> GameHistory:
        """History of the present match."""
        now, known = self.moment, self._history
        if known is None or known.match is not now.match:
            known = self._history = GameHistory(now.match, now.stops)
        return known

    def record(self) -> dict[str, Any]:
        """Returns the finished game with the seed revealed, for `veillee verify`; the record of a first game says that
        its deal was known before. Raises NotNow before the end."""
        match = self.match
        if not match.over:
            raise NotNow(t("The game is handed out once it is over: until then its answers are secret."))
        if self.is_sealed:
            raise NotNow(t("Others play this deal, too: it is handed out when all have had their time."))
        row = self.moment.row
        beside = {"first_game": True} if row.guide else {"played_on_from": row.branch} if row.branch else {}
        told = {"pace": row.pace.serialize(), "lines": [[line.what, line.seat, line.after] for line in row.lines]}
        house = (
            {"house": told} if row.pace.kind or row.lines else {}
        )  # not part of the game, which is the same without it
        return match.record() | beside | house

    @property
    def is_sealed(self) -> bool:
        """Whether other guests may still have to play this deal: today's, or one of a championship."""
        row, now = self.moment.row, self._repository.store.now
        if row.sealed_until is not None:
            return now() < row.sealed_until
        return row.deal >= house_time.today(now).isoformat()

    # -- spectators -----------------------------------------------------------------------------------------------
    def watch(self, speed: float) -> Callable[[], None]:
        """Registers a spectator with this animation speed (games/scene.py). Returns a function that unregisters it."""
        with self._publish_lock:
            self._speeds.append(speed)

        def leave() -> None:
            with self._publish_lock:
                self._speeds.remove(speed)

        return leave

    def animation_seconds(self) -> float:
        """Returns how many seconds the animation of the last public events takes for the fastest spectator."""
        now = self.moment
        with self._publish_lock:
            speed = min(self._speeds, default=0.0)
        if not speed or now.game is None:
            return 0.0
        before, *_ = now.history[NO_SEAT][-2:]
        news = now.game.events(NO_SEAT)[before.events :]
        return speed * sum(lasts(self.box.scenes, beat) for beat in beats(self.box.scenes, news))

    def has_audience(self) -> bool:
        """Returns whether bots should play: a player is present, a spectator watches, a visitor opened the table within
        IDLE_BOT_SECONDS, or a championship waits for the result. Takes no lock: the event loop calls it while an answer
        is being written."""
        plays = any(seat.kind == "person" and not seat.away for seat in self.moment.seats)
        plays = plays or self.moment.row.sealed_until is not None
        return plays or self.is_watched or time.monotonic() - self.visited_at < IDLE_BOT_SECONDS

    # -- for the house ------------------------------------------------------------------------------------------
    def bots_asked(self) -> list[BotQuestion]:
        """Returns the bots' questions that no worker is thinking about yet, and marks them as being thought about."""
        with self._lock:
            now = self.moment
            waiting = now.game.to_act if now.game is not None and not self.is_deleted else ()
            asked = [BotQuestion(now, seat) for seat in waiting if now.seats[seat].is_played_by_bot]
            asked = [one for one in asked if (one.seat, one.stamp) not in self._thinking]
            self._thinking |= {(one.seat, one.stamp) for one in asked}
        return asked

    def keep_seats(self, before: Sequence[Seat]) -> None:
        """Reserves the seats of a rematch: each player of the last game moves one seat further round."""
        around = len(before)
        self._history_cache = {(n - 1) % around: seat for n, seat in enumerate(before) if seat.kind == "person"}

    def not_thinking(self, asked: BotQuestion) -> None:
        """Unmarks a question: no worker of this process thinks about it, so it may be asked again."""
        with self._lock:
            self._thinking.discard((asked.seat, asked.stamp))

    def is_asking(self, question: Lease) -> bool:
        """Returns whether a bot still has to answer the question."""
        now, seat = self.moment, question.seat
        waits = now.game is not None and seat in now.game.to_act and now.seats[seat].is_played_by_bot
        return waits and now.asked_at[seat] == question.number

    def bot_answers(self, seat: int, stamp: str, actions: Sequence[int]) -> bool:
        """Plays a bot's answer. Returns False if the seat is no longer a bot's or no longer asked the same question.

        A forbidden answer is replaced by its first choice alone, then by a random legal one.
        """
        with self._lock:
            self._thinking.discard((seat, stamp))
            now = self.moment
        if stamp != now.stamp(seat):
            return False
        attempts = [tuple(actions), tuple(actions[:1]), (BotQuestion(now, seat).random_answer,)]
        for attempt in filter(None, attempts):
            try:
                self._request(None, stamp, AnswerRequest(seat, attempt))
            except Forbidden as error:
                log.warning("At table %s a bot chose %s, which is forbidden: %s", self.id, attempt, error)
            except (Stale, NoTable):
                return False
            else:
                return True
        return False

    @property
    def is_watched(self) -> bool:
        """Whether a spectator watches."""
        return bool(self._speeds)

    # -- internals ----------------------------------------------------------------------------------------------
    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.moment.seats):
            raise BadRequest(t("There is no seat {seat} at this table.", seat=seat))

    def _request(self, guest: Guest | None, stamp: str, request: AnswerRequest) -> None:
        """Carries out a guest's request, or a bot's (None)."""
        self._check_seat(request.seat)

        def carry_out(now: Moment) -> None:
            if (found := self._prepare(now, guest, stamp, request)) is not None:
                following, came, shown = found
                row = self._repository.append(following.row, following.requests, came, shown=shown)
                self.moment = replace(following, row=row)

        with self._changing():
            self._retry_on_conflict(carry_out)

    def _prepare(
        self, now: Moment, guest: Guest | None, stamp: str, request: AnswerRequest
    ) -> tuple[Moment, AnswerRequest, bool] | None:
        """Returns the moment after the request, the request with its time, and whether the change is public. None: the
        request is a repetition."""
        _check_player(now, request.seat, guest)
        if is_repeated(now, stamp, request):
            return None
        if stamp != now.stamp(request.seat):
            raise Stale(t("The table has moved on: here is how it stands now."))
        if not request.actions and now.match.can_undo(request.seat) and not now.can_undo(request.seat):
            raise NotNow(t("You have sent this answer to your friend: it stands."))
        came = replace(request, at=self._time())
        following = apply_request(now, came)
        return following, came, following.seen[NO_SEAT] != now.seen[NO_SEAT]

    def _on_written(self, following: Moment, done: Done, row: TableRow | Exception) -> None:
        """Called by the batch writer when the answer is written or has failed: replaces the moment and releases the
        lock."""
        wrong = row if isinstance(row, Exception) else None
        if isinstance(row, TableRow):
            self.moment = replace(following, row=row)
        self._lock.release()
        if wrong is None:
            self._call_back()
        done(wrong)
        concerns_house = self.status == "over" or any(seat.is_played_by_bot for seat in self.seats)
        if wrong is None and self._run_later is not None and concerns_house:
            self._run_later(partial(self._changed, self))  # must not delay the batch writer

    def _reseat(self, seat: int, change: Callable[[TableRow], TableRow], *, moved: bool = True) -> None:
        self._check_seat(seat)

        def carry_out(now: Moment) -> None:
            row = change(now.row)
            if now.game is None:
                row = seating.advance_opening(row, self._time())
            if row is now.row:
                return
            following = with_seats(self.box, now, row, self._time())
            row = self._repository.save_seats(following.row, now.requests, moved=moved)
            self.moment = replace(following, row=row)

        with self._changing():
            self._retry_on_conflict(carry_out)


def _check_player(now: Moment, seat: int, guest: Guest | None) -> None:
    """Checks whether this guest, or a bot (None), may answer for the seat now. Raises Stale, NotYours, NotNow."""
    present = now.seats[seat]
    if guest is None:
        if not present.is_played_by_bot:
            raise Stale(t("The table has moved on: here is how it stands now."))
        return
    check_owner(present, guest)
    if present.away:
        raise NotNow(t("A bot is playing for you: take your seat back first."))
