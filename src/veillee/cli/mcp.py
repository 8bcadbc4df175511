"""`veillee mcp`: the games as tools of the Model Context Protocol, for language models and other agents."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from veillee.cli.common import Contents, Lang, fail, in_plain_words, play_with, room
from veillee.words import spoken

TOKEN = "VEILLEE_TOKEN"  # noqa: S105  the name of an environment variable

t = room(spoken())


@in_plain_words
def mcp(
    lang: Lang,
    http: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            metavar="PORT",
            help=t("Serve by HTTP, to this machine only; by default by stdin and stdout."),
        ),
    ] = None,
    house: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help=t("Play at the tables of this house, as the guest whose token is in VEILLEE_TOKEN."),
        ),
    ] = "",
    content: Contents = None,
) -> None:
    t = room(lang)
    try:
        from veillee.agents.mcp_server import make_server, run  # noqa: PLC0415  an extra
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "httpx", "pydantic"):
            raise
        fail(t("This needs more packages: pip install {package}", package='"veillee[mcp]"'))
    from veillee.agents.house_tables import HouseClient, HouseLobby  # noqa: PLC0415
    from veillee.agents.local_matches import LocalLobby  # noqa: PLC0415

    play_with(content, lang)
    lobby = HouseLobby(HouseClient(house, os.environ.get(TOKEN, ""), lang), lang) if house else LocalLobby(lang)
    run(make_server(lobby, lang, has_house=bool(house)), http)


mcp.__doc__ = t("Offer the games to language models, as tools of the Model Context Protocol.")
