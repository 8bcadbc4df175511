"""One match: checked choices, log, undo until hidden information is revealed.

The answers since the last irreversible one are kept apart (`pending`): they are the move in hand. As long as the same
seat goes on answering, the others still see the position before it, so that taking a card back does not reveal that the
seat held it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from veillee.games.box import Box, Line, Options
from veillee.kernel.chance import Rng, sealed
from veillee.kernel.log import NO_SEAT, Event, Log
from veillee.kernel.state import ALLOWED, MOST_ACTIONS, NOT_ASKED, NOT_YOU, State, Step
from veillee.kernel.story import Story
from veillee.match import display, seeds
from veillee.match.errors import (
    NO_ANSWER,
    NOT_KNOWN,
    NOT_OFFERED,
    Forbidden,
    Reason,
    Unknown,
    check_language,
    t,
)
from veillee.match.hints import Hint, hint
from veillee.match.owner_content import content_of
from veillee.words import Words

if TYPE_CHECKING:
    from rich.panel import Panel

SAVE_FORMAT = "veillee/1"


class Choice:
    """One answer to the question that a seat is asked."""

    __slots__ = {  # noqa: RUF023  in reading order
        "id": "Its number: match.play(seat, choice.id) is the same as match.play(seat, choice).",
        "rule": "Empty if the choice is allowed, else the rule that forbids it.",
        "match": "Whose it is.",
        "seat": "Whom it is offered to.",
    }

    def __init__(self, id: int, rule: str, match: Match, seat: int) -> None:  # noqa: A002 (the public name)
        self.id: int = id
        self.rule: str = rule
        self.match: Match = match
        self.seat: int = seat

    @property
    def verb(self) -> str:
        """The verb: "work", "play", "pass"."""
        return self.match.state.choice(self.id)[0]

    @property
    def args(self) -> Mapping[str, int]:
        """The arguments by name: {"site": 3}."""
        return self.match.state.choice(self.id)[1]

    @property
    def allowed(self) -> bool:
        """Whether no rule forbids it."""
        return not self.rule

    def label(self, lang: str = "") -> str:
        """Returns the choice as a phrase: "Dig at site 3"."""
        return self.match.box.speech.label(self.match.seen_by(self.seat), self.seat, self.id, self.match.words(lang))

    def why(self, lang: str = "") -> str:
        """Returns why it cannot be chosen, as a sentence; empty if it can."""
        if self.allowed:
            return ""
        return Forbidden(self.match.box, self.match.state, self.seat, self.id, self.rule).say(lang)

    def gives_up(self, lang: str = "") -> str:
        """Returns what it discards although the seat could keep it, as a sentence; empty: nothing."""
        return "".join(self.match.given_up(self.seat, [self.id], lang))

    def plain(self, lang: str = "") -> dict[str, Any]:
        """Returns the choice as plain data, for HTTP clients and custom bots."""
        return {"id": self.id, "verb": self.verb, "args": dict(self.args), "label": self.label(lang)}

    def __eq__(self, other: object) -> bool:
        """Compares answer, seat and match."""
        if not isinstance(other, Choice):
            return NotImplemented
        return (self.id, self.seat, self.rule) == (other.id, other.seat, other.rule) and self.match is other.match

    def __hash__(self) -> int:
        return hash((self.id, self.seat))

    def __repr__(self) -> str:
        args = ", ".join(f"{name}={value}" for name, value in self.args.items())
        return f"<{self.id}: {self.verb}({args})>"


@dataclass(frozen=True)
class Answer:
    """A choice that was made, with the events it caused."""

    seat: int
    action: int
    question: Step
    events: Sequence[Event]


class Behind(NamedTuple):
    """An earlier position: the one after so many answers, and the random generator at that point."""

    answers: int
    state: State
    rng: Rng | None  # None: to be created and advanced from the start


CATCHING_UP = Lock()  # a match is read by several threads; one of them replays the cached earlier position


class Match:
    """One game being played. Made by veillee.new(), veillee.load() or veillee.play().

    Seats are numbered from 0. Status: to_act, over, scores, ranking, winners. What a seat may see: view(seat),
    log(seat), question(seat), text(seat); without a seat, what a spectator may see. What it may do: choices(seat),
    play(seat, choice), undo(seat), why_not(seat, verb, …), hint(seat). To keep: save(), record().

    Sentences are in the reader's language (VEILLEE_LANG, or the system's) unless `lang` names another: "fr" or "en". In
    a terminal and in a notebook a match shows its board, as a spectator sees it.
    """

    def __init__(
        self,
        box: Box,
        seats: int,
        options: Options,
        seed: bytes,
        luck: Sequence[str] = (),
        version: int | None = None,
        contributions: Sequence[seeds.Contribution] = (),
    ) -> None:
        self.box = box
        self.version: int = box.version if version is None else version  # of the rules, fixed for the whole match
        self.seats = seats
        self.options = options
        self.seed = seed
        self.luck: tuple[str, ...] = tuple(luck)
        self.contributions: tuple[seeds.Contribution, ...] = tuple(contributions)
        rng, log = self._chance(), Log()
        state: State = box.start(self.version, seats, rng, options, log)
        self._story = Story(state, rng, log)
        self._base = Behind(0, state.clone(), None)
        self._anchor: tuple[int, State] | None = None
        # Caches per seat: (events counted, how many of them it may see), now and when it last answered.
        self._heard_until: dict[int, tuple[int, int]] = {}
        self._known_until: dict[int, tuple[int, int]] = {}

    # -- state: the columns of kernel/story.py ----------------------------------------------------------------
    @property
    def state(self) -> State:
        """The whole position, secrets included: for the server, not for players."""
        return self._story.state

    @state.setter
    def state(self, state: State) -> None:
        """Sets a position made by hand, which no answers lead to."""
        self.anchor = self.anchor
        self._story.state = state

    @property
    def rng(self) -> Rng:
        """The sealed random generator."""
        return self._story.rng

    @rng.setter
    def rng(self, rng: Rng) -> None:
        """Sets other chance, which the seed does not lead to: of a branch, or a test."""
        self._story.rng = rng

    @property
    def anchor(self) -> State:
        """The position before the move in hand. Replayed from the answers on demand, and cached."""
        story = self._story
        if story.before is not None:
            return story.before
        if self._anchor is None or self._anchor[0] != story.settled:
            with CATCHING_UP:
                found = self._catch_up(story.settled).clone()
                found.question = story.asked
                self._anchor = story.settled, found
        return self._anchor[1]

    @anchor.setter
    def anchor(self, state: State) -> None:
        self._story.before = state
        self._story.asked = state.question

    @property
    def settled_answers(self) -> list[tuple[int, int]]:
        """The answers that cannot be undone any more."""
        return self.answers[: self._story.settled]

    @property
    def pending(self) -> list[Answer]:
        """The answers of the move in hand, with the events they caused."""
        story = self._story
        return [
            Answer(story.seat[n], story.action[n], story.question[n], self._events(n, n + 1))
            for n in range(story.settled, len(story.seat))
        ]

    # -- status ---------------------------------------------------------------------------------------------
    @property
    def commitment(self) -> str:
        """The hash of the seed, published before the first move, so that the shuffle cannot be changed afterwards."""
        return seeds.commitment(self.seed)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must answer now; empty: the game is over."""
        return self.state.to_act

    @property
    def over(self) -> bool:
        """Whether no seat is asked any more."""
        return not self.state.to_act

    @property
    def scores(self) -> list[int]:
        """The current points of each seat."""
        return [self.state.score(seat) for seat in range(self.seats)]

    @property
    def winners(self) -> list[int]:
        """The winning seats. Empty while the game goes on, and if all seats lost."""
        return [seat for seat, share in enumerate(self.state.returns()) if share > 0] if self.over else []

    @property
    def ranking(self) -> list[list[int]]:
        """The seats from first to last; seats that share a place are in one list."""
        places: dict[tuple[int, ...], list[int]] = {}
        for seat in range(self.seats):
            places.setdefault(tuple(self.state.standing(seat)), []).append(seat)
        return [places[standing] for standing in sorted(places, reverse=True)]

    def place(self, seat: int) -> int:
        """Returns the seat's place, 1 is the best: 1 + the number of seats before it."""
        better = 0
        for group in self.ranking:
            if seat in group:
                break
            better += len(group)
        return better + 1

    @property
    def answers(self) -> list[tuple[int, int]]:
        """Every answer that stands, as (seat, choice id)."""
        return list(zip(self._story.seat, self._story.action, strict=True))

    def words(self, lang: str) -> Words:
        """Returns the game's translations for a language."""
        return self.box.words(check_language(lang))

    # -- display -------------------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        stands = "over" if self.over else f"to act: {', '.join(map(str, self.to_act))}"
        return f"<Match of {self.box.id}, {self.seats} seats, {len(self.answers)} answers, {stands}>"

    def text(self, seat: int = NO_SEAT, lang: str = "", names: Sequence[str] = ()) -> str:
        """Returns the board as text, as the seat may see it; without a seat, as a spectator."""
        return display.text(self, seat, lang, names)

    def __rich__(self) -> Panel:
        return display.panel(self)

    def _repr_html_(self) -> str:
        return display.html(self)

    # -- what a seat may see ----------------------------------------------------------------------------------
    def in_hand(self) -> int:
        """Returns the seat in the middle of a move that the others do not see yet, or NO_SEAT."""
        return self._story.in_hand()

    def seen_by(self, seat: int) -> State:
        """Returns the position that the seat is shown (still with all secrets: only `view` may be sent to players)."""
        return self.state if self.in_hand() in (NO_SEAT, seat) else self.anchor

    def view(self, seat: int = NO_SEAT) -> dict[str, Any]:
        """Returns what the seat may know, as plain data. NO_SEAT is a spectator."""
        self._check_seat(seat, spectator=True)
        state = self.seen_by(seat)
        return {
            "game": self.box.id,
            "seat": seat,
            "seats": self.seats,
            "to_act": list(state.to_act),
            "over": not state.to_act,
            "scores": [state.score(s) for s in range(self.seats)] if not state.to_act else None,
            **self.box.view(state, seat),
        }

    def events(self, seat: int = NO_SEAT) -> list[Event]:
        """Returns the events that the seat may know."""
        return [event for event in self._events(-1, self._shown(seat)) if event.visible(seat)]

    def chapters(self, seat: int = NO_SEAT) -> Iterator[list[Event]]:
        """Yields the same events from the end on, grouped by answer, last those of the setup; answers without events
        for the seat are skipped.
        """
        for n in reversed(range(-1, self._shown(seat))):
            if chapter := [event for event in self._events(n, n + 1) if event.visible(seat)]:
                yield chapter

    def heard(self, seat: int = NO_SEAT) -> int:
        """Returns the number of events the seat may know, counted incrementally."""
        return self._heard(seat, self._shown(seat), self._heard_until)

    def known(self, seat: int) -> int:
        """Returns the number of events the seat knew when it last answered: later ones are news to it."""
        story = self._story
        last = next((n for n in reversed(range(len(story.seat))) if story.seat[n] == seat), None)
        return 0 if last is None else self._heard(seat, last + 1, self._known_until)

    def log(
        self, seat: int = NO_SEAT, lang: str = "", names: Sequence[str] = (), since: int = 0
    ) -> list[tuple[str, str]]:
        """Returns the chronicle: (rule, sentence) for each event that the seat may know, without the first `since`
        of them.
        """
        t, who = self.words(lang), self._names(names)
        lines = ((event.rule, self.box.speech.event(event, who, t)) for event in self.events(seat)[since:])
        return [(rule, line) for rule, line in lines if line]

    def all_events(self) -> list[Event]:
        """Returns all events, secrets included."""
        return list(self._story.log.events)

    def account(self, lang: str = "", names: Sequence[str] = ()) -> list[list[Line]]:
        """Returns the final scores, line by line."""
        return self.box.speech.account(self.state, self.all_events(), self._names(names), self.words(lang))

    def question(self, seat: int, lang: str = "") -> tuple[str, str]:
        """Returns the question to the seat, and its rule; two empty strings if it is not asked."""
        self._check_seat(seat)
        if seat not in self.state.to_act:
            return "", ""
        return self.box.speech.question(self.seen_by(seat), seat, self.words(lang))

    # -- choices ------------------------------------------------------------------------------------------------
    def choices(self, seat: int) -> list[Choice]:
        """Returns what the seat can choose now."""
        self._check_seat(seat)
        state = self._story.state
        return [Choice(action, ALLOWED, self, seat) for action in state.legal(seat)] if state.asks(seat) else []

    def all_choices(self, seat: int) -> list[Choice]:
        """Returns all possible answers to the question, the forbidden too, each with its reason."""
        self._check_seat(seat)
        if seat not in self.state.to_act:
            return []
        question = self.state.question
        return [
            Choice(a, question.forbids(self.state, seat, a), self, seat) for a in question.options(self.state, seat)
        ]

    def why_not(self, seat: int, verb: str, /, **args: int) -> Reason:
        """Returns the rule that forbids a choice, whose say() is a sentence; empty if it is allowed.

            match.why_not(0, "play", colour=2)              <GK-2.1: You have no blue card in your hand.>
            match.why_not(0, "play", colour=2).say("fr")    'Vous n’avez aucune carte bleue en main.'

        (A choice's argument may be called `seat`, too.)
        """
        self._check_seat(seat)
        answer, rule = None, NOT_ASKED
        if seat not in self.state.to_act:
            rule = NOT_YOU
        else:
            for action in range(self.state.answers()):
                if self.state.choice(action) == (verb, args):
                    answer, rule = action, self.state.explain(seat, action)
                    break
        return Reason.of(Forbidden(self.box, self.state.clone(), seat, answer, rule) if rule else None)

    def play(self, seat: int, *choices: Choice | int) -> None:
        """Answers one question or several in a row: all of them, or none if one is forbidden. Raises Forbidden."""
        story = self._story
        if len(choices) == 1 and 0 <= seat < self.seats:  # fast path for the common case
            answer: Any = choices[0]
            if answer.__class__ is Choice and answer.seat == seat:
                answer = answer.id
            if answer.__class__ is int and 0 <= answer < MOST_ACTIONS:
                if rule := story.play(seat, answer):
                    raise Forbidden(self.box, story.state.clone(), seat, answer, rule)
                return
        if not choices:
            raise Forbidden(self.box, story.state.clone(), seat, None, NO_ANSWER)
        if not 0 <= seat < self.seats:
            self._check_seat(seat)
        actions = []
        for choice in choices:
            if isinstance(choice, Choice):
                if choice.seat != seat:
                    raise Forbidden(self.box, story.state.clone(), seat, choice.id, NOT_OFFERED)
                actions.append(choice.id)
            else:
                actions.append(choice)
        if len(actions) > 1:
            self._check_row(seat, actions)
        for action in actions:
            rule = story.play(seat, action) if 0 <= action < MOST_ACTIONS else NOT_ASKED
            if rule:
                raise Forbidden(self.box, story.state.clone(), seat, action, rule)

    def given_up(self, seat: int, actions: Sequence[int], lang: str = "") -> list[str]:
        """Returns what these answers in a row discard although the seat could keep it, as sentences. Tried on a copy
        with unrelated chance.
        """
        trial, said = self.state, []
        for number, action in enumerate(actions, 1):
            if not 0 <= action < MOST_ACTIONS or trial.explain(seat, action) != ALLOWED:
                break  # refused: play() reports why
            if lost := self.box.gives_up(trial, seat, action, self.words(lang)):
                said.append(lost)
            if number == len(actions):
                break  # nothing depends on the position after it
            if trial is self.state:
                trial = trial.clone()
            rng, log = Rng(0), Log()
            trial.apply(seat, action, rng, log)
            if rng.used or log.reveals:
                break  # what follows depends on unknown information
        return said

    def undo(self, seat: int) -> bool:
        """Undoes the seat's last choice. Returns False if information was revealed since, or another question was
        answered.
        """
        self._check_seat(seat)
        last = self._undoable(seat)
        if last < 0:
            return False
        self._story.take_back(last, self.anchor.clone())
        self._heard_until.clear()
        self._known_until.clear()
        return True

    def can_undo(self, seat: int) -> bool:
        """Returns whether undo() would undo a choice."""
        return self._undoable(seat) >= 0

    def settle(self) -> None:
        """Shows the move in hand to all seats: it can no longer be undone."""
        self._story.settle()

    def hint(self, seat: int, seed: int = 0, level: str = "expert") -> Hint:
        """Returns the expert's choice for the seat, from what the seat knows: .choice .reason("fr") .chances"""
        self._check_seat(seat)
        return hint(self, seat, seed, level)

    def copy(self) -> Match:
        """Returns an independent match at the same point."""
        twin = object.__new__(Match)
        vars(twin).update(vars(self))
        twin._heard_until, twin._known_until = self._heard_until.copy(), self._known_until.copy()
        twin._base = self._base._replace(rng=None)
        rng = self._chance()
        for _ in range(self.rng.used):
            rng.share()
        rng.used = self.rng.used
        twin._story = self._story.copy(rng)
        return twin

    def branch(self, rng: Rng) -> Match:
        """Returns a copy whose further chance comes from `rng`. No seed leads to what is played on it: it can be looked
        at, but not be saved or copied.
        """
        twin = self.copy()
        twin.anchor = self.anchor.clone()  # never replayed, which would need the sealed chance
        twin.rng = rng
        return twin

    def from_the_start(self) -> Match:
        """Returns the same match before its first answer."""
        return Match(self.box, self.seats, self.options, self.seed, self.luck, self.version, self.contributions)

    # -- saving ---------------------------------------------------------------------------------------------------
    def save(self) -> dict[str, Any]:
        """Returns the whole game as JSON-ready data, with its secret seed: for its owner, not for the players of a
        running game.
        """
        return {**self.record(), "seed": self.seed.hex(), "answers": [list(answer) for answer in self.answers]}

    def record(self) -> dict[str, Any]:
        """Returns the public record of a match: until it is over without its seed and its answers, some of which are
        secret.
        """
        data: dict[str, Any] = {
            "format": SAVE_FORMAT,
            "game": self.box.id,
            "version": self.version,
            "seats": self.seats,
            "options": dict(self.options),
            "commitment": self.commitment,
            "luck": list(self.luck),
        }
        if self.contributions:
            data["contributions"] = [one._asdict() for one in self.contributions]
        if (content := content_of(self.box, self.options)) is not None:
            data["content"] = {"id": content.id, **content.names}
        if self.over:
            answers = [list(answer) for answer in self.answers]
            data |= {"answers": answers, "seed": self.seed.hex(), "scores": self.scores, "final": digest(self.state)}
        return data

    # -- inside -----------------------------------------------------------------------------------------------------
    def _names(self, names: Sequence[str]) -> Sequence[str]:
        return names or [f"{seat + 1}" for seat in range(self.seats)]

    def _check_seat(self, seat: int, *, spectator: bool = False) -> None:
        if not (0 <= seat < self.seats or (spectator and seat == NO_SEAT)):
            raise Unknown(t("There is no seat {seat}: the seats are 0 to {last}.", seat=seat, last=self.seats - 1))

    def _check_row(self, seat: int, actions: Sequence[int]) -> None:
        """Tries the answers on a copy. Only the last one may reveal information: the others were chosen without it."""
        trial = self.state.clone()
        for place, action in enumerate(actions):
            rule = trial.explain(seat, action) if 0 <= action < MOST_ACTIONS else NOT_ASKED
            if rule != ALLOWED:
                raise Forbidden(self.box, trial, seat, action, rule)
            if place + 1 < len(actions):
                before, blind, log = trial, Rng(0), Log()
                trial = before.clone()
                trial.apply(seat, action, blind, log)
                if blind.used or log.reveals:  # the position before it: the trial's chance is not the real one
                    raise Forbidden(self.box, before, seat, action, NOT_KNOWN)

    def _events(self, first: int, after: int) -> list[Event]:
        """Returns the events of these answers; the setup is number -1."""
        story = self._story
        start = story.events_before(first) if first >= 0 else 0
        return story.log.events[start : story.events_before(after)]

    def _shown(self, seat: int) -> int:
        """Returns how many answers the seat is shown: not those of another seat's move in hand."""
        story = self._story
        return len(story.seat) if story.in_hand() in (NO_SEAT, seat) else story.settled

    def _heard(self, seat: int, answers: int, counted: dict[int, tuple[int, int]]) -> int:
        """Counts the events the seat may see in the setup and so many answers, incrementally from the last count."""
        until = self._story.events_before(answers)
        before, heard = counted.get(seat, (0, 0))
        if before > until:
            before, heard = 0, 0
        for event in self._story.log.events[before:until]:
            heard += event.visible(seat)
        counted[seat] = until, heard
        return heard

    def _chance(self) -> Rng:
        return sealed(seeds.key(self.seed, self.box.id, self.seats, self.luck, self.contributions))

    def _catch_up(self, answers: int) -> State:
        """Returns the position after so many answers, replayed from the cached earlier position."""
        story, (done, before, rng) = self._story, self._base
        if rng is None:
            rng = self._chance()
        state = before.clone()
        for n in range(done, answers):
            while rng.used < story.used[n]:
                rng.share()
            state.apply(story.seat[n], story.action[n], rng)
        self._base = Behind(answers, state, rng)
        return state

    def _undoable(self, seat: int) -> int:
        story = self._story
        last = len(story.seat) - 1
        while last >= story.settled and story.seat[last] != seat:
            last -= 1
        if last < story.settled:
            return -1
        mine = story.question[last]
        return last if all(story.question[n] is mine for n in range(last + 1, len(story.seat))) else -1


def digest(state: State) -> str:
    """Returns a hash of a position: equal positions have equal hashes."""
    return sha256(json.dumps(state.dump(), sort_keys=True).encode()).hexdigest()
