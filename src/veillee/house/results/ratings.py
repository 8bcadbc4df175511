"""Ratings of people and bots from games at rated tables: one scale per box.

People and bot levels share a scale (OpenSkill's Plackett-Luce model, for any number of players and with ties), each
with its uncertainty. A game counts once, when it ends, in the order in which games end: its result is written in the
same transaction. A player who lets a bot play for them keeps the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from veillee.house.storage.schema import guests, ratings
from veillee.house.tables.seats import Seat

MU, SIGMA = 25.0, 25.0 / 3.0  # of a player without games, as in OpenSkill's papers
DISPLAY_CENTRE, DISPLAY_SCALE = 1500, 60  # of the displayed points: a scale familiar from chess
INTERVAL_DEVIATIONS = 2.0  # standard deviations on either side of the displayed points
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


def record_game(db: sa.Connection, game: str, seats: Sequence[Seat], places: Sequence[int]) -> None:
    """Updates the ratings of all players of a finished game, in the caller's transaction, which guarantees that it
    counts once. A deleted guest counts as an average opponent and gets no rating."""
    around = [rating_key(seat) for seat in seats]
    fresh = {"game": game, "mu": MU, "sigma": SIGMA}
    # Always in the same order: two games that end at the same time do not deadlock.
    for one in sorted(set(around) - {""}):
        db.execute(NEW, fresh | {"who": one})
    known = sa.select(ratings).where(ratings.c.game == game, ratings.c.who.in_(around)).order_by(ratings.c.who)
    found = {row.who: row for row in db.execute(known.with_for_update())}
    from openskill.models import PlackettLuce  # noqa: PLC0415 - slow to import, not needed at start-up

    model = PlackettLuce(mu=MU, sigma=SIGMA)
    strength = {one: (row.mu, row.sigma) for one, row in found.items()} | {"": (MU, SIGMA)}
    teams = [[model.rating(*strength[one])] for one in around]
    after: list[list[Any]] = model.rate(teams, ranks=[float(place) for place in places])
    for one, row in found.items():
        moved = [team[0] for team, other in zip(after, around, strict=True) if other == one]
        values = {
            "mu": sum(team.mu for team in moved) / len(moved),  # average over several bots of one level
            "sigma": sum(team.sigma for team in moved) / len(moved),
            "games": row.games + 1,
        }
        db.execute(ratings.update().where(ratings.c.game == game, ratings.c.who == one).values(values))


def box_ratings(db: sa.Connection, game: str, most: int) -> list[Rating]:
    """Returns the ratings of a box, best first, by their lower confidence bound."""
    query = _select_with_names().where(ratings.c.game == game)
    return _load_ratings(db, query.order_by((ratings.c.mu - INTERVAL_DEVIATIONS * ratings.c.sigma).desc()).limit(most))


def guest_ratings(db: sa.Connection, guest: str) -> dict[str, Rating]:
    """Returns the guest's ratings, by box."""
    query = _select_with_names().add_columns(ratings.c.game).where(ratings.c.who == guest)
    return {row.game: Rating(row.who, row.name or "", row.mu, row.sigma, row.games) for row in db.execute(query)}


def _select_with_names() -> sa.Select[Any]:
    columns = (ratings.c.who, ratings.c.mu, ratings.c.sigma, ratings.c.games, guests.c.name)
    return sa.select(*columns).outerjoin(guests, guests.c.id == ratings.c.who)


def _load_ratings(db: sa.Connection, query: sa.Select[Any]) -> list[Rating]:
    return [Rating(row.who, row.name or "", row.mu, row.sigma, row.games) for row in db.execute(query)]


NEW = sa.text("""
    INSERT INTO ratings (game, who, mu, sigma, games) VALUES (:game, :who, :mu, :sigma, 0) ON CONFLICT DO NOTHING
""")
