"""Immutable state of a table, and the functions that compute the next state.

A Moment never changes. These functions build a new one on a separate match and write nothing: permissions are checked
before, and the result is saved after (table.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import NamedTuple

from veillee.games import catalogue
from veillee.games.box import Box
from veillee.games.first_game import FirstGame, first_game
from veillee.house.accounts.guest import Guest
from veillee.house.errors import NotNow, StoreError, t
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.seat_clocks import SeatClock
from veillee.house.tables.repository import AnswerRequest, Status, TableRow
from veillee.house.tables.seats import SUBSTITUTE_LEVEL, Seat
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import Step
from veillee.match import seeds
from veillee.match.errors import VeilleeError
from veillee.match.match import Match
from veillee.match.seeds import Contribution

MAX_UNDONE_PER_SEAT = 200


class AudienceFingerprint(NamedTuple):
    """Fingerprint of what one audience is shown of a match: changes if and only if that view changes.

    Every visible change of the board comes with an event or with a change of the seats to act, so no view has to be
    built and compared (veillee/conformance/test_forks.py checks this for every game).
    """

    to_act: tuple[int, ...]
    question: Step | None  # that this audience is asked
    heard: int  # number of events this audience was told
    can_undo: bool


class SeenState(NamedTuple):
    """How much of the match one audience had been shown at some time, without what was taken back since."""

    events: int
    answers: int  # that made the position shown


@dataclass(frozen=True)
class Moment:
    """State of a table at one moment; its fields are consistent with each other."""

    row: TableRow
    game: Match | None  # None while the table is waiting
    requests: int  # number of requests on disk
    undone: tuple[int, ...]  # per seat: number of its requests that took an answer back
    seen: tuple[int, ...]  # per seat, spectator last: how many requests changed what that audience is shown
    asked_at: tuple[int, ...]  # per seat: its count of `seen` when it was asked its present question
    last: tuple[
        tuple[int, AnswerRequest] | None, ...
    ]  # per seat: its latest request, with its asked_at before that request
    answered: tuple[int, ...]  # per seat: its count of `seen` right after its latest request
    stops: tuple[int, ...]  # number of answers behind each position a spectator was shown, without those taken back
    fingerprints: tuple[AudienceFingerprint, ...]  # per seat, spectator last; empty while the table is waiting
    history: tuple[tuple[SeenState, ...], ...]  # per seat, spectator last: one per count of `seen`
    clocks: tuple[SeatClock, ...]  # clock per seat; empty while the table is waiting

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def box(self) -> Box:
        return catalogue.BOXES[self.row.game]

    @property
    def commitment(self) -> str:
        return seeds.commitment(self.row.seed)

    @property
    def rematch_id(self) -> str:
        """Id of the rematch table, or empty."""
        return self.row.rematch

    @property
    def hints(self) -> bool:
        """Whether players may ask for advice."""
        return self.row.hints

    @property
    def first_game(self) -> FirstGame | None:
        """The script of the guided first game; None if the table is not guided."""
        return first_game(self.box) if self.row.guide == "on" else None

    def rev(self, mine: Collection[int] = ()) -> int:
        """Returns a number that grows with every change shown to these seats (none: to a spectator), and only then."""
        return self.row.reseated + sum(self.seen[seat] for seat in mine or (NO_SEAT,))

    def shown_version(self, mine: Collection[int] = ()) -> str:
        """Returns the name of what these seats (none: spectators) are shown now; pages and streams compare such names.

        It is made of the counts of these audiences only. With several seats on one screen (hot seat) the spectators'
        count is included, because that screen shows the public view while hands are hidden.
        """
        audiences = [*mine] if len(mine) == 1 else [*mine, NO_SEAT]
        return ".".join([str(self.row.reseated), *[_version_number(who, self.seen[who]) for who in audiences]])

    def seen_state(self, name: str, who: int) -> SeenState | None:
        """Returns what the audience had been shown under that name, without what was taken back; None if nothing."""
        for count in name.split(".")[1:]:
            seen = count.removeprefix(_version_number(who, ""))
            if (
                seen != count
                and seen.isascii()
                and seen.isdigit()
                and len(seen) < 8
                and int(seen) < len(self.history[who])
            ):
                return self.history[who][int(seen)]
        return None

    def resume_point(self, left: str, who: int, most: int) -> str:
        """Returns the name of the view from which a returning audience is shown what it missed (`left`: its last view).
        Empty: it missed nothing.

        Never starts before the seat's own last answer, so that what the seat may have looked at before it is not shown
        again, nor before the latest `most` events.
        """
        then = self.seen_state(left, who)
        if then is None:
            return ""
        heard = self.history[who][-1].events
        least = max(then.events, heard - most)
        own = self.answered[who] if who != NO_SEAT else 0
        seen = next(n for n, known in enumerate(self.history[who]) if n >= own and known.events >= least)
        known = self.history[who][seen]
        return f"{self.row.reseated}.{_version_number(who, seen)}" if known.events < heard else ""

    def before_answer(self, seat: int) -> int:
        """Returns how many events the seat knew when it was asked what it answered last. Later events are news to other
        audiences."""
        last = self.last[seat]
        return 0 if last is None else self.history[seat][last[0]].events

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.row.seats

    @property
    def names(self) -> list[str]:
        """Names of the seats, for the log; empty for an open seat."""
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
        """Returns the token that a form for this seat carries back (see Table.stamp). It reveals nothing about other
        seats."""
        return _stamp(self.row.seed, seat, self.asked_at[seat])

    @property
    def sent_answers(self) -> int:
        """How many answers a friend by link has been sent, or has sent (by_link.py); -1: not even the deal."""
        return max((int(seat.level) for seat in self.seats if seat.kind == "link" and seat.level.isdigit()), default=-1)

    def can_undo(self, seat: int) -> bool:
        """Returns whether the seat can take back its last answer: not one that a friend by link has been sent."""
        if not self.match.can_undo(seat):
            return False
        sent = max(0, self.sent_answers)
        return not sent or any(who == seat for who, _ in self.match.answers[sent:])

    def seats_of(self, guest: Guest | None) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if guest is not None and seat.guest == guest.id]


# -- replay, and the next moment --------------------------------------------------------------------------------------
def detached_moment(match: Match, names: Sequence[str]) -> Moment:
    """Returns a Moment that is in no store, at the present position of a match, with bots of these names: for
    images."""
    seats = tuple([Seat("bot", name, level=SUBSTITUTE_LEVEL) for name in names])
    row = TableRow(
        id="",
        game=match.box.id,
        version=match.version,
        options=match.options,
        seed=match.seed,
        public=False,
        status="playing",
        asked=(),
        reseated=0,
        rematch="",
        hints=False,
        created=0.0,
        touched=0.0,
        seats=seats,
        luck=("",) * len(seats),
    )
    return replace(replay(match.box, row, ()), game=match)


def replay(box: Box, row: TableRow, requests: Sequence[AnswerRequest]) -> Moment:
    """Returns the table's state after replaying its requests."""
    seats, game = len(row.seats), _start(box, row)
    now = Moment(
        _updated_row(row, game, _clocks_of(row, game)),
        game,
        requests=0,
        undone=(0,) * seats,
        seen=(0,) * (seats + 1),
        asked_at=(0,) * seats,
        last=(None,) * seats,
        answered=(0,) * seats,
        stops=(0,),
        fingerprints=_fingerprints(game),
        history=_start_history(game),
        clocks=_clocks_of(row, game),
    )
    return _apply_all(now, requests)


def _apply_all(now: Moment, requests: Sequence[AnswerRequest]) -> Moment:
    """Returns the moment after these requests. Plays them on the moment's own match, so no other code may hold that
    moment. Raises StoreError."""
    try:
        for request in requests:
            now = _next(now, now.match, request)
    except VeilleeError as error:
        said = t("Table {table} cannot be read: {reason}", table=now.id, reason=error)
        raise StoreError(said, error.rule) from None
    return now


def apply_requests(now: Moment, requests: Sequence[AnswerRequest]) -> Moment:
    """Returns the moment after requests that another process has written; the present one is left unchanged."""
    return _apply_all(replace(now, game=now.match.copy()), requests) if requests else now


def apply_request(now: Moment, request: AnswerRequest) -> Moment:
    """Returns the moment after the request; the present one is left unchanged. Raises NotNow if the seat has taken back
    very often: each request makes the table slower to load.
    """
    if not request.actions and now.undone[request.seat] >= MAX_UNDONE_PER_SEAT:
        raise NotNow(t("You have undone so many answers at this table that this one stands."))
    return _next(now, now.match.copy(), request)


def with_seats(box: Box, now: Moment, row: TableRow, at: float) -> Moment:
    """Returns the moment with these seats; starts the match when all of them are taken."""
    game = now.game or _start(box, row)
    row = replace(row, begun=at) if game is not None and now.game is None else row
    signs, history = now.fingerprints or _fingerprints(game), now.history or _start_history(game)
    asked = now.clocks or _clocks_of(row, game)
    return replace(
        now, row=_updated_row(row, game, asked), game=game, fingerprints=signs, history=history, clocks=asked
    )


def _next(now: Moment, game: Match, request: AnswerRequest) -> Moment:
    """Plays the request on `game` and returns the moment after it. `game` may be the moment's own match if nothing else
    uses that any more."""
    before, answers = now.fingerprints, game.answers
    if request.actions:
        game.play(request.seat, *request.actions)
    elif not game.undo(request.seat):
        raise NotNow(t("There is nothing to undo: somebody has learned something since, or gone on."))
    after = fingerprints(game)
    moved = [who == request.seat or sign != before[who] for who, sign in enumerate(after)]
    asked_anew = [who == request.seat or sign.question is not before[who].question for who, sign in enumerate(after)]
    seen = tuple(count + moved[who] for who, count in enumerate(now.seen))
    asked_at = tuple(seen[seat] if asked_anew[seat] else since for seat, since in enumerate(now.asked_at))
    mine = (now.asked_at[request.seat], request)
    last = now.last[: request.seat] + (mine,) + now.last[request.seat + 1 :]
    answered = now.answered[: request.seat] + (seen[request.seat],) + now.answered[request.seat + 1 :]
    stops = _extend_stops(now.stops, answers, game) if moved[NO_SEAT] else now.stops
    history = _extend_history(now.history, answers, game, after, moved)
    asked = now.clocks
    if moved[NO_SEAT]:
        was, asks, row = before[NO_SEAT].to_act, after[NO_SEAT].to_act, now.row
        asked = seat_clocks.after_answer(asked, row.pace, row.lines, now.requests, request.seat, was, asks, request.at)
    return Moment(
        _updated_row(now.row, game, asked),
        game,
        requests=now.requests + 1,
        undone=tuple(n + (seat == request.seat and not request.actions) for seat, n in enumerate(now.undone)),
        seen=seen,
        asked_at=asked_at,
        last=last,
        answered=answered,
        stops=stops,
        fingerprints=after,
        history=history,
        clocks=asked,
    )


def _start(box: Box, row: TableRow) -> Match | None:
    """Returns a new match if every seat is taken, and every contribution to the shuffle opened or given up."""
    if row.opens_until is not None or any(seat.kind == "open" or seat.is_awaited for seat in row.seats):
        return None
    words = [word for word in row.luck if word]
    added = [Contribution(number, seat.sealed, seat.opened) for number, seat in enumerate(row.seats) if seat.sealed]
    return Match(box, len(row.seats), row.options, row.seed, words, row.version, added)


def _status(game: Match | None) -> Status:
    if game is None:
        return "waiting"
    return "over" if game.over else "playing"


def _updated_row(row: TableRow, game: Match | None, asked: Sequence[SeatClock] = ()) -> TableRow:
    """Returns the row with the columns copied from the match for lists: status, public seats to act, and the next clock
    check."""
    due = seat_clocks.next_deadline(row.pace, row.seats, asked, row.lines) if row.pace.kind else None
    due = due if row.opens_until is None else row.opens_until
    return replace(row, status=_status(game), asked=game.seen_by(NO_SEAT).to_act if game else (), due=due)


def _clocks_of(row: TableRow, game: Match | None) -> tuple[SeatClock, ...]:
    """Returns the clocks of a match that begins."""
    return () if game is None else seat_clocks.start_clocks(game.seats, game.seen_by(NO_SEAT).to_act, row.begun)


# -- what each audience is shown --------------------------------------------------------------------------------------
def fingerprints(game: Match) -> tuple[AudienceFingerprint, ...]:
    """Returns the sign of each seat, and last a spectator's."""
    return tuple([_fingerprint(game, who) for who in (*range(game.seats), NO_SEAT)])


def _fingerprint(game: Match, who: int) -> AudienceFingerprint:
    shown = game.seen_by(who)
    to_act = shown.to_act
    question = shown.question if who in to_act else None
    return AudienceFingerprint(to_act, question, game.heard(who), who != NO_SEAT and game.can_undo(who))


def _fingerprints(game: Match | None) -> tuple[AudienceFingerprint, ...]:
    return () if game is None else fingerprints(game)


def _start_history(game: Match | None) -> tuple[tuple[SeenState, ...], ...]:
    """Returns the history of a match that begins."""
    return () if game is None else tuple([(SeenState(sign.heard, 0),) for sign in fingerprints(game)])


def _extend_history(
    history: tuple[tuple[SeenState, ...], ...],
    before: Sequence[tuple[int, int]],
    game: Match,
    after: Sequence[AudienceFingerprint],
    moved: Sequence[bool],
) -> tuple[tuple[SeenState, ...], ...]:
    """Returns the history with one more glimpse for each audience that sees a change. `before`: the answers before the
    request. Older glimpses are cut back to what was not taken back."""
    answers, hand = game.answers, game.in_hand()
    stand = _common_prefix(before, answers)
    lived = []
    for who, (past, sign) in enumerate(zip(history, after, strict=True)):
        if stand < len(before):
            past = _cut_back(past, SeenState(sign.heard, stand))
        if moved[who]:
            shown = answers if hand in (NO_SEAT, who) else game.settled_answers
            past = (*past, SeenState(sign.heard, len(shown)))
        lived.append(past)
    return tuple(lived)


def _cut_back(past: tuple[SeenState, ...], most: SeenState) -> tuple[SeenState, ...]:
    """Returns the glimpses, none of which shows more than `most`. Those that show less are kept as they are: creating
    thousands of them anew took most of the time to load a table where much had been taken back.
    """
    events, answers = most
    return tuple(
        [
            then if then[0] <= events and then[1] <= answers else SeenState(min(then[0], events), min(then[1], answers))
            for then in past
        ]
    )


def _common_prefix(before: Sequence[tuple[int, int]], after: Sequence[tuple[int, int]]) -> int:
    """Returns how many of the answers before still stand."""
    if len(after) > len(before):
        return len(before)  # nothing was taken back
    return next((n for n, answer in enumerate(after) if answer != before[n]), len(after))


def _version_number(who: int, seen: int | str) -> str:
    """Formats an audience and its count of `seen` for a view name."""
    return f"{'w' if who == NO_SEAT else who}-{seen}"


def _extend_stops(stops: tuple[int, ...], before: Sequence[tuple[int, int]], game: Match) -> tuple[int, ...]:
    """Returns the stops with the position a spectator is shown now. `before`: the answers before the request."""
    answers = game.answers
    shown = len(answers if game.in_hand() == NO_SEAT else game.settled_answers)
    if len(answers) > len(before):
        return (*stops, shown)
    stand = _common_prefix(before, answers)
    return (*[stop for stop in stops if stop <= stand][:-1], shown)


# -- form stamps and repeated requests --------------------------------------------------------------------------------
def is_repeated(now: Moment, stamp: str, request: AnswerRequest) -> bool:
    """Returns whether this is the seat's latest request again, sent from the same board (a double click)."""
    last = now.last[request.seat]
    return last is not None and last[1] == request and stamp == _stamp(now.row.seed, request.seat, last[0])


def _stamp(seed: bytes, seat: int, asked_at: int) -> str:
    return keyed_hash(seed, f"stamp {seat} {asked_at}").hex()


def keyed_hash(seed: bytes, text: str) -> bytes:
    """Derives bytes that cannot be predicted before the seed is revealed (keyed BLAKE2b)."""
    return blake2b(text.encode(), key=seed, digest_size=8).digest()
