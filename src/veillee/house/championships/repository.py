"""Championships in the database. Every function is one transaction."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import sqlalchemy as sa

from veillee.games.box import Options
from veillee.house.championships.standings import GameResult
from veillee.house.storage.schema import (
    analyses,
    championship_deals,
    championship_entrants,
    championship_games,
    championships,
    guests,
    tables,
)
from veillee.house.storage.store import Store
from veillee.house.tables.repository import TableRow
from veillee.match import seeds


@dataclass(frozen=True)
class Championship:
    """A championship and its terms, which do not change."""

    id: str
    name: str
    game: str
    version: int
    options: Options
    level: str  # of the bots
    organiser: str  # guest; empty: deleted
    created: float
    ends: float  # then all deals are opened, and later results do not count
    seeds: tuple[bytes, ...]  # of the deals, secret until the end

    @property
    def deals(self) -> range:
        """The numbers of the deals."""
        return range(1, len(self.seeds) + 1)

    def seed(self, deal: int) -> bytes:
        return self.seeds[deal - 1]

    def commitment(self, deal: int) -> str:
        """The commitment to a deal, published when the championship was created."""
        return seeds.commitment(self.seed(deal))


@dataclass(frozen=True)
class Entrant:
    number: int  # from 1, in the order of joining
    guest: str  # empty: deleted
    name: str
    joined: float


@dataclass(frozen=True)
class ChampionshipGame:
    """An entrant's game of one deal."""

    entrant: int
    deal: int
    table_id: str  # empty: it was deleted
    ended: float | None
    share: float | None
    points: int | None
    luck: float | None
    is_over: bool  # of the table; its result may not be saved yet

    @property
    def is_result_unsaved(self) -> bool:
        """Whether it is over and will get its result by one of the next requests."""
        return self.is_over and self.share is None and bool(self.table_id)

    def is_finished_before(self, end: float) -> bool:
        """Whether it has a result in time."""
        return self.share is not None and self.ended is not None and self.ended < end

    def as_lost(self) -> ChampionshipGame:
        """Returns the game as it counts when it was begun and not finished in time: otherwise an entrant could leave out
        the deals that go badly."""
        return replace(self, share=0.0, points=0, luck=0.0)

    @property
    def result(self) -> GameResult | None:
        if self.share is None or self.points is None:
            return None
        return GameResult(self.entrant, self.deal, self.share, self.points, self.luck)


def add(store: Store, championship: Championship) -> None:
    row = {
        "id": championship.id,
        "name": championship.name,
        "game": championship.game,
        "version": championship.version,
        "options": json.dumps(championship.options),
        "level": championship.level,
        "organiser": championship.organiser,
        "created": championship.created,
        "ends": championship.ends,
    }
    with store.writing() as db:
        db.execute(championships.insert().values(row))
        rows = [
            {"championship": championship.id, "number": n, "seed": championship.seed(n)} for n in championship.deals
        ]
        db.execute(championship_deals.insert(), rows)


def find(store: Store, championship_id: str) -> Championship | None:
    with store.reading() as db:
        row = db.execute(sa.select(championships).where(championships.c.id == championship_id)).first()
        return None if row is None else _championship(db, row)


def count_running(store: Store, organiser: str) -> int:
    """Returns how many championships of that organiser are not over."""
    running = sa.and_(championships.c.organiser == organiser, championships.c.ends > store.now())
    with store.reading() as db:
        return int(db.execute(sa.select(sa.func.count()).select_from(championships).where(running)).scalar_one())


def find_by_guest(store: Store, guest: str, most: int) -> list[Championship]:
    """Returns the championships that the guest organises or has entered, latest first."""
    entered = sa.select(championship_entrants.c.championship).where(championship_entrants.c.guest == guest)
    theirs = sa.or_(championships.c.organiser == guest, championships.c.id.in_(entered))
    with store.reading() as db:
        rows = db.execute(
            sa.select(championships).where(theirs).order_by(championships.c.created.desc()).limit(most)
        ).all()
        return [_championship(db, row) for row in rows]


def enter(store: Store, championship_id: str, guest: str, most: int) -> bool:
    """Adds the guest as an entrant; returns False if there are `most` already. Does nothing for an entrant."""
    own = championship_entrants.c.championship == championship_id
    last = sa.select(sa.func.coalesce(sa.func.max(championship_entrants.c.number), 0)).where(own)
    known = sa.select(championship_entrants.c.number).where(own, championship_entrants.c.guest == guest)
    with store.writing() as db:
        if db.execute(known).first() is not None:
            return True
        number = int(db.execute(last).scalar_one()) + 1
        if number > most:
            return False
        row = {"championship": championship_id, "number": number, "guest": guest, "joined": store.now()}
        db.execute(championship_entrants.insert().values(row))  # Conflict: another request was faster
    return True


def load_entrants(store: Store, championship_id: str) -> list[Entrant]:
    query = (
        sa.select(championship_entrants, guests.c.name)
        .outerjoin(guests, guests.c.id == championship_entrants.c.guest)
        .where(championship_entrants.c.championship == championship_id)
        .order_by(championship_entrants.c.number)
    )
    with store.reading() as db:
        return [Entrant(row.number, row.guest or "", row.name or "", row.joined) for row in db.execute(query)]


def load_games(store: Store, championship_id: str) -> list[ChampionshipGame]:
    """Returns all begun games."""
    query = (
        sa.select(championship_games, tables.c.status)
        .outerjoin(tables, tables.c.id == championship_games.c.table_id)
        .where(championship_games.c.championship == championship_id)
        .order_by(championship_games.c.entrant, championship_games.c.deal)
    )
    with store.reading() as db:
        return [
            ChampionshipGame(
                row.entrant,
                row.deal,
                row.table_id or "",
                row.ended,
                row.share,
                row.points,
                row.luck,
                is_over=row.ended is not None or row.status in ("over", None),
            )
            for row in db.execute(query)
        ]


def find_game_of_table(store: Store, table_id: str) -> tuple[str, int, int] | None:
    """Returns championship, entrant and deal of that table."""
    columns = championship_games.c
    query = sa.select(columns.championship, columns.entrant, columns.deal).where(columns.table_id == table_id)
    with store.reading() as db:
        row = db.execute(query).first()
    return None if row is None else (row.championship, row.entrant, row.deal)


def register_game(championship_id: str, entrant: int, deal: int, db: sa.Connection, row: TableRow) -> None:
    """Writes that the entrant has begun the deal, in the transaction that creates the table. Raises Conflict if it was
    begun before."""
    begun = {
        "championship": championship_id,
        "entrant": entrant,
        "deal": deal,
        "table_id": row.id,
        "begun": row.created,
    }
    db.execute(championship_games.insert().values(begun))


def save_result(store: Store, table_id: str, ended: float, share: float, points: int) -> None:
    mine = championship_games.c.table_id == table_id
    with store.writing() as db:
        db.execute(championship_games.update().where(mine).values(ended=ended, share=share, points=points))


def save_luck(store: Store, table_id: str, seat: int) -> bool:
    """Saves how much of the victory luck has given the seat, if the table is analysed. Returns whether it is."""
    with store.writing() as db:
        found = db.execute(sa.select(analyses.c.findings).where(analyses.c.table_id == table_id)).scalar()
        if found is None:
            return False
        luck = sum(row["luck"][seat] for row in json.loads(found))
        db.execute(championship_games.update().where(championship_games.c.table_id == table_id).values(luck=luck))
    return True


def _championship(db: sa.Connection, row: sa.Row[tuple[object, ...]]) -> Championship:
    query = sa.select(championship_deals.c.seed).where(championship_deals.c.championship == row.id)
    sealed = tuple(db.execute(query.order_by(championship_deals.c.number)).scalars())
    return Championship(
        row.id,
        row.name,
        row.game,
        row.version,
        json.loads(row.options),
        row.level,
        row.organiser or "",
        row.created,
        row.ends,
        sealed,
    )
