"""Training networks: what is played, what is learned, and when a generation is accepted."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from veillee.cli import app
from veillee.games.catalogue import BOXES
from veillee.games.network import MOST_WEIGHT, read
from veillee.kernel.chance import Rng
from veillee.lab import training
from veillee.lab.arena import Standing
from veillee.lab.training import (
    Data,
    Example,
    Generation,
    Plan,
    chances,
    examples_of,
    fit,
    gradient,
    level_with,
    play,
    ship,
    surprise,
    train,
    write,
)
from veillee.match.errors import Unknown
from veillee.match.setup import complete

TINY = Plan("ghost-knights", generations=2, games=10, iterations=2, hidden=4, contest=4)


def weights_at_random(data: Data, hidden: int, seed: int = 1) -> list[np.ndarray]:
    chance = np.random.default_rng(seed)
    return [chance.normal(0.0, 0.3, shape) for shape in ((data.inputs.shape[2], hidden), hidden, hidden)]


def standing(low: float) -> Standing:
    return Standing("one", 1, low + 0.1, low, low + 0.2, 0.25, 0.0, 25.0, 1.0, 0.0, 0.0)


def some_examples(games: int) -> list[Example]:
    """Who has exactly one of two things wins, which no linear evaluation can say."""
    rng, found = Rng(1), []
    for game in range(games):
        seats = 2 + rng.below(3)
        inputs = [[float(rng.below(2)), float(rng.below(2))] for _ in range(seats)]
        good = [one != two for one, two in inputs]
        shares = [1.0 / sum(good) if mine else 0.0 for mine in good] if any(good) else [1.0 / seats] * seats
        found.append(Example(game, inputs, [0.0] * seats, shares, shares))
    return found


def test_it_learns_what_no_linear_evaluation_can_say() -> None:
    data = Data(some_examples(8000), 1.0)
    weights = fit(data, 8, 1, 1e-5)
    hopes = chances(weights, data.inputs, data.linear)
    sure = data.shares == 1.0
    assert hopes[sure].mean() > 0.9
    assert np.allclose(hopes.sum(axis=1), 1.0)


def test_it_begins_as_the_linear_evaluation_and_prefers_it_to_noise() -> None:
    """Results that depend on nothing: what was held out is predicted best by what was there before."""
    rng = Rng(2)
    noise = []
    for game in range(300):
        winner = rng.below(3)
        inputs = [[rng.share() for _ in range(5)] for _ in range(3)]
        noise.append(Example(game, inputs, [0.0] * 3, [float(seat == winner) for seat in range(3)], [1 / 3] * 3))
    data = Data(noise, 1.0)
    hopes = chances(fit(data, 8, 1, 1e-4), data.inputs, data.linear)
    assert np.abs(hopes - 1 / 3).mean() < 0.1


def test_what_hardly_ever_occurs_gets_no_weight_that_a_file_cannot_hold() -> None:
    rare = [one._replace(inputs=[[*mine, 1e-6] for mine in one.inputs]) for one in some_examples(200)]
    assert max(float(np.abs(part).max()) for part in fit(Data(rare, 1.0), 4, 1, 1e-3)) < MOST_WEIGHT


def test_the_gradient_is_that_of_the_loss() -> None:
    data = Data(some_examples(40), 0.7)
    weights = weights_at_random(data, 4)
    slopes = gradient(weights, data.inputs, data.linear, data.target)

    def loss() -> float:
        return float(surprise(weights, data.inputs, data.linear, data.target).mean())

    for part, slope in zip(weights, slopes, strict=True):
        for place in ((0,) * part.ndim, (1,) * part.ndim):
            part[place] += 1e-5
            more = loss()
            part[place] -= 2e-5
            less = loss()
            part[place] += 1e-5
            assert slope[place] == pytest.approx((more - less) / 2e-5, abs=1e-6)


@pytest.mark.parametrize("game", ["ghost-knights", "takara-island"])
def test_what_learning_thinks_is_what_the_advisor_says(game: str, tmp_path: Path) -> None:
    """The network that is written evaluates positions as the arrays do, but for the rounding of weights."""
    plan = replace(TINY, game=game)
    played = [play(plan, 1, [], number) for number in range(2)]
    examples = [one for number, game in enumerate(played) for one in examples_of(plan, 1, number, game)]
    data = Data(examples, 0.5)
    weights = [part.astype(np.float16).astype(float) for part in weights_at_random(data, 4)]
    write(plan, tmp_path / "network.json", weights, {})
    advisor = read(plan.box, tmp_path / "network.json")
    hopes = chances(weights, data.inputs, data.linear)
    place = 0
    for number, one in enumerate(played):
        rng = Rng((plan.seed * 1000 + 1) * training.SEED_APART + number)
        state = plan.box.new(one.seats, rng, complete(plan.box, {}), None)
        quiet = []
        judged = {after for after, _ in one.judged}
        for after, (seat, action) in enumerate(one.answers):
            if after in judged:
                quiet.append(state.clone())
            state.apply(seat, action, rng)
        assert list(state.returns()) == one.shares
        for position in training.select_positions(plan.box.advisor, quiet, number):
            assert list(advisor.evaluate(position)) == pytest.approx(list(hopes[place][: one.seats]), abs=1e-6)
            place += 1
    assert place == len(examples) > 2


def test_games_are_the_same_for_the_same_seed_and_judged_by_the_search() -> None:
    one = play(TINY, 1, [], 3)
    assert one == play(TINY, 1, [], 3)
    assert one != play(TINY, 2, [], 3), "each generation has deals of its own"
    assert one.seats == 5
    assert len(one.judged) > 10
    for _after, found in one.judged:
        assert not found or sum(found) == pytest.approx(1.0, abs=1e-3)
    assert any(found for _after, found in one.judged)


def test_a_shorter_reach_learns_from_all_quiet_moments() -> None:
    game = play(TINY, 1, [], 0)
    assert 0 < len(examples_of(TINY, 1, 0, game)) <= 3, "after scorings"
    assert len(examples_of(replace(TINY, reach=4), 1, 0, game)) > 10


def test_half_of_the_seats_have_the_latest_network_and_others_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated: list[str] = []
    monkeypatch.setattr(
        training, "level_with", lambda plan, network, **_: seated.append(network) or level_with(plan, "")
    )
    monkeypatch.setattr(training, "plan_as", lambda box, state, seat, *_, **__: [state.legal(seat)[0]])
    for number in range(60):
        play(TINY, 3, ["first", "second"], number)
    counts = [seated.count(name) / len(seated) for name in ("", "first", "second")]
    assert counts == pytest.approx([1 / 6, 1 / 6, 2 / 3], abs=0.07)


def test_a_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lows = {"network-1.json": 0.3, "network-2.json": 0.2}
    asked: list[tuple[str, str]] = []

    def measured(plan: Plan, record: Path, network: str, rival: str, *_: object) -> Standing:
        asked.append((Path(network).name, Path(rival).name))
        return standing(lows[Path(network).name])

    monkeypatch.setattr(training, "measure", measured)
    folder = tmp_path / "run"
    found = list(train(TINY, folder))
    assert [one.accepted for one in found] == [True, False], "0.2 is not above an even share of 0.25"
    assert asked == [("network-1.json", ""), ("network-2.json", "network-1.json")], "each against the last accepted"
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    card = json.loads(before["network-1.json"])["made"]
    assert card["accepted"]
    assert card["plan"]["games"] == TINY.games
    assert "times an even share against expert-2, 4 games" in card["contest"]
    (folder / "network-2.json").unlink()
    whole = (folder / "games-2.jsonl").read_bytes()
    (folder / "games-2.jsonl").write_bytes(whole[: len(whole) // 2])
    assert list(train(TINY, folder)) == found
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    with pytest.raises(Unknown, match="is the record of another run"):
        next(train(replace(TINY, seed=2), folder))


def test_a_network_is_shipped_whole_or_not_at_all(tmp_path: Path) -> None:
    plan = replace(TINY, planes="none")
    data = Data(examples_of(plan, 1, 0, play(plan, 1, [], 0)), 0.5)
    file = tmp_path / "network-1.json"
    write(plan, file, weights_at_random(data, 4), {})
    assert ship(plan, file, tmp_path / "out.json") == tmp_path / "out.json"
    assert read(plan.box, tmp_path / "out.json").network is not None
    file.write_text("{}")
    with pytest.raises(ValueError, match="holds no network"):
        ship(plan, file, tmp_path / "other.json")
    assert not (tmp_path / "other.json").exists()


def test_what_cannot_be_trained_is_said_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Unknown, match="a multiple of 4, not 6"):
        next(train(replace(TINY, hidden=6), tmp_path))
    with pytest.raises(Unknown, match="The planes are all, seats, none, not 'some'"):
        next(train(replace(TINY, planes="some"), tmp_path))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "numpy", None)
        with pytest.raises(Unknown, match=r"NumPy is not installed: `pip install veillee\[lab\]` brings it"):
            next(train(TINY, tmp_path))
    monkeypatch.setitem(BOXES, TINY.game, replace(BOXES[TINY.game], new_adept=None))
    with pytest.raises(Unknown, match="ghost-knights has no linear evaluation to begin from"):
        next(train(TINY, tmp_path))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("better", [True, False])
def test_the_command_ships_the_last_accepted(better: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def trained(plan: Plan, folder: Path, *_: object) -> list[Generation]:
        assert plan == Plan("ghost-knights", generations=1, games=20, iterations=2, hidden=4, contest=4, seed=5)
        folder.mkdir()
        (folder / "network-1.json").write_text("the network")
        return [Generation(1, "network-1.json", "", "", better)]

    monkeypatch.setattr(training, "train", trained)
    monkeypatch.setattr(training, "read", lambda box, file: None)
    out = tmp_path / "out.json"
    asked = {"generations": 1, "games": 20, "iterations": 2, "hidden": 4, "contest": 4, "seed": 5, "lang": "en"}
    asked |= {"folder": tmp_path / "run", "out": out}
    options = [f"--{name}={value}" for name, value in asked.items()]
    ran = CliRunner().invoke(app, ["lab", "train", "ghost-knights", *options])
    assert ran.exit_code == 0, ran.output
    assert out.exists() == better
    assert ("The network: " if better else "No generation was better: nothing is changed.") in ran.output
