"""Cache of rendered templates (ADR 15): output is stored under all input of the template.

A sheet is the template of one part. The names that it reads, and of the view the keys, are found by parsing the
template. It gets those and no others, so that they alone decide whether the output would be the same, for any audience
at any table. A piece is a macro that a box marks as worth caching: `{% set tile = kept(tile) %}` after its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from sys import getsizeof
from typing import Any, Protocol

import jinja2
import msgspec
from jinja2 import meta, nodes
from markupsafe import Markup

MOST_SHEETS = 32 << 20  # bytes
MOST_PIECES = 32 << 20
QUESTION = frozenset({"choice", "find", "every", "choices"})  # names that read what a seat is asked
ASKED = "asked"  # the name that also reads which answers have been placed
VIEW = "v"


class GenerationCache:
    """Cache limited in bytes. Entries that are used again outlive those that are not.

    Two generations: when the young one is full it replaces the old one, which is dropped. Safe from any thread without
    a lock: each step is a single dict operation, and an entry lost in a race is made again.
    """

    def __init__(self, most: int) -> None:
        self.half = most // 2
        self.young: dict[tuple[int, bytes], tuple[Any, int]] = {}
        self.old: dict[tuple[int, bytes], tuple[Any, int]] = {}
        self.size = 0

    def get(self, key: tuple[int, bytes]) -> Any:
        """Returns the value; None: it is not there."""
        found = self.young.get(key)
        if found is not None:
            return found[0]
        found = self.old.get(key)
        if found is None:
            return None
        self.put(key, *found)
        return found[0]

    def put(self, key: tuple[int, bytes], value: Any, size: int) -> None:
        if self.size > self.half:
            self.old, self.young, self.size = self.young, {}, 0
        self.young[key] = (value, size)
        self.size += size

    def clear(self) -> None:
        self.old, self.young, self.size = {}, {}, 0


SHEETS, PIECES = GenerationCache(MOST_SHEETS), GenerationCache(MOST_PIECES)
_numbers = count()


def _plain(value: object) -> object:
    """Encodes Markup, so that it differs from unescaped text. Raises TypeError for anything else, as it might change
    unnoticed."""
    if isinstance(value, Markup):
        return {"": str(value)}
    raise TypeError(f"A template is given a {type(value).__name__}: it cannot be told whether it changes.")


_encode = msgspec.msgpack.Encoder(enc_hook=_plain).encode


NamesRead = tuple[frozenset[str], frozenset[str] | None]  # what names_read() returns


class Question(Protocol):
    """What a seat is asked, as far as a sheet needs it."""

    placed: set[int]

    @property
    def plain(self) -> object:
        """All of it that can be printed."""


class CachedTemplate:
    """The template of a part. Use `environment(…).sheet(name)`."""

    def __init__(self, env: jinja2.Environment, name: str, read: NamesRead) -> None:
        self.template = env.get_template(name)
        names, self.keys = read
        self.asks, self.places = bool(names & {*QUESTION, ASKED}), ASKED in names
        self.view = VIEW in names
        self.plain = sorted(names - QUESTION - {ASKED, VIEW})
        self.of_question = sorted(names & {*QUESTION, ASKED})
        self.number = next(_numbers)

    def draw(self, values: Mapping[str, Any], question: Question | None = None) -> str:
        """Renders the part, or returns it from the cache. `question`: what the names of a question in `values` read;
        the answers that the sheet places are marked in it."""
        given = {name: values[name] for name in self.plain if name in values}
        if self.view:
            view = values[VIEW]
            given[VIEW] = view if self.keys is None else {key: view[key] for key in self.keys if key in view}
        if question is None or not self.asks:
            key = (self.number, _encode(given))
            text: str | None = SHEETS.get(key)
            if text is None:
                text = self.template.render(given)
                SHEETS.put(key, text, getsizeof(text) + len(key[1]))
            return text
        before = sorted(question.placed) if self.places else ()
        key = (self.number, _encode((given, question.plain, before)))
        known: tuple[str, frozenset[int]] | None = SHEETS.get(key)
        if known is None:
            others, question.placed = question.placed, set(before)
            text = self.template.render(given | {name: values[name] for name in self.of_question if name in values})
            known = (text, frozenset(question.placed))
            question.placed = others
            SHEETS.put(key, known, getsizeof(text) + len(key[1]))
        question.placed |= known[1]
        return known[0]


def names_read(env: jinja2.Environment, name: str) -> NamesRead:
    """Returns the names that a template and its includes read, and the keys of the view (None: perhaps all)."""
    assert env.loader is not None
    tree = env.parse(env.loader.get_source(env, name)[0])
    names = set(meta.find_undeclared_variables(tree)) - set(env.globals)
    of_view = [node for node in tree.find_all(nodes.Getattr) if _is_view(node.node)]
    keys: set[str] | None = {node.attr for node in of_view}
    if sum(_is_view(node) for node in tree.find_all(nodes.Name)) != len(of_view):
        keys = None
    for node in tree.find_all(nodes.Include):
        if not isinstance(node.template, nodes.Const):
            raise jinja2.TemplateAssertionError("What a part includes is named in the template.", node.lineno, name)
        more, theirs = names_read(env, node.template.value)
        names |= more
        keys = None if keys is None or theirs is None else keys | theirs
    return frozenset(names), None if keys is None else frozenset(keys)


def _is_view(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name == VIEW


def cache_macro(macro: Callable[..., str]) -> Callable[..., str]:
    """Returns the macro, cached by its arguments. They must be all that it reads, apart from constants."""
    number = next(_numbers)

    def piece(*args: Any, **named: Any) -> str:
        key = (number, _encode((args, named) if named else args))
        text: str | None = PIECES.get(key)
        if text is None:
            text = macro(*args, **named)
            PIECES.put(key, text, getsizeof(text) + len(key[1]))
        return text

    return piece
