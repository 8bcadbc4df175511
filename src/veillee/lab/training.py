"""Trains a box's value network by self-play of the search: generation after generation, each accepted only if it is
better (ADR 38). The command is `veillee lab train GAME`.

Every generation plays games with few iterations a question, on all numbers of players; half of the seats have the latest
accepted network, the others any earlier one or none, so that none learns to beat only itself. At positions such as quick
games are evaluated at, the chances that the search found are recorded. The network learns to predict a mix of these and
of the game's result, beyond what the linear evaluation says. It replaces the one before if it wins more than an even
share against it at equal time, one against the rest, with the whole interval by deal; the number of games is fixed.

Everything is in one folder: a stopped run goes on where it was, and all parts can be checked afterwards. Games are
recorded as answers, so that other networks can be fitted to them without another search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import log, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple

from librt.vecs import vec

from veillee.bots.levels import Level
from veillee.bots.planning import plan_as, resample_for_seat
from veillee.games.box import Box
from veillee.games.network import FORMAT, NETWORK_FILE, example, fresh_advisor, identity, pack, read
from veillee.kernel.advisor import Advisor, compare
from veillee.kernel.chance import Rng
from veillee.kernel.network import AT_ONCE, InputPlane, Misfit, Network, readable
from veillee.kernel.state import State
from veillee.lab.arena import Contest, Played, Standing, find, run, standings, understand
from veillee.lab.checkpoint import with_checkpoint
from veillee.lab.executors import IN_THIS_PROCESS, open_executor, t
from veillee.lab.intervals import student
from veillee.lab.value_learning import Comparison, place_for, select_positions
from veillee.match.errors import Unknown
from veillee.match.setup import complete
from veillee.words import Sentence

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

ALL_PLANES, SEATS_PLANES, NO_PLANES = PLANES = ("all", "seats", "none")
REFERENCE = "expert-2"  # the level whose search learns
BLUR = 0.04  # of the players: games differ, and mistakes occur that must be judged
HELD_OUT = 10  # one game in so many is held out
BATCH = 128  # positions
STEP = 5e-4  # of Adam
FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-8
LEAST_SCALE = 0.01  # of an input: a rare one is not scaled up to weights that a file cannot hold
PATIENCE = 8  # epochs without an improvement on the held-out games
MOST_EPOCHS = 100
SEED_APART = 1_000_003


@dataclass(frozen=True)
class Plan:
    """The configuration of a run, all that its results depend on besides time limits."""

    game: str
    generations: int = 3
    games: int = 2000  # of each generation
    iterations: int = 100  # a question, in these games
    hidden: int = 32
    planes: str = "all"  # of the position: "all", "seats" (those that every seat has), or "none", the features alone
    reach: int = 0  # decisions of a quick game before it is evaluated; 0: as in the linear evaluation
    results: float = 0.5  # weight of the game's result in what is learned, the rest is the search's value
    decay: float = 1e-3  # regularisation
    contest: int = 400  # games, one against the rest
    seconds: float = 0.01  # for each answer in the contest
    seed: int = 1

    @property
    def box(self) -> Box:
        return find(self.game)


class PlayedGame(NamedTuple):
    """A game of self-play: its answers, each seat's share, and the chances that the search found after so many
    answers."""

    seats: int
    answers: list[tuple[int, int]]
    shares: list[float]
    judged: list[tuple[int, list[float]]]


class Example(NamedTuple):
    """A position to learn from."""

    game: int
    inputs: list[list[float]]  # for each seat
    linear: list[float]  # the logarithms of the chances by the linear evaluation
    shares: list[float]
    chances: list[float]  # as the search found them


@dataclass(frozen=True)
class Generation:
    """A trained network, and how it compares."""

    number: int
    network: str  # file name
    surprise: str  # on held-out games
    contest: str
    accepted: bool


# -- playing --------------------------------------------------------------------------------------------------------------
def level_with(plan: Plan, network: str, **changes: Any) -> Level:
    name = "".join([REFERENCE, *(f"/{key}={value}" for key, value in changes.items())])
    return understand(name + (f"/network={network}" if network else ""), plan.game)


def play(plan: Plan, generation: int, networks: Sequence[str], number: int) -> PlayedGame:
    """Plays one game of self-play; `networks` are those accepted so far, the latest last."""
    box = plan.box
    sizes = [n for n in box.players if n > 1]
    seed = (plan.seed * 1000 + generation) * SEED_APART + number
    rng, thoughts = Rng(seed), Rng(seed + 500_000)
    seats = sizes[number % len(sizes)]
    state = box.new(seats, rng, complete(box, {}), None)
    known = ["", *networks]
    levels = []
    for _seat in range(seats):
        which = known[-1] if thoughts.below(2) == 0 else known[thoughts.below(len(known))]
        levels.append(level_with(plan, which, iterations=plan.iterations, blur=BLUR))
    answers: list[tuple[int, int]] = []
    judged: list[tuple[int, list[float]]] = []
    asked = None
    while state.to_act:
        new = state.question is not asked and box.advisor.quiet(state)
        asked = state.question if new else asked
        seat = state.to_act[0]
        chances: list[float] | None = [] if new else None
        position = box.load(resample_for_seat(state, seat, thoughts.seed()))
        given = plan_as(box, position, seat, levels[seat], thoughts.seed(), timed=False, chances=chances)
        if new:
            judged.append((len(answers), [round(chance, 4) for chance in chances or []]))
        for action in given:
            state.apply(seat, action, rng)
            answers.append((seat, action))
    return PlayedGame(seats, answers, list(state.returns()), judged)


def examples_of(plan: Plan, generation: int, number: int, game: PlayedGame) -> list[Example]:
    """Replays the game and returns what is to be learned from it; nothing without a winner."""
    if sum(game.shares) == 0:
        return []
    box = plan.box
    advisor = advisor_of(plan)
    reader = reader_of(plan, advisor)
    rng = Rng((plan.seed * 1000 + generation) * SEED_APART + number)
    state = box.new(game.seats, rng, complete(box, {}), None)
    chances = dict(game.judged)
    quiet: list[State] = []
    found: list[list[float]] = []
    for place, (seat, action) in enumerate(game.answers):
        if place in chances:
            quiet.append(state.clone())
            found.append(chances[place] or game.shares)
        state.apply(seat, action, rng)
    judged = {id(state): one for state, one in zip(quiet, found, strict=True)}
    return [
        Example(
            number,
            inputs_of(advisor, reader, state),
            [log(max(chance, 1e-9)) for chance in advisor.evaluate(state)],
            game.shares,
            judged[id(state)],
        )
        for state in select_positions(advisor, quiet, number)
    ]


def advisor_of(plan: Plan) -> Advisor:
    """Returns the advisor that the network corrects, with quick games as long as they will be."""
    advisor = fresh_advisor(plan.box)
    if plan.reach:
        advisor.reach = plan.reach
        advisor.whole_phases = False
    return advisor


def reader_of(plan: Plan, advisor: Advisor) -> Network:
    """Returns a network that reads the inputs, and knows nothing."""
    about = identity(plan.box, advisor)
    planes = planes_of(plan)
    inputs = 2 * about["features"] + about["phases"] + sum(plane.inputs() for plane in planes)
    return Network(about["features"], about["phases"], AT_ONCE, plan.box.planes, planes, [0.0] * (inputs + 2) * AT_ONCE)


def planes_of(plan: Plan) -> list[InputPlane]:
    box = plan.box
    if plan.planes == NO_PLANES or box.planes is None:
        return []
    every = readable(box.planes, [example(box, seats) for seats in box.players if seats > 1])
    return [plane for plane in every if plane.each_seat or plan.planes == ALL_PLANES]


def inputs_of(advisor: Advisor, reader: Network, state: State) -> list[list[float]]:
    """Returns the inputs of each seat, as the network reads them."""
    seats = state.seats()
    phase = min(advisor.phase(state), len(advisor.weights) - 1)
    rows = compare(vec[vec[float]]([advisor.features(state, seat) for seat in range(seats)]))
    inputs = []
    for seat in range(seats):
        reader.look(state, seat, phase, rows[seat])
        inputs.append(list(reader.input))
    return inputs


# -- fitting --------------------------------------------------------------------------------------------------------------
class Data:
    """Examples as arrays, padded to the largest number of seats."""

    def __init__(self, examples: Sequence[Example], results: float) -> None:
        import numpy as np  # noqa: PLC0415  an extra

        most = max(len(one.shares) for one in examples)
        width = len(examples[0].inputs[0])
        self.inputs = np.zeros((len(examples), most, width))
        self.linear = np.full((len(examples), most), -1e9)
        self.target = np.zeros((len(examples), most))
        self.shares = np.zeros((len(examples), most))
        self.game = np.array([one.game for one in examples])
        for place, one in enumerate(examples):
            seats = len(one.shares)
            self.inputs[place, :seats] = one.inputs
            self.linear[place, :seats] = one.linear
            self.shares[place, :seats] = one.shares
            self.target[place, :seats] = [
                results * share + (1.0 - results) * chance
                for share, chance in zip(one.shares, one.chances, strict=True)
            ]


Weights = list["NDArray[float64]"]  # inputs to hidden units, their biases, their weights in the result


def fit(data: Data, hidden: int, seed: int, decay: float) -> Weights:
    """Fits the network by Adam on the cross-entropy; stops when the held-out games are predicted no better."""
    import numpy as np  # noqa: PLC0415

    chance = np.random.default_rng(seed)
    held = data.game % HELD_OUT == 0
    taught = np.flatnonzero(~held)
    scale = np.sqrt(np.mean(np.square(data.inputs[taught]), axis=(0, 1)))
    scale = np.maximum(scale, LEAST_SCALE)
    inputs = data.inputs / scale
    width = inputs.shape[2]
    weights = [
        chance.normal(0.0, sqrt(2.0 / width), (width, hidden)),
        np.zeros(hidden),
        np.zeros(hidden),  # begins as the linear evaluation
    ]
    first = [np.zeros_like(one) for one in weights]
    second = [np.zeros_like(one) for one in weights]
    best, best_loss, waited, steps = [one.copy() for one in weights], np.inf, 0, 0
    for _epoch in range(MOST_EPOCHS):
        order = chance.permutation(taught)
        for begin in range(0, len(order), BATCH):
            batch = order[begin : begin + BATCH]
            steps += 1
            slopes = gradient(weights, inputs[batch], data.linear[batch], data.target[batch])
            for place, slope in enumerate(slopes):
                slope += decay * weights[place]
                first[place] = FIRST_MOMENT * first[place] + (1 - FIRST_MOMENT) * slope
                second[place] = SECOND_MOMENT * second[place] + (1 - SECOND_MOMENT) * slope**2
                mean = first[place] / (1 - FIRST_MOMENT**steps)
                spread = second[place] / (1 - SECOND_MOMENT**steps)
                weights[place] = weights[place] - STEP * mean / (np.sqrt(spread) + TINY)
        loss = float(np.mean(surprise(weights, inputs[held], data.linear[held], data.target[held])))
        waited += 1
        if loss < best_loss:
            best, best_loss, waited = [one.copy() for one in weights], loss, 0
        if waited == PATIENCE:
            break
    return [best[0] / scale[:, None], best[1], best[2]]


def chances(weights: Weights, inputs: NDArray[float64], linear: NDArray[float64]) -> NDArray[float64]:
    """Returns each seat's chances, as Advisor.evaluate() computes them."""
    import numpy as np  # noqa: PLC0415

    worth = linear + np.maximum(inputs @ weights[0] + weights[1], 0.0) @ weights[2]
    hopes = np.exp(worth - worth.max(axis=1, keepdims=True))
    found: NDArray[float64] = hopes / hopes.sum(axis=1, keepdims=True)
    return found


def gradient(weights: Weights, inputs: NDArray[float64], linear: NDArray[float64], target: NDArray[float64]) -> Weights:
    """Returns the gradient of the mean cross-entropy."""
    import numpy as np  # noqa: PLC0415

    units = np.maximum(inputs @ weights[0] + weights[1], 0.0)
    worth = linear + units @ weights[2]
    hopes = np.exp(worth - worth.max(axis=1, keepdims=True))
    apart = (hopes / hopes.sum(axis=1, keepdims=True) - target) / len(inputs)
    back = apart[:, :, None] * weights[2] * (units > 0.0)
    return [
        np.einsum("psi,psh->ih", inputs, back, optimize=True),
        back.sum(axis=(0, 1)),
        np.einsum("ps,psh->h", apart, units),
    ]


def surprise(
    weights: Weights, inputs: NDArray[float64], linear: NDArray[float64], target: NDArray[float64]
) -> NDArray[float64]:
    """Returns the cross-entropy of each position."""
    import numpy as np  # noqa: PLC0415

    found: NDArray[float64] = -(target * np.log(np.maximum(chances(weights, inputs, linear), 1e-9))).sum(axis=1)
    return found


def compared(weights: Weights, data: Data) -> Comparison:
    """Compares the log-loss of the results of the held-out games with that of the linear evaluation."""
    import numpy as np  # noqa: PLC0415

    nothing = [np.zeros_like(one) for one in weights]
    losses = []
    for game in np.unique(data.game[data.game % HELD_OUT == 0]):
        mine = data.game == game
        both = (surprise(one, data.inputs[mine], data.linear[mine], data.shares[mine]) for one in (nothing, weights))
        losses.append([float(np.mean(one)) for one in both])
    apart = [present - former for former, present in losses]
    reach = student(len(apart) - 1) * stdev(apart) / sqrt(len(apart)) if len(apart) > 1 else float("inf")
    return Comparison(len(apart), fmean(one for one, _ in losses), fmean(one for _, one in losses), reach)


# -- the run ----------------------------------------------------------------------------------------------------------------
def train(
    plan: Plan,
    folder: Path,
    workers: int = 1,
    on: str = IN_THIS_PROCESS,
    tell: Callable[[Sentence], None] = lambda _line: None,
) -> Iterator[Generation]:
    """Runs the plan in this folder, from where it was; yields the generations."""
    begin(plan, folder)
    accepted: list[str] = []
    data: list[Example] = []
    for number in range(1, plan.generations + 1):
        tell(t("Generation {n}: {games} games are played.", n=number, games=plan.games))
        with open_executor(on, workers) as hands:
            crew = with_checkpoint(hands, folder / f"games-{number}.jsonl", **about_games(plan, number, accepted))
            paths = [str(folder / name) for name in accepted]
            played = list(crew.map(partial(play, plan, number, paths), range(plan.games)))
        for place, game in enumerate(played):
            data += [one._replace(game=number * plan.games + place) for one in examples_of(plan, number, place, game)]
        tell(t("Generation {n}: learning from {positions} positions.", n=number, positions=len(data)))
        file = folder / f"network-{number}.json"
        if not file.exists():
            every = Data(data, plan.results)
            weights = fit(every, plan.hidden, plan.seed, plan.decay)
            write(
                plan,
                file,
                weights,
                {"generation": number, "positions": len(data), "surprise": str(compared(weights, every))},
            )
        made = json.loads(file.read_text(encoding="utf-8"))["made"]
        tell(t("Generation {n}: {told}", n=number, told=made["surprise"]))
        rival = str(folder / accepted[-1]) if accepted else ""
        line = measure(plan, folder / f"contest-{number}.jsonl", str(file), rival, number, workers, on)
        found = Generation(
            number, file.name, made["surprise"], told(line, plan, number, rival), line.low > line.even_share
        )
        if found.accepted:
            accepted.append(file.name)
        outcome = t("accepted") if found.accepted else t("not accepted")
        tell(t("Generation {n}: {told}: {outcome}", n=number, told=found.contest, outcome=outcome))
        note(folder, found)
        yield found


def about_games(plan: Plan, generation: int, networks: Sequence[str]) -> dict[str, Any]:
    """Returns what the games of a generation depend on: a file of them serves other plans, too, that agree in this."""
    about = {"train": plan.game, "version": plan.box.version, "seed": plan.seed, "iterations": plan.iterations}
    return about | {"generation": generation, "networks": list(networks)}


def begin(plan: Plan, folder: Path) -> None:
    """Opens the folder of the run. Raises Unknown for that of another one, or a game that cannot be trained."""
    try:
        import numpy as np  # noqa: F401, PLC0415
    except ImportError:
        raise Unknown(t("NumPy is not installed: `pip install veillee[lab]` brings it.")) from None
    try:
        fresh_advisor(plan.box)
    except Misfit:
        raise Unknown(t("{game} has no linear evaluation to begin from.", game=plan.game)) from None
    if plan.hidden % AT_ONCE:
        raise Unknown(
            t("The number of hidden units is a multiple of {n}, not {hidden}.", n=AT_ONCE, hidden=plan.hidden)
        )
    if plan.planes not in PLANES:
        raise Unknown(t("The planes are {known}, not {planes}.", known=", ".join(PLANES), planes=repr(plan.planes)))
    about = json.dumps(asdict(plan), indent=1) + "\n"
    file = folder / "plan.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(about, encoding="utf-8")
        if file.read_text(encoding="utf-8") != about:
            raise Unknown(t("{file} is the record of another run: name another file, or remove it.", file=file))
    except OSError as error:
        raise Unknown(t("{file} cannot be written: {reason}.", file=file, reason=error.strerror)) from None


def write(plan: Plan, file: Path, weights: Weights, made: dict[str, Any]) -> None:
    """Writes a network and its card; the file appears whole or not at all."""
    advisor = advisor_of(plan)
    numbers = [float(number) for part in weights for number in part.ravel()]
    about = identity(plan.box, advisor) | {
        "hidden": plan.hidden,
        "reach": int(advisor.reach),
        "whole_phases": advisor.whole_phases,
        "planes": [[one.name, one.places, one.times, one.each_seat, one.things] for one in planes_of(plan)],
        "made": {"command": f"veillee lab train {plan.game}", "plan": asdict(plan), **made},
        "weights": pack(numbers),
    }
    assert about["format"] == FORMAT
    partial_file = file.with_suffix(".part")
    partial_file.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    partial_file.replace(file)


def measure(plan: Plan, record: Path, network: str, rival: str, number: int, workers: int, on: str) -> Standing:
    """Plays one with the network against the rest with its rival, at equal time; returns its result."""
    timed = f"/iterations=1000000/seconds={plan.seconds}"
    one = f"{REFERENCE}/network={network}{timed}"
    rest = f"{REFERENCE}{f'/network={rival}' if rival else ''}{timed}"
    seats = min((n for n in plan.box.players if n > 1), key=lambda n: abs(n - 4))
    contest = Contest(
        plan.game, (one, *[rest] * (seats - 1)), plan.contest, plan.seed * 1000 + 500 + number, luck=False
    )
    played: list[Played] = run(contest, workers, record, on=on)
    return next(line for line in standings(played) if line.level == one)


def told(line: Standing, plan: Plan, number: int, rival: str) -> str:
    ratio, low, high = line.ratio, line.low / line.even_share, line.high / line.even_share
    against = Path(rival).name if rival else REFERENCE
    return (
        f"{ratio:.2f} [{low:.2f}, {high:.2f}] times an even share against {against}, {plan.contest} games,"
        f" {plan.seconds} s an answer, seed {plan.seed * 1000 + 500 + number}"
    )


def note(folder: Path, found: Generation) -> None:
    """Writes the result of a generation into the folder, and into the card of its network."""
    file = folder / found.network
    about = json.loads(file.read_text(encoding="utf-8"))
    about["made"] |= {"contest": found.contest, "accepted": found.accepted}
    partial_file = file.with_suffix(".part")
    partial_file.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    partial_file.replace(file)


def ship(plan: Plan, file: Path, out: Path | None = None) -> Path | None:
    """Copies a network into the game's sources, or to `out`; returns where; None: its sources are not here."""
    place = out or place_for(plan.box, NETWORK_FILE)
    if place is not None:
        read(plan.box, file)
        place.write_bytes(file.read_bytes())
    return place
