"""Reference players on one rating scale for each box, and how far bots can be exploited: docs/opponents.md.

python -m veillee.lab.reference_scale [GAME …] --games 8 --seed 3501 --records DIR       play (continues a stopped run)
python -m veillee.lab.reference_scale --records DIR --write docs/opponents.md      write the results into the report

Every line-up of different players plays some deals from every seat. The scale is that of the Plackett-Luce model for
the winner, in which the odds between two players are 10^(difference / 400), as in Elo's.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log10
from pathlib import Path
from random import Random

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.lab.arena import Contest, Played, find, read, run
from veillee.lab.executors import IN_THIS_PROCESS
from veillee.lab.intervals import interval
from veillee.lab.ladder import MASTER, Rung, load_games, seats_of

PLAYERS = ("random", "flat", "lookahead", "pimc", "plain", "expert-1", "expert-2")
ANCHOR = "plain"  # random players win too seldom to measure others by
ANCHOR_RATING = 1000
# Who knows how the others think, and the same search without that knowledge, against the same bots.
EXPLOITED = ("regular", "expert-2")
KNOWING, UNKNOWING = "response", "response/method=tree"
RESAMPLES = 400  # of the deals, for the intervals
ROUNDS = 200  # of the fit
PRIOR_GAMES = 0.5  # a virtual game of each player against an average one, half won: nobody's rating is infinite
BEGIN, END = "<!-- reference players: begin -->", "<!-- reference players: end -->"

Result = tuple[Sequence[str], Sequence[float]]  # the players of a game, and the share of the victory of each


@dataclass(frozen=True)
class Rating:
    player: str
    rating: float
    low: float
    high: float


def line_ups(box: Box) -> list[tuple[str, ...]]:
    return list(combinations(PLAYERS, seats_of(box)))


def contests(box: Box, games: int, seed: int) -> list[Contest]:
    """Returns a contest of each line-up, each with deals of its own."""
    return [Contest(box.id, seats, games, seed + number, luck=False) for number, seats in enumerate(line_ups(box))]


def record_of(folder: Path, contest: Contest) -> Path:
    return folder / (re.sub(r"\W+", "-", f"scale {contest.game} {' '.join(contest.seats)}") + ".jsonl")


def exploitation(player: str, opponent: str) -> Rung:
    return Rung(player, opponent, 1.0, f"{player} against {opponent}")


def strengths(games: Iterable[Result]) -> dict[str, float]:
    """Returns the strengths that make the winners likeliest, with the geometric mean 1 (Hunter's MM algorithm). Games
    without a winner tell nothing."""
    won: dict[str, float] = defaultdict(lambda: PRIOR_GAMES / 2)
    met: dict[tuple[str, ...], float] = defaultdict(float)
    for players, shares in games:
        for player, share in zip(players, shares, strict=True):
            won[player] += share
        met[tuple(sorted(players))] += sum(shares)
    found = dict.fromkeys(won, 1.0)
    for _ in range(ROUNDS):
        weight = {player: PRIOR_GAMES / (found[player] + 1.0) for player in found}
        for players, number in met.items():
            total = sum(found[player] for player in players)
            for player in players:
                weight[player] += number / total
        found = {player: won[player] / weight[player] for player in found}
    return found


def ratings(deals: Sequence[Sequence[Result]], seed: int = 1) -> list[Rating]:
    """Returns the ratings, best first, with 95 % intervals by resampling deals."""
    chance = Random(seed)
    samples = [deals, *(chance.choices(deals, k=len(deals)) for _ in range(RESAMPLES))]
    scales = []
    for sample in samples:
        found = strengths(game for deal in sample for game in deal)
        anchor = found.get(ANCHOR, 1.0)
        scales.append({player: ANCHOR_RATING + 400 * log10(strength / anchor) for player, strength in found.items()})
    lines = []
    for player, rating in scales[0].items():
        drawn = sorted(scale[player] for scale in scales[1:] if player in scale)
        low, high = drawn[len(drawn) // 40], drawn[-1 - len(drawn) // 40]
        lines.append(Rating(player, rating, low, high))
    return sorted(lines, key=lambda line: -line.rating)


def results_by_deal(games: Sequence[Played], contest: Contest) -> list[list[Result]]:
    by_deal: dict[int, list[Result]] = defaultdict(list)
    for game in games:
        by_deal[contest.deal(game.number)].append((game.seats, game.shares))
    return list(by_deal.values())


def report(box: Box, games: int, seed: int, folder: Path) -> list[str]:
    """Returns the lines about one box; none if nothing was played."""
    deals: list[list[Result]] = []
    for contest in contests(box, games, seed):
        if (record := record_of(folder, contest)).exists():
            deals += results_by_deal(read(record, contest), contest)
    if not deals:
        return []
    against_master, masters = load_games(MASTER, box, folder)
    if masters:
        deals += results_by_deal(masters, MASTER.contest(box, len(masters), against_master))
    told = [f"### {box.title['en']}", "", "| player | rating | 95 % interval |", "|---|--:|--:|"]
    told += [f"| {one.player} | {one.rating:.0f} | {one.low:.0f} – {one.high:.0f} |" for one in ratings(deals)]
    number = sum(map(len, deals))
    told += ["", f"{number} games, {len(masters)} of them of a master against experts; seed {seed}.", ""]
    return told + exploited(box, folder)


def exploited(box: Box, folder: Path) -> list[str]:
    """Returns the table of how often each opponent is beaten by a search that knows how it thinks."""
    rows = []
    for opponent in EXPLOITED:
        shares = []
        number = 0
        for player in (KNOWING, UNKNOWING):
            rung = exploitation(player, opponent)
            seed, games = load_games(rung, box, folder)
            if not games:
                break
            contest, by_deal = rung.contest(box, len(games), seed), defaultdict[int, list[float]](list)
            for game in games:
                by_deal[contest.deal(game.number)].append(game.shares[game.seats.index(player)])
            low, high = interval(list(by_deal.values()))
            won = sum(map(sum, by_deal.values())) / len(games)
            shares.append(f"{won:.1%} [{low:.1%}, {high:.1%}]")
            number = len(games)
        else:
            rows.append(f"| {opponent} | {number} | {shares[0]} | {shares[1]} |")
    if not rows:
        return []
    head = "| against | games each | who knows how they think | the same search without that |"
    return [head, "|---|--:|--:|--:|", *rows, ""]


def write(path: Path, parts: Mapping[str, Sequence[str]]) -> None:
    """Writes the parts of boxes between the two lines of the report; a box without one keeps its former part."""
    before, rest = path.read_text(encoding="utf-8").split(BEGIN, 1)
    kept, after = rest.split(END, 1)
    told = []
    for box in BOXES.values():
        heading = f"### {box.title['en']}\n"
        old = kept.split(heading, 1)[1].split("\n### ", 1)[0] if heading in kept else ""
        told.append("\n".join(parts[box.id]) if parts.get(box.id) else f"{heading}{old}" if old else "")
    text = "\n\n".join(part.strip() for part in told if part)
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m veillee.lab.reference_scale", description=__doc__)
    parser.add_argument("game", nargs="*", help="which games; all of them by default")
    parser.add_argument("--games", type=int, default=8, help="of each line-up; %(default)s by default")
    parser.add_argument("--exploited", type=int, default=0, help="games of each contest of a best response")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other deals; %(default)s by default")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--on", default=IN_THIS_PROCESS, help="here, ray or ray://HOST:PORT (lab/executors.py)")
    parser.add_argument("--records", type=Path, required=True, help="a folder for the games that were played")
    parser.add_argument("--write", type=Path, help="the report to write into; nothing is played")
    given = parser.parse_args()
    given.records.mkdir(parents=True, exist_ok=True)
    boxes = [find(name) for name in given.game] or list(BOXES.values())
    for box in boxes if given.write is None else ():
        for contest in contests(box, given.games, given.seed) if given.games else ():
            run(contest, given.workers, record_of(given.records, contest), on=given.on)
        for opponent in EXPLOITED if given.exploited else ():
            for player in (KNOWING, UNKNOWING):
                rung = exploitation(player, opponent)
                contest = rung.contest(box, given.exploited, given.seed)
                run(contest, given.workers, rung.record(given.records, box), on=given.on)
    parts = {box.id: report(box, given.games, given.seed, given.records) for box in boxes}
    if given.write is not None:
        write(given.write, parts)
    else:
        print("\n".join(line for part in parts.values() for line in part))  # noqa: T201  a command tells what it found


if __name__ == "__main__":
    main()
