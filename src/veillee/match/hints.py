"""Hints: an expert's choice for a seat, its reason in a few words, and the chances of the best few choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veillee.bots import advice as bots
from veillee.kernel.state import NOT_YOU
from veillee.match.errors import Forbidden, check_language, match_words
from veillee.words import Words

if TYPE_CHECKING:
    from veillee.match.match import Choice, Match


@dataclass(frozen=True)
class Chance:
    """A choice and the seat's chance to win after it, from 0 to 1, estimated from so many simulated games."""

    choice: Choice
    wins: float
    games: int


@dataclass(frozen=True)
class Hint:
    """The proposed choice, with alternatives and reasons."""

    choice: Choice
    chances: tuple[Chance, ...]  # of the best few choices, best first
    reasons: tuple[str, ...]  # ids of bots/advice.py

    def reason(self, lang: str = "") -> str:
        """Returns the reason in a few words."""
        lang = check_language(lang)
        t = match_words(lang)
        return " ".join(filter(None, (self._sentence(reason, lang, t) for reason in self.reasons)))

    def _sentence(self, reason: str, lang: str, t: Words) -> str:
        wins = _percent(self.chances[0].wins)
        if reason == bots.ONLY:
            return t("It is the only choice.")
        if reason == bots.CLEARLY and len(self.chances) > 1:
            return t(
                "Clearly the best: {wins} % to win, against {other} %.", wins=wins, other=_percent(self.chances[1].wins)
            )
        if reason == bots.CLOSE and len(self.chances) > 1:
            return t("“{choice}” would be about as good.", choice=self.chances[1].choice.label(lang))
        if reason == bots.REASON_AHEAD:
            return t("You are well placed ({wins} %).", wins=wins)
        if reason == bots.REASON_BEHIND:
            return t("It is hard to win from here ({wins} %), but this is the best try.", wins=wins)
        return ""


def hint(match: Match, seat: int, seed: int = 0, level: str = "expert", *, timed: bool = True) -> Hint:
    """Returns a hint from what the seat knows and nothing else; the same seed gives the same hint unless the time
    limit (`timed`) cuts it short.
    """
    choices = {choice.id: choice for choice in match.choices(seat)}
    if not choices:
        raise Forbidden(match.box, match.state.clone(), seat, None, NOT_YOU)
    advice = bots.advise(match.box, match.state, seat, seed, level, timed=timed)
    return as_hint(advice, choices)


def as_hint(advice: bots.Advice, choices: dict[int, Choice]) -> Hint:
    chances = tuple(Chance(choices[w.action], w.wins, w.visits) for w in advice.best)
    return Hint(choices[advice.action], chances, advice.reasons)


def _percent(share: float) -> int:
    return round(share * 100)
