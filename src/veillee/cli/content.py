"""`veillee content GAME`: writes the built-in content as a template for owners, checks owners' files, and prints both."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from veillee.cli.common import Game, Lang, aside, box_of, fail, in_plain_words, room
from veillee.games import owners
from veillee.games.box import Box
from veillee.games.content import Content
from veillee.games.content_table import is_table, to_csv
from veillee.match.errors import BadContent
from veillee.words import Words, spoken

t = room(spoken())


@in_plain_words
def content(
    game: Game,
    lang: Lang,
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help=t("Write the built-in file there, to begin from; as a .csv for spreadsheets.")
        ),
    ] = None,
    of: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help=t("With --to or --print: your own file, .toml or .csv, instead of ours.")
        ),
    ] = None,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help=t("Check your own file, and say all that is wrong with it."))
    ] = None,
    sheets: Annotated[
        Path | None,
        typer.Option("--print", metavar="FILE", help=t("Write sheets to print and cut out there, as a .pdf.")),
    ] = None,
    paper: Annotated[str, typer.Option(metavar="a4|letter", help=t("With --print: the size of the sheets."))] = "a4",
) -> None:
    t = room(lang)
    box = box_of(game, t)
    if box.contents is None:
        fail(t("Nothing of {title} was designed by us: there is nothing to replace.", title=t.name(box.title)))
    if sum(one is not None for one in (to, check, sheets)) > 1:
        fail(t("Either write a file, check one or print: --to, --check and --print do not go together."))
    if of is not None and to is None and sheets is None:
        fail(t("Say where your file goes: --to mine.csv, --to mine.toml, or --print mine.pdf."))
    if sheets is not None:
        print_sheets(sheets, box, of, lang=lang, paper=paper)
    elif check is not None:
        look_at(check, box, lang)
    elif to is not None:
        text = box.contents.built_in() if of is None else accepted(of, box, lang).text
        write(to, to_csv(tomllib.loads(text)) if is_table(to) else text, t)
        aside(t("{file} is yours to change. To check it: veillee content {game} --check {file}", file=to, game=box.id))
    else:
        typer.echo(box.contents.built_in().encode(), nl=False)  # always UTF-8, independent of the terminal's encoding


content.__doc__ = t("What we designed ourselves because it was never published: write it to a file, or check your own.")


def look_at(path: Path, box: Box, lang: str) -> None:
    """Prints the errors of an owner's file, or that it can be played with, and its warnings."""
    t = room(lang)
    content = accepted(path, box, lang)
    for warning in content.warnings:
        aside(warning.say(lang))
    found = {"file": content.file, "name": t.name(content.names), "id": content.id}
    Console(highlight=False, markup=False, soft_wrap=True).print(
        t("{file} can be played with: “{name}” ({id}).", **found)
    )


def accepted(path: Path, box: Box, lang: str) -> Content:
    """Returns the content of an owner's file. Raises BadContent."""
    t = room(lang)
    checked = owners.check(path)
    if checked.box is not None and checked.box is not box:
        title, wanted = t.name(checked.box.title), t.name(box.title)
        fail(t("{file} is for {title}, not for {wanted}.", file=checked.file, title=title, wanted=wanted))
    if checked.content is None:
        raise BadContent(checked.errors)
    return checked.content


def print_sheets(path: Path, box: Box, of: Path | None, *, lang: str, paper: str) -> None:
    """Writes the sheets of the built-in content, or of an owner's file."""
    from veillee.web.rendering.print_sheets import PAPERS, make_sheets  # noqa: PLC0415  only this needs the web

    t = room(lang)
    if paper not in PAPERS:
        fail(t("There is no paper {paper}: say a4 or letter.", paper=repr(paper)))
    assert box.contents is not None
    content = box.contents.offered[0] if of is None else accepted(of, box, lang)
    sheets = make_sheets(box, content, lang=lang, paper=paper)
    write(path, sheets.pdf, t)
    if sheets.missing_letters:
        aside(t("Our fonts do not have {letters}: “?” is printed there.", letters=" ".join(sheets.missing_letters)))
    aside(
        t(
            "{file}: {faces} tiles and cards on {pages} pages. Print them at 100 %, on stiff paper: the line at the top "
            "is 50 mm long.",
            file=path,
            faces=sheets.faces,
            pages=sheets.pages,
        )
    )


def write(path: Path, data: str | bytes, t: Words) -> None:
    """Writes a new file; never overwrites an existing one."""
    try:
        with path.open("xb") as file:
            file.write(data.encode("utf-8") if isinstance(data, str) else data)
    except FileExistsError:
        fail(t("{file} exists already: name another file.", file=path))
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        fail(t("{file} cannot be written: {reason}.", file=path, reason=reason))
