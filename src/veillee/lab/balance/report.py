"""Report of a balance study: Markdown with SVG charts, or one HTML page; deterministic for the same games."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import astuple
from html import escape
from pathlib import Path
from typing import Any

from veillee.lab.balance import Chapter, Comparison, Criterion, say
from veillee.lab.balance.statistics import Figure
from veillee.words import LANGUAGES

WIDTH, ROW, LABEL, FIGURE = 720, 22, 210, 90
PAPER, INK, SOFT, FILL, BAND, BAD = "#fbf7ef", "#3b322c", "#6f6359", "#b5562b", "#e9dfd0", "#7d2438"
DARK = {PAPER: "#241f1b", INK: "#efe6d8", SOFT: "#b3a698", FILL: "#e0824f", BAND: "#40372f", BAD: "#f08aa0"}


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def points(value: float) -> str:
    """Formats a difference of shares in percentage points."""
    return f"{100 * value:+.1f}"


def number(value: float) -> str:
    return f"{value:.1f}"


def signed_number(value: float) -> str:
    return f"{value:+.1f}"


# -- charts ---------------------------------------------------------------------------------------------------------
def whiskers(
    rows: Sequence[tuple[str, Figure]], mark: float | None = None, said: Callable[[float], str] = percent
) -> str:
    """Draws a dot for each value and a line for its interval; values whose interval excludes the mark are drawn as
    squares in another colour."""
    ends = [end for _, figure in rows for end in (figure.low, figure.high)] + ([] if mark is None else [mark])
    least, most = min(ends), max(ends)
    span = WIDTH - LABEL - FIGURE - 20

    def x(value: float) -> float:
        return LABEL + 10 + span * ((value - least) / (most - least) if most > least else 0.5)

    height = ROW * len(rows) + 10
    parts = [_open(height)]
    if mark is not None:
        parts.append(f'<rect x="{x(mark) - 1:.1f}" y="0" width="2" height="{height}" fill="{SOFT}"/>')
    for n, (name, figure) in enumerate(rows):
        y = 5 + ROW * n
        out = mark is not None and figure.beside(mark)
        colour = BAD if out else FILL
        wide = x(figure.high) - x(figure.low)
        parts.append(_label(name, y))
        parts.append(
            f'<rect x="{x(figure.low):.1f}" y="{y + 10}" width="{wide:.1f}" height="2" fill="{colour}"/>'
            f'<rect x="{x(figure.value) - 5:.1f}" y="{y + 6}" width="10" height="10" rx="{0 if out else 5}" fill="{colour}"/>'
            f'<text x="{WIDTH - FIGURE + 10}" y="{y + 16}" fill="{INK}">{said(figure.value)}</text>'
        )
    return "".join([*parts, "</svg>\n"])


def bars(
    rows: Sequence[tuple[str, float]], low: float | None = None, high: float | None = None, unit: str = "%"
) -> str:
    """Draws horizontal bars from 0, with the band in which they should end."""
    most = max([value for _, value in rows] + [high or 0.0]) * 1.05 or 1.0
    span = WIDTH - LABEL - FIGURE

    def x(value: float) -> float:
        return LABEL + span * max(value, 0.0) / most

    height = ROW * len(rows) + 10
    parts = [_open(height)]
    if low is not None and high is not None:
        parts.append(f'<rect x="{x(low):.1f}" y="0" width="{x(high) - x(low):.1f}" height="{height}" fill="{BAND}"/>')
    for n, (name, value) in enumerate(rows):
        y = 5 + ROW * n
        inside = low is None or high is None or low <= value <= high
        said = f"{100 * value:.1f} %" if unit == "%" else f"{value:.1f}"
        parts.append(_label(name, y))
        parts.append(
            f'<rect x="{LABEL}" y="{y + 4}" width="{x(value) - LABEL:.1f}" height="{ROW - 8}" rx="3" '
            f'fill="{FILL if inside else BAD}"/>'
        )
        parts.append(f'<text x="{x(value) + 6:.1f}" y="{y + 16}" fill="{INK}">{said}</text>')
    return "".join([*parts, "</svg>\n"])


def swings(rows: Sequence[tuple[str, float]], limit: float) -> str:
    """Draws bars to the left and right of 0, in points, with the limit on either side."""
    most = max([abs(value) for _, value in rows] + [limit]) * 1.1
    middle = LABEL + (WIDTH - LABEL - FIGURE) / 2
    scale = (WIDTH - LABEL - FIGURE) / 2 / most
    height = ROW * len(rows) + 10
    band = limit * scale
    parts = [
        _open(height),
        f'<rect x="{middle - band:.1f}" y="0" width="{2 * band:.1f}" height="{height}" fill="{BAND}"/>',
    ]
    for n, (name, value) in enumerate(rows):
        y = 5 + ROW * n
        left = middle + min(value, 0.0) * scale
        parts.append(_label(name, y))
        parts.append(
            f'<rect x="{left:.1f}" y="{y + 4}" width="{abs(value) * scale:.1f}" height="{ROW - 8}" rx="3" '
            f'fill="{FILL if abs(value) <= limit else BAD}"/>'
        )
        parts.append(f'<text x="{WIDTH - FIGURE + 10}" y="{y + 16}" fill="{INK}">{100 * value:+.1f}</text>')
    return "".join([*parts, "</svg>\n"])


def columns(counts: Sequence[tuple[str, int]], marks: Sequence[str] = ()) -> str:
    """Draws a histogram; the columns named in `marks` are highlighted."""
    most = max(count for _, count in counts) or 1
    wide = (WIDTH - 20) / len(counts)
    height = 220
    parts = [_open(height)]
    for n, (name, count) in enumerate(counts):
        tall = 180 * count / most
        x = 10 + wide * n
        parts.append(
            f'<rect x="{x + 1:.1f}" y="{190 - tall:.1f}" width="{wide - 2:.1f}" height="{tall:.1f}" '
            f'fill="{BAD if name in marks else FILL}"/>'
        )
        if n % max(1, len(counts) // 12) == 0:
            parts.append(
                f'<text x="{x + wide / 2:.1f}" y="208" text-anchor="middle" fill="{SOFT}">{escape(name)}</text>'
            )
    return "".join([*parts, "</svg>\n"])


def _open(height: int) -> str:
    night = " ".join(f'[fill="{day}"] {{fill: {dark}}}' for day, dark in DARK.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="Source Sans 3, system-ui, sans-serif" font-size="13">'
        f"<style>@media (prefers-color-scheme: dark) {{{night}}}</style>"
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    )


def _label(name: str, y: int) -> str:
    return f'<text x="{LABEL - 8}" y="{y + 16}" text-anchor="end" fill="{INK}">{escape(name)}</text>'


# -- text -----------------------------------------------------------------------------------------------------------
def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(map(_cell, head)) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(_cell, row)) + " |" for row in rows])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def verdicts(criteria: Sequence[Criterion]) -> Chapter:
    """Returns the chapter of criteria, and whether each holds."""
    rows = []
    for c in criteria:
        wanted = f"{c.said(c.low)} to {c.said(c.high)}" if c.low > float("-inf") else f"at most {c.said(c.high)}"
        if c.high == float("inf"):
            wanted = f"at least {c.said(c.low)}"
        found = c.said(c.value) + (f" ± {c.said(c.sure)}" if c.sure else "")
        rows.append([c.plan, c.name, found, wanted, "holds" if c.holds else "**missed**"])
    missed = sum(not c.holds for c in criteria)
    text = (
        f"{len(criteria) - missed} of {len(criteria)} criteria hold; what was missed is marked."
        if missed
        else f"All {len(criteria)} criteria hold."
    )
    return Chapter("Criteria", text, ["games", "criterion", "measured", "wanted", ""], rows)


def write(
    path: Path, title: str, opening: str, command: str, criteria: Sequence[Criterion], chapters: Sequence[Chapter]
) -> list[Path]:
    """Writes the report, with its charts beside it unless it is HTML; as JSON its chapters without the charts. Returns
    the written files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if criteria:
        chapters = [verdicts(criteria), *chapters]
    if path.suffix == ".json":
        path.write_text(_json(title, opening, command, chapters), encoding="utf-8")
        return [path]
    if path.suffix == ".html":
        path.write_text(page(title, opening, command, chapters), encoding="utf-8")
        return [path]
    lines = [f"# {title}", "", opening, "", "Made by:", "", f"    {command}", ""]
    files = [path]
    for chapter in chapters:
        lines += [f"## {chapter.title}", ""]
        if chapter.text:
            lines += [str(chapter.text), ""]
        if chapter.points:
            lines += [*(f"- {point}" for point in chapter.points), ""]
        if chapter.picture:
            picture = path.with_name(f"{path.stem}-{chapter.name}.svg")
            picture.write_text(chapter.picture, encoding="utf-8")
            files.append(picture)
            lines += [f"![{chapter.title}]({picture.name})", ""]
        if chapter.rows:
            lines += [table(chapter.head, chapter.rows), ""]
    path.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")
    return files


def _json(title: str, opening: str, command: str, chapters: Sequence[Chapter]) -> str:
    told = [
        {
            "name": chapter.name,
            "title": str(chapter.title),
            "text": _plain(str(chapter.text)),
            "words": {lang: {"title": say(chapter.title, lang), "text": say(chapter.text, lang)} for lang in LANGUAGES},
            "points": [_plain(point) for point in chapter.points],
            "head": list(chapter.head),
            "rows": [[_plain(cell) for cell in row] for row in chapter.rows],
            "mark": chapter.mark,
            "comparisons": [_comparison(one) for one in chapter.comparisons],
        }
        for chapter in chapters
    ]
    report = {"title": title, "opening": _plain(opening), "command": command, "chapters": told}
    return json.dumps(report, ensure_ascii=False, indent=1) + "\n"


def _comparison(one: Comparison) -> dict[str, Any]:
    return {
        "name": {lang: say(one.name, lang) for lang in LANGUAGES},
        "ruling": {lang: say(one.ruling, lang) for lang in LANGUAGES},
        "is_share": one.is_share,
        "first": astuple(one.first) if one.first else None,
        "second": astuple(one.second) if one.second else None,
        "difference": astuple(one.difference) if one.difference else None,
        "is_same": one.is_same,
    }


def _plain(text: str) -> str:
    """Removes the subset of Markdown used here."""
    return text.replace("`", "").replace("**", "")


# -- HTML -----------------------------------------------------------------------------------------------------------
STYLE = f"""
:root {{ color-scheme: light dark; --paper: {PAPER}; --ink: {INK}; --soft: {SOFT}; --band: {BAND}; --bad: {BAD}; }}
@media (prefers-color-scheme: dark) {{
  :root {{
    --paper: {DARK[PAPER]}; --ink: {DARK[INK]}; --soft: {DARK[SOFT]}; --band: {DARK[BAND]}; --bad: {DARK[BAD]};
  }}
}}
body {{
  max-width: 52rem; margin: 0 auto; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 "Source Sans 3", system-ui, sans-serif;
}}
code, pre {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
figure {{ margin: 1rem 0; }}
svg {{ max-width: 100%; height: auto; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 0.2rem 0.8rem 0.2rem 0; white-space: nowrap; text-align: start; border-bottom: 1px solid var(--band); }}
thead th {{ color: var(--soft); }}
tbody th {{ font-weight: normal; }}
strong {{ color: var(--bad); }}
"""


def page(title: str, opening: str, command: str, chapters: Sequence[Chapter]) -> str:
    """Returns the report as one HTML file with light and dark colours; each chart precedes the table with the same
    data."""
    parts = [
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>',
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>{STYLE}</style>',
        f"<main>\n<h1>{escape(title)}</h1>\n<p>{_markdown_to_html(opening)}</p>\n<p>Made by:</p>",
        f"<pre><code>{escape(command)}</code></pre>",
    ]
    for n, chapter in enumerate(chapters):
        parts.append(f'<section aria-labelledby="c{n}">\n<h2 id="c{n}">{escape(str(chapter.title))}</h2>')
        if chapter.text:
            parts.append(f"<p>{_markdown_to_html(str(chapter.text))}</p>")
        if chapter.points:
            parts.append("<ul>" + "".join(f"<li>{_markdown_to_html(point)}</li>" for point in chapter.points) + "</ul>")
        if chapter.picture:
            label = escape(
                f"Picture: {chapter.title}" + (", as in the table below" if chapter.rows else ""), quote=True
            )
            picture = chapter.picture.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1).strip()
            parts.append(f"<figure>{picture}</figure>")
        if chapter.rows:
            parts.append(_html_table(chapter, n))
        parts.append("</section>")
    return "\n".join([*parts, "</main>\n</html>\n"])


def _html_table(chapter: Chapter, n: int) -> str:
    """Returns the table with row headers: the first column, and the second if the first is the kind of games."""
    headed = 2 if chapter.head[0] == "games" else 1
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in chapter.head)
    rows = []
    for row in chapter.rows:
        cells = [f'<th scope="row">{_markdown_to_html(cell)}</th>' for cell in row[:headed]]
        rows.append(
            "<tr>" + "".join([*cells, *(f"<td>{_markdown_to_html(cell)}</td>" for cell in row[headed:])]) + "</tr>"
        )
    body = "\n".join(rows)
    return (
        f'<div class="wide" role="region" aria-labelledby="c{n}" tabindex="0"><table aria-labelledby="c{n}">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _markdown_to_html(text: str) -> str:
    """Converts the subset of Markdown used here to HTML."""
    text = re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
