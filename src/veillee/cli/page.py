"""`veillee page`: builds the folder of plain files that is the whole house in a browser page, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veillee.cli.common import in_plain_words, room
from veillee.words import spoken

t = room(spoken())


@in_plain_words
def page(
    to: Annotated[Path, typer.Option("--to", help=t("The folder to write; what is in it is replaced."))] = Path(
        "build/page"
    ),
    cache: Annotated[Path, typer.Option(help=t("Where downloads are kept for the next time."))] = Path(
        "build/page-cache"
    ),
    compiled: Annotated[
        bool, typer.Option("--compiled", help=t("Compile the engine to WebAssembly: needs mypyc and apt of Debian."))
    ] = False,
) -> None:
    from veillee.page.build import build  # noqa: PLC0415 - only this command needs the builder

    version = build(to.absolute(), cache.absolute(), say=typer.echo, is_compiled=compiled)
    typer.echo(t("Version {version} of the page is in {folder}: put it on any web space.", version=version, folder=to))


page.__doc__ = t("Build the whole house as a folder of plain files, which any web space serves and a browser runs.")
