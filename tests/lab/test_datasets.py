"""Datasets: a round trip gives the same games, and an invalid file is named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import veillee
from veillee.cli import app
from veillee.games.catalogue import BOXES
from veillee.lab import datasets


def finished(game, seed, seats=None):
    """A match of random answers."""
    match, pick = veillee.new(game, seats=seats, seed=seed), random.Random(seed)
    while not match.over:
        seat = match.to_act[0]
        match.play(seat, pick.choice(match.state.legal(seat)))
    return match


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
@pytest.mark.parametrize("game", list(BOXES))
def test_what_is_read_back_is_what_was_played(game, suffix, tmp_path):
    matches = [finished(game, seed, BOXES[game].players[0]) for seed in (1, 2)]
    file = tmp_path / f"games{suffix}"
    assert datasets.write_games(file, matches) == 2
    assert [match.save() for match in veillee.read_games(file)] == [match.save() for match in matches]
    assert [path.name for path in tmp_path.iterdir()] == [file.name], "nothing else is left"


def test_a_row_is_a_decision_as_its_seat_saw_it(tmp_path):
    match = finished("ghost-knights", 3)
    file = tmp_path / "games.parquet"
    datasets.write_games(file, [match])
    rows = parquet.read_table(file).to_pylist()
    assert [(row["seat"], row["choice"]) for row in rows] == match.answers
    assert all(row["choice"] in row["choices"] for row in rows)
    assert {row["share"] for row in rows if row["seat"] in match.winners} == {1 / len(match.winners)}
    assert len({len(row["observation"]) for row in rows}) == 1


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("choice", lambda rows: rows[0] ^ 1),
        ("observation", lambda rows: [1, *rows[0][1:]] if rows[0][0] == 0 else [0, *rows[0][1:]]),
        ("score", lambda rows: rows[0] + 1),
    ],
)
def test_a_file_that_was_changed_is_refused(column, change, tmp_path):
    file = tmp_path / "games.parquet"
    datasets.write_games(file, [finished("ghost-knights", 3)])
    table = parquet.read_table(file)
    held = table.column(column).to_pylist()
    held[0] = change(held)
    place = table.schema.get_field_index(column)
    parquet.write_table(
        table.set_column(place, table.schema.field(column), pa.array(held, table.schema.field(column).type)), file
    )
    with pytest.raises(veillee.BadSave, match="game 1"):
        list(veillee.read_games(file))


def test_what_is_no_file_of_ours_is_said(tmp_path):
    file = tmp_path / "games.parquet"
    parquet.write_table(
        pa.table({"x": [1]}).replace_schema_metadata({"veillee": '{"format": "veillee-games/9"}'}), file
    )
    with pytest.raises(veillee.BadSave, match="written as 'veillee-games/9'; this version reads veillee-games/1"):
        list(veillee.read_games(file))
    file.write_bytes(b"nothing of the kind")
    with pytest.raises(veillee.BadSave, match="no Parquet file"):
        list(veillee.read_games(file))
    with pytest.raises(veillee.BadSave, match="no file"):
        veillee.read_games(tmp_path / "elsewhere.parquet")
    with pytest.raises(veillee.Unknown, match=r"ends in \.parquet or \.jsonl"):
        datasets.write_games(tmp_path / "games.csv", [])
    with pytest.raises(veillee.Unknown, match="what an analysis finds"):
        datasets.write_games(tmp_path / "games.jsonl", [finished("ghost-knights", 3)], analysed=2)


@pytest.mark.parametrize("game", list(BOXES))
def test_the_cards_in_the_docs_are_those_of_the_command(game):
    written = Path(__file__).parents[2] / "docs" / "data" / f"{game}.md"
    assert without_times(written.read_text(encoding="utf-8")) == without_times(datasets.card(BOXES[game], {})), (
        f"veillee export {game} --card --to {written}"
    )


def without_times(card):
    lines = [line for line in card.splitlines() if not line.startswith(datasets.TIMES_BEGIN)]
    assert len(lines) == len(card.splitlines()) - 1
    return lines


def test_a_game_that_is_not_over_leaves_no_file(tmp_path):
    for name in ("games.parquet", "games.jsonl"):
        with pytest.raises(veillee.Unknown, match="not over"):
            datasets.write_games(tmp_path / name, [finished("ghost-knights", 3), veillee.new("ghost-knights", seed=1)])
    assert not list(tmp_path.iterdir())


def test_the_command_writes_games_of_bots_or_of_records_and_cards(tmp_path):
    run, there = CliRunner(), tmp_path / "games.jsonl"
    told = run.invoke(app, ["export", "ghost-knights", "--games", "2", "--level", "random", "--to", str(there)])
    assert told.exit_code == 0, told.output
    lines = there.read_text(encoding="utf-8").splitlines()
    record = tmp_path / "game.json"
    record.write_text(lines[0], encoding="utf-8")
    table = tmp_path / "games.parquet"
    told = run.invoke(app, ["export", str(record), "--analyse", "2", "--to", str(table), "--lang", "en"])
    assert told.exit_code == 0, told.output
    (match,) = veillee.read_games(table)
    assert match.record() == json.loads(lines[0])
    assert parquet.read_table(table).column("worth").null_count == 0
    told = run.invoke(app, ["export", "ghost-knights", "--card"])
    assert all(f"`{name}`" in told.output for name, *_ in datasets.DECISION_COLUMNS)
    assert run.invoke(app, ["export", "ghost-knights"]).exit_code != 0
