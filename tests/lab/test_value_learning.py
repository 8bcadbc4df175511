"""Learning finds the weights that made the winners win."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from math import log
from pathlib import Path

import pytest

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.lab import value_learning
from veillee.lab.value_learning import (
    Comparison,
    LearningPosition,
    before,
    chances,
    check,
    fit,
    log_loss,
    main,
    moments,
    place_for,
    play,
    start_of,
    text,
)
from veillee.match.setup import complete


def test_it_finds_what_counts() -> None:
    rng = Rng(1)
    noted = []
    for _ in range(4000):
        features = [[rng.share(), rng.share()] for _ in range(2 + rng.below(4))]
        ball, winner = rng.share(), 0
        for seat, chance in enumerate(chances([3.0, -1.0, 0.6], features)):
            if ball >= 0.0:
                winner = seat
            ball -= chance
        noted.append(LearningPosition(1, features, [float(seat == winner) for seat in range(len(features))]))
    weights = fit(noted, 1)
    assert weights[0] == [0.0, 0.0, 0.0]
    assert weights[1] == pytest.approx([3.0, -1.0, 0.6], abs=0.45)
    learned = sum(log_loss(chances(weights[1], moment.features), moment.shares) for moment in noted)
    assert learned < sum(log(len(moment.shares)) for moment in noted), "less than those who think all seats equal"


def test_it_goes_on_from_what_was_learned_before() -> None:
    """And stays there, the more it is told to trust it."""
    noted = [LearningPosition(0, [[1.0], [0.0]], [1.0, 0.0]), LearningPosition(0, [[0.0], [1.0]], [1.0, 0.0])] * 50
    apart = [abs(fit(noted, 1, [[2.0, 0.0]], calm)[0][0] - 2.0) for calm in (0.01, 1.0, 5.0)]
    assert apart[0] > apart[1] > apart[2]
    assert fit(noted, 1, [[2.0, 0.0]])[0][0] == pytest.approx(0.0, abs=0.1), "they won as often as not"
    assert start_of(Advisor([[2.0, 3.0]]), 2) == [[2.0, 3.0, 0.0, 0.0, 0.0]], "seats were judged one by one"
    assert start_of(Advisor([[2.0, 0.5, 0.1]]), 1) == [[2.0, 0.5, 0.1]]


@pytest.mark.parametrize("box", BOXES.values(), ids=list(BOXES))
def test_what_learning_thinks_is_what_the_advisor_says(box: Box) -> None:
    """On games of quick choices, with weights at random: the same chances by the one and the other."""
    width = len(box.advisor.features(box.new(box.players[-1], Rng(0), complete(box, {}), None), 0))
    rng = Rng(4)
    weights = [[rng.share() - 0.5 for _ in range(2 * width + 1)] for _ in range(12)]
    advisor = type(box.advisor)(weights)
    noted = moments(box, "quick", 2, 1)
    said = [list(advisor.evaluate(state)) for number in range(2) for state in play(box, "quick", 1, number)[1]]
    assert len(said) == len(noted) > 4
    for moment, hopes in zip(noted, said, strict=True):
        assert chances(weights[moment.phase], moment.features) == pytest.approx(hopes)


def test_moments_of_a_game_know_who_won() -> None:
    box = BOXES["ghost-knights"]
    noted = moments(box, "quick", 2, 1)
    assert {len(moment.features) for moment in noted} == {4, 5}
    assert all(sum(moment.shares) == pytest.approx(1.0) for moment in noted)


def test_it_learns_from_moments_that_quick_games_are_judged_at() -> None:
    """In Ghost Knights the first one after each scoring; elsewhere any quiet one."""
    assert [moment.phase for moment in moments(BOXES["ghost-knights"], "quick", 1, 1)] == [3, 2, 1]
    assert len(moments(BOXES["takara-island"], "quick", 1, 1)) > value_learning.POSITIONS_PER_GAME // 2


def test_a_check_is_the_same_for_the_same_seed_and_finds_what_is_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    box = BOXES["takara-island"]
    foolish = [[-w for w in row] for row in before(box).weights]  # takes the last for the first
    found = check(box, foolish, "quick", 12, 5)
    assert found == check(box, foolish, "quick", 12, 5)
    assert found.games <= 12
    assert found.present > found.former
    assert not found.better
    assert "not proven better" in str(found)
    monkeypatch.setitem(BOXES, box.id, replace(box, former=type(box.advisor)(foolish)))
    turned = check(BOXES[box.id], [list(row) for row in box.advisor.weights], "quick", 12, 5)
    assert (turned.present, turned.former, turned.reach) == pytest.approx((found.former, found.present, found.reach))


def test_better_is_what_is_proven() -> None:
    assert Comparison(1000, former=1.2, present=1.19, reach=0.009).better
    assert not Comparison(1000, former=1.2, present=1.19, reach=0.011).better


def test_what_is_written_is_what_a_game_reads() -> None:
    written = text([[1.0, -0.25], [0.0, 2.5]], "Learned by:\nsomebody")
    assert written.startswith("# Learned by:\n# somebody\n")
    assert tomllib.loads(written)["weights"] == [[1.0, -0.25], [0.0, 2.5]]


def test_weights_are_written_into_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = replace(BOXES["takara-island"], folder=tmp_path / "mine")
    assert place_for(beside) == (tmp_path / "mine").resolve() / "weights.toml"
    box = BOXES["takara-island"]
    site, sources = tmp_path / "site", tmp_path / "checkout"
    monkeypatch.setattr(value_learning.sysconfig, "get_path", lambda name: str(site))
    installed = replace(box, folder=site / "veillee" / "games" / "takara_island")
    for folder in (installed.folder, sources / "src" / "veillee" / "games" / "takara_island"):
        folder.mkdir(parents=True)
        (folder / "bot.py").touch()
    monkeypatch.chdir(tmp_path)
    assert place_for(installed) is None, "what is installed is lost with the next installation"
    monkeypatch.chdir(sources)
    assert place_for(installed) == Path("src/veillee/games/takara_island/weights.toml")


def test_what_cannot_be_learned_is_said_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*arguments: str) -> None:
        monkeypatch.setattr("sys.argv", ["learn", *arguments, "--games=1"])
        main()

    with pytest.raises(SystemExit, match="There is no game 'takara'"):
        run("takara")
    with pytest.raises(SystemExit, match="There is no level 'wizard'"):
        run("takara-island", "--level=wizard")
    with pytest.raises(SystemExit, match=r"nothing\.toml has no weights"):
        run("takara-island", f"--check={tmp_path / 'nothing.toml'}")
    monkeypatch.setitem(BOXES, "takara-island", replace(BOXES["takara-island"], advisor=Advisor(), folder=tmp_path))
    with pytest.raises(SystemExit, match="The advisor of takara-island has no features"):
        run("takara-island")
    monkeypatch.setattr(value_learning, "place_for", lambda box: None)
    with pytest.raises(SystemExit, match="run this where its sources are, or say --out FILE"):
        run("takara-island")
    assert not list(tmp_path.iterdir())
