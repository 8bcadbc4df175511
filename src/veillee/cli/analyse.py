"""`veillee analyse FILE`: prints luck, skill and turning points of a finished game."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from veillee.cli.common import NOT_TRUE, Contents, Lang, On, Record, fail, in_plain_words, play_with, read_json, room
from veillee.words import Words, spoken

if TYPE_CHECKING:
    from veillee.match.analysis import Account, Finding

BARS = " ▁▂▃▄▅▆▇█"
SPARKLINE_WIDTH = 20  # of a sparkline: the whole table has room in a narrow terminal
TITLE = 8  # of a line of a column's title
INDENT = 6  # of a sentence after the number of its moment

t = room(spoken())


@in_plain_words
def analyse(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=t("The record of a finished game."))],
    lang: Lang,
    games: Annotated[
        int, typer.Option(min=1, help=t("Simulated games for each position and each choice: more are surer."))
    ] = 240,
    seed: Annotated[int, typer.Option(min=0, help=t("Other simulated games."))] = 0,
    seat: Annotated[
        int, typer.Option(min=0, help=t("Whose answers come first, and what could have been better; 0: nobody’s."))
    ] = 0,
    workers: Annotated[int, typer.Option(min=0, help=t("How many processes; 0: one for each core."))] = 0,
    on: On = "here",
    record: Record = None,
    as_json: Annotated[bool, typer.Option("--json", help=t("Print the findings as JSON, one to a line."))] = False,
    content: Contents = None,
) -> None:
    from veillee.bots.evaluation import Budget  # noqa: PLC0415  slow to load
    from veillee.lab.checkpoint import with_checkpoint  # noqa: PLC0415
    from veillee.lab.executors import open_executor  # noqa: PLC0415
    from veillee.match.analysis import AT_ONCE, Account, turns  # noqa: PLC0415
    from veillee.match.analysis import analyse as findings_of  # noqa: PLC0415
    from veillee.match.verify import verify  # noqa: PLC0415

    t = room(lang)
    play_with(content, lang)
    verdict = verify(read_json(file, t))
    if not verdict.holds:
        fail(t("{file} is not true: `veillee verify {file}` says what does not match.", file=file), NOT_TRUE)
    match = verdict.match
    if seat > match.seats:
        fail(t("There is no seat {seat}: the seats are 1 to {last}.", seat=seat, last=match.seats))
    account, findings = Account(match.seats), []
    console, who = Console(highlight=False), [t("Player {n}", n=n + 1) for n in range(match.seats)]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        open_executor(on, workers or os.cpu_count() or 1) as hands,
        Progress(*columns, console=Console(stderr=True, highlight=False), disable=as_json, transient=True) as progress,
    ):
        aloud = progress.console if console.is_terminal else console  # above the bar, or into the file
        asked = {"analyse": match.save(), "games": games, "seed": seed, "seat": seat, "at_once": AT_ONCE}
        crew = with_checkpoint(hands, record, **asked)
        task = progress.add_task(t.name(match.box.title), total=len(match.answers))
        first = seat - 1 if seat else None
        for found in findings_of(match, seed, Budget(games, games, games), over=crew.map, first=first):
            findings.append(found)
            progress.advance(task)
            if as_json:
                typer.echo(json.dumps(plain(found, lang), ensure_ascii=False))
            elif found.seat == first and found.decision is not None and found.decision.mistake:
                say(aloud, found.number, lesson(found, who, lang))
    findings.sort(key=lambda found: found.number)
    for found in findings:
        account.add(found)
    if as_json:
        typer.echo(json.dumps({"account": asdict(account)}))
        return
    console.print(report(account, findings, t))
    console.print()
    console.print(t("Where it turned"), style="bold")
    for found in turns(findings):
        say(console, found.number, found.sentences(lang, who))


def say(console: Console, number: int, sentence: str) -> None:
    """Prints the sentences of a moment under its number. A sign is never separated from its figure."""
    wide, whole = max(2 * INDENT, console.width - INDENT), sentence.replace(" %", "\u00a0%")
    lines = textwrap.wrap(whole, wide, break_long_words=False, break_on_hyphens=False)
    text = ("\n" + " " * INDENT).join(lines)
    console.print(f"{number:{INDENT - 2}}  {text}", markup=False, soft_wrap=True)


def lesson(found: Finding, who: Sequence[str], lang: str) -> str:
    """Returns what could have been answered instead, and why."""
    t, decision = room(lang), found.decision
    assert decision is not None
    said = t(
        "Chosen: “{choice}”, {taken} % to win. By what was known there, “{best}” was better: {wins} %.",
        choice=found.label(decision.taken, lang),
        taken=round(100 * decision.chosen.wins),
        best=found.label(decision.best.action, lang),
        wins=round(100 * decision.best.wins),
    )
    return f"{said} {found.why(lang, who)}".rstrip()


analyse.__doc__ = t("Tell luck and skill apart in a finished game, and show where it turned.")


def plain(found: Finding, lang: str) -> dict[str, Any]:
    """Returns a finding as plain data for JSON."""
    told: dict[str, Any] = {"number": found.number, "chances": found.chances}
    if found.number:
        told |= {"seat": found.seat, "choice": found.action, "label": found.label(found.action, lang)}
        told |= {"worth": found.worth, "luck": found.luck}
    if found.decision is not None:
        told["options"] = [
            asdict(option) | {"label": found.label(option.action, lang)} for option in found.decision.options
        ]
        told |= {"regret": found.decision.regret, "mistake": found.decision.mistake}
        told["why"] = found.why(lang, [f"{seat + 1}" for seat in range(len(found.chances))])
    return told


def report(account: Account, findings: Sequence[Finding], t: Words) -> Table:
    """Returns a table with the course of each seat's chances, and what changed them."""
    shown = Table(box=None, padding=(0, 1, 0, 0))
    shown.add_column(t("seat"))
    shown.add_column(t("chances over the game"), min_width=SPARKLINE_WIDTH, max_width=SPARKLINE_WIDTH)
    for title in (
        t("luck"),
        t("own answers"),
        t("others’ answers"),
        t("result"),
        t("could have been better"),
        t("mistakes"),
    ):
        shown.add_column("\n".join(textwrap.wrap(title, TITLE)), justify="right")
    for seat in range(account.seats):
        shown.add_row(
            str(seat + 1),
            sparkline([found.chances[seat] for found in findings]),
            f"{account.luck[seat]:+.0%}",
            f"{account.own[seat]:+.0%}",
            f"{account.others[seat]:+.0%}",
            f"{account.start[seat]:.0%} → {account.end[seat]:.0%}",
            f"{account.regret[seat]:.0%}",
            t("{n} of {all}", n=account.mistakes[seat], all=account.decisions[seat]),
        )
    return shown


def sparkline(chances: Sequence[float]) -> str:
    """Returns a course of chances as a row of bar characters."""
    count = min(SPARKLINE_WIDTH, len(chances))
    picked = [chances[round(place * (len(chances) - 1) / max(1, count - 1))] for place in range(count)]
    return "".join(BARS[round(chance * (len(BARS) - 1))] for chance in picked)
