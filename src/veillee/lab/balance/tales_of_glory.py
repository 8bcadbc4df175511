"""TG-8.2 The balance of Tales of Glory's reconstructed tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import hypot

from veillee.games.tales_of_glory import rules as tg
from veillee.games.tales_of_glory.content import KIND, TYPE_NAMES
from veillee.kernel.counts import spread
from veillee.lab.arena import t
from veillee.lab.balance import Chapter, Criterion, Plan, Record, Text, mean, named, percentile, sure
from veillee.lab.balance.report import bars, columns, swings

MAIN = "4 players"
NO_LIMIT = float("inf")
FEWEST = 60  # cases on each side before a tile's swing is believed
MOST_SWING = 0.12


class TalesOfGloryWatcher:
    """Notes, for one game, what the criteria ask for."""

    def __init__(self, g: tg.TalesOfGlory) -> None:
        players = len(g.adventurers)
        self.round = 0
        self.offers = 0
        self.unfit = 0
        self.discarded = 0
        self.could: set[tuple[int, int]] = set()  # (seat, tile) that was affordable on offer
        self.heroes = [a.hero - tg.FIRST_HERO for a in g.adventurers]
        self.order = [g.place_in_turn(seat) for seat in range(players)]

    def see(self, g: tg.TalesOfGlory) -> None:
        if g.round == self.round or not isinstance(g.question, tg.Selection):
            return
        self.round = g.round
        for seat, a in enumerate(g.adventurers):
            for slot, tile in enumerate(g.slots):
                self.offers += 1
                if not a.has_room(g.tiles.sides[tile]):
                    self.unfit += 1
                    continue
                ways = (tg.A_COIN, tg.A_POTION) if g.is_wild(slot) else (tg.NOTHING,)
                if any(not a.unpayable(g.tiles, tile, way) for way in ways):
                    self.could.add((seat, tile))

    def act(self, g: tg.TalesOfGlory, seat: int, action: int) -> None:
        self.discarded += action == tg.DISCARD

    def finish(self, g: tg.TalesOfGlory) -> Record:
        played = {(seat, tile) for seat, a in enumerate(g.adventurers) for tile in a.zone().values()}
        return {
            "shares": g.returns(),
            "heroes": self.heroes,
            "order": self.order,
            "scores": [g.score(seat) for seat in range(len(g.adventurers))],
            "keys": [len(a.open) for a in g.adventurers],
            "majorities": [tg.bits(a.majorities) for a in g.adventurers],
            "left": [[a.coins, a.potions, a.combat, a.magic] for a in g.adventurers],
            "types": [spread(a.types, tg.TYPES)[1:] for a in g.adventurers],
            "offers": self.offers,
            "unfit": self.unfit,
            "discarded": self.discarded,
            "played": sorted([seat, tile] for seat, tile in played if tile < tg.FIRST_HERO),
            "passed": sorted([seat, tile] for seat, tile in self.could - played),
            "dealt": sorted([seat, tile] for seat, a in enumerate(g.adventurers) for tile in a.hand),
        }


def wins_by(records: Sequence[Record], key: str) -> dict[int, tuple[float, int]]:
    """Returns the win rate of each hero, or of each place in the first turn order, and how often it played."""
    won: Counter[int] = Counter()
    times: Counter[int] = Counter()
    for record in records:
        for which, share in zip(record[key], record["shares"], strict=True):
            won[which] += share
            times[which] += 1
    return {which: (won[which] / times[which], times[which]) for which in sorted(times)}


def swing(records: Sequence[Record]) -> dict[int, tuple[float, int, int]]:
    """Returns for each tile the win rate of players who played it minus that of players who could have and did not."""
    with_it: dict[int, list[float]] = {}
    without: dict[int, list[float]] = {}
    for record in records:
        shares = record["shares"]
        for seat, tile in record["played"]:
            with_it.setdefault(tile, []).append(shares[seat])
        for seat, tile in record["passed"]:
            without.setdefault(tile, []).append(shares[seat])
    return {
        tile: (mean(with_it[tile]) - mean(without[tile]), len(with_it[tile]), len(without[tile]))
        for tile in sorted(with_it.keys() & without.keys())
        if min(len(with_it[tile]), len(without[tile])) >= FEWEST
    }


def _swing_sure(found: tuple[float, int, int], share: float) -> float:
    """Returns half the width of the 95 % interval of one tile's swing, for win rates about that share."""
    _, with_it, without = found
    return hypot(sure(share, with_it), sure(share, without))


def _fewer(games: int, players: int) -> int:
    """Returns the number of games of another kind: so many that a hero plays in two fifths as many as of the main kind,
    for any number of players."""
    return max(1, games * 4 * 2 // (5 * players))


def hero_name(hero: int) -> str:
    return tile_name(tg.FIRST_HERO + hero)


def tile_name(tile: int) -> str:
    """Returns the tile's name in the content that games are played with: an owner's, if there is any."""
    name: str = KIND.offered[-1].body.tiles[tile].names["en"]
    return name


class TalesOfGloryStudy:
    """TG-8.2, criterion by criterion."""

    choices = (
        t("play tile: play"),
        t("play tile: discard"),
        t("play tile: quest"),
        t("together: play"),
        t("together: discard"),
        t("last quests: quest"),
        t("last quests: done"),
    )

    def plans(self, games: int) -> list[Plan]:
        return [
            Plan(MAIN, 4, games),
            Plan("4 players, quests", 4, _fewer(games, 4), {"quests": "yes"}),
            Plan("2 players", 2, _fewer(games, 2)),
            Plan("3 players", 3, _fewer(games, 3)),
            Plan("5 players", 5, _fewer(games, 5)),
        ]

    def watch(self, state: tg.TalesOfGlory) -> TalesOfGloryWatcher:
        return TalesOfGloryWatcher(state)

    def characters(self, state: tg.TalesOfGlory) -> list[int]:
        return [int(a.hero) - tg.FIRST_HERO for a in state.adventurers]

    def character(self, which: int) -> Text:
        return named(KIND.offered[-1].body.tiles[tg.FIRST_HERO + which].names)

    def parts(self, record: Record) -> list[tuple[int, int]]:
        return [(seat, tile) for seat, tile in record["played"]]

    def part(self, which: int) -> Text:
        return named(KIND.offered[-1].body.tiles[which].names)

    def judge(self, played: Mapping[str, Sequence[Record]]) -> list[Criterion]:
        criteria = []
        for plan, records in played.items():
            if plan == MAIN:
                criteria += self.main(records)
            else:
                criteria += self.even(plan, records, 0.05)
        discards = mean([r["discarded"] / (10 * 5) for r in played.get("5 players", [])])
        if discards:
            criteria.append(Criterion("tiles taken that are discarded", "5 players", discards, 0.0, 0.20, "%"))
        return criteria

    def even(self, plan: str, records: Sequence[Record], within: float) -> list[Criterion]:
        """Each hero and each place in the first turn order wins its share."""
        players = len(records[0]["shares"])
        low, high = 1 / players - within, 1 / players + within
        return [
            Criterion(f"{hero_name(hero)} wins", plan, share, low, high, "%", sure(share, n))
            for hero, (share, n) in wins_by(records, "heroes").items()
        ] + [
            Criterion(f"seat {place + 1} from the first player wins", plan, share, low, high, "%", sure(share, n))
            for place, (share, n) in wins_by(records, "order").items()
        ]

    def main(self, records: Sequence[Record]) -> list[Criterion]:
        keys = [n for r in records for n in r["keys"]]
        types = [mean([t[which] for r in records for t in r["types"]]) for which in range(4)]
        swings = swing(records)
        most = max(swings, key=lambda tile: abs(swings[tile][0])) if swings else 0
        discards = mean([r["discarded"] / (10 * len(r["shares"])) for r in records])
        unfit = sum(r["unfit"] for r in records) / sum(r["offers"] for r in records)
        return [
            *self.even(MAIN, records, 0.05),
            Criterion("mean score", MAIN, mean([s for r in records for s in r["scores"]]), 50, 70),
            Criterion("winner's score", MAIN, mean([max(r["scores"]) for r in records]), 60, 85),
            Criterion("keys, 5th percentile", MAIN, percentile(keys, 0.05), 3, 8),
            Criterion("keys, 95th percentile", MAIN, percentile(keys, 0.95), 3, 8),
            Criterion("tiles taken that are discarded", MAIN, discards, 0.0, 0.15, "%"),
            Criterion("tiles on offer without a legal place", MAIN, unfit, 0.0, 0.02, "%"),
            *(
                Criterion(f"{TYPE_NAMES[which + 1]}s played per player", MAIN, types[which], 1, NO_LIMIT)
                for which in range(4)
            ),
            Criterion(
                f"largest swing of a tile ({tile_name(most)})",
                MAIN,
                abs(swings[most][0]) if swings else 0.0,
                0.0,
                MOST_SWING,
                "%",
                _swing_sure(swings[most], 1 / len(records[0]["shares"])) if swings else 0.0,
            ),
        ]

    def chapters(self, played: Mapping[str, Sequence[Record]]) -> list[Chapter]:
        if MAIN not in played:
            return []
        records = played[MAIN]
        players = len(records[0]["shares"])
        low, high = 1 / players - 0.05, 1 / players + 0.05
        heroes = wins_by(records, "heroes")
        scores = Counter(5 * (s // 5) for r in records for s in r["scores"])
        swings_found = sorted(swing(records).items(), key=lambda item: -item[1][0])
        beyond = [tile_name(tile) for tile, (value, _, _) in swings_found if abs(value) > MOST_SWING]
        return [
            Chapter(
                "Heroes",
                "How often each hero wins at 4 players without quests; shared victories count in part.",
                picture=bars([(hero_name(h), share) for h, (share, _) in heroes.items()], low, high),
                name="heroes",
            ),
            Chapter(
                "Scores",
                "The final Prestige of every player, in fives.",
                picture=columns([(str(n), scores[n]) for n in range(min(scores), max(scores) + 5, 5)]),
                name="scores",
            ),
            Chapter(
                "Tiles",
                "How much more often those win who played the tile than those who could have paid for it and placed it when "
                "it was on offer, and did not. In points; the band is the limit of 12. "
                f"{len(swings_found)} tiles were played, and passed by, at least {FEWEST} times; beyond the limit: "
                f"{', '.join(beyond) or 'none'}.",
                picture=swings([(tile_name(tile), value) for tile, (value, _, _) in swings_found], MOST_SWING),
                name="tiles",
            ),
            Chapter(
                "How the games went",
                head=(
                    "games",
                    "number",
                    "mean score",
                    "winner",
                    "keys",
                    "majorities",
                    "discarded",
                    "coins left",
                    "potions left",
                ),
                rows=[_summary(plan, games) for plan, games in played.items()],
            ),
        ]


def _summary(plan: str, records: Sequence[Record]) -> list[str]:
    everyone = [
        (s, k, m, left)
        for r in records
        for s, k, m, left in zip(r["scores"], r["keys"], r["majorities"], r["left"], strict=True)
    ]
    discards = mean([r["discarded"] / (10 * len(r["shares"])) for r in records])
    return [
        plan,
        str(len(records)),
        f"{mean([s for s, _, _, _ in everyone]):.1f}",
        f"{mean([max(r['scores']) for r in records]):.1f}",
        f"{mean([k for _, k, _, _ in everyone]):.1f}",
        f"{mean([m for _, _, m, _ in everyone]):.1f}",
        f"{100 * discards:.1f} %",
        f"{mean([left[0] for _, _, _, left in everyone]):.1f}",
        f"{mean([left[1] for _, _, _, left in everyone]):.1f}",
    ]


STUDY = TalesOfGloryStudy()
