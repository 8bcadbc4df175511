"""The report: Markdown with SVG pictures, the same for the same games."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from veillee.lab.balance import Chapter, Criterion

WIDTH, ROW, LABEL, FIGURE = 720, 22, 210, 90
INK, SOFT, FILL, BAND, BAD = "#3b322c", "#8a7d72", "#b5562b", "#e9dfd0", "#7d2438"


def bars(
    rows: Sequence[tuple[str, float]], low: float | None = None, high: float | None = None, unit: str = "%"
) -> str:
    """Horizontal bars from 0, with the band in which they should end."""
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
    """Bars to the left and right of 0, in points, with the limit on either side."""
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
    """A histogram; the columns named in `marks` stand out."""
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
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="Source Sans 3, system-ui, sans-serif" font-size="13">'
        f'<rect width="{WIDTH}" height="{height}" fill="#fbf7ef"/>'
    )


def _label(name: str, y: int) -> str:
    return f'<text x="{LABEL - 8}" y="{y + 16}" text-anchor="end" fill="{INK}">{escape(name)}</text>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def verdicts(criteria: Sequence[Criterion]) -> str:
    rows = []
    for c in criteria:
        wanted = f"{c.said(c.low)} to {c.said(c.high)}" if c.low > float("-inf") else f"at most {c.said(c.high)}"
        if c.high == float("inf"):
            wanted = f"at least {c.said(c.low)}"
        found = c.said(c.value) + (f" ± {c.said(c.sure)}" if c.sure else "")
        rows.append([c.plan, c.name, found, wanted, "holds" if c.holds else "**missed**"])
    return table(["games", "criterion", "measured", "wanted", ""], rows)


def write(
    path: Path, title: str, opening: str, command: str, criteria: Sequence[Criterion], chapters: Sequence[Chapter]
) -> list[Path]:
    """The report and its pictures beside it; the files that were written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    missed = [c for c in criteria if not c.holds]
    lines = [f"# {title}", "", opening, "", "Made by:", "", f"    {command}", "", "## Criteria", ""]
    lines.append(
        f"All {len(criteria)} criteria hold."
        if not missed
        else f"{len(criteria) - len(missed)} of {len(criteria)} criteria hold; what was missed is marked."
    )
    lines += ["", verdicts(criteria), ""]
    files = [path]
    for chapter in chapters:
        lines += [f"## {chapter.title}", ""]
        if chapter.text:
            lines += [chapter.text, ""]
        if chapter.picture:
            picture = path.with_name(f"{path.stem}-{chapter.name}.svg")
            picture.write_text(chapter.picture, encoding="utf-8")
            files.append(picture)
            lines += [f"![{chapter.title}]({picture.name})", ""]
        if chapter.rows:
            lines += [table(chapter.head, chapter.rows), ""]
    path.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")
    return files
