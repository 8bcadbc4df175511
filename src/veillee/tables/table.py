"""One table: who sits there, and the match that they play.

All that a table is at one moment is a `Moment`, which never changes. A change builds the next one aside (with a copy
of the match), writes it to the store, and only then puts it in the place of the present one: so nobody sees what is not
on disk, and a request that is refused, or a disk that is full, changes nothing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from typing import Any

from veillee.bots.hint import Hint as Advice
from veillee.bots.think import blind
from veillee.games import catalogue
from veillee.games.box import Box, Options
from veillee.kernel.chance import Rng
from veillee.kernel.state import NOT_YOU
from veillee.match import seal
from veillee.match.errors import HOUSE_RULES, Forbidden, VeilleeError
from veillee.match.hint import Hint, as_hint
from veillee.match.match import Match
from veillee.tables.errors import BadRequest, NoAdvice, NotNow, NotYours, Stale, StoreError, t
from veillee.tables.people import SUBSTITUTE, Guest, Seat, check_level, clean_luck, clean_name, distinct, name_for_bot
from veillee.tables.store import Conflict, Request, Row, Status, Store
from veillee.tables.workers import Advised, Job

log = logging.getLogger(__name__)

ADVISER = "expert"
ATTEMPTS = 3  # to write beside other processes that write


@dataclass(frozen=True)
class Moment:
    """A table at one moment: everything in it belongs together."""

    row: Row
    game: Match | None  # None while the table is waiting
    requests: int  # how many are on disk
    asked_at: tuple[int, ...]  # for each seat: the request since which it is asked what it is asked
    last: tuple[tuple[int, Request] | None, ...]  # each seat's latest request, and what its asked_at was then

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def box(self) -> Box:
        return catalogue.BOXES[self.row.game]

    @property
    def commitment(self) -> str:
        return seal.commitment(self.row.seed)

    @property
    def rematch_id(self) -> str:
        """The table where the same people play again, or empty."""
        return self.row.rematch

    @property
    def hints(self) -> bool:
        """May those who play ask for advice?"""
        return self.row.hints

    @property
    def rev(self) -> int:
        """Grows with every change that anybody could see."""
        return self.row.reseated + self.requests

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.row.seats

    @property
    def names(self) -> list[str]:
        """Of the seats, for the log; an open seat's is empty."""
        return [seat.name for seat in self.seats]

    @property
    def status(self) -> Status:
        return _status(self.game)

    @property
    def match(self) -> Match:
        """The match. Raises NotNow while the table is waiting."""
        if self.game is None:
            raise NotNow(t("The table is still waiting for somebody to sit down."))
        return self.game

    def stamp(self, seat: int) -> str:
        """What a form for this seat carries back (see Table.stamp). It tells nothing about what others are doing."""
        return _stamp(self.row.seed, seat, self.asked_at[seat])

    def seats_of(self, guest: Guest | None) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if guest is not None and seat.guest == guest.id]


class Table:
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
    ) -> None:
        self.id = row.id  # the invitation: whoever knows it may watch, and sit down on an open seat
        self.box: Box = catalogue.BOXES[row.game]
        self.options: Options = row.options
        self.hints = row.hints  # may those who play ask for advice?
        self.commitment = seal.commitment(row.seed)  # of the match's chance: published before anybody sits down
        self.created = datetime.fromtimestamp(row.created, UTC)
        self.now = _replay(self.box, row, requests)
        self._store = store
        self._changed = changed
        self._advise = advise
        self._lock = threading.Lock()  # held from reading the present moment to replacing it
        self._callbacks: list[Callable[[], None]] = []
        self._thinking: set[tuple[int, str]] = set()  # the (seat, stamp) that bots are thinking about
        self._hints: dict[int, tuple[str, Future[Hint]]] = {}  # each seat's latest, with the stamp of its question
        self._replayed: Match | None = None  # the last one that at() made

    # -- what everybody may see -----------------------------------------------------------------------------------
    @property
    def rev(self) -> int:
        """Grows with every change that anybody could see."""
        return self.now.rev

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
        """When it last changed."""
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

        def change(row: Row) -> Row:
            present = row.seats[seat]
            if present.guest == guest.id:
                return row  # a double click
            if present.kind != "open":
                raise NotNow(t("Somebody sits on that seat already."))
            taken = Seat("person", distinct(shown, [s.name for s in row.seats]), guest.id, SUBSTITUTE)
            return _placed(row, seat, taken, word)

        self._reseat(seat, change)

    def stand(self, guest: Guest, seat: int) -> None:
        """Give the seat back while the table is waiting."""

        def change(row: Row) -> Row:
            _check_owner(row.seats[seat], guest)
            if row.status != "waiting":
                raise NotNow(t("The game has begun: you can leave your seat to a bot."))
            return _placed(row, seat, Seat("open"))

        self._reseat(seat, change)

    def seat_bot(self, guest: Guest, seat: int, level: str = "regular") -> None:
        """Somebody who sits here puts a bot on an open seat."""
        check_level(level)

        def change(row: Row) -> Row:
            if guest.id not in [present.guest for present in row.seats]:
                raise NotYours(t("Only those who sit at the table can invite a bot."))
            if row.seats[seat].kind != "open":
                raise NotNow(t("Somebody sits on that seat already."))
            name = name_for_bot(row.id, [present.name for present in row.seats])
            return _placed(row, seat, Seat("bot", name, level=level))

        self._reseat(seat, change)

    def leave(self, guest: Guest, seat: int) -> None:
        """A bot takes over for somebody who leaves a running match."""
        self._reseat(seat, lambda row: self._set_away(row, seat, guest, away=True))

    def come_back(self, guest: Guest, seat: int) -> None:
        """The seat is the guest's own again."""
        self._reseat(seat, lambda row: self._set_away(row, seat, guest, away=False))

    # -- the match ----------------------------------------------------------------------------------------------
    def answer(self, guest: Guest, seat: int, stamp: str, actions: Sequence[int]) -> None:
        """Answer one question or several in a row: all or none. The same request again does nothing.

        Raises Stale, NotYours, NotNow, StoreError, or Forbidden (with the rule) from the match.
        """
        if not actions:
            raise BadRequest(t("There is no choice in this request."))
        self._request(guest, stamp, Request(seat, tuple(actions)))

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
        with self._lock:
            now = self.now
            _check_player(now, seat, guest)
            if not now.hints:
                raise NotNow(t("At this table everybody plays without hints."))
            if stamp != now.stamp(seat):
                raise Stale(t("The table has moved on: here is how it stands now."))
            if seat not in now.match.to_act:
                raise NotNow(HOUSE_RULES[NOT_YOU])
            known = self._hints.get(seat)
            if known is not None and known[0] == stamp and not _failed(known[1]):
                return known[1]
            future: Future[Hint] = Future()
            future.set_running_or_notify_cancel()  # others may wait for it too: nobody can cancel it
            job = _hint_job(now, seat)
            self._hints[seat] = (stamp, future)
        self._advise(job, partial(self._advised, now, seat, future))
        return future

    @property
    def moments(self) -> int:
        """How many answers at() can show."""
        match = self.now.game
        return 0 if match is None else len(match.answers if match.over else match.settled_answers)

    def at(self, n: int) -> Match:
        """The match after its first n answers. While it goes on, only as far as everybody has been shown."""
        match = self.match
        answers = match.answers if match.over else match.settled_answers
        if not 0 <= n <= len(answers):
            raise BadRequest(t("The game has {most} moments to look back at, no moment {n}.", n=n, most=len(answers)))
        known = self._replayed
        if known is not None and len(known.answers) <= n:
            past = known.copy()  # a slider goes forward more often than back
        else:
            past = Match(self.box, match.seats, match.options, match.seed, match.luck)
        for seat, action in answers[len(past.answers) : n]:
            past.play(seat, action)
        self._replayed = past
        return past

    def record(self) -> dict[str, Any]:
        """The finished game, seed revealed, for `veillee verify`. Raises NotNow before the end."""
        match = self.match
        if not match.over:
            raise NotNow(t("The game is handed out once it is over: until then its answers are secret."))
        return match.record()

    # -- changes ------------------------------------------------------------------------------------------------
    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back after every change, from whatever thread made it. The result ends the subscription."""
        with self._lock:
            self._callbacks = [*self._callbacks, callback]

        def unsubscribe() -> None:
            with self._lock:
                self._callbacks = [known for known in self._callbacks if known is not callback]

        return unsubscribe

    # -- for the house ------------------------------------------------------------------------------------------
    def bots_asked(self) -> list[tuple[str, Job]]:
        """What bots must think about that none is thinking about yet: with the stamp to answer with."""
        jobs = []
        with self._lock:
            now = self.now
            for seat in now.game.to_act if now.game is not None else ():
                stamp = now.stamp(seat)
                if now.seats[seat].by_bot and (seat, stamp) not in self._thinking:
                    self._thinking.add((seat, stamp))
                    jobs.append((stamp, _job(now, seat)))
        return jobs

    def bot_answers(self, seat: int, stamp: str, actions: Sequence[int]) -> None:
        """A bot has thought. What it says counts if its seat is still asked the same and still a bot's."""
        with self._lock:
            self._thinking.discard((seat, stamp))
            now = self.now
        if stamp != now.stamp(seat):
            return
        attempts = [tuple(actions), tuple(actions[:1]), self._drawn(now, seat)]
        for attempt in filter(None, attempts):
            try:
                self._request(None, stamp, Request(seat, attempt))
            except Forbidden as error:
                log.warning("At table %s a bot chose %s, which is forbidden: %s", self.id, attempt, error)
            except Stale:
                return
            else:
                return

    def rematch_is(self, table_id: str) -> None:
        """The store has it: show it to those who look at this table."""
        with self._lock:
            row = self.now.row
            if row.rematch == table_id:
                return
            self.now = replace(self.now, row=replace(row, rematch=table_id, reseated=row.reseated + 1))
        self._tell()

    def read_again(self) -> None:
        """Another process has changed this table."""
        with self._lock:
            self._read()
        self._tell()

    # -- inside -------------------------------------------------------------------------------------------------
    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < len(self.now.seats):
            raise BadRequest(t("There is no seat {seat} at this table.", seat=seat))

    def _request(self, guest: Guest | None, stamp: str, request: Request) -> None:
        """Carry out a guest's request, or a bot's (None)."""
        self._check_seat(request.seat)
        before = self.now
        try:
            with self._lock:
                for _ in range(ATTEMPTS):
                    now = self.now
                    _check_player(now, request.seat, guest)
                    if _is_repeated(now, stamp, request):
                        return
                    if stamp != now.stamp(request.seat):
                        raise Stale(t("The table has moved on: here is how it stands now."))
                    following = _after(now, request)
                    try:
                        row = self._store.append(following.row, following.requests, request)
                    except Conflict:
                        self._read()
                        continue
                    self.now = replace(following, row=row)
                    return
                raise StoreError(t("Too many changes at once: please try again."))
        finally:
            if self.now is not before:
                self._tell()

    def _reseat(self, seat: int, change: Callable[[Row], Row]) -> None:
        self._check_seat(seat)
        before = self.now
        try:
            with self._lock:
                for _ in range(ATTEMPTS):
                    now = self.now
                    row = change(now.row)
                    if row is now.row:
                        return
                    game = now.game or _start(self.box, row)
                    row = replace(row, status=_status(game), asked=game.to_act if game else ())
                    try:
                        row = self._store.reseat(row)
                    except Conflict:
                        self._read()
                        continue
                    self.now = replace(now, row=row, game=game)
                    return
                raise StoreError(t("Too many changes at once: please try again."))
        finally:
            if self.now is not before:
                self._tell()

    def _set_away(self, row: Row, seat: int, guest: Guest, *, away: bool) -> Row:
        present = row.seats[seat]
        _check_owner(present, guest)
        if row.status == "waiting":
            raise NotNow(t("The table is still waiting for somebody to sit down."))
        if row.status == "over":
            raise NotNow(t("The game is over."))
        return row if present.away == away else _placed(row, seat, replace(present, away=away), row.luck[seat])

    def _advised(self, asked: Moment, seat: int, future: Future[Hint], advice: Advice | None) -> None:
        """The expert has thought about the seat's question of that moment."""
        choices = {choice.id: choice for choice in asked.match.choices(seat)}
        if self.now.stamp(seat) != asked.stamp(seat):
            future.set_exception(Stale(t("The table has moved on: here is how it stands now.")))
        elif advice is None or not choices.keys() >= {weighed.action for weighed in advice.best}:
            future.set_exception(NoAdvice())
        else:
            future.set_result(as_hint(advice, choices))

    def _drawn(self, now: Moment, seat: int) -> tuple[int, ...]:
        """Any allowed choice, for when no bot could say one."""
        legal = now.match.state.legal(seat)
        return (legal[Rng(_bot_seed(now, seat)).below(len(legal))],)

    def _read(self) -> None:
        found = self._store.find_table(self.id)
        if found is not None:
            self.now = _replay(self.box, *found)

    def _tell(self) -> None:
        for callback in self._callbacks:
            try:
                callback()
            except Exception:  # one listener's trouble is not the others'
                log.exception("Somebody who follows table %s could not be told of a change.", self.id)
        self._changed(self)


def _start(box: Box, row: Row) -> Match | None:
    """The match of a table where every seat is taken."""
    if any(seat.kind == "open" for seat in row.seats):
        return None
    return Match(box, len(row.seats), row.options, row.seed, [word for word in row.luck if word])


def _status(game: Match | None) -> Status:
    if game is None:
        return "waiting"
    return "over" if game.over else "playing"


def _placed(row: Row, seat: int, taken: Seat, word: str = "") -> Row:
    seats = row.seats[:seat] + (taken,) + row.seats[seat + 1 :]
    return replace(row, seats=seats, luck=row.luck[:seat] + (word,) + row.luck[seat + 1 :])


def _replay(box: Box, row: Row, requests: Sequence[Request]) -> Moment:
    """The table as its answers make it."""
    seats, game = len(row.seats), _start(box, row)
    row = replace(row, status=_status(game), asked=game.to_act if game else ())
    now = Moment(row, game, 0, (0,) * seats, (None,) * seats)
    try:
        for request in requests:
            now = _next(now, now.match, request)
    except VeilleeError as error:
        said = t("Table {table} cannot be read: {reason}", table=row.id, reason=error)
        raise StoreError(said, error.rule) from None
    return now


def _after(now: Moment, request: Request) -> Moment:
    """The moment after the request, beside the present one."""
    return _next(now, now.match.copy(), request)


def _next(now: Moment, game: Match, request: Request) -> Moment:
    """Play the request on `game`, which may be now's own match if nobody looks at that any more."""
    question, to_act = game.state.question, game.to_act
    if request.actions:
        game.play(request.seat, *request.actions)
    elif not game.undo(request.seat):
        raise NotNow(t("There is nothing to take back: somebody has learned something since, or gone on."))
    number, same = now.requests + 1, game.state.question is question
    asked_at = tuple(
        since if same and seat != request.seat and (seat in to_act) == (seat in game.to_act) else number
        for seat, since in enumerate(now.asked_at)
    )
    mine = (now.asked_at[request.seat], request)
    last = now.last[: request.seat] + (mine,) + now.last[request.seat + 1 :]
    row = replace(now.row, status=_status(game), asked=game.to_act)
    return Moment(row, game, number, asked_at, last)


def _is_repeated(now: Moment, stamp: str, request: Request) -> bool:
    """Is this the seat's latest request once more, sent from the same board (a double click)?"""
    last = now.last[request.seat]
    return last is not None and last[1] == request and stamp == _stamp(now.row.seed, request.seat, last[0])


def _check_owner(seat: Seat, guest: Guest) -> None:
    if seat.guest != guest.id:
        raise NotYours(t("This is not your seat."))


def _check_player(now: Moment, seat: int, guest: Guest | None) -> None:
    """May this guest, or a bot (None), answer for the seat now?"""
    present = now.seats[seat]
    if guest is None:
        if not present.by_bot:
            raise Stale(t("The table has moved on: here is how it stands now."))
        return
    _check_owner(present, guest)
    if present.away:
        raise NotNow(t("A bot is playing for you: take your seat back first."))


def _job(now: Moment, seat: int) -> Job:
    seed = _bot_seed(now, seat)
    match = now.match
    return Job(match.box.id, blind(match.state, seat, seed), seat, now.seats[seat].level, seed)


def _hint_job(now: Moment, seat: int) -> Job:
    """Its seed depends on the question alone: what others secretly answer meanwhile must not show in the advice."""
    seed = int.from_bytes(_secret(now.row.seed, f"hint {seat} {now.asked_at[seat]}")[:6], "big")
    match = now.match
    return Job(match.box.id, blind(match.state, seat, seed), seat, ADVISER, seed)


def _failed(future: Future[Hint]) -> bool:
    return future.done() and future.exception() is not None


def _bot_seed(now: Moment, seat: int) -> int:
    return int.from_bytes(_secret(now.row.seed, f"bot {seat} {now.requests}")[:6], "big")


def _stamp(seed: bytes, seat: int, asked_at: int) -> str:
    return _secret(seed, f"stamp {seat} {asked_at}").hex()


def _secret(seed: bytes, text: str) -> bytes:
    """Bytes that nobody can foretell before the seed is revealed."""
    return blake2b(text.encode(), key=seed, digest_size=8).digest()
