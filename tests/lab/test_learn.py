"""Learning finds the weights that made the winners win."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from veillee.games.catalogue import BOXES
from veillee.kernel.advisor import Advisor
from veillee.kernel.chance import Rng
from veillee.lab import learn
from veillee.lab.learn import Moment, chances, fit, main, moments, place_for, surprise, text


def test_it_finds_what_counts() -> None:
    rng = Rng(1)
    noted = []
    for _ in range(3000):
        features = [[rng.share(), rng.share()] for _ in range(3)]
        ball, winner = rng.share(), 0
        for seat, chance in enumerate(chances([3.0, -1.0], features)):
            if ball >= 0.0:
                winner = seat
            ball -= chance
        noted.append(Moment(1, features, [float(seat == winner) for seat in range(3)]))
    weights = fit(noted, 1)
    assert weights[0] == [0.0, 0.0]
    assert weights[1] == pytest.approx([3.0, -1.0], abs=0.45)
    assert surprise(weights, noted) < surprise(None, noted)


def test_moments_of_a_game_know_who_won() -> None:
    box = BOXES["ghost-knights"]
    noted = moments(box, "quick", 2, 1)
    assert {len(moment.features) for moment in noted} == {4, 5}
    assert all(sum(moment.shares) == pytest.approx(1.0) for moment in noted)


def test_whole_phases_are_noted_once_each() -> None:
    """Where the search judges is where learning looks: Ghost Knights at the start and after each scoring."""
    phases = [moment.phase for moment in moments(BOXES["ghost-knights"], "quick", 12, 3)]
    assert phases.count(4) == 12, "each game begins with four to come"
    assert all(after < before or after == 4 for before, after in pairwise(phases)), "then fewer, none twice"
    assert {1, 2, 3} <= set(phases)


def test_what_is_written_is_what_a_game_reads() -> None:
    written = text([[1.0, -0.25], [0.0, 2.5]], "Learned by:\nsomebody")
    assert written.startswith("# Learned by:\n# somebody\n")
    assert tomllib.loads(written)["weights"] == [[1.0, -0.25], [0.0, 2.5]]


def test_weights_are_written_into_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = BOXES["takara-island"]
    assert place_for(box) == box.folder.resolve() / "weights.toml"
    site, sources = tmp_path / "site", tmp_path / "checkout"
    monkeypatch.setattr(learn.sysconfig, "get_path", lambda name: str(site))
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
    monkeypatch.setitem(BOXES, "takara-island", replace(BOXES["takara-island"], advisor=Advisor(), folder=tmp_path))
    with pytest.raises(SystemExit, match="The advisor of takara-island has no features"):
        run("takara-island")
    monkeypatch.setattr(learn, "place_for", lambda box: None)
    with pytest.raises(SystemExit, match="run this where its sources are, or say --out FILE"):
        run("takara-island")
    assert not list(tmp_path.iterdir())
