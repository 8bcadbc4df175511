"""`veillee arena GAME`: plays bots against each other and prints their shares of victories."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from veillee.cli.common import Contents, Game, Lang, On, aside, box_of, in_plain_words, play_with, room
from veillee.match.owner_content import content_of
from veillee.words import Words, spoken

if TYPE_CHECKING:
    from veillee.lab.arena import Standing

WIDE = 120  # columns of a terminal: in fewer, some of the table's are left out

t = room(spoken())


@in_plain_words
def arena(
    game: Game,
    lang: Lang,
    seats: Annotated[
        str,
        typer.Option(
            help=t(
                "A level, a bot of your own or a model for each seat: expert,novice,random,mypackage:Bot,program:COMMAND,chat:MODEL… A level may be changed: expert/iterations=500."
            )
        ),
    ] = "",
    games: Annotated[int, typer.Option(help=t("How many games."))] = 100,
    until: Annotated[
        float | None,
        typer.Option(
            help=t("Stop as soon as every share of the victories is known to so much, as 0.02; --games at most.")
        ),
    ] = None,
    workers: Annotated[int, typer.Option(help=t("How many processes; 0: one for each core."))] = 0,
    seed: Annotated[int, typer.Option(min=0, help=t("Another seed, other deals."))] = 1,
    record: Annotated[
        Path | None, typer.Option(help=t("A file for the games: a run that was stopped goes on where it was."))
    ] = None,
    on: On = "here",
    limit: Annotated[
        float, typer.Option(help=t("How many seconds a bot of your own may think about an answer."))
    ] = 5.0,
    regret: Annotated[
        int,
        typer.Option(
            min=0,
            max=10_000,
            help=t("Measure what each decision cost, with so many simulated games for each choice; 0: do not."),
        ),
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help=t("Print the figures as JSON."))] = False,
    content: Contents = None,
) -> None:
    from veillee.lab.arena import Contest, Played, owner_content_option, run, standings  # noqa: PLC0415  slow to load

    t = room(lang)
    box = box_of(game, t)
    play_with(content, lang, box)
    names = tuple(name.strip() for name in seats.split(",")) if seats else ("expert", *["regular"] * (box.usual - 1))
    contest = Contest(box.id, names, games, seed, limit=limit, regret=regret)
    contest.check()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), disable=as_json, transient=True) as progress:
        task = progress.add_task(t.name(box.title), total=games)

        def advance(_: Played) -> None:
            progress.advance(task)

        games_played = run(contest, workers or os.cpu_count() or 1, record, advance, until, on)
    table = standings(games_played)
    if as_json:
        figures = {
            "game": box.id,
            "seats": list(names),
            "games": len(games_played),
            "seed": seed,
            "win_share": {line.level: round(line.win_share, 4) for line in table},
            "levels": {
                line.level: {**asdict(line), "ratio": line.ratio, "first": line.first and line.first.say(lang)}
                for line in table
            },
            **({"content": own.id} if (own := content_of(box, owner_content_option(box))) is not None else {}),
        }
        typer.echo(json.dumps(figures))
        return
    console = Console()
    console.print(report(table, len(games_played), t, console.width))
    if any(line.tally for line in table) or regret:
        console.print(report_answers(table, t))
    for line in table:
        if line.first is not None:
            said = t.tn(
                "{n} answer was given for {bot}.", "{n} answers were given for {bot}.", line.faults, bot=line.level
            )
            aside(f"{said} {line.first.say(lang)}")


arena.__doc__ = t("Let bots play each other, and count who wins.")


def report(table: Sequence[Standing], games: int, t: Words, width: int) -> Table:
    """Returns the standings as a table; a narrow terminal gets fewer columns."""
    shown = Table(title=t.tn("{n} game", "{n} games", games), title_justify="left", box=None, padding=(0, 2, 0, 0))
    shown.add_column(t("level"), overflow="fold")
    columns: list[tuple[str, int, Callable[[Standing], str]]] = [
        (t("seats"), WIDE, lambda line: str(line.seats)),
        (t("victories"), 0, lambda line: f"{line.win_share:.1%}"),
        (t("95 % interval"), 0, lambda line: f"{line.low:.1%} – {line.high:.1%}"),
        (t("less luck"), 0, lambda line: "{:.1%} ({:.1%} – {:.1%})".format(*line.fair) if line.fair else "–"),
        (t("× its share"), 0, lambda line: f"{line.ratio:.2f}"),
        (t("points"), WIDE, lambda line: f"{line.points:.1f}"),
        (t("rating"), WIDE, lambda line: f"{line.rating:.1f} ± {line.deviation:.1f}"),
        (t("ms a decision"), WIDE, lambda line: f"{line.mean_seconds * 1000:.1f}"),
    ]
    told = [(title, cell) for title, needed, cell in columns if width >= needed]
    for title, _ in told:
        shown.add_column(title, justify="right", no_wrap=True)
    for line in table:
        shown.add_row(line.level, *(cell(line) for _, cell in told))
    return shown


def report_answers(table: Sequence[Standing], t: Words) -> Table:
    """Returns how each player answered: what was refused by which rule, what was no answer, and what decisions cost."""
    shown = Table(title=t("How they answered"), title_justify="left", box=None, padding=(0, 2, 0, 0))
    shown.add_column(t("level"), overflow="fold")
    for title in (t("questions"), t("played for it"), t("ms a decision"), t("regret")):
        shown.add_column(title, justify="right", no_wrap=True)
    shown.add_column(t("refused by rule"))
    shown.add_column(t("no answers"))
    for line in table:
        tally = line.tally
        counts = (str(tally.questions), str(len(tally.replaced))) if tally else ("–", "–")
        regret = f"{line.regret:.1%}" if line.regret is not None else "–"
        shown.add_row(
            line.level,
            *counts,
            f"{line.mean_seconds * 1000:.1f}",
            regret,
            _counts(tally.rules) if tally else "–",
            _counts(tally.failures) if tally else "–",
        )
    return shown


def _counts(found: Mapping[str, int]) -> str:
    """Returns counts, the most frequent first: "GK-2.1 ×3, K-2 ×1"."""
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{name} ×{count}" for name, count in ordered) or "–"
