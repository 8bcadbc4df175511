"""Analysis of a finished match, answer by answer, which separates luck from skill: `veillee.analyse(match)`.

For each answer: each seat's chances before it, what the answer was worth, what chance changed, and the alternatives.
The sum is exact:

    result - chances at the start = luck + worth of the seat's own answers + worth of the others' answers
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from veillee.bots import evaluation
from veillee.bots.evaluation import Budget, Decision, Option
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, Event
from veillee.kernel.state import State
from veillee.match import explanation
from veillee.match.errors import Unknown, check_language, match_words, t
from veillee.match.explanation import Explanation, reasons
from veillee.match.match import Match
from veillee.match.saves import load

TURNS = 3  # turning points shown per game
MOST_LINES = 3  # of the chronicle, to describe what happened
NO_ACTION = -1
AT_ONCE = 4  # answers per parallel task: each task must first replay the match up to them, which is cheap


@dataclass(frozen=True)
class Finding:
    """The analysis of one answer. Each figure is a share of the victory; tuples of figures have one for each seat."""

    box: Box
    number: int  # of the answer, from 1; 0: the start position
    seat: int
    action: int
    before: State  # the position before it
    events: Sequence[Event]  # caused by it
    chances: tuple[float, ...]  # after it
    worth: tuple[float, ...]  # change of the chances, on average over what no seat could know
    luck: tuple[float, ...]  # change of the chances by chance
    decision: Decision | None  # None: there was no alternative, or it was not asked for
    reasons: tuple[Explanation, ...] = ()  # of a mistake: why the best choice was better

    @property
    def swing(self) -> float:
        """The largest change of any seat's chances."""
        return max(abs(worth + luck) for worth, luck in zip(self.worth, self.luck, strict=True))

    def label(self, action: int, lang: str = "") -> str:
        """Returns an answer to that question in words."""
        return self.box.speech.label(self.before, self.seat, action, self.box.words(check_language(lang)))

    def sentences(self, lang: str = "", names: Sequence[str] = ()) -> str:
        """Describes in a few sentences what happened, whether choice or chance made the difference, and the
        alternatives.
        """
        lang = check_language(lang)
        t, words = match_words(lang), self.box.words(lang)
        who = names or [f"{seat + 1}" for seat in range(len(self.chances))]
        lines = [line for event in self.events if (line := self.box.speech.event(event, who, words))]
        changes = [worth + luck for worth, luck in zip(self.worth, self.luck, strict=True)]
        seat = max(range(len(changes)), key=lambda n: abs(changes[n]))
        now = self.chances[seat]
        before, after = round(100 * (now - changes[seat])), round(100 * now)
        said = [
            " ".join(lines[:MOST_LINES])
            or t("{who}: {choice}.", who=who[self.seat], choice=self.label(self.action, lang))
        ]
        said.append(t("{who}: from {before} % to {after} %.", who=who[seat], before=before, after=after))
        if abs(self.luck[seat]) > abs(self.worth[seat]):
            said.append(t("Mostly luck."))
        elif self.decision is not None:
            said.append(self._instead(self.decision, who[self.seat], lang))
            said += [self.why(lang, who)] if self.reasons else []
        return " ".join(said)

    def _instead(self, decision: Decision, who: str, lang: str) -> str:
        """Describes the better choice, or the closest one, by what the seat knew."""
        t, chosen = match_words(lang), decision.chosen
        if decision.vindicated:
            return t("By what {who} knew, thinking longer finds nothing better.", who=who)
        other = decision.best if decision.mistake else next(one for one in decision.options if one is not chosen)
        wins, taken = round(100 * other.wins), round(100 * chosen.wins)
        figures: dict[str, object] = {"choice": self.label(other.action, lang), "wins": wins, "taken": taken}
        if decision.mistake:
            return t("By what {who} knew, “{choice}” was better: {wins} % against {taken} %.", who=who, **figures)
        if decision.best is chosen and wins < taken:
            return t(
                "By what {who} knew, nothing was better: {taken} %, and {wins} % for the next, “{choice}”.",
                who=who,
                **figures,
            )
        return t(
            "By what {who} knew, nothing else was clearly better: “{choice}” {wins} %, against {taken} %.",
            who=who,
            **figures,
        )

    def why(self, lang: str, names: Sequence[str]) -> str:
        """Explains in sentences why the best choice was better; empty if points do not explain it."""
        if not self.reasons or self.decision is None:
            return ""
        t = match_words(check_language(lang))
        told = " ".join(reason.say(self.seat, names, lang) for reason in self.reasons)
        best = self.label(self.decision.best.action, lang)
        return t("Why “{choice}”: {reason}", choice=best, reason=told[0].lower() + told[1:])


@dataclass
class Account:
    """The sums of findings for each seat."""

    seats: int
    start: tuple[float, ...] = ()
    end: tuple[float, ...] = ()
    luck: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)  # worth of the seat's own answers
    others: list[float] = field(default_factory=list)
    regret: list[float] = field(default_factory=list)  # what better answers would have gained
    stakes: list[float] = field(default_factory=list)  # absolute amount of luck, good or bad
    decisions: list[int] = field(default_factory=list)
    mistakes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for row in (self.luck, self.own, self.others, self.regret, self.stakes):
            row += [0.0] * self.seats
        for counts in (self.decisions, self.mistakes):
            counts += [0] * self.seats

    def add(self, found: Finding) -> None:
        self.end = found.chances
        if not found.number:
            self.start = found.chances
            return
        for seat in range(self.seats):
            self.luck[seat] += found.luck[seat]
            self.stakes[seat] += abs(found.luck[seat])
            row = self.own if seat == found.seat else self.others
            row[seat] += found.worth[seat]
        if found.decision is not None:
            self.decisions[found.seat] += 1
            self.regret[found.seat] += found.decision.regret
            self.mistakes[found.seat] += found.decision.mistake


def analyse(
    match: Match,
    seed: int = 0,
    budget: Budget | None = None,
    seats: Collection[int] | None = None,
    over: Spread | None = None,
    first: int | None = None,
) -> Iterator[Finding]:
    """Yields the findings of a finished match in order, each as soon as it is computed; the caller may close the
    iterator early.

    seats: whose decisions are evaluated (default: all); luck is computed for all of them anyway.
    over: runs the work in parallel as `map` would: an executor of the lab.
    first: the seat whose answers come before all others', right after the start.
    The same seed and budget give the same findings, in whichever process and order they are computed. Raises Unknown
    for a match that is not over, a seat that it does not have, or a budget of zero.
    """
    whose = tuple(range(match.seats) if seats is None else seats)
    limits = _possible(match, budget, whose if first is None else (*whose, first))
    rounds = in_rounds(match, first)
    if over is None:
        known: Stood = {}
        return _findings(
            match, rounds, (one for row in rounds for one in judge_decisions(match, row, seed, limits, whose, known))
        )
    record = match.save()
    parts = [
        Part(record, row[start : start + AT_ONCE], seed, limits, whose)
        for row in rounds
        for start in range(0, len(row), AT_ONCE)
    ]
    return _findings(match, rounds, (one for part in over(work, parts) for one in part))


def analyse_for(match: Match, first: int, seed: int = 0, budget: Budget | None = None) -> Iterator[Finding]:
    """Like analyse(), for a guest who waits: first the decisions of that seat, then its mistakes that have reasons
    again with them, then the others' answers. The findings are the same.
    """
    limits, known = _possible(match, budget, (first,)), dict[int, tuple[float, ...]]()
    own, others = in_rounds(match, first)
    whose = range(match.seats)

    def told() -> Iterator[Finding]:
        found = []
        for one in _findings(match, [own], judge_decisions(match, own, seed, limits, whose, known, why=False)):
            found.append(one)
            yield one
        mistakes = {one.number: one for one in found if one.decision is not None and one.decision.mistake}
        for moment in _moments(match, mistakes):
            one = mistakes[moment.number]
            if why := _why(match.box, moment, one.decision, seed, limits):
                yield replace(one, reasons=why)
        yield from _findings(match, [others], judge_decisions(match, others, seed, limits, whose, known))

    return told()


def _possible(match: Match, budget: Budget | None, seats: Iterable[int]) -> Budget:
    limits = budget or Budget()
    if not match.over:
        raise Unknown(t("The game is not over: what its answers were worth can be told when it is."))
    if min(limits.position, limits.search, limits.choice) < 1:
        raise Unknown(t("Without a simulated game nothing can be found out."))
    for seat in seats:
        if seat not in range(match.seats):
            raise Unknown(t("There is no seat {seat}: the seats are 0 to {last}.", seat=seat, last=match.seats - 1))
    return limits


def in_rounds(match: Match, first: int | None) -> list[tuple[int, ...]]:
    """Returns the numbers of the answers in the order of analysis: one round, or first the answers of seat `first`
    and then the others'.
    """
    numbers = range(len(match.answers) + 1)
    if first is None:
        return [tuple(numbers)]
    own = tuple(number for number in numbers if not number or match.answers[number - 1][0] == first)
    return [own, tuple(number for number in numbers if number not in set(own))]


def _findings(match: Match, rounds: Iterable[tuple[int, ...]], found: Iterable[JudgedDecision]) -> Iterator[Finding]:
    moments = (moment for numbers in rounds for moment in _moments(match, numbers))
    for one, moment in zip(found, moments, strict=True):
        worth, luck = _less(one.hoped, one.stood), _less(one.chances, one.hoped)
        yield moment.finding(match.box, one.chances, worth, luck, one.decision, one.reasons)


# -- one answer -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class JudgedDecision:
    """The result for one answer by itself. It depends on the seed and the answer's number only, not on other
    results, so that answers can be analysed in any process and any order.
    """

    stood: tuple[float, ...]  # before it
    chances: tuple[float, ...]  # after it
    hoped: tuple[float, ...]  # after it, on average over what no seat could know
    decision: Decision | None
    reasons: tuple[Explanation, ...] = ()


@dataclass(frozen=True)
class Part:
    """Some answers of a match to analyse, as plain data for another process."""

    record: dict[str, Any]
    numbers: tuple[int, ...]
    seed: int
    budget: Budget
    seats: tuple[int, ...]


Spread = Callable[[Callable[[Part], list[JudgedDecision]], Iterable[Part]], Iterable[list[JudgedDecision]]]
Stood = dict[int, tuple[float, ...]]  # the chances after an answer of that number


def work(part: Part) -> list[JudgedDecision]:
    return list(judge_decisions(load(part.record), part.numbers, part.seed, part.budget, part.seats, {}))


def judge_decisions(
    match: Match,
    numbers: Collection[int],
    seed: int,
    budget: Budget,
    seats: Collection[int],
    known: Stood,
    *,
    why: bool = True,
) -> Iterator[JudgedDecision]:
    """Analyses these answers of the match, in order. `known` caches the chances of positions. why: compute reasons,
    too.
    """
    box = match.box

    def stood_after(number: int, state: State) -> tuple[float, ...]:
        if number not in known:
            known[number] = evaluation.chances(box, state, _chance(seed, number)[0], budget.position)
        return known[number]

    for moment in _moments(match, numbers):
        before, seat, action = moment.before, moment.seat, moment.action
        if not moment.number:
            start = stood_after(0, before)
            yield JudgedDecision(start, start, start, None)
            continue
        _, hopes, thoughts, _ = _chance(seed, moment.number)
        stood = stood_after(moment.number - 1, before)
        stands = hoped = stood_after(moment.number, moment.after)
        if evaluation.is_chance(before, seat, action):
            hoped = evaluation.expected_result(box, before, seat, action, hopes, budget.position)
        decided = evaluation.decision(box, before, seat, action, thoughts, budget) if seat in seats else None
        told = _why(box, moment, decided, seed, budget) if why else ()
        yield JudgedDecision(stood, stands, hoped, decided, told)


def _why(box: Box, moment: _Moment, decided: Decision | None, seed: int, budget: Budget) -> tuple[Explanation, ...]:
    """Returns the reasons for a mistake."""
    if decided is None or not decided.mistake:
        return ()
    two, chance = (decided.best.action, moment.action), _chance(seed, moment.number)[-1]
    return tuple(reasons(box, moment.before, moment.so_far, moment.seat, two, chance.seed(), budget.reason))


def _chance(seed: int, number: int) -> list[Rng]:
    """Returns a random generator for each part of an answer's analysis: leaving one out does not change the others."""
    seeds = Rng(Rng(seed).seed() + number)
    return [Rng(seeds.seed()) for _ in range(4)]


@dataclass(frozen=True)
class _Moment:
    """One answer of a match, with the positions around it."""

    number: int  # 0: the start position
    seat: int
    action: int
    before: State
    after: State
    so_far: Sequence[Event]  # events before it
    events: Sequence[Event]

    def finding(
        self,
        box: Box,
        chances: tuple[float, ...],
        worth: tuple[float, ...],
        luck: tuple[float, ...],
        decision: Decision | None,
        why: tuple[Explanation, ...],
    ) -> Finding:
        return Finding(
            box, self.number, self.seat, self.action, self.before, self.events, chances, worth, luck, decision, why
        )


def _moments(match: Match, numbers: Collection[int]) -> Iterator[_Moment]:
    """Yields these answers, from the start on; `after` is valid until the next one is requested."""
    past, wanted = match.from_the_start(), set(numbers)
    if 0 in wanted:
        yield _Moment(0, NO_SEAT, NO_ACTION, past.state.clone(), past.state, past.all_events(), [])
    for number, (seat, action) in enumerate(match.answers[: max(wanted, default=0)], 1):
        if number not in wanted:
            past.play(seat, action)
            continue
        before, told = past.state.clone(), len(past.all_events())
        past.play(seat, action)
        every = past.all_events()
        yield _Moment(number, seat, action, before, past.state, every[:told], every[told:])


# -- serialization --------------------------------------------------------------------------------------------------------
def to_json(found: Finding) -> dict[str, Any]:
    """Returns the finding as plain data, without what the match knows anyway: see revived()."""
    told: dict[str, Any] = {"chances": found.chances, "worth": found.worth, "luck": found.luck}
    if found.decision is not None:
        told["options"] = [[option.action, option.wins, option.error] for option in found.decision.options]
    if found.reasons:
        told["reasons"] = [reason.plain() for reason in found.reasons]
    return told


def restore_findings(
    match: Match, rows: Sequence[Mapping[str, Any]], ahead: Mapping[int, Mapping[str, Any]] | None = None
) -> list[Finding]:
    """Restores the findings of that match from plain(), from the first on; and those `ahead` of them, by their
    numbers.
    """
    every = {**dict(enumerate(rows)), **(ahead or {})}
    found = []
    for moment in _moments(match, every):
        row = every[moment.number]
        options = tuple([Option(*option) for option in row.get("options", ())])
        chances, worth, luck = (tuple(row[name]) for name in ("chances", "worth", "luck"))
        decision = Decision(options, moment.action) if options else None
        why = tuple([explanation.read(reason) for reason in row.get("reasons", ())])
        found.append(moment.finding(match.box, chances, worth, luck, decision, why))
    return found


def turns(findings: Sequence[Finding]) -> list[Finding]:
    """Returns the turning points: the answers that moved a seat's chances most, in the order of the game."""
    most = sorted(findings, key=lambda found: found.swing, reverse=True)[:TURNS]
    return sorted(most, key=lambda found: found.number)


def _less(these: tuple[float, ...], those: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(one - other for one, other in zip(these, those, strict=True))
