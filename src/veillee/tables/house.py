"""The house: its guests, its tables, its bots and its store. What the web and the command line talk to."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from weakref import WeakValueDictionary

from veillee.games import catalogue
from veillee.games.box import Box, Options
from veillee.games.first_game import first_game
from veillee.games.owners import bring, check_text
from veillee.match import seal
from veillee.match.contents import missing, named, played
from veillee.match.errors import VeilleeError
from veillee.match.match import complete
from veillee.tables.errors import BadRequest, NoTable, NotNow, NotYours, StoreError, t
from veillee.tables.pace import Pace
from veillee.tables.people import (
    SUBSTITUTE,
    Guest,
    Seat,
    SeatPlan,
    check_level,
    clean_luck,
    clean_name,
    distinct,
    name_for_bot,
)
from veillee.tables.prompter import Prompter, line
from veillee.tables.store import Conflict, Row, Status, Store
from veillee.tables.table import Table
from veillee.tables.workers import Advised, AtOnce, Job, Processes, Thinkers

log = logging.getLogger(__name__)

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that could be taken for another
TABLE_ID = re.compile(f"[{LETTERS}]{{4}}(-[{LETTERS}]{{4}}){{2}}")  # 59 bits: nobody finds a table by trying
TOKEN_BYTES = 32
LONGEST = 3.0  # seconds that a bot waits for what happened before to be shown: who has skipped it waits no longer
AGAIN = 5.0  # seconds after which a bot whose answer could not be written tries again
KEPT = 256  # tables that stay in memory though nobody looks at them


@dataclass(frozen=True)
class Glance:
    """A table in a list: enough to show it, without replaying its game."""

    id: str
    box: Box
    options: Options
    seats: Sequence[Seat]
    status: Status
    asked: tuple[int, ...]  # the seats whose turn it is, as far as everybody may know
    created: datetime
    touched: datetime  # the last change before everybody's eyes
    hints: bool  # may those who play ask for advice?

    def seats_of(self, guest: Guest | None) -> list[int]:
        """The seats of the guest."""
        return [number for number, seat in enumerate(self.seats) if guest is not None and seat.guest == guest.id]


class House:
    """Safe to use from any thread. Nothing is acknowledged before it is on disk."""

    def __init__(self, store: Store, thinkers: Thinkers, pause: float) -> None:
        """Use House.open()."""
        self.store = store
        self.pause = pause
        self.pace = Pace(thinkers)
        self._thinkers = thinkers
        self._prompter = Prompter()
        self._closed = threading.Event()
        self._resuming = threading.Thread(target=self.resume, name="resume", daemon=True)
        self._lock = threading.Lock()  # of the two below
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()  # one object per table that is in use
        self._kept: OrderedDict[str, Table] = OrderedDict()  # the latest asked for, so that they need no replay

    @classmethod
    def open(cls, place: str | Path, *, workers: int | None = None, pause: float = 0.6) -> House:
        """Open the store (a folder, a SQLite file or a database URL), and go on with what was being played.

        workers: how many processes think for the bots (by default one less than the machine has processors, at least
        one); 0: bots say their first idea at once, in the thread of whoever changed the table (tests, tools).
        pause: how long a bot waits before it answers, when people have been shown what happened before: they can follow,
        and change their minds.
        Raises StoreError.
        """
        store = Store.open(place)
        number = max(1, (os.cpu_count() or 1) - 1) if workers is None else workers
        house = cls(store, Processes(number) if number else AtOnce(), pause if number else 0.0)
        if number:
            house._resuming.start()
        else:
            house.resume()
        return house

    def close(self) -> None:
        """Stop the bots and close the store. Nothing is lost by not calling it."""
        self._closed.set()
        if self._resuming.is_alive():
            self._resuming.join()
        self.pace.stop()
        self._thinkers.close()
        self.store.close()

    # -- guests -------------------------------------------------------------------------------------------------
    def new_guest(self, name: str) -> Guest:
        """A guest with a fresh cookie token (in .token, this once). Raises BadRequest for a name that cannot be shown."""
        guest = Guest(secrets.token_hex(8), clean_name(name), secrets.token_urlsafe(TOKEN_BYTES))
        self.store.add_guest(guest.id, guest.name, _hash(guest.token))
        return guest

    def guest(self, token: str) -> Guest | None:
        """Whose cookie this is; None for anything that is no cookie of ours."""
        found = self.store.find_guest(_hash(token), "cookie")
        return Guest(*found) if found else None

    def rename(self, guest: Guest, name: str) -> Guest:
        """The guest under a new name. Seats that they have taken keep the name they were taken under."""
        shown = clean_name(name)
        self.store.rename(guest.id, shown)
        return Guest(guest.id, shown)

    def recovery(self, guest: Guest) -> str:
        """A fresh recovery token, for a link to keep. It replaces the one made before: make it when asked (POST)."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self.store.add_token(guest.id, _hash(token), "recovery")
        return token

    def recover(self, token: str) -> Guest:
        """The guest of a recovery token, with a new cookie token (in .token) for this device. Raises BadRequest."""
        found = self.store.find_guest(_hash(token), "recovery")
        if found is None:
            raise BadRequest(t("This recovery link is not, or no longer, valid."))
        guest = Guest(*found, token=secrets.token_urlsafe(TOKEN_BYTES))
        self.store.add_token(guest.id, _hash(guest.token), "cookie")
        return guest

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
        hints: bool = True,
    ) -> Table:
        """A table with one seat per plan. It starts at once if no seat is open. public: shown in open_tables().

        hints: those who play may ask for advice (Table.hint).
        luck: the guest's word for the shuffle. Raises BadRequest, or veillee.match.errors.Unknown for an option that
        the game does not have.
        """
        return self._set_up(guest, _find(game), plans, options or {}, luck, public=public, hints=hints)

    def play_now(self, guest: Guest, game: str) -> Table:
        """The guest against regular bots, as many as the box says at least."""
        box = _find(game)
        others = max(box.players[0], min(3, box.players[-1])) - 1
        plans = [SeatPlan("me")] + [SeatPlan("bot")] * others
        return self._set_up(guest, box, plans, {}, "", public=False, hints=True)

    def first_game(self, guest: Guest, game: str) -> Table:
        """The guest's guided first game: a deal chosen for teaching, bots that play their parts. Raises BadRequest."""
        box = _find(game)
        first = first_game(box)
        if first is None:
            raise BadRequest(t("{game} has no guided first game yet.", game=box.title))
        plans = [SeatPlan("me" if seat == first.me else "bot", level=first.level) for seat in range(first.seats)]
        return self._set_up(guest, box, plans, first.options, "", public=False, hints=True, deal=first.seed)

    def table(self, table_id: str) -> Table:
        """The table of that name. Raises NoTable."""
        with self._lock:
            table = self._tables.get(table_id)
            if table is None:
                table = self._read(table_id)
            self._keep(table)
        self._wake(table)
        return table

    def my_tables(self, guest: Guest) -> list[Glance]:
        """Where the guest sits, the latest change first."""
        return _glances(self.store.tables_of(guest.id))

    def open_tables(self, game: str | None = None) -> list[Glance]:
        """Public tables that wait for somebody where somebody sits, the latest change first."""
        box = _find(game) if game is not None else None
        rows = [row for row in self.store.tables_that_wait() if any(seat.guest for seat in row.seats)]
        return [glance for glance in _glances(rows) if box is None or glance.box is box]

    def rematch(self, guest: Guest, table: Table) -> Table:
        """The same people again, each one seat further round. The first who asks makes it, the others join it."""
        if table.status != "over":
            raise NotNow(t("A rematch can be asked for once the game is over."))
        mine = table.seats_of(guest)
        if not mine:
            raise NotYours(t("Only those who played can ask for a rematch."))
        if not table.rematch_id:
            plans = [_again(seat, number, mine) for number, seat in enumerate(table.seats)]
            plans = plans[1:] + plans[:1]
            try:
                again = self._set_up(
                    guest, table.box, plans, table.options, "", public=False, hints=table.hints, rematch_of=table.id
                )
            except Conflict:
                table.read_again()
            else:
                table.rematch_is(again.id)
                return again
        again = self.table(table.rematch_id)
        for number in mine:
            place = (number - 1) % len(again.seats)
            if again.seats[place].kind == "open":
                with contextlib.suppress(NotNow):  # somebody was faster: one can still watch
                    again.sit(guest, place, table.seats[number].name)
        return again

    def resume(self) -> None:
        """Let the bots go on at every table where they sit."""
        for table_id in self.store.tables_of_bots():
            if self._closed.is_set():
                return
            try:
                self.table(table_id)
            except VeilleeError as error:
                log.warning("Table %s cannot go on: %s", table_id, error)

    # -- inside -------------------------------------------------------------------------------------------------
    def _set_up(
        self,
        guest: Guest,
        box: Box,
        plans: Sequence[SeatPlan],
        options: Mapping[str, str],
        luck: str,
        *,
        public: bool,
        hints: bool,
        rematch_of: str = "",
        deal: int | None = None,
    ) -> Table:
        """`deal`: that of a guided first game, which everybody may know."""
        if len(plans) not in box.players:
            fewest, most = box.players[0], box.players[-1]
            raise BadRequest(
                t("This game is for {fewest} to {most} players, not {n}.", fewest=fewest, most=most, n=len(plans))
            )
        if [plan.kind for plan in plans].count("me") > 1:
            raise BadRequest(t("You can sit on one seat only; friends at the same screen have names of their own."))
        # a rematch is played with the same content, a first game with what lies in the box
        agreed = complete(box, options, begun=bool(rematch_of) or deal is not None)
        self._keep_content(box, agreed)
        table_id = _new_id()
        seats = _seats(table_id, guest, plans)
        words = tuple(clean_luck(luck) if plan.kind == "me" else "" for plan in plans)
        now = time.time()
        row = Row(
            id=table_id,
            game=box.id,
            version=box.version,
            options=agreed,
            seed=seal.new_seed() if deal is None else seal.seed_from(deal),
            public=public,
            status="waiting",
            asked=(),
            reseated=0,
            rematch="",
            hints=hints,
            created=now,
            touched=now,
            seats=seats,
            luck=words,
            guide="" if deal is None else "on",
        )
        table = Table(self.store, row, (), self._wake, self._advise)
        self.store.add_table(table.now.row, rematch_of)
        with self._lock:
            self._keep(table)
        self._wake(table)
        return table

    def _read(self, table_id: str) -> Table:
        found = self.store.find_table(table_id) if TABLE_ID.fullmatch(table_id) else None
        if found is None:
            raise NoTable(t("There is no table {table}: is the link complete?", table=repr(table_id)[:40]))
        row, requests = found
        box = catalogue.BOXES.get(row.game)
        if box is None or row.version not in box.versions:
            raise NoTable(t("This table was begun under older rules, which this house no longer plays."))
        self._find_content(box, row.options)
        if (why := missing(box, row.options)) is not None:
            raise NoTable(why)
        return Table(self.store, row, requests, self._wake, self._advise)

    def _keep_content(self, box: Box, options: Options) -> None:
        """An owner's file that a table will be played with, so that the table does not need the file any more."""
        if (own := played(box, options)) is not None:
            self.store.keep_content(box.id, named(box, options), own.file, own.text)

    def _find_content(self, box: Box, options: Options) -> None:
        """What a table is played with, if nobody has brought it since: as it was when the table was opened."""
        if missing(box, options) is None:
            return
        found = self.store.find_content(box.id, named(box, options))
        if found is not None:
            bring(check_text(*found), offered=False)

    def _keep(self, table: Table) -> None:
        self._tables[table.id] = table
        self._kept[table.id] = table
        self._kept.move_to_end(table.id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _wake(self, table: Table) -> None:
        """Have somebody think for every bot that is asked."""
        if self._closed.is_set():
            return
        asked = table.bots_asked()
        if not asked:
            return
        due = time.monotonic() + self.pause + (min(LONGEST, table.shown_for()) if self.pause else 0.0)
        for stamp, job in asked:
            done = partial(self._thought, table, job.seat, stamp, due)
            answer = line(table.now, job.seat)
            if answer is None:
                self._thinkers.submit(job, done)
            else:
                self._prompter.whisper(answer, done)

    def _advise(self, job: Job, done: Advised) -> None:
        self._thinkers.advise(job, done)

    def _thought(self, table: Table, seat: int, stamp: str, due: float, actions: Sequence[int]) -> None:
        """A bot knows what it wants: it says so when it is due. Others may think meanwhile."""
        wait = due - time.monotonic() if self.pause else 0.0
        if wait > 0:
            _later(wait, partial(self._bot_answers, table, seat, stamp, actions))
        else:
            self._bot_answers(table, seat, stamp, actions)

    def _bot_answers(self, table: Table, seat: int, stamp: str, actions: Sequence[int]) -> None:
        if self._closed.is_set():
            return
        try:
            table.bot_answers(seat, stamp, actions)
        except StoreError as error:
            log.warning("A bot's answer at table %s is not saved, it will think again: %s", table.id, error)
            _later(AGAIN, partial(self._wake, table))


def _later(seconds: float, do: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, do)
    timer.daemon = True
    timer.start()


def _find(game: str) -> Box:
    box = catalogue.find(game)
    if box is None:
        raise BadRequest(t("There is no game {game} on the shelf.", game=repr(game)[:40]))
    return box


def _seats(table_id: str, guest: Guest, plans: Sequence[SeatPlan]) -> tuple[Seat, ...]:
    """The seats as planned: people first choose their names, bots take what is left."""
    names: list[str] = [""] * len(plans)
    for number, plan in enumerate(plans):
        if plan.kind in ("me", "hotseat"):
            names[number] = distinct(clean_name(plan.name or guest.name), names)
    seats = []
    for number, plan in enumerate(plans):
        match plan.kind:
            case "me" | "hotseat":
                seats.append(Seat("person", names[number], guest.id, SUBSTITUTE))
            case "bot":
                names[number] = distinct(clean_name(plan.name), names) if plan.name else name_for_bot(table_id, names)
                seats.append(Seat("bot", names[number], level=check_level(plan.level)))
            case "open":
                seats.append(Seat("open"))
            case _:
                raise BadRequest(
                    t("A seat is for you, a bot, a friend at this screen, or open: not {kind}.", kind=plan.kind)
                )
    return tuple(seats)


def _again(seat: Seat, number: int, mine: Sequence[int]) -> SeatPlan:
    """The seat of a rematch that somebody with the seats `mine` sets up."""
    if seat.kind == "bot":
        return SeatPlan("bot", seat.name, seat.level)
    if number not in mine:
        return SeatPlan("open")
    return SeatPlan("me" if number == mine[0] else "hotseat", seat.name)


def _glances(rows: Sequence[Row]) -> list[Glance]:
    return [
        Glance(
            row.id,
            catalogue.BOXES[row.game],
            row.options,
            row.seats,
            row.status,
            row.asked,
            datetime.fromtimestamp(row.created, UTC),
            datetime.fromtimestamp(row.touched, UTC),
            row.hints,
        )
        for row in rows
        if row.game in catalogue.BOXES
    ]


def _new_id() -> str:
    letters = [secrets.choice(LETTERS) for _ in range(12)]
    return "-".join("".join(letters[i : i + 4]) for i in (0, 4, 8))


def _hash(token: str) -> str:
    """What the store keeps of a token: with 256 bits of chance in it, one hash is enough."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()
