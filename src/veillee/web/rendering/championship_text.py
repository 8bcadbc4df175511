"""Championships in words: their terms, and the lines of their standings."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import blake2b

from babel.dates import format_timedelta
from markupsafe import Markup

from veillee.bots.levels import MEASURE
from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.house.championships.repository import Championship
from veillee.house.championships.standings import Line
from veillee.house.championships.view import ResultsKey, Standings
from veillee.web.rendering.level_names import level_name
from veillee.web.rendering.presence_panel import describe_time_control
from veillee.web.rendering.seat_names import former_guest
from veillee.web.rendering.templates import environment, translator

SHOWN_LINES = 500
DRAWN_CURVES = 8
MAX_CACHED_TABLES = 16  # of standings, rendered: half a megabyte each, if they are large


@dataclass(frozen=True)
class ShownCell:
    """A game in the standings, in words."""

    deal: int
    told: str
    table_id: str
    is_substituted: bool


@dataclass(frozen=True)
class ShownLine:
    """A line of the standings, in words."""

    line: Line
    name: str
    skill: str
    margin: str
    cells: tuple[ShownCell, ...]  # per deal shown
    places: tuple[int | None, ...]  # after each round


def entrant_names(now: Standings, lang: str) -> dict[int, str]:
    """Returns the names of all entrants, by number."""
    return {one.number: one.name or former_guest(lang) for one in now.entrants}


def shown_lines(now: Standings, names: Mapping[int, str], lang: str) -> list[ShownLine]:
    t = translator(lang)
    games = {(one.entrant, one.deal): one for one in now.games}

    def cell(entrant: int, deal: int) -> ShownCell:
        game = games.get((entrant, deal))
        if game is None:
            return ShownCell(deal, "", "", is_substituted=False)
        told = t("won, {points}", points=game.points) if game.share else str(game.points)
        return ShownCell(deal, told, game.table_id, game.is_substituted)

    return [
        ShownLine(
            line,
            names[line.entrant],
            "" if line.skill is None else f"{100 * line.skill:.0f}".replace("-", "−"),
            "" if line.margin is None else "> 100" if line.margin > 1 else f"{100 * line.margin:.0f}",
            tuple(cell(line.entrant, deal) for deal in now.deals),
            tuple(now.places.get(line.entrant, ())),
        )
        for line in now.lines[:SHOWN_LINES]
    ]


class RowCache:
    """Rows of standings, rendered: they are the same for all readers who may see the same results, but for their own.
    Safe to use from any thread."""

    def __init__(self) -> None:
        self._rows: OrderedDict[tuple[ResultsKey, str, tuple[str, ...]], list[Markup]] = OrderedDict()
        self._lock = threading.Lock()  # guards it

    def load(self, now: Standings, names: Mapping[int, str], lang: str) -> list[Markup]:
        """Returns the rows, the reader's own marked."""
        key = now.key, lang, tuple(names.values())
        with self._lock:
            rows = self._rows.get(key)
        if rows is None:
            rows = [_row(line, lang, is_reader=False) for line in shown_lines(now, names, lang)]
            with self._lock:
                self._rows[key] = rows
                while len(self._rows) > MAX_CACHED_TABLES:
                    self._rows.popitem(last=False)
        own = next((n for n, line in enumerate(now.lines) if now.me and line.entrant == now.me.number), None)
        if own is None:
            return rows
        (mine,) = shown_lines(replace(now, lines=[now.lines[own]]), names, lang)
        return [*rows[:own], _row(mine, lang, is_reader=True), *rows[own + 1 :]]


ROWS = RowCache()


def _row(one: ShownLine, lang: str, *, is_reader: bool) -> Markup:
    values = {
        "rank": one.line.rank,
        "name": one.name,
        "skill": one.skill,
        "bar": round(min(1.0, max(0.0, one.line.skill or 0.0)), 2),
        "margin": one.margin,
        "victories": f"{one.line.victories:g}",
        "points": f"{one.line.points:.1f}",
        "places": one.places,
        "cells": one.cells,
        "is_reader": is_reader,
    }
    return Markup(environment(lang).sheet("championship_row.html").draw(values))  # noqa: S704 - our own template


def fingerprint_of(now: Standings) -> str:
    """Returns a text that changes with what the reader is shown, and with nothing else."""
    people = [(one.name, one.is_active) for one in now.entrants]
    mine = [(deal, one.is_over, one.share) for deal, one in now.mine.items()]
    tables = [(one.group, one.deal, one.is_over, *one.seating) for one in now.tables]
    rounds = [(one.number, one.closed is None) for one in now.rounds]
    shown = now.lines, now.unanalysed, now.analysing, now.ended, now.opened, now.is_over, people, mine, tables, rounds
    return blake2b(repr(shown).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class PlaceCurve:
    """The places of an entrant after each round, as it is drawn: points within a box of 100 by 100."""

    name: str
    is_reader: bool
    points: tuple[tuple[float, float], ...]


def place_curves(now: Standings, names: Mapping[int, str]) -> list[PlaceCurve]:
    """Returns the curves of the first entrants, and of the reader; none before there are two rounds."""
    me = now.me.number if now.me else 0
    shown = [line.entrant for line in now.lines[:DRAWN_CURVES]]
    shown += [line.entrant for line in now.lines[DRAWN_CURVES:] if line.entrant == me]
    places = {entrant: now.places.get(entrant, ()) for entrant in shown}
    rounds = max(map(len, places.values()), default=0)
    last = max((place for row in places.values() for place in row if place), default=1)
    if rounds < 2:
        return []
    return [
        PlaceCurve(
            names[entrant],
            entrant == me,
            tuple(
                (100 * column / (rounds - 1), 100 * (place - 1) / max(1, last - 1))
                for column, place in enumerate(row)
                if place
            ),
        )
        for entrant, row in places.items()
        if any(row)  # else their first round is still being played
    ]


def time_left(seconds: float, lang: str) -> str:
    """Returns a time in words; empty if it is over."""
    return format_timedelta(timedelta(seconds=seconds), locale=lang) if seconds > 0 else ""


def form_name(championship: Championship, lang: str) -> str:
    """Returns the form of the championship, with its number of deals, rounds or seasons."""
    t = translator(lang)
    if championship.form == "rounds":
        return t.tn("{n} round", "{n} rounds", championship.rounds)
    if championship.form == "league":
        seasons = t.tn("{n} season", "{n} seasons", championship.rounds)
        return seasons + " · " + t.tn("{n} deal each", "{n} deals each", championship.deals_per_round)
    return t.tn("{n} deal", "{n} deals", len(championship.deals))


@dataclass(frozen=True)
class ListedChampionship:
    """A championship in a list."""

    championship: Championship
    box: Box
    form: str
    is_running: bool


def listed(found: Iterable[Championship], now: float, lang: str) -> list[ListedChampionship]:
    """Returns the championships of the boxes on the shelf."""
    return [
        ListedChampionship(one, BOXES[one.game], form_name(one, lang), now < one.ends)
        for one in found
        if one.game in BOXES
    ]


def how_it_is_played(championship: Championship, box: Box, lang: str) -> list[str]:
    """Returns what was agreed on before, in sentences."""
    t = translator(lang)
    level = level_name(t, championship.level)
    said = []
    if championship.form == "duplicate":
        said.append(t("Everyone plays the same deals alone against bots, whenever it suits them."))
        said.append(t("A deal that is begun and not finished at the end counts as lost; one not begun does not count."))
        if championship.level == MEASURE:
            said.append(
                t(
                    "Each player's bots are as strong as they are themselves, measured when they join: the order says who has played above their own measure, not who is the strongest."
                )
            )
    elif championship.form == "rounds":
        said.append(
            t(
                "In every round all tables play the same sealed deal. The first round is drawn; then neighbours in the standings meet, as rarely twice as possible, on changing seats."
            )
        )
    else:
        said.append(
            t(
                "In a season every division plays the same sealed deals, each at a table of its own, on changing seats. Then the first of a division goes up and the last goes down."
            )
        )
    if championship.has_rounds:
        sizes = t("Tables of {usual}, if need be of one more or less.", usual=box.usual)
        said += [
            sizes + " " + t("Where that leaves seats empty, bots ({level}) take them.", level=level),
            t("The clock: {clock}.", clock=describe_time_control(championship.pace, lang)),
            t(
                "A round lasts at most {time}, not counting hours in which the house is closed. The next one begins a minute after the last table has finished.",
                time=time_left(championship.round_seconds, lang),
            ),
            t(
                "If you leave, or your time is up, a bot plays for you until you return. When the time of a round is over, bots play its games to the end. Such results count, and are marked."
            ),
            t(
                "If you join late, you play from the next round on; a round that you miss brings no victory and is not part of averages. If you withdraw, you are not seated again."
            ),
            t("Who meets whom goes by points, then victories.")
            if championship.scoring == "points"
            else t("Who meets whom goes by victories, then points."),
        ]
    ranked = {
        "skill": t("Ranked by victories less luck."),
        "victories": t("Ranked by victories, then points."),
        "points": t("Ranked by points, then victories."),
    }
    return [*said, ranked[championship.scoring] + " " + t("Equals share a rank.")]
