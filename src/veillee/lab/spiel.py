"""OpenSpiel: every box as a pyspiel game.

    import pyspiel
    import veillee.lab.spiel
    game = pyspiel.load_game("veillee_ghost_knights(seats=4)")

All of a game's chance is one chance node at its beginning: which of so many `deals` it is (a parameter); from there the
same answers always lead to the same game. With `decisions` a game ends after so many of them and pays the leader: few
deals and few decisions make settings small enough for exact algorithms. Questions to several players at once are asked
one after the other, without revealing the others' answers. Utilities are shares of the victory.

A player's information state is its observations whenever it was asked, and its answers.
"""

from __future__ import annotations

from ctypes import py_object, pythonapi
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np
import pyspiel

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.chance import Rng
from veillee.kernel.state import State
from veillee.lab.env_base import GameSpec
from veillee.lab.simulate import Numbers

DEALS = 1000
MAX_DECISIONS = 20_000  # decisions
REMEMBERED = 64  # latest own answers in an information-state tensor
DIGEST = 16  # bytes


class Table:
    """Mutable part of a game, copied with it."""

    def __init__(self, box: str, players: int) -> None:
        self.box = box
        self.state: State | None = None
        self.rng: Rng = Rng(0)
        self.decisions = 0
        self.given: list[list[int]] = [[] for _ in range(players)]
        self.memory: list[bytes] = [b""] * players  # hash of each player's observations and answers

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        twin = Table(self.box, len(self.given))
        twin.state = None if self.state is None else self.state.clone()
        twin.rng.state, twin.rng.used = self.rng.state, self.rng.used
        twin.decisions = self.decisions
        twin.given = [row[:] for row in self.given]
        twin.memory = self.memory[:]
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as plain data."""
        written = None if self.state is None else self.state.dump()
        return read, (self.box, written, self.rng.state, self.rng.used, self.decisions, self.given, self.memory)


def read(
    box: str, written: Any, chance: int, used: int, decisions: int, given: list[list[int]], memory: list[bytes]
) -> Table:
    table = Table(box, len(given))
    table.state = None if written is None else BOXES[box].load(written)
    table.rng.state, table.rng.used = chance, used
    table.decisions, table.given, table.memory = decisions, given, memory
    return table


class SpielGame(pyspiel.Game):
    """A box with a number of seats."""

    def __init__(self, kind: Any, box: Box, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.deals: int
        self.decisions: int
        seats, self.deals, self.decisions = (given.get(name, default) for name, default in defaults(box).items())
        self.seated: GameSpec = GameSpec(box.id, int(seats), {})
        info = pyspiel.GameInfo(
            num_distinct_actions=self.seated.answers,
            max_chance_outcomes=self.deals,
            num_players=self.seated.seats,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=self.decisions or MAX_DECISIONS,
        )
        super().__init__(kind, info, given)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self.seated, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SpielState(pyspiel.State):
    """A position, or the chance node before the first."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.table: Table = Table(game.seated.box.id, game.seated.seats)

    @property
    def seated(self) -> GameSpec:
        seated: GameSpec = self.get_game().seated
        return seated

    def current_player(self) -> int:
        state = self.table.state
        if state is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else state.to_act[0]

    def is_terminal(self) -> bool:
        state, most = self.table.state, self.get_game().decisions
        return state is not None and (not state.to_act or (most > 0 and self.table.decisions >= most))

    def returns(self) -> list[float]:
        state = self.table.state
        return state.returns() if state is not None and self.is_terminal() else [0.0] * self.seated.seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.table.state.legal(player)) if self.table.state is not None else []

    def _apply_action(self, action: int) -> None:
        table = self.table
        if table.state is None:
            table.rng = Rng(Rng(action).seed())
            table.state = self.seated.begin(table.rng)
            return
        seat = table.state.to_act[0]
        action = self.seated.check(table.state, seat, action)
        seen = self.seated.observer.row(table.state, seat).tobytes()
        table.memory[seat] = blake2b(table.memory[seat] + seen + action.to_bytes(4, "big"), digest_size=DIGEST).digest()
        table.given[seat].append(action)
        table.state.apply(seat, action, table.rng)
        table.decisions += 1

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        assert self.table.state is not None
        verb, args = self.table.state.choice(action)
        return f"{verb}({', '.join(f'{name}={value}' for name, value in args.items())})"

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Returns a state that the player cannot distinguish from this one; the other players' memories are cleared."""
        twin: SpielState = self.clone()
        table = twin.table
        if table.state is not None:
            chance = Rng(int(sampler() * (1 << 60)))
            table.state.determinize(player, chance)
            table.rng = Rng(chance.seed())
            for other in range(len(table.memory)):
                if other != player:
                    table.memory[other] = b""
        return twin

    def __str__(self) -> str:
        state = self.table.state
        return "before the deal" if state is None else str(state.dump())


class SpielObserver:
    """Observer of a player: the planes of the box; with perfect recall, preceded by its own answers."""

    def __init__(self, seated: GameSpec, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"Observations have no parameters: {params}")
        self.seated = seated
        self.recall: bool = kind.perfect_recall
        size = seated.observer.size
        before = REMEMBERED if self.recall else 0
        self.tensor: Numbers = np.zeros(before + size, np.float32)
        self.dict: dict[str, Numbers] = {"planes": self.tensor[before:]}
        if self.recall:
            self.dict["answers"] = self.tensor[:before]

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor.fill(0)
        table = state.table
        if table.state is not None:
            self.dict["planes"][:] = self.seated.observer.row(table.state, player)
            if self.recall:
                last = table.given[player][-REMEMBERED:]
                self.dict["answers"][: len(last)] = [action + 1 for action in last]

    def string_from(self, state: SpielState, player: int) -> str:
        table = state.table
        if table.state is None:
            return f"{player}: before the deal"
        seen = self.seated.observer.row(table.state, player)
        if self.recall:
            return f"{player}: {table.memory[player].hex()} {blake2b(seen.tobytes(), digest_size=DIGEST).hexdigest()}"
        return f"{player}: {' '.join(map(str, seen))}"


def defaults(box: Box) -> dict[str, int]:
    return {"seats": box.usual, "deals": DEALS, "decisions": 0}


def name_of(box: Box) -> str:
    return f"veillee_{box.id.replace('-', '_')}"


def register(box: Box) -> None:
    kind = pyspiel.GameType(
        short_name=name_of(box),
        long_name=box.title["en"],
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=box.players[-1],
        min_num_players=box.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults(box),
    )
    game = partial(SpielGame, kind, box)
    pythonapi.Py_IncRef(py_object(game))  # pyspiel drops its reference after Python has shut down
    pyspiel.register_game(kind, game)


for _box in BOXES.values():
    if name_of(_box) not in pyspiel.registered_names():
        register(_box)
