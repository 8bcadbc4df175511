"""All that a table is at one moment, and the next one after it.

A moment never changes. What is here makes another of it, on a match of its own, and writes nothing: what somebody may do is
checked before, and what came of it is put on disk after (table.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import NamedTuple

from veillee.games import catalogue
from veillee.games.box import Box
from veillee.games.first_game import FirstGame, first_game
from veillee.house.accounts.people import SUBSTITUTE, Guest, Seat
from veillee.house.errors import NotNow, StoreError, t
from veillee.house.storage.table_rows import Request, Row, Status
from veillee.house.tables.clocks import seat_clocks
from veillee.house.tables.clocks.seat_clocks import Hour
from veillee.kernel.log import NO_SEAT
from veillee.kernel.state import Step
from veillee.match import seeds
from veillee.match.errors import VeilleeError
from veillee.match.match import Match


class Sign(NamedTuple):
    """Changes with everything of a match that one audience is shown, and with nothing that it is not.

    A change of the board before somebody's eyes is told to them by an event, or is a change of who is asked: so no view
    needs to be made and compared (veillee/conformance/test_forks.py holds every game to it).
    """

    to_act: tuple[int, ...]
    question: Step | None  # that it is asked
    heard: int  # the events that it was told of
    can_undo: bool


class Glimpse(NamedTuple):
    """What of the match one audience had been shown at some time, but for what was taken back since."""

    events: int
    answers: int  # that made the position it was shown


@dataclass(frozen=True)
class Moment:
    """A table at one moment: everything in it belongs together."""

    row: Row
    game: Match | None  # None while the table is waiting
    requests: int  # how many are on disk
    seen: tuple[int, ...]  # for each seat, and last for a spectator: how many of them changed what it is shown
    asked_at: tuple[int, ...]  # for each seat: how many it had seen when it was asked what it is asked
    last: tuple[tuple[int, Request] | None, ...]  # each seat's latest request, and what its asked_at was then
    answered: tuple[int, ...]  # for each seat: how many it had seen right after that
    stops: tuple[int, ...]  # how many answers made each position that a spectator was shown, but for those taken back
    signs: tuple[Sign, ...]  # of what each seat, and last a spectator, is shown; none while the table is waiting
    history: tuple[tuple[Glimpse, ...], ...]  # for each seat, and last for a spectator: one for each count of `seen`
    hours: tuple[Hour, ...]  # how each seat stands with time; none while the table is waiting

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
        """The table where the same people play again, or empty."""
        return self.row.rematch

    @property
    def hints(self) -> bool:
        """May those who play ask for advice?"""
        return self.row.hints

    @property
    def first_game(self) -> FirstGame | None:
        """The script of a first game, while it is guided."""
        return first_game(self.box) if self.row.guide == "on" else None

    def rev(self, mine: Collection[int] = ()) -> int:
        """Grows with every change that is shown to somebody on these seats (on none: to a spectator), and only then."""
        return self.row.reseated + sum(self.seen[seat] for seat in mine or (NO_SEAT,))

    def name(self, mine: Collection[int] = ()) -> str:
        """What those on these seats (on none: spectators) are shown now, as a name that pages and streams go by.

        It is made of their own counts. Around one screen it is what everybody sees, too: hands are hidden in between.
        """
        audiences = [*mine] if len(mine) == 1 else [*mine, NO_SEAT]
        return ".".join([str(self.row.reseated), *[_counted(who, self.seen[who]) for who in audiences]])

    def glimpse(self, name: str, who: int) -> Glimpse | None:
        """What the audience had been shown under that name, of what still stands; None: it was shown nothing then."""
        for count in name.split(".")[1:]:
            seen = count.removeprefix(_counted(who, ""))
            if (
                seen != count
                and seen.isascii()
                and seen.isdigit()
                and len(seen) < 8
                and int(seen) < len(self.history[who])
            ):
                return self.history[who][int(seen)]
        return None

    def away(self, left: str, who: int, most: int) -> str:
        """Where somebody who was shown that last, and is back, goes on: the name of what they were shown. Empty: they
        have missed nothing.

        Not before their own last answer: what a seat may have looked at before it is not shown again. Nor before the
        latest events, so many.
        """
        then = self.glimpse(left, who)
        if then is None:
            return ""
        heard = self.history[who][-1].events
        least = max(then.events, heard - most)
        own = self.answered[who] if who != NO_SEAT else 0
        seen = next(n for n, known in enumerate(self.history[who]) if n >= own and known.events >= least)
        known = self.history[who][seen]
        return f"{self.row.reseated}.{_counted(who, seen)}" if known.events < heard else ""

    def before_answer(self, seat: int) -> int:
        """How many events the seat knew when it was asked what it answered last: what it caused, and what followed, is
        news to whoever was not shown it."""
        last = self.last[seat]
        return 0 if last is None else self.history[seat][last[0]].events

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


# -- of what was played, and what comes next --------------------------------------------------------------------------
def still(match: Match, names: Sequence[str]) -> Moment:
    """A table that is in no store, at the present position of a match: for pictures. Bots of these names sit there."""
    seats = tuple([Seat("bot", name, level=SUBSTITUTE) for name in names])
    row = Row(
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
    return replace(replayed(match.box, row, ()), game=match)


def replayed(box: Box, row: Row, requests: Sequence[Request]) -> Moment:
    """The table as its answers make it."""
    seats, game = len(row.seats), _start(box, row)
    now = Moment(
        _copied(row, game, _hours(row, game)),
        game,
        requests=0,
        seen=(0,) * (seats + 1),
        asked_at=(0,) * seats,
        last=(None,) * seats,
        answered=(0,) * seats,
        stops=(0,),
        signs=_signs(game),
        history=_history(game),
        hours=_hours(row, game),
    )
    return _played(now, requests)


def _played(now: Moment, requests: Sequence[Request]) -> Moment:
    """After these requests. Their match is now's own: nobody may look at that any more."""
    try:
        for request in requests:
            now = _next(now, now.match, request)
    except VeilleeError as error:
        said = t("Table {table} cannot be read: {reason}", table=now.id, reason=error)
        raise StoreError(said, error.rule) from None
    return now


def continued(now: Moment, requests: Sequence[Request]) -> Moment:
    """The moment after requests that another process has written, beside the present one."""
    return _played(replace(now, game=now.match.copy()), requests) if requests else now


def after(now: Moment, request: Request) -> Moment:
    """The moment after the request, beside the present one."""
    return _next(now, now.match.copy(), request)


def reseated(box: Box, now: Moment, row: Row, at: float) -> Moment:
    """The moment with these seats; when all are taken, the match begins."""
    game = now.game or _start(box, row)
    row = replace(row, begun=at) if game is not None and now.game is None else row
    signs, history = now.signs or _signs(game), now.history or _history(game)
    asked = now.hours or _hours(row, game)
    return replace(now, row=_copied(row, game, asked), game=game, signs=signs, history=history, hours=asked)


def _next(now: Moment, game: Match, request: Request) -> Moment:
    """Play the request on `game`, which may be now's own match if nobody looks at that any more."""
    before, answers = now.signs, game.answers
    if request.actions:
        game.play(request.seat, *request.actions)
    elif not game.undo(request.seat):
        raise NotNow(t("There is nothing to take back: somebody has learned something since, or gone on."))
    after = signs(game)
    moved = [who == request.seat or sign != before[who] for who, sign in enumerate(after)]
    asked_anew = [who == request.seat or sign.question is not before[who].question for who, sign in enumerate(after)]
    seen = tuple(count + moved[who] for who, count in enumerate(now.seen))
    asked_at = tuple(seen[seat] if asked_anew[seat] else since for seat, since in enumerate(now.asked_at))
    mine = (now.asked_at[request.seat], request)
    last = now.last[: request.seat] + (mine,) + now.last[request.seat + 1 :]
    answered = now.answered[: request.seat] + (seen[request.seat],) + now.answered[request.seat + 1 :]
    stops = _stops(now.stops, answers, game) if moved[NO_SEAT] else now.stops
    history = _lived(now.history, answers, game, after, moved)
    asked = now.hours
    if moved[NO_SEAT]:
        was, asks, row = before[NO_SEAT].to_act, after[NO_SEAT].to_act, now.row
        asked = seat_clocks.answered(asked, row.pace, row.lines, now.requests, request.seat, was, asks, request.at)
    return Moment(
        _copied(now.row, game, asked),
        game,
        requests=now.requests + 1,
        seen=seen,
        asked_at=asked_at,
        last=last,
        answered=answered,
        stops=stops,
        signs=after,
        history=history,
        hours=asked,
    )


def _start(box: Box, row: Row) -> Match | None:
    """The match of a table where every seat is taken."""
    if any(seat.kind == "open" for seat in row.seats):
        return None
    return Match(box, len(row.seats), row.options, row.seed, [word for word in row.luck if word], row.version)


def _status(game: Match | None) -> Status:
    if game is None:
        return "waiting"
    return "over" if game.over else "playing"


def _copied(row: Row, game: Match | None, asked: Sequence[Hour] = ()) -> Row:
    """The row with what lists show of the match, which is what a spectator is shown, and when time may be out."""
    due = seat_clocks.due(row.pace, row.seats, asked, row.lines) if row.pace.kind else None
    return replace(row, status=_status(game), asked=game.seen_by(NO_SEAT).to_act if game else (), due=due)


def _hours(row: Row, game: Match | None) -> tuple[Hour, ...]:
    """Of a match that begins."""
    return () if game is None else seat_clocks.begun(game.seats, game.seen_by(NO_SEAT).to_act, row.begun)


# -- what each audience is shown --------------------------------------------------------------------------------------
def signs(game: Match) -> tuple[Sign, ...]:
    """For each seat, and last for a spectator."""
    return tuple([_sign(game, who) for who in (*range(game.seats), NO_SEAT)])


def _sign(game: Match, who: int) -> Sign:
    shown = game.seen_by(who)
    to_act = shown.to_act
    question = shown.question if who in to_act else None
    return Sign(to_act, question, game.heard(who), who != NO_SEAT and game.can_undo(who))


def _signs(game: Match | None) -> tuple[Sign, ...]:
    return () if game is None else signs(game)


def _history(game: Match | None) -> tuple[tuple[Glimpse, ...], ...]:
    """Of a match that begins."""
    return () if game is None else tuple([(Glimpse(sign.heard, 0),) for sign in signs(game)])


def _lived(
    history: tuple[tuple[Glimpse, ...], ...],
    before: Sequence[tuple[int, int]],
    game: Match,
    after: Sequence[Sign],
    moved: Sequence[bool],
) -> tuple[tuple[Glimpse, ...], ...]:
    """With what each audience is shown now, after these answers before it: one more glimpse for those who see a change."""
    answers, hand = game.answers, game.in_hand()
    stand = _common(before, answers)
    lived = []
    for who, (past, sign) in enumerate(zip(history, after, strict=True)):
        if stand < len(before):
            past = tuple([Glimpse(min(then.events, sign.heard), min(then.answers, stand)) for then in past])
        if moved[who]:
            shown = answers if hand in (NO_SEAT, who) else game.settled_answers
            past = (*past, Glimpse(sign.heard, len(shown)))
        lived.append(past)
    return tuple(lived)


def _common(before: Sequence[tuple[int, int]], after: Sequence[tuple[int, int]]) -> int:
    """How many of the answers before still stand."""
    if len(after) > len(before):
        return len(before)  # nothing was taken back
    return next((n for n, answer in enumerate(after) if answer != before[n]), len(after))


def _counted(who: int, seen: int | str) -> str:
    """How much an audience has seen, in a name."""
    return f"{'w' if who == NO_SEAT else who}-{seen}"


def _stops(stops: tuple[int, ...], before: Sequence[tuple[int, int]], game: Match) -> tuple[int, ...]:
    """With the position that a spectator is shown now, after these answers before it."""
    answers = game.answers
    shown = len(answers if game.in_hand() == NO_SEAT else game.settled_answers)
    if len(answers) > len(before):
        return (*stops, shown)
    stand = _common(before, answers)
    return (*[stop for stop in stops if stop <= stand][:-1], shown)


# -- what a form carries back -----------------------------------------------------------------------------------------
def is_repeated(now: Moment, stamp: str, request: Request) -> bool:
    """Is this the seat's latest request once more, sent from the same board (a double click)?"""
    last = now.last[request.seat]
    return last is not None and last[1] == request and stamp == _stamp(now.row.seed, request.seat, last[0])


def _stamp(seed: bytes, seat: int, asked_at: int) -> str:
    return secret(seed, f"stamp {seat} {asked_at}").hex()


def secret(seed: bytes, text: str) -> bytes:
    """Bytes that nobody can foretell before the seed is revealed."""
    return blake2b(text.encode(), key=seed, digest_size=8).digest()
