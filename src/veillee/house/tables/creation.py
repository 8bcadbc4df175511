"""Creation of tables: terms, id, and the initial row with its seats, not yet written to the store."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from veillee.bots.levels import MEASURE
from veillee.games import catalogue
from veillee.games.box import Box, Options
from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import clean_name, make_distinct
from veillee.house.accounts.shields import default_shield, shield_or_default
from veillee.house.errors import BadRequest, t
from veillee.house.storage.store import Store
from veillee.house.tables.clocks.time_control import UNTIMED, TimeControl
from veillee.house.tables.repository import Guide, TableRow
from veillee.house.tables.seats import (
    AWAITED,
    SUBSTITUTE_LEVEL,
    Seat,
    SeatPlan,
    check_level,
    clean_luck,
    is_adaptive_level,
    pick_bot_name,
)
from veillee.match import seeds
from veillee.match.seeds import Contribution
from veillee.match.setup import complete

ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike
TABLE_ID = re.compile(f"[{ID_ALPHABET}]{{4}}(-[{ID_ALPHABET}]{{4}}){{2}}")  # 59 bits: ids cannot be guessed


@dataclass(frozen=True)
class TableTerms:
    """Terms on which a table is created."""

    box: Box
    plans: Sequence[SeatPlan]
    options: Mapping[str, str] = field(default_factory=dict)
    luck: str = ""  # the guest's word for the shuffle
    public: bool = False
    hints: bool = True
    pace: TimeControl = UNTIMED
    rated: bool = False
    rematch_of: str = ""
    # For a deal that is also played elsewhere: that of a guided first game, the deal of the day, or another table's
    # with its version, its words of luck and contributions, and the answers that were played there.
    seed: bytes | None = None
    guide: Guide = ""
    deal: str = ""
    sealed_until: float | None = None
    branch: str = ""
    version: int = 0
    luck_of: tuple[str, ...] = ()
    contributions: Sequence[Contribution] = ()
    played: Sequence[tuple[int, int]] = ()
    # For a copy of a table that a friend's browser has, too (by_link.py): its id, and how many answers both have.
    table_id: str = ""
    sent: int | None = None  # None: the match waits for a link

    def validated_options(self) -> Options:
        """Checks the number of players and the seats, and completes the options. Raises BadRequest,
        match.errors.Unknown."""
        players = self.box.players
        if len(self.plans) not in players:
            fewest, most, n = players[0], players[-1], len(self.plans)
            raise BadRequest(t("This game is for {fewest} to {most} players, not {n}.", fewest=fewest, most=most, n=n))
        if [plan.kind for plan in self.plans].count("me") > 1:
            raise BadRequest(t("You can sit on one seat only; friends at the same screen have names of their own."))
        by_link = [plan for plan in self.plans if plan.kind == "link"]
        if len(by_link) > 1 or (by_link and any(plan.kind in ("hotseat", "open") for plan in self.plans)):
            raise BadRequest(t("By link you play with one friend; bots take the other seats."))
        # a rematch keeps its content; a deal that is played elsewhere uses the content of the box
        begun = bool(self.rematch_of) or self.seed is not None
        return complete(self.box, self.options, begun=begun, version=self.version or None)


def new_row(
    store: Store, guest: Guest | None, terms: TableTerms, options: Options, plans: Sequence[SeatPlan]
) -> TableRow:
    """Returns the row of a new table. guest: who sets it; None: the house. plans: with the levels of measured bots filled
    in. Raises BadRequest."""
    table_id = terms.table_id or new_id()
    added = {one.seat: one for one in terms.contributions}
    seats = tuple(
        replace(seat, sealed=added[number].sealed, opened=added[number].opened) if number in added else seat
        for number, seat in enumerate(_first_seats(table_id, guest, plans, terms.sent))
    )
    words = tuple(clean_luck(terms.luck) if plan.kind == "me" else "" for plan in plans)
    now = store.now()
    return TableRow(
        id=table_id,
        game=terms.box.id,
        version=terms.version or terms.box.version,
        options=options,
        seed=seeds.new_seed() if terms.seed is None else terms.seed,
        public=terms.public,
        status="waiting",
        asked=(),
        reseated=0,
        rematch="",
        hints=terms.hints,
        created=now,
        touched=now,
        seats=seats,
        luck=terms.luck_of or words,
        pace=terms.pace,
        begun=store.downtime.house_seconds(now),
        guide=terms.guide,
        rated=terms.rated,
        deal=terms.deal,
        sealed_until=terms.sealed_until,
        branch=terms.branch,
    )


def find_box(game: str) -> Box:
    """Returns the box of that game. Raises BadRequest."""
    box = catalogue.find(game)
    if box is None:
        raise BadRequest(t("There is no game {game} on the shelf.", game=repr(game)[:40]))
    return box


def rematch_plan(seat: Seat, number: int, mine: Sequence[int], *, alone: bool) -> SeatPlan:
    """Returns the plan for a seat of a rematch set up by the guest on the seats `mine`. alone: the others are bots,
    whose strength is measured anew."""
    if seat.kind == "bot":
        return SeatPlan("bot", seat.name, MEASURE if alone and is_adaptive_level(seat.level) else seat.level)
    if seat.kind == "link":
        return SeatPlan("link", seat.name)
    if number not in mine:
        return SeatPlan("open")
    return SeatPlan("me" if number == mine[0] else "hotseat", seat.name)


def _first_seats(
    table_id: str, guest: Guest | None, plans: Sequence[SeatPlan], sent: int | None = None
) -> tuple[Seat, ...]:
    """Returns the planned seats: people's names are assigned first, bots' names must differ from them. Raises
    BadRequest."""
    names: list[str] = [""] * len(plans)
    for number, plan in enumerate(plans):
        if plan.kind == "link" and plan.name:
            names[number] = make_distinct(clean_name(plan.name), names)
    for number, plan in enumerate(plans):
        sitter = plan.guest if plan.kind == "guest" else guest
        if plan.kind in ("me", "hotseat", "guest") and sitter is not None:
            names[number] = make_distinct(clean_name(plan.name or sitter.name), names)
    seats = []
    for number, plan in enumerate(plans):
        match plan.kind, plan.guest if plan.kind == "guest" else guest:
            case "me" | "hotseat" | "guest", Guest() as sitter:
                arms = (
                    default_shield(sitter.id + names[number])
                    if plan.kind == "hotseat"
                    else shield_or_default(sitter.shield, sitter.id)
                )
                level = plan.level if plan.kind == "guest" else SUBSTITUTE_LEVEL
                seats.append(Seat("person", names[number], sitter.id, level, shield=arms))
            case "bot", _:
                names[number] = (
                    make_distinct(clean_name(plan.name), names) if plan.name else pick_bot_name(table_id, names)
                )
                seats.append(Seat("bot", names[number], level=check_level(plan.level)))
            case "open", _:
                seats.append(Seat("open"))
            case "link", _:
                seats.append(Seat("link", names[number], level=AWAITED if sent is None else str(sent)))
            case _:
                raise BadRequest(
                    t("A seat is for you, a bot, a friend at this screen, or open: not {kind}.", kind=plan.kind)
                )
    return tuple(seats)


def new_id() -> str:
    """Returns an id that cannot be guessed."""
    letters = [secrets.choice(ID_ALPHABET) for _ in range(12)]
    return "-".join("".join(letters[i : i + 4]) for i in (0, 4, 8))
