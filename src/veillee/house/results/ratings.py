"""Ratings of people and bots from games at rated tables: one scale per box.

People and bot levels share a scale (OpenSkill's Plackett-Luce model, for any number of players and with ties), each
with its uncertainty. Bot levels are fixed points of it (ANCHORS): no series of games moves them, so a rating means the
same next year. A game counts once, when it ends, in the order in which games end: its result is written in the same
transaction. A player who lets a bot play for them keeps the result; one who deletes a running game has lost it. Games
against the same opponents count less and less, so that two friends, or a weak bot, cannot raise a rating for ever.
Guests who share a browser are not rated for a game against each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from veillee.house.accounts.browsers import sharing_guests
from veillee.house.storage.schema import answers, guests, ratings, tables
from veillee.house.storage.schema import seats as seat_rows
from veillee.house.tables.repository import TableRow
from veillee.house.tables.seats import Seat

MU, SIGMA = 25.0, 25.0 / 3.0  # of a player without games, as in OpenSkill's papers
DISPLAY_CENTRE, DISPLAY_SCALE = 1500, 60  # of the displayed points: a scale familiar from chess
INTERVAL_DEVIATIONS = 2.0  # standard deviations on either side of the displayed points
# Fixed ratings of bot levels. A level wins about half of its games against three of the level below
# (docs/opponents.md), which in this model is a distance of about 8.
LEVEL_DISTANCE = 500 / DISPLAY_SCALE
ANCHORS = {
    "random": MU - 2 * LEVEL_DISTANCE,
    "novice": MU - LEVEL_DISTANCE,
    "regular": MU,
    "expert": MU + LEVEL_DISTANCE,
}
ANCHOR_SIGMA = 1.0
REPEATED_GAMES = 3  # earlier games with the same opponents after which a game counts half, then a third, a quarter …
REPEATED_SECONDS = 90 * 86_400.0  # how long an earlier game is remembered
BOT = "bot "  # prefix of a level, in place of a guest's id


@dataclass(frozen=True)
class Rating:
    who: str  # a guest's id, or "bot " and a level
    name: str  # of a person
    mu: float
    sigma: float
    games: int

    @property
    def level(self) -> str:
        """The level of a bot; empty for a person."""
        return self.who.removeprefix(BOT) if self.who.startswith(BOT) else ""

    @property
    def points(self) -> int:
        return round(DISPLAY_CENTRE + DISPLAY_SCALE * (self.mu - MU))

    @property
    def interval(self) -> int:
        """Half the width of the displayed confidence interval."""
        return round(DISPLAY_SCALE * INTERVAL_DEVIATIONS * self.sigma)


def rating_key(seat: Seat) -> str:
    return f"{BOT}{seat.level}" if seat.kind == "bot" else seat.guest


def record_game(
    db: sa.Connection, game: str, seats: Sequence[Seat], places: Sequence[int], *, table_id: str = "", now: float = 0.0
) -> None:
    """Updates the ratings of all players of a finished game, in the caller's transaction, which guarantees that it
    counts once. A deleted guest counts as an average opponent and gets no rating."""
    around = [rating_key(seat) for seat in seats]
    # Always in the same order: two games that end at the same time do not deadlock.
    for one in sorted(set(around) - {""}):
        mu, sigma = _first_rating(one)
        db.execute(NEW, {"game": game, "who": one, "mu": mu, "sigma": sigma})
    known = sa.select(ratings).where(ratings.c.game == game, ratings.c.who.in_(around)).order_by(ratings.c.who)
    found = {row.who: row for row in db.execute(known.with_for_update())}
    shared = sharing_guests(db, {seat.guest for seat in seats if seat.guest})
    strength = {one: (row.mu, row.sigma) for one, row in found.items()} | {"": (MU, SIGMA)}
    strength |= {one: _first_rating(one) for one in found if one.startswith(BOT)}
    after = _rate([strength[one] for one in around], places)
    for number, one in enumerate(around):
        if not one or one in shared or around.index(one) < number:
            continue
        (mu, sigma), moved = strength[one], after[number]
        if not one.startswith(BOT):
            weight = _weight(db, game, one, set(around) - {one}, table_id=table_id, since=now - REPEATED_SECONDS)
            mu, sigma = mu + weight * (moved[0] - mu), sigma + weight * (moved[1] - sigma)
        values = {"mu": mu, "sigma": sigma, "games": found[one].games + 1}
        db.execute(ratings.update().where(ratings.c.game == game, ratings.c.who == one).values(values))


def record_forfeit(db: sa.Connection, row: TableRow, now: float) -> None:
    """Records a rated game that its only human player deletes before its end as lost, in the transaction that deletes
    it. Does nothing for other tables, nor for a game in which they have not answered yet.
    """
    if not row.rated or row.status != "playing":
        return
    own = [number for number, seat in enumerate(row.seats) if seat.kind != "bot"]
    if db.execute(
        sa.select(answers.c.seq).where(answers.c.table_id == row.id, answers.c.seat.in_(own)).limit(1)
    ).first():
        places = [2 if number in own else 1 for number in range(len(row.seats))]
        record_game(db, row.game, row.seats, places, table_id=row.id, now=now)


def rate_series(games: Iterable[tuple[Sequence[Seat], Sequence[int]]]) -> dict[str, Rating]:
    """Returns the ratings of guests by these games alone, which are given oldest first: each with its places. All games
    count whole; one in which a guest has two seats does not count. A deleted guest is an average opponent."""
    strength: dict[str, tuple[float, float]] = {}
    played = Counter[str]()
    for seats, places in games:
        around = [rating_key(seat) for seat in seats]
        people = [one for one in around if one and not one.startswith(BOT)]
        if len(people) != len(set(people)):
            continue
        after = _rate([strength.get(one) or _first_rating(one) for one in around], places)
        for one, moved in zip(around, after, strict=True):
            if one in people:
                strength[one] = moved
                played[one] += 1
    return {one: Rating(one, "", mu, sigma, played[one]) for one, (mu, sigma) in strength.items()}


def _rate(before: Sequence[tuple[float, float]], places: Sequence[int]) -> list[tuple[float, float]]:
    """Returns mean and deviation of each player's rating after a game."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - slow to import, not needed at start-up

    model = PlackettLuce(mu=MU, sigma=SIGMA)
    teams = [[model.rating(*one)] for one in before]
    after: list[list[Any]] = model.rate(teams, ranks=[float(place) for place in places])
    return [(team[0].mu, team[0].sigma) for team in after]


def _first_rating(who: str) -> tuple[float, float]:
    """Returns the rating of a player without games, or the fixed one of a bot's level."""
    return (ANCHORS.get(who.removeprefix(BOT), MU), ANCHOR_SIGMA) if who.startswith(BOT) else (MU, SIGMA)


def _weight(db: sa.Connection, game: str, guest: str, opponents: set[str], *, table_id: str, since: float) -> float:
    """Returns how much a game counts for the guest: 1 with new opponents, less the more they have played lately."""
    own, other = sa.alias(seat_rows), sa.alias(seat_rows)
    query = (
        sa.select(tables.c.id, other.c.guest, other.c.kind, other.c.level)
        .join(own, sa.and_(own.c.table_id == tables.c.id, own.c.guest == guest))
        .join(other, sa.and_(other.c.table_id == tables.c.id, other.c.seat != own.c.seat))
        .where(tables.c.game == game, tables.c.rated, tables.c.status == "over", tables.c.touched > since)
        .where(tables.c.id != table_id)
    )
    met = {(row.id, f"{BOT}{row.level}" if row.kind == "bot" else row.guest) for row in db.execute(query)}
    earlier = Counter(who for _, who in met)
    weights = [1 / (1 + earlier[who] / REPEATED_GAMES) for who in opponents]
    return sum(weights) / len(weights) if weights else 1.0


def box_ratings(db: sa.Connection, game: str, most: int) -> list[Rating]:
    """Returns the ratings of a box, best first, by their lower confidence bound."""
    query = _select_with_names().where(ratings.c.game == game)
    query = query.order_by((ratings.c.mu - INTERVAL_DEVIATIONS * ratings.c.sigma).desc()).limit(most)
    return sorted(_load_ratings(db, query), key=lambda one: one.mu - INTERVAL_DEVIATIONS * one.sigma, reverse=True)


def guest_ratings(db: sa.Connection, guest: str) -> dict[str, Rating]:
    """Returns the guest's ratings, by box."""
    query = _select_with_names().add_columns(ratings.c.game).where(ratings.c.who == guest)
    return {row.game: Rating(row.who, row.name or "", row.mu, row.sigma, row.games) for row in db.execute(query)}


def _select_with_names() -> sa.Select[Any]:
    columns = (ratings.c.who, ratings.c.mu, ratings.c.sigma, ratings.c.games, guests.c.name)
    return sa.select(*columns).outerjoin(guests, guests.c.id == ratings.c.who)


def _load_ratings(db: sa.Connection, query: sa.Select[Any]) -> list[Rating]:
    """Returns ratings; of bot levels the fixed ones, whatever an earlier version has stored."""
    found = []
    for row in db.execute(query):
        mu, sigma = _first_rating(row.who) if row.who.startswith(BOT) else (row.mu, row.sigma)
        found.append(Rating(row.who, row.name or "", mu, sigma, row.games))
    return found


NEW = sa.text("""
    INSERT INTO ratings (game, who, mu, sigma, games) VALUES (:game, :who, :mu, :sigma, 0) ON CONFLICT DO NOTHING
""")
