"""Datasets of many files: written whole or not at all, continued, described, and read back by replay."""

from __future__ import annotations

import errno
import json
import re
from statistics import fmean

import mlcroissant
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import veillee
from veillee.cli import app
from veillee.games.catalogue import BOXES
from veillee.lab import sharded_dataset
from veillee.lab.executors import InlineExecutor
from veillee.lab.sharded_dataset import DatasetPlan, read_dataset, write_dataset

PLAN = DatasetPlan("ghost-knights", BOXES["ghost-knights"].version, 4, "random", 7)
SHARD_NAMES = ["games-00000.parquet", "games-00001.parquet", "games-00002.parquet"]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(sharded_dataset, "GAMES_PER_SHARD", 5)


def write(folder, games=12, plan=PLAN):
    return write_dataset(folder, plan, games, InlineExecutor())


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_what_is_read_back_is_what_was_played(tmp_path):
    figures = write(tmp_path)
    assert [one.games for one in figures] == [5, 5, 2]
    assert names(tmp_path) == ["README.md", "croissant.json", *SHARD_NAMES]
    matches = list(veillee.read_games(tmp_path))
    assert [match.seed for match in matches] == [veillee.new("ghost-knights", 4, 7 + n).seed for n in range(12)]
    assert all(match.over for match in matches)
    assert sum(one.answers for one in figures) == sum(len(match.answers) for match in matches)
    drawn = [match.seed for match in read_dataset(tmp_path, games=4, seed=1)]
    assert len(drawn) == 4
    assert [seed for seed in (match.seed for match in matches) if seed in drawn] == drawn


@pytest.mark.parametrize("game", list(BOXES))
def test_levels_of_bots_and_every_box(game, tmp_path):
    plan = DatasetPlan(game, BOXES[game].version, BOXES[game].players[0], "novice", 3)
    write(tmp_path, 1, plan)
    (match,) = read_dataset(tmp_path)
    assert match.answers == veillee.play(game, ["novice"] * plan.seats, plan.seats, 3).answers


def test_a_stopped_run_goes_on_with_what_is_missing(tmp_path):
    write(tmp_path)
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in SHARD_NAMES}
    content = (tmp_path / SHARD_NAMES[1]).read_bytes()
    (tmp_path / SHARD_NAMES[1]).unlink()
    write(tmp_path)
    after = {name: (tmp_path / name).stat().st_mtime_ns for name in SHARD_NAMES}
    assert [name for name in SHARD_NAMES if before[name] != after[name]] == [SHARD_NAMES[1]]
    rows, again = pl.read_parquet(content), pl.read_parquet(tmp_path / SHARD_NAMES[1])
    assert rows.equals(again), "the same games"
    write(tmp_path, 14)
    assert len(list(read_dataset(tmp_path))) == 14, "more games: the last file is written again"


def test_another_dataset_in_the_folder_stays(tmp_path):
    write(tmp_path, 2)
    with pytest.raises(veillee.Unknown, match="another dataset"):
        write(tmp_path, 2, DatasetPlan("ghost-knights", PLAN.version, 4, "random", 8))
    write(tmp_path, 2)


def test_on_a_full_disk_nothing_half_written_is_called_whole(tmp_path, monkeypatch):
    real, calls = parquet.write_table, []

    def full(table, path, **options):
        calls.append(path)
        if len(calls) == 2:
            path.write_bytes(b"PAR1")
            raise OSError(errno.ENOSPC, "No space left on device")
        real(table, path, **options)

    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(veillee.Unknown, match=r"the disk is full\. 1 of 3 files are complete"):
        write(tmp_path)
    assert names(tmp_path) == SHARD_NAMES[:1]
    with pytest.raises(veillee.BadSave, match="no complete dataset"):
        next(veillee.read_games(tmp_path))
    write(tmp_path)
    assert len(list(read_dataset(tmp_path))) == 12


@pytest.mark.parametrize(("column", "told"), [("choices", "game 1"), ("scores", "scores"), ("shares", "won by others")])
def test_a_row_that_was_changed_is_refused(column, told, tmp_path):
    write(tmp_path, 1)
    table = parquet.read_table(tmp_path / SHARD_NAMES[0])
    values = table.column(column).to_pylist()
    values[0][0] += 1
    place = table.schema.get_field_index(column)
    field = table.schema.field(column)
    changed = table.set_column(place, field, pa.array(values, field.type))
    parquet.write_table(changed, tmp_path / SHARD_NAMES[0])
    with pytest.raises(veillee.BadSave, match=told):
        list(read_dataset(tmp_path))


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning", "ignore:The inplace keyword")  # mlcroissant
@pytest.mark.parametrize("games", [3, 12])
def test_croissant_describes_the_games(games, tmp_path):
    write(tmp_path, games)
    dataset = mlcroissant.Dataset(jsonld=tmp_path / "croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    told = [row["game/seed"].decode() for row in dataset.records("game")]
    assert told == [match.seed.hex() for match in read_dataset(tmp_path)]


def test_the_examples_for_polars_and_pandas_run(tmp_path, monkeypatch, capsys):
    write(tmp_path, 5)
    monkeypatch.chdir(tmp_path)
    by_polars, by_pandas = re.findall(
        r"```python\n(.+?)```", (tmp_path / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    matches = list(read_dataset(tmp_path))
    exec(by_polars, {})
    assert str(fmean(len(match.answers) for match in matches)) in capsys.readouterr().out
    exec(by_pandas, {})
    told = capsys.readouterr().out
    assert str(fmean(len(match.answers) for match in matches)) in told
    for seat in range(PLAN.seats):
        assert f"{fmean(match.state.returns()[seat] for match in matches):.1f}" in told


def test_the_command_fills_a_folder(tmp_path, monkeypatch):
    run, folder = CliRunner(), tmp_path / "games"
    command = ["export", "ghost-knights", "--games", "6", "--level", "random", "--to", str(folder), "--lang", "en"]
    told = run.invoke(app, [*command, "--workers", "1"])
    assert told.exit_code == 0, told.output
    assert "6 games are in" in told.output
    assert json.loads((folder / "croissant.json").read_text(encoding="utf-8"))["name"] == "veillee-ghost-knights"
    assert len(list(veillee.read_games(folder))) == 6
    assert run.invoke(app, [*command, "--analyse", "3"]).exit_code != 0
