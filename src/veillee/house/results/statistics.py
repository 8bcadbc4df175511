"""Statistics of a guest's finished games: totals by box, by number of players and by opponent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

import sqlalchemy as sa

from veillee.bots.levels import MEASURE
from veillee.house.storage.schema import results, seats, tables
from veillee.house.storage.store import Store
from veillee.house.tables.seats import Seat, is_adaptive_level

MAX_GAMES = 2000  # latest games that count
LONGEST_GAMES_SHOWN = 3


class PlayedGame(NamedTuple):
    """A finished game of the guest; in hot seat the first of their seats counts."""

    id: str
    game: str
    seats: tuple[Seat, ...]
    mine: int
    places: tuple[int, ...]  # empty: the result is not known yet
    winners: tuple[int, ...]
    began: datetime
    ended: datetime
    answers: int
    rated: bool

    @property
    def place(self) -> int:
        return self.places[self.mine] if self.places else 0

    @property
    def won(self) -> bool:
        return self.mine in self.winners

    def lost_to(self) -> list[Seat]:
        """Returns the seats that placed better."""
        return [seat for seat, place in zip(self.seats, self.places, strict=False) if place < self.place]


@dataclass
class Tally:
    """Totals over some games."""

    games: int = 0
    won: float = 0.0  # a shared victory counts as a fraction
    places: int = 0

    def add(self, game: PlayedGame) -> None:
        self.games += 1
        self.won += 1 / len(game.winners) if game.won else 0.0
        self.places += game.place

    @property
    def share(self) -> float:
        return self.won / self.games

    @property
    def mean_place(self) -> float:
        return self.places / self.games


@dataclass
class OpponentRecord:
    """Games with one opponent, and in how many the guest placed better; a tie counts half."""

    name: str  # of a person, the latest; the level of a bot
    is_bot: bool
    games: int = 0
    ahead: float = 0.0


@dataclass
class PlayerStatistics:
    """All statistics of one guest."""

    by_box: dict[str, Tally] = field(default_factory=dict)
    by_company: dict[tuple[str, int], Tally] = field(default_factory=dict)  # box and number of seats
    against: list[OpponentRecord] = field(default_factory=list)  # most frequent opponents first
    longest: list[PlayedGame] = field(default_factory=list)  # by answers
    lost_to_bot: PlayedGame | None = None  # the latest


def load_games(store: Store, guest: str) -> list[PlayedGame]:
    """Returns the guest's finished games, latest first, without those played on from a position of another game."""
    theirs = sa.select(seats.c.table_id).where(seats.c.guest == guest)
    columns = (tables.c.id, tables.c.game, tables.c.created, tables.c.touched, tables.c.requests, tables.c.rated)
    query = (
        sa.select(*columns, results.c.places, results.c.winners)
        .outerjoin(results, results.c.table_id == tables.c.id)
        .where(tables.c.id.in_(theirs), tables.c.status == "over", tables.c.branch == "")
        .order_by(tables.c.touched.desc())
        .limit(MAX_GAMES)
    )
    with store.reading() as db:
        rows = db.execute(query).all()
        around: dict[str, list[Seat]] = {row.id: [] for row in rows}
        beside = sa.select(seats).where(seats.c.table_id.in_(theirs)).order_by(seats.c.seat)
        for seat in db.execute(beside):
            if seat.table_id in around:
                around[seat.table_id].append(Seat(seat.kind, seat.name, seat.guest or "", seat.level, seat.away))
    return [
        PlayedGame(
            row.id,
            row.game,
            tuple(around[row.id]),
            next(number for number, seat in enumerate(around[row.id]) if seat.guest == guest),
            tuple(json.loads(row.places or "[]")),
            tuple(json.loads(row.winners or "[]")),
            datetime.fromtimestamp(row.created, UTC),
            datetime.fromtimestamp(row.touched, UTC),
            row.requests,
            row.rated,
        )
        for row in rows
    ]


def summarize(games: Sequence[PlayedGame]) -> PlayerStatistics:
    """Computes the statistics; `games` latest first, those without a known result are skipped."""
    told = PlayerStatistics()
    met: dict[tuple[bool, str], OpponentRecord] = {}
    known = [game for game in games if game.places]
    for game in known:
        told.by_box.setdefault(game.game, Tally()).add(game)
        told.by_company.setdefault((game.game, len(game.seats)), Tally()).add(game)
        for key, name, place in _opponents(game):
            meeting = met.setdefault(key, OpponentRecord(name, key[0]))
            meeting.games += 1
            meeting.ahead += 1.0 if game.place < place else 0.5 if game.place == place else 0.0
        if told.lost_to_bot is None and any(seat.kind == "bot" for seat in game.lost_to()):
            told.lost_to_bot = game
    told.by_company = dict(sorted(told.by_company.items()))
    told.against = sorted(met.values(), key=lambda meeting: (-meeting.games, meeting.is_bot, meeting.name))
    told.longest = sorted(known, key=lambda game: -game.answers)[:LONGEST_GAMES_SHOWN]
    return told


def _opponents(game: PlayedGame) -> Iterable[tuple[tuple[bool, str], str, int]]:
    """Yields key, name and place of every other player at the table."""
    mine = game.seats[game.mine].guest
    for seat, place in zip(game.seats, game.places, strict=True):
        if seat.kind == "bot":
            level = MEASURE if is_adaptive_level(seat.level) else seat.level
            yield (True, level), level, place
        elif seat.guest != mine:
            yield (False, seat.guest or seat.name), seat.name, place
