"""`veillee admin`: moderates a house, running or not. Every act is logged."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veillee.cli.backup import Data
from veillee.cli.common import in_plain_words, room
from veillee.cli.serve import Config
from veillee.words import spoken

if TYPE_CHECKING:
    from veillee.house.community.moderation import Moderator

t = room(spoken())

admin = typer.Typer(
    help=t("Keep order in a house, while it is open: reports, bans, names, messages, tables."), no_args_is_help=True
)

DONE = t("Done, and in the log.")

Why = Annotated[str, typer.Option(help=t("The reason: it is in the log, and the banned guest reads it."))]
By = Annotated[str, typer.Option(help=t("Who acts, for the log; by default the user of this machine."))]
Days = Annotated[float, typer.Option(min=0, help=t("For so many days; 0: for ever."))]
Whom = Annotated[str, typer.Argument(metavar="GUEST", help=t("A guest's id: see `veillee admin guests`."))]
Circle = Annotated[str, typer.Argument(metavar="CIRCLE", help=t("A circle's id: the end of its address."))]
Table = Annotated[str, typer.Argument(metavar="TABLE", help=t("A table's id: the end of its address."))]


@contextmanager
def keeper(data: str, by: str = "") -> Iterator[Moderator]:
    from veillee.house.community.moderation import Moderator  # noqa: PLC0415 - only these commands need the store
    from veillee.house.storage.store import Store  # noqa: PLC0415

    store = Store.open(data)
    try:
        yield Moderator(store, by or getpass.getuser())
    finally:
        store.close()


def when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M") if seconds else "–"


def say(*columns: object) -> None:
    """Prints a line of tab-separated columns, readable for people and programs."""
    typer.echo("\t".join(str(column) for column in columns))


@in_plain_words
def reports_(
    data: Data = "data", everything: Annotated[bool, typer.Option("--all", help=t("Settled ones, too."))] = False
) -> None:
    from veillee.house.community.moderation import load_reports  # noqa: PLC0415

    with keeper(data) as one:
        found = load_reports(one.store, settled=everything)
    for row in found:
        say(
            row["id"],
            when(row["created"]),
            row["table_id"],
            row["number"],
            row["about"] or "–",
            row["name"],
            row["words"],
            row["address"] or "–",
            row["guest"] or "–",
            when(row["settled"]),
        )
    if not found:
        typer.echo(t("No report waits."))


reports_.__doc__ = t(
    "What guests have reported: number, when, table, message, whose, their name, their words, their address, who reports it, when it was settled."
)


@in_plain_words
def settle(
    report: Annotated[int, typer.Argument(metavar="REPORT")], data: Data = "data", why: Why = "", by: By = ""
) -> None:
    with keeper(data, by) as one:
        one.settle(report, why)
    typer.echo(DONE)


settle.__doc__ = t("A report has been dealt with.")


@in_plain_words
def guests(
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("A part of the name."))] = "", data: Data = "data"
) -> None:
    from veillee.house.community.moderation import find_guests  # noqa: PLC0415

    with keeper(data) as one:
        for row in find_guests(one.store, name):
            say(row["id"], row["name"], when(row["created"]), when(row["here"] or 0), row["seats"])


guests.__doc__ = t("Guests: id, name, when they came, when they were last here, how many seats they have.")


@in_plain_words
def ban(
    whom: Annotated[str, typer.Argument(metavar="WHO", help=t("A guest's id, or an address."))],
    data: Data = "data",
    why: Why = "",
    days: Days = 0,
    by: By = "",
) -> None:
    from veillee.house.community.moderation import kind_of  # noqa: PLC0415

    with keeper(data, by) as one:
        one.ban(kind_of(whom), whom, why, days)
    typer.echo(DONE)


ban.__doc__ = t("Ban a guest, or every guest at an address.")


@in_plain_words
def unban(
    whom: Annotated[str, typer.Argument(metavar="WHO", help=t("A guest's id, or an address."))],
    data: Data = "data",
    why: Why = "",
    by: By = "",
) -> None:
    from veillee.house.community.moderation import kind_of  # noqa: PLC0415

    with keeper(data, by) as one:
        one.lift(kind_of(whom), whom, why)
    typer.echo(DONE)


unban.__doc__ = t("Let them in again.")


@in_plain_words
def bans(data: Data = "data") -> None:
    from veillee.house.community.moderation import load_bans  # noqa: PLC0415

    with keeper(data) as one:
        for row in load_bans(one.store):
            say(row.kind, row.whom, when(row.created), when(row.until), row.why)


bans.__doc__ = t("What is in force: kind, whom, since when, until when, why.")


@in_plain_words
def mute(guest: Whom, data: Data = "data", why: Why = "", days: Days = 0, by: By = "") -> None:
    with keeper(data, by) as one:
        one.ban("mute", guest, why, days)
    typer.echo(DONE)


mute.__doc__ = t("A guest may play, and say nothing.")


@in_plain_words
def unmute(guest: Whom, data: Data = "data", why: Why = "", by: By = "") -> None:
    with keeper(data, by) as one:
        one.lift("mute", guest, why)
    typer.echo(DONE)


unmute.__doc__ = t("A guest may talk again.")


@in_plain_words
def rename(
    guest: Whom,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("The new one; by default a plain one."))] = "",
    data: Data = "data",
    why: Why = "",
    by: By = "",
) -> None:
    with keeper(data, by) as one:
        typer.echo(one.rename(guest, name, why))


rename.__doc__ = t("Take a name away: the guest gets another one, at all tables.")


@in_plain_words
def remove(
    table: Table,
    number: Annotated[int, typer.Argument(metavar="MESSAGE")],
    data: Data = "data",
    why: Why = "",
    by: By = "",
) -> None:
    with keeper(data, by) as one:
        one.remove_message(table, number, why)
    typer.echo(DONE)


remove.__doc__ = t("Remove a message.")


@in_plain_words
def close(table: Table, data: Data = "data", why: Why = "", by: By = "") -> None:
    with keeper(data, by) as one:
        one.ban("table", table, why)
    typer.echo(DONE)


close.__doc__ = t("Close a table: nobody sees it any more. Nothing that was played is lost.")


@in_plain_words
def open_(table: Table, data: Data = "data", why: Why = "", by: By = "") -> None:
    with keeper(data, by) as one:
        one.lift("table", table, why)
    typer.echo(DONE)


open_.__doc__ = t("Open a table again that was closed.")


@in_plain_words
def circles(
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("A part of the name."))] = "", data: Data = "data"
) -> None:
    from veillee.house.circles.moderation import load_circles  # noqa: PLC0415

    with keeper(data) as one:
        for row in load_circles(one.store, name):
            say(row["id"], row["name"], when(row["created"]), row["members"])


circles.__doc__ = t("Circles: id, name, since when, number of members.")


@in_plain_words
def rename_circle(
    circle: Circle,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("The new one; by default a plain one."))] = "",
    data: Data = "data",
    why: Why = "",
    by: By = "",
) -> None:
    from veillee.house.circles import moderation  # noqa: PLC0415

    with keeper(data, by) as one:
        typer.echo(moderation.rename_circle(one, circle, name, why))


rename_circle.__doc__ = t("Take the name of a circle away: it gets another one.")


@in_plain_words
def delete_circle(circle: Circle, data: Data = "data", why: Why = "", by: By = "") -> None:
    from veillee.house.circles import moderation  # noqa: PLC0415

    with keeper(data, by) as one:
        moderation.delete_circle(one, circle, why)
    typer.echo(DONE)


delete_circle.__doc__ = t("Delete a circle. Its tables stay.")


@in_plain_words
def invite(
    guests: Annotated[int, typer.Option(min=1, help=t("How many new guests it lets in."))] = 1,
    days: Annotated[float, typer.Option(min=0, help=t("How many days it can be used."))] = 30,
    data: Data = "data",
    config: Config = None,
    why: Why = "",
    by: By = "",
) -> None:
    with keeper(data, by) as one:
        typer.echo(link(config, f"/come/{one.invite(guests, days, why)}"))


invite.__doc__ = t("Make an invitation to the house: a link that makes new guests.")


@in_plain_words
def operator(data: Data = "data", config: Config = None, why: Why = "", by: By = "") -> None:
    with keeper(data, by) as one:
        typer.echo(link(config, f"/admin/enter/{one.make_operator_link(why)}"))
    typer.echo(t("Open it within a day, in your own browser; it works once. Then the page /admin is yours."))


operator.__doc__ = t("Make a link that lets a guest keep order by the page /admin.")


@in_plain_words
def operators(data: Data = "data") -> None:
    from veillee.house.community.moderation import load_operators  # noqa: PLC0415

    with keeper(data) as one:
        for row in load_operators(one.store):
            say(row["id"], row["name"], when(row["since"]))


operators.__doc__ = t("Guests who keep order by the page /admin: id, name, since when.")


@in_plain_words
def dismiss(guest: Whom, data: Data = "data", why: Why = "", by: By = "") -> None:
    with keeper(data, by) as one:
        one.dismiss(guest, why)
    typer.echo(DONE)


dismiss.__doc__ = t("A guest keeps order no longer.")


@in_plain_words
def links(data: Data = "data") -> None:
    from veillee.house.accounts.entry_links import list_entry_links  # noqa: PLC0415

    with keeper(data) as one:
        for row in list_entry_links(one.store):
            say(row.id, row.kind, when(row.created), when(row.until), row.uses)


links.__doc__ = t(
    "Invitations and operator links in force: id, kind, since when, until when, how often they still work."
)


@in_plain_words
def revoke(
    link_id: Annotated[str, typer.Argument(metavar="LINK", help=t("The id: see `veillee admin links`."))],
    data: Data = "data",
    why: Why = "",
    by: By = "",
) -> None:
    with keeper(data, by) as one:
        one.revoke_link(link_id, why)
    typer.echo(DONE)


revoke.__doc__ = t("An invitation or operator link works no longer.")


def link(config: Path | None, path: str) -> str:
    """Returns the address of a page of the house, as far as the settings name it. Prints, beside the link, which address
    it assumed: a running house may have been given another port by a flag."""
    from veillee.web.settings import settings  # noqa: PLC0415 - only these commands need the web

    chosen = settings({}, config)
    if chosen.public_url:
        return chosen.public_url + path
    address = f"http://localhost:{chosen.port}"
    said = t("No public_url is set: if the house is at another address, put it in place of {address}.", address=address)
    typer.echo(said, err=True)
    return address + path


@in_plain_words
def log(data: Data = "data") -> None:
    from veillee.house.community.moderation import load_acts  # noqa: PLC0415

    with keeper(data) as one:
        for act in load_acts(one.store):
            say(when(act.at), act.who, act.what, act.whom, act.why)


log.__doc__ = t("What was done, the latest first: when, by whom, what, to whom, why.")

admin.command("reports")(reports_)
admin.command()(settle)
admin.command()(guests)
admin.command()(ban)
admin.command()(unban)
admin.command()(bans)
admin.command()(mute)
admin.command()(unmute)
admin.command()(rename)
admin.command()(remove)
admin.command()(circles)
admin.command()(rename_circle)
admin.command()(delete_circle)
admin.command()(invite)
admin.command()(operator)
admin.command()(operators)
admin.command()(dismiss)
admin.command()(links)
admin.command()(revoke)
admin.command()(close)
admin.command("open")(open_)
admin.command()(log)
