"""The command line: `veillee COMMAND`. One file per command.

Each module has one function of its own name. To add a command: a file, its import, its line below. A command imports
other packages when it is called, so that `veillee --help` is fast and a missing dependency breaks only the commands
that need it.
"""

from __future__ import annotations

import sys

import typer

from veillee.cli import (
    admin,
    analyse,
    arena,
    backup,
    bench,
    content,
    doctor,
    export,
    games,
    lab,
    mcp,
    new_game,
    page,
    play,
    prune,
    serve,
    verify,
)
from veillee.cli.common import With, fail, room
from veillee.games.catalogue import bring
from veillee.words import spoken

t = room(spoken())

app = typer.Typer(
    name="veillee",
    help=t("Board games by the fire: faithful rules, good company."),
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def alone(context: typer.Context, folders: With = None) -> None:
    """Runs `veillee` without a command: opens the shelf in a terminal, prints the help otherwise."""
    for folder in folders or ():
        if left_off := bring(folder):
            fail("\n".join(sentence.say(spoken()) for sentence in left_off))
    if context.invoked_subcommand is None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            serve.open_shelf()
        typer.echo(context.get_help())


alone.__doc__ = None  # the help is that of the app

app.command()(serve.serve)
app.command()(play.play)
app.command()(games.games)
app.command()(content.content)
app.command()(verify.verify)
app.command()(analyse.analyse)
app.command()(export.export)
app.command()(doctor.doctor)
app.command()(backup.backup)
app.command()(backup.restore)
app.command()(prune.prune)
app.command()(page.page)
app.command()(bench.bench)
app.command()(arena.arena)
app.command()(mcp.mcp)
app.command("new-game")(new_game.new_game)
app.add_typer(lab.lab, name="lab")
app.add_typer(admin.admin, name="admin")


def main() -> None:
    app()
