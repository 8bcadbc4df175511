"""Terms of a championship, which its organiser sets and which do not change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from veillee.bots.levels import MEASURE, OFFERED
from veillee.house.championships.repository import Form
from veillee.house.championships.standings import Scoring
from veillee.house.errors import BadRequest, t
from veillee.house.tables.clocks.time_control import HOUR, MINUTE, UNTIMED, TimeControl

MIN_DEALS, MAX_DEALS = 1, 24
MIN_SEASONS, MAX_SEASONS = 1, 12
MIN_HOURS, MAX_HOURS = 1, 24 * 92
MAX_HOURS_BEFORE = 24 * 31  # until it begins
EVENING_HOURS = 6  # a round that lasts so long at most is played by the clock of an evening, a longer one by post
EVENING = TimeControl("evening", reserve=12 * MINUTE, each=20)
ANSWERS_BY_POST = 14  # that a player may let wait as long as allowed, before the time of a round is over


@dataclass(frozen=True)
class ChampionshipTerms:
    """Terms as an organiser wishes them."""

    deals: int  # in a league: of each season
    level: str  # of the bots
    hours: int  # until the end; in rounds: of each round or season, at most
    form: str = "duplicate"
    scoring: str = "skill"
    seasons: int = 1  # of a league
    hours_before: float | None = None  # until the first round; None: when the organiser says so

    def check(self) -> tuple[Form, Scoring]:
        """Returns form and scoring. Raises BadRequest if the terms cannot be."""
        form: Form | None = next((one for one in get_args(Form) if one == self.form), None)
        scoring: Scoring | None = next((one for one in get_args(Scoring) if one == self.scoring), None)
        if form is None:
            raise BadRequest(t("A championship is a duplicate, a round of tables, or a league."))
        if scoring is None:
            raise BadRequest(t("It is scored by less luck, by victories, or by points."))
        if not MIN_DEALS <= self.deals <= MAX_DEALS:
            raise BadRequest(t("A championship has {least} to {most} deals.", least=MIN_DEALS, most=MAX_DEALS))
        if form == "league" and not MIN_SEASONS <= self.seasons <= MAX_SEASONS:
            raise BadRequest(t("A league has {least} to {most} seasons.", least=MIN_SEASONS, most=MAX_SEASONS))
        if not MIN_HOURS <= self.hours <= MAX_HOURS:
            raise BadRequest(t("A championship lasts from one hour to three months."))
        if form == "league" and self.hours <= EVENING_HOURS:
            raise BadRequest(t("A league is played by post: a season lasts a day at least."))
        if self.level == MEASURE and form != "duplicate":
            raise BadRequest(t("Bots made to measure play in a duplicate only: here they sit with several players."))
        if self.level not in (*OFFERED, MEASURE):
            raise BadRequest(
                t(
                    "There is no level {level}: the levels are {levels}.",
                    level=self.level[:40],
                    levels=", ".join((*OFFERED, MEASURE)),
                )
            )
        if self.hours_before is not None and not 0 <= self.hours_before <= MAX_HOURS_BEFORE:
            raise BadRequest(t("A championship begins within a month."))
        return form, scoring

    @property
    def total_deals(self) -> int:
        return self.deals * self.seasons if self.form == "league" else self.deals

    @property
    def deals_per_round(self) -> int:
        """How many deals a round has; 0: there are no rounds."""
        return {"rounds": 1, "league": self.deals}.get(self.form, 0)

    @property
    def pace(self) -> TimeControl:
        """The clock of the tables of a round."""
        if not self.deals_per_round:
            return UNTIMED
        if self.hours <= EVENING_HOURS:
            return EVENING
        return TimeControl("post", each=max(1, self.hours // ANSWERS_BY_POST) * HOUR)
