"""Renders the rulebook of a box: every rule is an anchored paragraph, and what is not the publisher's rule is
marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape

from veillee.games.rulebook import HEAD, ID, MARKS, PART, book, rules
from veillee.words import tied

CITED = re.compile(rf"\b{ID}\b")
PICTURE_SHAPES = ("wide", "square", "broad", "low")  # of pictures; the last two keep their width and scroll sideways
POSITION = "position:"  # prefix of a position that a board draws (web/rendering/rulebook_positions.py)


@dataclass(frozen=True)
class Place:
    anchor: str
    title: str


@dataclass(frozen=True)
class Rulebook:
    title: str
    html: Markup
    badges: dict[str, str]  # mark -> label
    chapters: Sequence[Place]
    rules: Sequence[str]  # rule ids
    marked: dict[str, list[Place]]  # each mark that is used -> the rules (elsewhere: the chapters) that have it

    @property
    def about(self) -> Markup:
        """Returns what stands before the first chapter: what the game is, and how one wins."""
        return Markup(str(self.html).partition("<h2")[0])  # noqa: S704 - a part of it

    @property
    def brief(self) -> Markup:
        """Returns the first chapter if it is a turn in brief: one numbered list; else nothing."""
        chapter = str(self.html).partition("</h2>")[2].partition("<h2")[0].strip()
        is_list = chapter.startswith("<ol>") and chapter.endswith("</ol>")
        return Markup(chapter if is_list else "")  # noqa: S704 - a part of it


@cache
def rulebook(folder: Path, lang: str, badges: tuple[tuple[str, str], ...], pictures: str = "") -> Rulebook | None:
    """Returns the rulebook of the box in `folder`, or None if it has none in this language. `pictures`: the address of
    the positions that it shows."""
    source = book(folder, lang)
    return None if source is None else parse(source, dict(badges), pictures)


def parse(source: str, badges: dict[str, str], pictures: str = "") -> Rulebook:
    md = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    md.inline.ruler.before("link", "part", part)
    env = {mark: f'<span class="badge {mark}">{escape(word)}</span> ' for mark, word in badges.items()}
    tokens = md.parse(tied(source), env)
    ids = [rule.id for rule in rules(source)]
    known = set(ids)
    title = ""
    chapters: list[Place] = []
    marked: dict[str, list[Place]] = {mark: [] for mark in MARKS}
    for number, token in enumerate(tokens):
        before = tokens[number - 1] if number else token
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # a wide table scrolls: it must be reached by keyboard
        if token.type != "inline":
            continue
        assert token.children is not None
        if before.type == "heading_open":
            if before.tag == "h1":
                title = token.content
            elif before.tag == "h2":
                chapters.append(Place(f"c{len(chapters) + 1}", token.content))
                before.attrSet("id", chapters[-1].anchor)
            continue
        if len(token.children) == 1 and position_name(token.children[0]):
            show(tokens, number, pictures)
            continue
        marks = {str(child.meta["mark"]) for child in token.children if child.type == "part_open"}
        place = chapters[-1] if chapters else Place("", title)
        found = HEAD.match(token.content) if before.type == "paragraph_open" else None
        if found is None:
            cite(token, known)
        else:
            rule, mark = found[1], found[2] or ""
            marks |= {mark} - {""}
            place = Place(rule, rule)
            strip(token, len(found[0]))
            cite(token, known - {rule})
            before.attrSet("class", f"rule-text {mark}".strip())
            before.attrSet("id", rule)
            head = f'<a class="rule-id" href="#{rule}">{rule}</a> {env.get(mark, "")}'
            token.children.insert(0, Token("html_inline", "", 0, content=head))
        for mark in marks:
            if place not in marked[mark]:
                marked[mark].append(place)
    html = Markup(md.renderer.render(without_title(tokens), md.options, env))  # noqa: S704 - our own text, rendered
    marked = {mark: places for mark, places in marked.items() if places}
    return Rulebook(title, html, badges, chapters, ids, marked)


def part(state: StateInline, silent: bool) -> bool:
    """Inline rule for `[Our own words.]{ruling}`: text with a badge that says whose it is."""
    found = PART.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        mark, end = found[2], state.posMax
        opening = state.push("part_open", "span", 1)
        opening.attrSet("class", f"part {mark}")
        opening.meta = {"mark": mark}
        state.push("html_inline", "", 0).content = state.env[mark]
        state.pos, state.posMax = found.start(1), found.end(1)
        state.md.inline.tokenize(state)
        state.posMax = end
        state.push("part_close", "span", -1)
    state.pos = found.end()
    return True


def position_name(token: Token) -> str:
    """Returns the name of the position that an image shows; empty: it is another image."""
    source = str(token.attrs.get("src", "")) if token.type == "image" else ""
    return source.removeprefix(POSITION) if source.startswith(POSITION) else ""


def show(tokens: list[Token], number: int, pictures: str) -> None:
    """Turns a paragraph that is one such image into a figure: an iframe, and its caption. Raises ValueError for an
    unknown shape."""
    (image,) = tokens[number].children or [tokens[number]]
    said, shape = escape(image.content), str(image.attrs.get("title", PICTURE_SHAPES[0]))
    if shape not in PICTURE_SHAPES:
        raise ValueError(f"A picture is one of {', '.join(PICTURE_SHAPES)}, not {shape}: {said}")
    frame = f'<iframe src="{pictures}/{escape(position_name(image))}" title="{said}" loading="lazy"></iframe>'
    for token in (tokens[number - 1], tokens[number + 1]):
        token.tag = "figure"
    tokens[number - 1].attrSet("class", f"position {shape}")
    tokens[number - 1].attrSet("tabindex", "0")
    tokens[number].children = [Token("html_inline", "", 0, content=f"{frame}<figcaption>{said}</figcaption>")]


def without_title(tokens: list[Token]) -> list[Token]:
    """Drops the title: the page has its own."""
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        return tokens[3:]
    return tokens


def strip(inline: Token, length: int) -> None:
    """Removes the rule's id and mark from the start of the text."""
    assert inline.children
    for child in inline.children:
        taken = child.content[:length]
        child.content = child.content[length:]
        length -= len(taken)
        if length <= 0:
            return


def cite(inline: Token, known: set[str]) -> None:
    """Turns every rule id in a text into a link to its rule."""
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
