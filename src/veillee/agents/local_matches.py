"""Matches in this process: an agent's seats against bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from random import Random
from secrets import randbits, token_urlsafe
from threading import RLock
from typing import Any, Concatenate, ParamSpec

from veillee.agents.seated import ToolReply, choice_lines, t
from veillee.bots.evaluation import Budget
from veillee.bots.levels import AT_HOME
from veillee.bots.planning import plan, resample_for_seat
from veillee.house.errors import BadRequest, NotFound, NotNow
from veillee.match.analysis import Account, analyse
from veillee.match.compact_text import describe_news, describe_question, describe_view, player_names
from veillee.match.match import Match
from veillee.match.setup import new

ME = "me"
MAX_MATCHES = 100  # in the memory of one server
MAX_ANALYSIS_GAMES = 240  # simulated for each position
P = ParamSpec("P")


def locked(method: Callable[Concatenate[LocalMatch, P], ToolReply]) -> Callable[Concatenate[LocalMatch, P], ToolReply]:
    """Decorates a method of LocalMatch: one call at a time, as tools run in threads."""

    @wraps(method)
    def safely(self: LocalMatch, /, *args: P.args, **kwargs: P.kwargs) -> ToolReply:
        with self.lock:
            return method(self, *args, **kwargs)

    return safely


class LocalMatch:
    """One match of a caller. Bots answer as soon as they are asked."""

    def __init__(self, match: Match, company: Sequence[str], seed: int, lang: str) -> None:
        """company: `me` or the level of a bot, for each seat."""
        self.id = token_urlsafe(9)  # unguessable: it is needed to ask for the match
        self.match = match
        self.company = company
        self.lang = lang
        self.lock = RLock()
        self.names = player_names(match.seats, lang)
        self._chance = Random(seed)  # of the bots' search, not of the game

    @property
    def seats(self) -> list[int]:
        return [seat for seat, who in enumerate(self.company) if who == ME]

    @locked
    def view(self, seat: int, *, has_data: bool = False) -> ToolReply:
        match, view = self.match, self.match.view(seat)
        lines = describe_view(match.box, view, self.names, self.lang)
        lines += describe_news(match.log(seat, self.lang, self.names, since=match.known(seat)), self.lang)
        asked = self.choices(seat)
        data = {"match": self.id, **asked.data, "over": view["over"], "to_act": view["to_act"]}
        data |= {"scores": view["scores"], "can_undo": match.can_undo(seat)}
        if has_data:
            data["view"] = view
        return ToolReply("\n\n".join(filter(None, ["\n".join(lines), asked.text])), data)

    @locked
    def choices(self, seat: int) -> ToolReply:
        question, rule = self.match.question(seat, self.lang)
        choices = [choice.plain(self.lang) for choice in self.match.choices(seat)]
        text = "\n".join(describe_question(question, rule, choice_lines(choices), self.lang)) if rule else ""
        return ToolReply(text, {"seat": seat, "question": question, "rule": rule, "choices": choices})

    @locked
    def why_not(self, seat: int, choice: int | None) -> ToolReply:
        if choice is None:
            refused = [
                {**one.plain(self.lang), "rule": one.rule, "why": one.why(self.lang)}
                for one in self.match.all_choices(seat)
                if not one.allowed
            ]
            return ToolReply(
                "\n".join(f"{one['id']} {one['label']}: {one['why']} ({one['rule']})" for one in refused),
                {"refused": refused},
            )
        state = self.match.state
        verb, args = state.choice(choice) if 0 <= choice < state.answers() else ("", {})
        reason = self.match.why_not(seat, verb, **args)
        if not reason:
            return ToolReply(self._say(t("That is allowed.")), {"id": choice, "rule": "", "why": ""})
        why = reason.say(self.lang)
        return ToolReply(f"{why} ({reason})", {"id": choice, "rule": str(reason), "why": why})

    @locked
    def play(self, seat: int, choices: Sequence[int]) -> ToolReply:
        self.match.play(seat, *choices)
        self.let_bots_play()
        return self.view(seat)

    @locked
    def undo(self, seat: int) -> ToolReply:
        if not self.match.undo(seat):
            raise NotNow(t("Nothing can be taken back: what came of it is known."))
        return self.view(seat)

    @locked
    def log(self, seat: int, since: int) -> ToolReply:
        lines = self.match.log(seat, self.lang, self.names, since=since)
        heard = self.match.heard(seat)
        data = {"seat": seat, "heard": heard, "lines": [{"rule": rule, "text": line} for rule, line in lines]}
        return ToolReply("\n".join(f"{line} ({rule})" for rule, line in lines), data)

    @locked
    def hint(self, seat: int, level: str) -> ToolReply:
        check_level(level)
        hint = self.match.hint(seat, seed=len(self.match.answers), level=level)
        chances = [
            {"id": one.choice.id, "label": one.choice.label(self.lang), "wins": round(one.wins, 3), "games": one.games}
            for one in hint.chances
        ]
        said = self._say(
            t(
                "A bot of the level {level} would choose: {choice}.",
                level=level,
                choice=f"{hint.choice.id} {hint.choice.label(self.lang)}",
            )
        )
        reason = hint.reason(self.lang)
        return ToolReply(f"{said} {reason}".rstrip(), {"id": hint.choice.id, "reason": reason, "chances": chances})

    @locked
    def analysis(self, seat: int, games: int) -> ToolReply:
        if not 0 < games <= MAX_ANALYSIS_GAMES:
            raise BadRequest(t("The number of games is from 1 to {most}, not {n}.", most=MAX_ANALYSIS_GAMES, n=games))
        match, account = self.match, Account(self.match.seats)
        lines, mistakes = [], []
        for found in analyse(match, budget=Budget(games, games, games), seats=[seat]):
            account.add(found)
            if found.decision is not None and found.decision.mistake:
                lines.append(f"{found.number}. {found.sentences(self.lang, self.names)}")
                best, taken = found.decision.best.action, found.action
                mistakes.append({"number": found.number, "taken": taken, "best": best, "regret": found.decision.regret})
        figures: dict[str, Any] = {
            "luck": account.luck,
            "own": account.own,
            "others": account.others,
            "start": account.start,
        }
        figures |= {"end": account.end, "regret": account.regret[seat], "decisions": account.decisions[seat]}
        said = t(
            "Luck {luck}, own answers {own}, others’ answers {others}. Mistakes: {mistakes} of {decisions} decisions.",
            luck=f"{account.luck[seat]:+.0%}",
            own=f"{account.own[seat]:+.0%}",
            others=f"{account.others[seat]:+.0%}",
            mistakes=account.mistakes[seat],
            decisions=account.decisions[seat],
        )
        return ToolReply("\n".join([self._say(said), *lines]), {"seat": seat, **figures, "mistakes": mistakes})

    @locked
    def record(self) -> ToolReply:
        over = self.match.over
        said = t("The game is over: here is its record, with the seed.") if over else t("The seed is told at the end.")
        return ToolReply(self._say(said), {"record": self.match.record()})

    def let_bots_play(self) -> None:
        """Plays the answers of the bots that are asked; each gets only what its seat knows."""
        match = self.match
        while bots := [seat for seat in match.to_act if self.company[seat] != ME]:
            seat, chance = bots[0], self._chance.getrandbits(32)
            position = resample_for_seat(match.state, seat, chance)
            for answer in plan(match.box.id, position, seat, self.company[seat], chance):
                match.play(seat, answer)

    def _say(self, sentence: Any) -> str:
        said: str = sentence.say(self.lang)
        return said


class LocalLobby:
    """The matches of one server. Each has an id that cannot be guessed."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._matches: dict[str, LocalMatch] = {}

    def new(
        self, game: str, seats: Sequence[str], seed: int | None, options: dict[str, str]
    ) -> tuple[LocalMatch, ToolReply]:
        for who in seats:
            if who != ME:
                check_level(who)
        if ME not in seats:
            raise BadRequest(t("One seat at least is yours: name it `me`."))
        match = new(game, len(seats), seed, **options)
        self._make_room()
        begun = LocalMatch(match, seats, randbits(32) if seed is None else seed, self.lang)
        begun.let_bots_play()
        self._matches[begun.id] = begun
        return begun, begun.view(begun.seats[0])

    def sit_down(self, table: str) -> tuple[LocalMatch, ToolReply]:
        raise NotNow(t("There is no house: this server has matches of its own only."))

    def find(self, match: str) -> LocalMatch:
        if match not in self._matches:
            raise NotFound(t("There is no match {match} here.", match=match))
        return self._matches[match]

    def _make_room(self) -> None:
        """Forgets the oldest finished match if there are too many; if none is finished, the oldest one."""
        if len(self._matches) >= MAX_MATCHES:
            over = (id_ for id_, one in self._matches.items() if one.match.over)
            del self._matches[next(over, next(iter(self._matches)))]


def check_level(level: str) -> None:
    """Raises BadRequest for an unknown level."""
    if level not in AT_HOME:
        raise BadRequest(
            t("There is no level {level}: the levels are {levels}.", level=level, levels=", ".join(AT_HOME))
        )
