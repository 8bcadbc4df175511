"""Tournaments of bots, and their report: `veillee lab tournament`.

Everybody meets everybody, or, as a duplicate, everybody plays the same deals alone against the same opponents, and luck is
set aside as in a championship of people (house/championships/standings.py). In a meeting the two entrants alternate on the seats (A, B, A, B where a game needs four), each deal is played from
every seat, and the result is the share of the victories won by either that each has. Entrants are levels or custom
bots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from veillee.games.box import Box
from veillee.house.championships.standings import GameResult, certainty_of_first, rank_entrants
from veillee.lab.arena import LIMIT, Contest, Played, Standing, find, play_all, send_home, standings, t
from veillee.lab.executors import IN_THIS_PROCESS
from veillee.match.errors import Unknown


@dataclass(frozen=True)
class Meeting:
    """A pair of entrants, and the result of each."""

    pair: tuple[str, str]
    lines: dict[str, Standing]

    def share(self, name: str) -> float:
        """Returns the entrant's share of the victories that either of the two won; 0.5 if neither won any."""
        mine, all_ = self.lines[name].win_share, sum(line.win_share for line in self.lines.values())
        return mine / all_ if all_ else 0.5


@dataclass(frozen=True)
class Tournament:
    box: Box
    entrants: tuple[str, ...]
    games: int  # per meeting
    seed: int = 1
    limit: float = LIMIT

    def check(self) -> None:
        """Raises Unknown if the tournament cannot be played."""
        if len(set(self.entrants)) < max(2, len(self.entrants)):
            raise Unknown(t("A tournament takes two entrants or more, each named once."))
        for pair in self.pairs:
            self.contest(pair).check()

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return list(combinations(self.entrants, 2))

    def contest(self, pair: tuple[str, str]) -> Contest:
        seats = next((n for n in self.box.players if n % 2 == 0), self.box.players[-1])
        line_up = tuple(pair[n % 2] for n in range(seats))
        return Contest(self.box.id, line_up, self.games, self.seed, limit=self.limit, luck=False)

    def play(
        self,
        workers: int = 1,
        records: Path | None = None,
        progress: Callable[[Played], None] | None = None,
        on: str = IN_THIS_PROCESS,
    ) -> list[Meeting]:
        """Plays all meetings. records: a folder for the games; games found there are not played again."""
        self.check()
        meetings = []
        try:
            for pair in self.pairs:
                name = re.sub(r"\W+", "-", f"{self.box.id} {' '.join(pair)}") + ".jsonl"
                games = play_all(self.contest(pair), workers, records / name if records else None, progress, on=on)
                meetings.append(Meeting(pair, {line.level: line for line in standings(games)}))
        finally:
            send_home()
        return meetings


@dataclass(frozen=True)
class Duplicate:
    """A tournament in which each entrant plays the same deals, on the same seats, against the same opponents."""

    box: Box
    entrants: tuple[str, ...]
    against: str  # level, or custom bot, of all other seats
    games: int  # of each entrant
    seed: int = 1
    limit: float = LIMIT

    def check(self) -> None:
        """Raises Unknown if the tournament cannot be played."""
        if len(set(self.entrants)) < max(2, len(self.entrants)):
            raise Unknown(t("A tournament takes two entrants or more, each named once."))
        for name in self.entrants:
            self.contest(name).check()

    def contest(self, name: str) -> Contest:
        seats = (name, *[self.against] * (self.box.usual - 1))
        return Contest(self.box.id, seats, self.games, self.seed, limit=self.limit)

    def own_seat(self, number: int) -> int:
        """Returns the entrant's seat in a game: contests rotate the seats."""
        return -number % self.box.usual

    def play(
        self,
        workers: int = 1,
        records: Path | None = None,
        progress: Callable[[Played], None] | None = None,
        on: str = IN_THIS_PROCESS,
    ) -> list[GameResult]:
        """Plays the games of all entrants, who are numbered from 1. records: a folder for the games; games found there are
        not played again."""
        self.check()
        results = []
        try:
            for number, name in enumerate(self.entrants, 1):
                file = re.sub(r"\W+", "-", f"duplicate {self.box.id} {name} {self.against}") + ".jsonl"
                record = records / file if records else None
                for one in play_all(self.contest(name), workers, record, progress, on=on):
                    seat = self.own_seat(one.number)
                    luck = one.luck[seat][-1] if one.luck else None
                    results.append(GameResult(number, one.number + 1, one.shares[seat], one.points[seat], luck))
        finally:
            send_home()
        return results


def duplicate_page(tournament: Duplicate, results: Sequence[GameResult], command: str) -> str:
    """Returns a duplicate tournament as Markdown, best entrant first."""
    lines = rank_entrants(results)
    certainty = certainty_of_first(results, lines)
    rows = []
    for line in lines:
        skill = "" if line.skill is None else f"{line.skill:.1%}"
        skill += "" if line.margin is None else f" ± {line.margin:.1%}"
        share = line.victories / line.played
        rows.append(
            f"| {line.rank} | **{tournament.entrants[line.entrant - 1]}** | {skill} | {share:.1%} | {line.points:.1f} |"
        )
    told = [
        f"# Duplicate tournament: {tournament.box.title['en']}",
        "",
        (
            f"Each entrant played the same {tournament.games} games, on the same seats, against"
            f" {tournament.box.usual - 1} × {tournament.against}. Less luck: the share of the victories, less what luck gave, compared deal"
            " by deal; ± is half a 95 % interval."
        ),
        "",
        f"Made by `{command}`.",
        "",
        "| rank | | less luck | victories | points |",
        "|--:|---|--:|--:|--:|",
        *rows,
    ]
    if certainty is not None:
        told += ["", f"The first is ahead of the second: {certainty.chance:.0%} sure."]
    return "\n".join(told) + "\n"


def page(tournament: Tournament, meetings: Sequence[Meeting], command: str) -> str:
    """Returns the tournament as Markdown, best entrant first."""
    share = {pair: meeting.share(pair[0]) for meeting in meetings for pair in (meeting.pair, meeting.pair[::-1])}
    mean = {
        name: sum(share[name, other] for other in tournament.entrants if other != name) / (len(tournament.entrants) - 1)
        for name in tournament.entrants
    }
    order = sorted(tournament.entrants, key=lambda name: -mean[name])
    faults = {name: sum(m.lines[name].faults for m in meetings if name in m.lines) for name in order}
    seats = len(tournament.contest(tournament.pairs[0]).seats)
    lines = [
        f"# Tournament: {tournament.box.title['en']}",
        "",
        (
            f"Everybody against everybody: {tournament.games} games of {seats} seats in each meeting, every deal from every seat."
            " A figure is the share of the victories that the one on the left won of those the two won. Faults are answers that"
            " a bot did not give; a first idea was played in their place."
        ),
        "",
        f"Made by `{command}`.",
        "",
        f"| | {' | '.join(order)} | on average | faults |",
        f"|---|{'--:|' * (len(order) + 2)}",
    ]
    for name in order:
        cells = ["" if other == name else f"{share[name, other]:.0%}" for other in order]
        lines.append(f"| **{name}** | {' | '.join(cells)} | {mean[name]:.0%} | {faults[name]} |")
    lines += ["", "The 95 % intervals of the shares of all victories:", ""]
    for meeting in meetings:
        told = [f"{name} {line.low:.0%} – {line.high:.0%}" for name, line in meeting.lines.items()]
        lines.append(f"- {', '.join(told)}")
    return "\n".join(lines) + "\n"


def enter(game: str, entrants: Sequence[str], games: int, seed: int = 1, limit: float = LIMIT) -> Tournament:
    """Returns a tournament that can be played. Raises Unknown."""
    tournament = Tournament(find(game), tuple(entrants), games, seed, limit)
    tournament.check()
    return tournament
