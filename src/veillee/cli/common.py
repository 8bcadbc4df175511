"""Helpers of all commands: language, error messages, lookup of a box."""

from __future__ import annotations

import difflib
import functools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, NoReturn, ParamSpec, TypeVar

import typer
from rich.console import Console
from rich.markup import escape

from veillee.games import owners
from veillee.games.box import Box
from veillee.games.catalogue import BOXES, find
from veillee.house.errors import OUTCOMES, BadRequest, outcome
from veillee.match.errors import BadContent, VeilleeError
from veillee.match.owner_content import add
from veillee.words import LANGUAGES, Words, spoken, words

NOT_TRUE = 1  # the exit code for a record that does not hold
MAX_FILE_BYTES = 20_000_000  # largest file that is read: every game is shorter

P = ParamSpec("P")
R = TypeVar("R")


def room(lang: str) -> Words:
    """Returns the words of the command line."""
    return words(Path(__file__).parent / "locale", lang)


t = room(spoken())


def _check_language(lang: str) -> str:
    if lang not in LANGUAGES:
        raise typer.BadParameter(t("the languages are {languages}", languages=", ".join(LANGUAGES)))
    return lang


Lang = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="fr|en",
        callback=_check_language,
        default_factory=spoken,
        show_default=False,
        help=t("The language; by default the one of your system."),
    ),
]
Contents = Annotated[
    list[Path] | None,
    typer.Option(
        "--content",
        metavar="FILE",
        help=t("What is in your own box, in the place of what we designed: see `veillee content`. May be repeated."),
    ),
]
On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="here|ray|ray://HOST:PORT",
        help=escape(t("Who plays: processes here, or the machines of a Ray cluster (veillee[cluster]).")),
    ),
]
Record = Annotated[
    Path | None,
    typer.Option(
        "--record",
        metavar="FILE",
        help=t("A file for what was found: a run that was stopped goes on where it was."),
    ),
]
With = Annotated[
    list[Path] | None,
    typer.Option(
        "--with",
        metavar="FOLDER",
        help=t("A game that is not installed: the folder with its pyproject.toml. May be given several times."),
    ),
]
Game = Annotated[str, typer.Argument(metavar="GAME", help=t("A game of the shelf: see `veillee games`."))]


def play_with(paths: Sequence[Path] | None, lang: str, box: Box | None = None) -> None:
    """Loads owners' files, of this box if one is named, and prints their warnings. Raises BadContent."""
    t = room(lang)
    checked = [owners.check(path) for path in paths or ()]
    if wrong := [error for one in checked for error in one.errors]:
        raise BadContent(wrong)
    for one in checked:
        if box is not None and one.box is not None and one.box is not box:
            fail(t("{file} is for {title}, which is not being played.", file=one.file, title=t.name(one.box.title)))
    for one in checked:
        for warning in add(one).warnings:
            aside(warning.say(lang))


def aside(line: str) -> None:
    """Prints a line for people, not for programs: on stderr."""
    Console(stderr=True, highlight=False, markup=False, soft_wrap=True).print(line)


def fail(sentence: str, exit_code: int = OUTCOMES[BadRequest].exit_code) -> NoReturn:
    """Prints the error on stderr and exits, by default with the exit code of a bad request (see OUTCOMES)."""
    aside(sentence)
    raise typer.Exit(exit_code)


def in_plain_words(command: Callable[P, R]) -> Callable[P, R]:
    """Decorates a command to print errors as a sentence in the reader's language instead of a stack trace."""

    @functools.wraps(command)
    def safely(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except VeilleeError as error:
            fail(error.cite(str(kwargs.get("lang") or spoken())), outcome(error).exit_code)

    return safely


def box_of(name: str, t: Words) -> Box:
    """Returns the box of that id, code or title; otherwise fails with a suggestion."""
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    box = find(wanted) or next((b for b in BOXES.values() if name.lower() in map(str.lower, b.title.values())), None)
    if box is not None:
        return box
    names = {key: b.id for b in BOXES.values() for key in (b.id, *map(str.lower, b.title.values()))}
    close = list(dict.fromkeys(names[key] for key in difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)))
    if close:
        fail(t("There is no game {game}. Did you mean {close}?", game=repr(name), close=t(" or ").join(close)))
    fail(t("There is no game {game}. On the shelf: {games}.", game=repr(name), games=", ".join(BOXES)))


def seats_of(box: Box, seats: int | None, t: Words) -> int:
    """Returns the requested number of seats, or the default; fails if the box does not allow it."""
    if seats is None:
        return box.usual
    if seats not in box.players:
        fewest, most = box.players[0], box.players[-1]
        sentence = t(
            "{title} is for {fewest} to {most} players, not {n}.",
            title=t.name(box.title),
            fewest=fewest,
            most=most,
            n=seats,
        )
        fail(sentence)
    return seats


def read_json(path: Path, t: Words) -> object:
    """Returns the JSON data of a file; fails with a message that names the file."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            fail(t("{file} is too long for a game of ours.", file=path))
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        fail(t("There is no file {file}.", file=path))
    except OSError as error:
        fail(t("{file} cannot be read: {reason}.", file=path, reason=error.strerror))
    except (ValueError, RecursionError):  # not UTF-8, not JSON, or maliciously nested JSON
        fail(t("{file} is no JSON file.", file=path))
