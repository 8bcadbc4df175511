"""The games as a text environment, in the manner of TextArena: reset, get_observation, step, close.

    env = TextEnv("takara-island")
    env.reset(num_players=3, seed=7)
    done = False
    while not done:
        player, observation = env.get_observation()
        done, info = env.step(model(observation))      # a choice id: "12", or "[12]"
    rewards, info = env.close()

An observation is the compact text (docs/compact-text.md): what that player may know, the question, and the choices. An
answer that is none, or that a rule forbids, changes nothing: the next observation begins with the reason, and the same
player is asked again. After MAX_REFUSALS in a row the game ends, and that player has lost.
"""

from __future__ import annotations

import re
from typing import Any

import veillee
from veillee.match.compact_text import describe, describe_position
from veillee.match.errors import Forbidden

MAX_REFUSALS = 3  # in a row
CHOICE = re.compile(r"\s*\[?(\d{1,6})\]?\s*")
LOST, WON, OTHER = -1.0, 1.0, 0.0


class TextEnv:
    def __init__(self, game: str, lang: str = "en", **options: str) -> None:
        self.game, self.lang, self.options = game, lang, options

    def reset(self, num_players: int | None = None, seed: int | None = None) -> None:
        self.match = veillee.new(self.game, num_players, seed, **self.options)
        self.refusals: list[str] = []  # in a row, of the player that is asked
        self.rules: dict[str, int] = {}  # how often each rule refused an answer; "prose": it was none

    def get_observation(self) -> tuple[int, str]:
        """Returns the player that is asked (the first one at the end), and what it may know."""
        if self.match.over:
            return 0, describe_position(self.match, 0, self.lang)
        player = self.match.to_act[0]
        refused = [f"Refused: {self.refusals[-1]}"] if self.refusals else []
        return player, "\n".join([*refused, describe(self.match, player, self.lang)])

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Plays the answer of the player that is asked. Returns whether the game is over, and why it was refused."""
        player, rule, why = self.match.to_act[0], "", ""
        if found := CHOICE.fullmatch(action):
            try:
                self.match.play(player, int(found[1]))
            except Forbidden as refusal:
                rule, why = refusal.rule, refusal.cite(self.lang)
        else:
            rule, why = "prose", "Answer with the id of one choice."
        self.refusals = [*self.refusals, why] if why else []
        if rule:
            self.rules[rule] = self.rules.get(rule, 0) + 1
        return self.match.over or self.has_given_up, {"player": player, "rule": rule, "reason": why}

    @property
    def has_given_up(self) -> bool:
        return len(self.refusals) >= MAX_REFUSALS

    def close(self) -> tuple[dict[int, float], dict[str, Any]]:
        """Returns the reward of each player, and the counts of refusals by rule."""
        players = range(self.match.seats)
        if self.has_given_up:
            rewards = {player: LOST if player == self.match.to_act[0] else OTHER for player in players}
        else:
            rewards = {player: WON if player in self.match.winners else LOST for player in players}
        return rewards, {"rules": self.rules, "scores": self.match.scores}
