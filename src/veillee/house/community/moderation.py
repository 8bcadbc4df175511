"""Moderation: bans of guests and addresses, muted guests, closed tables, and a log of all acts.

Moderators use `veillee admin`, which works on the database, whether the house is running or not, or, as guests with the
role of an operator, the page /admin. Every act is one
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
from veillee.house.accounts.entry_links import (
    OPERATOR_LINK_DAYS,
    make_entry_link,
    revoke_entry_link,
    use_entry_link,
)
from veillee.house.accounts.names import clean_name, keep_visible_characters, make_distinct
from veillee.house.errors import BadRequest, Banned, NotFound, t
from veillee.house.storage.schema import (
    acts,
    bans,
    circle_members,
    circle_tables,
    guests,
    presence,
    reports,
    roles,
    seats,
    tables,
    talk,
    tokens,
)
from veillee.house.storage.store import Store

Kind = Literal["guest", "address", "mute", "table"]
DAY_SECONDS = 86_400.0
LONGEST_WHY = 200
MAX_LISTED_ENTRIES = 200
MAX_LISTED_TABLES = 60
PRESENT_SECONDS = 90.0  # since a guest was last seen: presence is written every 30 s
OPERATOR = "operator"  # the role
INVITATION_DAYS = 30.0
CIRCLE_REPORT = 0  # in place of a message's number: the report is about a circle (house/circles/moderation.py)
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


def is_muted_in_circle(db: sa.Connection, guest: str, table_id: str) -> bool:
    """Returns whether the guest is muted in the circle of that table."""
    query = (
        sa.select(circle_members.c.muted)
        .join(circle_tables, circle_tables.c.circle == circle_members.c.circle)
        .where(circle_tables.c.table_id == table_id, circle_members.c.guest == guest, circle_members.c.muted)
    )
    return db.execute(query).first() is not None


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
            self.record_act(db, ACT_NAMES[kind][0], whom, why)
            if kind == "guest":
                self.store.notify_guest(db, whom)

    def lift(self, kind: Kind, whom: str, why: str = "") -> None:
        """Lifts a ban. Raises NotHere."""
        with self.store.writing() as db:
            whom = parse_address(whom) if kind == "address" else whom
            if not db.execute(bans.delete().where(bans.c.kind == kind, bans.c.whom == whom)).rowcount:
                raise NotFound(t("{whom} is neither banned nor muted.", whom=whom))
            self.record_act(db, ACT_NAMES[kind][1], whom, why)

    def remove_message(self, table_id: str, number: int, why: str = "") -> None:
        """Deletes the text of a message; its entry stays. Raises NotHere."""
        here = sa.and_(talk.c.table_id == table_id, talk.c.number == number)
        with self.store.writing() as db:
            if not db.execute(talk.update().where(here).values(words="", gesture="")).rowcount:
                raise NotFound(t("Nobody said that, or it is long ago."))
            self.record_act(db, "message", f"{table_id} {number}", why)
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
            self.record_act(db, "rename", guest, why)
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
            self.record_act(db, "settle", str(report), why)

    # -- who comes in ---------------------------------------------------------------------------------------------
    def invite(self, guests: int = 1, days: float = INVITATION_DAYS, why: str = "") -> str:
        """Makes an invitation to the house for so many new guests; returns the token of its link. Raises BadRequest."""
        with self.store.writing() as db:
            token = make_entry_link(db, "invitation", self.store.now(), days=days, uses=guests)
            self.record_act(db, "invite", str(guests), why)
        return token

    def make_operator_link(self, why: str = "") -> str:
        """Makes a link that gives its guest the role of an operator, once, within a day; returns its token."""
        with self.store.writing() as db:
            token = make_entry_link(db, "operator", self.store.now(), days=OPERATOR_LINK_DAYS)
            self.record_act(db, "operator link", "", why)
        return token

    def revoke_link(self, link: str, why: str = "") -> None:
        """Revokes an invitation or operator link that can still be used. Raises NotFound."""
        with self.store.writing() as db:
            if not revoke_entry_link(db, link):
                raise NotFound(t("There is no such link, or no longer."))
            self.record_act(db, "revoke", link, why)

    def become_operator(self, token: str, guest: str) -> None:
        """Gives this guest the role of an operator link, which is used up. Raises BadRequest."""
        now = self.store.now()
        with self.store.writing() as db:
            use_entry_link(db, "operator", token, now)
            db.execute(roles.delete().where(roles.c.guest == guest))
            db.execute(roles.insert().values(guest=guest, role=OPERATOR, since=now))
            self.record_act(db, "operator", guest, "")

    def dismiss(self, guest: str, why: str = "") -> None:
        """Takes the role of an operator from a guest. Raises NotFound."""
        with self.store.writing() as db:
            if not db.execute(roles.delete().where(roles.c.guest == guest)).rowcount:
                raise NotFound(t("There is no operator {whom}.", whom=guest))
            self.record_act(db, "dismiss", guest, why)
            self.store.notify_guest(db, guest)

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

    def record_act(self, db: sa.Connection, what: str, whom: str, why: str) -> None:
        """Writes an entry of the log, in the transaction of the act."""
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


def kind_of(whom: str) -> Kind:
    """Returns whether it is an address or a guest's id: addresses have dots or colons, ids have none."""
    return "address" if "." in whom or ":" in whom else "guest"


def parse_address(text: str) -> str:
    """Returns the address that a ban goes by (client_address.py). Raises BadRequest."""
    try:
        ip_address(text.strip())
    except ValueError:
        raise BadRequest(t("{text} is not a valid address.", text=text)) from None
    return network(text.strip())


# -- operators ---------------------------------------------------------------------------------------------------------
def is_operator(store: Store, guest: str) -> bool:
    """Returns whether the guest is an operator. Read from the database each time: a dismissal holds at once."""
    query = sa.select(roles.c.guest).where(roles.c.guest == guest, roles.c.role == OPERATOR)
    with store.reading() as db:
        return db.execute(query).first() is not None


def load_operators(store: Store) -> list[dict[str, Any]]:
    """Returns the operators: id, name, since when."""
    query = sa.select(guests.c.id, guests.c.name, roles.c.since).join(roles, roles.c.guest == guests.c.id)
    with store.reading() as db:
        return [dict(row._mapping) for row in db.execute(query.order_by(roles.c.since))]  # noqa: SLF001


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


def load_present(store: Store) -> list[dict[str, Any]]:
    """Returns the guests who are at tables of several people: id, name, table, when they were last seen there."""
    since = store.now() - PRESENT_SECONDS
    query = sa.select(guests.c.id, guests.c.name, presence.c.table_id, presence.c.seen)
    query = query.join(guests, guests.c.id == presence.c.guest).where(presence.c.seen > since)
    query = query.join(tables, tables.c.id == presence.c.table_id)  # not a circle, where guests are present, too
    with store.reading() as db:
        rows = db.execute(query.order_by(presence.c.seen.desc()).limit(MAX_LISTED_ENTRIES))
        return [dict(row._mapping) for row in rows]  # noqa: SLF001


def load_tables(store: Store) -> list[dict[str, Any]]:
    """Returns the tables with the latest public changes where a guest sits: id, game, status, who sits there."""
    query = sa.select(tables.c.id, tables.c.game, tables.c.status, tables.c.public, tables.c.touched)
    seated = tables.c.id.in_(sa.select(seats.c.table_id).where(seats.c.guest.is_not(None)))
    with store.reading() as db:
        rows = db.execute(query.where(seated).order_by(tables.c.touched.desc()).limit(MAX_LISTED_TABLES)).all()
        around: dict[str, list[str]] = defaultdict(list)
        there = sa.select(seats.c.table_id, seats.c.name).where(seats.c.table_id.in_([row.id for row in rows]))
        for seat in db.execute(there.where(seats.c.guest.is_not(None)).order_by(seats.c.seat)):
            around[seat.table_id].append(seat.name)
    return [dict(row._mapping) | {"names": around[row.id]} for row in rows]  # noqa: SLF001


def _select_acts(db: sa.Connection, which: sa.ColumnElement[bool]) -> list[ModerationEntry]:
    rows = db.execute(sa.select(acts).where(which).order_by(acts.c.id.desc()).limit(MAX_LISTED_ENTRIES))
    return [ModerationEntry(row.id, row.at, row.who, row.what, row.whom, row.why) for row in rows]


def _select_bans(db: sa.Connection) -> list[Ban]:
    rows = db.execute(sa.select(bans).order_by(bans.c.created))
    return [Ban(row.kind, row.whom, row.why, row.until, row.created) for row in rows]
