"""`veillee doctor`: what is installed, what is compiled, what is missing."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterable
from dataclasses import fields
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import track

import veillee
from veillee import engine
from veillee.cli import inventory
from veillee.cli.common import Lang, in_plain_words, room
from veillee.games.catalogue import BOXES, LEFT_OFF
from veillee.games.network import refused, ships_network
from veillee.house.errors import StoreError
from veillee.house.maintenance import backup
from veillee.house.storage import sqlite_file
from veillee.house.storage.database import FILE
from veillee.house.workers.engine_upgrade import is_build_running
from veillee.words import Words, spoken

if TYPE_CHECKING:
    from veillee.web.settings import Settings

PACKAGES = (
    *("alembic", "babel", "confusable-homoglyphs", "jinja2", "litestar", "markdown-it-py", "msgspec"),
    *("mypy-extensions", "openskill", "rich", "sqlalchemy", "typer", "uvicorn"),
)
BROWSER_COMMANDS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
LOOPBACK = ("127.0.0.1", "::1", "localhost")
LOCAL_SCHEMES = {"dbus", "file", "glib", "gnome", "kde", "macosx", "qt", "syslog", "windows"}  # of Apprise
SPARE = 200  # files besides connections: the database, the bots' pipes
STUCK = 1  # exit code: a table would not go on
GOOD, POOR = "[green]✓[/]", "[yellow]·[/]"

t = room(spoken())


@in_plain_words
def doctor(
    lang: Lang,
    data: Annotated[
        str | None, typer.Option(help=t("Where tables are kept, as for `veillee serve`."), show_default="data")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help=t("Settings to check, as for `veillee serve`."))
    ] = None,
    licences: Annotated[
        bool, typer.Option("--licences", help=t("Whose work is in it, and under which licence."))
    ] = False,
    replay: Annotated[
        bool,
        typer.Option(
            "--replay", help=t("Play every table again on a copy, and name those that this version cannot go on with.")
        ),
    ] = False,
    sbom: Annotated[bool, typer.Option("--sbom", help=t("The bill of materials, as CycloneDX JSON."))] = False,
) -> None:
    t = room(lang)
    console = Console(highlight=False, soft_wrap=True)
    if sbom:
        typer.echo(json.dumps(inventory.sbom(PACKAGES), indent=1, ensure_ascii=False))
        return
    if licences:
        _licences(console, t)
        return
    from veillee.web.settings import settings  # noqa: PLC0415 - only this needs the web

    chosen = settings({"data": data}, config)
    data = chosen.data
    if replay:
        _replay(data, console, t)
        return
    console.print(f"[bold]Veillée {veillee.__version__}[/], Python {platform.python_version()}, {platform.platform()}")
    console.print(f"{Path(veillee.__file__).parent}, {sys.executable}", style="dim")
    for title, lines in (
        (t("Shelf"), _shelf(lang)),
        (t("Compiled"), _check_engine(t)),
        (t("Networks of masters"), _networks(t, lang)),
        (t("Database"), _database(data, t)),
        (t("Settings"), _settings(chosen, t)),
        (t("Fonts"), _fonts(t)),
        (t("Browser for the tests"), _browser(t)),
        (t("Packages"), [f"{GOOD} " + ", ".join(_packages(t))]),
    ):
        console.print(f"\n[bold]{title}[/]")
        for line in lines:
            console.print(f"  {line}")


def _shelf(lang: str) -> Iterable[str]:
    """The boxes, and what is missing and why."""
    yield f"{GOOD} " + ", ".join(f"{box.id} {box.version}" for box in BOXES.values())
    yield from (f"{POOR} {escape(sentence.say(lang))}" for sentence in LEFT_OFF.values())


def _networks(t: Words, lang: str) -> Iterable[str]:
    """The boxes that are evaluated by a network, and why another one is not."""
    used = [box.id for box in BOXES.values() if ships_network(box) and refused(box) is None]
    yield f"{GOOD} " + (", ".join(used) or t("none"))
    yield from (f"{POOR} {escape(why.say(lang))}" for box in BOXES.values() if (why := refused(box)) is not None)


def _check_engine(t: Words) -> Iterable[str]:
    guests = [box.state.__module__ for box in BOXES.values()]  # boxes of other packages run as they were brought
    for module in dict.fromkeys([*engine.modules(), *guests]):
        import_module(module)
        fast = engine.is_compiled(module)
        yield f"{GOOD if fast else POOR} {module.removeprefix('veillee.')}: " + (
            t("compiled") if fast else t("interpreted")
        )
    if engine.is_compiled():
        return
    place = engine.shelf()
    if place is not None and is_build_running(place):
        yield t("The engine is being compiled: what starts when it is done is faster.")
    elif place is not None and (failed := place / f"failed-{engine.key()}").exists():
        yield t("The engine could not be compiled: {reason}", reason=failed.read_text(encoding="utf-8").strip())
    else:
        yield t("The bots think ten times faster when compiled: `make install` does it where a C compiler is found.")


def _database(data: str, t: Words) -> Iterable[str]:
    if "://" in data:
        yield f"{GOOD} {data.split('://', maxsplit=1)[0]}"
        return
    place = Path(data)
    yield f"{GOOD} SQLite {sqlite3.sqlite_version}"
    file = place / FILE if place.is_dir() else place
    try:
        sqlite_file.check_file_complete(file)
        sqlite_file.check_log_if_closed(file)
        if file.is_file():
            backup.check_backup(file, str(file))
    except StoreError as error:
        yield f"{POOR} {escape(error.say(t.lang))}"
    if place.exists():
        able = os.access(place, os.W_OK)
        where = place.resolve()
        yield f"{GOOD if able else POOR} " + (
            t("tables are kept in {place}", place=where) if able else t("{place} cannot be written", place=where)
        )
    else:
        yield f"{POOR} " + t("no table has been kept in {place} yet", place=place.resolve())


def _settings(chosen: Settings, t: Words) -> Iterable[str]:
    """What is set, and what is unwise about it."""
    from veillee.web.notifications.transports import setting_problems  # noqa: PLC0415 - only this needs the web
    from veillee.web.serving.connections import files_allowed  # noqa: PLC0415

    usual = type(chosen)()
    names = [one.name for one in fields(chosen) if one.name not in ("data", "limits", "smtp")]
    changed = [f"{name} = {value}" for name in names if (value := getattr(chosen, name)) != getattr(usual, name)]
    changed += [f"smtp = {urlsplit(chosen.smtp).hostname}"] if chosen.smtp else []  # and not its password
    names = [one.name for one in fields(chosen.limits)]
    mine, theirs = chosen.limits, usual.limits
    changed += [f"limits.{name} = {value}" for name in names if (value := getattr(mine, name)) != getattr(theirs, name)]
    yield from (f"{GOOD} {escape(line)}" for line in changed or [t("as usual")])
    if chosen.public_url.startswith("http:"):
        yield f"{POOR} " + t("the house is reached over plain http: anyone on the way can read along")
    if chosen.public_url and chosen.host not in LOOPBACK and set(chosen.trusted_proxies) == set(usual.trusted_proxies):
        yield f"{POOR} " + t("trusted_proxies names this machine alone: is the proxy here?")
    if "*" in chosen.trusted_proxies:
        yield f"{POOR} " + t("trusted_proxies is *: any visitor can pretend to come from another address")
    if chosen.metrics_port and not find_spec("prometheus_client"):
        yield f"{POOR} " + t("figures for Prometheus need one more package: pip install veillee[metrics]")
    if chosen.metrics_port and chosen.metrics_host not in LOOPBACK:
        yield f"{POOR} " + t("metrics can be read from other machines: is a firewall or an inner network before them?")
    if chosen.private_notices:
        yield f"{POOR} " + t("private_notices: guests can make the house send to addresses of its own network")
    if local := LOCAL_SCHEMES & set(chosen.apprise):
        yield f"{POOR} " + t(
            "these services of Apprise act on this machine itself: {names}", names=", ".join(sorted(local))
        )
    yield from (f"{POOR} {problem.say(t.lang)}" for problem in setting_problems(chosen.post))
    most = files_allowed()
    if most and most < chosen.limits.connections + SPARE:
        yield f"{POOR} " + t(
            "{n} files may be open at once: too few for {connections} connections",
            n=most,
            connections=chosen.limits.connections,
        )


def _fonts(t: Words) -> Iterable[str]:
    folder = Path(veillee.__file__).parent / "web" / "static" / "fonts"
    fonts = sorted(path.name for path in folder.glob("*.woff2"))
    if fonts:
        yield f"{GOOD} " + ", ".join(fonts)
    else:
        yield f"{POOR} " + t("our own fonts are not built: pages use the fonts of the reader's system")


def _browser(t: Words) -> Iterable[str]:
    named = os.environ.get("CHROMIUM")
    found = named if named and Path(named).exists() else next(filter(None, map(shutil.which, BROWSER_COMMANDS)), None)
    yield f"{GOOD} {found}" if found else f"{POOR} " + t("no Chromium was found: only the tests in a browser need it")


def _replay(data: str, console: Console, t: Words) -> None:
    from veillee.house.maintenance.upgrade_check import check_upgrade, count_by_outcome  # noqa: PLC0415 - only this needs the store

    with check_upgrade(data) as rehearsal:
        played = list(track(rehearsal.played, "", rehearsal.tables, console=Console(stderr=True), transient=True))
    for table in played:
        if table.why is not None:
            where = f"{table.id} ({table.game}, {table.status})"
            console.print(f"[red]✗[/] {where}: {escape(table.why.cite(t.lang))}")
    on = count_by_outcome(played)
    playing, waiting, over = on["playing"], on["waiting"], on["over"]
    console.print(
        t(
            "Tables that go on: {playing} being played, {waiting} waiting, {over} over; that do not: {broken}.",
            playing=playing,
            waiting=waiting,
            over=over,
            broken=len(played) - on.total(),
        )
    )
    if on.total() < len(played):
        raise typer.Exit(STUCK)


def _licences(console: Console, t: Words) -> None:
    console.print(f"[bold]Veillée {veillee.__version__}[/]: MIT")
    for package in inventory.packages(PACKAGES):
        console.print(f"  {package.name} {package.version}: {package.licence}", markup=False)
    console.print(f"\n[bold]{t('Fonts')}[/]")
    for name, origin in inventory.BUNDLED_FONTS:
        console.print(f"  {name} ({origin}): {inventory.FONT_LICENCE}", markup=False)
    console.print("\n" + t("The games belong to their authors and publishers, whom each box credits."))


def _packages(t: Words) -> Iterable[str]:
    for package in PACKAGES:
        try:
            yield f"{package} {importlib.metadata.version(package)}"
        except importlib.metadata.PackageNotFoundError:
            yield t("{package} is missing", package=package)


doctor.__doc__ = t("What is installed here, what is compiled, where tables are kept.")
