"""Luck and skill apart: `veillee.analyse(match)` goes through a finished match answer by answer.

Where each seat stood, what the answer was worth, what chance made of it, and what else there was. Added up, exactly:

    result - chances at the start = luck + what one's own answers brought + what the others' did
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from veillee.bots import insight
from veillee.bots.insight import Budget, Decision, Option
from veillee.games.box import Box
from veillee.kernel.chance import Rng
from veillee.kernel.log import NO_SEAT, Event
from veillee.kernel.state import State
from veillee.match import futures
from veillee.match.errors import Unknown, known, match_words, t
from veillee.match.futures import Reason, reasons

if TYPE_CHECKING:
    from veillee.match.match import Match

TURNS = 3  # of a game
MOST_LINES = 3  # of the chronicle, to tell what happened
NO_ACTION = -1


@dataclass(frozen=True)
class Finding:
    """Of one answer. Each figure is a share of the victory; rows of them have one for each seat."""

    box: Box
    number: int  # of the answer, from 1; 0: before the first
    seat: int
    action: int
    before: State  # the position in which it was given
    events: Sequence[Event]  # what it caused
    chances: tuple[float, ...]  # after it
    worth: tuple[float, ...]  # what the answer changed of them, on average over what nobody could know
    luck: tuple[float, ...]  # what chance made of that
    decision: Decision | None  # None: there was nothing else to choose, or nobody asked
    reasons: tuple[Reason, ...] = ()  # of a mistake: why the best choice was better

    @property
    def swing(self) -> float:
        """How far it moved whoever it moved most."""
        return max(abs(worth + luck) for worth, luck in zip(self.worth, self.luck, strict=True))

    def label(self, action: int, lang: str = "") -> str:
        """An answer to that question, in words."""
        return self.box.speech.label(self.before, self.seat, action, self.box.words(known(lang)))

    def told(self, lang: str = "", names: Sequence[str] = ()) -> str:
        """What happened, whether choice or chance made the difference, and what else there was: a few sentences."""
        lang = known(lang)
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
        elif self.decision is not None and self.decision.mistake:
            best = self.decision.best
            said.append(
                t(
                    "By what {who} knew, “{choice}” was better: {wins} % against {taken} %.",
                    who=who[self.seat],
                    choice=self.label(best.action, lang),
                    wins=round(100 * best.wins),
                    taken=round(100 * self.decision.chosen.wins),
                )
            )
            said += [self.why(lang, who)] if self.reasons else []
        return " ".join(said)

    def why(self, lang: str, names: Sequence[str]) -> str:
        """Why the best choice was better, as sentences; empty: points do not tell."""
        if not self.reasons or self.decision is None:
            return ""
        t = match_words(known(lang))
        told = " ".join(reason.say(self.seat, names, lang) for reason in self.reasons)
        best = self.label(self.decision.best.action, lang)
        return t("Why “{choice}”: {reason}", choice=best, reason=told[0].lower() + told[1:])


@dataclass
class Account:
    """What findings add up to, seat by seat."""

    seats: int
    start: tuple[float, ...] = ()
    end: tuple[float, ...] = ()
    luck: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)  # what one's own answers brought
    others: list[float] = field(default_factory=list)
    regret: list[float] = field(default_factory=list)  # what better answers would have promised
    stakes: list[float] = field(default_factory=list)  # how much luck there was, for better or worse
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
    match: Match, seed: int = 0, budget: Budget | None = None, seats: Collection[int] | None = None
) -> Iterator[Finding]:
    """The findings of a finished match in order, each as soon as it is found; whoever has seen enough closes the iterator.

    seats: whose decisions are weighed (by default everybody's); luck is told apart for all of them anyway.
    The same seed and budget find the same. Raises Unknown for a match that is not over, or a budget of nothing.
    """
    limits = budget or Budget()
    if not match.over:
        raise Unknown(t("The game is not over: what its answers were worth can be told when it is."))
    if min(limits.position, limits.search, limits.choice) < 1:
        raise Unknown(t("Without a game in the head nothing can be found out."))
    return _findings(match, seed, limits, range(match.seats) if seats is None else seats)


def _findings(match: Match, seed: int, budget: Budget, seats: Collection[int]) -> Iterator[Finding]:
    box, rng, past = match.box, Rng(seed), match.from_the_start()
    nothing = (0.0,) * match.seats
    stood = insight.chances(box, past.state, rng, budget.position)
    start = past.state.clone()
    yield Finding(box, 0, NO_SEAT, NO_ACTION, start, [], stood, nothing, nothing, None)
    for number, (seat, action) in enumerate(match.answers, 1):
        before, told = past.state.clone(), len(past.all_events())
        past.play(seat, action)
        stands = insight.chances(box, past.state, rng, budget.position)
        hoped = stands
        if insight.is_chance(before, seat, action):
            hoped = insight.expected(box, before, seat, action, rng, budget.position)
        decided = insight.decision(box, before, seat, action, rng, budget) if seat in seats else None
        worth, luck = _less(hoped, stood), _less(stands, hoped)
        every = past.all_events()
        why: list[Reason] = []
        if decided is not None and decided.mistake:
            why = reasons(box, before, every[:told], seat, (decided.best.action, action), rng.seed(), budget.reason)
        yield Finding(box, number, seat, action, before, every[told:], stands, worth, luck, decided, tuple(why))
        stood = stands


def plain(found: Finding) -> dict[str, Any]:
    """The finding without what the match knows anyway: see revived()."""
    told: dict[str, Any] = {"chances": found.chances, "worth": found.worth, "luck": found.luck}
    if found.decision is not None:
        told["options"] = [[option.action, option.wins, option.error] for option in found.decision.options]
    if found.reasons:
        told["reasons"] = [reason.plain() for reason in found.reasons]
    return told


def revived(match: Match, rows: Sequence[Mapping[str, Any]]) -> list[Finding]:
    """The findings of that match that plain() has written, from the first on."""
    past, found = match.from_the_start(), list[Finding]()
    for number, row in enumerate(rows):
        seat, action = match.answers[number - 1] if number else (NO_SEAT, NO_ACTION)
        before, told = past.state.clone(), len(past.all_events())
        if number:
            past.play(seat, action)
        options = tuple([Option(*option) for option in row.get("options", ())])
        chances, worth, luck = (tuple(row[name]) for name in ("chances", "worth", "luck"))
        events = past.all_events()[told:] if number else []
        decision = Decision(options, action) if options else None
        why = tuple([futures.read(reason) for reason in row.get("reasons", ())])
        found.append(Finding(match.box, number, seat, action, before, events, chances, worth, luck, decision, why))
    return found


def turns(findings: Sequence[Finding]) -> list[Finding]:
    """Where the game turned: the answers that moved somebody most, in the order of the game."""
    most = sorted(findings, key=lambda found: found.swing, reverse=True)[:TURNS]
    return sorted(most, key=lambda found: found.number)


def _less(these: tuple[float, ...], those: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(one - other for one, other in zip(these, those, strict=True))
