"""The file with everything that a page holds: what `veillee backup` writes and `veillee restore` reads."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import sqlalchemy as sa
from multipart import MultipartError, MultipartParser, parse_options_header

from veillee.house.accounts.guest import Guest
from veillee.house.accounts.guests import Guests
from veillee.house.storage.database import FILE
from veillee.house.storage.schema import guests, tokens
from veillee.house.storage.store import Store

MAX_FILE_BYTES = 200_000_000
JOURNAL_MODE = slice(18, 20)  # in the header of a SQLite file: 2 for a log (WAL), which a page has not, else 1


def read_upload(headers: Sequence[tuple[str, str]], body: bytes) -> bytes:
    """Returns the file of a form (multipart/form-data). Raises ValueError."""
    kinds = [value for name, value in headers if name.lower() == "content-type"]
    _, options = parse_options_header(kinds[0] if kinds else "")
    try:
        parser = MultipartParser(
            BytesIO(body),
            options.get("boundary", ""),
            memory_limit=MAX_FILE_BYTES,
            spool_limit=MAX_FILE_BYTES,  # in memory: a page has no disk
        )
        part = parser.get("file")
    except MultipartError as error:
        raise ValueError(str(error)) from error
    if part is None:
        raise ValueError("the form has no file")
    return bytes(part.raw)


def check_file(data: bytes, folder: Path) -> str:
    """Writes the database of a saved file into this folder, migrated to the present schema, and signs in the guest who
    was there last. Returns the cookie. Raises StoreError, ValueError if it is no database of Veillée, or nobody's."""
    bare = bytearray(data)
    bare[JOURNAL_MODE] = b"\x01\x01"
    (folder / FILE).write_bytes(bare)
    store = Store.open(folder, threads=False)
    try:
        latest = sa.select(guests.c.id, guests.c.name).join(tokens, tokens.c.guest == guests.c.id)
        with store.reading() as db:
            row = db.execute(latest.order_by(tokens.c.used.desc()).limit(1)).first()
        if row is None:
            raise ValueError("the file has no guest")
        known = Guests(store)
        return known.use_recovery_link(known.make_recovery_link(Guest(row.id, row.name))).token
    finally:
        store.close()


def replace_database(data: bytes, folder: Path) -> str:
    """Replaces the database in the folder by that of a saved file. Returns the cookie of its guest. Raises StoreError,
    ValueError; then nothing is changed."""
    with tempfile.TemporaryDirectory() as checked:
        cookie = check_file(data, Path(checked))
        shutil.copyfile(Path(checked) / FILE, folder / FILE)
    return cookie
