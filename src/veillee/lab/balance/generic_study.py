"""Generic balance study, from the kernel's contract alone: who wins, how long games take, how close they are, and which
choices are never taken."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veillee.games.box import Box
from veillee.kernel.state import State, Step
from veillee.lab.arena import t
from veillee.lab.balance import (
    Cast,
    Chapter,
    Choices,
    Criterion,
    Parts,
    Plan,
    Record,
    Study,
    Text,
    mean,
    percentile,
)
from veillee.lab.balance.report import columns, number, percent, whiskers
from veillee.lab.balance.statistics import Deals, Figure, average, share, times
from veillee.words import Sentence

RECORD_KEY = "noted"  # key of this module's entry in a record
SELDOM = 0.01
ENOUGH = 100  # offers of a choice before it is reported as never taken
HISTOGRAM_COLUMNS = 24  # of the histogram of lengths, about


@dataclass(frozen=True, eq=False)
class Group:
    """A chapter's group of measures."""

    title: Sentence
    name: str  # of the chart's file; must differ from those of the games' own studies
    head: str  # heading of the column of their names
    about: Sentence
    is_share: bool = True


SEAT_GROUP = Group(
    t("Who wins, seat by seat"),
    "wins-by-seat",
    "seat",
    t("How often each seat wins; shared victories count in part."),
)
PLACES = Group(
    t("Who wins, from the first player on"),
    "wins-by-place",
    "place",
    t("How often those win who sit so many seats after the one who was the first to be asked alone."),
)
CHARACTERS = Group(
    t("Who wins, character by character"),
    "wins-by-character",
    "character",
    t("How often each character wins the games that it plays in."),
)
PARTS = Group(
    t("Who wins with what"),
    "wins-by-part",
    "tile or card",
    t(
        "How often those win who have played that tile, or drawn that card, in the game; shared victories count in part. "
        "What is better is played by more winners: compare it with the others, and with the same one in another content."
    ),
)
LENGTH = Group(
    t("How long it takes"),
    "answers",
    "length",
    t("Answers given in a game, by all seats together, and those of them where there was something to choose."),
    is_share=False,
)
COURSE = Group(
    t("How close it is"),
    "course",
    "course",
    t(
        "Ties: games with several winners. The leader at half time: who stands first, alone, after half of the answers, "
        "and how often that seat wins. Settled: the part of the game after which the winner was never behind."
    ),
)
POINTS = Group(
    t("Points at the end"), "points", "points", t("The most, and how many more than the next."), is_share=False
)
CHOICES = Group(
    t("What is chosen"),
    "choices",
    "question and answer",
    t("Where there were several kinds of answers to a question: how often each was taken when it was on offer."),
)
GROUPS = (SEAT_GROUP, PLACES, CHARACTERS, PARTS, LENGTH, COURSE, POINTS, CHOICES)
WINS = (SEAT_GROUP, PLACES, CHARACTERS)


class Unstudied:
    """Study of a box that has none: every number of players, and no criteria."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def plans(self, games: int) -> list[Plan]:
        main = min(4, self.box.players[-1])
        others = [n for n in self.box.players if n != main]
        return [Plan(f"{n} players", n, games if n == main else max(1, games // 2)) for n in (main, *others)]

    def watch(self, _state: State) -> Blind:
        return Blind()

    def judge(self, _played: Mapping[str, Sequence[Record]]) -> list[Criterion]:
        return []

    def chapters(self, _played: Mapping[str, Sequence[Record]]) -> list[Chapter]:
        return []


class Blind:
    """Records nothing."""

    def see(self, state: State) -> None: ...

    def act(self, state: State, seat: int, action: int) -> None: ...

    def finish(self, _state: State) -> Record:
        return {}


class Notes:
    """Records a game of any box."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.first = -1
        self.question: Step | None = None
        self.open = 0  # answers with more than one choice
        self.leaders: list[list[int]] = []  # before each answer
        self.offered: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()

    def see(self, state: State) -> None:
        alone = len(state.to_act) == 1 and state.question is not self.question  # not the last of several to answer
        if self.first < 0 and alone:
            self.first = state.to_act[0]
        self.question = state.question

    def act(self, state: State, seat: int, action: int) -> None:
        standings = [state.standing(one) for one in range(state.seats())]
        best = max(standings)
        self.leaders.append([one for one, standing in enumerate(standings) if standing == best])
        legal = state.legal(seat)
        self.open += len(legal) > 1
        verbs = {state.choice(one)[0] for one in legal}
        if len(verbs) > 1:
            asked = type(state.question).__name__
            self.offered.update(f"{asked} {verb}" for verb in verbs)
            self.taken[f"{asked} {state.choice(action)[0]}"] += 1

    def finish(self, state: State) -> Record:
        shares = state.returns()
        length = len(self.leaders)
        behind = [at for at, leaders in enumerate(self.leaders) if not any(shares[seat] for seat in leaders)]
        noted: dict[str, Any] = {
            "shares": shares,
            "points": [int(state.score(seat)) for seat in range(state.seats())],
            "first": self.first,
            "answers": length,
            "open": self.open,
            "half": self.leaders[length // 2] if length else [],
            "settled": (behind[-1] + 1) / length if behind else 0.0,
            "choices": {name: [count, self.taken[name]] for name, count in sorted(self.offered.items())},
        }
        if isinstance(self.study, Cast):
            noted["characters"] = self.study.characters(state)
        return {RECORD_KEY: noted}


@dataclass(frozen=True)
class Measure:
    """A quantity counted in every deal of a plan."""

    group: Group
    name: Text
    deals: Deals

    def figure(self) -> Figure | None:
        """Returns the estimate with its interval; None: there was no case."""
        if not times(self.deals):
            return None
        return share(self.deals) if self.group.is_share else average(self.deals)

    def said(self, value: float) -> str:
        return percent(value) if self.group.is_share else number(value)


def measures(study: Study, records: Sequence[Record]) -> list[Measure]:
    """Returns all measures, in the order of the report."""
    games = [record[RECORD_KEY] for record in records]
    seats = range(len(games[0]["shares"]))
    found = [
        Measure(SEAT_GROUP, t("seat {n}", n=seat + 1), [(game["shares"][seat], 1) for game in games]) for seat in seats
    ]
    if any(game["first"] > 0 for game in games):
        found += [Measure(PLACES, _after(place), [_place(g, place) for g in games]) for place in seats]
    if isinstance(study, Cast):
        cast = sorted({which for game in games for which in game["characters"]})
        found += [Measure(CHARACTERS, study.character(one), [_plays(game, one) for game in games]) for one in cast]
    if isinstance(study, Parts):
        found += _with_parts(study, records)
    found += [
        Measure(LENGTH, t("answers"), [(game["answers"], 1) for game in games]),
        Measure(LENGTH, t("with a choice"), [(game["open"], 1) for game in games]),
        Measure(COURSE, t("ties"), [(float(0 < max(game["shares"]) < 1), 1) for game in games]),
        Measure(COURSE, t("nobody wins"), [(float(not any(game["shares"])), 1) for game in games]),
        Measure(COURSE, t("the leader at half time wins"), [_leader(game) for game in games]),
        Measure(COURSE, t("settled after"), [_settled_at(game) for game in games]),
        Measure(POINTS, t("the most"), [(max(game["points"]), 1) for game in games]),
        Measure(POINTS, t("more than the next"), [(_ahead(game), 1) for game in games]),
    ]
    known: dict[str, Text] = {str(one): one for one in study.choices} if isinstance(study, Choices) else {}
    for name in sorted({name for game in games for name in game["choices"]}):
        counted = [game["choices"].get(name, (0, 0)) for game in games]
        words = add_spaces(name)
        found.append(Measure(CHOICES, known.get(words, words), [(taken, offered) for offered, taken in counted]))
    return found


def _with_parts(study: Parts, records: Sequence[Record]) -> list[Measure]:
    """Returns how often those win who used a tile or card, those that win most first."""
    used = [study.parts(record) for record in records]
    deals: dict[int, list[tuple[float, int]]] = {}
    for which in sorted({which for pairs in used for _, which in pairs}):
        wins = [
            [record[RECORD_KEY]["shares"][seat] for seat, one in pairs if one == which]
            for record, pairs in zip(records, used, strict=True)
        ]
        deals[which] = [(sum(mine), len(mine)) for mine in wins]
    most_first = sorted(deals, key=lambda which: -average(deals[which]).value)
    return [Measure(PARTS, study.part(which), deals[which]) for which in most_first]


def add_spaces(name: str) -> str:
    """Formats a question and a verb as words: "DrawOrPlay draw" becomes "draw or play: draw"."""
    asked, _, verb = name.partition(" ")
    return f"{re.sub(r'(?<=.)(?=[A-Z])', ' ', asked).lower()}: {verb.replace('_', ' ')}"


def _after(place: int) -> Text:
    return t("{n} after the first player", n=place) if place else t("the first player")


def _place(game: Record, place: int) -> tuple[float, int]:
    return (game["shares"][(game["first"] + place) % len(game["shares"])], 1) if game["first"] >= 0 else (0.0, 0)


def _plays(game: Record, which: int) -> tuple[float, int]:
    mine = [win for win, one in zip(game["shares"], game["characters"], strict=True) if one == which]
    return sum(mine), len(mine)


def _leader(game: Record) -> tuple[float, int]:
    return (game["shares"][game["half"][0]], 1) if len(game["half"]) == 1 else (0.0, 0)


def _settled_at(game: Record) -> tuple[float, int]:
    return (game["settled"], 1) if any(game["shares"]) else (0.0, 0)


def _ahead(game: Record) -> float:
    best, *others = sorted(game["points"], reverse=True)
    return float(best - others[0]) if others else 0.0


# -- the report -----------------------------------------------------------------------------------------------------
def chapters(study: Study, played: Mapping[str, Sequence[Record]]) -> list[Chapter]:
    """Returns the chapters for any box: a table of every kind of games, and charts of the first."""
    counted = {plan: measures(study, records) for plan, records in played.items()}
    main, records = next(iter(played.items()))
    told = [
        Chapter(
            "What stands out",
            "Intervals that leave an even share out, and choices that hardly anybody takes. One interval in twenty leaves out"
            " what is true; where there are many, some stand out by chance.",
            points=[line for plan, found in counted.items() for line in _outstanding(plan, found, played[plan])]
            or ["Nothing."],
        )
    ]
    for group in GROUPS:
        shown = [main] if group == PARTS else counted  # of the others there are too many
        rows = [row for plan in shown for row in _rows(plan, counted[plan], group)]
        if not rows:
            continue
        head = ("games", group.head, "measured", "95 % interval", "cases")
        mine = [measure for measure in counted[main] if measure.group == group]
        picture = _picture(group, mine, records)
        words = str(group.about) + (f" The picture is of “{main}”." if picture and len(played) > 1 else "")
        told.append(Chapter(group.title, words, head, rows, picture, group.name))
    return told


def _picture(group: Group, mine: Sequence[Measure], records: Sequence[Record]) -> str:
    if group == LENGTH:
        return lengths(records)
    if group in (COURSE, POINTS):
        return ""
    found = [(str(measure.name), figure) for measure in mine if (figure := measure.figure())]
    return whiskers(found, fair(records) if group in (*WINS, PARTS) else None)


def fair(records: Sequence[Record]) -> float:
    """Returns a seat's even share of the victories, allowing for games without a winner."""
    return mean([mean(record[RECORD_KEY]["shares"]) for record in records])


def lengths(records: Sequence[Record]) -> str:
    answers = [record[RECORD_KEY]["answers"] for record in records]
    wide = max(1, -(-(max(answers) - min(answers) + 1) // HISTOGRAM_COLUMNS))
    counts = Counter(wide * (n // wide) for n in answers)
    return columns([(str(n), counts[n]) for n in range(min(counts), max(counts) + wide, wide)])


def _rows(plan: str, found: Sequence[Measure], group: Group) -> list[list[str]]:
    rows = []
    for measure in found:
        if measure.group == group and (figure := measure.figure()):
            said = [measure.said(value) for value in (figure.value, figure.low, figure.high)]
            between = f"{said[1]} to {said[2]}" if len(measure.deals) > 1 else ""
            rows.append([plan, str(measure.name), said[0], between, str(times(measure.deals))])
            if group == LENGTH:
                ordered = [much for much, _ in measure.deals]
                rows += [
                    [plan, f"{measure.name}, {name}", number(percentile(ordered, part)), "", ""]
                    for name, part in (("5th percentile", 0.05), ("median", 0.5), ("95th percentile", 0.95))
                ]
    return rows


def _outstanding(plan: str, found: Sequence[Measure], records: Sequence[Record]) -> list[str]:
    even = fair(records)
    lines = []
    for measure in found:
        figure = measure.figure()
        if figure is None:
            continue
        value = measure.said(figure.value)
        if measure.group in WINS and figure.beside(even):
            than = "more" if figure.value > even else "less"
            lines.append(f"{plan}: {measure.name} wins {value}, {than} than an even {percent(even)}.")
        if measure.group == CHOICES and figure.value < SELDOM and times(measure.deals) >= ENOUGH:
            often = "never" if not figure.value else "hardly ever"
            lines.append(
                f"{plan}: “{measure.name}” was offered {times(measure.deals)} times and {often} taken ({value})."
            )
    return lines
