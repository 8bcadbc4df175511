"""`veillee export`: writes games as data (Parquet or JSON lines)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from veillee.cli.common import Lang, aside, box_of, fail, in_plain_words, read_json, room, seats_of
from veillee.words import spoken

if TYPE_CHECKING:
    from veillee.games.box import Box
    from veillee.match.match import Match
    from veillee.words import Words

t = room(spoken())


@in_plain_words
def export(
    what: Annotated[
        list[str],
        typer.Argument(metavar="GAME | FILE…", help=t("A game that bots play, or records of finished games.")),
    ],
    lang: Lang,
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE | FOLDER",
            help=t("Where to: a .parquet or a .jsonl; a folder, for very many games; with --card a .md."),
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=100_000_000, help=t("How many games the bots play."))] = 10,
    seats: Annotated[int | None, typer.Option(help=t("How many play; by default as many as usual."))] = None,
    level: Annotated[str, typer.Option(help=t("How well the bots play."))] = "novice",
    seed: Annotated[int, typer.Option(min=0, help=t("Other games."))] = 0,
    analyse: Annotated[
        int, typer.Option(min=0, max=10_000, help=t("Analyse them, with so many simulated games for each position."))
    ] = 0,
    workers: Annotated[int, typer.Option(min=0, help=t("How many processes fill a folder; 0: one for each core."))] = 0,
    card: Annotated[bool, typer.Option("--card", help=t("Say what is in such files, as Markdown."))] = False,
) -> None:
    from veillee.lab import datasets  # noqa: PLC0415  slow to load, and NumPy is an extra

    t = room(lang)
    files = [Path(name) for name in what if Path(name).suffix == ".json"]
    if not files or card:
        box = box_of(what[0], t)
    if card:
        from veillee.lab.game_measures import time_calls  # noqa: PLC0415

        text = datasets.card(box, time_calls(box))
        if to is None:
            typer.echo(text, nl=False)
        else:
            to.write_text(text, encoding="utf-8")
        return
    if to is None:
        fail(t("Say where the games go: --to games.parquet, or --to games.jsonl."))
    if not to.suffix and not files:
        if analyse:
            fail(t("A folder holds games as they were played: what an analysis finds goes into a .parquet file."))
        fill_folder(to, box, games, seats_of(box, seats, t), level, seed, workers, t)
        return

    def read() -> Iterator[Match]:
        from veillee.match.verify import verify  # noqa: PLC0415

        for file in files:
            yield verify(read_json(file, t)).match

    def played() -> Iterator[Match]:
        from veillee.match.autoplay import play  # noqa: PLC0415

        players = seats_of(box, seats, t)
        for number in range(games):
            yield play(box.id, [level] * players, players, seed + number)

    with progress_bar() as progress:
        task = progress.add_task(t("Writing games"), total=len(files) or games)
        matches = read() if files else played()
        count = datasets.write_games(to, matches, analysed=analyse, told=lambda _: progress.advance(task))
    aside(t("{n} games are in {file}.", n=count, file=to))


def fill_folder(folder: Path, box: Box, games: int, seats: int, level: str, seed: int, workers: int, t: Words) -> None:
    """Writes a dataset of many files, or what is missing of it."""
    from veillee.bots.levels import UnknownLevel  # noqa: PLC0415
    from veillee.bots.levels import level as find_level  # noqa: PLC0415
    from veillee.lab.executors import IN_THIS_PROCESS, open_executor  # noqa: PLC0415
    from veillee.lab.sharded_dataset import DatasetPlan, write_dataset  # noqa: PLC0415

    try:
        find_level(level, box.id)
    except UnknownLevel as error:
        fail(str(error))
    plan = DatasetPlan(box.id, box.version, seats, level, seed)
    with progress_bar() as progress, open_executor(IN_THIS_PROCESS, workers or os.cpu_count() or 1) as executor:
        task = progress.add_task(t("Writing games"), total=games)
        figures = write_dataset(folder, plan, games, executor, lambda count: progress.advance(task, count))
    size = sum(one.size_bytes for one in figures)
    aside(t("{n} games are in {file}: {size} MB.", n=games, file=folder, size=f"{size / 1e6:.1f}"))


def progress_bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


export.__doc__ = t("Write games as data: Parquet with a row for each decision, or JSON lines.")
