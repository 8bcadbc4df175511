"""Loading of owners' files: validates the file, finds its box, and keeps the files that are loaded."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from veillee.games.box import Box
from veillee.games.catalogue import BOXES
from veillee.games.content import HEADER, Content, ContentKind, Reader, short, t
from veillee.games.content_table import BadTable, decode, is_table, read_table, to_toml
from veillee.words import Sentence

MOST_BYTES = 500_000  # many times what a box needs
MOST_ERRORS = 100  # reported at once
FIRST_VERSION = 1  # of a file without a version


@dataclass(frozen=True)
class Checked:
    """Result of reading a file: the content of a box, or its errors."""

    file: str
    box: Box | None = None
    content: Content | None = None
    errors: tuple[Sentence, ...] = ()


class Bad(Exception):
    """Raised for a file that is no owner's file, with the reason."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why)
        self.why = why


def check(path: Path) -> Checked:
    """Reads a file and validates it. Does not add it."""
    file = path.name or str(path)
    try:
        return check_bytes(file, _read(path, file))
    except Bad as error:
        return Checked(file, errors=(error.why,))


def check_bytes(file: str, raw: bytes) -> Checked:
    """Validates what is in a file of that name."""
    try:
        _check_size(file, len(raw))
        text = decode(raw) if is_table(Path(file)) else raw.decode("utf-8-sig")
    except Bad as error:
        return Checked(file, errors=(error.why,))
    except UnicodeDecodeError as error:
        at = error.start + 1
        why = t("{file}: the text is not UTF-8 (byte {at}): save it as UTF-8.", file=file, at=at)
        return Checked(file, errors=(why,))
    return check_table(file, text) if is_table(Path(file)) else check_text(file, text)


def check_table(file: str, text: str) -> Checked:
    """Validates a table of a spreadsheet."""
    try:
        found = read_table(file, text)
    except BadTable as error:
        return Checked(file, errors=(error.why,))
    reader = Reader(file, found.data)
    reader.take_lines(found.lines)
    return _check(file, reader, to_toml(found.data))


def check_text(file: str, text: str) -> Checked:
    """Validates a TOML file."""
    try:
        reader = _reader(file, text)
    except Bad as error:
        return Checked(file, errors=(error.why,))
    return _check(file, reader, text)


def _check(file: str, reader: Reader, text: str) -> Checked:
    """text: the same content as TOML."""
    if not reader.data:
        return Checked(file, errors=(t("{file}: the file is empty.", file=file),))
    try:
        box, kind = _kind(reader)
    except Bad as error:
        return Checked(file, errors=(error.why,))
    content = kind.read(reader, text)
    errors = reader.errors
    if len(errors) > MOST_ERRORS:
        errors = [*errors[:MOST_ERRORS], t("{file}: and {n} errors more.", file=file, n=len(errors) - MOST_ERRORS)]
    return Checked(file, box, content, tuple(errors))


# -- loaded files -----------------------------------------------------------------------------------------------
class File(NamedTuple):
    """A loaded file, as sent to other processes."""

    name: str
    text: str
    offered: bool  # for new games; otherwise only for those that have begun


BROUGHT: list[File] = []  # of all games, in the order in which they were added


def bring(checked: Checked, *, offered: bool = True) -> bool:
    """Adds a file that was read, here and in worker processes. Returns False if it was refused."""
    if checked.content is None or checked.box is None or checked.box.contents is None:
        return False
    kind, content = checked.box.contents, checked.content
    file = File(content.file, content.text, offered)
    if file not in BROUGHT:
        BROUGHT.append(file)
    if offered:
        kind.add(content)
    else:
        kind.know(content)
    return True


def take(files: Iterable[Sequence[Any]]) -> None:
    """Adds the files that another process of this house has."""
    for name, text, offered in files:
        bring(check_text(name, text), offered=offered)


# -- from a path to a box ---------------------------------------------------------------------------------------
def _read(path: Path, file: str) -> bytes:
    """Returns what is in a regular file of a reasonable size. Raises Bad."""
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise Bad(t("{file}: this is a folder, not a file.", file=file))
        if not stat.S_ISREG(found.st_mode):
            raise Bad(t("{file}: this is no ordinary file.", file=file))
        _check_size(file, found.st_size)
        with path.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: an impossible path
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise Bad(t("{file}: the file cannot be read ({reason}).", file=str(path), reason=reason)) from None


def _check_size(file: str, size: int) -> None:
    """Raises Bad for a file that is too large."""
    if size > MOST_BYTES:
        raise Bad(
            t(
                "{file}: the file is too large ({size} bytes): such a file has at most {most}.",
                file=file,
                size=size,
                most=MOST_BYTES,
            )
        )


def _reader(file: str, text: str) -> Reader:
    try:
        reader = Reader.of(file, text)
    except ValueError as error:  # invalid TOML, or numbers that are too long
        raise Bad(t("{file}: this is no TOML file: {reason}.", file=file, reason=str(error).rstrip("."))) from None
    except RecursionError:
        raise Bad(t("{file}: this is no TOML file: its brackets are nested too deeply.", file=file)) from None
    return reader


def _kind(reader: Reader) -> tuple[Box, ContentKind]:
    """Returns the box that a file is for, if it has replaceable content and reads files of this version. Raises Bad."""
    kinds = [(box, box.contents) for box in BOXES.values() if box.contents is not None]
    header = next((name for name in _headers(kinds) if name in reader.data), HEADER)
    about = reader.single(header)
    if reader.errors:
        raise Bad(reader.errors[0])
    game, version = about.get("game"), about.get("version", FIRST_VERSION)
    if game is None:
        return _guessed(reader, kinds)
    box, kind = next(((box, kind) for box, kind in kinds if box.id == game), (None, None))
    if box is None or kind is None or header not in kind.headers:
        about.wrong("game", _for_another(game, kinds))
        raise Bad(reader.errors[0])
    if type(version) is not int or version != kind.version:
        about.wrong(
            "version",
            t("expected a file of version {version}, found {found}.", version=kind.version, found=short(version)),
        )
        raise Bad(reader.errors[0])
    return box, kind


def _headers(kinds: list[tuple[Box, ContentKind]]) -> list[str]:
    return list(dict.fromkeys([HEADER, *(header for _, kind in kinds for header in kind.headers)]))


def _guessed(reader: Reader, kinds: list[tuple[Box, ContentKind]]) -> tuple[Box, ContentKind]:
    """Returns the box of a file without a header, as in the first format, by its tables. Raises Bad."""
    fitting = [(box, kind) for box, kind in kinds if reader.data.keys() & set(kind.tables)]
    if len(fitting) != 1:
        lines = kinds[0][1].opening() if kinds else HEADER
        raise Bad(
            t("{file}: the file does not say which game it is for: expected {lines}", file=reader.file, lines=lines)
        )
    return fitting[0]


def _for_another(game: Any, kinds: list[tuple[Box, ContentKind]]) -> Sentence:
    known = ", ".join(box.id for box, _ in kinds)
    if isinstance(game, str) and game in BOXES:
        title = BOXES[game].title
        return t(
            "nothing of {title} was designed by us, and nothing can be replaced: expected one of {known}.",
            title=title,
            known=known,
        )
    return t("expected one of {known}, found {found}.", known=known, found=short(game))
