"""Owners' files as tables for spreadsheets: CSV with a row for each entry.

The first column, `table`, names the entry's table, `[content]` the header of the file. A field that is itself a table
with fields fr and en has a column for each (`name.fr`). An empty cell is a field that the entry does not have. Whole
numbers, `true`, `false` and lists (`["2 coins"]`) are written as in TOML; a text that looks like one of these, or is
empty, is in quotation marks. So nothing but comments is lost on the way there and back.

A spreadsheet may have saved the table with commas, semicolons or tabs, as UTF-8 or as UTF-16.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veillee.games.content import Lines, short, t
from veillee.words import Sentence

TABLE_SUFFIX = ".csv"
TABLE_COLUMN = "table"
SEPARATORS = ",;\t"
HEADER_NAME = re.compile(r"\[(.+)\]")
LITERAL = re.compile(r'-?\d+|true|false|[\["{].*', re.DOTALL)  # a cell that is read as JSON
LONGEST_NUMBER = 18  # digits


class BadTable(Exception):
    """Raised for a text that is no such table, with the reason."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why)
        self.why = why


@dataclass
class TableData:
    """A parsed table: what tomllib would read from the same file, and the line of each entry."""

    data: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, list[Lines]] = field(default_factory=dict)


# -- from an owner's file to a table --------------------------------------------------------------------------------
def to_csv(data: Mapping[str, Any], separator: str = ",") -> str:
    """Returns the table of a file that tomllib has read."""
    rows = list(_rows(data))
    columns = list(dict.fromkeys([TABLE_COLUMN, *(column for row in rows for column in row)]))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", delimiter=separator, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _rows(data: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for table, value in data.items():
        for entry in value if isinstance(value, list) else [value]:
            yield {TABLE_COLUMN: table if isinstance(value, list) else f"[{table}]"} | to_cells(entry)


def to_cells(entry: Mapping[str, Any]) -> dict[str, str]:
    """Returns the cells of one entry by column."""
    cells: dict[str, str] = {}
    for name, found in entry.items():
        if found and isinstance(found, dict):
            cells |= {f"{name}.{inner}": _cell(part) for inner, part in found.items()}
        else:
            cells[name] = _cell(found)
    return cells


def _cell(value: Any) -> str:
    if isinstance(value, str) and value.strip() == value and value and not LITERAL.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


# -- and back -----------------------------------------------------------------------------------------------------------
def is_table(path: Path) -> bool:
    return path.suffix.lower() == TABLE_SUFFIX


def decode(raw: bytes) -> str:
    """Returns the text of a saved table. Raises UnicodeDecodeError."""
    is_utf16 = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    return raw.decode("utf-16" if is_utf16 else "utf-8-sig")


def read_table(file: str, text: str) -> TableData:
    """Parses a table. Raises BadTable."""
    head = text.split("\n", 1)[0]
    separator = max(SEPARATORS, key=head.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    found = TableData()
    try:
        columns = [name.strip() for name in next(rows, [])]
        _check_columns(file, columns)
        for cells in rows:
            if any(cell.strip() for cell in cells):
                _add(found, file, rows.line_num, columns, cells)
    except csv.Error as error:
        raise BadTable(
            t("{file}, line {line}: this is no CSV table ({reason}).", file=file, line=rows.line_num, reason=str(error))
        ) from None
    return found


def _check_columns(file: str, columns: list[str]) -> None:
    if TABLE_COLUMN not in columns:
        raise BadTable(
            t(
                "{file}: the first line must name the columns, and one of them is “{column}”; found {found}.",
                file=file,
                column=TABLE_COLUMN,
                found=short(", ".join(columns)),
            )
        )
    for name in columns:
        if name and columns.count(name) > 1:
            raise BadTable(t("{file}: there are two columns “{column}”.", file=file, column=short(name)))


def _add(found: TableData, file: str, line: int, columns: list[str], cells: list[str]) -> None:
    table = ""
    named: list[tuple[str, str]] = []
    for place, cell in enumerate(cells):
        content = cell.strip()
        name = columns[place] if place < len(columns) else ""
        if not content:
            continue
        if not name:
            raise BadTable(
                t(
                    "{file}, line {line}: {cell} is in a column without a name.",
                    file=file,
                    line=line,
                    cell=short(content),
                )
            )
        if name == TABLE_COLUMN:
            table = content
        else:
            named.append((name, content))
    entry = read_cells(file, line, named)
    if not table:
        raise BadTable(
            t("{file}, line {line}: the column “{column}” is empty.", file=file, line=line, column=TABLE_COLUMN)
        )
    lines = {"": line, **dict.fromkeys(entry, line)}
    if header := HEADER_NAME.fullmatch(table):
        found.data[header[1]] = entry
        found.lines[header[1]] = [lines]
    else:
        found.data.setdefault(table, []).append(entry)
        found.lines.setdefault(table, []).append(lines)


def read_cells(file: str, line: int, cells: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Returns the entry with these cells, columns and contents; an empty one is a field that it does not have. Raises
    BadTable."""
    entry: dict[str, Any] = {}
    for name, cell in cells:
        content = cell.strip()
        if not content:
            continue
        outer, _, inner = name.partition(".")
        value = _value(file, line, content)
        if inner and isinstance(entry.setdefault(outer, {}), dict):
            entry[outer][inner] = value
        elif outer in entry:
            raise BadTable(
                t("{file}, line {line}: there are two columns “{column}”.", file=file, line=line, column=short(outer))
            )
        else:
            entry[name] = value
    return entry


def _value(file: str, line: int, content: str) -> Any:
    if not LITERAL.fullmatch(content) or (content[-1].isdigit() and len(content) > LONGEST_NUMBER):
        return content
    try:
        return json.loads(content)
    except ValueError:  # 007, or a list that is not closed
        raise BadTable(
            t(
                "{file}, line {line}: {cell} is neither a text nor a number nor a list.",
                file=file,
                line=line,
                cell=short(content),
            )
        ) from None


def to_toml(data: Mapping[str, Any]) -> str:
    """Returns the file that tomllib would read so: [tables], [[entries]] and their fields, a line each."""
    lines = []
    for name, value in data.items():
        for entry in value if isinstance(value, list) else [value]:
            lines.append(f"[[{name}]]" if isinstance(value, list) else f"[{name}]")
            lines += [f"{field} = {_written(found)}" for field, found in entry.items() if found is not None]
    return "\n".join(lines) + "\n"


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_written(found)}" for name, found in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
