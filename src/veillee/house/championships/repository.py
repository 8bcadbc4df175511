"""Championships in the database. Every function is one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import sqlalchemy as sa

from veillee.games.box import Options
from veillee.house.championships.standings import GameResult, Scoring
from veillee.house.storage.schema import (
    analyses,
    championship_deals,
    championship_entrants,
    championship_games,
    championship_rounds,
    championships,
    guests,
    tables,
)
from veillee.house.storage.store import Store
from veillee.house.tables.clocks.time_control import UNTIMED, TimeControl
from veillee.house.tables.repository import TableRow
from veillee.match import seeds

Form = Literal["duplicate", "rounds", "league"]
UNTIL_CLOSED = 32_503_680_000.0  # the year 3000: in place of an end that is only known when the last round is closed


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
    ends: float  # then all deals are opened, and later results do not count; in rounds UNTIL_CLOSED
    seeds: tuple[bytes, ...]  # of the deals, secret until the end of the championship, or of their round
    form: Form = "duplicate"
    scoring: Scoring = "skill"  # by which entrants are ranked
    deals_per_round: int = 0  # 0: there are no rounds
    pace: TimeControl = UNTIMED  # of the tables of a round
    round_seconds: float = 0.0  # that a round lasts at most, in house time
    begins: float | None = None  # the first round; None: when the organiser says so

    @property
    def deals(self) -> range:
        """The numbers of the deals."""
        return range(1, len(self.seeds) + 1)

    def seed(self, deal: int) -> bytes:
        return self.seeds[deal - 1]

    def commitment(self, deal: int) -> str:
        """The commitment to a deal, published when the championship was created."""
        return seeds.commitment(self.seed(deal))

    @property
    def has_rounds(self) -> bool:
        """Whether entrants play each other, in rounds or seasons; otherwise each plays alone against bots."""
        return self.form != "duplicate"

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return len(self.seeds) // self.deals_per_round if self.deals_per_round else 0

    def deals_of_round(self, number: int) -> range:
        """The numbers of the deals of a round."""
        return range((number - 1) * self.deals_per_round + 1, number * self.deals_per_round + 1)


@dataclass(frozen=True)
class Entrant:
    number: int  # from 1, in the order of joining
    guest: str  # empty: deleted
    name: str
    joined: float
    shield: str = ""
    withdrawn: float | None = None  # since when they want to play no further round
    level: str = ""  # of the bots made to measure for them

    @property
    def is_active(self) -> bool:
        """Whether they play the next round."""
        return bool(self.guest) and self.withdrawn is None


class Round(NamedTuple):
    """A round or season that has begun."""

    number: int  # from 1
    began: float
    closed: float | None  # when all its games were over


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
    championship: str
    round: int = 0  # 0: there are no rounds
    group: int = 0  # of entrants who play each other in the round, from 1
    seat: int | None = None  # None: the only person's
    seats: int = 0  # of its table; 0: that of one entrant alone
    is_substituted: bool = False  # a bot has played for them

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
        place = (self.seats, self.seat) if self.seats and self.seat is not None else None
        return GameResult(self.entrant, self.deal, self.share, self.points, self.luck, place)


class GamesVersion(NamedTuple):
    """What changes in the games of a championship, counted: each of these numbers only grows, so games with the same
    numbers are the same."""

    begun: int
    deleted: int  # tables
    with_result: int
    with_luck: int
    over: int


@dataclass(frozen=True)
class SeatResult:
    """How a game has ended for a seat."""

    share: float
    points: int
    is_substituted: bool = False


@dataclass(frozen=True)
class PlannedTable:
    """A table of a round, before it is created."""

    group: int
    deal: int
    seating: Sequence[int]  # the entrants by seat; 0: a bot


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
        "form": championship.form,
        "scoring": championship.scoring,
        "deals_per_round": championship.deals_per_round,
        "pace": championship.pace.serialize(),
        "round_seconds": championship.round_seconds,
        "begins": championship.begins,
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


def enter(store: Store, championship_id: str, guest: str, *, level: str, most: int) -> bool:
    """Adds the guest as an entrant; returns False if there are `most` already. An entrant who had withdrawn plays again.
    level: of the bots made to measure for them."""
    own = championship_entrants.c.championship == championship_id
    last = sa.select(sa.func.coalesce(sa.func.max(championship_entrants.c.number), 0)).where(own)
    known = sa.select(championship_entrants.c.number).where(own, championship_entrants.c.guest == guest)
    with store.writing() as db:
        if db.execute(known).first() is not None:
            back = championship_entrants.update().where(own, championship_entrants.c.guest == guest)
            db.execute(back.values(withdrawn=None))
            return True
        number = int(db.execute(last).scalar_one()) + 1
        if number > most:
            return False
        row = {"championship": championship_id, "number": number, "guest": guest, "joined": store.now(), "level": level}
        db.execute(championship_entrants.insert().values(row))  # Conflict: another request was faster
    return True


def withdraw(store: Store, championship_id: str, entrant: int) -> None:
    """Writes that the entrant wants to play no further round."""
    mine = sa.and_(championship_entrants.c.championship == championship_id, championship_entrants.c.number == entrant)
    with store.writing() as db:
        db.execute(championship_entrants.update().where(mine).values(withdrawn=store.now()))


def load_entrants(store: Store, championship_id: str) -> list[Entrant]:
    query = (
        sa.select(championship_entrants, guests.c.name, guests.c.shield)
        .outerjoin(guests, guests.c.id == championship_entrants.c.guest)
        .where(championship_entrants.c.championship == championship_id)
        .order_by(championship_entrants.c.number)
    )
    with store.reading() as db:
        return [
            Entrant(
                row.number,
                row.guest or "",
                row.name or "",
                row.joined,
                row.shield or "",
                row.withdrawn,
                row.level,
            )
            for row in db.execute(query)
        ]


def load_games(store: Store, championship_id: str, *, after_round: int = -1) -> list[ChampionshipGame]:
    """Returns all begun games; of the rounds after that one, if it is given."""
    games = championship_games.c
    return _select_games(store, sa.and_(games.championship == championship_id, games.round > after_round))


def find_game(store: Store, championship_id: str, entrant: int, deal: int) -> ChampionshipGame | None:
    games = championship_games.c
    mine = sa.and_(games.championship == championship_id, games.entrant == entrant, games.deal == deal)
    return next(iter(_select_games(store, mine)), None)


def load_version(store: Store, championship_id: str) -> GamesVersion:
    """Returns the numbers that tell whether games have changed."""
    games = championship_games.c
    own = games.championship == championship_id
    counts = sa.select(*map(sa.func.count, (games.entrant, games.table_id, games.share, games.luck, games.ended)))
    over = sa.or_(tables.c.status == "over", games.table_id.is_(None))
    unsaved = sa.select(sa.func.count()).select_from(championship_games.outerjoin(tables))
    with store.reading() as db:
        begun, present, with_result, with_luck, ended = map(int, db.execute(counts.where(own)).one())
        unnoted = db.execute(unsaved.where(own, games.ended.is_(None), over)).scalar_one()
    return GamesVersion(begun, begun - present, with_result, with_luck, ended + unnoted)


def find_unanalysed(store: Store, championship_id: str, most: int) -> list[str]:
    """Returns tables of finished games whose luck is not known."""
    games = championship_games.c
    unknown = sa.and_(games.share.is_not(None), games.luck.is_(None), games.table_id.is_not(None))
    query = sa.select(games.table_id).where(games.championship == championship_id, unknown).distinct().limit(most)
    with store.reading() as db:
        return list(db.execute(query).scalars())


def load_games_of_table(store: Store, table_id: str) -> list[ChampionshipGame]:
    """Returns the games that are played at that table, one for each entrant."""
    return _select_games(store, championship_games.c.table_id == table_id)


def _select_games(store: Store, which: sa.ColumnElement[bool]) -> list[ChampionshipGame]:
    query = (
        sa.select(championship_games, tables.c.status)
        .outerjoin(tables, tables.c.id == championship_games.c.table_id)
        .where(which)
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
                championship=row.championship,
                round=row.round,
                group=row.group,
                seat=row.seat,
                seats=row.seats,
                is_substituted=row.substituted,
            )
            for row in db.execute(query)
        ]


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


def save_results(store: Store, table_id: str, ended: float, results: Mapping[int, SeatResult]) -> None:
    """Saves the result of each entrant of the table, once."""
    with store.writing() as db:
        for entrant, result in results.items():
            mine = sa.and_(championship_games.c.table_id == table_id, championship_games.c.entrant == entrant)
            saved = championship_games.update().where(mine, championship_games.c.share.is_(None))
            told = {"share": result.share, "points": result.points, "substituted": result.is_substituted}
            db.execute(saved.values(ended=ended, **told))


def save_luck(store: Store, table_id: str, seats: Mapping[int, int]) -> bool:
    """Saves how much of the victory luck has given each entrant, if the table is analysed. seats: of the entrants.
    Returns whether it is."""
    with store.writing() as db:
        found = db.execute(sa.select(analyses.c.findings).where(analyses.c.table_id == table_id)).scalar()
        if found is None:
            return False
        rows = json.loads(found)
        for entrant, seat in seats.items():
            mine = sa.and_(championship_games.c.table_id == table_id, championship_games.c.entrant == entrant)
            luck = sum(row["luck"][seat] for row in rows)
            db.execute(championship_games.update().where(mine).values(luck=luck))
    return True


# -- rounds -----------------------------------------------------------------------------------------------------------
def find_running_rounds(store: Store) -> list[Championship]:
    """Returns the championships in rounds that are not over."""
    running = sa.and_(championships.c.deals_per_round > 0, championships.c.ends > store.now())
    with store.reading() as db:
        return [_championship(db, row) for row in db.execute(sa.select(championships).where(running)).all()]


def load_rounds(store: Store, championship_id: str) -> list[Round]:
    """Returns the rounds that have begun, in order."""
    columns = championship_rounds.c
    query = sa.select(columns.number, columns.began, columns.closed).where(columns.championship == championship_id)
    with store.reading() as db:
        return [Round(*row) for row in db.execute(query.order_by(columns.number))]


def find_tables_in_play(store: Store, championship_id: str, number: int) -> list[str]:
    """Returns the tables of a round whose game is not over."""
    games = championship_games.c
    query = (
        sa.select(tables.c.id)
        .join(championship_games, games.table_id == tables.c.id)
        .where(games.championship == championship_id, games.round == number, tables.c.status != "over")
        .distinct()
    )
    with store.reading() as db:
        return list(db.execute(query).scalars())


def register_round(
    championship: Championship,
    number: int,
    planned: Sequence[PlannedTable],
    db: sa.Connection,
    rows: Sequence[TableRow],
) -> None:
    """Writes a round and its games, in the transaction that creates its tables. Raises Conflict if another process was
    faster."""
    began = rows[0].created
    db.execute(championship_rounds.insert().values(championship=championship.id, number=number, began=began))
    games = [
        {
            "championship": championship.id,
            "entrant": entrant,
            "deal": plan.deal,
            "table_id": row.id,
            "begun": row.created,
            "round": number,
            "group": plan.group,
            "seat": seat,
            "seats": len(plan.seating),
        }
        for plan, row in zip(planned, rows, strict=True)
        for seat, entrant in enumerate(plan.seating)
        if entrant
    ]
    db.execute(championship_games.insert(), games)


def close_round(store: Store, championship: Championship, number: int) -> list[str]:
    """Closes a round, opens its deals, and ends the championship after the last one. A game whose table was deleted
    counts as lost. Returns the tables that are open now; none if another process was faster."""
    games = sa.and_(championship_games.c.championship == championship.id, championship_games.c.round == number)
    this = sa.and_(championship_rounds.c.championship == championship.id, championship_rounds.c.number == number)
    now = store.now()
    with store.writing() as db:
        still = championship_rounds.update().where(this, championship_rounds.c.closed.is_(None))
        if db.execute(still.values(closed=now)).rowcount != 1:
            return []
        deleted = sa.and_(championship_games.c.table_id.is_(None), championship_games.c.share.is_(None))
        lost = {"ended": now, "share": 0.0, "points": 0, "luck": 0.0}
        db.execute(championship_games.update().where(games, deleted).values(lost))
        ids = list(db.execute(sa.select(championship_games.c.table_id).where(games).distinct()).scalars())
        opened = [table_id for table_id in ids if table_id]
        unsealed = tables.update().where(tables.c.id.in_(opened))
        db.execute(unsealed.values(sealed_until=now, reseated=tables.c.reseated + 1))
        for table_id in opened:
            store.notify_table(db, table_id)
        if number == championship.rounds:
            _end(db, championship, now)
    return opened


def end(store: Store, championship: Championship) -> None:
    """Ends a championship in rounds."""
    with store.writing() as db:
        _end(db, championship, store.now())


def _end(db: sa.Connection, championship: Championship, now: float) -> None:
    running = sa.and_(championships.c.id == championship.id, championships.c.ends > now)
    db.execute(championships.update().where(running).values(ends=now))


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
        row.form,
        row.scoring,
        row.deals_per_round,
        TimeControl.parse(row.pace),
        row.round_seconds,
        row.begins,
    )
