"""What moderators do about circles, beside Moderator, and how guests report one."""

from __future__ import annotations

import contextlib
from typing import Any

import sqlalchemy as sa

from veillee.house.accounts.guest import Guest
from veillee.house.accounts.names import title_skeleton
from veillee.house.circles import repository
from veillee.house.circles.repository import Circle
from veillee.house.circles.service import clean_circle_name
from veillee.house.community.moderation import CIRCLE_REPORT, MAX_LISTED_ENTRIES, Moderator
from veillee.house.errors import BadRequest, NotFound, t
from veillee.house.storage.schema import circle_members, circles, reports
from veillee.house.storage.store import Conflict, Store

PLAIN_NAME = "Cercle"  # with the beginning of the id


def load_circles(store: Store, name: str = "") -> list[dict[str, Any]]:
    """Returns circles whose names contain this text, latest first: id, name, created, number of members."""
    members = sa.select(sa.func.count()).where(circle_members.c.circle == circles.c.id).scalar_subquery()
    query = sa.select(circles.c.id, circles.c.name, circles.c.created, members.label("members"))
    if name:
        query = query.where(circles.c.name.icontains(name, autoescape=True))
    with store.reading() as db:
        rows = db.execute(query.order_by(circles.c.created.desc()).limit(MAX_LISTED_ENTRIES))
        return [dict(row._mapping) for row in rows]  # noqa: SLF001 (SQLAlchemy's own name for it)


def rename_circle(moderator: Moderator, circle_id: str, name: str = "", why: str = "") -> str:
    """Renames a circle; without a name, to an inoffensive one. Raises NotFound, BadRequest."""
    shown = clean_circle_name(name or f"{PLAIN_NAME} {circle_id[:4]}")
    try:
        with moderator.store.writing() as db:
            _find(db, circle_id)
            repository.change(db, circle_id, name=shown, skeleton=title_skeleton(shown))
            moderator.record_act(db, "rename circle", circle_id, why)
    except Conflict:
        raise BadRequest(t("There is a circle in this house whose name looks the same: choose another.")) from None
    return shown


def delete_circle(moderator: Moderator, circle_id: str, why: str = "") -> None:
    """Deletes a circle; its tables and championships stay. Raises NotFound."""
    with moderator.store.writing() as db:
        _find(db, circle_id)
        db.execute(circles.delete().where(circles.c.id == circle_id))
        moderator.record_act(db, "delete circle", circle_id, why)


def report_circle(store: Store, guest: Guest, circle: Circle) -> None:
    """Reports a circle to the moderators, once per reporting guest; its name is copied into the report."""
    row: dict[str, Any] = {"table_id": circle.id, "number": CIRCLE_REPORT, "words": circle.name, "guest": guest.id}
    with contextlib.suppress(Conflict), store.writing() as db:  # they have reported it already
        founder = next(iter(repository.select_members(db, circle.id)), None)
        row |= {"about": founder and founder.guest, "name": founder.name if founder else ""}
        db.execute(reports.insert().values(row | {"created": store.now(), "settled": 0.0}))


def _find(db: sa.Connection, circle_id: str) -> None:
    if repository.select_circle(db, circle_id, lock=True) is None:
        raise NotFound(t("There is no circle {circle}.", circle=circle_id))
