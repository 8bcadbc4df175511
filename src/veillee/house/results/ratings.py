"""How strong people and bots have shown themselves to be at tables that were agreed to be rated: a scale for each box.

People and the levels of the bots stand on the same scale (OpenSkill's Plackett-Luce model, for any number of players and
with ties), each with what is still uncertain of it. A game counts when it is over, in the order in which games end, and
once: its result is written in the same transaction. Who lets a bot play for them keeps the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from veillee.house.accounts.people import Seat
from veillee.house.storage.schema import guests, ratings

MU, SIGMA = 25.0, 25.0 / 3.0  # of whoever has played nothing, as in OpenSkill's papers
MIDDLE, STEP = 1500, 60  # of what is shown: as chess players are used to it
SURE = 2.0  # standard deviations on either side of what is shown
BOT = "bot "  # before the level, where a guest's id stands for a person


@dataclass(frozen=True)
class Rating:
    who: str  # a guest's id, or "bot " and a level
    name: str  # of a person
    mu: float
    sigma: float
    games: int

    @property
    def level(self) -> str:
        """Of a bot."""
        return self.who.removeprefix(BOT) if self.who.startswith(BOT) else ""

    @property
    def points(self) -> int:
        return round(MIDDLE + STEP * (self.mu - MU))

    @property
    def about(self) -> int:
        """How far from that it may well be."""
        return round(STEP * SURE * self.sigma)


def who(seat: Seat) -> str:
    return f"{BOT}{seat.level}" if seat.kind == "bot" else seat.guest


def count(db: sa.Connection, game: str, seats: Sequence[Seat], places: Sequence[int]) -> None:
    """A game is over: everybody's rating moves. In the caller's transaction, which counts it once. A former guest was
    somebody to play against, and is on no scale any more."""
    around = [who(seat) for seat in seats]
    fresh = {"game": game, "mu": MU, "sigma": SIGMA}
    # In one order everywhere: two games that end at once do not wait for each other for ever.
    for one in sorted(set(around) - {""}):
        db.execute(NEW, fresh | {"who": one})
    known = sa.select(ratings).where(ratings.c.game == game, ratings.c.who.in_(around)).order_by(ratings.c.who)
    found = {row.who: row for row in db.execute(known.with_for_update())}
    from openskill.models import PlackettLuce  # noqa: PLC0415 - a start of the house does without

    model = PlackettLuce(mu=MU, sigma=SIGMA)
    strength = {one: (row.mu, row.sigma) for one, row in found.items()} | {"": (MU, SIGMA)}
    teams = [[model.rating(*strength[one])] for one in around]
    after: list[list[Any]] = model.rate(teams, ranks=[float(place) for place in places])
    for one, row in found.items():
        moved = [team[0] for team, other in zip(after, around, strict=True) if other == one]
        values = {
            "mu": sum(team.mu for team in moved) / len(moved),  # several bots of one level
            "sigma": sum(team.sigma for team in moved) / len(moved),
            "games": row.games + 1,
        }
        db.execute(ratings.update().where(ratings.c.game == game, ratings.c.who == one).values(values))


def of_box(db: sa.Connection, game: str, most: int) -> list[Rating]:
    """The scale of a box, the strongest first, as far as it is known: what is still uncertain is taken off."""
    query = _named().where(ratings.c.game == game)
    return _read(db, query.order_by((ratings.c.mu - SURE * ratings.c.sigma).desc()).limit(most))


def of_guest(db: sa.Connection, guest: str) -> dict[str, Rating]:
    """Their own, by box."""
    query = _named().add_columns(ratings.c.game).where(ratings.c.who == guest)
    return {row.game: Rating(row.who, row.name or "", row.mu, row.sigma, row.games) for row in db.execute(query)}


def _named() -> sa.Select[Any]:
    columns = (ratings.c.who, ratings.c.mu, ratings.c.sigma, ratings.c.games, guests.c.name)
    return sa.select(*columns).outerjoin(guests, guests.c.id == ratings.c.who)


def _read(db: sa.Connection, query: sa.Select[Any]) -> list[Rating]:
    return [Rating(row.who, row.name or "", row.mu, row.sigma, row.games) for row in db.execute(query)]


NEW = sa.text("""
    INSERT INTO ratings (game, who, mu, sigma, games) VALUES (:game, :who, :mu, :sigma, 0) ON CONFLICT DO NOTHING
""")
