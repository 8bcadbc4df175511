"""Validation of the luck and skill analysis: `veillee lab insight GAME` measures it and writes docs/insight/GAME.md.

Three promises (ADR 20, 26), on numbers of games that are fixed in advance:

- in every game luck, own answers and others' answers add up to the result minus the chances at the start;
- a stronger player is not luckier: mean luck is 0 within 2.5 standard errors by deal;
- regret (what better answers would have gained) as a fraction of what luck moved falls from level to level, each step by at
  least three standard errors; and at most 4 % of an expert's answers are called mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import sqrt

from veillee.bots.evaluation import Budget
from veillee.bots.levels import Level
from veillee.bots.levels import level as find_level
from veillee.bots.planning import plan_as, resample_for_seat
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.lab.arena import Contest, find, play, standings
from veillee.lab.executors import Executor, InlineExecutor
from veillee.lab.luck_correction import Luck
from veillee.match import seeds
from veillee.match.analysis import Account, analyse
from veillee.match.match import Match
from veillee.match.setup import complete

COMPARED_LEVELS = ("random", "novice", "regular", "expert")
EXACT = 1e-9
FAIR = 2.5  # standard errors
STEP = 3.0  # standard errors between a level's ratio and the next
MISTAKES = 0.04  # of an expert's answers
LITTLE = Budget(1, 2, 1)  # the sum is exact with any budget
BUDGET = Budget()
HERO, OTHERS = 24, 0  # iterations of the stronger player and of the others, who answer at random
CONTENDER, CONTENDED = "expert/iterations=60", "regular"  # the levels that meet in the arena
SAVED = {"takara-island": 2.0}  # times fewer games needed, where luck is large and the evaluation sees it
LUCK_WORLDS = 4  # luck is unbiased with any number
QUICK_GAMES = 6  # simulated games
A_STEP = 1_000_003  # between the seeds of two studies
ALONE = InlineExecutor()

TITLES = (  # of the report's chapters
    "It adds up",
    "A stronger player is not luckier",
    "What is called skill is skill",
    "What the arena saves",
)

Tell = Callable[[], None]


@dataclass(frozen=True)
class Exact:
    games: int
    worst: float  # largest error of a seat's account

    @property
    def holds(self) -> bool:
        return self.worst <= EXACT


@dataclass(frozen=True)
class Even:
    games: int
    deals: int
    won: float  # the share of the stronger player
    even: float  # expected among equals
    luck: float  # of the stronger player, on average
    error: float  # by deal

    @property
    def holds(self) -> bool:
        return self.error > 0 and abs(self.luck) <= FAIR * self.error


@dataclass(frozen=True)
class Skill:
    """Result of one level, which plays all seats."""

    level: str
    games: int
    ratio: float  # regret / what luck moved
    error: float
    decisions: int
    mistakes: int

    @property
    def mistaken(self) -> float:
        return self.mistakes / max(1, self.decisions)


@dataclass(frozen=True)
class Falling:
    levels: Sequence[Skill]

    @property
    def steps(self) -> list[float]:
        """Differences from each level to the next, in standard errors."""
        return [
            (weaker.ratio - stronger.ratio) / sqrt(weaker.error**2 + stronger.error**2)
            for weaker, stronger in pairwise(self.levels)
        ]

    @property
    def holds(self) -> bool:
        return min(self.steps) >= STEP and self.levels[-1].mistaken <= MISTAKES


@dataclass(frozen=True)
class Saving:
    """A contest's intervals, raw and luck-corrected."""

    seats: tuple[str, ...]
    games: int
    raw: tuple[float, float, float]  # the share of the first level, low and high
    fair: tuple[float, float, float]
    wanted: float = 0.0  # promised factor of fewer games; 0: no promise

    @property
    def times(self) -> float:
        """Factor of fewer games that give the same precision."""
        return ((self.raw[2] - self.raw[1]) / (self.fair[2] - self.fair[1])) ** 2

    @property
    def holds(self) -> bool:
        return self.times >= self.wanted


Part = Exact | Even | Falling | Saving


def check_sums(box: Box, games: int, seed: int, tell: Tell, crew: Executor = ALONE) -> Exact:
    """Analyses games of first ideas and returns the largest error of an account."""
    worst = 0.0
    for off in crew.map(partial(_off, box.id, seed), range(games)):
        worst = max(worst, off)
        tell()
    return Exact(games, worst)


def _off(game: str, seed: int, number: int) -> float:
    """Returns the largest error among the seats' accounts of one game."""
    match = play_match(find(game), seed * A_STEP + number, None)
    account = Account(match.seats)
    for found in analyse(match, number, LITTLE, seats=()):
        account.add(found)
    parts = zip(account.luck, account.own, account.others, strict=True)
    brought = zip(account.start, account.end, strict=True)
    return max(abs(end - start - sum(part)) for (start, end), part in zip(brought, parts, strict=True))


def check_even_bots(box: Box, games: int, seed: int, tell: Tell, crew: Executor = ALONE, quick: int = 0) -> Even:
    """Measures the luck of a searching player among random ones, each deal from every seat. quick: judge luck by so
    many quick games; 0: by the evaluation, unless that ignores what chance changes."""
    seats = _seats(box)
    results, lucks = list[float](), list[float]()
    for won, lucky in crew.map(partial(_deal, box.id, seed, HERO, quick), range(-(-games // seats))):
        results.append(won)
        lucks.append(lucky)
        for _ in range(seats):
            tell()
    if not any(lucks) and not quick:
        return check_even_bots(box, games, seed, tell, crew, QUICK_GAMES)
    return Even(len(results) * seats, len(results), _mean(results), 1 / seats, _mean(lucks), _error(lucks))


def _deal(game: str, seed: int, iterations: int, quick: int, deal: int) -> tuple[float, float]:
    """Returns what the searching player won in one deal, averaged over the seats, and how much of it was luck."""
    box = find(game)
    seats, hero, rest = _seats(box), _quick(box, iterations), _quick(box, OTHERS)
    won = lucky = 0.0
    for place in range(seats):
        rng, thoughts = Rng(seed * A_STEP + deal), Rng(seed * A_STEP + deal * seats + place + 1)
        luck = Luck(box, seats, thoughts.seed(), 0 if quick else LUCK_WORLDS, quick)
        state = box.new(seats, rng, complete(box, {}, begun=True), None)
        while state.to_act:
            seat = state.to_act[0]
            level, seed_now = hero if seat == place else rest, thoughts.seed()
            position = box.load(resample_for_seat(state, seat, seed_now))
            for action in plan_as(box, position, seat, level, seed_now, timed=False):
                luck.play(state, seat, action, rng)
        won += state.returns()[place] / seats
        lucky += sum(luck.of[place]) / seats
    return won, lucky


def check_levels(
    box: Box, games: int, seed: int, tell: Tell, crew: Executor = ALONE, levels: Sequence[str] = COMPARED_LEVELS
) -> Falling:
    """Analyses games of each level against itself, with every answer weighed."""
    jobs = [(level, (seed + rank + 1) * A_STEP, number) for rank, level in enumerate(levels) for number in range(games)]
    accounts = list[Account]()
    for account in crew.map(partial(_judge_game, box.id, BUDGET), jobs):
        accounts.append(account)
        tell()
    return Falling([_skill(level, accounts[rank * games : (rank + 1) * games]) for rank, level in enumerate(levels)])


def _judge_game(game: str, budget: Budget, job: tuple[str, int, int]) -> Account:
    """Plays and analyses one game among seats of a level."""
    level, seed, number = job
    match = play_match(find(game), seed + number, level)
    account = Account(match.seats)
    for found in analyse(match, number, budget):
        account.add(found)
    return account


def _skill(level: str, accounts: Sequence[Account]) -> Skill:
    pairs = [(sum(account.regret), sum(account.stakes)) for account in accounts]
    regret, stakes = (sum(side) for side in zip(*pairs, strict=True))
    ratio = regret / stakes
    error = sqrt(sum((one - ratio * other) ** 2 for one, other in pairs)) / stakes
    decisions, mistakes = (
        sum(map(sum, row)) for row in zip(*((a.decisions, a.mistakes) for a in accounts), strict=True)
    )
    return Skill(level, len(accounts), ratio, error, decisions, mistakes)


def measure_saving(box: Box, games: int, seed: int, tell: Tell, crew: Executor = ALONE) -> Saving:
    """Plays a stronger level among regulars as in the arena, and compares the raw and luck-corrected intervals."""
    seats = (CONTENDER, *[CONTENDED] * (max(2, box.players[0]) - 1))
    contested = []
    for game in crew.map(partial(play, Contest(box.id, seats, games, seed)), range(games)):
        contested.append(game)
        tell()
    line = next(line for line in standings(contested) if line.level == CONTENDER)
    assert line.fair is not None
    return Saving(seats, games, (line.win_share, line.low, line.high), line.fair, SAVED.get(box.id, 0.0))


def play_match(box: Box, seed: int, level: str | None) -> Match:
    """Plays a whole match between seats of that level; None: by first ideas."""
    match, thoughts = Match(box, _seats(box), complete(box, {}, begun=True), seeds.seed_from(seed)), Rng(seed)
    while match.to_act:
        seat, now = match.to_act[0], thoughts.seed()
        if level is None:
            match.play(seat, box.advisor.first_idea(match.state, seat, thoughts))
            continue
        position = box.load(resample_for_seat(match.state, seat, now))
        for action in plan_as(box, position, seat, find_level(level, box.id), now, timed=False):
            match.play(seat, action)
    return match


def report(box: Box, command: str, parts: Sequence[Part], before: str = "") -> str:
    """Returns the findings as Markdown, one chapter per part. Chapters not measured now are kept from `before`."""
    chapters = {text.partition("\n")[0]: text.rstrip() for text in before.split("\n## ")[1:]}
    for part in parts:
        title, *lines = _report_part(part)
        made = f"Made by `{command}`, whose numbers of games were fixed before; rules version {box.version}."
        chapters[title] = "\n".join([title, "", *lines, "", made])
    told = [f"## {chapters[title]}" for title in TITLES if title in chapters]
    return "\n\n".join([f"# Luck and skill in {box.title['en']}: what was measured", *told]) + "\n"


def _report_part(part: Part) -> list[str]:
    if isinstance(part, Exact):
        said = f"In {part.games} games gone through, a seat's account was off by at most {part.worst:.1e} (1e-9 is allowed)"
        return [TITLES[0], f"{said}: {_holds(part.holds)}."]
    if isinstance(part, Even):
        apart = abs(part.luck) / part.error if part.error else 0.0
        said = (
            f"A searching player among random ones won {part.won:.1%} of {part.games} games ({part.deals} deals, each from "
            f"every seat; {part.even:.0%} would be even). Its luck was {part.luck:+.4f} ± {part.error:.4f} on average, "
            f"{apart:.1f} standard errors from 0 ({FAIR} are allowed): {_holds(part.holds)}."
        )
        return [TITLES[1], said]
    if isinstance(part, Saving):
        shares = [f"{share:.1%} ({low:.1%} – {high:.1%})" for share, low, high in (part.raw, part.fair)]
        said = (
            f"{', '.join(part.seats)}: in {part.games} games the first won {shares[0]}; less luck {shares[1]}. So many games "
            f"tell as much as {part.times:.1f} times as many would without"
        )
        said += f" ({part.wanted:.0f} are wanted): {_holds(part.holds)}." if part.wanted else "."
        return [TITLES[3], said]
    rows = [
        f"| {one.level} | {one.games} | {one.ratio:.3f} ± {one.error:.3f} | {one.mistakes} of {one.decisions} "
        f"({one.mistaken:.1%}) |"
        for one in part.levels
    ]
    steps = ", ".join(f"{step:.1f}" for step in part.steps)
    said = (
        f"Steps from level to level, in standard errors: {steps} (each must be {STEP:.0f} or more, and mistakes of the "
        f"expert at most {MISTAKES:.0%}): {_holds(part.holds)}."
    )
    return [
        TITLES[2],
        "| level | games | regret / what luck moved | called mistakes |",
        "|---|---|---|---|",
        *rows,
        "",
        said,
    ]


def _holds(holds: bool) -> str:
    return "it holds" if holds else "**it does not hold**"


def _seats(box: Box) -> int:
    return box.players[0] if box.players[0] > 1 else box.players[1]


def _quick(box: Box, iterations: int) -> Level:
    return replace(find_level("expert", box.id), iterations=iterations)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _error(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sqrt(sum((x - mean) ** 2 for x in values) / max(1, len(values) - 1) / len(values))
