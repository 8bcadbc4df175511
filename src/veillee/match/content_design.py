"""Designs: an owner's file of a box that is changed entry by entry. What is saved can always be played with."""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veillee.games import owners
from veillee.games.box import Box
from veillee.games.content import HEADER, Content, ContentKind, find_lines
from veillee.games.content_table import BadTable, read_cells, to_cells, to_csv, to_toml
from veillee.games.print_faces import Face, PrintSet
from veillee.match.errors import BadContent, t
from veillee.words import Words

FIXED = ("game", "version")  # fields of the header that a design keeps
_WRITING = threading.Lock()


@dataclass(frozen=True)
class Entry:
    """One entry of a design. Number 0 is the header: the names of the set."""

    number: int
    table: str
    place: int  # among the entries of its table, from 0
    values: Mapping[str, Any]

    @property
    def key(self) -> str:
        return str(self.values.get("id") or self.values.get("key") or "")

    def name(self, lang: str) -> str:
        """Returns its name in that language, or the best there is."""
        names = self.values.get("name")
        found = names.get(lang) if isinstance(names, dict) else self.values.get(lang)
        return str(found or self.key or f"{self.table} {self.place + 1}")


class Design:
    """A set in the making: its file, and what is in it."""

    def __init__(self, box: Box, path: Path, content: Content) -> None:
        self.box, self.path, self.content = box, path, content
        self.data: dict[str, Any] = tomllib.loads(content.text)
        self.header = next((name for name in _kind(box).headers if name in self.data), HEADER)

    @property
    def entries(self) -> list[Entry]:
        about = {name: value for name, value in self.data.get(self.header, {}).items() if name not in FIXED}
        found = [Entry(0, self.header, 0, about)]
        for table in _kind(self.box).tables:
            for place, values in enumerate(self.data.get(table, [])):
                found.append(Entry(len(found), table, place, values))
        return found

    def cells(self, entry: Entry) -> dict[str, str]:
        """Returns the entry's cells, as in a spreadsheet; empty ones for what only other entries of its table have."""
        columns = dict.fromkeys(
            column for one in self.entries if one.table == entry.table for column in to_cells(one.values)
        )
        return dict.fromkeys(columns, "") | to_cells(entry.values)

    def change(self, entry: Entry, cells: Iterable[tuple[str, str]]) -> Design:
        """Saves the entry with these cells and returns the design with it. Raises BadContent; nothing is saved then."""
        data = deepcopy(self.data)
        lines = find_lines(self.content.text).get(entry.table, [])
        line = lines[entry.place][""] if entry.place < len(lines) else 1
        try:
            values = read_cells(self.path.name, line, cells)
        except BadTable as error:
            raise BadContent([error.why]) from None
        if entry.number:
            data[entry.table][entry.place] = values
        else:
            fixed = {"game": self.box.id, "version": _kind(self.box).version}
            data = {self.header: fixed | values} | {name: one for name, one in data.items() if name != self.header}
        return save(self.box, self.path, to_toml(data))

    def to_csv(self) -> str:
        return to_csv(self.data)

    def face(self, entry: Entry, t: Words) -> tuple[PrintSet, Face] | None:
        """Returns what the entry looks like in print, and the set with its size; None: it is not printed."""
        if self.box.faces is None or not entry.number:
            return None
        alike = [one for one in self.entries if one.table == entry.table and one.key == entry.key]
        for wanted in (f"{entry.table}-{entry.key}", entry.key):
            for one in self.box.faces(self.content.body, t):
                faces = [face for face in one.faces if face.id == wanted]
                if faces:
                    return one, faces[min(alike.index(entry), len(faces) - 1)]
        return None


def start_design(box: Box, path: Path, names: Mapping[str, str]) -> Design:
    """Saves a copy of the built-in set under these names, unless there is a design already. Raises BadContent."""
    if path.exists():
        return load_design(box, path)
    kind = _kind(box)
    data = tomllib.loads(kind.built_in())
    header = next(name for name in kind.headers if name in data)
    data[header] = {**data[header], **names}
    return save(box, path, to_toml(data))


def load_design(box: Box, path: Path) -> Design:
    """Returns the design in a file. Raises BadContent if the file was changed elsewhere and is wrong."""
    return Design(box, path, _accept(box, owners.check(path)))


def import_design(box: Box, path: Path, file: str, raw: bytes) -> Design:
    """Saves a file that was made elsewhere, TOML or CSV, as the design. Raises BadContent; nothing is saved then."""
    return save(box, path, _accept(box, owners.check_bytes(file, raw)).text)


def save(box: Box, path: Path, text: str) -> Design:
    """Writes the file as a whole or not at all. Raises BadContent."""
    content = _accept(box, owners.check_text(path.name, text))
    part = path.with_name(path.name + ".part")
    try:
        with _WRITING:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadContent([t("{file} cannot be written: {reason}.", file=path.name, reason=reason)]) from None
    return Design(box, path, content)


def _accept(box: Box, checked: owners.Checked) -> Content:
    if checked.box is not None and checked.box is not box:
        raise BadContent(
            [
                t(
                    "{file} is for {title}, not for {wanted}.",
                    file=checked.file,
                    title=checked.box.title,
                    wanted=box.title,
                )
            ]
        )
    if checked.content is None:
        raise BadContent(checked.errors)
    return checked.content


def _kind(box: Box) -> ContentKind:
    assert box.contents is not None, f"nothing of {box.id} can be replaced"
    return box.contents
