"""A stopped run resumes, with the results that it would have had."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import veillee
from veillee.bots.evaluation import Budget
from veillee.cli import app
from veillee.kernel.chance import Rng
from veillee.lab import balance, value_learning
from veillee.lab.arena import find
from veillee.lab.checkpoint import with_checkpoint
from veillee.lab.executors import InlineExecutor
from veillee.match.analysis import analyse, to_json


class Stopped(Exception):
    pass


class Tiring(InlineExecutor):
    """Gives up after so many jobs, and counts them."""

    def __init__(self, most):
        self.most, self.done = most, 0

    def map(self, work, jobs):
        for result in super().map(work, jobs):
            if self.done == self.most:
                raise Stopped
            self.done += 1
            yield result


def finished(game):
    match, rng = veillee.new(game, 2, 5), Rng(5)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, match.box.advisor.first_idea(match.state, seat, rng))
    return match


def test_an_analysis_goes_on_where_it_was(tmp_path):
    match, budget, record = finished("takara-island"), Budget(1, 4, 2), tmp_path / "found.jsonl"
    alone = [to_json(one) for one in analyse(match, 3, budget)]
    first = Tiring(5)
    with pytest.raises(Stopped):
        list(analyse(match, 3, budget, over=with_checkpoint(first, record, seed=3).map))
    with record.open("ab") as file:
        file.write(b'[{"half')
    second = Tiring(10_000)
    assert [
        to_json(one) for one in analyse(match, 3, budget, over=with_checkpoint(second, record, seed=3).map)
    ] == alone
    assert first.done == 5
    assert second.done == len(record.read_bytes().splitlines()) - 1 - first.done
    third = Tiring(0)
    assert [to_json(one) for one in analyse(match, 3, budget, over=with_checkpoint(third, record, seed=3).map)] == alone


@pytest.mark.parametrize("game", ["tales-of-glory", "sourire-du-dragon", "ghost-knights"])
def test_a_study_of_balance_is_the_same_after_a_stop(game, tmp_path):
    plans = [replace(plan, games=2) for plan in balance.plans_of(game, 2)][:2]
    record = tmp_path / "games.jsonl"

    def stop(_: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        balance.play_all(game, plans, balance.QUICK_LEVEL, 1, progress=stop, record=record)
    assert len(record.read_bytes().splitlines()) == 2, "which run it is, and what was played of it"
    again = balance.play_all(game, plans, balance.QUICK_LEVEL, 1, record=record)
    assert again == balance.play_all(game, plans, balance.QUICK_LEVEL, 1)


def test_learning_notes_the_same_moments_after_a_stop(tmp_path):
    box, record = find("ghost-knights"), tmp_path / "moments.jsonl"
    value_learning.moments(box, value_learning.QUICK_LEVEL, 2, 1, record=record)
    assert value_learning.moments(box, value_learning.QUICK_LEVEL, 3, 1, record=record) == value_learning.moments(
        box, value_learning.QUICK_LEVEL, 3, 1
    )
    assert len(record.read_bytes().splitlines()) == 4


def test_the_file_of_another_run_is_left_alone(tmp_path):
    record = tmp_path / "found.jsonl"
    assert list(with_checkpoint(InlineExecutor(), record, seed=1).map(_twice, [1, 2])) == [2, 4]
    kept = record.read_bytes()
    with pytest.raises(veillee.Unknown, match="another run"):
        with_checkpoint(InlineExecutor(), record, seed=2)
    assert record.read_bytes() == kept
    record.write_bytes(kept.replace(b"4", b"nonsense"))
    with pytest.raises(veillee.Unknown, match="no result"):
        list(with_checkpoint(InlineExecutor(), record, seed=1).map(_twice, [1, 2]))
    with pytest.raises(veillee.Unknown, match="cannot be written"):
        with_checkpoint(InlineExecutor(), tmp_path / "nowhere" / "found.jsonl", seed=1)


def _twice(number: int) -> int:
    return 2 * number


def test_the_commands_take_a_record(tmp_path):
    game, record = tmp_path / "game.json", tmp_path / "found.jsonl"
    game.write_text(json.dumps(finished("takara-island").record()))
    command = ["analyse", str(game), "--games", "1", "--workers", "1", "--json", "--record", str(record)]
    told = CliRunner().invoke(app, command)
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:9]))
    again = CliRunner().invoke(app, command)
    assert (told.exit_code, again.exit_code) == (0, 0), again.output
    assert again.stdout == told.stdout
    assert record.read_bytes() == b"".join(lines)
    other = CliRunner().invoke(app, [*command, "--seed", "2", "--lang", "en"])
    assert other.exit_code == 2
    assert "another run" in other.output
