"""Chat at a table: short messages, and gestures.

It is stored apart from the game: no record, view, bot or revision number of the table depends on it. Players see the
messages of players, spectators see all; spectators' messages are hidden from the players while the game is played (ADR
22). With several processes, LISTEN/NOTIFY announces new messages (house/cluster/peers.py).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast
from weakref import WeakValueDictionary

import sqlalchemy as sa

from veillee.games.box import Box
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import keep_visible_characters
from veillee.house.community.moderation import is_muted_in_circle, is_silenced
from veillee.house.errors import BadRequest, NotFound, NotNow, NotYours, t
from veillee.house.storage.schema import guests, mutes, reports, talk, talk_rules
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.repository import Status
from veillee.house.tables.seats import Seat, find_own_seat
from veillee.kernel.log import NO_SEAT

MAX_MESSAGE_LENGTH = 300  # characters of a message
MAX_STORED_MESSAGES = 500  # messages of a table's players, and as many of its spectators: older ones are deleted
MAX_SHOWN_MESSAGES = 60  # messages on a page
GESTURES_ONLY_BELOW_AGE = 8  # years: boxes for younger children allow gestures only, unless the host allows words
GESTURES = ("evening", "luck", "well", "thanks", "moment", "oh", "smile", "bye")

MESSAGES_QUERY = sa.select(talk, guests.c.shield).outerjoin(guests, guests.c.id == talk.c.guest)

Rule = Literal["words", "gestures", "silent"]
RULES: tuple[Rule, ...] = ("words", "gestures", "silent")


@dataclass(frozen=True)
class Message:
    """A message. Its name stays as it was when it was sent."""

    number: int  # at its table
    guest: str
    seat: int  # NO_SEAT: a spectator
    name: str
    words: str  # empty: a gesture, or deleted by a moderator
    gesture: str
    when: float
    shield: str = ""  # the guest's own shield, as it is now


class Muted(NamedTuple):
    """What a guest has muted."""

    people: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    is_everything_muted: bool = False

    def is_muted_at(self, table_id: str) -> bool:
        return self.is_everything_muted or table_id in self.tables


class TableAudience(NamedTuple):
    """The part of a table that decides who sees which messages."""

    id: str
    status: Status
    seats: Sequence[Seat]


class Conversation:
    """Latest messages of one table, in memory as long as it has subscribers."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.messages: tuple[Message, ...] = ()
        self.version = 0  # grows with every change
        self.callbacks: list[Callable[[], None]] = []


class Chat:
    """Chat of a whole house. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._open: WeakValueDictionary[str, Conversation] = WeakValueDictionary()

    # -- sending ------------------------------------------------------------------------------------------------
    def load_rule(self, table_id: str, box: Box) -> Rule:
        """Returns what is allowed at the table."""
        with self._store.reading() as db:
            found = db.execute(sa.select(talk_rules.c.rule).where(talk_rules.c.table_id == table_id)).scalar()
        return cast(Rule, found) if found in RULES else default_rule(box)

    def set_rule(self, guest: Guest, present: TableAudience, rule: str) -> None:
        """Sets what is allowed at the table, which only the host may do. Raises NotYours, BadRequest."""
        if host_of(present.seats) != guest.id:
            raise NotYours(t("The first player at the table decides about its chat."))
        if rule not in RULES:
            raise BadRequest(t("The chat of a table is messages, reactions or off."))
        with self._store.writing() as db:
            db.execute(talk_rules.delete().where(talk_rules.c.table_id == present.id))
            db.execute(talk_rules.insert().values(table_id=present.id, rule=rule))

    def say(
        self, guest: Guest, present: TableAudience, box: Box, words: str = "", gesture: str = "", address: str = ""
    ) -> Message:
        """Sends a message or a gesture; it is on disk when this returns. `address`: the sender's IP address. Raises
        BadRequest, NotNow."""
        shown = keep_visible_characters(words[: 4 * MAX_MESSAGE_LENGTH]) if not gesture else ""
        if gesture and gesture not in GESTURES:
            raise BadRequest(t("There is no such reaction."))
        if not gesture and not shown:
            raise BadRequest(t("Write something first, or send a reaction."))
        if len(shown) > MAX_MESSAGE_LENGTH or len(words) > 4 * MAX_MESSAGE_LENGTH:
            raise BadRequest(t("A message has at most {most} letters.", most=MAX_MESSAGE_LENGTH))
        rule = self.load_rule(present.id, box)
        if rule == "silent":
            raise NotNow(t("Chat is off at this table."))
        if rule == "gestures" and not gesture:
            raise NotNow(t("At this table there are reactions only."))
        seat = seat_of(present.seats, guest)
        name = present.seats[seat].name if seat != NO_SEAT else guest.name
        said = self._write(
            present.id, Message(0, guest.id, seat, name, shown, gesture, self._store.now(), guest.shield), address
        )
        self.refresh(present.id)
        return said

    # -- reading ------------------------------------------------------------------------------------------------
    def load_latest(self, table_id: str) -> tuple[Message, ...]:
        """Returns the latest messages of players and the latest of spectators, in order: neither displace the other."""
        here = (
            MESSAGES_QUERY.where(talk.c.table_id == table_id).order_by(talk.c.number.desc()).limit(MAX_SHOWN_MESSAGES)
        )
        with self._store.reading() as db:
            found = [*db.execute(here.where(talk.c.seat != NO_SEAT)), *db.execute(here.where(talk.c.seat == NO_SEAT))]
        return tuple(sorted([_message_of(row) for row in found], key=lambda one: one.number))

    def find(self, table_id: str, number: int) -> Message:
        """Returns the message. Raises NotHere."""
        with self._store.reading() as db:
            row = db.execute(MESSAGES_QUERY.where(talk.c.table_id == table_id, talk.c.number == number)).first()
        if row is None:
            raise NotFound(t("Nobody said that, or it is long ago."))
        return _message_of(row)

    def follow(self, table_id: str, callback: Callable[[], None]) -> tuple[Conversation, Callable[[], None]]:
        """Registers a callback for new messages, called from any thread. Returns the conversation and a function that
        unsubscribes."""
        with self._lock:
            conversation = self._open.get(table_id)
            fresh = conversation is None
            if conversation is None:
                conversation = self._open[table_id] = Conversation(table_id)
            conversation.callbacks = [*conversation.callbacks, callback]
        if fresh:
            self.refresh(table_id)

        def stop() -> None:
            with self._lock:
                conversation.callbacks = [known for known in conversation.callbacks if known is not callback]

        return conversation, stop

    def refresh(self, table_id: str) -> None:
        """Reloads the table's messages after one was sent or deleted, and notifies subscribers."""
        with self._lock:
            conversation = self._open.get(table_id)
        if conversation is None:
            return
        said = self.load_latest(table_id)
        with self._lock:
            newest, known = said[-1:], conversation.messages[-1:]
            if known and (not newest or newest[0].number < known[0].number):
                return  # another thread has read newer messages
            if said == conversation.messages:
                return
            conversation.messages = said
            conversation.version += 1
            callbacks = conversation.callbacks
        for callback in callbacks:
            callback()

    def catch_up(self) -> None:
        """Reloads all followed conversations, because notifications of other processes may have been lost."""
        with self._lock:
            followed = list(self._open)
        for table_id in followed:
            self.refresh(table_id)

    # -- muting -------------------------------------------------------------------------------------------------
    def muted(self, guest: Guest | None) -> Muted:
        """Returns what the guest has muted."""
        if guest is None:
            return Muted()
        with self._store.reading() as db:
            rows = db.execute(sa.select(mutes.c.whom, mutes.c.table_id).where(mutes.c.guest == guest.id)).all()
        return Muted(
            frozenset(row.whom for row in rows if row.whom),
            frozenset(row.table_id for row in rows if row.table_id),
            any(not row.whom and not row.table_id for row in rows),
        )

    def mute(self, guest: Guest, *, whom: str = "", table_id: str = "", on: bool = True) -> None:
        """Mutes a guest, a table, or, if neither is given, all chat; with on=False unmutes."""
        mine = sa.and_(mutes.c.guest == guest.id, mutes.c.whom == whom, mutes.c.table_id == table_id)
        try:
            with self._store.writing() as db:
                db.execute(mutes.delete().where(mine))
                if on:
                    db.execute(mutes.insert().values(guest=guest.id, whom=whom, table_id=table_id))
        except Conflict:  # a double click
            return

    def muted_names(self, guest: Guest) -> list[tuple[str, str]]:
        """Returns the guests this guest has muted: their ids for the form, and their names when they last sent a
        message."""
        query = sa.select(talk.c.guest, talk.c.name, talk.c.said).order_by(talk.c.said)
        with self._store.reading() as db:
            whom = sa.select(mutes.c.whom).where(mutes.c.guest == guest.id, mutes.c.whom != "")
            called = {row.guest: row.name for row in db.execute(query.where(talk.c.guest.in_(whom)))}
            return [(one, called.get(one, "…")) for one in db.execute(whom).scalars()]

    # -- reports ------------------------------------------------------------------------------------------------
    def report(self, guest: Guest, table_id: str, number: int) -> None:
        """Reports a message to the moderators, once per reporting guest; its text is copied into the report."""
        said = self.find(table_id, number)
        here = sa.and_(talk.c.table_id == table_id, talk.c.number == number)
        row: dict[str, Any] = {"table_id": table_id, "number": number, "about": said.guest or None, "name": said.name}
        row |= {"words": said.words or said.gesture, "guest": guest.id, "created": self._store.now(), "settled": 0.0}
        try:
            with self._store.writing() as db:
                row["address"] = db.execute(sa.select(talk.c.address).where(here)).scalar() or ""
                db.execute(reports.insert().values(row))
        except Conflict:
            return

    # -- internals ----------------------------------------------------------------------------------------------
    def _write(self, table_id: str, said: Message, address: str) -> Message:
        """Writes the message under the table's next number and deletes those beyond KEPT. Raises NotNow."""
        looks_on = said.seat == NO_SEAT
        of_kind = sa.and_(talk.c.table_id == table_id, (talk.c.seat == NO_SEAT) == looks_on)
        with self._store.writing() as db:
            if is_silenced(db, said.guest, said.when):
                raise NotNow(t("A moderator has muted you."))
            if is_muted_in_circle(db, said.guest, table_id):
                raise NotNow(t("You have been muted in this circle."))
            if self._store.is_shared:  # serialises messages of one table without locking its row, which answers need
                db.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtext(f"talk {table_id}"))))
            last = db.execute(sa.select(sa.func.max(talk.c.number)).where(talk.c.table_id == table_id)).scalar() or 0
            said = replace(said, number=last + 1)
            row = {"number": said.number, "guest": said.guest, "seat": said.seat, "name": said.name}
            row |= {
                "words": said.words,
                "gesture": said.gesture,
                "said": said.when,
                "table_id": table_id,
                "address": address,
            }
            db.execute(talk.insert().values(row))
            oldest = (
                sa.select(talk.c.number)
                .where(of_kind)
                .order_by(talk.c.number.desc())
                .offset(MAX_STORED_MESSAGES)
                .limit(1)
            )
            if (old := db.execute(oldest).scalar()) is not None:
                db.execute(talk.delete().where(of_kind, talk.c.number <= old))
            self._store.notify_chat(db, table_id)
        return said


def default_rule(box: Box) -> Rule:
    """Returns the rule of a table whose host has set none."""
    return "gestures" if box.age < GESTURES_ONLY_BELOW_AGE else "words"


def host_of(seats: Sequence[Seat]) -> str:
    """Returns the guest who decides about the table's chat: the first person round the table; if they stand up, the
    next."""
    return next((seat.guest for seat in seats if seat.guest), "")


def seat_of(seats: Sequence[Seat], guest: Guest) -> int:
    """Returns the seat that a guest's messages come from. In hot seat: their own, else the first of theirs."""
    own = find_own_seat(seats, guest)
    mine = [number for number, seat in enumerate(seats) if seat.guest == guest.id]
    return own if own is not None else next(iter(mine), NO_SEAT)


def visible_messages(
    said: Collection[Message], present: TableAudience, guest: Guest | None, muted: Muted
) -> list[Message]:
    """Returns the messages shown to this guest: during a game its players see none of the spectators'."""
    if muted.is_muted_at(present.id):
        return []
    plays = present.status == "playing" and guest is not None and seat_of(present.seats, guest) != NO_SEAT
    return [one for one in said if not (plays and one.seat == NO_SEAT) and one.guest not in muted.people][
        -MAX_SHOWN_MESSAGES:
    ]


def _message_of(row: Any) -> Message:
    return Message(row.number, row.guest or "", row.seat, row.name, row.words, row.gesture, row.said, row.shield or "")
