"""Notification channels of guests, and the tables for which they want notifications.

A channel is an address of one kind. A mail address, which any visitor could type in, must first be confirmed by its
reader.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from veillee.house.errors import BadRequest, t
from veillee.house.storage.schema import channels, wishes
from veillee.house.storage.store import Store

MAX_CHANNELS_PER_GUEST = 8  # per guest
MAX_ADDRESS_LENGTH = 2000
ALL_TABLES = ""  # the setting for all tables


@dataclass(frozen=True)
class Channel:
    """One address of a guest."""

    id: str
    guest: str
    kind: str  # of a transport (web/notifications/transports)
    address: str
    lang: str
    is_confirmed: bool


def channels_of(store: Store, guest: str) -> list[Channel]:
    with store.reading() as db:
        rows = db.execute(sa.select(channels).where(channels.c.guest == guest).order_by(channels.c.made)).all()
    return [_channel_of(row) for row in rows]


def find_channel(store: Store, channel: str) -> Channel | None:
    with store.reading() as db:
        row = db.execute(sa.select(channels).where(channels.c.id == channel)).first()
    return _channel_of(row) if row else None


def add_channel(store: Store, guest: str, kind: str, address: str, lang: str, *, ready: bool = True) -> Channel:
    """Adds a channel; returns the existing one if it is known already. Raises BadRequest."""
    known = channels_of(store, guest)
    for channel in known:
        if (channel.kind, channel.address) == (kind, address):
            return channel
    if len(known) >= MAX_CHANNELS_PER_GUEST:
        raise BadRequest(
            t("You have {most} ways of being notified already: remove one first.", most=MAX_CHANNELS_PER_GUEST)
        )
    if len(address) > MAX_ADDRESS_LENGTH:
        raise BadRequest(t("This address is too long."))
    channel = Channel(secrets.token_hex(8), guest, kind, address, lang, ready)
    with store.writing() as db:
        values = {name: getattr(channel, name) for name in ("id", "guest", "kind", "address", "lang")}
        values["ready"] = channel.is_confirmed
        db.execute(channels.insert().values(values | {"made": store.now()}))
    return channel


def confirm_channel(store: Store, channel: str) -> None:
    with store.writing() as db:
        db.execute(channels.update().where(channels.c.id == channel).values(ready=True))


def remove_channel(store: Store, channel: str) -> None:
    with store.writing() as db:
        db.execute(channels.delete().where(channels.c.id == channel))


# -- settings per table -----------------------------------------------------------------------------------------------
def load_wishes(store: Store, guests: Sequence[str]) -> dict[tuple[str, str], bool]:
    """Returns the settings of these guests by (guest, table); the table EVERYWHERE: their default for all other
    tables.
    """
    with store.reading() as db:
        rows = db.execute(sa.select(wishes).where(wishes.c.guest.in_(guests))).all()
    return {(row.guest, row.table_id): row.want for row in rows}


def is_wanted(said: dict[tuple[str, str], bool], guest: str, table: str) -> bool:
    """Returns whether the guest wants notifications for the table. The default is yes: they have added a channel."""
    return said.get((guest, table), said.get((guest, ALL_TABLES), True))


def set_wish(store: Store, guest: str, table: str, *, want: bool) -> None:
    with store.writing() as db:
        db.execute(wishes.delete().where(wishes.c.guest == guest, wishes.c.table_id == table))
        db.execute(wishes.insert().values(guest=guest, table_id=table, want=want))


def _channel_of(row: sa.Row[tuple[object, ...]]) -> Channel:
    return Channel(row.id, row.guest, row.kind, row.address, row.lang, row.ready)
