"""Copies of owners' content files, as they were when a table was opened: the table can go on if the file changes or
goes.
"""

from __future__ import annotations

import contextlib

import sqlalchemy as sa

from veillee.games.box import Box, Options
from veillee.games.owners import bring, check_text
from veillee.house.storage.schema import contents
from veillee.house.storage.store import Conflict, Store
from veillee.match.owner_content import content_id, content_of, missing


def save_content(store: Store, box: Box, options: Options) -> None:
    """Saves the content file that a table with these options is played with, if it is an owner's."""
    own = content_of(box, options)
    if own is None:
        return
    row = {"game": box.id, "id": content_id(box, options), "file": own.file, "text": own.text, "created": store.now()}
    with contextlib.suppress(Conflict), store.writing() as db:  # it is saved already
        db.execute(contents.insert().values(row))


def restore_content(store: Store, box: Box, options: Options) -> None:
    """Loads the saved content that a table with these options needs, unless it is loaded already."""
    if missing(box, options) is None:
        return
    mine = sa.and_(contents.c.game == box.id, contents.c.id == content_id(box, options))
    with store.single_statement() as db:
        row = db.execute(sa.select(contents.c.file, contents.c.text).where(mine)).first()
    if row is not None:
        bring(check_text(row.file, row.text), offered=False)
