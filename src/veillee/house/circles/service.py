"""Circles of a house: founding, joining by the link, roles, tables, the next evening."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

import sqlalchemy as sa

from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import MAX_RAW_FACTOR, keep_visible_characters, mixes_scripts, title_skeleton
from veillee.house.accounts.shields import default_shield, parse_shield
from veillee.house.championships.repository import Championship
from veillee.house.circles import repository
from veillee.house.circles.repository import Circle, Member, new_invitation
from veillee.house.community.presence import NO_JS_VISIT_SECONDS, Presence
from veillee.house.errors import BadRequest, NotFound, NotNow, NotYours, StoreError, t
from veillee.house.results.ratings import Rating, rate_series
from veillee.house.results.results import Results
from veillee.house.storage import secret_keys
from veillee.house.storage.store import Conflict, Store
from veillee.house.tables.creation import new_id
from veillee.house.tables.listings import TableSummary, summarize_rows
from veillee.house.tables.seats import Seat
from veillee.house.tables.service import Register

LONGEST_NAME = 40  # characters
LONGEST_NOTE = 200
MAX_CIRCLES = 12  # of one guest
MAX_MEMBERS = 200
MAX_CHAMPIONSHIPS = 20  # listed
MAX_EVENING_DAYS = 366
EVENING_SECONDS = 4 * 3600.0  # how long an evening is shown after it has begun
DAY_SECONDS = 86_400.0


@dataclass(frozen=True)
class CircleView:
    """A circle as one of its members sees it."""

    circle: Circle
    me: Member
    members: Sequence[Member]

    @property
    def can_invite(self) -> bool:
        return self.me.role != "member"

    @property
    def is_founder(self) -> bool:
        return self.me.role == "founder"

    def can_keep_order(self, member: Member) -> bool:
        """Whether the reader may mute and remove this member."""
        return can_keep_order(self.me, member)


def can_keep_order(one: Member, other: Member) -> bool:
    """Returns whether this member may mute and remove that one: each may with those of a lower role."""
    return repository.ROLES.index(one.role) < repository.ROLES.index(other.role)


class Circles:
    """Circles of one house. Safe to use from any thread."""

    def __init__(self, store: Store, results: Results, presence: Presence, is_closed: Callable[[str], bool]) -> None:
        """is_closed: whether a moderator has closed the table of that id."""
        self._store = store
        self._results = results
        self._presence = presence
        self._is_closed = is_closed

    # -- reading -------------------------------------------------------------------------------------------------
    def find(self, circle_id: str) -> Circle:
        """Raises NotFound."""
        return _found(repository.find(self._store, circle_id))

    def list_mine(self, guest: Guest) -> list[Circle]:
        """Returns the guest's circles, by name."""
        return repository.find_by_guest(self._store, guest.id)

    def view(self, circle: Circle, guest: Guest | None) -> CircleView | None:
        """Returns the circle as a member sees it; None: the guest is none."""
        members = repository.load_members(self._store, circle.id)
        me = next((one for one in members if guest is not None and one.guest == guest.id), None)
        return None if me is None else CircleView(circle, me, members)

    def list_tables(self, circle: Circle, *, over: bool = False) -> list[TableSummary]:
        """Returns the finished tables of a circle, or the others, latest public change first."""
        rows = repository.load_tables(self._store, circle.id, over=over)
        return summarize_rows(row for row in rows if not self._is_closed(row.id))

    def who_is_here(self, view: CircleView, tables: Sequence[TableSummary]) -> frozenset[str]:
        """Returns the members who look at the page of the circle, or sit at one of these tables of it and are present
        there. Other tables do not count: where else members play is not the circle's business."""
        members = {one.guest for one in view.members}
        places = {(guest, view.circle.id) for guest in members}
        places |= {(seat.guest, table.id) for table in tables for seat in table.seats if seat.guest in members}
        since = self._store.now() - NO_JS_VISIT_SECONDS
        return frozenset(guest for (guest, _), seen in self._presence.load(places).items() if seen > since)

    def record_visit(self, view: CircleView) -> None:
        """Records that a member looks at the page of the circle."""
        self._presence.record_visit(view.me.guest, view.circle.id)

    def load_ratings(self, view: CircleView, finished: Sequence[TableSummary]) -> dict[str, list[Rating]]:
        """Returns the ratings of members by box, best first: of these tables alone, those with several people."""
        results = self._results.load(finished)
        names = {one.guest: one.name for one in view.members}
        games: dict[str, list[tuple[Sequence[Seat], Sequence[int]]]] = defaultdict(list)
        for table in reversed(finished):  # oldest first
            if table.id in results and sum(seat.kind == "person" for seat in table.seats) > 1:
                games[table.box.id].append((table.seats, results[table.id].places))
        found = {}
        for game, played in games.items():
            rated = [replace(one, name=names[one.who]) for one in rate_series(played).values() if one.who in names]
            found[game] = sorted(rated, key=lambda one: one.points - one.interval, reverse=True)
        return {game: rated for game, rated in found.items() if rated}

    def list_championships(self, circle: Circle) -> list[Championship]:
        """Returns the championships of a circle, latest first."""
        return repository.load_championships(self._store, circle.id, MAX_CHAMPIONSHIPS)

    def next_evening(self, circle: Circle) -> float | None:
        """Returns when the next evening begins; None: none is announced, or it is over."""
        is_over = circle.evening is None or circle.evening + EVENING_SECONDS <= self._store.now()
        return None if is_over else circle.evening

    def name_of_table(self, guest: Guest, table_id: str) -> str:
        """Returns the name of the circle of a table, for its members; empty for all others, or if it has none."""
        return repository.find_name_of_table(self._store, guest.id, table_id)

    # -- the feed ------------------------------------------------------------------------------------------------
    def feed_token(self, view: CircleView) -> str:
        """Returns the token of the member's feed: it works as long as they are a member."""
        return f"{view.me.guest}.{secret_keys.sign(self._store, _feed(view.circle, view.me))}"

    def find_by_feed(self, circle: Circle, token: str) -> CircleView:
        """Returns the circle as the member of that feed sees it. Raises NotFound."""
        guest, _, mark = token.partition(".")
        members = repository.load_members(self._store, circle.id)
        me = next((one for one in members if one.guest == guest), None)
        if me is None or not secret_keys.has_valid_signature(self._store, _feed(circle, me), mark):
            raise NotFound(t("There is no such circle, or no longer: is the link complete?"))
        return CircleView(circle, me, members)

    # -- coming and going ----------------------------------------------------------------------------------------
    def create(self, guest: Guest, name: str) -> Circle:
        """Creates a circle, whose founder the guest is. Raises BadRequest, NotNow."""
        shown = clean_circle_name(name)
        circle_id, now = new_id(), self._store.now()  # it is found by its link alone
        circle = Circle(circle_id, shown, default_shield(circle_id), new_invitation(), now, None, "", 0.0)
        with self._unique_name(), self._store.writing() as db:
            _check_number(db, guest)
            repository.add(db, circle, title_skeleton(shown))
            repository.add_member(db, circle.id, guest.id, "founder", now)
        return circle

    def invitation(self, circle: Circle) -> str:
        """Returns the token of the link by which guests join."""
        return f"{circle.invitation}.{secret_keys.sign(self._store, f'circle {circle.id} {circle.invitation}')}"

    def is_invitation(self, circle: Circle, token: str) -> bool:
        return self._invitation_of(circle, token) == circle.invitation

    def _invitation_of(self, circle: Circle, token: str) -> str:
        """Returns the invitation that a token stands for, valid or revoked; empty if it is none of this circle."""
        invitation, _, mark = token.partition(".")
        is_signed = secret_keys.has_valid_signature(self._store, f"circle {circle.id} {invitation}", mark)
        return invitation if is_signed else ""

    def join(self, guest: Guest, circle: Circle, token: str) -> None:
        """Adds the guest to the members, by an invitation; a member stays one. Raises BadRequest, NotNow, NotFound."""
        invitation = self._invitation_of(circle, token)
        with self._changing(circle.id) as (db, now, members):
            if any(one.guest == guest.id for one in members):
                return
            if invitation != now.invitation:
                raise BadRequest(t("This invitation is no longer valid: ask a member of the circle for a new one."))
            if len(members) >= MAX_MEMBERS:
                raise NotNow(t("This circle is full: it has {most} members.", most=MAX_MEMBERS))
            _check_number(db, guest)
            repository.add_member(db, circle.id, guest.id, "member", self._store.now())

    def welcome(self, guest: Guest, circle_id: str) -> None:
        """Adds a new guest to the circle of the house, without an invitation; does nothing if it is full or gone."""
        with contextlib.suppress(NotFound, StoreError), self._changing(circle_id) as (db, _, members):
            if len(members) < MAX_MEMBERS:
                repository.add_member(db, circle_id, guest.id, "member", self._store.now())

    def leave(self, guest: Guest, circle: Circle) -> None:
        """Removes the guest from the members. The next in the order of members leads the circle then; without members
        it is deleted."""
        with self._changing(circle.id) as (db, _, _):
            repository.remove_member(db, circle.id, guest.id)

    # -- what founder and helpers do ------------------------------------------------------------------------------
    def renew_invitation(self, guest: Guest, circle: Circle) -> None:
        """Makes a new link; the old one works no longer. Raises NotYours."""
        with self._changing(circle.id) as (db, _, members):
            _check_leader(members, guest)
            repository.change(db, circle.id, invitation=new_invitation())

    def set_muted(self, guest: Guest, circle: Circle, whom: str, *, is_muted: bool) -> None:
        """Mutes a member in the talk at the tables of the circle, or lets them talk again. Raises NotYours, NotFound."""
        with self._changing(circle.id) as (db, _, members):
            _check_order(members, guest, whom)
            repository.change_member(db, circle.id, whom, muted=is_muted)

    def remove(self, guest: Guest, circle: Circle, whom: str) -> None:
        """Removes a member, and makes a new link, as they know the old one. Raises NotYours, NotFound."""
        with self._changing(circle.id) as (db, _, members):
            _check_order(members, guest, whom)
            repository.remove_member(db, circle.id, whom)
            repository.change(db, circle.id, invitation=new_invitation())

    def set_evening(self, guest: Guest, circle: Circle, when: float | None, note: str) -> None:
        """Announces the next evening; without a time there is none. Raises NotYours, BadRequest."""
        shown = keep_visible_characters(note[: MAX_RAW_FACTOR * LONGEST_NOTE])
        if len(shown) > LONGEST_NOTE:
            raise BadRequest(t("A note has at most {most} letters.", most=LONGEST_NOTE))
        now = self._store.now()
        if when is not None and not now - EVENING_SECONDS < when < now + MAX_EVENING_DAYS * DAY_SECONDS:
            raise BadRequest(t("An evening is to come, and within a year."))
        with self._changing(circle.id) as (db, _, members):
            _check_leader(members, guest)
            values = {"evening": when, "evening_note": shown if when is not None else "", "evening_set": now}
            repository.change(db, circle.id, **values)

    # -- what the founder does ------------------------------------------------------------------------------------
    def set_helper(self, guest: Guest, circle: Circle, whom: str, *, is_helper: bool) -> None:
        """Makes a member a helper, or a helper a member. Raises NotYours, NotFound."""
        with self._changing(circle.id) as (db, _, members):
            _check_founder(members, guest)
            _check_order(members, guest, whom)
            role = "helper" if is_helper else "member"
            repository.change_member(db, circle.id, whom, role=role, since=self._store.now())

    def hand_over(self, guest: Guest, circle: Circle, whom: str) -> None:
        """Makes another member the founder; the guest is a helper then. Raises NotYours, NotFound."""
        with self._changing(circle.id) as (db, _, members):
            _check_founder(members, guest)
            _check_order(members, guest, whom)
            now = self._store.now()
            for one, role in ((guest.id, "helper"), (whom, "founder")):
                repository.change_member(db, circle.id, one, role=role, since=now)

    def rename(self, guest: Guest, circle: Circle, name: str) -> None:
        """Raises NotYours, BadRequest."""
        shown = clean_circle_name(name)
        with self._unique_name(), self._changing(circle.id) as (db, _, members):
            _check_founder(members, guest)
            repository.change(db, circle.id, name=shown, skeleton=title_skeleton(shown))

    def change_shield(self, guest: Guest, circle: Circle, shield: str) -> None:
        """Raises NotYours, BadRequest."""
        code = parse_shield(shield).code
        with self._changing(circle.id) as (db, _, members):
            _check_founder(members, guest)
            repository.change(db, circle.id, shield=code)

    # -- tables and championships ---------------------------------------------------------------------------------
    def check_member(self, guest: Guest, circle_id: str) -> Circle:
        """Returns the circle, of which the guest is a member. Raises BadRequest for all others, so that strangers do not learn
        which there are."""
        found = next((one for one in self.list_mine(guest) if one.id == circle_id), None)
        if found is None:
            raise BadRequest(t("You are not a member of this circle."))
        return found

    def table_register(self, guest: Guest, circle_id: str) -> Register:
        """Returns what adds a table to one of the guest's circles when it is created (Tables.create). Raises
        BadRequest."""
        return partial(repository.register_table, self.check_member(guest, circle_id).id)

    def add_championship(self, guest: Guest, circle_id: str, championship: Championship) -> None:
        """Lists a championship on the page of one of the guest's circles. Raises BadRequest."""
        circle = self.check_member(guest, circle_id)
        repository.add_championship(self._store, circle.id, championship.id)

    # -- internals ------------------------------------------------------------------------------------------------
    @contextmanager
    def _changing(self, circle_id: str) -> Iterator[tuple[sa.Connection, Circle, list[Member]]]:
        """Opens a transaction that no other change of this circle disturbs. Raises NotFound."""
        with self._store.writing() as db:
            circle = _found(repository.select_circle(db, circle_id, lock=True))
            members = repository.select_members(db, circle_id)
            if members:  # the founder may have disappeared: before others get a role, the next one has theirs
                repository.change_member(db, circle_id, members[0].guest, role="founder")
            yield db, circle, members

    @contextmanager
    def _unique_name(self) -> Iterator[None]:
        try:
            yield
        except Conflict:
            raise BadRequest(t("There is a circle in this house whose name looks the same: choose another.")) from None


def clean_circle_name(name: str) -> str:
    """Returns the name of a circle as it may be displayed. Raises BadRequest."""
    shown = keep_visible_characters(name[: MAX_RAW_FACTOR * LONGEST_NAME])
    if not any(c.isalnum() for c in shown) or len(shown) > LONGEST_NAME:
        raise BadRequest(t("A circle needs a name of at most {most} letters.", most=LONGEST_NAME))
    if mixes_scripts(shown):
        raise BadRequest(t("A name is written in one alphabet: letters of several can look the same."))
    return shown


def _found(circle: Circle | None) -> Circle:
    if circle is None:
        raise NotFound(t("There is no such circle, or no longer: is the link complete?"))
    return circle


def _feed(circle: Circle, member: Member) -> str:
    return f"circle feed {circle.id} {member.guest} {member.joined}"


def _check_number(db: sa.Connection, guest: Guest) -> None:
    """Raises NotNow if the guest is in as many circles as allowed. Until the end of the transaction no other one counts
    them."""
    repository.lock_guest(db, guest.id)
    if repository.count_circles(db, guest.id) >= MAX_CIRCLES:
        raise NotNow(t("You are in {most} circles already: leave one first.", most=MAX_CIRCLES))


def _check_leader(members: Sequence[Member], guest: Guest) -> Member:
    """Returns the guest as founder or helper. Raises NotYours."""
    me = next((one for one in members if one.guest == guest.id and one.role != "member"), None)
    if me is None:
        raise NotYours(t("The founder of the circle and the helpers decide about that."))
    return me


def _check_founder(members: Sequence[Member], guest: Guest) -> None:
    if not members or members[0].guest != guest.id:
        raise NotYours(t("The founder of the circle decides about that."))


def _check_order(members: Sequence[Member], guest: Guest, whom: str) -> None:
    """Raises NotYours unless the guest may decide about that member, NotFound if there is no such member."""
    me = _check_leader(members, guest)
    other = next((one for one in members if one.guest == whom), None)
    if other is None:
        raise NotFound(t("They are no longer a member of this circle."))
    if not can_keep_order(me, other):
        raise NotYours(t("The founder of the circle decides about that."))
