"""`veillee prune`: deletes expired data. A running server does it by itself, once a day."""

from __future__ import annotations

from dataclasses import asdict

import typer

from veillee.cli.backup import Data
from veillee.cli.common import in_plain_words, room
from veillee.words import spoken

t = room(spoken())


@in_plain_words
def prune(data: Data = "data") -> None:
    from veillee.house.maintenance import cleanup as pruning  # noqa: PLC0415 - only this command needs the store
    from veillee.house.storage.store import Store  # noqa: PLC0415

    store = Store.open(data)
    try:
        gone = pruning.delete_expired(store)
    finally:
        store.close()
    typer.echo(
        t("Thrown away: expired tokens {tokens}, tables that waited in vain {tables}, guests {guests}.", **asdict(gone))
    )


prune.__doc__ = t(
    "Throw away expired tokens, tables that waited in vain, and guests who sit nowhere and were never back."
)
