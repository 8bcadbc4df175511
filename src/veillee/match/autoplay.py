"""Lets bots play a match to its end, levels of Veillée and custom bots together: `veillee.play(…)`.

A custom bot given by name ("mypackage:Bot") runs in a process of its own: it can be killed at any time, it knows
nothing of the match but what it is sent, and its prints go nowhere. One given as an object or a class plays in a thread
of this process, where its author can debug it.
"""

from __future__ import annotations

import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from secrets import randbits
from threading import Thread
from time import perf_counter
from typing import Any, Protocol, TypeAlias

import msgspec

from veillee.bots.levels import LEVELS, Level, is_level, level
from veillee.bots.planning import fallback, plan_as, resample_for_seat
from veillee.games import catalogue
from veillee.kernel.chance import Rng
from veillee.kernel.log import Event
from veillee.match import custom_bot
from veillee.match.custom_bot import Bot
from veillee.match.errors import Unknown, VeilleeError, quote, t
from veillee.match.line_process import LineProcess
from veillee.match.match import Match
from veillee.match.setup import new
from veillee.words import Sentence

CUSTOM_BOT_TIMEOUT_SECONDS = 60.0  # for an answer, by default
START = 60.0  # for a bot's module to be imported: some load large models
GRACE = 0.25  # for the transport of a question and its answer
DEFAULT_LEVEL = "regular"  # of seats for which no bot was named

Entrant: TypeAlias = "str | Bot | type[Bot]"


class BotFault(VeilleeError):
    """A custom bot raised, was too slow, ended its process, or gave an answer it was not offered.

    lost: it cannot be asked again in this game.
    """

    def __init__(self, sentence: Sentence, *, lost: bool = False) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.lost = lost


@dataclass
class PlayRecord:
    """How a player played: number and duration of its decisions, and its faults."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    faults: int = 0
    first: Sentence | None = None  # fault


class Player(Protocol):
    """Plays one seat of a match."""

    def sit(self, match: Match, seat: int, seed: int) -> None:
        """Starts a new game. Raises BotFault."""

    def answers(self, match: Match, seat: int, seed: int) -> Sequence[int]:
        """Returns the seat's answer, and the next ones if they are known already. Raises BotFault."""

    def end(self, match: Match, seat: int) -> None:
        """Ends the game. Raises BotFault."""


@dataclass(frozen=True)
class LevelPlayer:
    """A level of Veillée. Without time limit: the same seeds give the same game, however slow the machine."""

    level: Level

    def sit(self, match: Match, seat: int, seed: int) -> None: ...

    def answers(self, match: Match, seat: int, seed: int) -> Sequence[int]:
        position = match.box.load(resample_for_seat(match.state, seat, seed))
        return plan_as(match.box, position, seat, self.level, seed, timed=False)

    def end(self, match: Match, seat: int) -> None: ...


@dataclass
class CustomBotPlayer(ABC):
    """A custom bot, in a thread or in a process."""

    name: str
    seconds: float = CUSTOM_BOT_TIMEOUT_SECONDS
    heard: int = 0  # number of events sent to it

    def sit(self, match: Match, seat: int, seed: int) -> None:
        self.heard = 0
        self.begin(seed)

    def answers(self, match: Match, seat: int, seed: int) -> Sequence[int]:
        choices = [choice.plain() for choice in match.choices(seat)]
        question = {"view": match.view(seat), "choices": choices, "seconds": self.seconds}
        return [self.put(question | self._news(match, seat))]

    def end(self, match: Match, seat: int) -> None:
        self.put(self._news(match, seat))

    def _news(self, match: Match, seat: int) -> dict[str, Any]:
        events = match.events(seat)[self.heard :]
        self.heard += len(events)
        return {"events": [plain(event) for event in events]}

    @abstractmethod
    def begin(self, seed: int) -> None:
        """Starts a new game."""

    @abstractmethod
    def put(self, question: Mapping[str, Any]) -> int:
        """Asks the bot and returns its answer. Raises BotFault."""

    # -- faults -------------------------------------------------------------------------------------------------
    def raised(self, said: str) -> BotFault:
        return BotFault(t("{bot} raised {error}.", bot=self.name, error=said))

    def late(self) -> BotFault:
        sentence = t("{bot} has not answered within {seconds} s.", bot=self.name, seconds=f"{self.seconds:g}")
        return BotFault(sentence, lost=True)

    def nonsense(self, said: str) -> BotFault:
        return BotFault(t("{bot} answered {answer}, which is none of its choices.", bot=self.name, answer=said))


def plain(event: Event) -> dict[str, Any]:
    """Returns an event as plain data: its kind, rule, seat, and its figures by name."""
    figures = dict(zip(event.kind.figures, event.figures, strict=True))
    return {"kind": event.kind.name, "rule": event.rule, "seat": event.seat, **figures}


@dataclass
class ThreadBot(CustomBotPlayer):
    """A custom bot in a thread of this process. A bot that hangs is abandoned in its thread."""

    entrant: Bot | type[Bot] | None = None
    bot: Bot | None = None

    def begin(self, seed: int) -> None:
        entrant = self.entrant
        self.bot = self._within(START, lambda: custom_bot.make(entrant, seed)) if isinstance(entrant, type) else entrant

    def put(self, question: Mapping[str, Any]) -> int:
        asked = msgspec.json.decode(msgspec.json.encode(question))  # as JSON types, and a copy of its own
        bot = self.bot
        assert bot is not None
        answer = self._within(self.seconds, lambda: custom_bot.ask(bot, asked))
        if "choices" in asked and not custom_bot.is_id(answer, asked):
            raise self.nonsense(custom_bot.short_repr(answer))
        return answer or 0

    def _within(self, seconds: float, do: Callable[[], Any]) -> Any:
        done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

        def work() -> None:
            try:
                done.put((do(), None))
            except BaseException as error:  # noqa: BLE001  a custom bot may raise anything
                done.put((None, error))

        Thread(target=work, daemon=True, name=self.name).start()
        try:
            answer, error = done.get(timeout=seconds + GRACE)
        except Empty:
            raise self.late() from None
        if error is not None:
            raise self.raised(custom_bot.describe_exception(error, (custom_bot.__file__, __file__))) from error
        return answer


@dataclass
class ProcessBot(CustomBotPlayer):
    """A custom bot in a process of its own (custom_bot_process.py), which several games may use one after the other."""

    process: LineProcess | None = None

    def start(self) -> None:
        """Starts the process. Raises Unknown if there is no such bot, or it cannot be imported."""
        if self.process is not None:
            return
        paths = [os.getcwd(), *(path for path in sys.path if path)]  # noqa: PTH109  a bot may be in the current folder
        command = [sys.executable, "-m", "veillee.match.custom_bot_process", self.name]
        self.process = LineProcess(command, {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))})
        try:
            self._answer(START)
        except BotFault as fault:
            self.close()
            raise Unknown(t("There is no bot {bot} to play with. {why}", bot=quote(self.name), why=fault)) from None

    def begin(self, seed: int) -> None:
        self.start()
        assert self.process is not None
        self.process.say({"sit": seed})
        self._answer(START)

    def put(self, question: Mapping[str, Any]) -> int:
        if self.process is None:  # it failed earlier in this game
            raise BotFault(t("{bot} has left this game.", bot=self.name), lost=True)
        self.process.say(question)
        answer = self._answer(self.seconds)
        return answer.get("choice") or 0

    def _answer(self, seconds: float) -> dict[str, Any]:
        assert self.process is not None
        line = self.process.read(seconds + GRACE)
        if line is None:
            self.close()
            raise self.late()
        if not line:
            self.close()
            raise BotFault(t("{bot} has ended its own process.", bot=self.name), lost=True)
        answer: dict[str, Any] = json.loads(line)
        if "raised" in answer:
            raise self.raised(answer["raised"])
        if "nonsense" in answer:
            raise self.nonsense(answer["nonsense"])
        return answer

    def close(self) -> None:
        """Kills its process."""
        if self.process is not None:
            self.process.close()
        self.process = None


# -- a whole match ----------------------------------------------------------------------------------------------------
def play_out(match: Match, players: Sequence[Player], seed: int, *, strict: bool = False) -> list[PlayRecord]:
    """Lets the players answer until the match is over.

    A bot's fault is counted, and the advisor's first idea is played in its place: for this question, or to the end if
    the bot cannot be asked any more. strict: the fault is raised instead (BotFault), and the match stays as it is.
    """
    rng = Rng(seed)
    showings = [PlayRecord() for _ in players]
    lost = [False] * len(players)

    def wrong(seat: int, fault: BotFault) -> None:
        if strict:
            raise fault
        showings[seat].faults += 1
        showings[seat].first = showings[seat].first or fault.sentence
        lost[seat] = lost[seat] or fault.lost

    for seat, player in enumerate(players):
        try:
            player.sit(match, seat, rng.seed())
        except BotFault as fault:
            wrong(seat, fault)
            lost[seat] = True
    while not match.over:
        seat, chance = match.to_act[0], rng.seed()
        answers: Sequence[int] = ()
        start = perf_counter()
        if not lost[seat]:
            try:
                answers = players[seat].answers(match, seat, chance)
            except BotFault as fault:
                wrong(seat, fault)
        if not answers:
            answers = [fallback(match.box, match.state, seat, chance)]
        spent = perf_counter() - start
        showing = showings[seat]
        showing.decisions += len(answers)
        showing.seconds += spent
        showing.longest = max(showing.longest, spent)
        for action in answers:
            match.play(seat, action)
    for seat, player in enumerate(players):
        if not lost[seat]:
            try:
                player.end(match, seat)
            except BotFault as fault:
                wrong(seat, fault)
    return showings


def play(
    game: str,
    bots: Sequence[Entrant] = (),
    seats: int | None = None,
    seed: int | bytes | None = None,
    seconds: float = CUSTOM_BOT_TIMEOUT_SECONDS,
    **options: str,
) -> Match:
    """Returns a match that bots have played to its end.

    bots: for each seat the name of a level ("novice", "regular", "expert" …), the name of a custom bot
    ("mypackage:Bot"), or a bot itself: a class, or an object, with choose(view, choices, clock). Other seats play as
    regulars.
    seconds: the time limit of a custom bot for one answer.

        match = veillee.play("takara-island", bots=[MyBot, "expert"], seed=7)
        print(match.ranking, match.scores)

    The same seed gives the same match, if custom bots use no other source of chance. Raises BotFault, with a sentence,
    when a custom bot raises, takes too long or gives an answer it was not offered; Unknown for an unknown bot or level.
    """
    box = catalogue.find(game)
    if seats is None and box is not None and len(bots) in box.players:
        seats = len(bots)
    match = new(game, seats, seed, **options)
    if len(bots) > match.seats:
        raise Unknown(t("{n} bots cannot sit on {seats} seats.", n=len(bots), seats=match.seats))
    players = [_player(bot, match, seconds) for bot in [*bots, *[DEFAULT_LEVEL] * (match.seats - len(bots))]]
    chance = randbits(60) if seed is None else seed if isinstance(seed, int) else int.from_bytes(seed[:7], "big")
    try:
        play_out(match, players, chance, strict=True)
    finally:
        for player in players:
            if isinstance(player, ProcessBot):
                player.close()
    return match


def _player(bot: Entrant, match: Match, seconds: float) -> Player:
    if not isinstance(bot, str):
        name = bot.__name__ if isinstance(bot, type) else type(bot).__name__
        if not callable(getattr(bot, "choose", None)):
            raise Unknown(t("{bot} is no bot: it has no method choose(view, choices, clock).", bot=quote(bot)))
        return ThreadBot(name, seconds, entrant=bot)
    if custom_bot.is_own(bot):
        return ProcessBot(bot, seconds)
    if not is_level(bot):
        raise Unknown(
            t("There is no level {level}: the levels are {known}.", level=quote(bot), known=", ".join(LEVELS))
        )
    return LevelPlayer(level(bot, match.box.id))
