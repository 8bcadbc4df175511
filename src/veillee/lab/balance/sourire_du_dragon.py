"""SD-9.2 The balance of Le Sourire du Dragon's reconstructed squares and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from veillee.games.sourire_du_dragon import rules as sd
from veillee.games.sourire_du_dragon.content import KIND
from veillee.lab.arena import t
from veillee.lab.balance import Chapter, Criterion, Plan, Record, Text, mean, named, percentile, sure
from veillee.lab.balance.report import bars, columns

MAIN = "4 players"
WITHIN = 0.05  # of a fair share: 20 to 30 % at four players
SHORTEST, LONGEST = 12, 30  # turns of each player in a median game
NEARLY_ALL, AT_MOST = 0.99, 80
TURNS_PER_COLUMN = 2  # turns in a column of the picture


class SourireDuDragonWatcher:
    """Notes, for one game, what the criteria ask for, and how people met."""

    def __init__(self, g: sd.SourireDuDragon) -> None:
        self.first = sd.NOBODY
        self.high = 0
        self.announced = 0
        self.brawls = 0
        self.offers = 0
        self.accepted = 0
        self.helps = 0
        self.drawn: set[tuple[int, int]] = set()  # (seat, card)

    def see(self, g: sd.SourireDuDragon) -> None:
        if g.drawn != sd.NO_CARD:
            self.drawn.add((int(g.roller), int(g.drawn)))
        if self.first == sd.NOBODY and isinstance(g.question, sd.Announce):
            self.first = g.to_act[0]

    def act(self, g: sd.SourireDuDragon, seat: int, action: int) -> None:
        verb, _ = g.choice(action)
        self.announced += verb in ("high", "low")
        self.high += verb == "high"
        self.brawls += verb == "attack"
        self.offers += verb == "offer"
        self.accepted += verb == "accept"
        self.helps += isinstance(g.question, sd.Attempt) and verb != "pass"

    def finish(self, g: sd.SourireDuDragon) -> Record:
        self.see(g)
        players = len(g.heroes)
        return {
            "shares": g.returns(),
            "characters": [hero.character for hero in g.heroes],
            "places": [(seat - self.first) % players for seat in range(players)],
            "turns": int(g.turn) / players,
            "objects": sum(hero.objects() for hero in g.heroes),
            "rightful": sum(hero.holds(hero.character) for hero in g.heroes),
            "won with it": any(seat == g.winner and h.holds(h.character) for seat, h in enumerate(g.heroes)),
            "high": self.high,
            "announced": self.announced,
            "brawls": self.brawls,
            "offers": self.offers,
            "accepted": self.accepted,
            "helps": self.helps,
            "drawn": sorted(map(list, self.drawn)),
        }


def wins_by(records: Sequence[Record], key: str) -> dict[int, tuple[float, int]]:
    """Returns the win rate of each character, or of each place from the first player, and how often it played."""
    won: Counter[int] = Counter()
    times: Counter[int] = Counter()
    for record in records:
        for which, share in zip(record[key], record["shares"], strict=True):
            won[which] += share
            times[which] += 1
    return {which: (won[which] / times[which], times[which]) for which in sorted(times)}


def character(number: int) -> str:
    """Returns the character's name in the content that games are played with: an owner's, if there is any."""
    name: str = KIND.offered[-1].body.characters[number]["en"]
    return name


class SourireDuDragonStudy:
    """SD-9.2, criterion by criterion; the other numbers of players for comparison."""

    choices = (
        t("announce: high"),
        t("announce: low"),
        t("attempt: card"),
        t("attempt: hat"),
        t("attempt: pass"),
        t("fray: card"),
        t("fray: hat"),
        t("fray: pass"),
        t("meet: attack"),
        t("meet: offer"),
        t("meet: pass"),
        t("offer for: card"),
        t("offer for: pass"),
        t("offer what: card"),
        t("offer what: pass"),
        t("reply: accept"),
        t("reply: refuse"),
        t("spoils: card"),
        t("spoils: pass"),
        t("stride: boots"),
        t("stride: go"),
        t("stride: uni"),
    )

    def plans(self, games: int) -> list[Plan]:
        half = max(1, games // 2)
        others = [Plan(f"{players} players", players, half) for players in (2, 3, 5, 6)]
        harder = Plan("4 players, only their objects", 4, half, {"objects": "characters"})
        return [Plan(MAIN, 4, games), harder, *others]

    def watch(self, state: sd.SourireDuDragon) -> SourireDuDragonWatcher:
        return SourireDuDragonWatcher(state)

    def characters(self, state: sd.SourireDuDragon) -> list[int]:
        return [int(hero.character) for hero in state.heroes]

    def character(self, which: int) -> Text:
        return named(KIND.offered[-1].body.characters[which])

    def parts(self, record: Record) -> list[tuple[int, int]]:
        return [(seat, card) for seat, card in record["drawn"]]

    def part(self, which: int) -> Text:
        return named(KIND.offered[-1].body.cards[which].name)

    def judge(self, played: Mapping[str, Sequence[Record]]) -> list[Criterion]:
        if MAIN not in played:
            return []
        records = played[MAIN]
        turns = [record["turns"] for record in records]
        low, high = 0.25 - WITHIN, 0.25 + WITHIN
        return [
            *(
                Criterion(f"{character(which)} wins", MAIN, share, low, high, "%", sure(share, n))
                for which, (share, n) in wins_by(records, "characters").items()
            ),
            *(
                Criterion(f"seat {place + 1} from the first player wins", MAIN, share, low, high, "%", sure(share, n))
                for place, (share, n) in wins_by(records, "places").items()
            ),
            Criterion("turns per player, median", MAIN, percentile(turns, 0.5), SHORTEST, LONGEST),
            Criterion("turns per player, 99 % of the games", MAIN, percentile(turns, NEARLY_ALL), 0, AT_MOST),
        ]

    def chapters(self, played: Mapping[str, Sequence[Record]]) -> list[Chapter]:
        if MAIN not in played:
            return []
        records = played[MAIN]
        low, high = 0.25 - WITHIN, 0.25 + WITHIN
        lengths = Counter(TURNS_PER_COLUMN * int(record["turns"] // TURNS_PER_COLUMN) for record in records)
        return [
            Chapter(
                "Characters",
                "How often each character wins the games of four that it plays in. The band is what SD-9.2 asks for.",
                picture=bars(
                    [(character(which), share) for which, (share, _) in wins_by(records, "characters").items()],
                    low,
                    high,
                ),
                name="characters",
            ),
            Chapter(
                "Length",
                "Turns of each player until somebody is in the Vortex, missed ones included.",
                picture=columns(
                    [
                        (str(n), lengths[n])
                        for n in range(min(lengths), max(lengths) + TURNS_PER_COLUMN, TURNS_PER_COLUMN)
                    ]
                ),
                name="length",
            ),
            Chapter(
                "How the games went",
                "Per game: the median and the 99th percentile of the turns of each player; how often the high die was "
                "announced for moving; brawls, offers and how many were accepted; helps called for in tests and fights; "
                "objects held at the end, how many of them by their rightful owners; how often the winner held its own.",
                head=(
                    "games",
                    "number",
                    "median",
                    "99 %",
                    "high moves",
                    "brawls",
                    "offers",
                    "accepted",
                    "helps",
                    "objects",
                    "rightful",
                    "winner's own",
                ),
                rows=[_summary(plan, games) for plan, games in played.items()],
            ),
            Chapter(
                "Who wins, at every number of players",
                "A fair share is 1 divided by the number of players; the range of the characters and of the seats from "
                "the first player.",
                head=("games", "fair", "characters", "seats"),
                rows=[_spread(plan, games) for plan, games in played.items()],
            ),
        ]


def _summary(plan: str, records: Sequence[Record]) -> list[str]:
    turns = [record["turns"] for record in records]
    announced = sum(record["announced"] for record in records)
    return [
        plan,
        str(len(records)),
        f"{percentile(turns, 0.5):.1f}",
        f"{percentile(turns, NEARLY_ALL):.1f}",
        f"{100 * sum(record['high'] for record in records) / announced:.0f} %",
        *(f"{mean([record[what] for record in records]):.1f}" for what in ("brawls", "offers", "accepted", "helps")),
        *(f"{mean([record[what] for record in records]):.1f}" for what in ("objects", "rightful")),
        f"{100 * mean([float(record['won with it']) for record in records]):.0f} %",
    ]


def _spread(plan: str, records: Sequence[Record]) -> list[str]:
    players = len(records[0]["shares"])
    row = [plan, f"{100 / players:.1f} %"]
    for key in ("characters", "places"):
        shares = [share for share, _ in wins_by(records, key).values()]
        row.append(f"{100 * min(shares):.1f} to {100 * max(shares):.1f} %")
    return row


STUDY = SourireDuDragonStudy()
