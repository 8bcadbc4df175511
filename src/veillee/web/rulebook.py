"""The rulebook of a box as a page: every rule an anchored paragraph, our rulings marked as such."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

RULE = re.compile(r"^\[([A-Z]{2}-[0-9]+(?:\.[0-9]+)*[a-z]?)\](?:\{(ruling|fact|reconstruction)\})?\s*")
CITED = re.compile(r"\b[A-Z]{2}-[0-9]+(?:\.[0-9]+)+[a-z]?\b")


@dataclass(frozen=True)
class Chapter:
    anchor: str
    title: str


@dataclass(frozen=True)
class Rulebook:
    title: str
    html: Markup
    chapters: Sequence[Chapter]
    rules: dict[str, Markup]  # a rule's id -> its paragraph's text
    marked: dict[str, list[str]]  # "ruling" | "fact" | "reconstruction" -> the ids of the rules marked so


@cache
def rulebook(folder: Path, lang: str, badges: tuple[tuple[str, str], ...]) -> Rulebook | None:
    """The rulebook in `folder`, or None if it has none in this language. `badges`: each mark and its word."""
    file = folder / f"{lang}.md"
    if not file.exists():
        return None
    return parse(file.read_text("utf-8"), dict(badges))


def parse(source: str, badges: dict[str, str]) -> Rulebook:
    md = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    tokens = md.parse(source)
    title = ""
    chapters: list[Chapter] = []
    rules: dict[str, Markup] = {}
    marked: dict[str, list[str]] = {mark: [] for mark in badges}
    known = set(re.findall(r"^\s*(?:[-*]\s+)?\[([A-Z]{2}-[0-9.]+[a-z]?)\]", source, re.MULTILINE))
    for number, token in enumerate(tokens):
        inline = tokens[number + 1] if number + 1 < len(tokens) else token
        if token.type == "heading_open":
            text = inline.content
            if token.tag == "h1":
                title = text
                continue
            if token.tag == "h2":
                chapters.append(Chapter(f"c{len(chapters) + 1}", text))
                token.attrSet("id", chapters[-1].anchor)
        elif token.type == "table_open":
            token.attrSet("tabindex", "0")  # a wide table scrolls: it must be reached by keyboard
        elif token.type == "paragraph_open" and (found := RULE.match(inline.content)):
            rule, mark = found[1], found[2]
            token.attrSet("id", rule)
            token.attrSet("class", f"rule-text {mark or ''}".strip())
            strip(inline, len(found[0]))
            cite(inline, known - {rule})
            rules[rule] = Markup(md.renderer.render([inline], md.options, {}))  # noqa: S704 - our own text, rendered
            head = f'<a class="rule-id" href="#{rule}">{rule}</a> '
            if mark:
                marked[mark].append(rule)
                head += f'<span class="badge {mark}">{escape(badges[mark])}</span> '
            assert inline.children is not None
            inline.children.insert(0, Token("html_inline", "", 0, content=head))
        elif token.type == "inline" and not (number and tokens[number - 1].type in ("heading_open", "paragraph_open")):
            cite(token, known)
    body = without_title(tokens)
    html = Markup(md.renderer.render(body, md.options, {}))  # noqa: S704 - our own text, rendered
    return Rulebook(title, html, chapters, rules, {mark: ids for mark, ids in marked.items() if ids})


def without_title(tokens: list[Token]) -> list[Token]:
    """The page has its own title."""
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        return tokens[3:]
    return tokens


def strip(inline: Token, length: int) -> None:
    """Take the rule's mark off the front of the text."""
    assert inline.children
    for child in inline.children:
        taken = child.content[:length]
        child.content = child.content[length:]
        length -= len(taken)
        if length <= 0:
            return


def cite(inline: Token, known: set[str]) -> None:
    """Make every rule named in a text a link to it."""
    children: list[Token] = []
    for child in inline.children or []:
        if child.type != "text":
            children.append(child)
            continue
        at = 0
        for found in CITED.finditer(child.content):
            if found[0] not in known:
                continue
            children.append(Token("text", "", 0, content=child.content[at : found.start()]))
            children.append(Token("html_inline", "", 0, content=f'<a class="rule" href="#{found[0]}">{found[0]}</a>'))
            at = found.end()
        children.append(Token("text", "", 0, content=child.content[at:]))
    inline.children = children
