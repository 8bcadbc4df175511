"""Talk at a table: short messages, and gestures for those who want no words.

It is kept beside the game and never in it: no record, no view, no bot and no number of the table knows of it. Who sits at the
table hears those who sit there; those who look on hear everybody; what they say is hidden from the players while these play
(ADR 22). Where a house has several processes, a word in the database says that somebody has spoken (neighbours.py).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast
from weakref import WeakValueDictionary

import sqlalchemy as sa

from veillee.games.box import Box
from veillee.house.accounts.name_safety import visible
from veillee.house.accounts.people import Guest, Seat, own_seat
from veillee.house.community.moderation import is_silenced
from veillee.house.errors import BadRequest, NotHere, NotNow, NotYours, t
from veillee.house.storage.schema import guests, mutes, reports, talk, talk_rules
from veillee.house.storage.store import Conflict, Store
from veillee.house.storage.table_rows import Status
from veillee.kernel.log import NO_SEAT

LONGEST = 300  # letters of a message
KEPT = 500  # messages of a table's players, and as many of those who look on: older ones make room
SHOWN = 60  # that a page shows
CHILDREN = 8  # years: on a box for younger ones there are gestures alone, unless the host allows words
GESTURES = ("evening", "luck", "well", "thanks", "moment", "oh", "smile", "bye")

SAID = sa.select(talk, guests.c.shield).outerjoin(guests, guests.c.id == talk.c.guest)

Rule = Literal["words", "gestures", "silent"]
RULES: tuple[Rule, ...] = ("words", "gestures", "silent")


@dataclass(frozen=True)
class Said:
    """One message. A name stays as it was when it was said."""

    number: int  # at its table
    guest: str
    seat: int  # NO_SEAT: somebody who looked on
    name: str
    words: str  # empty: a gesture, or taken away
    gesture: str
    when: float
    shield: str = ""  # that they have made; as it is now


class Muted(NamedTuple):
    """What a guest does not want to hear."""

    people: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    all: bool = False

    def at(self, table_id: str) -> bool:
        return self.all or table_id in self.tables


class Present(NamedTuple):
    """As much of a table as decides who hears what."""

    id: str
    status: Status
    seats: Sequence[Seat]


class Conversation:
    """The latest of one table, in memory as long as somebody follows it."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.said: tuple[Said, ...] = ()
        self.turn = 0  # grows with every change
        self.callbacks: list[Callable[[], None]] = []


class Talk:
    """Of a whole house. Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._open: WeakValueDictionary[str, Conversation] = WeakValueDictionary()

    # -- who may say what ---------------------------------------------------------------------------------------
    def rule(self, table_id: str, box: Box) -> Rule:
        """What may be said at the table."""
        with self._store.reading() as db:
            found = db.execute(sa.select(talk_rules.c.rule).where(talk_rules.c.table_id == table_id)).scalar()
        return cast(Rule, found) if found in RULES else usual(box)

    def set_rule(self, guest: Guest, present: Present, rule: str) -> None:
        """The host decides. Raises NotYours, BadRequest."""
        if host(present.seats) != guest.id:
            raise NotYours(t("Whoever sits first at the table decides what is said there."))
        if rule not in RULES:
            raise BadRequest(t("A table has words, gestures or silence."))
        with self._store.writing() as db:
            db.execute(talk_rules.delete().where(talk_rules.c.table_id == present.id))
            db.execute(talk_rules.insert().values(table_id=present.id, rule=rule))

    def say(
        self, guest: Guest, present: Present, box: Box, words: str = "", gesture: str = "", address: str = ""
    ) -> Said:
        """A message or a gesture, on disk when this returns; `address`: where it comes from. Raises BadRequest, NotNow."""
        shown = visible(words[: 4 * LONGEST]) if not gesture else ""
        if gesture and gesture not in GESTURES:
            raise BadRequest(t("There is no such gesture."))
        if not gesture and not shown:
            raise BadRequest(t("Write something first, or make a gesture."))
        if len(shown) > LONGEST or len(words) > 4 * LONGEST:
            raise BadRequest(t("A message has at most {most} letters.", most=LONGEST))
        rule = self.rule(present.id, box)
        if rule == "silent":
            raise NotNow(t("This table is silent."))
        if rule == "gestures" and not gesture:
            raise NotNow(t("At this table there are gestures, and no words."))
        seat = place(present.seats, guest)
        name = present.seats[seat].name if seat != NO_SEAT else guest.name
        said = self._write(
            present.id, Said(0, guest.id, seat, name, shown, gesture, self._store.now(), guest.shield), address
        )
        self.heard(present.id)
        return said

    # -- hearing ------------------------------------------------------------------------------------------------
    def latest(self, table_id: str) -> tuple[Said, ...]:
        """The last that players said and the last that those who look on said, in order: neither crowds out the other."""
        here = SAID.where(talk.c.table_id == table_id).order_by(talk.c.number.desc()).limit(SHOWN)
        with self._store.reading() as db:
            found = [*db.execute(here.where(talk.c.seat != NO_SEAT)), *db.execute(here.where(talk.c.seat == NO_SEAT))]
        return tuple(sorted([_said(row) for row in found], key=lambda one: one.number))

    def find(self, table_id: str, number: int) -> Said:
        """Raises NotHere."""
        with self._store.reading() as db:
            row = db.execute(SAID.where(talk.c.table_id == table_id, talk.c.number == number)).first()
        if row is None:
            raise NotHere(t("Nobody said that, or it is long ago."))
        return _said(row)

    def follow(self, table_id: str, callback: Callable[[], None]) -> tuple[Conversation, Callable[[], None]]:
        """Call back whenever somebody speaks, from whatever thread. And how to stop."""
        with self._lock:
            conversation = self._open.get(table_id)
            fresh = conversation is None
            if conversation is None:
                conversation = self._open[table_id] = Conversation(table_id)
            conversation.callbacks = [*conversation.callbacks, callback]
        if fresh:
            self.heard(table_id)

        def stop() -> None:
            with self._lock:
                conversation.callbacks = [known for known in conversation.callbacks if known is not callback]

        return conversation, stop

    def heard(self, table_id: str) -> None:
        """Somebody has spoken there, or what was said was taken away: those who follow it are told."""
        with self._lock:
            conversation = self._open.get(table_id)
        if conversation is None:
            return
        said = self.latest(table_id)
        with self._lock:
            newest, known = said[-1:], conversation.said[-1:]
            if known and (not newest or newest[0].number < known[0].number):
                return  # another thread has read more
            if said == conversation.said:
                return
            conversation.said = said
            conversation.turn += 1
            callbacks = conversation.callbacks
        for callback in callbacks:
            callback()

    def catch_up(self) -> None:
        """Words from other processes may have been lost."""
        with self._lock:
            followed = list(self._open)
        for table_id in followed:
            self.heard(table_id)

    # -- not hearing --------------------------------------------------------------------------------------------
    def muted(self, guest: Guest | None) -> Muted:
        """What the guest does not want to hear."""
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
        """A person, a table, or, where neither is named, all talk; or hear it again."""
        mine = sa.and_(mutes.c.guest == guest.id, mutes.c.whom == whom, mutes.c.table_id == table_id)
        try:
            with self._store.writing() as db:
                db.execute(mutes.delete().where(mine))
                if on:
                    db.execute(mutes.insert().values(guest=guest.id, whom=whom, table_id=table_id))
        except Conflict:  # a double click
            return

    def names(self, guest: Guest) -> list[tuple[str, str]]:
        """Those whom the guest has muted: what stands for them in a form, and their names when they spoke last."""
        query = sa.select(talk.c.guest, talk.c.name, talk.c.said).order_by(talk.c.said)
        with self._store.reading() as db:
            whom = sa.select(mutes.c.whom).where(mutes.c.guest == guest.id, mutes.c.whom != "")
            called = {row.guest: row.name for row in db.execute(query.where(talk.c.guest.in_(whom)))}
            return [(one, called.get(one, "…")) for one in db.execute(whom).scalars()]

    # -- reports ------------------------------------------------------------------------------------------------
    def report(self, guest: Guest, table_id: str, number: int) -> None:
        """The house is told of a message, once by each who reports it; what was said is kept with the report."""
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

    # -- inside -------------------------------------------------------------------------------------------------
    def _write(self, table_id: str, said: Said, address: str) -> Said:
        """Under the table's next number. What is older than the latest makes room."""
        looks_on = said.seat == NO_SEAT
        of_kind = sa.and_(talk.c.table_id == table_id, (talk.c.seat == NO_SEAT) == looks_on)
        with self._store.writing() as db:
            if is_silenced(db, said.guest, said.when):
                raise NotNow(t("Whoever keeps order in this house has asked you to be silent."))
            if self._store.shared:  # one at a time at a table, and in nobody's way who plays there
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
            oldest = sa.select(talk.c.number).where(of_kind).order_by(talk.c.number.desc()).offset(KEPT).limit(1)
            if (old := db.execute(oldest).scalar()) is not None:
                db.execute(talk.delete().where(of_kind, talk.c.number <= old))
            self._store.tell_of_talk(db, table_id)
        return said


def usual(box: Box) -> Rule:
    """What may be said where nobody has decided otherwise."""
    return "gestures" if box.age < CHILDREN else "words"


def host(seats: Sequence[Seat]) -> str:
    """Who decides about the table's talk: the first person round the table; if they stand up, the next one."""
    return next((seat.guest for seat in seats if seat.guest), "")


def place(seats: Sequence[Seat], guest: Guest) -> int:
    """The seat that a guest speaks from. Around one screen: their own, else the first of theirs."""
    own = own_seat(seats, guest)
    mine = [number for number, seat in enumerate(seats) if seat.guest == guest.id]
    return own if own is not None else next(iter(mine), NO_SEAT)


def audible(said: Collection[Said], present: Present, guest: Guest | None, muted: Muted) -> list[Said]:
    """What of it this guest hears: while a match is played, its players hear nothing of those who look on."""
    if muted.at(present.id):
        return []
    plays = present.status == "playing" and guest is not None and place(present.seats, guest) != NO_SEAT
    return [one for one in said if not (plays and one.seat == NO_SEAT) and one.guest not in muted.people][-SHOWN:]


def _said(row: Any) -> Said:
    return Said(row.number, row.guest or "", row.seat, row.name, row.words, row.gesture, row.said, row.shield or "")
