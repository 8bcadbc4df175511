"""Moderation: bans of guests and addresses, muted guests, closed tables, and a log of all acts.

Moderators use `veillee admin`, which works on the database, whether the house is running or not. Every act is one
transaction with its entry in the log (`acts`). The processes of the house poll that log every few seconds and apply new
entries to what they hold in memory.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Literal

import sqlalchemy as sa

from veillee.house.accounts.client_address import network
from veillee.house.accounts.names import clean_name, keep_visible_characters, make_distinct
from veillee.house.errors import BadRequest, Banned, NotFound, t
from veillee.house.storage.schema import acts, bans, guests, reports, seats, tables, talk, tokens
from veillee.house.storage.store import Store

Kind = Literal["guest", "address", "mute", "table"]
DAY_SECONDS = 86_400.0
LONGEST_WHY = 200
MAX_LISTED_ENTRIES = 200
# Inoffensive names for guests whose own name was removed.
PLAIN_NAMES = ("Braise", "Chandelle", "Escarbille", "Étincelle", "Flambeau", "Lanterne", "Luciole", "Tison")


@dataclass(frozen=True)
class Ban:
    """Ban of a guest, an address, a guest's chat messages or a table. `until`: when it ends; 0: never."""

    kind: Kind
    whom: str
    why: str
    until: float
    created: float


@dataclass(frozen=True)
class ModerationEntry:
    """Entry of the moderation log."""

    id: int
    at: float
    who: str
    what: str
    whom: str
    why: str


class BanList:
    """Bans as one process of the house knows them. Safe to use from any thread."""

    def __init__(self, store: Store, heard: Callable[[ModerationEntry], None]) -> None:
        """heard: called with each new act of a moderator, at most some seconds later."""
        self._store = store
        self._on_change = heard
        self._lock = threading.Lock()  # serialises look()
        self._loaded_at = -1  # id of the last log entry read
        self._bans: dict[tuple[str, str], Ban] = {}

    def refresh(self) -> None:
        """Polls the log for new acts. Raises StoreError."""
        with self._lock:
            with self._store.reading() as db:
                last = db.execute(sa.select(sa.func.max(acts.c.id))).scalar() or 0
                if last == self._loaded_at:
                    return
                new = [] if self._loaded_at < 0 else _select_acts(db, acts.c.id > self._loaded_at)
                self._bans = {(ban.kind, ban.whom): ban for ban in _select_bans(db)}
            self._loaded_at = last
        for act in reversed(new):
            self._on_change(act)

    def check(self, kind: Kind, whom: str) -> None:
        """Checks that this guest, address or table is not banned. Raises ShownTheDoor."""
        if not self._bans:
            return
        ban = self._bans.get((kind, whom))
        if ban is not None and not (ban.until and ban.until <= self._store.now()):
            raise Banned(_closed_notice(ban.why) if kind == "table" else _ban_notice(ban.why))

    def is_closed(self, table_id: str) -> bool:
        return ("table", table_id) in self._bans


def _ban_notice(why: str) -> Any:
    if why:
        return t("You have been banned: {why}", why=why)
    return t("You have been banned.")


def _closed_notice(why: str) -> Any:
    if why:
        return t("A moderator has closed this table: {why}", why=why)
    return t("A moderator has closed this table.")


def is_silenced(db: sa.Connection, guest: str, now: float) -> bool:
    """Returns whether the guest is muted."""
    mine = sa.and_(bans.c.kind == "mute", bans.c.whom == guest)
    until = db.execute(sa.select(bans.c.until).where(mine)).scalar()
    return until is not None and (until == 0 or until > now)


# -- acts: each is one transaction, with its entry in the log ----------------------------------------------------------
@dataclass(frozen=True)
class Moderator:
    """A moderator."""

    store: Store
    name: str

    def ban(self, kind: Kind, whom: str, why: str = "", days: float = 0) -> None:
        """Bans a guest, an address, a guest's chat messages (mute), or a table, for so many days or for ever. Raises
        NotHere."""
        why = keep_visible_characters(why)[:LONGEST_WHY]
        now = self.store.now()
        with self.store.writing() as db:
            whom = self._resolve_target(db, kind, whom)
            db.execute(bans.delete().where(bans.c.kind == kind, bans.c.whom == whom))
            until = now + days * DAY_SECONDS if days else 0.0
            db.execute(bans.insert().values(kind=kind, whom=whom, why=why, until=until, created=now))
            self._record_act(db, ACT_NAMES[kind][0], whom, why)
            if kind == "guest":
                self.store.notify_guest(db, whom)

    def lift(self, kind: Kind, whom: str, why: str = "") -> None:
        """Lifts a ban. Raises NotHere."""
        with self.store.writing() as db:
            whom = parse_address(whom) if kind == "address" else whom
            if not db.execute(bans.delete().where(bans.c.kind == kind, bans.c.whom == whom)).rowcount:
                raise NotFound(t("There is nothing to lift from {whom}.", whom=whom))
            self._record_act(db, ACT_NAMES[kind][1], whom, why)

    def remove_message(self, table_id: str, number: int, why: str = "") -> None:
        """Deletes the text of a message; its entry stays. Raises NotHere."""
        here = sa.and_(talk.c.table_id == table_id, talk.c.number == number)
        with self.store.writing() as db:
            if not db.execute(talk.update().where(here).values(words="", gesture="")).rowcount:
                raise NotFound(t("Nobody said that, or it is long ago."))
            self._record_act(db, "message", f"{table_id} {number}", why)
            self.store.notify_chat(db, table_id)

    def rename(self, guest: str, name: str = "", why: str = "") -> str:
        """Renames a guest at all tables, finished ones too; without a name, to an inoffensive one. Raises NotHere,
        BadRequest."""
        shown = clean_name(name) if name else secrets.choice(PLAIN_NAMES)
        with self.store.writing() as db:
            self._resolve_target(db, "guest", guest)
            was: str = db.execute(sa.select(guests.c.name).where(guests.c.id == guest)).scalar_one()
            db.execute(guests.update().where(guests.c.id == guest).values(name=shown, chosen=bool(name)))
            for table_id in self._rename_seats(db, guest, was, shown):
                changed = tables.update().where(tables.c.id == table_id)
                db.execute(changed.values(reseated=tables.c.reseated + 1))
                self.store.notify_table(db, table_id)
            db.execute(talk.update().where(talk.c.guest == guest).values(name=shown))
            self._record_act(db, "rename", guest, why)
            self.store.notify_guest(db, guest)
        return shown

    def _rename_seats(self, db: sa.Connection, guest: str, was: str, shown: str) -> set[str]:
        """Renames the guest's own seats and returns the tables where that changed any. Friends at the same screen keep
        their names."""
        own = re.compile(re.escape(was) + r"( \d+)?")
        at = sa.select(seats.c.table_id).where(seats.c.guest == guest)
        around: dict[str, list[Any]] = defaultdict(list)
        for seat in db.execute(sa.select(seats).where(seats.c.table_id.in_(at)).order_by(seats.c.seat)):
            around[seat.table_id].append(seat)
        changed = set()
        for table_id, company in around.items():
            mine = [seat for seat in company if seat.guest == guest and own.fullmatch(seat.name)]
            names = [seat.name for seat in company if seat not in mine]
            for seat in mine:
                names.append(make_distinct(shown, names))
                this = sa.and_(seats.c.table_id == table_id, seats.c.seat == seat.seat)
                db.execute(seats.update().where(this).values(name=names[-1]))
                changed.add(table_id)
        return changed

    def settle(self, report: int, why: str = "") -> None:
        """Marks a report as settled and deletes the address stored with it. Raises NotHere."""
        this = sa.and_(reports.c.id == report, reports.c.settled == 0)
        with self.store.writing() as db:
            done = {"settled": self.store.now(), "address": ""}
            if not db.execute(reports.update().where(this).values(done)).rowcount:
                raise NotFound(t("There is no report {report} that waits.", report=report))
            self._record_act(db, "settle", str(report), why)

    def _resolve_target(self, db: sa.Connection, kind: Kind, whom: str) -> str:
        """Returns the target's id, normalised for addresses, after checking that it exists. Raises NotHere,
        BadRequest."""
        if kind == "address":
            return parse_address(whom)
        column = tables.c.id if kind == "table" else guests.c.id
        if db.execute(sa.select(column).where(column == whom)).first() is None:
            there = (
                t("There is no table {whom}.", whom=whom)
                if kind == "table"
                else t("There is no guest {whom}.", whom=whom)
            )
            raise NotFound(there)
        return whom

    def _record_act(self, db: sa.Connection, what: str, whom: str, why: str) -> None:
        line = {
            "at": self.store.now(),
            "who": keep_visible_characters(self.name)[:60],
            "what": what,
            "whom": whom,
            "why": keep_visible_characters(why),
        }
        db.execute(acts.insert().values(line))


ACT_NAMES: dict[Kind, tuple[str, str]] = {
    "guest": ("ban", "unban"),
    "address": ("ban address", "unban address"),
    "mute": ("mute", "unmute"),
    "table": ("close", "open"),
}


def parse_address(text: str) -> str:
    """Returns the address that a ban goes by (client_address.py). Raises BadRequest."""
    try:
        ip_address(text.strip())
    except ValueError:
        raise BadRequest(t("{text} is not a valid address.", text=text)) from None
    return network(text.strip())


# -- queries -----------------------------------------------------------------------------------------------------------
def load_acts(store: Store) -> list[ModerationEntry]:
    """Returns the log, latest first."""
    with store.reading() as db:
        return _select_acts(db, sa.true())


def load_bans(store: Store) -> list[Ban]:
    with store.reading() as db:
        return _select_bans(db)


def load_reports(store: Store, *, settled: bool = False) -> list[dict[str, Any]]:
    """Returns the open reports, oldest first; with `settled` all of them."""
    query = sa.select(reports).order_by(reports.c.created).limit(MAX_LISTED_ENTRIES)
    with store.reading() as db:
        rows = db.execute(query if settled else query.where(reports.c.settled == 0))
        return [dict(row._mapping) for row in rows]  # noqa: SLF001 (SQLAlchemy's own name for it)


def find_guests(store: Store, name: str = "") -> list[dict[str, Any]]:
    """Returns guests whose names contain this text, latest visit first, with the number of their seats."""
    sits = sa.select(sa.func.count()).where(seats.c.guest == guests.c.id).scalar_subquery()
    here = sa.select(sa.func.max(tokens.c.used)).where(tokens.c.guest == guests.c.id).scalar_subquery()
    query = sa.select(guests.c.id, guests.c.name, guests.c.created, here.label("here"), sits.label("seats"))
    if name:
        query = query.where(guests.c.name.icontains(name, autoescape=True))
    with store.reading() as db:
        rows = db.execute(query.order_by(here.desc().nulls_last()).limit(MAX_LISTED_ENTRIES))
        return [dict(row._mapping) for row in rows]  # noqa: SLF001


def _select_acts(db: sa.Connection, which: sa.ColumnElement[bool]) -> list[ModerationEntry]:
    rows = db.execute(sa.select(acts).where(which).order_by(acts.c.id.desc()).limit(MAX_LISTED_ENTRIES))
    return [ModerationEntry(row.id, row.at, row.who, row.what, row.whom, row.why) for row in rows]


def _select_bans(db: sa.Connection) -> list[Ban]:
    rows = db.execute(sa.select(bans).order_by(bans.c.created))
    return [Ban(row.kind, row.whom, row.why, row.until, row.created) for row in rows]
