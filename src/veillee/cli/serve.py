"""`veillee serve`: the house on the web."""

from __future__ import annotations

from typing import Annotated

import typer

from veillee.cli.common import Content, room, spoken, told, use_content

t = room(spoken())


@told
def serve(
    host: Annotated[
        str, typer.Option(help=t("The address to listen on; 0.0.0.0 lets other machines in."))
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help=t("The port to listen on; 0 takes a free one."))] = 8000,
    data: Annotated[
        str, typer.Option(help=t("Where tables are kept: a folder, a SQLite file or the address of a database."))
    ] = "data",
    open_browser: Annotated[bool, typer.Option("--open", help=t("Open a browser on it."))] = False,
    dev: Annotated[
        bool,
        typer.Option("--dev", help=t("For those who build: what is changed in the sources is in the browser at once.")),
    ] = False,
    content: Content = None,
) -> None:
    from veillee.web import server  # noqa: PLC0415 - only this command needs the web

    use_content(content, t)
    raise typer.Exit(server.serve(host, port, data, open_browser=open_browser, lang=spoken(), dev=dev))


serve.__doc__ = t("Open the house: the games in the browser, for you and your friends.")
