"""`veillee content GAME`: writes the built-in content as a template for owners, and checks owners' files."""

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
        typer.Option("--from", metavar="FILE", help=t("With --to: write your own file there, as a .toml or a .csv.")),
    ] = None,
    check: Annotated[
        Path | None, typer.Option(metavar="FILE", help=t("Check your own file, and say all that is wrong with it."))
    ] = None,
) -> None:
    t = room(lang)
    box = box_of(game, t)
    if box.contents is None:
        fail(t("Nothing of {title} was designed by us: there is nothing to replace.", title=t.name(box.title)))
    if to is not None and check is not None:
        fail(t("Either write a file or check one: --to and --check do not go together."))
    if of is not None and to is None:
        fail(t("Say where your file goes: --to mine.csv, or --to mine.toml."))
    if check is not None:
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


def write(path: Path, text: str, t: Words) -> None:
    """Writes a new file; never overwrites an existing one."""
    try:
        with path.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError:
        fail(t("{file} exists already: name another file.", file=path))
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        fail(t("{file} cannot be written: {reason}.", file=path, reason=reason))
