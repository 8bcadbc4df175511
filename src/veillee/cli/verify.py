"""`veillee verify FILE`: checks that a finished game was played fairly, from its commitment to its last move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from veillee.cli.common import NOT_TRUE, Contents, Lang, fail, in_plain_words, play_with, read_json, room
from veillee.match.championship_file import verify_championship
from veillee.match.verify import verify as check
from veillee.words import spoken

t = room(spoken())


@in_plain_words
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=t("The record of a finished game."))],
    lang: Lang,
    commitment: Annotated[
        str, typer.Option(help=t("The commitment that you wrote down before the first move, to compare with."))
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help=t("Print the findings as JSON."))] = False,
    content: Contents = None,
) -> None:
    t = room(lang)
    play_with(content, lang)
    if file.suffix == ".jsonl":
        verify_lines(file, lang, as_json=as_json)
        return
    data = read_json(file, t)
    verdict = check(data)
    findings = [(sentence.say(lang), ok) for sentence, ok in verdict.checks]
    if commitment:
        same = commitment.strip().lower() == verdict.match.commitment
        findings.append((t("the commitment is the one that you wrote down"), same))
    holds = all(ok for _, ok in findings)
    if as_json:
        found = {"holds": holds, "game": verdict.match.box.id, "checks": dict(findings)}
        found |= {"notes": [note.say(lang) for note in verdict.notes]} if verdict.notes else {}
        typer.echo(json.dumps(found, ensure_ascii=False))
    else:
        console = Console(highlight=False)
        moves = t("all {n} answers are allowed by the rules", n=len(verdict.match.answers))
        for sentence, ok in [(moves, True), *findings]:
            console.print(f"[green]✓[/] {sentence}" if ok else f"[red]✗[/] [bold]{sentence}[/]")
        for note in verdict.notes:
            console.print(f"[yellow]![/] {note.say(lang)}")
        if isinstance(data, dict) and data.get("first_game"):
            console.print(t("A guided first game: its deal was chosen for teaching, and could be known before."))
        title = t.name(verdict.match.box.title)
        if holds:
            console.print(t("{title}: everything matches.", title=title))
        else:
            console.print(t("{title}: this record is not true.", title=title))
    if not holds:
        raise typer.Exit(NOT_TRUE)


def verify_lines(file: Path, lang: str, *, as_json: bool) -> None:
    """Checks the games of a championship."""
    t = room(lang)
    try:
        with file.open(encoding="utf-8") as lines:
            verdict = verify_championship(json.loads(line) for line in lines)
    except OSError as error:
        fail(t("{file} cannot be read: {reason}.", file=file, reason=error.strerror))
    except ValueError:  # not UTF-8, or not JSON
        fail(t("{file} is no JSON file.", file=file))
    told = [fault.say(lang) for fault in verdict.faults]
    if as_json:
        typer.echo(json.dumps({"holds": not told, "games": verdict.games, "faults": told}, ensure_ascii=False))
    else:
        console = Console(highlight=False)
        for sentence in told:
            console.print(f"✗ {sentence}", style="bold red", markup=False)
        if not told:
            n = verdict.games
            console.print(
                t.tn(
                    "{n} game: it is true, and of the sealed deals.",
                    "{n} games: all are true, and of the sealed deals.",
                    n,
                )
            )
    if told:
        raise typer.Exit(NOT_TRUE)


verify.__doc__ = t("Play a finished game again from its revealed seed, and say whether everything matches.")
