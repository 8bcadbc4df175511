"""Checks the layout of the style sheets, and that their names are defined and used.

The layout: a rule with one declaration is a line; any other has a line for each declaration, and a long list of layers
or shadows a line for each of them. Lines that belong together may be kept together: one empty line is left where there
was any.

Checked: no rule is written twice in a sheet, no declaration twice in a rule; every var(--name) is set somewhere, and
every --name read; every class is used by a template, script or program. Properties and values are checked by a browser
(tests/web/browser/test_styles.py).

usage: python tools/check/check_styles.py [--write] [SOURCE]    prints the errors; --write: corrects the layout
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import tinycss2
from tinycss2.ast import Node

SOURCE = Path(__file__).resolve().parents[2] / "src" / "veillee"
WIDTH = 120
INDENT = "  "
NAME = r"-?-?[a-zA-Z_][\w-]*"
GIVERS = (".html", ".svg", ".js", ".py")  # files that may give a class to something


class Mistake(Exception):
    """Raised for text that is no valid style sheet; `line` is its line."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line


# -- reading --------------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class Item:
    """A comment, a declaration or statement (`body` is None), or a rule with the items in its braces."""

    line: int
    text: str  # a comment; a declaration without its semicolon; what stands before the braces of a rule
    body: list[Item] | None = None
    gap: bool = False  # an empty line stands before it
    beside: bool = False  # a comment behind what it is about, on the same line

    @property
    def comment(self) -> bool:
        return self.text.startswith("/*")


@dataclass(slots=True)
class Sheet:
    """A parsed style sheet."""

    path: Path
    text: str
    starts: list[int] = field(default_factory=list)  # where each line begins

    def __post_init__(self) -> None:
        self.starts = [0, *(found.end() for found in re.finditer("\n", self.text))]

    def items(self) -> list[Item]:
        tokens = tinycss2.parse_component_value_list(self.text)
        return self.within(tokens, len(self.text))

    def offset(self, token: Node) -> int:
        return self.starts[int(token.source_line) - 1] + int(token.source_column) - 1

    def within(self, tokens: Sequence[Node], end: int) -> list[Item]:
        """Returns the items of a sheet, or of a pair of braces that closes at `end`."""
        found: list[Item] = []
        begun: Node | None = None  # the first token of the item that is being read
        for number, token in enumerate(tokens):
            after = self.offset(tokens[number + 1]) if number + 1 < len(tokens) else end
            if token.type == "error":
                raise Mistake(token.source_line, token.message)
            if begun is None and token.type == "whitespace":
                continue
            if begun is None and token.type == "comment":
                self.add(found, token, self.text[self.offset(token) : after])
            elif token == ";":
                if begun is None:
                    raise Mistake(token.source_line, "a semicolon that ends nothing")
                self.add(found, begun, self.text[self.offset(begun) : self.offset(token)])
                begun = None
            elif token.type == "{} block":
                if self.text[after - 1] != "}":
                    raise Mistake(token.source_line, "the brace is never closed")
                start = begun or token
                inner = self.within(token.content, after - 1)
                self.add(found, start, self.text[self.offset(start) : self.offset(token)], inner)
                begun = None
            else:
                begun = begun or token
        if begun is not None:
            self.add(found, begun, self.text[self.offset(begun) : end])
        return found

    def add(self, found: list[Item], token: Node, text: str, body: list[Item] | None = None) -> None:
        before = self.text[: self.offset(token)]
        space = before[len(before.rstrip()) :]
        text = text.strip() if text.startswith("/*") else " ".join(text.split())
        beside = text.startswith("/*") and bool(found) and "\n" not in space
        found.append(Item(token.source_line, text, body, bool(found) and space.count("\n") > 1, beside))


def parts(text: str, at: str) -> list[str]:
    """Splits a selector or value at these signs, outside of brackets and strings."""
    found, depth, quote = [""], 0, ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        depth += 0 if quote else (sign in "([") - (sign in ")]")
        if sign in at and not depth and not quote:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found]


# -- layout ---------------------------------------------------------------------------------------------------------------
def laid_out(items: Iterable[Item], depth: int = 0) -> list[str]:
    pad = INDENT * depth
    lines: list[str] = []
    for item in items:
        if item.gap:
            lines.append("")
        if item.beside:
            lines[-1] += f"  {item.text}"
        elif item.comment:
            lines.append(pad + item.text)
        elif item.body is None:
            lines += declaration(item.text, pad)
        else:
            lines += rule(item.text, item.body, depth)
    return lines


def rule(head: str, body: list[Item], depth: int) -> list[str]:
    pad = INDENT * depth
    selectors = [head] if head.startswith("@") else parts(head, ",")
    first = f"{pad}{', '.join(selectors)} {{"
    if len(body) == 1 and body[0].body is None and not body[0].comment:
        lines = declaration(body[0].text, "")
        alone = f"{first} {lines[0]} }}"
        if len(lines) == 1 and len(alone) <= WIDTH:
            return [alone]
    heads = (
        [first] if len(first) <= WIDTH else [*(f"{pad}{one}," for one in selectors[:-1]), f"{pad}{selectors[-1]} {{"]
    )
    return [*heads, *laid_out(body, depth + 1), f"{pad}}}"]


def declaration(text: str, pad: str) -> list[str]:
    """Formats `name: value;`: rows of a grid, and values that are too long for a line, one below the other."""
    if text.startswith("@"):
        return [f"{pad}{text};"]
    name, value = split(text)
    line = f"{pad}{name}: {value};"
    rows = re.findall(r'(?:"[^"]*"|/)[^"/]*', value) if name in ("grid-template", "grid-template-areas") else []
    if len(rows) > 1:
        return [f"{pad}{name}:", *(f"{pad}{INDENT}{row.strip()}" for row in rows[:-1]), f"{pad}{INDENT}{rows[-1]};"]
    layers = parts(value, ",")
    if len(line) <= WIDTH or (len(layers) == 1 and not value.endswith(")")):
        return [line]
    if len(layers) == 1:
        return broken(f"{pad}{name}: ", value, ";", pad)
    lines = [f"{pad}{name}:"]
    for number, layer in enumerate(layers, 1):
        lines += broken(pad + INDENT, layer, "," if number < len(layers) else ";", pad + INDENT)
    return lines


def broken(before: str, layer: str, after: str, pad: str) -> list[str]:
    """Formats a layer: on one line if it fits, else a line for each argument of its function."""
    line = before + layer + after
    if len(line) <= WIDTH or not layer.endswith(")") or not re.match(r"[\w-]+\(", layer):
        return [line]
    function, _, inner = layer[:-1].partition("(")
    arguments = parts(inner, ",")
    lines = [f"{pad}{INDENT}{one}," for one in arguments[:-1]]
    return [f"{before}{function}(", *lines, f"{pad}{INDENT}{arguments[-1]}", f"{pad}){after}"]


def split(text: str) -> tuple[str, str]:
    name, _, value = text.partition(":")
    return name.strip(), value.strip()


def badly_laid_out(sheet: Sheet, items: list[Item]) -> Iterator[str]:
    """Yields the first wrongly formatted line; later ones may be consequences."""
    wanted = [*laid_out(items), ""]
    for number, (line, right) in enumerate(zip_longest(sheet.text.split("\n"), wanted, fillvalue=""), 1):
        if line != right:
            yield f"{sheet.path}:{number}: should read {right!r} (`make format` does it)"
            return


# -- what holds -------------------------------------------------------------------------------------------------------------
def wrong_in(path: Path, items: list[Item]) -> Iterator[str]:
    """Yields errors: every declaration has a name and a value, and is unique in its rule, like every selector in its sheet."""
    seen: set[str] = set()
    for item in items:
        place = f"{path}:{item.line}"
        if item.body is not None:
            yield from wrong_in(path, item.body)
            if not item.body:
                yield f"{place}: nothing in the braces of {item.text!r}"
            if item.text in seen:
                yield f"{place}: a second rule for {item.text!r}"
            if not item.text.startswith("@"):
                seen.add(item.text)
        elif not item.comment and not item.text.startswith("@"):
            name, value = split(item.text)
            if not re.fullmatch(NAME, name) or not value:
                yield f"{place}: no declaration: {item.text!r}"
            if name in seen:
                yield f"{place}: {name} is declared twice in one rule"
            seen.add(name)


@dataclass(slots=True)
class Names:
    """Names that sheets define or use, each with one of its places."""

    classes: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)  # set
    read: dict[str, str] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)  # @keyframes
    values: set[str] = field(default_factory=set)  # the words of animations

    def learn(self, path: Path, items: list[Item]) -> None:
        for item in items:
            place = f"{path}:{item.line}"
            if item.body is not None:
                if item.text.startswith("@keyframes"):
                    self.moves.setdefault(item.text.split()[1], place)
                elif not item.text.startswith("@"):
                    for name in re.findall(rf"\.({NAME})", item.text):
                        self.classes.setdefault(name, place)
                self.learn(path, item.body)
            elif not item.comment:
                name, value = split(item.text)
                if name.startswith("--"):
                    self.variables.setdefault(name, place)
                for used in re.findall(r"var\(\s*(--[\w-]+)\s*\)", value):  # one with a fallback need not be set
                    self.read.setdefault(used, place)
                for used in re.findall(r"var\(\s*(--[\w-]+)\s*,", value):
                    self.values.add(used)
                if name in ("animation", "animation-name"):
                    self.values |= set(re.findall(NAME, value))


class Given:
    """Classes that templates, pictures, scripts and programs use.

    In a program any string counts ("age 2" is age-2 as well), elsewhere any word. What is put together counts too: sp{{ n }} is sp and a number,
    "to-" ~ place is whatever begins with to-.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.words: set[str] = set()
        self.begins: set[str] = set()
        for path in paths:
            text = path.read_text("utf-8")
            if path.suffix == ".py":
                strings = [string for _, string in re.findall(r"""(["'])(.*?)\1""", text)]
                text = "\n".join(strings + [string.replace(" ", "-") for string in strings])
            self.words |= set(re.findall(NAME, text))
            self.begins |= set(re.findall(rf"""({NAME})(?:\{{\{{|\$\{{|%|["'] [~+])""", text))

    def __contains__(self, name: str) -> bool:
        return name in self.words or any(
            name.startswith(begin) and (begin.endswith("-") or name[len(begin)].isdecimal())
            for begin in self.begins - {name}
        )


def unmatched(names: Names, given: Given) -> Iterator[str]:
    for name, place in names.classes.items():
        if name not in given:
            yield f"{place}: nothing has the class {name!r}"
    for name, place in names.read.items():
        if name not in names.variables:
            yield f"{place}: nobody sets {name}"
    for name, place in names.variables.items():
        if name not in names.read and name not in names.values:
            yield f"{place}: nobody reads {name}"
    for name, place in names.moves.items():
        if name not in names.values:
            yield f"{place}: nothing moves like {name!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", type=Path, default=SOURCE)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    source: Path = asked.source.resolve()
    wrong: list[str] = []
    names = Names()
    paths = sorted(source.rglob("*.css"))
    for path in paths:
        sheet = Sheet(path, path.read_text("utf-8"))
        try:
            items = sheet.items()
        except Mistake as mistake:
            wrong.append(f"{path}:{mistake.line}: {mistake}")
            continue
        if asked.write:
            path.write_text("\n".join([*laid_out(items), ""]), "utf-8")
        else:
            wrong += badly_laid_out(sheet, items)
        wrong += wrong_in(path, items)
        names.learn(path, items)
    others = [path for path in source.rglob("*") if path.suffix in GIVERS]
    wrong += unmatched(names, Given(others))
    for line in wrong:
        print(line.replace(f"{source}/", ""))
    print(f"{len(paths)} style sheets, {len(wrong)} wrong." if wrong else f"Styles: {len(paths)} sheets in order.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
