"""Owners' files: content with which the owner of a box may replace our reconstruction.

Such a file is TOML. It says which box it is for, its format version, and its name:

    [content]
    game = "tales-of-glory"
    version = 1
    fr = "Ma boîte"
    en = "My box"

The rest depends on the game: its `ContentKind` reads it from a `Reader`, which collects every error with the file, the
line, the entry and the field. A file with errors is refused. What is only unwise is accepted, with a warning. Every
accepted file can be played to the end of every game: veillee/conformance/test_contents.py.

Content is identified by a fingerprint of what it means for play. Positions, tables and records name it, so that a game
is continued or replayed only with the content it began with.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeGuard

from veillee.games.box import Names, Option
from veillee.words import LANGUAGES, Sayable, Sentence, sentences

BUILT_IN = "veillee"  # id of the content of the box
HEADER = "content"
MOST_LETTERS = 80  # characters of an id or a name
HEADER_FIELDS = ("game", "version", *LANGUAGES)

ENTRY = re.compile(r"\s*\[\[\s*[\"']?([\w-]+)[\"']?\s*\]\]")
TABLE = re.compile(r"\s*\[\s*[\"']?([\w-]+)[\"']?\s*\]")
FIELD = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")

Lines = dict[str, int]  # line number of each field of an entry; under "" that of the entry itself

t: Callable[..., Sentence] = sentences(Path(__file__).parent / "locale")


@dataclass(frozen=True, eq=False)
class Content:
    """Content of one file."""

    id: str  # BUILT_IN, or "own-" and a fingerprint, which does not depend on names
    names: Names
    file: str  # the name of the file
    text: str  # what is in it
    body: Any  # as parsed by the game
    warnings: tuple[Sentence, ...] = ()
    former: tuple[str, ...] = ()  # ids of the same file in earlier versions of this package


class ContentKind:
    """Replaceable content of a game: how its files are read, and the contents that are loaded."""

    def __init__(
        self,
        *,
        game: str,
        version: int,
        option: Option,
        file: Path,
        tables: Sequence[str],
        read: Callable[[Reader], Any],
        meaning: Callable[[Any], object],
        put: Callable[[Content, str], None],
        headers: Sequence[str] = (HEADER,),
        former: Callable[[str], Sequence[str]] = lambda _: (),
    ) -> None:
        """Reads the built-in content at once: an error in it is a bug."""
        self.game = game  # the id of the box
        self.version = version  # format version of such files
        self.option = option  # by which a table selects a content; its values are those offered, the default first
        self.file = file  # the built-in one
        self.tables: tuple[str, ...] = tuple(tables)  # the names of its [[entries]]
        self.headers: tuple[str, ...] = tuple(headers)  # names of the header table, the present one first
        self._read = read  # parses the body; errors go to the reader
        self._meaning = meaning  # of a body: all that play depends on, as plain data
        self._put = put  # registers a content with the rules under that id; again if it was renamed
        self._former = former  # of a file's text
        self.sets: dict[str, Content] = {}  # by every id, including former ones
        self.offered: list[Content] = []  # in the order in which they were added
        self._fill()

    def _fill(self) -> None:
        text = self.file.read_text(encoding="utf-8")
        reader = Reader.of(self.file.name, text)
        reader.ours = True
        content = self.read(reader, text, BUILT_IN)
        assert content is not None, "\n".join(map(str, reader.errors))
        self.add(content)

    def read(self, reader: Reader, text: str, id_: str = "") -> Content | None:
        """Returns the content of a file; None: the reader has its errors. Does not add it."""
        names = self.names(reader)
        reader.root.only((*self.headers, *self.tables))
        body = self._read(reader)
        if reader.errors:
            return None
        former = () if id_ else tuple(self._former(text))
        own = id_ or f"own-{fingerprint(self._meaning(body))}"
        return Content(own, names, reader.file, text, body, tuple(reader.warnings), former)

    def names(self, reader: Reader) -> Names:
        """Returns the names of the content. A file without a header, as in the first format, gets a default name."""
        header = reader.single(next((name for name in self.headers if name in reader.data), HEADER))
        if not header.values:
            header.unwise("game", t("it does not say which game it is for: add {lines}", lines=self.opening()))
            return {"fr": "Contenu de votre boîte", "en": "What is in your own box"}
        header.only(HEADER_FIELDS)
        return header.named()

    def opening(self) -> str:
        """How such a file begins."""
        return f'[{HEADER}] game = "{self.game}" version = {self.version} fr = "…" en = "…"'

    def know(self, content: Content) -> None:
        """Makes games that name it playable. If the same content is known already, it is renamed."""
        for id_ in (content.id, *content.former):
            self._put(content, id_)
            self.sets[id_] = content

    def add(self, content: Content) -> None:
        """Offers it for new games, as their default."""
        self.know(content)
        self.offered[:] = [one for one in self.offered if one.id != content.id] + [content]
        self.option.values.clear()
        self.option.values.update({one.id: one.names for one in reversed(self.offered)})

    @property
    def own(self) -> list[Content]:
        """The owners' contents that are offered."""
        return self.offered[1:]

    def built_in(self) -> str:
        """Returns the text of the built-in file, for an owner to begin from."""
        return self.file.read_text(encoding="utf-8")


def fingerprint(meaning: object) -> str:
    return blake2b(repr(meaning).encode(), digest_size=6).hexdigest()


class Reader:
    """A file being read: its tables, errors and warnings."""

    def __init__(self, file: str, data: dict[str, Any], text: str = "") -> None:
        """text: for line numbers."""
        self.file = file
        self.data = data
        self.ours = False  # the built-in file: slow checks are left to the tests, not done at every start
        self.errors: list[Sentence] = []
        self.warnings: list[Sentence] = []
        self._lines = find_lines(text)
        self.root: Row = Row(self, "", data, self._lines.get("", [{}])[0])

    @classmethod
    def of(cls, file: str, text: str) -> Reader:
        """Parses TOML. Raises ValueError, RecursionError."""
        return cls(file, tomllib.loads(text), text)

    def take_lines(self, lines: dict[str, list[Lines]]) -> None:
        """Replaces the line numbers, for content that was not written as TOML."""
        self._lines = lines

    def rows(self, table: str, label: Callable[[int, dict[str, Any]], Sayable | str]) -> list[Row]:
        """Returns the entries [[table]]; `label` names one for messages, by its number from 1 and its fields."""
        found = self.data.get(table, [])
        if not isinstance(found, list) or not all(isinstance(values, dict) for values in found):
            self.root.wrong(table, t("expected entries {header}.", header=f"[[{table}]]"))
            return []
        lines = self._lines.get(table, [])
        if len(lines) != len(found):  # written in another way than with [[table]]
            lines = [{}] * len(found)
        return [Row(self, label(n, values), values, lines[n - 1]) for n, values in enumerate(found, 1)]

    def single(self, table: str) -> Row:
        """Returns the one [table]; without fields if it is missing."""
        found = self.data.get(table, {})
        if not isinstance(found, dict):
            self.root.wrong(table, t("expected one table {header}.", header=f"[{table}]"))
            found = {}
        lines = self._lines.get(table, [{}])[0]
        return Row(self, "", found, lines, f"{table}.")


class Row:
    """An entry of a file, with its line numbers."""

    def __init__(
        self, reader: Reader, label: Sayable | str, values: dict[str, Any], lines: Lines, prefix: str = ""
    ) -> None:
        self.reader = reader
        self.label = label  # "tile 'purse'"; empty for the file as a whole
        self.values = values
        self.lines = lines
        self.prefix = prefix  # of its fields' names in messages

    def get(self, field: str, default: Any = None) -> Any:
        return self.values.get(field, default)

    def wrong(self, field: str, what: Sentence) -> None:
        self.reader.errors.append(self._told(field, what))

    def unwise(self, field: str, what: Sentence) -> None:
        self.reader.warnings.append(self._told(field, what))

    def _told(self, field: str, what: Sentence) -> Sentence:
        line = self.lines.get(field.partition(".")[0]) or self.lines.get("")
        file = self.reader.file
        place: Sayable | str = t("{file}, line {line}", file=file, line=line) if line else file
        name = short(self.prefix + field)
        if not self.label:
            return t("{place}, field {field}: {what}", place=place, field=name, what=what)
        return t("{place}: {entry}, field {field}: {what}", place=place, entry=self.label, field=name, what=what)

    # -- fields ---------------------------------------------------------------------------------------------
    def only(self, known: Sequence[str]) -> None:
        """Reports fields other than these."""
        for unknown in sorted(self.values.keys() - set(known)):
            self.wrong(unknown, t("is unknown; expected one of {known}.", known=", ".join(known)))

    def word(self, field: str, known: Sequence[str] = ()) -> str:
        """Returns a name, or one of these words; empty if it is wrong."""
        value = self.get(field)
        if known and value not in known:
            self.wrong(field, t("expected one of {known}, found {found}.", known=", ".join(known), found=short(value)))
        elif not known and not is_name(value):
            expected = t(
                "expected a name of at most {most} letters, found {found}.", most=MOST_LETTERS, found=short(value)
            )
            self.wrong(field, expected)
        else:
            return str(value)
        return ""

    def whole(self, field: str, least: int, most: int) -> int:
        """Returns a whole number within these bounds; the least one if it is wrong."""
        value = self.get(field, 0)
        if type(value) is int and least <= value <= most:
            return value
        bounds = {"least": least, "most": most, "found": short(self.get(field))}
        self.wrong(field, t("expected a whole number from {least} to {most}, found {found}.", **bounds))
        return least

    def named(self) -> Names:
        """Returns its names: the fields fr and en."""
        return {lang: self.word(lang) for lang in LANGUAGES}

    def texts(self, field: str, most: int) -> Names:
        """Returns a field { fr = "…", en = "…" } of at most so many characters."""
        value = self.get(field)
        if not isinstance(value, dict) or value.keys() != set(LANGUAGES):
            self.wrong(field, t('expected {{ fr = "…", en = "…" }}, found {found}.', found=short(value)))
            return dict.fromkeys(LANGUAGES, "?")
        for lang, text in value.items():
            if not is_text(text, most):
                said = t("expected a text of at most {most} letters, found {found}.", most=most, found=short(text))
                self.wrong(f"{field}.{lang}", said)
        return {lang: str(value[lang]) for lang in LANGUAGES}


def find_lines(text: str) -> dict[str, list[Lines]]:
    """Returns the line numbers of the entries of each table and of their fields, for the usual TOML layout; for
    messages only."""
    here: Lines = {}
    found: dict[str, list[Lines]] = {"": [here]}
    for number, line in enumerate(text.split("\n"), 1):
        if header := ENTRY.match(line) or TABLE.match(line):
            here = {"": number}
            found.setdefault(header[1], []).append(here)
        elif field := FIELD.match(line):
            here.setdefault(field[1], number)
    return found


def short(found: object) -> str:
    """Returns the repr of what was found, truncated."""
    told = repr(found)
    return told if len(told) <= MOST_LETTERS else f"{told[:MOST_LETTERS]}…"


def is_text(text: object, most: int) -> TypeGuard[str]:
    return isinstance(text, str) and 0 < len(text.strip()) <= most and text.isprintable()


def is_name(text: object) -> TypeGuard[str]:
    return is_text(text, MOST_LETTERS) and len(text) <= MOST_LETTERS
