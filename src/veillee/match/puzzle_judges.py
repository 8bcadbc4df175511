"""Decides whether one choice is clearly the best in a position, which then becomes a puzzle. All judges must agree,
each with its own chance: the search that plays, quick games in the same sampled worlds for every choice, and twice the
expert with ten times its budget.

They judge by what the seat knows, and never see the hidden state. Used by the lab for games between bots
(lab/puzzle_generation.py) and by the house for games played there (house/analysis/puzzle_collector.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

from veillee.bots.compiled.search_tree import Tree
from veillee.bots.evaluation import Option, compare_choices
from veillee.bots.levels import level as find_level
from veillee.bots.planning import SearchedChoice, resample_for_seat, search_choices
from veillee.kernel.chance import Rng
from veillee.match.errors import Unknown, t
from veillee.match.explanation import Explanation, reasons
from veillee.match.match import Match

OPEN_GAME_CHANCES = (0.08, 0.95)  # range of the best choice's chances: the game is still open
LOOKED_AT = 12  # choices compared in the same worlds
IDEAS = 16  # first ideas sampled, to measure how obvious a choice is
PLAIN = 0.5  # share of first ideas above which a choice is too obvious


class PuzzleVerdict(NamedTuple):
    """What the judges have agreed on."""

    options: tuple[Option, ...]  # the best first, then the closest ones
    reasons: tuple[Explanation, ...]  # why it is better than the second


@dataclass(frozen=True)
class Judges:
    """Thresholds and budgets. With the same chance, the same judges give the same verdict."""

    margin: float = 0.08  # share of the victory between the best choice and the next
    errors: float = 8.0  # and in standard errors
    thought: int = 300  # simulated games of the search that plays
    worlds: int = 200  # for every choice, in the first pass
    sure_worlds: int = 2000  # and for the four best
    ends: int = 200  # games to the end, to find the reasons
    expert: float = 10.0  # times its budget
    experts: int = 2

    def __post_init__(self) -> None:
        """Raises Unknown for a budget of zero."""
        if min(self.thought, self.worlds, self.sure_worlds, self.ends, self.expert, self.experts) <= 0:
            raise Unknown(t("Without a simulated game nothing can be found out."))

    def judge(self, match: Match, seat: int, rng: Rng) -> PuzzleVerdict | None:
        """Asks all judges. Returns None if they disagree, or if most first ideas find the best choice: then it is
        too easy.
        """
        weighed = self.search(match, seat, rng)
        if not self.promising(weighed) or plainness(match, seat, weighed[0].action) > PLAIN:
            return None
        return self.agree(match, seat, weighed, rng)

    def search(self, match: Match, seat: int, rng: Rng) -> list[SearchedChoice]:
        """Returns the result of the search that plays, best choice first."""
        thinker = replace(find_level("expert", match.box.id), iterations=self.thought)
        position = match.box.load(resample_for_seat(match.state, seat, rng.seed()))
        return search_choices(match.box, position, seat, thinker, Rng(rng.seed()), Tree(), inf)

    def promising(self, weighed: Sequence[SearchedChoice]) -> bool:
        """Returns whether the search finds one choice clearly best, in a game that is still open."""
        best, others = weighed[0], [one.wins for one in weighed[1:] if one.visits > self.thought // 50]
        return (
            OPEN_GAME_CHANCES[0] < best.wins < OPEN_GAME_CHANCES[1]
            and bool(others)
            and best.wins - max(others) > self.margin / 2
        )

    def agree(self, match: Match, seat: int, weighed: Sequence[SearchedChoice], rng: Rng) -> PuzzleVerdict | None:
        """Returns the verdict if all other judges confirm the best choice; None: the position becomes no puzzle."""
        box, best = match.box, weighed[0].action
        position = box.load(resample_for_seat(match.state, seat, rng.seed()))
        known = [one.action for one in weighed]
        unknown = [action for action in position.legal(seat) if action not in known]
        first = compare_choices(box, position, seat, [*known, *unknown][:LOOKED_AT], rng.seed(), self.worlds)
        if first[0].action != best or first[0].wins - first[1].wins < self.margin / 2:
            return None
        options = compare_choices(box, position, seat, [one.action for one in first[:4]], rng.seed(), self.sure_worlds)
        margin = options[0].wins - options[1].wins
        if options[0].action != best or margin < max(self.margin, self.errors * options[1].error):
            return None
        if not OPEN_GAME_CHANCES[0] < options[0].wins < OPEN_GAME_CHANCES[1]:
            return None
        if any(self.ask_expert(match, seat, rng.seed()) != best for _ in range(self.experts)):
            return None
        why = reasons(box, match.state, match.all_events(), seat, (best, options[1].action), rng.seed(), self.ends)
        if not why:  # the solution could not be explained
            return None
        return PuzzleVerdict(options, tuple(why))

    def ask_expert(self, match: Match, seat: int, seed: int) -> int:
        """Returns the expert's answer with ten times its budget, by what the seat knows."""
        known = find_level("expert", match.box.id)
        strong = replace(known, iterations=max(1, int(self.expert * known.iterations)))
        position = match.box.load(resample_for_seat(match.state, seat, seed))
        return search_choices(match.box, position, seat, strong, Rng(seed), Tree(), inf)[0].action


def plainness(match: Match, seat: int, best: int) -> float:
    """Returns the share of first ideas that find the best choice."""
    box = match.box
    ideas = [
        box.advisor.first_idea(box.load(resample_for_seat(match.state, seat, n)), seat, Rng(n)) for n in range(IDEAS)
    ]
    return ideas.count(best) / IDEAS
