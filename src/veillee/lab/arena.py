"""Arena: bots of several levels play each other, and their strength is estimated from the results.

The same deal is played once from every seat (the line-up moves on by one seat each game), so luck of the draw and of
the seat affects all bots equally. A game depends on its number alone, whichever process plays it (lab/executors.py): a
stopped run can be continued. So levels think without a time limit here, as on a fast enough machine; only a level with
named seconds ("expert/seconds=0.05") is limited to them: seconds of processor time, so that other work on the machine
does not decide a contest.

Custom bots ("mypackage:Bot", match/custom_bot.py) can take part: their faults are counted, and a first idea is played
instead.
"""

from __future__ import annotations

import atexit
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from openskill.models import PlackettLuce, PlackettLuceRating

from veillee.bots.evaluation import Budget
from veillee.bots.levels import LEVELS, Level, is_level, level
from veillee.bots.planning import plan_as, resample_for_seat
from veillee.games import catalogue
from veillee.games.box import Box, Options
from veillee.games.network import BadNetwork, advisor_with
from veillee.kernel.chance import Rng
from veillee.lab.executors import IN_THIS_PROCESS, open_executor
from veillee.lab.intervals import around, interval
from veillee.lab.luck_correction import Luck, Lucks, luck_of, without_luck
from veillee.lab.models.find import model_of
from veillee.lab.models.model import AnswerTally, Model
from veillee.match import custom_bot
from veillee.match.analysis import analyse
from veillee.match.autoplay import LevelPlayer, Player, ProcessBot, play_out
from veillee.match.errors import LOCALE, Unknown
from veillee.match.match import Match
from veillee.match.setup import complete, new
from veillee.words import Sentence, sentences

t = sentences(Path(__file__).parent / "locale")

MOST_GAMES = 1_000_000
FIRST_LOOK = 50  # deals
MOST_SECONDS = 3600
CHANGES = re.compile(r"/(?=[a-z]+=)")  # between the modifications of a level; a path among them may have a / of its own
SECONDS_SUFFIX = "/seconds="  # in a level's name: it has a time limit, and results depend on the machine
LIMIT = 5.0  # seconds that a custom bot may think about an answer


@dataclass(frozen=True)
class Contest:
    """A contest: game, seats and number of games. `seats` are levels or custom bots: "mypackage:Bot".

    A level may be modified: "expert/iterations=500/blur=0.02". limit: seconds that a custom bot may think about an
    answer. luck: whether luck is measured per seat, which takes about as long as quick bots think.
    """

    game: str
    seats: tuple[str, ...]
    games: int
    seed: int = 1
    options: Mapping[str, str] = field(default_factory=dict)
    limit: float = LIMIT
    luck: bool = True
    regret: int = 0  # simulated games for each choice of a decision; 0: its regret is not measured

    @property
    def own(self) -> list[str]:
        """The custom bots and models among the seats, each once."""
        return [name for name in dict.fromkeys(self.seats) if custom_bot.is_own(name)]

    @property
    def is_analysed(self) -> bool:
        """Whether the regret of each decision is measured."""
        return self.regret > 0

    def check(self) -> None:
        """Raises Unknown if the contest cannot be played."""
        box = find(self.game)
        complete(box, self.options)
        for name in self.seats:
            if not custom_bot.is_own(name):
                understand(name, box.id)
        if not 0 < self.limit <= MOST_SECONDS:
            raise Unknown(t("A bot may think for up to {most} s, not {n}.", most=MOST_SECONDS, n=self.limit))
        if len(self.seats) not in box.players:
            few, many = box.players[0], box.players[-1]
            n = len(self.seats)
            raise Unknown(
                t("{title} is for {fewest} to {most} players, not {n}.", title=box.title, fewest=few, most=many, n=n)
            )
        if not 0 < self.games <= MOST_GAMES:
            raise Unknown(t("The number of games is from 1 to {most}, not {n}.", most=MOST_GAMES, n=self.games))
        for name in self.own:
            at_hand(name, 0, self.limit).start()

    def line_up(self, number: int) -> list[str]:
        """Returns the bot of each seat in a game."""
        turn = number % len(self.seats)
        return [*self.seats[turn:], *self.seats[:turn]]

    def deal(self, number: int) -> int:
        """Returns the seed of a game's chance: the same for all rotations of one deal."""
        return self.seed * MOST_GAMES + number // len(self.seats)


@dataclass
class TimeSpent:
    """Thinking time of one bot."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, other: TimeSpent) -> None:
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)


@dataclass(frozen=True)
class Faults:
    """Faults of a custom bot on one seat: how many, and the first one as a sentence that is translated late."""

    seat: int
    count: int
    message: str
    values: dict[str, str]

    def say(self, lang: str) -> str:
        return Sentence(LOCALE, self.message, dict(self.values)).say(lang)


@dataclass(frozen=True)
class Played:
    """A finished game: bots by seat, each seat's share of the victory, place (0 is the first), points and thinking
    time; faults of custom bots."""

    number: int
    seats: list[str]
    shares: list[float]
    places: list[int]
    points: list[int]
    clocks: list[TimeSpent]
    faults: list[Faults] = field(default_factory=list)
    models: dict[int, AnswerTally] = field(default_factory=dict)  # by seat
    regrets: list[list[float]] = field(default_factory=list)  # per seat, of each decision that it made itself
    luck: list[Lucks] = field(default_factory=list)  # per seat (luck_correction.py); empty in older records


@dataclass(frozen=True)
class Standing:
    """Result of one level over all games."""

    level: str
    seats: int
    win_share: float  # of all games, those won by a seat of this level; a shared victory counts 1/k
    low: float  # the 95 % interval
    high: float
    even_share: float  # expected if all seats were equally strong: less if some games have no winner
    points: float  # on average
    rating: float
    deviation: float
    mean_seconds: float  # per decision
    longest_seconds: float
    faults: int = 0  # answers that a custom bot or a model failed to give
    first: Faults | None = None
    tally: AnswerTally | None = None  # of a model
    regret: float | None = None  # per decision, as a share of the victory; None: not measured
    fair: tuple[float, float, float] | None = None  # share, low and high after the luck correction

    @property
    def ratio(self) -> float:
        return self.win_share / self.even_share


def owner_content_option(box: Box) -> Options:
    """Returns the option that selects the content an owner has brought; empty: the content of the box."""
    if box.contents is None or not box.contents.own:
        return {}
    return {box.contents.option.id: box.contents.own[-1].id}


def find(game: str) -> Box:
    box = catalogue.find(game)
    if box is None:
        raise Unknown(
            t("There is no game {game}. On the shelf: {known}.", game=repr(game), known=", ".join(catalogue.BOXES))
        )
    return box


def understand(name: str, box_id: str) -> Level:
    """Returns the level of that name for that game, with the modifications in the name. Raises Unknown."""
    base, *changes = CHANGES.split(name)
    if not is_level(base):
        raise Unknown(
            t("There is no level {level}: the levels are {known}.", level=repr(base), known=", ".join(LEVELS))
        )
    found = level(base, box_id)
    for change in changes:
        key, _, text = change.partition("=")
        if key not in asdict(found):
            raise Unknown(t("A level has no {key}: it has {known}.", key=repr(key), known=", ".join(asdict(found))))
        kind: Any = type(getattr(found, key))
        try:
            value: Any = text == "true" if kind is bool else kind(text)
            found = replace(found, **{key: value})
        except ValueError:
            raise Unknown(t("{text} is no value for {key}.", text=repr(text), key=repr(key))) from None
    if found.network:
        try:
            advisor_with(find(box_id), found.network)
        except BadNetwork as error:
            raise Unknown(error.said) from None
    return found


def play(contest: Contest, number: int) -> Played:
    """Plays one game of the contest."""
    if contest.own or contest.is_analysed:
        return play_with_own(contest, number)
    box = find(contest.game)
    names = contest.line_up(number)
    levels = [understand(name, box.id) for name in names]
    clocks = [TimeSpent() for _ in names]
    rng = Rng(contest.deal(number))
    thoughts = Rng(contest.seed * MOST_GAMES + number)
    judges = () if contest.luck else (0, 0)
    luck = Luck(box, len(names), contest.seed * MOST_GAMES + number, *judges)
    state = box.new(len(names), rng, complete(box, contest.options), None)
    while state.to_act:
        seat = state.to_act[0]
        seed = thoughts.seed()
        start = perf_counter()
        timed = SECONDS_SUFFIX in names[seat]
        position = box.load(resample_for_seat(state, seat, seed))
        answers = plan_as(box, position, seat, levels[seat], seed, timed=timed, clock=process_time)
        spent = perf_counter() - start
        clocks[seat].add(TimeSpent(len(answers), spent, spent))
        for action in answers:
            luck.play(state, seat, action, rng)
    order = sorted({tuple(state.standing(seat)) for seat in range(len(names))}, reverse=True)
    return Played(
        number,
        names,
        state.returns(),
        [order.index(tuple(state.standing(seat))) for seat in range(len(names))],
        [state.score(seat) for seat in range(len(names))],
        clocks,
        luck=luck.of,
    )


def play_with_own(contest: Contest, number: int) -> Played:
    """Plays one game as a Match: custom bots are given only what their seats may know."""
    box = find(contest.game)
    names = contest.line_up(number)
    match = new(box.id, len(names), contest.deal(number), **contest.options)
    players: list[Player] = []
    for seat, name in enumerate(names):
        copy = names[:seat].count(name)
        players.append(
            at_hand(name, copy, contest.limit) if custom_bot.is_own(name) else LevelPlayer(understand(name, box.id))
        )
    showings = play_out(match, players, contest.seed * MOST_GAMES + number)
    places = {seat: place for place, seats in enumerate(match.ranking) for seat in seats}
    return Played(
        number,
        names,
        match.state.returns(),
        [places[seat] for seat in range(len(names))],
        match.scores,
        [TimeSpent(showing.decisions, showing.seconds, showing.longest) for showing in showings],
        [
            Faults(seat, showing.faults, showing.first.message, {k: str(v) for k, v in showing.first.values.items()})
            for seat, showing in enumerate(showings)
            if showing.first is not None
        ],
        models=(models := {seat: player.tally for seat, player in enumerate(players) if isinstance(player, Model)}),
        regrets=regrets_of(match, models, contest.regret) if contest.is_analysed else [],
        luck=luck_of(match, contest.seed * MOST_GAMES + number) if contest.luck else [],
    )


def regrets_of(match: Match, models: Mapping[int, AnswerTally], games: int) -> list[list[float]]:
    """Returns for each seat how much each of its decisions cost, by what the seat knew. Random choices that were played
    in place of a model are left out.
    """
    regrets: list[list[float]] = [[] for _ in range(match.seats)]
    for found in analyse(match, budget=Budget(1, games, games)):
        replaced = models[found.seat].replaced if found.seat in models else []
        if found.decision is not None and found.number not in replaced:
            regrets[found.seat].append(max(0.0, found.decision.regret))
    return regrets


AT_HAND: dict[tuple[str, int], ProcessBot | Model] = {}  # custom bots and models, by name and copy: one per seat


def at_hand(name: str, copy: int, limit: float) -> ProcessBot | Model:
    """Returns a custom bot or a model, made at most once. Two seats of the same one share nothing."""
    found = AT_HAND.get((name, copy))
    if found is None:
        found = AT_HAND[name, copy] = model_of(name, limit) or ProcessBot(name)
    found.seconds = limit
    return found


@atexit.register
def send_home() -> None:
    """Ends the processes of custom bots."""
    for bot in AT_HAND.values():
        bot.close()
    AT_HAND.clear()


def run(
    contest: Contest,
    workers: int = 1,
    record: Path | None = None,
    progress: Callable[[Played], None] | None = None,
    until: float | None = None,
    on: str = IN_THIS_PROCESS,
) -> list[Played]:
    """Plays the contest in so many processes or on a cluster (lab/executors.py). Games in the record file are not
    played again.

    until: stop early, as soon as every level's share is known to within this on either side; the number of games played
    then does not depend on the number of processes.
    """
    try:
        return play_all(contest, workers, record, progress, until, on)
    finally:
        send_home()


def play_all(
    contest: Contest,
    workers: int = 1,
    record: Path | None = None,
    progress: Callable[[Played], None] | None = None,
    until: float | None = None,
    on: str = IN_THIS_PROCESS,
) -> list[Played]:
    """Like run(), for callers that play several contests and call send_home() afterwards."""
    contest.check()
    if until is not None and not 0 < until < 1:
        raise Unknown(t("How sure it must be is a share between 0 and 1, not {until}.", until=until))
    try:
        done = {game.number: game for game in read(record, contest)} if record else {}
    except OSError as error:
        raise Unknown(t("{file} cannot be written: {reason}.", file=record, reason=error.strerror)) from None
    for game in done.values():
        if progress:
            progress(game)
    seats = len(contest.seats)
    goals = (
        [contest.games] if until is None else [min(n * seats, contest.games) for n in looks(-(-contest.games // seats))]
    )
    with open_executor(on, min(workers, contest.games - len(done))) as crew:
        for goal in goals:
            left = [number for number in range(goal) if number not in done]
            for game in crew.map(partial(play, contest), left):
                done[game.number] = game
                if record:
                    with record.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(game), separators=(",", ":")) + "\n")
                if progress:
                    progress(game)
            played = [done[number] for number in range(goal)]
            if until is not None and narrow(played, until):
                break
    return played


def read(record: Path, contest: Contest) -> list[Played]:
    """Returns the games of this contest in the file; its first line identifies the contest. Raises Unknown."""
    options = owner_content_option(find(contest.game)) | dict(contest.options)
    head = {"game": contest.game, "seats": list(contest.seats), "seed": contest.seed, "options": options}
    if contest.own:
        head["limit"] = contest.limit
    if contest.is_analysed:
        head["regret"] = contest.regret
    if not record.exists():
        record.write_text(json.dumps(head) + "\n", encoding="utf-8")
        return []
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    if not lines or _parse(lines[0]) != head:
        raise Unknown(t("{file} is the record of another contest: name another file, or remove it.", file=record))
    games = []
    whole = [line for line in lines[1:] if line.endswith("\n")]
    for line in whole:
        data = _parse(line)
        if not isinstance(data, dict):
            raise Unknown(t("{file} has a line that is no game: name another file, or remove it.", file=record))
        clocks = [TimeSpent(**clock) for clock in data["clocks"]]
        faults = [Faults(**fault) for fault in data.get("faults", ())]
        models = {int(seat): AnswerTally(**tally) for seat, tally in data.get("models", {}).items()}
        luck = [one if isinstance(one, list) else [one] for one in data.get("luck", ())]  # older records have one judge
        games.append(Played(**{**data, "clocks": clocks, "faults": faults, "models": models, "luck": luck}))
    if len(whole) + 1 < len(lines):  # the run was stopped in the middle of a line
        record.write_text(lines[0] + "".join(whole), encoding="utf-8")
    return games


def _parse(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


# -- evaluation -----------------------------------------------------------------------------------------------------
def standings(games: Sequence[Played]) -> list[Standing]:
    """Returns each level's result, best rating first."""
    ratings = rate(games)
    judges = min(len(game.luck[0]) if game.luck else 0 for game in games)  # judges that all games have
    won_by_all = sum(sum(game.shares) for game in games) / len(games) or 1.0
    table = []
    for name, rating in ratings.items():
        mine = [[seat for seat, level in enumerate(game.seats) if level == name] for game in games]
        won = sum(game.shares[seat] for game, seats in zip(games, mine, strict=True) for seat in seats)
        points = [game.points[seat] for game, seats in zip(games, mine, strict=True) for seat in seats]
        clock = TimeSpent()
        for game, seats in zip(games, mine, strict=True):
            for seat in seats:
                clock.add(game.clocks[seat])
        by_deal: dict[int, list[tuple[float, Lucks]]] = {}
        for game, seats in zip(games, mine, strict=True):
            luck = [sum(game.luck[seat][judge] for seat in seats) for judge in range(judges)]
            result = sum(game.shares[seat] for seat in seats)
            by_deal.setdefault(game.number // len(game.seats), []).append((result, luck))
        low, high = interval([[result for result, _ in deal] for deal in by_deal.values()])
        faults = [fault for game in games for fault in game.faults if game.seats[fault.seat] == name]
        tally = tally_of(games, name)
        table.append(
            Standing(
                level=name,
                seats=len(mine[0]),
                win_share=won / len(games),
                low=low,
                high=high,
                even_share=won_by_all * len(mine[0]) / len(games[0].seats),
                points=sum(points) / len(points),
                rating=rating.mu,
                deviation=rating.sigma,
                mean_seconds=clock.seconds / max(clock.decisions, 1),
                longest_seconds=clock.longest,
                faults=sum(fault.count for fault in faults) + (len(tally.replaced) if tally else 0),
                first=faults[0] if faults else None,
                tally=tally,
                regret=regret_of(games, name),
                fair=around(without_luck(list(by_deal.values()))) if judges else None,
            )
        )
    return sorted(table, key=lambda standing: -standing.rating)


def tally_of(games: Sequence[Played], name: str) -> AnswerTally | None:
    """Returns how a model answered in all games; None for other players."""
    found = [tally for game in games for seat, tally in game.models.items() if game.seats[seat] == name]
    if not found:
        return None
    total = AnswerTally()
    for tally in found:
        total.add(tally)
    return total


def regret_of(games: Sequence[Played], name: str) -> float | None:
    """Returns the mean regret of a player's decisions."""
    found = [
        regret
        for game in games
        for seat, regrets in enumerate(game.regrets)
        if game.seats[seat] == name
        for regret in regrets
    ]
    return sum(found) / len(found) if found else None


def looks(deals: int) -> Iterator[int]:
    """Yields after how many deals a run with early stopping checks its intervals, up to the maximum. Rarely and not
    early: frequent checks would find a narrow interval by chance."""
    number = FIRST_LOOK
    while number < deals:
        yield number
        number += max(1, number // 4)
    yield deals


def narrow(games: Sequence[Played], until: float) -> bool:
    """Returns whether every level's share is known to within `until` on either side; luck-corrected where available."""
    reaches = [line.fair[1:] if line.fair else (line.low, line.high) for line in standings(games)]
    return all(high - low <= 2 * until for low, high in reaches)


def rate(games: Sequence[Played]) -> dict[str, PlackettLuceRating]:
    """Returns a Plackett-Luce rating for each level; seats of the same level are averaged."""
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in dict.fromkeys(games[0].seats)}
    for game in games:
        teams = model.rate(
            [[model.rating(ratings[n].mu, ratings[n].sigma)] for n in game.seats], ranks=list(map(float, game.places))
        )
        for name, mine in ratings.items():
            same = [team[0] for team, level in zip(teams, game.seats, strict=True) if level == name]
            mine.mu = sum(rating.mu for rating in same) / len(same)
            mine.sigma = sum(rating.sigma for rating in same) / len(same)
    return ratings
