"""`veillee backup FILE` and `veillee restore FILE`: writes a house to one file, and creates a house from it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from veillee.cli.common import in_plain_words, room
from veillee.words import spoken

t = room(spoken())

Data = Annotated[
    str, typer.Option(help=t("Where tables are kept: a folder, a SQLite file or the address of a database."))
]


@in_plain_words
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=t("The new file."))],
    data: Data = "data",
) -> None:
    from veillee.house.maintenance import backup as keeping  # noqa: PLC0415 - only this command needs the store

    kept = keeping.backup(data, file)
    typer.echo(t("Kept in {file}. Guests: {guests}; tables: {tables}; answers: {answers}.", file=file, **asdict(kept)))


@in_plain_words
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=t("A file of `veillee backup`."))],
    data: Data = "data",
    as_it_is: Annotated[
        bool,
        typer.Option(
            "--as-it-is", help=t("Take what is left of a database file whose other half (…-wal) is missing or damaged.")
        ),
    ] = False,
) -> None:
    from veillee.house.maintenance import backup as keeping  # noqa: PLC0415 - only this command needs the store

    kept = keeping.restore(file, data, as_it_is=as_it_is)
    typer.echo(
        t("Restored from {file}. Guests: {guests}; tables: {tables}; answers: {answers}.", file=file, **asdict(kept))
    )


backup.__doc__ = t("Keep a whole house in one file, while people play.")
restore.__doc__ = t("Make a house of such a file again, where there is none yet.")
