"""`veillee serve`: the house on the web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veillee.cli.common import Contents, in_plain_words, play_with, room, spoken

USUAL = 8000  # the port

t = room(spoken())


@in_plain_words
def serve(
    host: Annotated[
        str, typer.Option(help=t("The address to listen on; 0.0.0.0 lets other machines in."))
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help=t("The port to listen on; 0 takes a free one."))] = USUAL,
    data: Annotated[
        str, typer.Option(help=t("Where tables are kept: a folder, a SQLite file or the address of a database."))
    ] = "data",
    processes: Annotated[
        int, typer.Option(min=1, max=64, help=t("How many processes serve at once, where --data is a PostgreSQL."))
    ] = 1,
    open_browser: Annotated[bool, typer.Option("--open", help=t("Open a browser on it."))] = False,
    dev: Annotated[
        bool,
        typer.Option("--dev", help=t("For those who build: what is changed in the sources is in the browser at once.")),
    ] = False,
    content: Contents = None,
) -> None:
    from veillee.web import server  # noqa: PLC0415 - only this command needs the web

    play_with(content, spoken())
    server.serve(host, port, data, open_browser=open_browser, lang=spoken(), dev=dev, processes=processes)


def open_shelf() -> None:
    """What `veillee` alone does: the house for whoever sits here, with its tables where this person's things are kept."""
    from veillee.web import server  # noqa: PLC0415 - only this command needs the web

    data = Path("data") if Path("data").is_dir() else Path(typer.get_app_dir("veillee"))
    typer.echo(t("`veillee --help` says what else there is."))
    port = USUAL if server.is_free("127.0.0.1", USUAL) else 0
    server.serve(port=port, data=data, open_browser=True, lang=spoken())


serve.__doc__ = t("Open the house: the games in the browser, for you and your friends.")
