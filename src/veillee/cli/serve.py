"""`veillee serve`: runs the web server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veillee.cli.common import Contents, in_plain_words, play_with, room
from veillee.words import spoken

t = room(spoken())

Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help=t("Settings, as TOML: what flags and the environment (VEILLEE_…) do not say. See docs/run-a-house.md."),
    ),
]


@in_plain_words
def serve(
    host: Annotated[
        str | None,
        typer.Option(help=t("The address to listen on; 0.0.0.0 lets other machines in."), show_default="127.0.0.1"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help=t("The port to listen on; 0 takes a free one."), show_default="8000"),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            help=t("Where tables are kept: a folder, a SQLite file or the address of a database."), show_default="data"
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=64,
            help=t("How many processes serve at once, where --data is a PostgreSQL."),
            show_default="1",
        ),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help=t("Open a browser on it."))] = False,
    dev: Annotated[
        bool,
        typer.Option("--dev", help=t("For developers: changes in the sources are in the browser at once.")),
    ] = False,
    content: Contents = None,
    config: Config = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help=t("How the house is called from outside, behind a proxy."))
    ] = None,
    allowed_hosts: Annotated[
        str | None, typer.Option(metavar="NAMES", help=t("More names that the house is called by, with commas."))
    ] = None,
    trusted_proxies: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESSES",
            help=t("Proxies whose word on who asks is taken, with commas."),
            show_default=t("this machine"),
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=0, help=t("How many processes think for the bots."))] = None,
    metrics_port: Annotated[
        int | None, typer.Option(min=1, max=65535, help=t("A port for Prometheus; none by default."))
    ] = None,
    log: Annotated[str | None, typer.Option(metavar="text|json", help=t("How the log is written."))] = None,
    puzzles: Annotated[
        bool | None,
        typer.Option(
            "--puzzles/--no-puzzles",
            help=t("Collect puzzles from public games that were analysed, without names, when nobody waits."),
            show_default="puzzles",
        ),
    ] = None,
    house_name: Annotated[
        str | None, typer.Option(metavar="NAME", help=t("The house's own name, on every page."), show_default="Veillée")
    ] = None,
    imprint: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help=t("Who runs the house, at the foot of every page: text, or an address.")),
    ] = None,
    boxes: Annotated[
        str | None,
        typer.Option(metavar="GAMES", help=t("The boxes on the shelf, with commas."), show_default=t("all")),
    ] = None,
    invitation_only: Annotated[
        bool | None,
        typer.Option(
            "--invitation-only/--open-to-all",
            help=t("New guests come only by an invitation (`veillee admin invite`) or the link of a private table."),
            show_default="open-to-all",
        ),
    ] = None,
) -> None:
    from veillee.web.serving import server  # noqa: PLC0415 - only this command needs the web
    from veillee.web.settings import settings  # noqa: PLC0415

    flags = {"host": host, "port": port, "data": data, "public_url": public_url, "allowed_hosts": allowed_hosts}
    flags |= {
        "processes": processes,
        "trusted_proxies": trusted_proxies,
        "workers": workers,
        "metrics_port": metrics_port,
        "log": log,
        "puzzles": puzzles,
        "house_name": house_name,
        "imprint": imprint,
        "boxes": boxes,
        "invitation_only": invitation_only,
    }
    chosen = settings(flags, config)
    play_with(content, spoken())
    server.serve(chosen, lang=spoken(), open_browser=open_browser, dev=dev)


def open_shelf() -> None:
    """Runs `veillee` without a command: a server for this user, with its data in the user's data folder."""
    from veillee.web.serving import server  # noqa: PLC0415 - only this command needs the web
    from veillee.web.settings import DEFAULT_PORT, settings  # noqa: PLC0415

    data = Path("data") if Path("data").is_dir() else Path(typer.get_app_dir("veillee"))
    typer.echo(t("`veillee --help` says what else there is."))
    port = DEFAULT_PORT if server.is_free("127.0.0.1", DEFAULT_PORT) else 0
    server.serve(settings({"port": port, "data": str(data)}), lang=spoken(), open_browser=True)


serve.__doc__ = t("Open the house: the games in the browser, for you and your friends.")
